"""`pitboss arena compare`: whether a new version of a bot is better than the old one, as a step of CI."""

import secrets
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NoReturn

import click
from msgspec import Struct, json

from pitboss.arena.bots import HOUSE, why_not
from pitboss.arena.bots.namespaces import Sandbox
from pitboss.arena.bots.offline import MOVE_TIME_MS, AskedBot, BotResult, KeyedDecks, OfflineStakes
from pitboss.arena.bots.runner import BotNotReady
from pitboss.arena.bots.sandbox import BotLimits, hide_arguments
from pitboss.cli.arena.options import bot_limits, memory_option, sandbox_for_bots, trust_option
from pitboss.cli.arena.play import ANSWERS_A_HAND, CHIPS, SEED_BITS, STRETCH, games_to_play
from pitboss.cli.output import count, echo
from pitboss.cli.progress import progress
from pitboss.client.bot_process import start_bot
from pitboss.client.bots import bot_file
from pitboss.competitions.comparison import DIRECTIONS, BotComparison, Verdict
from pitboss.competitions.intervals import Estimate
from pitboss.printing import printable

COMMAND = "pitboss arena compare"
EXITS: dict[Verdict, int] = {"better": 0, "worse": 1, "undecided": 3}
ERROR, INTERRUPTED = 2, 130
SENTENCES: dict[Verdict, str] = {
    "better": "the new bot is better",
    "worse": "the new bot is worse",
    "undecided": "undecided",
}


class ComparisonLine(Struct):
    """The output of `--json`. The interval is valid at any time, and in big blinds per hundred hands of the new bot."""

    old: str
    new: str
    verdict: Verdict
    hands: int
    bb_per_100: float | None
    low: float
    high: float
    further_hands: int | None
    illegal: dict[str, int]
    seed: int
    seconds: float


