"""Simulate many hands of a flop game between policies: on all cores if there are many, in plain Python if few."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.refusals import SetupError, refused
from pitboss.chance import MASK
from pitboss.fast.compiled import Function
from pitboss.fast.play.interface import Backend, LoopTable, Results, Scratch
from pitboss.fast.play.loops import NO_VERB, NOT_WHOLE
from pitboss.fast.play.packed import PACKED, is_loaded
from pitboss.fast.play.plain import PLAIN
from pitboss.fast.play.setup import DEFAULT_STACK, Policy, PolicyError, RunSetup, Team, setup, whole_number
from pitboss.fast.threads import available_cores, in_order
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Stakes, Structure
from pitboss.stats import Interval, Mean

Progress = Callable[[int, int], object]

BLOCK = 8192
SMALL = 20_000
"""Simulations of at most this many simple hands run plain: that takes about as long as loading compiled code."""
VERBS = ("fold", "check", "call", "bet", "raise", "all-in")


class Winnings(Struct, frozen=True):
    """The chips that a seat won per hand, with the 95 % confidence interval of the true mean."""

    policy: str
    mean: float
    interval: Interval


class Simulation(Struct, frozen=True, kw_only=True):
    """The result of a run. The settings and the seed determine all fields but `seconds`, `cores` and `compiled`."""

    hands: int
    seed: int
    seconds: float  #: wall time, without compiling
    cores: int
    compiled: bool
    actions: int
    chips_in: int
    chips_out: int
    seats: tuple[Winnings, ...]

    @property
    def hands_per_second(self) -> float:
        """Hands per second of wall time."""
        return self.hands / self.seconds if self.seconds else 0.0


def simulate(
    hands: int,
    *,
    seats: int = 6,
    policies: Policy | Sequence[Policy] = "random",
    seed: int = 0,
    stacks: int | Sequence[int] = DEFAULT_STACK,
    stakes: Stakes | None = None,
    structure: Structure | str = NO_LIMIT_HOLDEM,
    button: int | None = None,
    cores: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play `hands` hands, each from the same stacks, and return what every seat won.

    `policies` are names ("random", "calling", "tight", "equity") or your own functions, as `fast/play/policies.py`
    explains them, which are compiled too; the seats get them in turn. The button moves one seat per hand unless it is
    given. The same seed gives the same result for any number of cores.

    >>> played = simulate(2000, seats=2, policies=("tight", "calling"), seed=7)
    >>> played.chips_in == played.chips_out == 2000 * 2 * 10_000
    True
    >>> played.seats[0].mean > 0
    True
    """
    hands = whole_number(hands, "hands")
    if hands < 0:
        raise SetupError(f"hands: expected 0 or more, got {hands}")
    table = setup(seats, stacks, stakes, structure, button)
    team = Team.of(policies, seats)
    team.check_game(table.structure)
    wanted = available_cores() if cores is None else whole_number(cores, "cores")
    if wanted < 1:
        raise SetupError(f"cores: expected 1 or more, got {cores}")
    return _play(
        SimulationJob(table, team, whole_number(seed, "seed"), backend_for_hands(hands, team, table)),
        hands,
        wanted,
        progress,
    )


def backend_for_hands(hands: int, team: Team, setup: RunSetup) -> Backend:
    """Return the backend for this many hands between these policies at this table."""
    return PACKED if hands * team.weight > SMALL or is_loaded(team, setup) else PLAIN


class SimulationJob(NamedTuple):
    """The settings of one call, and its backend."""

    setup: RunSetup
    team: Team
    seed: int
    backend: Backend


