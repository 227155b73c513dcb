"""Hosts poker: one game or a rotation of games, with the protocol messages of each hand.

The table has button, blinds and the order of hands; the hand has the rules. Seats receive views of the hand, and public
messages are views of events.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.hosts.host import ALL_EVENTS, AskParts, HandPlan, Sight, Step, seat_views, start_message
from pitboss.arena.journal.commitment import ShuffledDeck, deck_of, shuffle
from pitboss.arena.journal.history import HandHistory, HistoryError, order_of
from pitboss.arena.journal.records import (
    Acted,
    Cause,
    DefaultPolicy,
    HandStarted,
    RecordError,
    Settings,
    SettingsError,
    poker_events,
    raked,
)
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire import poker as poker_wire
from pitboss.arena.wire.events import HandEvents
from pitboss.arena.wire.messages import Rejected
from pitboss.arena.wire.poker import TableFrame, variant_of
from pitboss.betting.events import Posted
from pitboss.betting.refusals import Refused
from pitboss.cards import Card, read_written_cards, write_cards
from pitboss.game import PlayersTurn, TableView
from pitboss.hand.display import table_view
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Shown, UpDealt
from pitboss.hand.game_file import OWN_CODE, game_fields
from pitboss.hand.hand import Hand, replacements, start_draws
from pitboss.hand.state import Draw
from pitboss.hand.structure import Rake, Stakes, Structure
from pitboss.records.moves import spell_moves
from pitboss.records.record import Record as PhhRecord
from pitboss.records.table_fields import GAME, house_fields, table_fields
from pitboss.table.mixed import GameAtStakes, Mixed, games_of
from pitboss.table.rotation import Chair, State, TableError
from pitboss.table.stakes import StakesError, TableStakes
from pitboss.table.table import Moving, Table

MOST_SEATS = 10


def stakes_of(games: Mixed, settings: Settings) -> TableStakes:
    """Return the stakes of a table with these games.

    Raise `SettingsError` if the stakes do not fit one of the games.
    """
    bring_in = any(game.structure.betting.bring_in for game in games.games)
    if settings.bring_in is not None and not bring_in:
        raise SettingsError(f"bring_in: {games.name} has blinds instead")
    try:
        stakes = TableStakes(
            small_blind=settings.small_blind,
            big_blind=settings.big_blind,
            ante=settings.ante,
            bring_in=settings.bring_in,
            straddles=(settings.straddle,) if settings.straddle else (),
            straddle_players=4,
            rake=_rake_of(settings),
        )
        for game in games.games:
            game.at(stakes, 1)
    except StakesError as error:
        raise SettingsError(str(error)) from None
    return stakes


def _rake_of(settings: Settings) -> Rake | None:
    return Rake(thousandths=settings.rake, cap=settings.rake_cap) if settings.rake else None


def frame_of(games: Mixed, settings: Settings, variant: str | None = None) -> TableFrame:
    """Return the stakes of a hand; in mixed games for this variant.

    >>> from pitboss.table.mixed import games_of
    >>> frame = frame_of(games_of("razz"), Settings(big_blind=100))
    >>> frame.small_blind, frame.big_blind, frame.ante, frame.bring_in
    (0, 100, 25, 50)
    """
    game = game_of(games, variant)
    return TableFrame.of(game.structure, game.at(stakes_of(games, settings), 1), variant)


def game_of(games: Mixed, variant: str | None) -> GameAtStakes:
    """Return the game of a list with this name; the first if none is given."""
    if variant is None:
        return games.games[0]
    for game in games.games:
        if variant_of(game.structure) == variant:
            return game
    raise SettingsError(f"{games.name} has no game called {variant[:60]!r}")


def dealing_faults(events: Sequence[Event], deck: tuple[Card, ...]) -> Iterator[str]:
    """Yield a sentence for each fault in the cards of a hand."""
    left, draw = deck, start_draws(deck)
    held: dict[int, tuple[Card, ...]] = {}
    thrown: tuple[Card, ...] = ()  # a player's last discards are not dealt back to the same player
    for kind, group in groupby(events, key=type):
        together = [*group]
        if kind is Discarded:
            for event in together:
                assert isinstance(event, Discarded)
                draw, thrown = Draw((), draw.discards + thrown, draw.order), event.cards
                if not set(thrown) <= set(held.get(event.place, ())):
                    yield "a player changed cards that were not dealt to them"
                held[event.place] = tuple([card for card in held.get(event.place, ()) if card not in thrown])
        elif kind in (HoleDealt, UpDealt, BoardDealt):
            dealt = _in_order(together)
            given, left, draw = replacements(left, draw, len(dealt))
            if given != dealt:
                yield "cards were not dealt from the top of the deck"
                return
            for event in together:
                if isinstance(event, HoleDealt | UpDealt):
                    held[event.place] = held.get(event.place, ()) + event.cards
        elif any(held.get(event.place) != event.cards for event in together if isinstance(event, Shown)):
            yield "a player showed cards that were not dealt to them"


def _in_order(events: Sequence[Event]) -> tuple[Card, ...]:
    """Return cards in dealing order: one to each player in turn, then the board, street by street."""
    board = [card for event in events if isinstance(event, BoardDealt) for card in event.cards]
    hands = [event.cards for event in events if isinstance(event, HoleDealt | UpDealt)]
    most = max(map(len, hands), default=0)
    return (*board, *[cards[k] for k in range(most) for cards in hands if k < len(cards)])


class HandMessages:
    """The public messages about one hand, made from its events."""

    def __init__(self, started: HandStarted, deal: ShuffledDeck, structure: Structure, frame: TableFrame) -> None:
        order, self._commit = order_of(started), deal.commit
        stacks = [started.stacks[seat] for seat in order]
        self._bring_in = structure.betting.bring_in
        self._events = HandEvents(
            started.hand_id,
            order,
            stacks,
            structure,
            frame,
            blinds=started.blinds,
            dead=started.dead,
            open_card=partial(_opening, deal),
        )

    def start(self, started: HandStarted) -> list[wire.PublicMessage]:
        """Return the messages about the start of the hand: returning seats, forced bets, and all public events."""
        public = replace(started, blinds=None) if self._bring_in else started
        back = [
            wire.SatIn(hand_id=started.hand_id, seq=seq, seat=seat)
            for seq, seat in enumerate(started.returned, started.seq + 1)
        ]
        first = started.seq + 1 + len(back)
        return [start_message(public, self._commit), *back, *self._events.begin(started.events, first)]

    def act(self, acted: Acted, seq: int) -> list[wire.PublicMessage]:
        """Return every public event of an action, numbered from `seq`."""
        return [*self._events.public(acted.events, seq, auto=acted.cause != "client")]


def _opening(deal: ShuffledDeck, card: str) -> wire.Opening:
    opened = deal.open(deal.deck.index(card))
    return wire.Opening(
        card=card, at=opened.at, salt=opened.salt.hex(), path=tuple([node.hex() for node in opened.path])
    )


class PlayedHand(Struct):
    """The current hand."""

    hand: Hand
    order: tuple[int, ...]  #: the seat of each place
    before: Table  #: the table before the hand, to void it


class _PokerAction(Struct, frozen=True):
    """The action of a poker record. It is a class because msgspec caches decoders only for classes."""

    action: poker_wire.PlayersAction


class PokerHost:
    """A table of poker. Seat numbers are the names of its players."""

    def __init__(self, games: Mixed | Structure, settings: Settings) -> None:
        self.games = games = games_of(games)
        self.settings = settings
        for game in games.games:
            if (reason := poker_wire.unsent(game.structure)) is not None:
                raise SettingsError(f"game: {reason}")
        self.mixed = len(games.games) > 1
        self.deck = games.games[0].structure.deck
        moving: Moving = "big_blind" if settings.cash else "dead_button" if settings.button == "dead" else "button"
        try:
            self.table = Table.open(
                stakes_of(games, settings), structure=games, moving=moving, seat_count=settings.seats, least_buy_in=1
            )
        except TableError as error:
            raise SettingsError(str(error)) from None
        self.frame = frame_of(games, settings)  #: of the current hand
        self.open: PlayedHand | None = None
        self._shown: PlayedHand | None = None  # the current or the last hand
        self._looked_at: Table | None = None  # the table from which `_next` was computed
        self._next = self.table
        self._before: Table | None = None  # the table before the finished hand that is being read
        self._messages: HandMessages | None = None  # of the current hand
        self.layouts = tuple([poker_wire.layout_of(game.structure) for game in games.games])

    @property
    def variant(self) -> str:
        """The value of `config.variant`: the name of the game or of the list of games."""
        return self.games.key if self.mixed else poker_wire.variant_of(self.games.games[0].structure)

    @property
    def own_game(self) -> dict[str, Any] | None:
        """The content of the game file; None if the game does not come from a file."""
        structure = self.games.games[0].structure
        return game_fields(structure) if not self.mixed and structure.code == OWN_CODE else None

    @property
    def places(self) -> range:
        """The maximum number of players."""
        return range(2, most_places(self.games) + 1)

    @property
    def blinds(self) -> tuple[int, int]:
        """The blinds of the settings; in stud 0 and the small bet."""
        if self.mixed:
            return self.settings.small_blind, self.settings.big_blind
        return self.frame.small_blind, self.frame.big_blind

    @property
    def antes(self) -> tuple[int | None, int | None]:
        """The ante, and in stud the bring-in. None in mixed games, where each game has its own."""
        if self.mixed:
            return self.settings.ante, self.settings.bring_in
        ante, bring_in = self.frame.ante, self.frame.bring_in
        return (ante, bring_in) if bring_in else (ante or None, None)

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""
        return None if self.open is None else _to_act(self.open)

    @property
    def phase(self) -> wire.Phase:
        """The street."""
        return "WAITING" if self.open is None else poker_wire.phase_of(self.open.hand)

    # --- play

    def sit(self, seat: int, stack: int) -> None:
        """Add a team's seat. During a hand, it has to wait for the next hand."""
        self._change(lambda table: _without_leaver(table, seat).sit(str(seat), stack, seat=seat))

    # --- at a cash table

    def chair(self, seat: int) -> Chair:
        """Return the chair of a seat: its chips at the start of the hand, its intent and its debt."""
        return self.table.chair(seat)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that a team can take. A seat whose team has left is free from the next hand on."""
        return self.table.free_seats

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that will be dealt in; none if the next hand cannot be dealt."""
        return tuple(sorted(self._following.order))

    @property
    def _following(self) -> Table:
        """The table with the next hand set up, or waiting."""
        if self._looked_at is not self.table:
            self._looked_at, self._next = self.table, self.table.next()
        return self._next

    def wish(self, seat: int, state: State) -> None:
        """Set the intent of a seat: play, wait for the big blind, pause or leave."""
        self._change(lambda table: table.wish(str(seat), state))

    def top_up(self, seat: int, chips: int) -> None:
        """Bring more chips between hands."""
        self._change(lambda table: table.top_up(str(seat), chips))

    def cash_out(self, seat: int) -> None:
        """Remove a seat that is not in a hand, with its chips."""
        self._change(lambda table: table.cash_out(str(seat)))

    def wait(self) -> None:
        """If the next hand cannot be dealt, make the table wait. The seats of teams that have left are then free."""
        if self.open is None and not self.due:
            self.table = self._next

    def _change(self, change: Callable[[Table], Table]) -> None:
        self.table = change(self.table)
        if self.open is not None:
            self.open.before = change(self.open.before)
        if self._before is not None:
            self._before = change(self._before)

    def start(self, secret: bytes, plan: HandPlan) -> Step:
        """Deal the next hand from the secret's deck."""
        return self.start_from(shuffle(secret, self.deck), plan)

    def start_from(self, deal: ShuffledDeck, plan: HandPlan) -> Step:
        """Deal the next hand from a deck."""
        before = self.table
        stacks = {chair.seat: chair.chips for chair in before.chairs}
        dealt = self._following.deal(deal.deck)
        self.table, order = dealt.table, dealt.table.order
        paid = {chair.seat: stacks[chair.seat] - chair.chips for chair in dealt.table.chairs}
        started = HandStarted(
            number=plan.number,
            hand_id=plan.hand_id,
            secret=deal.secret.hex(),
            deck=write_cards(deal.deck),
            button=order[-1],
            stacks={seat: stacks[seat] for seat in sorted(order)},
            seq=plan.seq,
            events=dealt.events,
            numbers=plan.numbers,
            withheld=plan.withheld,
            variant=poker_wire.variant_of(dealt.hand.structure) if self.mixed else None,
            blinds=self._blinds(dealt.table),
            teams={seat: plan.teams[seat] for seat in sorted(order)} if plan.teams else {},
            dead={seat: paid[seat] for seat in order if paid[seat]},
            owes={chair.seat: chair.owes for chair in dealt.table.chairs if chair.owes},
            returned=tuple([seat for seat in plan.sat_out if seat in order]),
        )
        self.open = PlayedHand(dealt.hand, order, before)
        return self._step(started, self._announce(started, deal))

    def _blinds(self, table: Table) -> tuple[int, int] | None:
        """Return the seats of the blinds, if the button does not determine them."""
        if table.moving == "button" or table.small_at is None or table.big is None:
            return None
        return table.small_at, table.big

    def play_next(self, variant: str) -> None:
        """Choose the game of the next hand from the list."""
        self.table = replace(self.table, chosen=self.games.index(game_of(self.games, variant).structure))

    def act(self, seat: int, message: wire.Action | wire.MoveMessage, seq: int, bank_ms: int = 0) -> Step:
        """Apply a client's answer; raise `Rejected`, and change nothing, if it is not legal."""
        with self._refusing():
            return self.play(seat, self.requested(message), seq, bank_ms=bank_ms)

    def requested(self, message: wire.Action | wire.MoveMessage) -> poker_wire.PlayersAction:
        """Return the action of a client's answer; raises `Rejected`."""
        if isinstance(message, wire.MoveMessage):
            raise Rejected("INVALID_ACTION", "poker: expected an `action`, got a `move`")
        return poker_wire.requested_action(message, self._hand.hand)

    def check(self, seat: int, action: Any) -> None:
        """Raise `Rejected` if the seat cannot do this action now."""
        open = self._hand
        with self._refusing():
            open.hand.act(action, open.order.index(seat))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn the refusal of an action into an error of the protocol."""
        try:
            yield
        except Refused as refusal:
            order = self._hand.order
            raise Rejected("INVALID_ACTION", refusal.format(name=lambda place: f"seat {order[place]}")) from None

    def act_by_default(self, seat: int, policy: DefaultPolicy, seq: int, bank_ms: int = 0) -> Step:
        """Apply the default action of a seat whose time is up, or that is out."""
        cause: Cause = "out" if policy == "fold" else "timeout"
        return self.play(seat, self.default_action(policy), seq, cause=cause, bank_ms=bank_ms)

    def default_action(self, policy: DefaultPolicy) -> poker_wire.PlayersAction:
        """Return the default action without playing it."""
        return poker_wire.default_action(self._hand.hand, policy)

    def play(
        self, seat: int, action: poker_wire.PlayersAction, seq: int, *, cause: Cause = "client", bank_ms: int = 0
    ) -> Step:
        """Apply an action; raise `Refused`, and change nothing, if it is not legal."""
        open = self._hand
        open.hand, events = open.hand.act(action, open.order.index(seat))
        acted = Acted(seat=seat, action=action, cause=cause, events=events, bank_ms=bank_ms)
        return self._step(acted, self._writer.act(acted, seq))

    def void(self) -> None:
        """Void the hand. Chips and button become what they were before it."""
        self._shown = None
        if self.open is not None:
            self.table, self.open = self.open.before, None
        if self._before is not None:
            self.table, self._before = self._before, None

    @property
    def _hand(self) -> PlayedHand:
        assert self.open is not None, "no hand is being played"
        return self.open

    @property
    def _writer(self) -> HandMessages:
        assert self._messages is not None, "no hand was started"
        return self._messages

    def _step(self, record: HandStarted | Acted, messages: list[wire.PublicMessage]) -> Step:
        """Return the step after an action. If the hand is over, update the table."""
        open = self._shown = self._hand
        to_act = _to_act(open)
        if to_act is not None:
            return Step(record, messages, to_act, None)
        self.table, self.open = self.table.finish(open.hand), None
        return Step(record, messages, None, dict(zip(open.order, open.hand.stacks, strict=True)))

    def _announce(self, started: HandStarted, deal: ShuffledDeck) -> list[wire.PublicMessage]:
        """Return the messages about the start of a hand, and keep the writer for its further messages."""
        if self.mixed:
            self.frame = frame_of(self.games, self.settings, started.variant)
        structure = game_of(self.games, started.variant).structure
        self._messages = HandMessages(started, deal, structure, self.frame)
        return self._messages.start(started)

    # --- from the journal

    def replay(self, acted: Acted, seq: int) -> Step:
        """Apply the action of a record again."""
        if self.open is None or acted.seat not in self.open.order:
            raise HistoryError(f"seat {acted.seat} is not in a hand")
        return self.play(acted.seat, acted.action, seq, cause=acted.cause, bank_ms=acted.bank_ms)

    def read_started(self, started: HandStarted) -> HandStarted:
        """Return a record with its events decoded."""
        return replace(started, events=tuple(poker_events(started.events)))

    def read_acted(self, acted: Acted) -> Acted:
        """Return a record with its action and events decoded."""
        strategy = tuple([replace(entry, action=_read_action(entry.action)) for entry in acted.strategy])
        events = tuple(poker_events(acted.events))
        return replace(acted, action=_read_action(acted.action), events=events, strategy=strategy)

    def take_started(self, started: HandStarted) -> None:
        """Continue at the start of a finished hand of a cash table; `take_finished` continues after its end."""
        if started.blinds is None:
            raise HistoryError(f"{started.hand_id}: expected the places of the blinds")
        game = None if started.variant is None else game_of(self.games, started.variant).structure
        self._before = self.table
        self.table = self.table.dealt_as(
            started.stacks,
            hand=started.number,
            button=started.button,
            blinds=started.blinds,
            owes=started.owes,
            game=game,
        )

    def take_finished(self, hand: HandHistory) -> None:
        """Continue after a finished hand. The hand is not replayed, because newer rules could differ."""
        if not _keeps_chips(hand):
            raise HistoryError(f"{hand.started.hand_id}: chips were lost or created")
        started = hand.started
        if self.settings.cash:
            self.table, self._before = self.table.after_deal(hand.stacks), None
            return
        game = None if started.variant is None else game_of(self.games, started.variant).structure
        self.table = self.table.after(
            hand.stacks, hand=started.number, button=started.button, game=game, blinds=started.blinds
        )

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """Yield the faults in the deck, the deal and the chips of a finished hand."""
        deck = deck_of(bytes.fromhex(hand.started.secret), self.deck)
        if tuple(read_written_cards(hand.started.deck)) != deck:
            yield "the deck does not follow from its secret"
        yield from dealing_faults(poker_events(hand.events), deck)
        if not _keeps_chips(hand):
            yield "chips were lost or created"

    def audit(self, brought: int) -> None:
        """Raise `HistoryError` if chips were lost or created."""
        self.table.audit(self.open.hand if self.open is not None else None)
        if self.table.came_in != brought:
            raise HistoryError(f"chips: expected {brought} in total, found {self.table.came_in}")

    # --- what is sent

    def revealed(self, secret: bytes) -> str:
        """The deck."""
        return "".join(deck_of(secret, self.deck))

    def tables(self, started: HandStarted, acts: Iterable[Acted], *, cards: bool) -> Iterator[TableView]:
        """Yield nothing, because the messages are enough to draw the hand."""
        return iter(())

    def messages(self, record: HandStarted | Acted, seq: int) -> list[wire.PublicMessage]:
        """Return the public messages about an earlier record."""
        events = tuple(poker_events(record.events))
        if isinstance(record, HandStarted):
            deal = shuffle(bytes.fromhex(record.secret), self.deck)
            return self._announce(replace(record, events=events), deal)
        return self._writer.act(replace(record, events=events), seq)

    def question(
        self,
        hand_id: str,
        turn: int,
        time_ms: int,
        bank_ms: int | None = None,
        parts: AskParts = ALL_EVENTS,
    ) -> wire.Act:
        """Return the `act` for the seat to act."""
        return poker_wire.question(
            self._hand.hand,
            self._hand.order,
            hand_id=hand_id,
            turn=turn,
            time_ms=time_ms,
            frame=self.frame,
            bank_ms=bank_ms,
        )

    @property
    def rules(self) -> None:
        """None: readers of the page know the rules of poker."""

    def sight(self) -> Sight | None:
        """Return what shows the current or the last hand as it is now; None if there is none."""
        return None if self._shown is None else seat_views(partial(table_view, self._shown.hand), self._shown.order)

    def position(self) -> bytes:
        """Return nothing: an `act` has all that a bot needs."""
        return b""

    def snapshot(
        self,
        seat: int,
        stacks: Mapping[int, int],
        *,
        hand_id: str,
        turn: int,
        time_ms: int | None,
        seq: int,
        bank_ms: int | None = None,
        table: bool = False,
    ) -> wire.Snapshot:
        """Return the table as one seat may see it now."""
        if self.open is None:
            return poker_wire.snapshot_between(seat, dict(stacks), seq, bank_ms)
        return poker_wire.snapshot(
            self.open.hand,
            self.open.order,
            seat=seat,
            stack=self.stack(seat, stacks[seat]),
            hand_id=hand_id,
            turn=turn,
            time_ms=time_ms,
            seq=seq,
            frame=self.frame,
            bank_ms=bank_ms,
        )

    def stack(self, seat: int, between: int) -> int:
        """Return a seat's present chips, without its bets. `between` are its chips between hands."""
        if self.open is None or seat not in self.open.order:
            return between
        return self.open.hand.stacks[self.open.order.index(seat)]


