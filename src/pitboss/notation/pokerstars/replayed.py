"""A record played again, with the names, seats and marks a PokerStars text of it needs.

The one place where writing that text asks the rules what happened.
"""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import UNKNOWN, Card
from pitboss.hand.events import Discarded, Event, HoleDealt, UpDealt
from pitboss.hand.hand import Hand
from pitboss.notation.chips import Amount, Unit
from pitboss.notation.document.debts import debts_as_posts
from pitboss.notation.document.recorded import lineup
from pitboss.notation.found import ReadError
from pitboss.notation.house import HOUSE_FIELDS, OPEN_PAIR, RAKE_TAKEN, RUNS
from pitboss.notation.lineup import Lineup, LineupError
from pitboss.notation.mending import replay_leniently
from pitboss.notation.pokerstars.text import (
    CURRENCY,
    EVENT,
    GAMES,
    LIMITS,
    SYMBOL,
    TITLE,
    HandHeader,
    PokerStarsError,
    PrintedStakes,
    read_stakes,
    write_level,
)
from pitboss.notation.record import Record
from pitboss.notation.replay import ReplayError, find_unit, read_moves
from pitboss.notation.sites.amounts import ZONE, Clock, write_amount

_HAND_DIGITS = 19
_ROLES = ("small blind", "big blind", "straddle")


class ReplayedHand(Struct, frozen=True, kw_only=True):
    """All that is written of a hand; places count those dealt in, from the button's left."""

    record: Record
    line: Lineup
    unit: Unit
    hand: Hand
    events: tuple[Event, ...]
    own: Mapping[str, str]
    names: tuple[str, ...]  #: by player of the record
    seats: tuple[int, ...]  #: by player of the record
    symbol: str

    def name(self, place: int) -> str:
        """The name of whoever has a place."""
        return self.names[self.line.players[place]]

    def seat(self, place: int) -> int:
        """The seat of whoever has a place."""
        return self.seats[self.line.players[place]]

    def money(self, chips: int) -> str:
        """Chips of the replay as the text prints them."""
        return write_amount(self.unit.amount(chips), self.symbol)

    def marked(self, what: str) -> set[int]:
        """The seats that a mark names, such as those that show without need."""
        return {int(seat) for seat in self.own.get(what, "").split() if seat.isascii() and seat.isdigit()}

    def by_place(self, amounts: tuple[Amount, ...] | None) -> list[Amount]:
        """Forced bets by place."""
        n = len(self.names)
        return self.line.by_place(amounts or (0,) * n, n, "amounts")

    def roles(self) -> dict[int, str]:
        """Who posts in turn, and as what: the least is the small blind, what comes after the big blind a straddle."""
        amounts = self.by_place(self.record.blinds_or_straddles)
        big = (self.record.min_bet if self.record.small_bet is None else self.record.small_bet) or 0
        order = (1, 0) if len(amounts) == 2 else range(len(amounts))
        posting = sorted((place for place in order if amounts[place] > 0), key=lambda place: amounts[place])
        no_small = bool(posting) and amounts[posting[0]] >= big and not [p for p in posting[1:] if amounts[p] == big]
        roles = _ROLES[no_small:]
        return {place: roles[min(number, len(roles) - 1)] for number, place in enumerate(posting)}

    def dealt(self, place: int) -> tuple[Card, ...]:
        """The cards a place was dealt, as far as they were recorded when he got them."""
        held: list[Card] = []
        for event in self.events:
            if isinstance(event, HoleDealt | UpDealt) and event.place == place:
                held += event.cards
            elif isinstance(event, Discarded) and event.place == place:
                for card in event.cards:
                    held.remove(card if card in held else UNKNOWN)
        return tuple(held)


