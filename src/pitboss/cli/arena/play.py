"""`pitboss arena play`: bots against each other here and now, and their results; no server, no sockets."""

import math
import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO

import click
import msgspec
from click.core import ParameterSource
from msgspec import UNSET, Struct, UnsetType
from rich.table import Table

from pitboss.arena.agents.models import PREFIX, ModelError, is_model
from pitboss.arena.agents.player import Costs, ModelBot
from pitboss.arena.agents.thoughts import append_thought, thoughts_file
from pitboss.arena.bots import ABOUT, GAME_BOTS, HOUSE, of_any_game, why_not
from pitboss.arena.bots.dealers import OfflineStakes
from pitboss.arena.bots.namespaces import Sandbox
from pitboss.arena.bots.offline import (
    MOVE_TIME_MS,
    AskedBot,
    BotResult,
    DuplicateMatch,
    KeyedDecks,
    OfflineMatch,
    overlapping,
)
from pitboss.arena.bots.runner import BotNotReady
from pitboss.arena.bots.sandbox import BotLimits, hide_arguments
from pitboss.arena.hosts.games import chosen_game, game_type
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.journal.records import SettingsError
from pitboss.arena.wire.poker import unsent
from pitboss.chance import Chance
from pitboss.cli.arena.options import (
    bot_limits,
    memory_option,
    model_player,
    models_option,
    sandbox_for_bots,
    trust_option,
)
from pitboss.cli.output import count, echo
from pitboss.cli.progress import print_table, progress
from pitboss.client.bot_process import start_bot
from pitboss.client.bots import bot_file, bot_names
from pitboss.errors import PitbossError
from pitboss.formats.phh import foreign_words, write_phhs
from pitboss.hand.game_file import GameFileError
from pitboss.hand.games import NoSuchStructure
from pitboss.lab.genome import GenomeError
from pitboss.printing import printable
from pitboss.records.record import Record
from pitboss.store.files import open_private
from pitboss.table.mixed import Mixed, find_games

NAME = "hands.phhs"
HANDLES = Path("/proc/self/fd")
"""The folder through which a file without a name gets a name."""

MOST_SEATS = 10
MOST_CHIPS = 10**12
SEED_BITS = 64
STRETCH = 10.0
"""The time limit of an answer is multiplied by up to this number while the bot only waits for a processor."""
ANSWERS_A_HAND = 10
"""The number of answers per hand for which the default time of a match is enough."""
CHIPS = click.IntRange(1, MOST_CHIPS)
POKER_ONLY = ("bb", "save", "sb", "stack")
"""The options that only poker has."""


class SavingError(PitbossError):
    """The file for the hands cannot be created."""


class HandFile:
    """Writes hands to `hands.phhs` in `folder`, which is created if needed.

    Bots could read folded cards in the file. So, if the system allows it, the file gets its name after the match. A
    match that is killed then leaves no file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.hands = 0
        self.error: str | None = None
        self.foreign: set[str] = set()  #: notes about content that other PHH programs might not know
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(self.path):
                raise SavingError(f"{self.path} already exists and was not changed: give another folder")
            self._file = self._open(folder)
        except OSError as error:
            raise SavingError(f"{self.path} cannot be written: {error.strerror or error}") from None

    def _open(self, folder: Path) -> IO[str]:
        flag: int = getattr(os, "O_TMPFILE", 0) if HANDLES.is_dir() else 0
        try:
            handle = os.open(folder, flag | os.O_WRONLY | os.O_CLOEXEC, 0o600) if flag else -1
        except OSError:  # this file system cannot create files without a name
            handle = -1
        self._unnamed = handle >= 0
        return os.fdopen(handle, "w", encoding="utf-8") if self._unnamed else open_private(self.path, "x")

    def write(self, record: Record) -> None:
        """Append a hand. If that fails, `error` gets the reason, and the match continues."""
        if self.error is None:
            with self._noting():
                self._file.write(write_phhs([(str(self.hands + 1), record)]))
                self.foreign |= set(foreign_words(record))
                self.hands += 1

    def __enter__(self) -> "HandFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._noting(), self._file:
            self._file.flush()
            if not self.hands and not self._unnamed:
                self.path.unlink()
            elif self.hands and self._unnamed:
                handle = self._file.fileno()
                # `os.link` follows the link in /proc only with a folder argument, whose value is not used.
                os.link(HANDLES / str(handle), self.path, src_dir_fd=handle, follow_symlinks=True)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.error = self.error or f"the hands could not be saved: {error.strerror or error}"


class ResultLine(Struct):
    """A bot's result in JSON."""

    name: str
    seat: int
    net: int
    bb_per_100: float | UnsetType  #: in poker
    per_game: float | UnsetType  #: in other games
    low: float
    high: float
    illegal: int
    answers: int
    ms_per_answer: float | None
    place: int
    tied_with: list[str]  #: the bots whose intervals overlap the interval of this bot