def _play(job: SimulationJob, hands: int, cores: int, progress: Progress | None) -> Simulation:
    """Play block after block, and add up the results."""
    run = job.backend.run(job.team, job.setup)  # first, because it reports a package that is not installed
    seats, table = job.setup.seats, job.backend.table(job.setup)
    pieces = (range(first, min(first + BLOCK, hands)) for first in range(0, hands, BLOCK))
    cores = min(cores, 1 + hands // BLOCK) if job.backend.compiled else 1
    spare: list[Workspace] = []
    _play_block(job, run, table, spare, range(0))  # compile or load before the time is measured
    begun = time.perf_counter()
    actions, done = 0, 0
    sums, squares = [0] * seats, [0] * seats
    for block in in_order(lambda numbers: _play_block(job, run, table, spare, numbers), pieces, cores):
        actions += block.actions
        done += block.hands
        sums = [a + b for a, b in zip(sums, block.sums, strict=True)]
        squares = [a + b for a, b in zip(squares, block.squares, strict=True)]
        if progress:
            progress(done, hands)
    seconds = time.perf_counter() - begun
    won = [Mean.of_sums(hands, *both) for both in zip(sums, squares, strict=True)]
    return Simulation(
        hands=hands,
        seed=job.seed,
        seconds=seconds,
        cores=cores,
        compiled=job.backend.compiled,
        actions=actions,
        chips_in=hands * job.setup.chips,
        chips_out=sum(sums) + hands * sum(job.setup.stacks),
        seats=tuple([Winnings(n, m.mean, m.interval()) for n, m in zip(job.team.names, won, strict=True)]),
    )


class Block(NamedTuple):
    """The result of a block of hands; by seat the sums of winnings and of their squares."""

    hands: int
    actions: int
    sums: list[int]
    squares: list[int]


class Workspace(NamedTuple):
    """The memory of a block of hands; later blocks reuse it."""

    scratch: Scratch
    kinds: Any
    stacks: Any
    trouble: Any

    @classmethod
    def of(cls, job: SimulationJob) -> "Workspace":
        """Return a new workspace."""
        row = job.backend.row
        trouble = row(5 if job.team.functions else 0)
        return cls(job.backend.scratch(job.setup, 1), row(job.team.kinds), row(BLOCK * job.setup.seats), trouble)


def _play_block(job: SimulationJob, run: Function, table: LoopTable, spare: list[Workspace], numbers: range) -> Block:
    """Play the hands with these numbers on a spare workspace, or on a new one if other threads use them all."""
    try:
        work = spare.pop()
    except IndexError:
        work = Workspace.of(job)
    backend, seats = job.backend, job.setup.seats
    results = Results(work.stacks, backend.row(seats), backend.row(seats))
    seed, labels = backend.number(job.seed & MASK), backend.numbers(numbers)
    actions = run(table, work.kinds, backend.ranks(job.setup), seed, labels, work.scratch, results, work.trouble)
    if any(work.trouble):
        raise _refusal(job, work.scratch.states[0], [int(number) for number in work.trouble])
    sums = _sums(job, results, len(numbers))
    spare.append(work)
    return Block(len(numbers), int(actions), *sums)


def _sums(job: SimulationJob, results: Results, hands: int) -> tuple[list[int], list[int]]:
    """Return by seat the sums of winnings and of squares; if they overflow in the loop, recompute them from stacks."""
    if job.backend.most is None or hands * job.setup.chips**2 <= job.backend.most:
        return [int(won) for won in results.sums], [int(square) for square in results.squares]
    before, count = job.setup.stacks, job.setup.seats
    by_seat = [
        [int(stack) - before[seat] for stack in results.stacks[seat : hands * count : count]] for seat in range(count)
    ]
    return [sum(won) for won in by_seat], [sum([chips * chips for chips in won]) for won in by_seat]


def _refusal(job: SimulationJob, s: Any, trouble: Sequence[int]) -> PolicyError:
    """Return the error for an illegal action, given the hand, the seat, the verb, the total and the rule's code."""
    hand, seat, verb, to, code = trouble
    who = f"policy {job.team.names[seat]!r} at seat {seat} in hand {hand}"
    if code == NO_VERB:
        return PolicyError(f"{who}: expected a verb of pitboss.betting.core, got {verb}")
    if code == NOT_WHOLE:
        return PolicyError(f"{who}: expected whole numbers as verb and total, got a fraction or too large a number")
    sized = f" to {to}" if verb in (core.BET, core.RAISE) else ""
    total = to if sized else s.bets[s.turn] + s.stacks[s.turn]
    why = refused(code, job.setup.structure.betting, s, total).format()
    return PolicyError(f"{who} chose to {VERBS[verb]}{sized}, which is refused: {why}")
