"""Write records as PokerStars text."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.cards import RANKS, UNKNOWN, Card, is_known
from pitboss.formats.scan import ReadError
from pitboss.formats.sites.pokerstars import (
    ALL_IN,
    BOARDS,
    CURRENCY,
    DRAWS,
    EVENT,
    GAMES,
    LIMITS,
    ORDINALS,
    STUD_STREETS,
    SYMBOL,
    TITLE,
    HandHeader,
    PokerStarsError,
    PrintedStakes,
    read_stakes,
    write_level,
)
from pitboss.formats.sites.site import CASHED_OUT
from pitboss.formats.sites.values import ZONE, Clock, write_amount
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Mucked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.hand import Hand
from pitboss.hand.state import boards
from pitboss.hand.structure import Ranking
from pitboss.ranks import high, high_name
from pitboss.records.debts import debts_as_posts
from pitboss.records.lenient import replay_leniently
from pitboss.records.money import Amount, Unit
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError, find_collected, find_lineup, find_unit, read_moves, whole_pot
from pitboss.records.table_fields import HOUSE_FIELDS, OPEN_PAIR, RAKE_TAKEN, RUNS, Lineup, LineupError

_RANK_WORDS = ("Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")
_RANK_NAMES = dict(zip(RANKS, _RANK_WORDS, strict=True))
_STRAIGHTS = (*[RANKS[first : first + 5] for first in range(len(RANKS) - 5, -1, -1)], "A2345")
_FEWEST_CARDS, _MOST_CARDS = 5, 7
_HAND_DIGITS = 19
_ROLES = ("small blind", "big blind", "straddle")

_HIGH = Ranking("high")
_DRAWS = ("", "1st ", "2nd ", "3rd ")
_FOLDED = {0: "before Flop", 3: "on the Flop", 4: "on the Turn", 5: "on the River"}


def name_best_hand(cards: Sequence[Card]) -> str:
    """Return a name for the best hand, or an empty text if fewer than five cards are known.

    >>> name_best_hand(("Ks", "Kh", "Th", "Jh", "Ts", "8d", "7s"))
    'two pair, Kings and Tens'
    """
    if not _FEWEST_CARDS <= len(cards) <= _MOST_CARDS or len(set(cards)) < len(cards) or not all(map(is_known, cards)):
        return ""
    ranks = [card[0] for card in cards]
    often = sorted(set(ranks), key=lambda rank: (-ranks.count(rank), -RANKS.index(rank)))
    match high_name(high(cards)):
        case "high_card":
            return f"high card {_RANK_NAMES[often[0]]}"
        case "pair":
            return f"a pair of {_several(often[0])}"
        case "two_pair":
            return f"two pair, {_several(often[0])} and {_several(often[1])}"
        case "three_of_a_kind":
            return f"three of a kind, {_several(often[0])}"
        case "straight":
            return f"a straight, {_run(ranks)}"
        case "flush":
            return f"a flush, {_RANK_NAMES[max(_suited(cards), key=RANKS.index)]} high"
        case "full_house":
            return f"a full house, {_several(often[0])} full of {_several(often[1])}"
        case "four_of_a_kind":
            return f"four of a kind, {_several(often[0])}"
    run = _run(_suited(cards))
    return "a Royal Flush" if run == "Ten to Ace" else f"a straight flush, {run}"


def _several(rank: str) -> str:
    name = _RANK_NAMES[rank]
    return f"{name}es" if name == "Six" else f"{name}s"


def _run(ranks: Sequence[str]) -> str:
    """Return the highest five ranks in a row in words: `Seven to Jack`."""
    best = next(run for run in _STRAIGHTS if set(run) <= set(ranks))
    return f"{_RANK_NAMES[best[0]]} to {_RANK_NAMES[best[-1]]}"


def _suited(cards: Sequence[Card]) -> list[str]:
    """Return the ranks of the suit with the most cards."""
    suits = [card[1] for card in cards]
    return [card[0] for card in cards if card[1] == max(suits, key=suits.count)]


class WrittenHand(Struct, frozen=True, kw_only=True):
    """A hand that is being written, with its replay. Places count the players in the hand, from the button's left."""

    record: Record
    line: Lineup
    unit: Unit
    played: Replay
    own: Mapping[str, str]
    names: tuple[str, ...]  #: by player in the record
    seats: tuple[int, ...]  #: by player in the record
    symbol: str

    @property
    def hand(self) -> Hand:
        """The final state of the hand."""
        return self.played.hand

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, in chips."""
        return self.played.chip_events

    def name(self, place: int) -> str:
        """Return the name of the player at a place."""
        return self.names[self.line.players[place]]

    def seat(self, place: int) -> int:
        """Return the seat of the player at a place."""
        return self.seats[self.line.players[place]]

    def money(self, chips: int) -> str:
        """Return chips of the replay as an amount of money, written as in the text."""
        return write_amount(self.unit.amount(chips), self.symbol)

    def marked(self, what: str) -> set[int]:
        """Return the seats in a list of the record, such as the list of those who show voluntarily."""
        return {int(seat) for seat in self.own.get(what, "").split() if seat.isascii() and seat.isdigit()}

    def by_place(self, amounts: tuple[Amount, ...] | None) -> list[Amount]:
        """Return forced bets in the order of places."""
        n = len(self.names)
        return self.line.by_place(amounts or (0,) * n, n, "amounts")

    def roles(self) -> dict[int, str]:
        """Return the role of each blind that was posted in turn: small blind, big blind or straddle."""
        amounts = self.by_place(self.record.blinds_or_straddles)
        big = (self.record.min_bet if self.record.small_bet is None else self.record.small_bet) or 0
        order = (1, 0) if len(amounts) == 2 else range(len(amounts))
        posting = sorted((place for place in order if amounts[place] > 0), key=lambda place: amounts[place])
        no_small = bool(posting) and amounts[posting[0]] >= big and not [p for p in posting[1:] if amounts[p] == big]
        roles = _ROLES[no_small:]
        return {place: roles[min(number, len(roles) - 1)] for number, place in enumerate(posting)}

    def dealt(self, place: int) -> tuple[Card, ...]:
        """Return the cards dealt to a place. Cards that the deal did not record are unknown."""
        held: list[Card] = []
        for event in self.events:
            if isinstance(event, HoleDealt | UpDealt) and event.place == place:
                held += event.cards
            elif isinstance(event, Discarded) and event.place == place:
                for card in event.cards:
                    held.remove(card if card in held else UNKNOWN)
        return tuple(held)


def replay_hand(record: Record) -> WrittenHand:
    """Replay a record leniently. Raise `PokerStarsError` if it cannot be written."""
    if record.variant[:1] not in LIMITS or record.variant[1:] not in GAMES:
        raise PokerStarsError(f"variant: expected a game that PokerStars has, got {record.variant:.40}")
    for name in HOUSE_FIELDS:
        if name in record.user and name not in (RUNS, OPEN_PAIR, RAKE_TAKEN):
            raise PokerStarsError(f"PokerStars text does not support {name}")
    if any(isinstance(stack, Decimal) and stack.is_infinite() for stack in record.starting_stacks):
        raise PokerStarsError("PokerStars text does not support unknown stacks")
    try:
        record = debts_as_posts(record)
        moves = read_moves(record)
        line, unit = find_lineup(record, moves), find_unit(record, moves)
        _check_forced_bets(record, line)
        played = replay_leniently(_unraked(record))
    except (ReplayError, LineupError) as error:
        raise PokerStarsError(f"the record cannot be replayed: {error}") from None
    if unit.scale > 100:
        raise PokerStarsError("PokerStars text supports at most two decimals in an amount")
    own = record.user.get("_pokerstars")
    symbol = record.currency_symbol or ""
    return WrittenHand(
        record=record,
        line=line,
        unit=unit,
        played=played,
        own={key: value for key, value in own.items() if isinstance(value, str)} if isinstance(own, Mapping) else {},
        names=_names(record),
        seats=_seats(record, line),
        symbol=symbol if SYMBOL.fullmatch(symbol) else "",
    )


def _unraked(record: Record) -> Record:
    """Return the record without rake. The text subtracts the rake from the winnings."""
    return replace(record, user={name: value for name, value in record.user.items() if name != RAKE_TAKEN})


def _check_forced_bets(record: Record, line: Lineup) -> None:
    """Raise `PokerStarsError` for details that would not be read back the same."""
    if line.price and line.opener is not None:
        raise PokerStarsError("PokerStars text does not support a hand without a big blind")
    antes = line.by_place(record.antes, len(record.starting_stacks), "antes")
    least = min(record.starting_stacks[player] for player in line.players)
    if not record.ante_trimming_status and len(set(antes)) == 1 and least < antes[0]:
        raise PokerStarsError("antes: expected a full ante from each player, as PokerStars text requires")


def _names(record: Record) -> tuple[str, ...]:
    names = record.players or tuple(f"p{number}" for number in range(1, len(record.starting_stacks) + 1))
    for name in names:
        if name.strip(" \t\ufeff") != name or not name or names.count(name) > 1:
            raise PokerStarsError(f"name {name!r} cannot be distinguished from other names in a text")
    return names


def _seats(record: Record, line: Lineup) -> tuple[int, ...]:
    seats = record.seats or tuple(range(1, len(record.starting_stacks) + 1))
    around = [seats[player] for player in line.players]
    first = around.index(min(around))
    if len(set(seats)) < len(seats) or sorted(around) != around[first:] + around[:first]:
        raise PokerStarsError(f"seats: expected clockwise order, got {', '.join(map(str, seats))}")
    if not all(0 <= seat < 1000 for seat in seats):
        raise PokerStarsError("seats: expected numbers from 0 to 999")
    return seats


# --- the first lines


def head(played: WrittenHand) -> HandHeader:
    """Write the first line, from the record and its PokerStars details."""
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


def _stakes(played: WrittenHand) -> str:
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
    """Return the known parts of the time, or an empty `Clock` if the date is incomplete."""
    zone = record.time_zone_abbreviation or ""
    try:
        day = dt.date(record.year or 0, record.month or 0, record.day or 0)
    except (ValueError, OverflowError):
        return Clock()
    return Clock(day, record.time, zone if ZONE.fullmatch(zone) else None, also)


def _spell_streets(played: WrittenHand) -> Iterator[str]:
    """Return the lines from the first cards to the last bet."""
    return _Streets(played).lines()


class _Streets:
    """The lines from the first cards to the last bet, in progress."""

    def __init__(self, played: WrittenHand) -> None:
        self.played, self.structure = played, played.hand.structure
        self.held: list[tuple[Card, ...]] = [()] * len(played.line.players)
        self.board: tuple[Card, ...] = ()
        self.run, self.street = 0, 0
        self.drawn: set[int] = set()  # players who have discarded since the last bet
        posts = played.by_place(played.record.blinds_or_straddles)
        self.highest_bet = max(played.unit.chips(max(amount, -amount)) for amount in posts)

    def lines(self) -> Iterator[str]:
        """Yield the lines in order."""
        if self.structure.faces:
            yield f"*** {STUD_STREETS[0]} ***"
        elif self.structure.draws:
            yield f"*** {DRAWS[0]} ***"
        else:
            yield "*** HOLE CARDS ***"
            yield from _dealt(self.played)
        for event in self.played.events:
            match event:
                case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
                    yield from self._own(place, cards)
                case Discarded(place=place, cards=cards):
                    yield from self._changed(place, cards)
                case BoardDealt(cards=cards):
                    self.board += cards
                    self.highest_bet = 0
                    yield from self._middle()
                case RunBegun(number=number) if self.played.hand.runs is not None:
                    self.run, self.board = number - 1, self.board[: self.played.hand.runs.common]
                case BroughtIn() | Folded() | Checked() | Called() | Raised() | Refunded():
                    yield from self._bet(event)

    def _bet(self, event: BroughtIn | Folded | Checked | Called | Raised | Refunded) -> Iterator[str]:
        played, name = self.played, self.played.name(event.place)
        self.drawn.clear()
        match event:
            case BroughtIn(amount=amount, all_in=all_in):
                self.highest_bet = max(amount, played.hand.stakes.bring_in)
                yield f"{name}: brings in for {played.money(amount)}{_all_in(all_in)}"
            case Folded():
                yield f"{name}: folds"
            case Checked():
                yield f"{name}: checks"
            case Called(amount=amount, all_in=all_in):
                yield f"{name}: calls {played.money(amount)}{_all_in(all_in)}"
            case Raised(to=to, opening=opening, all_in=all_in):
                by = played.money(to - self.highest_bet)
                done = f"bets {by}" if opening or not self.highest_bet else f"raises {by} to {played.money(to)}"
                self.highest_bet = to
                yield f"{name}: {done}{_all_in(all_in)}"
            case Refunded(amount=amount):
                yield f"Uncalled bet ({played.money(amount)}) returned to {name}"

    # --- cards

    def _own(self, place: int, cards: tuple[Card, ...]) -> Iterator[str]:
        before = self.held[place]
        held = self.held[place] = before + cards
        if self.structure.draws:
            listed = f"[{' '.join(before)}] [{' '.join(cards)}]" if before else f"[{' '.join(cards)}]"
            if all(map(is_known, held)):
                yield f"Dealt to {self.played.name(place)} {listed}"
        elif self.structure.faces:
            yield from self._stud(place, before, cards)

    def _stud(self, place: int, before: tuple[Card, ...], cards: tuple[Card, ...]) -> Iterator[str]:
        held, faces, by = self.held[place], self.structure.faces, self.structure.hole_by_street
        street = next(number for number, count in enumerate(by) if count >= len(held))
        if street > self.street:
            self.street, self.highest_bet = street, 0
            yield f"*** {STUD_STREETS[street]} ***"
            if street == 1 and OPEN_PAIR in self.played.record.user:
                yield "Pair on board - a double bet is allowed"
        if len(held) < by[street]:
            return
        name, up = self.played.name(place), [card for card, face in zip(held, faces, strict=False) if face]
        if street == 0:
            listed = held if all(map(is_known, held)) else up
            if all(map(is_known, listed)):
                yield f"Dealt to {name} [{' '.join(listed)}]"
        elif all(map(is_known, cards)):
            known = before if all(map(is_known, before)) else up[: len(up) - len(cards)]
            yield f"Dealt to {name} [{' '.join(filter(is_known, known))}] [{' '.join(cards)}]"

    def _changed(self, place: int, cards: tuple[Card, ...]) -> Iterator[str]:
        if not self.drawn or place in self.drawn:
            self.drawn.clear()
            self.street, self.highest_bet = self.street + 1, 0
            if len(self.structure.streets) > 2:
                yield f"*** {DRAWS[self.street]} ***"
        self.drawn.add(place)
        left = list(self.held[place])
        for card in cards:
            left.remove(card if card in left else "??")
        self.held[place] = tuple(left)
        name, named = self.played.name(place), f" [{' '.join(cards)}]" if all(map(is_known, cards)) else ""
        if not cards:
            yield f"{name}: stands pat"
        else:
            yield f"{name}: discards {len(cards)} card{'s' if len(cards) > 1 else ''}{named}"

    def _middle(self) -> Iterator[str]:
        """Yield the line of a street once all of its cards are dealt."""
        board, runs = self.board, self.played.hand.runs
        if not all(map(is_known, board)):
            raise PokerStarsError("PokerStars text does not support unknown board cards")
        if title := BOARDS.get(len(board)):
            if runs is not None and len(board) > runs.common:
                title = f"{ORDINALS[self.run]} {title}"
            before = f" [{' '.join(board[:-1])}]" if len(board) > 3 else ""
            yield f"*** {title} ***{before} [{' '.join(board[len(board) - 1 if before else 0 :])}]"


def _dealt(played: WrittenHand) -> Iterator[str]:
    """Return the cards of the player for whom the text is written, and known cards that no other line shows."""
    later = {event.place for event in played.events if isinstance(event, Shown | Mucked)} if played.own else set()
    for place in range(len(played.line.players)):
        hole, seat = played.dealt(place), played.seat(place)
        listed = seat in played.marked("dealt") or (place not in later and seat not in played.marked("shows"))
        if listed and all(map(is_known, hole)):
            yield f"Dealt to {played.name(place)} [{' '.join(hole)}]"


def _all_in(flag: bool) -> str:
    return ALL_IN if flag else ""


def outcome(played: WrittenHand, blinds: dict[int, str]) -> Iterator[str]:
    """Return the lines after the last bet."""
    collected = find_collected(played.record, played.played)
    showdown = list(_showdown(played))
    runs = 1 if played.hand.runs is None else played.hand.stakes.runs
    shares = list(_shares(played, collected))
    for run in range(runs):
        if showdown:
            yield f"*** {ORDINALS[run]} SHOW DOWN ***" if runs > 1 else "*** SHOW DOWN ***"
            yield from showdown if not run else ()
        for place, pot, chips, paid_in in shares:
            if paid_in == run:
                named = _pot_name(pot, len(played.hand.pots))
                yield f"{played.name(place)} collected {played.money(chips)} from {named}"
    yield from _cashed_out(played)
    yield from _afterwards(played)
    yield "*** SUMMARY ***"
    yield _total(played, collected)
    if runs > 1:
        for run, board in enumerate(boards(played.hand)):
            yield f"{ORDINALS[run]} Board [{' '.join(board)}]"
    elif played.hand.board:
        yield f"Board [{' '.join(played.hand.board)}]"
    for place in sorted(range(len(played.line.players)), key=played.seat):
        yield f"Seat {played.seat(place)}: {played.name(place)}{_role(played, blinds, place)} " + _end(
            played, collected, place
        )


# --- cards


def _showdown(played: WrittenHand) -> Iterator[str]:
    for event in played.events:
        if isinstance(event, Shown):
            yield f"{played.name(event.place)}: shows [{' '.join(event.cards)}]{_words(played, event.cards)}"
        elif isinstance(event, Mucked):
            yield f"{played.name(event.place)}: mucks hand"


def _afterwards(played: WrittenHand) -> Iterator[str]:
    """Return lines for players who show without having to, and for winners who do not show."""
    showdown = any(isinstance(event, Mucked | Shown) for event in played.events)
    for place in range(len(played.line.players)):
        known = tuple(card for card in played.dealt(place) if is_known(card))
        if known and played.seat(place) in played.marked("shows"):
            yield f"{played.name(place)}: shows [{' '.join(known)}]{_words(played, known)}"
        elif played.hand.round.live == (place,) and not showdown:
            yield f"{played.name(place)}: doesn't show hand"


def _cashed_out(played: WrittenHand) -> Iterator[str]:
    """Return lines for players who cashed out."""
    amounts = played.record.user.get(CASHED_OUT, ())
    for player, amount in enumerate(amounts if isinstance(amounts, tuple) else ()):
        if isinstance(amount, int | Decimal) and amount > 0 and player < len(played.names):
            yield f"{played.names[player]} cashed out the hand for {write_amount(amount, played.symbol)}"


def _words(played: WrittenHand, cards: tuple[Card, ...]) -> str:
    words = _made(played, cards)
    return f" ({words})" if words else ""


def _made(played: WrittenHand, cards: tuple[Card, ...]) -> str:
    """Return a name for the best hand, in games in which the best five of all cards count."""
    return name_best_hand((*cards, *played.hand.board)) if played.hand.structure.showdown == (_HIGH,) else ""


# --- chips


def _shares(played: WrittenHand, collected: dict[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Return the place, pot, chips and run of every payment, with side pots first.

    The rake is subtracted from the largest payments of the winner.
    """
    payments: list[list[int]] = []
    run = 0
    for event in played.events:
        if isinstance(event, Won):
            payments.append([event.place, event.pot, event.amount, run])
        run += isinstance(event, RunBegun) and bool(payments)
    won = dict.fromkeys(collected, 0)
    for place, _, chips, _ in payments:
        won[place] += chips
    if any(collected[place] > won[place] for place in collected):
        payments = [[place, 0, chips, 0] for place, chips in collected.items()]
        won = collected
    for payment in sorted(payments, key=lambda payment: -payment[2]):
        place = payment[0]
        raked = min(payment[2], won[place] - collected[place])
        won = won | {place: won[place] - raked}
        payment[2] -= raked
    for place, pot, chips, run in sorted(payments, key=lambda payment: -payment[1]):
        if chips:
            yield place, pot, chips, run