def _keeps_chips(hand: HandHistory) -> bool:
    """Whether the chips at the end of a hand and the rake add up to the chips at its start."""
    there = sum(hand.stacks.values()) + raked(hand.events)
    return there == sum(hand.started.stacks.values()) and min(hand.stacks.values()) >= 0


def _read_action(action: Any) -> poker_wire.PlayersAction:
    """Return an action of a record decoded."""
    try:
        return msgspec.convert({"action": action}, _PokerAction).action
    except msgspec.ValidationError as error:
        raise RecordError(f"not a valid record: {error}") from None


def _without_leaver(table: Table, seat: int) -> Table:
    """Return the table before a hand, without a player who left if another team took the seat during that hand."""
    gone = [chair for chair in table.chairs if chair.seat == seat and chair.state == "leaves" and not chair.chips]
    return replace(table, chairs=tuple([chair for chair in table.chairs if chair not in gone])) if gone else table


def _to_act(open: PlayedHand) -> int | None:
    """The seat that acts next."""
    turn = open.hand.turn
    return open.order[turn.place] if isinstance(turn, PlayersTurn) else None


def most_places(games: Mixed) -> int:
    """Return the maximum number of players for all these games, limited by the decks and the number of seats."""
    return min(games.most_players, MOST_SEATS)


