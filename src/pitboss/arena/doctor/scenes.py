"""The scenes of the examination, and their table: a real match, in which a script plays the other seats.

Each scene is one hand with something unusual, and has advice for a bot. Six teams began with 10,000 chips, and two are
out. The other seats play in a way that leads to the wanted situations. The examined bot wins or loses few chips before
the last hand.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss import RULES_VERSION
from pitboss.arena.hosts.games import make_host, places_of
from pitboss.arena.hosts.host import AskParts
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.commitment import shuffle
from pitboss.arena.journal.history import History, order_of
from pitboss.arena.journal.records import Acted, HandStarted, Settings, TableOpened
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import Question
from pitboss.arena.wire.messages import Error, Phase, write
from pitboss.arena.wire.poker import PlayersAction
from pitboss.betting import core
from pitboss.betting.events import AllIn, Call, Called, Check, Fold, Raise, Raised
from pitboss.hand.events import Event, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import Structure
from pitboss.ranks import high
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.table import Table

SMALL, RICH, EXAMINED, THIRD = 0, 3, 2, 5
"""The seats dealt in: one with few chips, one with the most chips, the seat of the bot, and another one.

Seats 1 and 4 are out.
"""

TEAMS = {0: "Shallow", 1: "Gone", 2: "", 3: "Deep", 4: "Lost", 5: "Calm"}
LOST = {0: 6_500, 1: 10_000, 2: 4_000, 4: 10_000, 5: 0}
BANK = 1_000
"""Each player's time bank. All of it is used up, so that each turn has only its own time."""
DAY = "2025-10-17"
BUTTON_BEFORE = 3  #: puts the first button at seat 5, so that the bot posts the big blind

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
    """The match of the exam. It numbers messages, turns and draws across all scenes."""

    examined = EXAMINED  #: the seat of the bot

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

    # --- the current hand

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

    def answer(self, action: wire.Action | wire.MoveMessage) -> None:
        """Let the bot act."""
        self._send(self.match.act(self.examined, action))

    def act_by_default(self) -> None:
        """Act for the absent bot: check, or else call any bet, so that the hand reaches the river."""
        self._send(self.match.apply(self._host.act_by_default(EXAMINED, "check_call", self.match.seq + 1)))

    def go_on(self, style: Style) -> None:
        """Let another seat act."""
        assert self.to_act is not None
        step = self._host.play(self.to_act, self._other(style), self.match.seq + 1)
        self._send(self.match.apply(step))

    def void(self) -> None:
        """Void the hand."""
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
        """Return the message that gives the bot its seat."""
        return self.messages.welcome(self.examined)

    def lobby(self) -> wire.Lobby:
        """Return the message with the players at the table."""
        return self.messages.lobby((SMALL, EXAMINED, RICH, THIRD))

    @property
    def phase(self) -> Phase | None:
        """The phase of the hand; None if it is over or not poker."""
        return self._host.phase

    def question(self, time_ms: int) -> Question:
        """Return the question to the player to act."""
        act = self.messages.question(self.turn, time_ms)
        assert isinstance(act, wire.Act)
        return act

    def snapshot(self, time_ms: int | None) -> wire.Snapshot | wire.GameView:
        """Return the table as the bot may see it."""
        snapshot = self.messages.snapshot(self.examined, self.turn, time_ms)
        assert isinstance(snapshot, wire.Snapshot | wire.GameView)
        return snapshot

    # --- how the others play

    def _other(self, style: Style) -> PlayersAction:
        """Play the scripted seat to act."""
        hand, seat = self.hand, self.to_act
        offer, before_flop = hand.offer, not hand.board
        if (choice := idle_choice(hand)) is not None:
            return choice
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
        """Return the least raise after which the bot can only raise all-in."""
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
        """Return an earlier hand, in which seat 3 won the chips that the others have lost."""
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
        """Return the next hand's secret.

        In the last hand, the small stack loses to the large one with it. In the first hand of each game with a
        bring-in, the bot has to post the bring-in with it.
        """
        upcoming = self._host.table.next()
        if upcoming.structure.betting.bring_in and upcoming.structure.key not in self._brought_in:
            self._brought_in.add(upcoming.structure.key)
            return next(secret for secret in self._secrets() if self._brings_in(upcoming, secret))
        return next(secret for secret in self._secrets() if style != "shove" or _small_loses(secret))

    def _brings_in(self, upcoming: Table, secret: bytes) -> bool:
        """Whether the bot is the first to act in the next hand."""
        hand = upcoming.deal(shuffle(secret, self._host.deck).deck).hand
        return upcoming.order[hand.round.turn] == EXAMINED

    def _secrets(self) -> Iterator[bytes]:
        while True:
            yield self._draw()

    def _draw(self) -> bytes:
        self._draws += 1
        return sha256(f"doctor {self._seed} {self._draws}".encode()).digest()


