"""The scenes of the examination, and the table they are played at: a real match, its other seats played by a script.

One hand per scene: what is odd about it, and what a bot should do about that. Six teams began with 10,000 chips
and two are out. The other seats play so that the examined bot meets what it must meet and can hardly win or lose
a chip before the last hand.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pitboss import RULES_VERSION
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.commitment import shuffle
from pitboss.arena.journal.history import History, order_of
from pitboss.arena.journal.records import Acted, HandStarted, Settings, TableOpened
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Error, Phase, write
from pitboss.arena.wire.poker import PlayersAction
from pitboss.betting import core
from pitboss.betting.events import AllIn, Call, Called, Check, Fold, Raise, Raised
from pitboss.hand.events import Discard, Event, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.ranks import high
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.table import Table

SMALL, RICH, EXAMINED, THIRD = 0, 3, 2, 5
"""The seats dealt in: one with few chips, one that covers all, the bot's, and one more; 1 and 4 are out."""

TEAMS = {0: "Shallow", 1: "Gone", 2: "", 3: "Deep", 4: "Lost", 5: "Calm"}
LOST = {0: 6_500, 1: 10_000, 2: 4_000, 4: 10_000, 5: 0}
BANK = 1_000
"""Each player's time bank, used up long ago, so that each turn has only its own time."""
DAY = "2025-10-17"
BUTTON_BEFORE = 3  #: so that the button begins at seat 5, and the bot in the big blind

Style = Literal["quiet", "raise", "squeeze", "shove"]

NEWS = (
    json.dumps({"type": "weather", "v": 1, "sky": ["blue", None], "wind": {"from": "west", "knots": 12.5}}),
    json.dumps({"type": "event", "v": 1, "ev": "RABBIT_HUNT", "hand_id": "H-0", "seq": 1, "cards": ["2c"]}),
)
GARBAGE: tuple[str | bytes, ...] = (
    "",
    "no JSON",
    '{"type":',
    "[]",
    "null",
    "{}",
    '{"type":7,"v":1}',
    b"\x00\xffbinary",
)
ERRORS = (
    write(Error(code="OUT_OF_TURN", msg="seat 3 is asked")),
    write(Error(code="ACTION_TOO_LATE", msg="turn 1 is over")),
    write(Error(code="UNKNOWN_TYPE", msg="no message of a client is called 'chat'")),
    write(Error(code="BAD_SCHEMA", msg="Object missing required field `hand_id`")),
    write(Error(code="RESUME_AHEAD", msg="you have seen message 9, but this table has sent only 8")),
    json.dumps({"type": "error", "v": 1, "code": "TEA_BREAK", "msg": "a code that is not invented yet"}),
)
RETRY_AFTER_MS = 150


