"""One match of a competition: its decks, its bots in their own processes, and its journal.

With duplicate deals, a match has one replica for each seat. Replica R deals the same decks in another order, with the
button R seats further, so that every entrant gets every seat of every deal. A replica has its own processes, so a bot
cannot remember a deal from another replica. Nothing of a match is written here: the program that runs the competition
writes what `play_match` returns, so a killed worker leaves nothing half-written.
"""

import hmac
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.agents.models import PREFIX, ModelError, find_model
from pitboss.arena.agents.player import Costs, ModelBot, ModelPlayer, Thought
from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.namespaces import TRUSTED, Sandbox
from pitboss.arena.bots.offline import (
    AskedBot,
    KeyedDecks,
    OfflineMatch,
    OfflineStakes,
    shuffled_order,
)
from pitboss.arena.bots.runner import BotAnswerError, BotDisqualified, BotFailure, BotNotReady, BotRunner
from pitboss.arena.bots.sandbox import BotLimits
from pitboss.arena.wire.answers import read_answer
from pitboss.arena.wire.messages import Act, Action
from pitboss.chance import Chance
from pitboss.client.bot_process import start_bot
from pitboss.competitions.aivat import HOUSE_PLAYERS, refine
from pitboss.competitions.comparison import QueuedDecks
from pitboss.competitions.intervals import AnytimeInterval
from pitboss.competitions.results import DIGITS, JOURNAL, MATCHES, DealBlock, EntrantInfo, EntrantSeat, MatchResult
from pitboss.competitions.settings import CompetitionSettings
from pitboss.formats.phh import write_phhs
from pitboss.hand.rulebook import explain_game
from pitboss.jobs.pool import Abandoned
from pitboss.records.record import Record
from pitboss.records.table_fields import Toml

DEAL, ROTATION, MOVES, REFUSED = "_deal", "_rotation", "_move_s", "_refused"
"""The fields of a hand in a match's journal."""
STRETCH = 10.0
"""The time limit of an answer is multiplied by up to this number while the bot only waits for a processor."""
ANSWERS_A_HAND = 10
"""The answers per hand for which the default time of a match is enough."""
DEALS_A_LOOK = 25
"""With `stop_when_decided`, the deals between two looks at the result."""
MOST_LOGGED = 200_000
"""The characters of a bot's output that are kept per match."""
LONGEST_REASON = 200
MICROSECONDS = Decimal("0.000001")


class BotHost(Struct, frozen=True, kw_only=True):
    """How bots run on this machine."""

    sandbox: Sandbox = TRUSTED
    limits: BotLimits = BotLimits()
    hidden: tuple[str, ...] = ()  #: paths that the bots do not see
    models: str = ""  #: the file with the settings of language models


class MatchTask(Struct, frozen=True, kw_only=True):
    """A match to play."""

    id: str
    round: int
    table: int
    players: tuple[EntrantInfo, ...]  #: by seat
    key: str  #: of the decks, as hexadecimal digits
    settings: CompetitionSettings
    host: BotHost = BotHost()


class PlayedMatch(Struct, frozen=True):
    """What a match leaves: its result, its journal as PHH, and each seat's log."""

    result: MatchResult
    journal: str
    logs: tuple[str, ...]


def key_of(seed: int, match: str) -> str:
    """Return the key of a match's decks. Keys of different matches reveal nothing about each other."""
    return hmac.digest(f"pitboss competition {seed}".encode(), match.encode(), "sha256").hex()


def commit_to(key: str) -> str:
    """Return the commitment to all decks of a match, which does not reveal the key.

    >>> commit_to(key_of(7, "r01-t001"))[:16]
    'ee1e3b2d68a35074'
    """
    return sha256(b"pitboss decks" + bytes.fromhex(key)).hexdigest()


def decks_of(key: str) -> KeyedDecks:
    """Return the decks of a match."""
    return KeyedDecks(int(key, 16))


def play_match(task: MatchTask) -> PlayedMatch:
    """Play a match from its first hand to its end."""
    playing = _Playing(task)
    try:
        return playing.play()
    finally:
        playing.close()