@click.command(short_help="find out whether a new version of a bot is better than the old one")
@click.argument("old")
@click.argument("new")
@click.option(
    "--hands", default=20_000, show_default=True, type=click.IntRange(2, 10_000_000), help="Most hands to play."
)
@click.option("--seed", default=None, type=int, help="Seed of cards and house bots (default: random).")
@click.option(
    "--stack", default=10_000, show_default=True, type=CHIPS, help="Chips of each bot at the start of every hand."
)
@click.option("--bb", default=100, show_default=True, type=CHIPS, help="Big blind; the small blind is half of it.")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game to play: poker, a mixed game or a game file.",
)
@click.option(
    "--move-time-ms",
    default=1000,
    show_default=True,
    type=click.IntRange(1, MOVE_TIME_MS * 100),
    help="Time limit for an answer; a late answer is replaced by a check or a fold.",
)
@memory_option
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(
    old: str,
    new: str,
    hands: int,
    seed: int | None,
    stack: int,
    bb: int,
    game: str,
    move_time_ms: int,
    memory_mib: int,
    trust_bots: bool,
    as_json: bool,
) -> None:
    """Play two versions of a bot against each other until it is decided which is better.

    OLD and NEW are bots as in `pitboss arena play`: Python files, module:name, commands in quotes or house bots. They
    play heads-up. Each deal is played both ways, so that both bots get the same cards, and each way has its own
    processes. The match stops as soon as a 95 % interval that is valid at any time excludes zero.

    \b
    Exit code:
      0  NEW is better
      1  NEW is worse
      2  a bot could not be started, or the command line is wrong
      3  undecided after --hands hands

    \b
    Examples:
      pitboss arena compare old.py new.py
      pitboss arena compare old.py new.py --hands 100000 --json
      git show HEAD~1:bot.py > old.py && pitboss arena compare old.py bot.py
    """
    hide_arguments(COMMAND)
    games = games_to_play(game)
    if not bb // 2 <= bb <= stack:
        raise click.UsageError(f"expected --bb up to --stack, got {bb} and {stack}")
    for bot in (old, new):
        reason = why_not(bot, [each.structure for each in games.games]) if bot in HOUSE else None
        if reason is not None:
            raise click.UsageError(reason)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    decks, begun = KeyedDecks(seed), time.perf_counter()
    with ExitStack() as running:
        trusted = trust_bots or (old in HOUSE and new in HOUSE)
        bots = ComparedBots((old, new), decks, bot_limits(memory_mib), _sandbox(trusted), running)
        match = BotComparison(
            ("old", "new"),
            bots.start,
            decks=decks,
            deals=-(-hands // DIRECTIONS),
            stakes=OfflineStakes(stack=stack, small_blind=bb // 2, big_blind=bb),
            move_time_ms=move_time_ms,
            games=games,
        )
        match.set_clock(hands * ANSWERS_A_HAND * move_time_ms / 1000)
        interrupted = False
        try:
            with progress("playing", total=hands) as advance:
                for played in match.play():
                    advance(played)
        except KeyboardInterrupt:
            interrupted = True
    _show((old, new), match, seed, time.perf_counter() - begun, as_json)
    if interrupted:
        echo(f"interrupted after {count(match.hands, 'hand')} of at most {hands}", err=True)
    sys.exit(INTERRUPTED if interrupted else EXITS[match.verdict])


def _sandbox(trusted: bool) -> Sandbox:
    return sandbox_for_bots(COMMAND, trusted=trusted, required=False, brief=True)


class ComparedBots:
    """Starts the old and the new bot for each direction; they end with `running`."""

    def __init__(
        self, bots: tuple[str, str], decks: KeyedDecks, limits: BotLimits, sandbox: Sandbox, running: ExitStack
    ) -> None:
        self._bots, self._decks, self._limits, self._sandbox, self._running = bots, decks, limits, sandbox, running
        self._hidden = [*filter(None, [bot_file(bot) for bot in bots if bot not in HOUSE])]

    def start(self, direction: int) -> Sequence[AskedBot]:
        """Return both bots."""
        return [self._start(bot, name, direction) for bot, name in zip(self._bots, ("old", "new"), strict=True)]

    def _start(self, bot: str, name: str, direction: int) -> AskedBot:
        if bot in HOUSE:
            return HOUSE[bot](self._decks.chance(f"bot {name} {direction}"))
        try:
            runner = start_bot(
                bot,
                limits=self._limits,
                name=name,
                sandbox=self._sandbox,
                hidden=self._hidden,
                stretch=STRETCH,
            )
        except BotNotReady as error:
            _refuse(f"{name} bot {printable(bot)}: {error}")
        self._running.callback(runner.close)
        return runner


def _refuse(sentence: str) -> NoReturn:
    echo(f"{COMMAND}: {sentence}", err=True)
    sys.exit(ERROR)


def _show(bots: tuple[str, str], match: BotComparison, seed: int, seconds: float, as_json: bool) -> None:
    illegal = {}
    for name, results in zip(("old", "new"), match.results(), strict=True):
        illegal[name] = sum(result.illegal for result in results)
        for sentence in dict.fromkeys(filter(None, map(_complaint, results))):
            echo(f"{name} bot: {sentence}", err=True)
    estimate, further = match.estimate(), match.further_hands()
    if as_json:
        mean = None if not estimate.blocks else round(estimate.mean, 3) + 0.0
        line = ComparisonLine(
            *bots,
            match.verdict,
            match.hands,
            mean,
            round(estimate.low, 3) + 0.0,
            round(estimate.high, 3) + 0.0,
            further,
            illegal,
            seed,
            round(seconds, 3),
        )
        echo(json.encode(line))
        return
    echo(f"{SENTENCES[match.verdict]}: {_rate(estimate)}")
    echo(f"{count(match.hands, 'hand')}, seed {seed}, {seconds:.1f} s")
    if match.verdict == "undecided" and further is not None:
        echo(f"about {further:,} more hands would decide, if the difference stays as it is")


def _rate(estimate: Estimate) -> str:
    if not estimate.blocks:
        return "no deal was played both ways"
    low, high = f"{estimate.low:+,.1f}", f"{estimate.high:+,.1f}"
    return f"the new bot wins {estimate.mean:+,.1f} bb/100, 95 % interval {low} to {high}"


def _complaint(result: BotResult) -> str:
    if result.out:
        return result.out
    return f"{count(result.illegal, 'illegal answer')}, the first: {result.complaint}" if result.illegal else ""