class ExamTable:
    """The match, its messages, and the numbers that run through it."""

    def __init__(
        self, team: str, *, hands: int, move_time_ms: int, seed: int, games: Mixed | Structure = NO_LIMIT_HOLDEM
    ) -> None:
        games = replace(games_of(games), hands=1)  # so that the bot gets a question in each game of a list
        self.settings = Settings(
            seats=6, move_time_ms=move_time_ms, time_bank_ms=BANK, max_hands=hands + 1, start_at=6, game=games.key
        )
        history = History("T-1")
        history.take(TableOpened(rules=RULES_VERSION, settings=self.settings), over=True)
        self._host = PokerHost(games, self.settings)
        self.match = Match(history, self._host)
        self.messages = TableMessages(self.match)
        for at in sorted(TEAMS):
            self.match.sit(TEAMS[at] or team, None)
        self._seed, self._draws = seed, 0
        self._brought_in: set[str] = set()  # the games in which the bot had to
        started, acted = self._history()
        history.take(started, over=False)
        hand = history.take(acted, over=True)
        assert hand is not None
        self._host.take_finished(hand)
        for taken in history.seats.values():
            taken.bank_used_ms = BANK
        self.match.seq = 40
        self.turn = 0
        self.transcript: list[wire.ServerMessage] = []  #: all public messages, numbered

    # --- the hand under way

    @property
    def hand(self) -> Hand:
        """The hand."""
        assert self._host.open is not None
        return self._host.open.hand

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is."""
        return self.match.to_act

    def start(self, style: Style) -> None:
        """Deal the next hand."""
        self._send(self.match.start(self._secret(style), DAY))

    def answer(self, action: wire.Action) -> None:
        """Let the bot act."""
        self._send(self.match.act(EXAMINED, action))

    def act_by_default(self) -> None:
        """Let the bot's clock play for it: check, else call, however often, so that it sees the river."""
        self._send(self.match.apply(self._host.act_by_default(EXAMINED, "check_call", self.match.seq + 1)))

    def go_on(self, style: Style) -> None:
        """Let another seat act."""
        assert self.to_act is not None
        step = self._host.play(self.to_act, self._other(style), self.match.seq + 1)
        self._send(self.match.apply(step))

    def void(self) -> None:
        """Take the hand back."""
        self._brought_in.discard(self.hand.structure.key)
        self._send(self.match.void(0, "its record was damaged", self.match.seq + 1))

    def end(self) -> None:
        """End the match."""
        self._messages_of(self.match.end())
        self.transcript += map(wire.read_server, self.messages.farewell())

    def _send(self, change: Change) -> None:
        self.transcript += self._messages_of(change)

    def _messages_of(self, change: Change) -> list[wire.PublicMessage]:
        self.turn += 1
        return self.messages.of(change, sha256(f"{self._seed} {self.turn}".encode()).digest())

    # --- what the bot receives

    def welcome(self) -> wire.Welcome:
        """The seat is the bot's."""
        return self.messages.welcome(EXAMINED)

    def lobby(self) -> wire.Lobby:
        """The players at the table."""
        return self.messages.lobby((SMALL, EXAMINED, RICH, THIRD))

    def question(self, time_ms: int) -> wire.Act:
        """Return the `act` for the player to act."""
        act = self.messages.question(self.turn, time_ms)
        assert isinstance(act, wire.Act)
        return act

    def snapshot(self, time_ms: int | None) -> wire.Snapshot:
        """The table as the bot may see it."""
        snapshot = self.messages.snapshot(EXAMINED, self.turn, time_ms)
        assert isinstance(snapshot, wire.Snapshot)
        return snapshot

    # --- how the others play

    def _other(self, style: Style) -> PlayersAction:
        """Play the scripted seat to act."""
        hand, seat = self.hand, self.to_act
        offer, before_flop = hand.offer, not hand.board
        if offer.draw is not None:
            return Discard()
        unraised = before_flop and hand.round.price == self.settings.big_blind
        if unraised and offer.raise_ is not None:
            if style == "raise":
                return Raise(offer.raise_.min_to)
            if style == "squeeze" and seat == RICH:
                return Raise(self._squeezing())
            if style == "shove" and seat == RICH:
                return AllIn()
        if style == "shove" and seat == SMALL and offer.call is not None:
            return Call()
        if offer.check:
            return Check()
        cheap = before_flop and (offer.call or 0) <= self.settings.big_blind and style == "quiet"
        return Call() if cheap or not offer.fold else Fold()

    def _squeezing(self) -> int:
        """The least raise after which the bot's only raise is all it has."""
        assert self._host.open is not None
        place = self._host.open.order.index(EXAMINED)
        bounds = self.hand.offer.raise_
        assert bounds is not None

        def leaves_one_raise(to: int) -> bool:
            round = self.hand.act(Raise(to))[0].round
            return core.least(round.rules, round, place) == core.most(round.rules, round, place)

        sizes = range(bounds.min_to, bounds.max_to + 1)
        return sizes[bisect_left(sizes, True, key=leaves_one_raise)]

    # --- the past, and the cards

    def _history(self) -> tuple[HandStarted, Acted]:
        """A hand long ago in which seat 3 won what the others have lost."""
        seats = sorted(TEAMS)
        started = HandStarted(
            number=1,
            hand_id=f"H-{DAY}-00001",
            secret=self._draw().hex(),
            deck="",
            button=BUTTON_BEFORE,
            stacks=dict.fromkeys(seats, self.settings.stack),
            seq=1,
            events=(),
        )
        place = {seat: at for at, seat in enumerate(order_of(started))}
        most = max(LOST.values())
        paid = [Called(place[seat], lost) for seat, lost in LOST.items() if lost]
        won = Won(place[RICH], sum(LOST.values()) + most, 0)
        events: tuple[Event, ...] = (Raised(place[RICH], most, most, True), *paid, won)
        return started, Acted(seat=RICH, action=AllIn(), cause="client", events=events)

    def _secret(self, style: Style) -> bytes:
        """The next hand's secret; in the last hand, one with which the small stack loses against the large one.

        In the first hand of each game with a bring-in, one with which the bot has to bring it in.
        """
        upcoming = self._host.table.next()
        if upcoming.structure.betting.bring_in and upcoming.structure.key not in self._brought_in:
            self._brought_in.add(upcoming.structure.key)
            return next(secret for secret in self._secrets() if self._brings_in(upcoming, secret))
        return next(secret for secret in self._secrets() if style != "shove" or _small_loses(secret))

    def _brings_in(self, upcoming: Table, secret: bytes) -> bool:
        """Whether the bot is the first to speak in the next hand."""
        hand = upcoming.deal(shuffle(secret, self._host.deck).deck).hand
        return upcoming.order[hand.round.turn] == EXAMINED

    def _secrets(self) -> Iterator[bytes]:
        while True:
            yield self._draw()

    def _draw(self) -> bytes:
        self._draws += 1
        return sha256(f"doctor {self._seed} {self._draws}".encode()).digest()