def _pot_name(pot: int, pots: int) -> str:
    if pots < 2:
        return "pot"
    side = "side pot" if pots == 2 else f"side pot-{pot}"
    return side if pot else "main pot"


def _total(played: WrittenHand, collected: dict[int, int]) -> str:
    pots = played.hand.pots
    parts = ""
    if len(pots) > 1:
        named = [(_pot_name(number, len(pots)), pot.amount) for number, pot in enumerate(pots)]
        parts = "".join(f" {name.capitalize()} {played.money(chips)}." for name, chips in named)
    whole = whole_pot(played.played)
    rake = played.money(whole - sum(collected.values()))
    return f"Total pot {played.money(whole)}{parts} | Rake {rake}"


# --- the end of each player


def _role(played: WrittenHand, blinds: dict[int, str], place: int) -> str:
    button = place == len(played.line.players) - 1 and not played.marked("button")
    role = blinds.get(place, "straddle")
    return (" (button)" if button else "") + (f" ({role})" if role != "straddle" else "")


def _end(played: WrittenHand, collected: dict[int, int], place: int) -> str:
    board, street, bet = 0, 0, False
    for event in played.events:
        match event:
            case BoardDealt(cards=cards):
                board += len(cards)
            case UpDealt(place=who, cards=cards) if who == place:
                street += len(cards)
            case Discarded(place=who) if who == place:
                street += 1
            case Posted(place=who, live=True) | Called(place=who) | Raised(place=who) if who == place:
                bet = True
            case Folded(place=who) if who == place:
                return f"folded {_when(played, board, street)}" + ("" if bet or board else " (didn't bet)")
            case Mucked(place=who) if who == place:
                known = all(map(is_known, played.dealt(place)))
                return f"mucked [{' '.join(played.dealt(place))}]" if known else "mucked"
            case Shown(place=who, cards=cards) if who == place:
                return f"showed [{' '.join(cards)}] and {_fate(played, collected[place], cards)}"
    return f"collected ({played.money(collected[place])})" if collected[place] else "mucked"


