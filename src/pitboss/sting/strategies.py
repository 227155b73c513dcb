"""Who plays: the opponents, and strategies for the Player that the simulator compares. Each sees only its own view."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitboss.chance import Chance
from pitboss.sting.actions import Action, Check, Continue, Fold, Raise
from pitboss.sting.cards import HIDDEN, ROLES, Cards
from pitboss.sting.hand import CUSTOMER, NARC, ROUNDS, Hand

Strategy: TypeAlias = Callable[[Hand, Chance], Action]

NARC_RAISES = (40, 60, 80)
CUSTOMER_RAISES = (0, 0, 70)
"""Per cent, by round."""
SCARED_ABOVE = 60
"""The Evidence that makes the Customer fold where else he would check."""


def narc(hand: Hand, chance: Chance) -> Action:
    """Raises more often from round to round, and never folds."""
    if chance.below(100) < NARC_RAISES[hand.number - 1]:
        return Raise(chance.choice(hand.hands[NARC]))
    return Check()


def customer(hand: Hand, chance: Chance) -> Action:
    """Waits for round 3; then mostly raises, and otherwise leaves if there is much Evidence."""
    if hand.number < ROUNDS:
        return Check()
    if chance.below(100) < CUSTOMER_RAISES[hand.number - 1]:
        return Raise(chance.choice(hand.hands[CUSTOMER]))
    return Fold() if hand.totals.evidence > SCARED_ABOVE else Check()


CAUTION = 1.5
"""How much more than the Evidence to be expected `counter` reckons with."""

OPPONENTS: Mapping[int, Strategy] = {NARC: narc, CUSTOMER: customer}


# --- the Player


def passive(hand: Hand, chance: Chance) -> Action:
    """Never plays a card and never folds."""
    return Continue() if hand.offer.continue_ else Check()


def random(hand: Hand, chance: Chance) -> Action:
    """Half of the time raises with any card, never folds."""
    if hand.offer.continue_:
        return Continue()
    return Raise(chance.choice(hand.offer.raise_)) if chance.below(2) else Check()


def eager(hand: Hand, chance: Chance) -> Action:
    """Plays its best card whenever one helps, never folds."""
    return Continue() if hand.offer.continue_ else _best(hand, 0)


def opener(hand: Hand, chance: Chance) -> Action:
    """Like eager, but plays cards in round 1 only."""
    return eager(hand, chance) if hand.number == 1 else passive(hand, chance)


def dumper(hand: Hand, chance: Chance) -> Action:
    """Like eager, but keeps everything back and dumps it in round 3."""
    return eager(hand, chance) if hand.number == ROUNDS else passive(hand, chance)


def early_folder(hand: Hand, chance: Chance) -> Action:
    """Like eager, but leaves at the first decision with more Evidence than Cover."""
    if hand.offer.continue_:
        return Continue() if hand.totals.margin >= 0 else Fold()
    return _best(hand, 0)


def counter(hand: Hand, chance: Chance) -> Action:
    """Keeps cover for the Evidence that may yet come; in round 3 leaves where it has not enough."""
    if hand.offer.continue_:
        return Continue()  # whoever goes on can still fold in round 3, and will know more
    action = _best(hand, round(CAUTION * _coming(hand)))
    return Fold() if hand.number == ROUNDS and _margin_after(hand, action) < _face_down(hand) else action


def late_counter(hand: Hand, chance: Chance) -> Action:
    """Like counter, but keeps everything back and dumps it in round 3."""
    action = counter(hand, chance)
    return action if hand.number == ROUNDS or hand.offer.continue_ else Check()


PLAYERS: Mapping[str, Strategy] = {
    strategy.__name__: strategy
    for strategy in (passive, random, eager, opener, dumper, early_folder, counter, late_counter)
}


# --- what they reckon with


def _best(hand: Hand, reserve: int) -> Action:
    """Play the card that leaves most: safe first, with a margin of the reserve, then rich, then cool."""
    played = _seen(hand)
    best, most = None, _worth(hand.cards, played, reserve)
    for card in hand.offer.raise_:
        worth = _worth(hand.cards, [*played, card], reserve)
        if worth > most:
            best, most = card, worth
    return Raise(best) if best is not None else Check()


def _worth(cards: Cards, played: list[str], reserve: int) -> tuple[int, int, int]:
    totals = cards.totals(played)
    return min(totals.margin - reserve, 0), totals.profit, -totals.heat


def _seen(hand: Hand) -> list[str]:
    """The cards the Player knows to be on the table, his own face-down ones among them."""
    return [card for _, card in hand.table] + [card for _, card in hand.down if card != HIDDEN]


def _margin_after(hand: Hand, action: Action) -> int:
    played = _seen(hand)
    return hand.cards.totals([*played, action.card] if isinstance(action, Raise) else played).margin


def _face_down(hand: Hand) -> float:
    """The Evidence to be expected of the opponents' cards that lie face down."""
    return sum(hand.cards.evidence[ROLES[place]] for place, card in hand.down if card == HIDDEN)


def _coming(hand: Hand) -> float:
    """The Evidence to be expected of opponents: what lies face down, and later rounds."""
    evidence = _face_down(hand)
    for number in range(hand.number, ROUNDS):
        for place, shares in ((NARC, NARC_RAISES), (CUSTOMER, CUSTOMER_RAISES)):
            share = shares[number] / 100
            evidence += hand.cards.evidence[ROLES[place]] * (
                share + share * share
            )  # who holds the initiative raises again
    return evidence