def phh_of(hand: HandHistory, table: str, structure: Structure, frame: TableFrame) -> PhhRecord:
    """Return the record of a hand as other tools read it: players from the button's left, blinds in posting order."""
    started, order = hand.started, hand.order
    year, month, day = map(int, started.hand_id[2:12].split("-"))
    n, limit = len(order), structure.betting.exact
    own = {GAME: game_fields(structure)} if structure.code == OWN_CODE else {}
    return PhhRecord(
        variant=structure.code,
        antes=(frame.ante,) * n,
        blinds_or_straddles=None if frame.bring_in else _forced(hand, frame),
        bring_in=frame.bring_in or None,
        small_bet=frame.big_blind if limit else None,
        big_bet=structure.usual_big_bet(frame.big_blind),
        min_bet=None if limit else frame.big_blind,
        starting_stacks=tuple(started.stacks[seat] for seat in order),
        actions=spell_moves(poker_events(hand.events)),
        day=day,
        month=month,
        year=year,
        hand=started.number,
        seats=tuple(seat + 1 for seat in order),
        seat_count=hand.settings.seats,
        table=table,
        players=tuple(hand.teams[seat] for seat in order),
        finishing_stacks=tuple(hand.stacks[seat] for seat in order),
        user={"_handId": started.hand_id, **own, **_cash_fields(hand, structure)},
    )