def _when(played: WrittenHand, board: int, street: int) -> str:
    structure = played.hand.structure
    if structure.faces:
        return f"on the {STUD_STREETS[min(street, 4) - 1].title()}" if street else "on the 3rd Street"
    if structure.draws:
        single = len(structure.streets) == 2
        return "before the Draw" if not street else f"after the {'' if single else _DRAWS[street]}Draw"
    return _FOLDED[board]


def _fate(played: WrittenHand, chips: int, cards: tuple[Card, ...]) -> str:
    words = _made(played, cards)
    return (f"won ({played.money(chips)})" if chips else "lost") + (f" with {words}" if words else "")


def write_pokerstars(record: Record) -> str:
    """Write a hand as PokerStars text, which ends with a line break.

    A record that is incomplete or skips a turn is written with the repairs of `replay_leniently`.

    >>> from pitboss import Hand, Record
    >>> from pitboss.formats import write_pokerstars
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, more = hand.act("fold")
    >>> record = Record.from_hand(hand, events + more, players=("Ann", "Bo"))
    >>> print(write_pokerstars(record)[:15])
    PokerStars Hand
    """
    played = replay_hand(record)
    blinds = played.roles()
    lines = [
        str(head(played)),
        *_seating(played),
        *_posts(played, blinds),
        *_spell_streets(played),
        *outcome(played, blinds),
    ]
    for line in lines:
        if "\n" in line or "\r" in line:
            raise PokerStarsError("expected names without line breaks", text=line)
    return "\n".join(lines) + "\n"


