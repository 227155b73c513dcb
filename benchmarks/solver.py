"""The solver measured: rivers and turns of any two cards against any two, and a known flop, on one thread."""

import datetime as dt
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.page import machine_in_words, markdown
from pitboss import Sizes, Spot, solve
from pitboss.solver.files import read_spot

PRESET = Path(__file__).resolve().parents[1] / "tests" / "solver" / "preset.toml"
HEADINGS = ("processor time of one thread", "median", "lowest to highest", "")
RIVERS = ("Td9d6hQc2s", "AsKd7c7h2d", "8h7h6s2c2d", "QsJsTs5h4c", "Kc9c4c3s2h")
TURNS = ("Td9d6hQc", "AsKd7c7h", "8h7h6s2c", "QsJsTs5h", "Kc9c4c3s")
RIVER_SIZES = Sizes(river="33%, 75%, 150%/60%")
TURN_SIZES = Sizes(turn="50%, 100%/60%", river="50%, 100%/60%")
VALUE, WITHIN = 105.11, 0.2
"""The known value of the flop for the player out of position, in chips."""
TARGETS = (0.005, 0.003)
MOST_SECONDS = {"river": (0.03, 0.04), "turn": (3.0, 4.0), "flop": (0.0, 60.0)}
"""The goals in seconds, for both targets."""
MOST_MEGABYTES = {"float": 1200, "16-bit": 620}


class Amount(msgspec.Struct, frozen=True):
    """How much is measured."""

    rivers: int = 5
    turns: int = 5
    storages: tuple[str, ...] = ("float", "16-bit")


QUICK = Amount(rivers=1, turns=0, storages=())


class Timed(msgspec.Struct, frozen=True):
    """How long a street took until a target."""

    street: str
    target: float
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the spots."""
        return statistics.median(self.seconds)

    @property
    def goal(self) -> float:
        """The most seconds."""
        return MOST_SECONDS[self.street][TARGETS.index(self.target)]


class Preset(msgspec.Struct, frozen=True):
    """What the known flop took."""

    storage: str
    seconds: float
    iterations: int
    megabytes: float
    value: float
    exploitability: float


class SolverReport(msgspec.Struct, frozen=True):
    """All figures."""

    streets: tuple[Timed, ...]
    presets: tuple[Preset, ...]

    def missed(self) -> list[str]:
        """What is slower, larger or less exact than the goals."""
        found = [
            f"the {timed.street} takes {timed.median:.3f} s to {100 * timed.target:g} %; the goal is {timed.goal:g} s"
            for timed in self.streets
            if timed.median > timed.goal
        ]
        for preset in self.presets:
            name, most = f"the flop ({preset.storage})", MOST_MEGABYTES[preset.storage]
            if preset.seconds > MOST_SECONDS["flop"][1]:
                found.append(f"{name} takes {preset.seconds:.0f} s; the goal is {MOST_SECONDS['flop'][1]:g} s")
            if preset.megabytes > most:
                found.append(f"{name} takes {preset.megabytes:.0f} MB; the goal is {most} MB")
            if abs(preset.value - VALUE) > WITHIN:
                found.append(f"{name} is worth {preset.value:.2f}, not {VALUE} ± {WITHIN}")
        return found


def measure_solver(amount: Amount, say: Callable[[str], object]) -> SolverReport:
    """Measure; the loops are compiled before."""
    solve(Spot(oop="AA", ip="KK", board=RIVERS[0], pot=2, stack=2, sizes=Sizes(river="a")), 0.5, threads=1)
    streets = []
    for street, boards, sizes in (
        ("river", RIVERS[: amount.rivers], RIVER_SIZES),
        ("turn", TURNS[: amount.turns], TURN_SIZES),
    ):
        for target in TARGETS if boards else ():
            say(f"the {street} to {100 * target:g} %")
            streets.append(Timed(street, target, tuple([_time(board, sizes, target) for board in boards])))
    presets = []
    for storage in amount.storages:
        say(f"the flop, {storage}")
        presets.append(_preset(storage))
    return SolverReport(tuple(streets), tuple(presets))


def _time(board: str, sizes: Sizes, target: float) -> float:
    begun = time.process_time()
    spot = Spot(oop="random", ip="random", board=board, pot=100, stack=500, sizes=sizes)
    solve(spot, target, threads=1, progress=lambda _state: None)
    return time.process_time() - begun


def _preset(storage: str) -> Preset:
    spot = read_spot(PRESET.read_bytes())
    begun = time.process_time()
    found = solve(spot, TARGETS[1], threads=1, storage=storage, progress=lambda _state: None)
    seconds = time.process_time() - begun
    return Preset(storage, seconds, found.iterations, found.memory_mb, found.value[0], found.exploitability)


def rows(report: SolverReport) -> list[tuple[str, str, str, str]]:
    """A line for each figure."""
    lines = []
    for timed in report.streets:
        low, high = min(timed.seconds), max(timed.seconds)
        spots = f"{len(timed.seconds)} spots; goal: at most {_seconds(timed.goal)}"
        name = f"{timed.street}, any two cards each, to {100 * timed.target:g} %"
        lines.append((name, _seconds(timed.median), f"{_seconds(low)} to {_seconds(high)}", spots))
    for preset in report.presets:
        name = f"the known flop to 0.3 %, {preset.storage}"
        words = f"{preset.iterations} iterations, {preset.megabytes:,.0f} MB, EV {preset.value:.2f} (known: {VALUE})"
        lines.append((name, _seconds(preset.seconds), "", words))
    return lines


def _seconds(number: float) -> str:
    return f"{1000 * number:.0f} ms" if number < 1 else f"{number:.1f} s"


def headline() -> str:
    """What was measured."""
    return "spots solved from the ranges to the target, building and measuring included"


def section(report: SolverReport, today: dt.date) -> str:
    """The solver's part of the page."""
    sentence, missed = headline(), report.missed()
    lines: Sequence[str] = [
        "## The solver",
        "",
        f'`make bench ARGS="solver --write"` wrote this on {today.isoformat()}: {machine_in_words()}.',
        "",
        f"{sentence[:1].upper()}{sentence[1:]}. The known flop is `tests/solver/preset.toml`.",
        "",
        *markdown(HEADINGS, rows(report)),
        *(["", "Missed: " + "; ".join(missed) + "."] if missed else []),
    ]
    return "\n".join(lines) + "\n"
