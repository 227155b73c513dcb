"""The hands of a compiled run played by the plain rules: the same cards and places, dealt and played with `Hand`."""

from typing import NamedTuple

from pitboss.betting.events import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.chance import Chance
from pitboss.fast.play.setup import RunSetup
from pitboss.hand.hand import Hand
from pitboss.table.rotation import order_of_play


class Dealt(NamedTuple):
    """A hand about to be played, the seats of its places, and the hand's chance after the shuffle."""

    hand: Hand
    order: tuple[int, ...]
    chance: Chance


def deal(table: RunSetup, seed: int, number: int) -> Dealt:
    """The hand of this number in a run of this seed."""
    button = number % table.seats if table.button is None else table.button
    order = order_of_play([True] * table.seats, button)
    chance = Chance(seed).fork(number)
    structure = table.structure
    deck = chance.shuffled(structure.deck, structure.hole_by_street[-1] * table.seats + structure.board_by_street[-1])
    stacks = [table.stacks[seat] for seat in order]
    hand, _ = Hand.start(structure, stacks=stacks, stakes=table.stakes, deck=deck)
    return Dealt(hand, order, chance)


def by_seat(dealt: Dealt, hand: Hand) -> list[int]:
    """Return all stacks by seat."""
    stacks = dict(zip(dealt.order, hand.stacks, strict=True))
    return [stacks[seat] for seat in range(len(stacks))]


def play_randomly(table: RunSetup, seed: int, number: int) -> tuple[list[int], int]:
    """Play one hand by the words for `random`: the last stacks, by seat, and how many actions it took."""
    dealt = deal(table, seed, number)
    hand, actions = dealt.hand, 0
    while not hand.over:
        hand, _ = hand.act(dealt.chance.choice(choices(hand)), hand.round.turn)
        actions += 1
    return by_seat(dealt, hand), actions


def choices(hand: Hand) -> list[BettingAction]:
    """Fold when facing a bet, check or call, least raise, pot-sized raise, all-in; each once, if legal."""
    offer = hand.offer
    found: list[BettingAction] = [Check()] if offer.check else [Fold(), Call()]
    bounds = offer.bet or offer.raise_
    if bounds is None:
        return found
    totals = {bounds.min_to, bounds.max_to}
    if bounds.min_to <= pot_sized(hand) <= bounds.max_to:
        totals.add(pot_sized(hand))
    return found + [Bet(to) if offer.bet else Raise(to) for to in sorted(totals)]


def pot_sized(hand: Hand) -> int:
    """The street total of a raise by what the pot holds once the call is in it."""
    round = hand.round
    call = max(0, round.price - round.bets[round.turn])
    return round.price + round.pot + sum(round.bets) + call
