"""Who plays: the opponents, and policies for the Player that the simulator compares. Each sees only its own view."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitboss.chance import Chance
from pitboss.sting.actions import Continue, StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.cards import HIDDEN, CardSet
from pitboss.sting.difficulty import CustomerWay, NarcWay
from pitboss.sting.hand import CUSTOMER, NARC, ROUNDS, StingHand
from pitboss.sting.ways import act_customer, act_narc

StingPolicy: TypeAlias = Callable[[StingHand, Chance], StingAction]

_NARC, _CUSTOMER = NarcWay(), CustomerWay()


def narc(hand: StingHand, chance: Chance) -> StingAction:
    """The printed one: raises more often from round to round, and never folds."""
    return act_narc(_NARC, hand, chance)


def customer(hand: StingHand, chance: Chance) -> StingAction:
    """The printed one: waits for round 3; then mostly raises, and otherwise leaves if there is much Evidence."""
    return act_customer(_CUSTOMER, hand, chance)


CAUTION = 1.5
"""How much more than the Evidence to be expected `counter` reckons with."""

OPPONENTS: Mapping[int, StingPolicy] = {NARC: narc, CUSTOMER: customer}


# --- the Player


def passive(hand: StingHand, chance: Chance) -> StingAction:
    """Never plays a card and never folds."""
    return Continue() if hand.offer.continue_ else StingCheck()


def random(hand: StingHand, chance: Chance) -> StingAction:
    """Draws evenly among all actions on offer, as the house bot of this name does."""
    return chance.choice(hand.legal())


def coin(hand: StingHand, chance: Chance) -> StingAction:
    """Half of the time raises with any card, never folds."""
    if hand.offer.continue_:
        return Continue()
    return StingRaise(chance.choice(hand.offer.raise_)) if chance.below(2) else StingCheck()


def eager(hand: StingHand, chance: Chance) -> StingAction:
    """Plays its best card whenever one helps, never folds."""
    return Continue() if hand.offer.continue_ else _best(hand, 0)


def opener(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but plays cards in round 1 only."""
    return eager(hand, chance) if hand.number == 1 else passive(hand, chance)


def dumper(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but keeps everything back and dumps it in round 3."""
    return eager(hand, chance) if hand.number == ROUNDS else passive(hand, chance)


def early_folder(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but leaves at the first decision with more Evidence than Cover."""
    if hand.offer.continue_:
        return Continue() if hand.totals.margin >= 0 else StingFold()
    return _best(hand, 0)


def counter(hand: StingHand, chance: Chance) -> StingAction:
    """Keeps cover for the Evidence that may yet come; in round 3 leaves where it has not enough."""
    if hand.offer.continue_:
        return Continue()  # whoever goes on can still fold in round 3, and will know more
    action = _best(hand, round(CAUTION * _coming(hand)))
    return StingFold() if hand.number == ROUNDS and _margin_after(hand, action) < _face_down(hand) else action


def late_counter(hand: StingHand, chance: Chance) -> StingAction:
    """Like counter, but keeps everything back and dumps it in round 3."""
    action = counter(hand, chance)
    return action if hand.number == ROUNDS or hand.offer.continue_ else StingCheck()


PLAYERS: Mapping[str, StingPolicy] = {
    policy.__name__: policy
    for policy in (passive, random, coin, eager, opener, dumper, early_folder, counter, late_counter)
}


# --- what they reckon with


def _best(hand: StingHand, reserve: int) -> StingAction:
    """Play the card that leaves most: safe first, with a margin of the reserve, then rich, then cool."""
    played = _seen(hand)
    best, most = None, _worth(hand.cards, played, reserve)
    for card in hand.offer.raise_:
        worth = _worth(hand.cards, [*played, card], reserve)
        if worth > most:
            best, most = card, worth
    return StingRaise(best) if best is not None else StingCheck()


def _worth(cards: CardSet, played: list[str], reserve: int) -> tuple[int, int, int]:
    totals = cards.totals(played)
    return min(totals.margin - reserve, 0), totals.profit, -totals.heat


def _seen(hand: StingHand) -> list[str]:
    """The cards the Player knows to be on the table, his own face-down ones among them."""
    return [card for _, card in hand.table] + [card for _, card in hand.down if card != HIDDEN]


def _margin_after(hand: StingHand, action: StingAction) -> int:
    played = _seen(hand)
    return hand.cards.totals([*played, action.card] if isinstance(action, StingRaise) else played).margin


def _face_down(hand: StingHand) -> float:
    """The Evidence to be expected of the opponents' cards that lie face down."""
    return sum(hand.cards.mean_evidence(hand.listed[place]) for place, card in hand.down if card == HIDDEN)


def _coming(hand: StingHand) -> float:
    """The Evidence to be expected of opponents: what lies face down, and later rounds."""
    evidence = _face_down(hand)
    for number in range(hand.number, ROUNDS):
        for place, shares in ((NARC, _NARC.raises), (CUSTOMER, _CUSTOMER.raises)):
            share = shares[number] / 100
            evidence += hand.cards.mean_evidence(hand.listed[place]) * (
                share + share * share
            )  # who holds the initiative raises again
    return evidence