def _small_loses(secret: bytes) -> bool:
    """Whether seat 0, left of the button at seat 5, has less than seat 3, two places on, when four are dealt in."""
    deck = shuffle(secret).deck
    board = deck[8:13]
    small, rich = ((deck[place], deck[place + 4], *board) for place in (0, 2))
    return high(small) < high(rich)


class Scene(Struct, frozen=True, kw_only=True):
    """One hand of the examination; the oddity comes before or with the bot's first question in it."""

    name: str
    advice: str  #: what to do if it goes wrong
    style: Style = "quiet"
    noise: tuple[str | bytes, ...] = ()  #: frames before the question
    grown: bool = False  #: every message has fields that v1 does not know
    stale: bool = False  #: events of the hand before are sent again
    twice: bool = False  #: the question is sent twice
    voided: bool = False  #: a hand is begun and taken back first
    pause: bool = False  #: another seat takes its time
    refused: Error | None = None  #: what the first answer is answered with
    drop: Literal["before", "in turn"] | None = None
    until: Phase | None = None  #: while the bot is away its clock plays until this phase
    theirs: bool = False  #: whether it is another player's turn when the bot comes back
    short: bool = False  #: little time
    exacting: bool = False  #: it is about what is on offer, so that a wrong answer fails it


# The button goes round 5, 0, 2, 3: the bot has the big blind, the small blind, the button, the first word, and so on.
SCENES: tuple[Scene, ...] = (
    Scene(
        name="free check",
        advice="where CHECK is on offer nothing is owed, and `call_amount` is absent",
        exacting=True,
    ),
    Scene(
        name="unknown messages",
        advice="skip types, events and fields that you do not know: the protocol may grow",
        noise=NEWS,
        grown=True,
    ),
    Scene(
        name="garbage",
        advice="skip frames that are no message of the protocol and go on reading",
        noise=GARBAGE,
        style="raise",
    ),
    Scene(
        name="errors",
        advice="an `error` changes nothing: log it and go on",
        noise=ERRORS,
    ),
    Scene(
        name="duplicate act",
        advice="an `act` with the `turn` of the one before is the same question: answer it once",
        twice=True,
        stale=True,
    ),
    Scene(
        name="voided hand",
        advice="HAND_VOIDED ends the hand, and the chips it began with are back",
        voided=True,
    ),
    Scene(
        name="refused answer",
        advice="after INVALID_ACTION the turn and the clock go on: answer again, legally",
        refused=Error(code="INVALID_ACTION", msg="the doctor refuses the first answer, whatever it is"),
        style="raise",
    ),
    Scene(
        name="rate limit",
        advice="after RATE_LIMITED wait `retry_after_ms`, then send the answer again",
        refused=Error(code="RATE_LIMITED", msg="too many frames", retry_after_ms=RETRY_AFTER_MS),
    ),
    Scene(
        name="reconnect between hands",
        advice="connect again with the same team and join_code, and play on when you are asked",
        drop="before",
        until="FLOP",
        theirs=True,
    ),
    Scene(
        name="reconnect in mid-turn",
        advice="a `snapshot` with `legal` is your turn: answer it like an `act`, with its `at_hand_id` and `turn`",
        drop="in turn",
    ),
    Scene(
        name="snapshot on the turn",
        advice="while you were away the clock played for you: answer from the `snapshot`",
        drop="before",
        until="TURN",
    ),
    Scene(
        name="snapshot on the river",
        advice="while you were away the clock played for you: answer from the `snapshot`",
        drop="before",
        until="RIVER",
    ),
    Scene(
        name="one raise size",
        advice="where min_raise_to equals max_raise_to the only raise is all you have",
        style="squeeze",
        exacting=True,
    ),
    Scene(
        name="short time",
        advice="`you.time_ms` says how long there is: a quick answer is better than none",
        short=True,
    ),
    Scene(
        name="somebody else's turn",
        advice="say nothing until an `act` or a `snapshot` with `legal` asks you",
        pause=True,
    ),
    Scene(
        name="quiet hand",
        advice="an `act` is answered with an `action`",
    ),
    Scene(
        name="call for less",
        advice="CALL is legal with fewer chips than the price: `call_amount` is what it costs",
        style="shove",
        exacting=True,
    ),
)

IN_ANY_GAME: tuple[Scene, ...] = tuple(
    scene
    for scene in SCENES
    if scene.style == "quiet" and scene.until is None and scene.drop != "before" and not scene.exacting
)
"""Those that need neither the streets of hold'em nor its bets."""

Refusal = Literal["TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL"]
REFUSED_HELLOS: dict[Refusal, str] = {
    "TEAM_TAKEN": "another client has this team's name",
    "TEAM_UNKNOWN": "the organiser's list has no such team",
    "TABLE_FULL": "every seat is taken",
}