@click.command(
    short_help="play bots against each other, without a server",
    epilog="\b\nHouse bots:\n" + "\n".join(f"  {name:<8} {about}" for name, about in (ABOUT | GAME_BOTS).items()),
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT…")
@click.option("--hands", default=1000, show_default=True, type=click.IntRange(1, 10_000_000), help="Hands to play.")
@click.option(
    "--seed",
    default=None,
    type=int,
    help="Seed of cards and house bots (default: random). Bots can guess a small seed.",
)
@click.option(
    "--stack", default=10_000, show_default=True, type=CHIPS, help="Chips of each bot at the start of every hand."
)
@click.option("--sb", default=None, type=click.IntRange(0, MOST_CHIPS), help="Small blind (default: half of --bb).")
@click.option(
    "--bb", default=100, show_default=True, type=CHIPS, help="Big blind; in limit games and stud the small bet."
)
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game to play: poker (razz, omaha), mixed games (horse), a game of the lab (hearts), sting, or a game file "
    "(mine.toml; in JSON for the lab); docs/games.md lists them.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Deal each deck once for every position of the button, to reduce luck. Bots start again for each.",
)
@click.option(
    "--move-time-ms",
    default=MOVE_TIME_MS,
    show_default=True,
    type=click.IntRange(1, MOVE_TIME_MS * 100),
    help="Time limit for an answer; a late answer is replaced by a check or a fold.",
)
@click.option(
    "--match-time",
    default=None,
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time that each bot has for all its answers together; a bot that exceeds it is disqualified "
    "(default: --hands times --move-time-ms times 10).",
)
@models_option
@memory_option
@trust_option
@click.option(
    "--save",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write every hand, with all cards, to DIR/hands.phhs when the match is over.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def play(
    ctx: click.Context,
    bots: Sequence[str],
    hands: int,
    seed: int | None,
    stack: int,
    sb: int | None,
    bb: int,
    game: str,
    duplicate: bool,
    move_time_ms: int,
    match_time: float | None,
    models: Path,
    memory_mib: int,
    trust_bots: bool,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play bots against each other, each with the same chips at the start of every hand.

    BOT is a house bot, a language model (llm:NAME, with its settings in models.toml), a Python file (bot.py, or
    bot.py:name), module:name, or a command in quotes in any language. Files and commands run in their own processes,
    in a sandbox that is tested first, and receive the messages that a server sends. A command reads them from standard
    input and answers on standard output, one JSON object per line, or connects by WebSocket to PITBOSS_URL with
    PITBOSS_TEAM and PITBOSS_CODE; see docs/protocol.md.

    Winnings are in big blinds per hundred hands with a 95 % interval. An answer that is not legal, an exception or a
    missing answer becomes a check or a fold and counts as illegal. A bot whose process hangs or ends three times is
    disqualified. The exit code is 1 if that happened, or if all answers of a bot were illegal. To repeat a match, give
    the seed that it prints.

    \b
    Examples:
      pitboss arena play mybot.py tight --hands 5000
      pitboss arena play sharp equity tight calling random folding
      pitboss arena play mybot.py sharp --duplicate --seed 7 --json
      pitboss arena play mybot.py random calling --game razz
      pitboss arena play alice/bot.py bert/bot.py 'node carl/bot.mjs'
      pitboss arena play llm:local tight sharp --hands 50 --move-time-ms 60000
      pitboss arena play mybot.py sharp --save games && pitboss replay games/hands.phhs
    """
    hide_arguments("pitboss arena play")  # the seed determines every card
    games = game_to_play(game)
    if isinstance(games, MovesHost):
        named = {name for name in POKER_ONLY if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
        if named:
            raise click.UsageError(f"--{min(named)}: {games.variant} is not poker: leave it out")
    elif sb is not None and all(each.structure.betting.bring_in for each in games.games):
        raise click.UsageError(f"{games.key} has a bring-in, but no small blind: leave out --sb")
    stakes = _stakes(stack, bb // 2 if sb is None else sb, bb)
    _check_bots(bots, games)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    decks = KeyedDecks(seed)
    with ExitStack() as running:
        saved = _save(save, running)
        foreign = any(map(_is_foreign, bots))
        trusted = trust_bots or not foreign
        sandbox = sandbox_for_bots("pitboss arena play", trusted=trusted, required=False, brief=True)
        seats = _Seats(bots, decks, bot_limits(memory_mib), sandbox, save, models)
        running.callback(seats.close)
        on_hand = None if saved is None else saved.write
        match: OfflineMatch
        if duplicate:
            match = DuplicateMatch(
                seats.names,
                seats.start,
                decks=decks,
                hands=hands,
                stakes=stakes,
                move_time_ms=move_time_ms,
                games=games,
                on_hand=on_hand,
            )
            total = match.total
        else:
            match = OfflineMatch(
                [*zip(seats.names, seats.start(0), strict=True)],
                chance=decks,
                stakes=stakes,
                move_time_ms=move_time_ms,
                games=games,
                on_hand=on_hand,
            )
            total = hands
        for player in match.players:
            player.clock = total * ANSWERS_A_HAND * move_time_ms / 1000 if match_time is None else match_time
        begun = time.perf_counter()
        finished = _play(match, total)
        match.end()
        seconds = time.perf_counter() - begun
    _show(match, games, seed, seconds, as_json)
    for name, costs in seats.costs.items():
        echo(f"{name}: {costs.line()}", err=True)
    if saved is not None:
        for sentence in (saved.error or count(saved.hands, "hand"), *sorted(saved.foreign)):
            echo(f"{saved.path}: {sentence}", err=True)
    if not finished:
        echo(f"interrupted after {match.hands} of {count(total, 'hand')}", err=True)
        sys.exit(130)
    if any(result.failed for result in match.results()) or (saved is not None and saved.error):
        sys.exit(1)


def _save(folder: Path | None, running: ExitStack) -> HandFile | None:
    """Return the open file for the hands; None without a folder."""
    try:
        return None if folder is None else running.enter_context(HandFile(folder))
    except SavingError as error:
        echo(f"pitboss arena play: {error}", err=True)
        sys.exit(1)


def _check_bots(bots: Sequence[str], games: Mixed | MovesHost) -> None:
    """Refuse a number of bots, and bots, that cannot play the game."""
    if isinstance(games, MovesHost):
        least, most, structures, name = games.places.start, games.places.stop - 1, [], games.variant
    else:
        least, most, name = 2, min(MOST_SEATS, games.most_players), games.key
        structures = [each.structure for each in games.games]
    if not least <= len(bots) <= most:
        many = f"{least} to {most}" if least < most else str(least)
        raise click.UsageError(f"expected {many} bots{f' for {name}' if not structures else ''}, got {len(bots)}")
    for bot in bots:
        reason = why_not(bot, structures, name) if bot in HOUSE or bot in GAME_BOTS else None
        if reason is not None:
            raise click.UsageError(reason)


def game_to_play(name: str) -> Mixed | MovesHost:
    """Return the game of `--game`: poker, or the host of any other game."""
    if not name.endswith(".json"):
        with suppress(NoSuchStructure):
            return _poker(name)
    try:
        settings = chosen_game(name)
        return MovesHost(game_type(settings), settings.own_game)
    except (SettingsError, GenomeError) as error:
        raise click.UsageError(str(error)) from None


def games_to_play(name: str) -> Mixed:
    """Return the games of `--game`, which must be poker."""
    try:
        return _poker(name)
    except NoSuchStructure as error:
        raise click.UsageError(str(error)) from None


def _poker(name: str) -> Mixed:
    """Return games of poker; refuse games that the messages of the protocol cannot describe."""
    try:
        games = find_games(name)
    except GameFileError as error:
        raise click.UsageError(str(error)) from None
    if (reason := next(filter(None, [unsent(game.structure) for game in games.games]), None)) is not None:
        raise click.UsageError(f"--game: {reason}")
    return games


def _stakes(stack: int, sb: int, bb: int) -> OfflineStakes:
    if not sb <= bb <= stack:
        raise click.UsageError(f"expected --sb up to --bb, and --bb up to --stack, got {sb}, {bb} and {stack}")
    return OfflineStakes(stack=stack, small_blind=sb, big_blind=bb)


class _Seats:
    """Starts the bots of a match: house bots with their own random numbers, others in their own processes."""

    def __init__(
        self,
        bots: Sequence[str],
        decks: KeyedDecks,
        limits: BotLimits,
        sandbox: Sandbox,
        save: Path | None,
        models: Path,
    ) -> None:
        self.names = _names(bots)
        self._bots, self._decks, self._limits, self._sandbox = bots, decks, limits, sandbox
        files = [bot_file(bot) for bot in bots if _is_foreign(bot)]
        self._private = [*filter(None, files), *([] if save is None else [save])]  # hidden from the other bots
        self.costs: dict[str, Costs] = {}  #: of each language model
        self._models, self._save = models, save
        self._running = ExitStack()

    def start(self, replica: int) -> list[AskedBot]:
        """End the bots of the previous start, and start all bots."""
        self.close()
        self._processors = _processors(sum(map(_is_foreign, self._bots)))
        return [self._ready(bot, seat, replica) for seat, bot in enumerate(self._bots)]

    def close(self) -> None:
        """End the processes of all bots."""
        self._running.close()

    def _ready(self, bot: str, seat: int, replica: int) -> AskedBot:
        if bot in HOUSE or bot in GAME_BOTS:
            return _house_bot(bot, self._decks.chance(f"bot {seat} {replica}"))
        if is_model(bot):
            return self._model(bot, self.names[seat])
        try:
            runner = start_bot(
                bot,
                limits=self._limits,
                name=self.names[seat],
                sandbox=self._sandbox,
                hidden=self._private,
                processor=next(self._processors, None),
                stretch=STRETCH,
            )
        except BotNotReady as error:
            echo(f"pitboss arena play: {error}", err=True)
            sys.exit(1)
        self._running.callback(runner.close)
        return runner

    def _model(self, bot: str, name: str) -> ModelBot:
        """Return a language model's player. Its thoughts go to a file that only this user can read."""
        try:
            player = model_player(
                bot,
                self._models,
                costs=self.costs.setdefault(name, Costs()),
                on_thought=None if self._save is None else partial(append_thought, thoughts_file(self._save / NAME)),
            )
        except ModelError as error:
            echo(f"pitboss arena play: {error}", err=True)
            sys.exit(1)
        model = ModelBot(player)
        self._running.callback(model.close)
        return model


def _house_bot(bot: str, chance: Chance) -> AskedBot:
    if bot in HOUSE:
        return of_any_game(HOUSE[bot](chance), chance)
    from pitboss.arena.bots.game_bots import GameHouseBot  # poker does not need the lab's engine

    return GameHouseBot(bot, chance)


def _names(bots: Sequence[str]) -> list[str]:
    """Return a printable name for each bot. A file with the name of a house bot gets the suffix "(file)"."""
    names, of_files = [], iter(bot_names(list(filter(_is_foreign, bots))))
    for seat, bot in enumerate(bots):
        before = list(bots[:seat]).count(bot)
        foreign, called = _is_foreign(bot), bot.removeprefix(PREFIX)
        name = next(of_files) if foreign else f"{called} {before + 1}" if before else called
        is_like_house = bot not in HOUSE and bot not in GAME_BOTS and name.partition(" ")[0] in HOUSE
        names.append(f"{name} ({'file' if foreign else 'model'})" if is_like_house else printable(name))
    return names


def _is_foreign(bot: str) -> bool:
    """Return whether a bot is code that runs in a process of its own."""
    return bot not in HOUSE and bot not in GAME_BOTS and not is_model(bot)


def _processors(bots: int) -> Iterator[int]:
    """Yield one processor per bot; nothing if there are too few for all bots and this process."""
    free = sorted(os.sched_getaffinity(0))[1:] if hasattr(os, "sched_getaffinity") else []
    return iter(free if bots <= len(free) else ())


def _play(match: OfflineMatch, hands: int) -> bool:
    """Play the hands; return False if the user interrupts after the first."""
    try:
        with progress("playing", total=hands) as advance:
            while match.hands < hands:
                match.play_hand()
                advance()
    except KeyboardInterrupt:
        if not match.hands:
            raise
        return False
    return True


def _show(match: OfflineMatch, games: Mixed | MovesHost, seed: int, seconds: float, as_json: bool) -> None:
    results, poker = match.results(), not isinstance(games, MovesHost)
    for result in results:
        if result.complaint:
            echo(f"{result.name}: {_complaint(result)}", err=True)
        if result.out:
            echo(f"{result.name}: {result.out}", err=True)
    if as_json:
        players = [_line(result, results, poker=poker) for result in results]
        output = {"hands": match.hands, "seed": seed, "seconds": round(seconds, 3), "players": players}
        echo(msgspec.json.encode(output))
    else:
        hands = count(match.hands, "hand" if poker else "game")
        echo(
            f"{hands} of {games.variant if isinstance(games, MovesHost) else games.name}, seed {seed}, {seconds:.1f} s"
        )
        _print(results, poker=poker)


def _complaint(result: BotResult) -> str:
    if result.illegal == 1:
        return f"1 illegal answer: {result.complaint}"
    first = f"{result.illegal} illegal answers, the first: " if result.illegal else ""
    return f"{first}{result.complaint}"


def _ranked(results: Sequence[BotResult]) -> list[BotResult]:
    """Return the results with the best first, and disqualified bots last."""
    return sorted(results, key=lambda result: (result.out is not None, -result.net))


def _line(result: BotResult, results: Sequence[BotResult], *, poker: bool) -> ResultLine:
    rate, low, high = (round(figure, 3) + 0.0 for figure in (result.rate, result.low, result.high))  # -0.0 is 0.0
    ms = result.ms_per_answer
    return ResultLine(
        result.name,
        result.seat,
        result.net,
        rate if poker else UNSET,
        UNSET if poker else rate,
        low,
        high,
        result.illegal,
        result.answers,
        None if ms is None else round(ms, 4),
        1 + _ranked(results).index(result),
        overlapping(result, results),
    )


def _place(result: BotResult, results: Sequence[BotResult]) -> str:
    """Return the places that are possible for a bot within the intervals, such as 2 or 1–3."""
    best = 1 + sum(other.low > result.high for other in results)
    worst = len(results) - sum(other.high < result.low for other in results)
    return str(best) if best == worst else f"{best}–{worst}"


def _print(results: Sequence[BotResult], *, poker: bool) -> None:
    table, digits = Table(), 1 if poker else 2
    won, rate = ("chips won", "bb/100") if poker else ("won", "per game")
    for heading in ("#", "bot", "seat", won, rate, "± 95 %", "illegal", "ms/answer"):
        named = heading == "bot"
        table.add_column(heading, justify="left" if named else "right", overflow="fold", no_wrap=not named)
    for result in _ranked(results):
        ms = result.ms_per_answer
        table.add_row(
            "out" if result.out else _place(result, results),
            result.name,
            str(result.seat),
            f"{result.net:+,}",
            f"{result.rate:+.{digits}f}",
            f"{(result.high - result.low) / 2:.{digits}f}" if math.isfinite(result.high) else "–",
            str(result.illegal),
            "–" if ms is None else f"{ms:.2f}",
        )
    print_table(table)
    if any(overlapping(result, results) for result in results):
        echo("#: a range: more hands will decide")