class _Player:
    """One entrant during a match, in all replicas."""

    def __init__(self, info: EntrantInfo) -> None:
        self.info = info
        self.net = self.answers = self.illegal = self.timeouts = self.crashes = 0
        self.seconds, self.slowest = 0.0, 0.0
        self.complaint: str | None = None
        self.out: str | None = None
        self.costs = Costs()
        self._log: list[str] = []
        self._logged = 0

    def say(self, line: str) -> None:
        """Add a line to the bot's log."""
        if self._logged < MOST_LOGGED:
            self._log.append(line[: MOST_LOGGED - self._logged])
            self._logged += len(line) + 1
            if self._logged >= MOST_LOGGED:
                self._log.append(f"(the rest of the output was cut after {MOST_LOGGED:,} characters)")

    def fault(self, reason: str, kind: str) -> None:
        """Count a fault of this kind: illegal, timeouts or crashes."""
        setattr(self, kind, getattr(self, kind) + 1)
        if self.complaint is None:
            self.complaint = reason[:LONGEST_REASON]
            self.say(f"{self.info.name}: the first refused answer: {self.complaint}")

    @property
    def log(self) -> str:
        return "".join([f"{line}\n" for line in self._log])

    def seat(self) -> EntrantSeat:
        """Return the entrant's part of the result."""
        return EntrantSeat(
            name=self.info.name,
            net=self.net,
            answers=self.answers,
            illegal=self.illegal,
            timeouts=self.timeouts,
            crashes=self.crashes,
            complaint=self.complaint,
            out=self.out,
            time_s=round(self.seconds, 6),
            slowest_s=round(self.slowest, 6),
            tokens=self.costs.tokens_in + self.costs.tokens_out,
            cost=round(self.costs.usd, 6) if self.info.kind == "llm" else None,
        )


class _HandNotes:
    """The evidence of one hand: the time of each answer, and the refused answers."""

    def __init__(self) -> None:
        self.moves: list[tuple[int, Decimal]] = []
        self.refused: list[tuple[int, str]] = []

    def clear(self) -> None:
        self.moves, self.refused = [], []


class _WatchedBot:
    """A bot whose answers are timed, checked and noted."""

    def __init__(self, bot: AskedBot, player: _Player, notes: _HandNotes) -> None:
        self._bot, self._player, self._notes = bot, player, notes
        if (receive := getattr(bot, "on_message", None)) is not None:
            self.on_message = receive

    def __call__(self, act: Act) -> object:
        player = self._player
        player.answers += 1
        begun = time.perf_counter()
        try:
            answer = self._bot(act)
        except BotFailure as failure:
            late = "timeouts" if failure.late else "crashes"
            self._refuse(act, str(failure), "illegal" if isinstance(failure, BotAnswerError) else late)
            raise
        except (Exception, SystemExit) as error:
            self._refuse(act, f"raised {type(error).__name__}: {error}", "crashes")
            raise
        finally:
            seconds = time.perf_counter() - begun
            player.seconds += seconds
            player.slowest = max(player.slowest, seconds)
            self._notes.moves.append((act.seat + 1, Decimal(seconds).quantize(MICROSECONDS)))
        try:
            read_answer(answer, act)
        except ValueError as error:
            self._refuse(act, str(error), "illegal")
        return answer

    def _refuse(self, act: Act, reason: str, kind: str) -> None:
        self._player.fault(reason, kind)
        self._notes.refused.append((act.seat + 1, reason[:LONGEST_REASON]))


class _AbsentBot:
    """A bot whose process could not be started; it has lost its match."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __call__(self, act: Act) -> Action:
        raise BotDisqualified(self._reason)


class _ReplicaDecks(QueuedDecks):
    """The decks of a replica, which has its own random numbers for mixed strategies."""

    def __init__(self, decks: KeyedDecks, rotation: int) -> None:
        super().__init__(decks)
        self._rotation = rotation

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose, by number."""
        return self._decks.chance(f"fork {label} {self._rotation}")


