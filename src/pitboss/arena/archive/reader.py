"""Read a table's journal entry by entry, and yield its finished hands: result, spectators' messages, and PHH.

Finished hands are not kept, so that a journal of any length can be read. Once the match is over, hole
cards are added to the messages. Cards discarded in a draw are never shown (see decision 036).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.host import Host
from pitboss.arena.hosts.poker import frame_of, game_of, phh_of
from pitboss.arena.journal.history import HandHistory, History, TakenSeat, order_of
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    Record,
    RecordError,
    Seated,
    Settings,
    TableOpened,
    TeamLeft,
    ToppedUp,
    Wished,
    chips_after,
    poker_events,
    read_record,
)
from pitboss.arena.rooms.cash import open_match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire.fields import EquityStep
from pitboss.arena.wire.messages import Lobby, LobbyPlayer, ServerMessage, TableViewMessage
from pitboss.betting.events import BroughtIn, Called, Posted, Raised, Refunded
from pitboss.game import TableView
from pitboss.hand.events import Discarded, HoleDealt, Shown, Won
from pitboss.hand.view import view_event
from pitboss.records.record import Record as PhhRecord
from pitboss.store.chain import Entry


class Occupant(Struct, frozen=True):
    """A team's seat, the entry of its arrival, and the chips it brought."""

    team: str
    stack: int
    since: int


class FollowedHand(Struct, frozen=True):
    """A finished hand with its entries from start to end."""

    history: HandHistory
    entries: tuple[Entry, ...]


class Follower(Struct):
    """The position of a reader of a table's journal."""

    at: int = 0  #: the last entry that was read
    settings: Settings = field(default_factory=Settings)
    chairs: dict[int, Occupant] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)  #: by seat, after the last finished hand with this seat
    _open: list[Entry] = field(default_factory=list)  # of the current hand
    _started: HandStarted | None = None
    _acts: list[Acted] = field(default_factory=list)

    def begins(self, entry: Entry) -> int | None:
        """Return the number of the hand that an entry begins, or None."""
        try:
            record = read_record(entry.body)
        except RecordError:
            return None
        return record.number if isinstance(record, HandStarted) else None

    def take(self, entry: Entry) -> FollowedHand | None:
        """Process the next entry; return the hand that it ends."""
        self.at = entry.seq
        if entry.after < entry.seq - 1:
            self._step_back(entry.after)
        try:
            record = read_record(entry.body)
        except RecordError:
            return None  # damaged, and a later entry replaces it
        match record:
            case TableOpened():
                self.settings = record.settings
            case Seated():
                self.chairs[record.seat] = Occupant(record.team, record.stack, entry.seq)
            case TeamLeft():
                self.chairs.pop(record.seat, None)
                self.stacks.pop(record.seat, None)
            case Wished() | ToppedUp() if self._started is not None:
                self._open.append(entry)
            case HandStarted():
                self._started, self._acts, self._open = record, [], [entry]
            case Acted() if self._started is not None:
                self._acts.append(record)
                self._open.append(entry)
            case HandVoided() if self._started is not None:
                self._open.append(entry)
                return self._over(void=True)
            case _:
                return None
        return self._over(void=False) if entry.seals and isinstance(record, HandStarted | Acted) else None

    def _step_back(self, to: int) -> None:
        """Drop the entries that a repair replaces: the last ones of an open hand, or all of them."""
        self.chairs = {seat: chair for seat, chair in self.chairs.items() if chair.since <= to}
        self._open = [entry for entry in self._open if entry.seq <= to]
        acts = sum([isinstance(read_record(entry.body), Acted) for entry in self._open])
        self._acts = self._acts[:acts]
        if not self._open:
            self._started = None

    def _over(self, *, void: bool) -> FollowedHand | None:
        started, acts, entries = self._started, self._acts, tuple(self._open)
        self._started, self._acts, self._open = None, [], []
        if started is None:
            return None
        after = started.stacks if void else chips_after(started, acts, order_of(started))
        self.stacks = self.stacks | {seat: after[seat] for seat in started.stacks}
        teams = started.teams or {seat: chair.team for seat, chair in self.chairs.items()}
        history = HandHistory(
            started=started,
            settings=self.settings,
            teams=teams,
            acts=acts,
            stacks={seat: after[seat] for seat in started.stacks},
            chain=entries[-1].hash,
            void=void,
        )
        return FollowedHand(history, entries)


