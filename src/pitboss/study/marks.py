"""The marks of one recorded hand: what each player did, had the chance to do, and won.

docs/statistics.md defines every mark, with a hand in which it counts and one in which it does not.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Raised
from pitboss.hand.events import Won
from pitboss.hand.hand import Hand
from pitboss.records.lenient import begin_leniently
from pitboss.records.money import CURRENCIES, Amount, Unit
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken, Playback
from pitboss.study.all_in import expected_chips

_LATE_POSITIONS = ("BTN", "CO", "HJ", "LJ")
"""The positions from the button backwards."""
POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "UTG+6", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""The positions in their order before the flop."""
CHIPS = "chips"
"""The currency of records that name none, as in tournaments."""
_DECISIONS = (Folded, Checked, Called, Raised, BroughtIn)
_UNIT_PARTS = 10**6
"""Expected results are rounded to this fraction of the smallest unit of the record's money."""


def name_positions(hand: Hand) -> tuple[str | None, ...]:
    """Return the position names of all places; None in games without a button, such as stud.

    The last place is called the button even if the button is at an empty seat.

    >>> from pitboss import NO_LIMIT_HOLDEM, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(6, 1, 2))
    >>> name_positions(Hand.start(NO_LIMIT_HOLDEM, stacks=(99,) * 6, stakes=stakes)[0])
    ('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
    """
    n = len(hand.stacks)
    if hand.structure.betting.bring_in:
        return (None,) * n
    if n == 2:
        return "BB", "BTN"
    small = big = None
    for post in hand.stakes.posts:
        if post.live and post.option and post.place != n - 1:
            if post.amount < hand.stakes.min_bet:
                small = post.place if small is None else small
            elif big is None:
                big = post.place
    others = [place for place in range(n) if place not in (small, big)]
    names = dict(zip(others, _names(len(others)), strict=True))
    return tuple(["SB" if place == small else "BB" if place == big else names[place] for place in range(n)])


def _names(count: int) -> list[str]:
    """Return the names of the places without a blind, the first to act first."""
    late = list(
        _LATE_POSITIONS[: count if count < len(_LATE_POSITIONS) else min(count - 1, len(_LATE_POSITIONS))][::-1]
    )
    early = [f"UTG+{number}" if number else "UTG" for number in range(count - len(late))]
    return early + late


class PlayerMarks(Struct):
    """What one player did in one hand."""

    name: str = ""
    position: str | None = None
    won: Amount = 0  #: in the record's money; below zero: lost
    adjusted: Amount = 0  #: the same, with the expected result if players were all-in before the last card
    all_in: bool = False  #: whether `adjusted` is such an expected result
    asked: bool = False  #: made a decision on the first street
    vpip: bool = False
    pfr: bool = False
    three_bet_chance: bool = False
    three_bet: bool = False
    c_bet_chance: bool = False
    c_bet: bool = False
    aggressive: int = 0  #: bets and raises after the first street
    passive: int = 0  #: calls and folds after the first street
    saw_second: bool = False  #: was in the hand when the second street began
    showdown: bool = False
    won_showdown: bool = False


class MarkedHand(Struct, frozen=True):
    """One hand: its money, its day, and the marks of all players dealt in."""

    currency: str
    big: Amount  #: the big blind, or limit's small bet
    stake: str
    day: dt.date | None
    players: tuple[PlayerMarks, ...]


def mark_hand(record: Record, *, expected: bool = True) -> MarkedHand:
    """Return the marks of a hand, replayed leniently; raise `ReplayError` if it cannot be replayed.

    Without `expected` the slow expected results are left out, and `adjusted` is what was won.
    """
    playback = begin_leniently(record)
    taken: list[ActionTaken] = []
    playback.taken = taken
    opening = playback.hand
    playback.play_all()
    names = record.players or tuple([f"p{number}" for number in range(1, len(record.starting_stacks) + 1)])
    positions = name_positions(opening)
    marks = [PlayerMarks(names[player], positions[place]) for place, player in enumerate(playback.lineup.players)]
    _mark_betting(marks, opening, taken)
    _mark_results(marks, playback, taken if expected else ())
    big = record.min_bet if record.min_bet is not None else record.small_bet or 0
    symbol = record.currency_symbol or CHIPS
    currency = record.currency or CURRENCIES.get(symbol, symbol)
    return MarkedHand(currency, big, _stake(record, big, currency), _day(record), tuple(marks))


# --- decisions