class GameExamTable(ExamTable):
    """The match of the exam in a game other than poker. The other seats make the default move."""

    examined = 1

    def __init__(self, team: str, *, hands: int, move_time_ms: int, seed: int, game: Settings) -> None:
        seats = places_of(game).start
        self.settings = replace(game, seats=seats, move_time_ms=move_time_ms, max_hands=hands, start_at=seats)
        history = History("T-1")
        history.take(TableOpened(rules=RULES_VERSION, settings=self.settings), over=True)
        self._game_host = make_host(self.settings)
        self.match = Match(history, self._game_host)
        self.messages = TableMessages(self.match)
        for at in range(seats):
            self.match.sit(team if at == self.examined else TEAMS[at] or "Third", None)
        self._seed, self._draws, self.turn = seed, 0, 0
        self.transcript = []

    @property
    def phase(self) -> None:
        """None: games have no common names for their phases."""

    def start(self, style: Style) -> None:
        """Start the next game."""
        self._send(self.match.start(self._draw(), DAY))

    def act_by_default(self) -> None:
        """Make the default move for the absent bot."""
        self._play(self.examined)

    def go_on(self, style: Style) -> None:
        """Let another seat make the default move."""
        assert self.to_act is not None
        self._play(self.to_act)

    def _play(self, seat: int) -> None:
        self._send(self.match.apply(self._game_host.act_by_default(seat, "check_call", self.match.seq + 1)))

    def void(self) -> None:
        """Void the game."""
        self._send(self.match.void(0, "its record was damaged", self.match.seq + 1))

    def lobby(self) -> wire.Lobby:
        """Return the message with the players at the table."""
        return self.messages.lobby(range(self.settings.seats))

    def question(self, time_ms: int) -> Question:
        """Return the question to the player to act, with everything that it can contain."""
        sent = self.messages.question(self.turn, time_ms, parts=AskParts(rules=True, table=True))
        ask = wire.read_server(write(sent))
        assert isinstance(ask, wire.Ask)
        return ask


ExamGame: TypeAlias = Mixed | Structure | Settings
"""What the exam plays: poker, or the settings of another game."""


def make_table(team: str, *, hands: int, move_time_ms: int, seed: int, games: ExamGame) -> ExamTable:
    """Return the table of the exam."""
    if isinstance(games, Settings):
        return GameExamTable(team, hands=hands, move_time_ms=move_time_ms, seed=seed, game=games)
    return ExamTable(team, hands=hands, move_time_ms=move_time_ms, seed=seed, games=games)


def _small_loses(secret: bytes) -> bool:
    """Whether seat 0 loses to seat 3, with four seats dealt in and the button at seat 5."""
    deck = shuffle(secret).deck
    board = deck[8:13]
    small, rich = ((deck[place], deck[place + 4], *board) for place in (0, 2))
    return high(small) < high(rich)