def unbroken(entries: Iterable[Entry]) -> list[Entry]:
    """Return the valid entries in order. Entries that were replaced by a repair are left out."""
    led: list[Entry] = []
    for entry in reversed([*entries]):
        if not led or entry.seq == led[-1].after:
            led.append(entry)
    return led[::-1]


class HandOutcome(Struct, frozen=True, kw_only=True):
    """A finished hand in a list; seats are numbers from 0."""

    number: int
    hand_id: str
    pot: int  #: the sum of all pots; in a game without pots, the sum that the winners gained
    winners: tuple[int, ...]
    delta: dict[int, int]  #: by seat dealt in: chips won, or lost if negative
    stacks: dict[int, int]  #: by seat that was ever dealt in: chips afterwards
    showdown: bool = False
    all_in: bool = False  #: whether a player put in their last chip
    voided: bool = False


def outcome_of(hand: HandHistory, others: dict[int, int] | None = None) -> HandOutcome:
    """Return the result of a hand; `others` are the chips of seats that were not dealt in."""
    before = hand.started.stacks
    delta = {seat: hand.stacks[seat] - stack for seat, stack in before.items()}
    pot, winners = sum(won for won in delta.values() if won > 0), [seat for seat, won in delta.items() if won > 0]
    showdown = all_in = False
    if games_of(hand.settings) is not None and not hand.void:
        chips, order, won = dict(before), hand.order, dict.fromkeys(before, 0)
        for event in poker_events(hand.events):
            match event:
                case Posted() | BroughtIn() | Called() | Raised():
                    chips[order[event.place]] -= event.amount
                    all_in = all_in or chips[order[event.place]] == 0
                case Refunded():
                    chips[order[event.place]] += event.amount
                case Won():
                    won[order[event.place]] += event.amount
                case Shown():
                    showdown = True
        pot, winners = sum(won.values()), [seat for seat, amount in won.items() if amount > 0]
    return HandOutcome(
        number=hand.started.number,
        hand_id=hand.started.hand_id,
        pot=pot,
        winners=tuple(sorted(winners)),
        delta=delta,
        stacks=(others or {}) | hand.stacks,
        showdown=showdown,
        all_in=all_in,
        voided=hand.void,
    )


