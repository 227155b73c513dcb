"""Policies for the opponents, for the Player in one hand, and for whole runs. Each policy uses only its own view."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitboss.chance import Chance
from pitboss.sting.cards import HIDDEN, CardSet, CustomerBehaviour, NarcBehaviour
from pitboss.sting.events import Buy, Continue, NextHand, RunAction, StingAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, ROUNDS, StingHand
from pitboss.sting.opponents import act_customer, act_narc
from pitboss.sting.run import Run
from pitboss.sting.sharp import sharp

StingPolicy: TypeAlias = Callable[[StingHand, Chance], StingAction]

_NARC, _CUSTOMER = NarcBehaviour(), CustomerBehaviour()
CAUTION = 1.5
"""The factor of the expected Evidence for which `counter` prepares."""
HOT_HEAT = 60
"""The Heat at which `careful` stops selling."""


def narc(hand: StingHand, chance: Chance) -> StingAction:
    """The printed Narc: raises more often from round to round and never folds."""
    return act_narc(_NARC, hand, chance)


def customer(hand: StingHand, chance: Chance) -> StingAction:
    """The printed Customer: waits for round 3, then usually raises, or folds if there is much Evidence."""
    return act_customer(_CUSTOMER, hand, chance)


OPPONENTS: Mapping[int, StingPolicy] = {NARC: narc, CUSTOMER: customer}


# --- the Player


def passive(hand: StingHand, chance: Chance) -> StingAction:
    """Never plays a card and never folds."""
    return Continue() if hand.offer.continue_ else StingCheck()


def random(hand: StingHand, chance: Chance) -> StingAction:
    """Picks any action on offer with equal chance."""
    return chance.choice(hand.legal())


def coin(hand: StingHand, chance: Chance) -> StingAction:
    """Raises half of the time with a random card and never folds."""
    if hand.offer.continue_:
        return Continue()
    return StingRaise(chance.choice(hand.offer.raise_)) if chance.below(2) else StingCheck()


def eager(hand: StingHand, chance: Chance) -> StingAction:
    """Plays its best card if one helps and never folds."""
    return Continue() if hand.offer.continue_ else _best(hand, 0)


def opener(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but plays cards in round 1 only."""
    return eager(hand, chance) if hand.number == 1 else passive(hand, chance)


def dumper(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but plays cards in round 3 only."""
    return eager(hand, chance) if hand.number == ROUNDS else passive(hand, chance)


def early_folder(hand: StingHand, chance: Chance) -> StingAction:
    """Like eager, but folds at a decision point if Evidence is ahead of Cover."""
    if hand.offer.continue_:
        return Continue() if hand.totals.margin >= 0 else StingFold()
    return _best(hand, 0)


def counter(hand: StingHand, chance: Chance) -> StingAction:
    """Keeps Cover for the Evidence it expects and folds in round 3 if it has too little."""
    if hand.offer.continue_:
        return Continue()  # it can fold in round 3, when more is known
    action = _best(hand, round(CAUTION * _coming(hand)))
    return StingFold() if hand.number == ROUNDS and _margin_after(hand, action) < _face_down(hand) else action


def late_counter(hand: StingHand, chance: Chance) -> StingAction:
    """Like counter, but plays cards in round 3 only."""
    action = counter(hand, chance)
    return action if hand.number == ROUNDS or hand.offer.continue_ else StingCheck()


PLAYERS: Mapping[str, StingPolicy] = {
    policy.__name__: policy
    for policy in (passive, random, coin, eager, opener, dumper, early_folder, counter, late_counter)
}


# --- estimates


def _best(hand: StingHand, reserve: int) -> StingAction:
    """Play the card with the best table: safe with this reserve first, then most profit, then least Heat."""
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
    """Return the cards that the Player knows on the table, including their own face-down cards."""
    return [card for _, card in hand.table] + [card for _, card in hand.down if card != HIDDEN]


def _margin_after(hand: StingHand, action: StingAction) -> int:
    played = _seen(hand)
    return hand.cards.totals([*played, action.card] if isinstance(action, StingRaise) else played).margin


def _face_down(hand: StingHand) -> float:
    """Return the expected Evidence of the opponents' face-down cards."""
    return sum(hand.cards.mean_evidence(hand.listed[place]) for place, card in hand.down if card == HIDDEN)


def _coming(hand: StingHand) -> float:
    """Return the expected Evidence of the opponents' face-down cards and of their cards in later rounds."""
    evidence = _face_down(hand)
    for number in range(hand.number, ROUNDS):
        for place, shares in ((NARC, _NARC.raises), (CUSTOMER, _CUSTOMER.raises)):
            share = shares[number] / 100
            # The player with the initiative raises again.
            evidence += hand.cards.mean_evidence(hand.listed[place]) * (share + share * share)
    return evidence


RunPolicy: TypeAlias = Callable[[Run, Chance], RunAction]


def _hand_after_hand(policy: StingPolicy) -> RunPolicy:
    """Return a policy for runs that plays this policy in each hand and buys nothing."""

    def play(run: Run, chance: Chance) -> RunAction:
        return NextHand() if run.hand.over else policy(run.hand, chance)

    play.__doc__ = policy.__doc__
    return play


def cooler(run: Run, chance: Chance) -> RunAction:
    """Plays only cards that lower the Heat, and folds at the first decision."""
    if run.hand.over:
        return NextHand()
    cool = [card for card in run.hand.offer.raise_ if run.cards.cards[card].heat < 0]
    return StingRaise(cool[0]) if cool else StingFold()


def careful(run: Run, chance: Chance) -> RunAction:
    """Like counter, but keeps Products back while Heat is high."""
    if run.hand.over:
        return NextHand()
    action = counter(run.hand, chance)
    hot = run.current_heat + _heat(run.hand, action) >= HOT_HEAT + 20
    return StingCheck() if hot and _sells(run.hand, action) else action


def leaver(run: Run, chance: Chance) -> RunAction:
    """Like careful, but folds at a decision point if Evidence is far ahead."""
    if not run.hand.over and run.hand.offer.continue_ and run.hand.totals.margin < -20:
        return StingFold()
    return careful(run, chance)


def shopper(run: Run, chance: Chance) -> RunAction:
    """Like careful, but buys every Product it can pay for in the first half of the run."""
    for card in run.offer.buy if run.number <= 5 else ():
        if run.cards.cards[card].kind == "product":
            return Buy(card)
    return careful(run, chance)


def _heat(hand: StingHand, action: RunAction) -> int:
    return hand.cards.cards[action.card].heat if isinstance(action, StingRaise) else 0


def _sells(hand: StingHand, action: RunAction) -> bool:
    return isinstance(action, StingRaise) and hand.cards.cards[action.card].kind == "product"


SIMPLE_RUN_PLAYERS: Mapping[str, RunPolicy] = {
    **{name: _hand_after_hand(policy) for name, policy in PLAYERS.items()},
    **{policy.__name__: policy for policy in (cooler, careful, leaver, shopper)},
}
"""Short policies without a search."""
RUN_PLAYERS: Mapping[str, RunPolicy] = {**SIMPLE_RUN_PLAYERS, "sharp": sharp}