class _Replica:
    """The table of one rotation, with its own bots."""

    def __init__(self, rotation: int, playing: "_Playing") -> None:
        self.rotation, self.deck = rotation, _ReplicaDecks(playing.decks, rotation)
        self.running = ExitStack()
        self.record: Record | None = None
        settings = playing.task.settings
        try:
            bots = [
                (player.info.name, _WatchedBot(self._bot(playing, player, seat), player, playing.notes))
                for seat, player in enumerate(playing.players)
            ]
            self.table = OfflineMatch(
                bots,
                chance=self.deck,
                stakes=playing.stakes,
                move_time_ms=settings.move_time_ms,
                games=playing.games,
                on_hand=self._keep,
                button=rotation,
            )
        except BaseException:
            self.running.close()
            raise

    def play(self, deal: int) -> tuple[list[int], Record]:
        """Play a deal; return the chips that each seat wins, and the record of the hand."""
        before = [seat.net for seat in self.table.players]
        self.deck.number = deal
        self.table.play_hand()
        assert self.record is not None
        return [seat.net - net for seat, net in zip(self.table.players, before, strict=True)], self.record

    def close(self) -> None:
        """Send the end of the match, and end the bots."""
        with self.running:
            self.table.end()

    def _keep(self, record: Record) -> None:
        self.record = record

    def _bot(self, playing: "_Playing", player: _Player, seat: int) -> AskedBot:
        task, info = playing.task, player.info
        if info.kind == "house":
            return HOUSE[info.spec](playing.decks.chance(f"bot {seat} {self.rotation}"))
        try:
            bot = _model(task, player) if info.kind == "llm" else start_entrant(info, task.host, player.say)
        except (BotNotReady, ModelError) as error:
            player.out = f"could not be started: {error}"
            return _AbsentBot(player.out)
        self.running.callback(bot.close)
        return bot


def start_entrant(info: EntrantInfo, host: BotHost, say: Callable[[str], None]) -> BotRunner:
    """Start a bot in its own process. Raise `BotNotReady` if it does not load."""
    return start_bot(
        info.spec,
        limits=host.limits,
        name=info.name,
        say=say,
        sandbox=host.sandbox,
        hidden=[Path(path) for path in host.hidden],
        stretch=STRETCH,
    )


def _model(task: MatchTask, player: _Player) -> ModelBot:
    def note(thought: Thought) -> None:
        player.say(msgspec.json.encode(thought).decode())
        if thought.fallback is not None:
            late = "no time left" in thought.fallback
            player.fault(thought.fallback, "timeouts" if late else "illegal")

    spec = f"{PREFIX}{player.info.spec}"
    settings = find_model(spec, task.host.models or None)
    return ModelBot(ModelPlayer(spec, settings, explain=explain_game, costs=player.costs, on_thought=note))