def _forced(hand: HandHistory, frame: TableFrame) -> tuple[int, ...]:
    """Return blinds and straddles in the order in which they are posted. Heads-up the button is first."""
    started, order, settings = hand.started, hand.order, hand.settings
    if not settings.cash or started.blinds is None:
        return (frame.small_blind, frame.big_blind, *(0,) * (len(order) - 2))
    small, big = started.blinds
    straddle = max(frame.big_blind + 1, settings.straddle * frame.big_blind // settings.big_blind)
    live = {event.place for event in poker_events(started.events) if isinstance(event, Posted) and event.live}
    amounts = []
    for place, seat in enumerate(order):
        size = frame.big_blind if seat == big else frame.small_blind if seat == small else straddle
        amounts.append(size if place in live else 0)
    return tuple(amounts[::-1] if len(order) == 2 else amounts)


def _cash_fields(hand: HandHistory, structure: Structure) -> dict[str, Any]:
    """Return the PHH fields of our own for a cash table: missed blinds that were paid, and the rake."""
    settings, dead = hand.settings, [hand.started.dead.get(seat, 0) for seat in hand.order]
    stakes = Stakes(min_bet=1, rake=_rake_of(settings))
    return {**house_fields(structure, stakes), **table_fields((), dead)} if settings.cash else {}