class HandReplay(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand for a replay: the table before the hand, the messages, and the face-down cards of each seat."""

    table_id: str
    number: int
    hand_id: str
    before: tuple[ServerMessage, ...]
    messages: tuple[ServerMessage, ...]
    cards: dict[int, tuple[str, ...]] | None = None  #: in draw games, the cards before the first draw
    equities: tuple[EquityStep, ...] = ()  #: the equities of the visible hands, if they are computed


def replay_hand(
    table: str,
    settings: Settings,
    chairs: Mapping[int, Occupant],
    entries: Sequence[Entry],
    *,
    cards: bool,
    after: int = 0,
) -> HandReplay:
    """Make the messages of a hand again from its entries. `cards` says whether all cards may be shown.

    `after` is the number of the entry that ended the previous hand.
    """
    first = read_record(entries[0].body)
    if isinstance(first, HandStarted) and first.teams:  # at a cash table a seat can belong to several teams in turn
        chairs = {seat: Occupant(team, first.stacks[seat], 0) for seat, team in first.teams.items()}
    chairs = {seat: chair for seat, chair in chairs.items() if chair.since < entries[0].seq}
    seats = {seat: TakenSeat(chair.team, chair.stack, None) for seat, chair in sorted(chairs.items())}
    history = History(table, settings=settings, seats=seats)
    host = make_host(settings)
    sent = TableMessages(open_match(history, host))
    messages: list[ServerMessage] = []
    started: HandStarted | None = None
    dealt: list[Any] = []
    records = [read_record(entry.body) for entry in entries]
    tables = _tables(host, records, cards=cards)
    for entry, record in zip(entries, records, strict=True):
        if isinstance(record, HandStarted):
            started = record
            dealt += record.events
            _give_stacks(seats, chairs, record, after)
            before = (sent.table(), _lobby(seats))
        elif isinstance(record, Acted):
            dealt += record.events
        elif isinstance(record, Wished | ToppedUp):
            messages += sent.of(record, entry.hash)
            continue
        elif not isinstance(record, HandVoided):
            continue
        history.take(record, over=entry.seals, chain=entry.hash)
        messages += sent.of(record, entry.hash, over=entry.seals)
        table_view = None if isinstance(record, HandVoided) else next(tables, None)
        if table_view is not None:
            shown = TableViewMessage(hand_id=sent.match.hand_id, table=table_view, seq=sent.match.seq)
            messages.insert(len(messages) - entry.seals, shown)  # before the end of the hand
    assert started is not None, "a hand begins with its start"
    down = _hole_cards(settings, started, dealt) if cards else None
    return HandReplay(
        table_id=table,
        number=started.number,
        hand_id=started.hand_id,
        before=before,
        messages=tuple(messages),
        cards=down,
    )


def _tables(host: Host, records: Sequence[Record], *, cards: bool) -> Iterator[TableView]:
    """Return the tables after the start of a hand and after each action, in games that are not poker."""
    started = next(record for record in records if isinstance(record, HandStarted))
    return host.tables(started, [record for record in records if isinstance(record, Acted)], cards=cards)


def record_of(hand: HandHistory, table: str, *, cards: bool) -> PhhRecord | None:
    """Return a hand as PHH, with the cards that spectators may see. Return None if PHH cannot describe the hand or if
    it is void.

    With `cards` all cards are included, except in draw games.
    """
    games = games_of(hand.settings)
    if games is None or hand.void:
        return None
    structure = game_of(games, hand.started.variant).structure
    frame = frame_of(games, hand.settings, hand.started.variant)
    draws = any(isinstance(event, Discarded) for event in poker_events(hand.events))
    return phh_of(hand if cards and not draws else _as_seen(hand), table, structure, frame)


def _as_seen(hand: HandHistory) -> HandHistory:
    """Return the hand without anything that spectators did not see."""
    started = replace(hand.started, events=_viewed(hand.started.events))
    acts = [replace(act, events=_viewed(act.events)) for act in hand.acts]
    return HandHistory(
        started=started, settings=hand.settings, teams=hand.teams, acts=acts, stacks=hand.stacks, chain=hand.chain
    )


def _viewed(events: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([view_event(event, None) for event in poker_events(events)])


def _give_stacks(
    seats: Mapping[int, TakenSeat], chairs: Mapping[int, Occupant], started: HandStarted, after: int
) -> None:
    """Give every seat its chips at the start of the hand.

    A seat that is not dealt in has no chips left, unless its team has just arrived.
    """
    for seat, taken in seats.items():
        came = chairs[seat].since > after  # the team arrived the team arrived while the numbers of this hand were mixed
        taken.stack = started.stacks.get(seat, chairs[seat].stack if came else 0)


def _lobby(seats: Mapping[int, TakenSeat]) -> Lobby:
    players = [
        LobbyPlayer(seat=seat, team=taken.team, connected=True, stack=taken.stack) for seat, taken in seats.items()
    ]
    return Lobby(players=tuple(players))


def _hole_cards(settings: Settings, started: HandStarted, events: Sequence[Any]) -> dict[int, tuple[str, ...]] | None:
    """Return the face-down cards of each seat before the first draw; None if the game is not poker."""
    if games_of(settings) is None:
        return None
    down: dict[int, tuple[str, ...]] = {}
    order = order_of(started)
    for event in poker_events(events):
        if isinstance(event, Discarded):
            break
        if isinstance(event, HoleDealt):
            seat = order[event.place]
            down[seat] = down.get(seat, ()) + event.cards
    return down