def replay_hand(record: Record) -> ReplayedHand:
    """Play a record, mending it where it is incomplete."""
    if record.variant[:1] not in LIMITS or record.variant[1:] not in GAMES:
        raise PokerStarsError(f"no game of PokerStars is {record.variant:.40}, so it is not written as its text")
    for name in HOUSE_FIELDS:
        if name in record.user and name not in (RUNS, OPEN_PAIR, RAKE_TAKEN):
            raise PokerStarsError(f"a hand with {name} is not written as PokerStars text")
    if any(isinstance(stack, Decimal) and stack.is_infinite() for stack in record.starting_stacks):
        raise PokerStarsError("a stack is not known, and PokerStars text has no word for that")
    try:
        record = debts_as_posts(record)
        moves = read_moves(record)
        line, unit = lineup(record, moves), find_unit(record, moves)
        _check_forced_bets(record, line)
        played = replay_leniently(_unraked(record))
    except (ReplayError, LineupError) as error:
        raise PokerStarsError(f"the record cannot be played: {error}") from None
    if unit.scale > 100:
        raise PokerStarsError("an amount is finer than a hundredth, and PokerStars text has none such")
    own = record.user.get("_pokerstars")
    symbol = record.currency_symbol or ""
    return ReplayedHand(
        record=record,
        line=line,
        unit=unit,
        hand=played.hand,
        events=played.chip_events,
        own={key: value for key, value in own.items() if isinstance(value, str)} if isinstance(own, Mapping) else {},
        names=_names(record),
        seats=_seats(record, line),
        symbol=symbol if SYMBOL.fullmatch(symbol) else "",
    )


def _unraked(record: Record) -> Record:
    """The record without its rake, which the text takes off what was won."""
    return replace(record, user={name: value for name, value in record.user.items() if name != RAKE_TAKEN})


def _check_forced_bets(record: Record, line: Lineup) -> None:
    """Refuse what would be read as something else."""
    if line.price and line.opener is not None:
        raise PokerStarsError("nobody posts the big blind, and PokerStars text has no words for that")
    antes = line.by_place(record.antes, len(record.starting_stacks), "antes")
    least = min(record.starting_stacks[player] for player in line.players)
    if not record.ante_trimming_status and len(set(antes)) == 1 and least < antes[0]:
        raise PokerStarsError("a short ante wins all of the others' here, and PokerStars text has no words for that")


def _names(record: Record) -> tuple[str, ...]:
    names = record.players or tuple(f"p{number}" for number in range(1, len(record.starting_stacks) + 1))
    for name in names:
        if name.strip(" \t\ufeff") != name or not name or names.count(name) > 1:
            raise PokerStarsError(f"{name!r} cannot be told from other names in a text")
    return names


def _seats(record: Record, line: Lineup) -> tuple[int, ...]:
    seats = record.seats or tuple(range(1, len(record.starting_stacks) + 1))
    around = [seats[player] for player in line.players]
    first = around.index(min(around))
    if len(set(seats)) < len(seats) or sorted(around) != around[first:] + around[:first]:
        raise PokerStarsError(f"the seats {', '.join(map(str, seats))} do not go clockwise")
    if not all(0 <= seat < 1000 for seat in seats):
        raise PokerStarsError("a seat has a number from 0 to 999")
    return seats


# --- the head


def head(played: ReplayedHand) -> HandHeader:
    """The first line: what the record knows, and from its own marks what only PokerStars says."""
    record, own = played.record, played.own
    event = record.event if record.event and EVENT.fullmatch(record.event) else ""
    digits = str(record.hand)
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _HAND_DIGITS else 0
    return HandHeader(
        hand=number,
        title=own["title"] if TITLE.fullmatch(own.get("title", "")) else "Hand",
        club=own.get("club", ""),
        event=event,
        mix=own.get("mix", ""),
        game=GAMES[record.variant[1:]],
        limit=LIMITS[record.variant[0]],
        level=own.get("level") or write_level(record.level) if event else "",
        stakes=_stakes(played),
        clock=_clock(record, own.get("also", "")),
    )


def _stakes(played: ReplayedHand) -> str:
    record, currency = played.record, played.record.currency or ""
    big = (record.min_bet if record.big_bet is None else record.big_bet) or 0
    try:
        own = read_stakes(played.own.get("stakes", ""))
        if own.big == big and own.symbol == played.symbol and own.small == (record.small_bet or own.small):
            return played.own["stakes"]
    except ReadError:
        pass
    if record.small_bet is not None:
        return str(
            PrintedStakes(record.small_bet, big, played.symbol, currency if CURRENCY.fullmatch(currency) else "")
        )
    blinds = played.by_place(played.record.blinds_or_straddles)
    small = next((blinds[place] for place, role in played.roles().items() if role == "small blind"), 0)
    return str(PrintedStakes(small, big, played.symbol, currency if CURRENCY.fullmatch(currency) else ""))


def _clock(record: Record, also: str) -> Clock:
    """The time as far as it is known; without a whole date nothing is."""
    zone = record.time_zone_abbreviation or ""
    try:
        day = dt.date(record.year or 0, record.month or 0, record.day or 0)
    except (ValueError, OverflowError):
        return Clock()
    return Clock(day, record.time, zone if ZONE.fullmatch(zone) else None, also)