def _seating(played: WrittenHand) -> Iterator[str]:
    record, own = played.record, played.own
    button = next(iter(played.marked("button")), played.seat(-1))
    size = f" {record.seat_count}-max" if record.seat_count is not None and 0 <= record.seat_count < 1000 else ""
    money = f" {own['money']}" if own.get("money") else ""
    table = "" if record.table is None else record.table
    named = "" if record.bring_in is not None else f" Seat #{button} is the button"
    yield f"Table '{table}'{size}{money}{named}"
    for player in sorted(range(len(played.names)), key=played.seats.__getitem__):
        out = player not in played.line.players or played.seats[player] in played.marked("away")
        stack = write_amount(record.starting_stacks[player], played.symbol)
        mark = " is sitting out" if out else ""
        yield f"Seat {played.seats[player]}: {played.names[player]} ({stack} in chips){mark}"


# --- forced bets


def _posts(played: WrittenHand, blinds: dict[int, str]) -> Iterator[str]:
    """Return lines for money from the house, antes, blinds and straddles, then for posts out of turn."""
    if played.line.dead_money:
        yield f"Cash Drop to Pot : total {write_amount(played.line.dead_money, played.symbol)}"
    antes = played.by_place(played.record.antes)
    live: dict[int, Posted] = {}
    dead: dict[int, Posted] = {}
    given: dict[int, str] = {}
    for event in played.events:
        if not isinstance(event, Posted):
            continue
        if event.live:
            live[event.place] = event
        elif antes[event.place] and played.seat(event.place) not in given and not live:
            given[played.seat(event.place)] = _post(played, "the ante", event)
        else:
            dead[event.place] = event
    for seat in sorted(given):
        yield given[seat]
    for place, role in blinds.items():
        if place in live:
            yield _post(played, role, live.pop(place))
    for place in sorted({*live, *dead}):
        yield from _late(played, live.get(place), dead.get(place), in_turn="big blind" in blinds.values())


def _late(played: WrittenHand, live: Posted | None, dead: Posted | None, *, in_turn: bool) -> Iterator[str]:
    """Return lines for posts out of turn. Without a big blind before it, a plain post would be read as one."""
    big = played.unit.chips(played.record.min_bet or played.record.small_bet or 0)
    if live and (not in_turn or (dead and live.amount == big)):
        amount = live.amount + (dead.amount if dead else 0)
        yield _post(played, "small & big blinds", Posted(live.place, amount, True, (dead or live).all_in))
        return
    if live:
        yield _post(played, "big blind", live)
    if dead:
        yield _post(played, "small blind", dead)


def _post(played: WrittenHand, what: str, event: Posted) -> str:
    return f"{played.name(event.place)}: posts {what} {played.money(event.amount)}{_all_in(event.all_in)}"
