"""What the benchmark of compiled play found, and the goals it is held to."""

from msgspec import Struct

from benchmarks.fast_evaluators import EVAL7
from benchmarks.fast_peers import BOTS, POKERKIT
from benchmarks.rules import Spread

TIMES_OPEN_SPIEL, TIMES_POKERKIT, SHARE_OF_REFERENCE = 30, 5000, 0.9
TIMES_EVALUATOR, TIMES_EVAL7 = 25, 1
TIMES_REFERENCE_EQUITY = 2
TIMES_TWO_CORES, IDLE = 1.7, 0.1
GROWN_MIB, FIRST_SECONDS, LATER_SECONDS = 8, 10, 1.5
EQUITY = "0.812555"
"""The goals. Two cores are judged only where others took less than this share of the machine meanwhile."""

COMPILED, PLAIN, REFERENCE = "pitboss, compiled", "pitboss, plain", "C++ reference"
ALL_CORES, ONE_CORE, ONE_CALL = "pitboss, a big array", "pitboss, an array on one core", "pitboss, one hand a call"


class Line(Struct, frozen=True):
    """One side of a comparison."""

    name: str
    called: str
    version: str | None = None
    absent: str | None = None  #: why it was not measured
    pieces: int = 0  #: a round
    per_second: Spread | None = None
    times: Spread | None = None  #: how many times as much the first line does, within a round
    actions: float | None = None  #: a hand


class EquityFigures(Struct, frozen=True):
    """AhAd against KsKc before the flop, exactly."""

    equity: float
    boards: int
    milliseconds: Spread
    dealt: Spread | None = None  #: every board dealt in C++
    counted: Spread | None = None  #: pitboss's algorithm in C++
    times_dealt: Spread | None = None  #: how much longer pitboss takes, within a round
    times_counted: Spread | None = None


class CoresFigures(Struct, frozen=True):
    """Hands a second by wall time; `others` is the share of the machine that other processes took meanwhile."""

    hands: int
    others: float | None
    cores: tuple[int, ...]
    per_second: tuple[Spread, ...]
    times: tuple[Spread, ...]  #: one core's, within a round


class ProcessFigures(Struct, frozen=True):
    """What whole processes need."""

    fewer: int
    more: int
    grown_mib: float  #: by how much more memory the many hands needed at most
    hands: int
    first: Spread  #: seconds from start to end with an empty cache
    later: Spread  #: with what the first one left


class Growth(Struct, frozen=True):
    """How cost grows, on one core."""

    hands: tuple[int, ...]
    seconds: tuple[float, ...]  #: by number of hands
    seats: tuple[int, ...]
    per_second: tuple[float, ...]  #: by seats
    reference: tuple[float, ...]  #: by seats; empty without a compiler


class Goal(Struct, frozen=True):
    """Something wanted, and what was found; None where it could not be judged."""

    name: str
    found: Spread | None
    wanted: float
    at_least: bool = True
    digits: int = 1
    unit: str = ""
    absent: str = ""  #: why it could not be judged
    note: str = ""

    @property
    def missed(self) -> bool:
        """Whether the median is on the wrong side."""
        if self.found is None:
            return False
        return self.found.median < self.wanted if self.at_least else self.found.median > self.wanted

    @property
    def target(self) -> str:
        """The goal in words."""
        return f"at {'least' if self.at_least else 'most'} {self.wanted:,g}{self.unit}"

    def number(self, figure: float) -> str:
        """A figure as it is printed."""
        return f"{figure:,.{self.digits}f}{self.unit}"


class FastReport(Struct, frozen=True):
    """All figures of compiled play."""

    load: float  #: how many processes wanted a processor in the minute before
    compiler: str | None  #: which built the reference
    no_reference: str | None  #: why there is none
    compared: int  #: hands that the reference played too
    same: bool  #: whether every stack and count was the same
    rounds: int
    play: tuple[Line, ...]
    evaluate: tuple[Line, ...]
    single: tuple[Line, ...]
    equity: EquityFigures
    cores: CoresFigures
    processes: ProcessFigures
    growth: Growth

    def goals(self) -> list[Goal]:
        """All goals, in the order of the page."""
        return [
            _times_of(self.play, "times OpenSpiel's bots in C++", BOTS, TIMES_OPEN_SPIEL, 1),
            _times_of(self.play, "times PokerKit", POKERKIT, TIMES_POKERKIT, 0),
            _times_of(self.play, "of the C++ reference", REFERENCE, SHARE_OF_REFERENCE, 2),
            self._evaluate(),
            _times_of(self.single, "one hand a call, times eval7", EVAL7, TIMES_EVAL7, 2),
            Goal(
                "times the C++ reference's time",
                self.equity.times_dealt,
                TIMES_REFERENCE_EQUITY,
                at_least=False,
                digits=2,
                absent=self.no_reference or "",
            ),
            self._two_cores(),
            *self._processes(),
        ]

    def missed(self) -> list[str]:
        """A sentence for each goal that was not reached, and for what proved different."""
        found = [
            f"{goal.name}: {goal.number(goal.found.median)}; the goal is {goal.target}"
            for goal in self.goals()
            if goal.found is not None and goal.missed
        ]
        if not self.same:
            found.append("the reference and pitboss do not play the same hands")
        if f"{self.equity.equity:.6f}" != EQUITY:
            found.append(f"AhAd wins {self.equity.equity:.6f} against KsKc, not {EQUITY}")
        return found

    def unjudged(self) -> list[str]:
        """A sentence for each goal that could not be judged."""
        return [f"{goal.name}: not judged, {goal.absent}" for goal in self.goals() if goal.found is None]

    def _evaluate(self) -> Goal:
        """Compared with the fastest peer."""
        peers = [line for line in self.evaluate if line.per_second and line.name not in (ALL_CORES, ONE_CORE)]
        name, wanted = "seven cards ranked, times the fastest peer", TIMES_EVALUATOR
        if not peers:
            return Goal(name, None, wanted, absent="no peer is installed")
        fastest = max(peers, key=lambda line: line.per_second.median if line.per_second else 0)
        return Goal(f"{name} ({fastest.name})", fastest.times, wanted)

    def _processes(self) -> list[Goal]:
        found = self.processes
        grown = Spread(found.grown_mib, found.grown_mib, found.grown_mib)
        more = f"most memory held, {found.more:,} hands after {found.fewer:,}"
        whole = f"a whole process that plays {found.hands:,} hands"
        return [
            Goal("memory grown", grown, GROWN_MIB, at_least=False, unit=" MiB", note=more),
            Goal(
                "first call after installation",
                found.first,
                FIRST_SECONDS,
                at_least=False,
                digits=2,
                unit=" s",
                note=f"{whole}, nothing compiled yet",
            ),
            Goal("in a later process", found.later, LATER_SECONDS, at_least=False, digits=2, unit=" s", note=whole),
        ]

    def _two_cores(self) -> Goal:
        cores, name = self.cores, "two cores, times one"
        if 2 not in cores.cores:
            return Goal(name, None, TIMES_TWO_CORES, absent="there is one core")
        if cores.others is not None and cores.others > IDLE:
            busy = f"others took {cores.others:.0%} of the machine"
            return Goal(name, None, TIMES_TWO_CORES, absent=busy)
        return Goal(name, cores.times[cores.cores.index(2)], TIMES_TWO_CORES, digits=2)


def _times_of(lines: tuple[Line, ...], name: str, peer: str, wanted: float, digits: int) -> Goal:
    line = next(line for line in lines if line.name == peer)
    return Goal(name, line.times, wanted, digits=digits, absent=line.absent or "")