def _mark_betting(marks: list[PlayerMarks], opening: Hand, taken: Sequence[ActionTaken]) -> None:
    """Mark all decisions."""
    bets = 1 if opening.round.price else 0  # on the first street; a blind or bring-in counts as the first
    aggressor, open_betting = -1, True  # the last raiser of the first street; whether the second has no bet yet
    seen_second = False
    for before, _, _, events, hand in taken:
        if not seen_second and hand.street:
            seen_second = True
            for place in hand.round.live:
                marks[place].saw_second = True
        if before.phase != "bet":
            continue
        event = events[0]
        if not isinstance(event, _DECISIONS):
            continue
        mark = marks[event.place]
        if before.street == 0:
            _mark_first(mark, before, event, bets)
            if isinstance(event, Raised):
                bets += 1
                aggressor = event.place
            continue
        if before.street == 1 and open_betting:
            if event.place == aggressor:
                mark.c_bet_chance, mark.c_bet = True, isinstance(event, Raised)
            open_betting = not isinstance(event, Raised)
        if isinstance(event, Raised):
            mark.aggressive += 1
        elif isinstance(event, Called | Folded):
            mark.passive += 1


def _mark_first(mark: PlayerMarks, before: Hand, event: object, bets: int) -> None:
    """Mark a decision on the first street after `bets` bets."""
    if isinstance(event, BroughtIn):
        return
    mark.asked = True
    raised = isinstance(event, Raised)
    if bets == 2 and (raised or core.raise_refusal(before.structure.betting, before.round, before.round.turn) == 0):
        mark.three_bet_chance, mark.three_bet = True, raised
    if raised:
        mark.vpip = mark.pfr = True
    elif isinstance(event, Called):
        mark.vpip = True


# --- results


def _mark_results(marks: list[PlayerMarks], playback: Playback, taken: Sequence[ActionTaken]) -> None:
    """Mark the showdown and the winnings."""
    record, last, unit = playback.record, playback.hand, playback.unit
    behind, folded = list(last.stacks), set()
    for event in playback.events:
        if isinstance(event, Won):
            behind[event.place] = behind[event.place] - event.amount
        elif isinstance(event, Folded):
            folded.add(event.place)
    players = playback.lineup.players
    won, collected = [], []
    for place, had in enumerate(behind):
        paid = unit.chips(record.starting_stacks[players[place]]) - had
        net = _net(record, players[place], paid, last.stacks[place] - had, unit)
        won.append(net)
        collected.append(net + paid)
    shown = len(marks) - len(folded) > 1
    for place, mark in enumerate(marks):
        mark.won = mark.adjusted = _money(won[place], unit)
        if shown and place not in folded:
            mark.showdown, mark.won_showdown = True, collected[place] > 0
    all_in = next((each.hand for each in taken if each.hand.phase == "deal" and each.hand.betting_is_over), None)
    expected = None if all_in is None else expected_chips(all_in, last.holes, sum(collected))
    for place, chips in _rounded(expected or {}).items():
        paid = collected[place] - won[place]
        marks[place].adjusted, marks[place].all_in = (chips / _UNIT_PARTS - paid) / unit.scale, True


def _net(record: Record, player: int, paid: int, replayed: int, unit: Unit) -> int:
    """Return a player's result in chips: as recorded, else by the rules."""
    start = record.starting_stacks[player]
    if record.finishing_stacks is not None and Decimal(start).is_finite():
        return unit.chips(record.finishing_stacks[player]) - unit.chips(start)
    if record.winnings is not None:
        return unit.chips(record.winnings[player]) - paid
    return replayed - paid


def _money(chips: int, unit: Unit) -> Amount:
    """Return chips, positive or negative, in the record's money."""
    return unit.amount(chips) if chips >= 0 else -unit.amount(-chips)


def _rounded(expected: Mapping[int, Fraction]) -> dict[int, Decimal]:
    """Return expected chips in millionths, rounded so that their sum stays the same."""
    rounded = {place: round(chips * _UNIT_PARTS) for place, chips in expected.items()}
    if rounded:
        rounded[max(rounded)] += round(sum(expected.values()) * _UNIT_PARTS) - sum(rounded.values())
    return {place: Decimal(chips) for place, chips in rounded.items()}


# --- day and stake


def _day(record: Record) -> dt.date | None:
    if record.year is None or record.month is None or record.day is None:
        return None
    try:
        return dt.date(record.year, record.month, record.day)
    except ValueError:
        return None


def _stake(record: Record, big: Amount, currency: str) -> str:
    """Return the stakes in the usual form: `0.05/0.10 USD`."""
    if record.small_bet is not None and record.big_bet is not None:
        return f"{_spell(record.small_bet)}/{_spell(record.big_bet)} {currency}"
    blinds = [blind for blind in record.blinds_or_straddles or () if 0 < blind < big]
    return f"{_spell(min(blinds))}/{_spell(big)} {currency}" if blinds else f"{_spell(big)} {currency}"


def _spell(amount: Amount) -> str:
    """Return an amount without decimals or with at least two, however the record writes it."""
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:.2f}" if amount * 100 == int(amount * 100) else f"{Decimal(amount).normalize()}"