class Scene(Struct, frozen=True, kw_only=True):
    """One hand of the examination. Its unusual part comes before or with the bot's first question of the hand."""

    name: str
    advice: str  #: the advice if the bot fails
    style: Style = "quiet"
    noise: tuple[str | bytes, ...] = ()  #: frames to send before the question
    grown: bool = False  #: every message has fields that are not in version 1
    stale: bool = False  #: events of the previous hand are sent again
    twice: bool = False  #: the question is sent twice
    voided: bool = False  #: first, another hand is started and voided
    pause: bool = False  #: another seat acts late
    refused: Error | None = None  #: the error for the first answer
    drop: Literal["before", "in turn"] | None = None
    until: Phase | None = None  #: the phase in which the bot returns; before, the doctor acts for the bot
    theirs: bool = False  #: whether it is another player's turn when the bot comes back
    short: bool = False  #: whether the question has little time
    exacting: bool = False  #: whether a wrong answer fails the scene, because the scene tests the legal answers


# The button moves over the seats 5, 0, 2 and 3. The bot is big blind, small blind, button, first to act, and so on.
SCENES: tuple[Scene, ...] = (
    Scene(
        name="free check",
        advice="if CHECK is legal, there is nothing to call, and `call_amount` is absent",
        exacting=True,
    ),
    Scene(
        name="unknown messages",
        advice="ignore unknown message types, events and fields: the protocol can grow",
        noise=NEWS,
        grown=True,
    ),
    Scene(
        name="garbage",
        advice="ignore frames that are not messages of the protocol, and continue to read",
        noise=GARBAGE,
        style="raise",
    ),
    Scene(
        name="errors",
        advice="an `error` changes nothing: log it and continue",
        noise=ERRORS,
    ),
    Scene(
        name="duplicate act",
        advice="an `act` with the same `turn` as the last one is the same question: answer it only once",
        twice=True,
        stale=True,
    ),
    Scene(
        name="voided hand",
        advice="HAND_VOIDED ends the hand, and every seat has the chips it began with",
        voided=True,
    ),
    Scene(
        name="refused answer",
        advice="after INVALID_ACTION the turn continues and the clock runs: send a legal answer",
        refused=Error(code="INVALID_ACTION", msg="the doctor refuses every first answer"),
        style="raise",
    ),
    Scene(
        name="rate limit",
        advice="after RATE_LIMITED wait for `retry_after_ms`, then send the answer again",
        refused=Error(code="RATE_LIMITED", msg="too many frames", retry_after_ms=RETRY_AFTER_MS),
    ),
    Scene(
        name="reconnect between hands",
        advice="connect again with the same team and join_code, and answer the next question",
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
        advice="the server played for you while you were away: answer from the `snapshot`",
        drop="before",
        until="TURN",
    ),
    Scene(
        name="snapshot on the river",
        advice="the server played for you while you were away: answer from the `snapshot`",
        drop="before",
        until="RIVER",
    ),
    Scene(
        name="one raise size",
        advice="if min_raise_to equals max_raise_to, the only raise is all-in",
        style="squeeze",
        exacting=True,
    ),
    Scene(
        name="short time",
        advice="`you.time_ms` is the time that you have: a quick answer is better than none",
        short=True,
    ),
    Scene(
        name="another player's turn",
        advice="send nothing until you receive an `act` or a `snapshot` with `legal`",
        pause=True,
    ),
    Scene(
        name="quiet hand",
        advice="answer an `act` with an `action`",
    ),
    Scene(
        name="call for less",
        advice="CALL is legal with fewer chips than the price: `call_amount` is the cost",
        style="shove",
        exacting=True,
    ),
)

IN_ANY_GAME: tuple[Scene, ...] = tuple(
    scene
    for scene in SCENES
    if scene.style == "quiet" and scene.until is None and scene.drop != "before" and not scene.exacting
)
"""The scenes that do not need the streets and bets of hold'em."""

Refusal = Literal["TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL"]
REFUSED_HELLOS: dict[Refusal, str] = {
    "TEAM_TAKEN": "another client has this team's name",
    "TEAM_UNKNOWN": "the organiser's list has no such team",
    "TABLE_FULL": "every seat is taken",
}