class _Playing:
    """A match while it is played."""

    def __init__(self, task: MatchTask) -> None:
        settings = task.settings
        self.task, self.games, self.decks = task, settings.games, decks_of(task.key)
        self.players = [_Player(info) for info in task.players]
        self.stakes = OfflineStakes(
            stack=settings.stack, small_blind=settings.small_blind, big_blind=settings.big_blind
        )
        self.notes = _HandNotes()
        self._replicas: dict[int, _Replica] = {}
        self._parent, self._journal = os.getppid(), list[str]()
        seats = len(self.players)
        self._won = [[0] * seats for _ in range(settings.deals)]
        self._adjusted = [[0.0] * seats for _ in range(settings.deals)]
        self._refined = [[0.0] * seats for _ in range(settings.deals)]
        self._hands = 0
        seconds = settings.deals * settings.rotations * ANSWERS_A_HAND * settings.move_time_ms / 1000
        self._clock = settings.match_time_s or seconds

    def play(self) -> PlayedMatch:
        """Play all deals, or as many as decide the match."""
        begun_at, begun = datetime.now(UTC), time.monotonic()
        settings = self.task.settings
        stopping = AnytimeInterval(-settings.stack, settings.stack) if settings.stop_when_decided else None
        finished = 0
        for deals in self._looks():
            for rotation in range(settings.rotations):
                self._play(rotation, deals)
                if stopping is None:
                    self._end(rotation)
            finished = deals.stop
            if stopping is not None:
                for deal in deals:
                    stopping.add(self._won[deal][0] / settings.rotations)
                if stopping.sign:
                    break
        self.close()
        result = MatchResult(
            id=self.task.id,
            round=self.task.round,
            table=self.task.table,
            seats=tuple([player.seat() for player in self.players]),
            big_blind=settings.big_blind,
            hands=self._hands,
            planned=settings.deals * settings.rotations,
            blocks=tuple([self._block(deal) for deal in range(finished)]),
            decided=stopping is not None and stopping.sign != 0,
            journal=f"{MATCHES}/{self.task.id}/{JOURNAL}",
            commit=commit_to(self.task.key),
            key=self.task.key,
            begun_at=begun_at.isoformat(timespec="seconds"),
            seconds_s=round(time.monotonic() - begun, 3),
        )
        return PlayedMatch(result, "".join(self._journal), tuple([player.log for player in self.players]))

    def _block(self, deal: int) -> DealBlock:
        return DealBlock(
            deal,
            self.task.settings.rotations,
            tuple(self._won[deal]),
            tuple([round(chips, DIGITS) for chips in self._adjusted[deal]]),
            tuple([round(chips, DIGITS) for chips in self._refined[deal]]),
        )

    def close(self) -> None:
        """End all bots."""
        for rotation in [*self._replicas]:
            self._end(rotation)

    def _end(self, rotation: int) -> None:
        self._replicas.pop(rotation).close()

    def _looks(self) -> Iterator[range]:
        """Yield the deals between two looks at the result."""
        deals = self.task.settings.deals
        size = DEALS_A_LOOK if self.task.settings.stop_when_decided else deals
        for first in range(0, deals, size):
            yield range(first, min(first + size, deals))

    def _play(self, rotation: int, deals: range) -> None:
        """Play these deals in one rotation."""
        if rotation not in self._replicas:
            self._replicas[rotation] = _Replica(rotation, self)
        replica = self._replicas[rotation]
        chance = self.decks.chance(f"order {rotation} {deals.start}")
        seated = [*zip(replica.table.players, self.players, strict=True)]
        for seat, player in seated:  # a bot's time and its disqualification count for all replicas
            seat.clock, seat.out = self._clock - player.seconds + seat.seconds, player.out
        for deal in shuffled_order(deals, len(seated), self.games, chance) if rotation else deals:
            self._play_hand(replica, deal)
        for seat, player in seated:
            player.out = player.out or seat.out

    def _play_hand(self, replica: _Replica, deal: int) -> None:
        if os.getppid() != self._parent:
            raise Abandoned("the program that started this worker has ended")
        self.notes.clear()
        won, record = replica.play(deal)
        self._hands += 1
        for seat, chips in enumerate(won):
            self._won[deal][seat] += chips
            self.players[seat].net += chips
        self._note_luck(record, deal)
        own: dict[str, Toml] = {DEAL: deal, ROTATION: replica.rotation, MOVES: tuple(self.notes.moves)}
        if self.notes.refused:
            own[REFUSED] = tuple(self.notes.refused)
        record = replace(record, hand=self._hands, user={**record.user, **own})
        self._journal.append(write_phhs([(str(self._hands), record)]))

    def _note_luck(self, record: Record, deal: int) -> None:
        """Add the results of a hand without the luck of all-ins, and without more of the luck."""
        known = {
            place: HOUSE_PLAYERS[info.spec]
            for place, seat in enumerate(record.seats or ())
            if (info := self.players[seat - 1].info).kind == "house" and info.spec in HOUSE_PLAYERS
        }
        changes = any(street.draw or street.discard for street in record.structure.streets)
        luck = refine(record, known, {} if changes else None).by_seat(record)
        for seat, (adjusted, refined) in enumerate(zip(luck.adjusted, luck.refined, strict=True)):
            self._adjusted[deal][seat] += adjusted
            self._refined[deal][seat] += refined
