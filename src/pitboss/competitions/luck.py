"""The results of hands with less luck, without bias: all-ins by equity, and a control variate on the board cards.

Three results of a hand have the same expectation. `net` are the chips that were won. `adjusted` replaces the result of
an all-in by its expectation over all boards that could still come. `refined` also subtracts, each time board cards are
dealt, how much they changed a player's equity, multiplied by a number of chips that was fixed before the cards were
dealt. Before the deal, the expected change is zero, so no player gains or loses by it on average, however they play.

All equities are exact, from all cards that the hand's record knows: a hand that folded cannot be on the board. Hands
with hidden cards, and games in which players get cards after the first round, keep their chips.

`aivat.py` continues with what is known about the decisions.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from pitboss.cards import Card, is_known
from pitboss.fast.equity.equity import equity
from pitboss.hand.game_file import OWN_CODE
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.lenient import start_lenient_playback
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken

MOST_POTS = 2.0
"""A share of the pot is worth more than the pot, because there will be bets: as much more as the smaller stack, but at
most this many pots. The number was fitted to matches of house bots. It is fixed, so it cannot depend on the match.
"""
FIRST_STAKE = 4.0
"""The chips with which the luck of the hole cards is multiplied heads-up, in big blinds. Duplicate deals cancel it."""
REMEMBERED = 1 << 16
MOST_LIVE = 3
"""The most players whose boards are counted before the flop. More would take too long, as would four hole cards."""


class HandLuck(Struct, frozen=True):
    """Three results of a hand by place, in chips, with the same expectation."""

    net: tuple[int, ...]
    adjusted: tuple[float, ...]
    refined: tuple[float, ...]

    def by_seat(self, record: Record) -> "HandLuck":
        """Return the results by seat instead of by place; a seat that was not dealt in has 0."""
        seats = record.seats or tuple(range(1, len(self.net) + 1))
        count = max(record.seat_count or 0, *seats)
        net, adjusted, refined = [0] * count, [0.0] * count, [0.0] * count
        for place, seat in enumerate(seats):
            net[seat - 1], adjusted[seat - 1] = self.net[place], self.adjusted[place]
            refined[seat - 1] = self.refined[place]
        return HandLuck(tuple(net), tuple(adjusted), tuple(refined))


class ReplayedHand(NamedTuple):
    """A recorded hand with all its states: every action, and the hand before and after it."""

    opening: Hand
    taken: list[ActionTaken]
    final: Hand
    net: tuple[int, ...]

    @property
    def holes(self) -> tuple[tuple[Card, ...], ...]:
        """All hole cards by place."""
        return self.final.holes


class BoardDeal(NamedTuple):
    """A deal of board cards: the hand before and after it."""

    before: Hand
    after: Hand


def remove_luck(record: Record) -> HandLuck:
    """Return the three results of a hand.

    >>> from pitboss import read_phh
    >>> record = read_phh("variant = 'NT'\\nantes = [0, 0]\\nblinds_or_straddles = [1, 2]\\nmin_bet = 2\\n"
    ...     "starting_stacks = [100, 100]\\nactions = ['d dh p1 AsAh', 'd dh p2 KdKc', 'p2 cbr 100', 'p1 cc',"
    ...     "'d db 2c7d9h', 'd db Ks', 'd db 3d', 'p1 sm AsAh', 'p2 sm KdKc']")
    >>> luck = remove_luck(record)
    >>> luck.net, [round(chips, 1) for chips in luck.adjusted]
    ((-100, 100), [62.5, -62.5])
    """
    return luck_of(replay_hand(record))


def replay_hand(record: Record) -> ReplayedHand:
    """Replay a recorded hand and keep its states."""
    playback = start_lenient_playback(record)
    taken: list[ActionTaken] = []
    playback.taken = taken
    opening = playback.hand
    playback.play_all()
    players = playback.lineup.players
    start = [playback.unit.chips(record.starting_stacks[player]) for player in players]
    net = tuple([stack - before for stack, before in zip(playback.hand.stacks, start, strict=True)])
    return ReplayedHand(opening, taken, playback.hand, net)


def luck_of(hand: ReplayedHand, stake: Callable[[BoardDeal], float] | None = None) -> HandLuck:
    """Return the three results of a replayed hand.

    `stake` replaces `stake_of`, and the luck of the hole cards then stays. It must not depend on what comes later.
    """
    adjusted, refined = list(map(float, hand.net)), list(map(float, hand.net))
    if is_counted(hand):
        if stake is None:
            refined = [chips - luck for chips, luck in zip(refined, hole_luck(hand), strict=True)]
        for deal in board_deals(hand):
            chips = _swings(deal, hand.holes, stake or stake_of)
            for place, swing in chips.items():
                refined[place] -= swing
                if deal.before.betting_is_over:
                    adjusted[place] -= swing
    return HandLuck(hand.net, tuple(adjusted), tuple(refined))


def hole_luck(hand: ReplayedHand) -> list[float]:
    """Return the luck of the hole cards in chips, for two players; before the deal both have the same equity."""
    if len(hand.holes) != 2 or not is_countable(hand.opening, 2) or hand.opening.stakes.min_bet <= 0:
        return [0.0] * len(hand.holes)
    stake = min(FIRST_STAKE * hand.opening.stakes.min_bet, *hand.opening.stacks)
    return [stake * (share - 0.5) for share in equities(hand.opening, (0, 1), hand.holes)]


def is_counted(hand: ReplayedHand) -> bool:
    """Return whether all hole cards are known and only the cards of one board are dealt after the first round."""
    structure = hand.opening.structure
    later = structure.hole_by_street[0] != structure.hole_by_street[-1]
    if later or structure.draws or structure.discards or structure.boards > 1 or hand.final.runs is not None:
        return False
    whole = structure.hole_by_street[0]
    return all(len(cards) == whole and all(map(is_known, cards)) for cards in hand.holes)


def is_countable(hand: Hand, most: int) -> bool:
    """Return whether the boards to come can be counted quickly: from the flop on, or for few players with two cards."""
    return bool(hand.board) or (len(hand.round.live) <= most and hand.structure.hole_by_street[0] <= 2)


def board_deals(hand: ReplayedHand) -> Iterator[BoardDeal]:
    """Yield each deal of board cards."""
    for step in hand.taken:
        if len(step.hand.board) > len(step.before.board):
            yield BoardDeal(step.before, step.hand)


def stake_of(deal: BoardDeal) -> float:
    """Return the chips with which a change of equity is multiplied, for two players whose betting is not over."""
    before = deal.before
    pot, behind = before.pot, min(before.stacks[place] for place in before.round.live)
    return pot + min(behind, MOST_POTS * pot)


def _swings(
    deal: BoardDeal, holes: Sequence[Sequence[Card]], stake_for: Callable[[BoardDeal], float]
) -> dict[int, float]:
    """Return the chips by which the cards of a deal moved each player, whose expectation before the deal is zero."""
    before, live = deal.before, deal.before.round.live
    if len(live) < 2 or not is_countable(before, MOST_LIVE):
        return {}
    if before.betting_is_over:
        swings = dict.fromkeys(live, 0.0)
        for pot in before.pots:
            for place, change in _changes(deal, pot.places, holes).items():
                swings[place] += change * pot.amount
        return swings
    if len(live) > 2 or before.structure.hole_by_street[0] > 2:  # too much to know, or too long to count on each street
        return {}
    stake = stake_for(deal)
    return {place: change * stake for place, change in _changes(deal, live, holes).items()} if stake else {}


def _changes(deal: BoardDeal, places: Sequence[int], holes: Sequence[Sequence[Card]]) -> dict[int, float]:
    """Return by how much a deal changed each player's share of a pot."""
    if len(places) < 2:
        return {}
    old, new = (equities(hand, places, holes) for hand in (deal.before, deal.after))
    return {place: after - before for place, before, after in zip(places, old, new, strict=True)}


def equities(hand: Hand, places: Sequence[int], holes: Sequence[Sequence[Card]]) -> tuple[float, ...]:
    """Return the exact share of a pot that each of these places wins on average over all boards to come."""
    structure = hand.structure
    dead = [card for place, cards in enumerate(holes) if place not in places for card in cards]
    return _counted(
        structure.code,
        tuple(["".join(holes[place]) for place in places]),
        "".join(hand.board),
        "".join(sorted(dead)),
        structure if structure.code == OWN_CODE else None,
    )


@lru_cache(maxsize=REMEMBERED)
def _counted(game: str, hands: tuple[str, ...], board: str, dead: str, own: Structure | None) -> tuple[float, ...]:
    structure = STRUCTURES[game] if own is None else own
    return equity(*hands, game=structure, board=board, dead=dead, exact=True, cores=1).equity
