"""Simulate hands between policies: flop games compiled and on all cores if loading pays, else in plain Python.

All other games are played in plain Python.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.refusals import SetupError, refused
from pitboss.chance import MASK
from pitboss.fast.compiled import Function, numba
from pitboss.fast.play.backend import PLAIN, Backend, Block, LoopTable, Results, Scratch
from pitboss.fast.play.loops import NO_VERB, NOT_WHOLE
from pitboss.fast.play.other_games import play_hands
from pitboss.fast.play.packed import PACKED, run_switch
from pitboss.fast.play.setup import (
    DEFAULT_STACK,
    NotCompilable,
    Policy,
    PolicyError,
    RunSetup,
    Team,
    setup,
    whole_number,
    why_not_compiled,
)
from pitboss.fast.switch import is_installed
from pitboss.fast.threads import Progress, available_cores, in_order
from pitboss.hand.games import USUAL_GAME, AnyGame, find_game, given_game
from pitboss.hand.structure import Stakes
from pitboss.signatures import brief
from pitboss.stats import Interval, Mean

BLOCK, PLAIN_BLOCK = 8192, 64
"""Hands per block: of the loops, and of a game that only plain Python plays."""
HAND, SEAT = 15e-6, 5e-6
"""Seconds of plain Python for a hand and for each of its seats, with the simplest policies."""
LONG = 1.0
"""Without Numba, hands that take longer than this are refused with the command to install it."""
VERBS = ("fold", "check", "call", "bet", "raise", "all-in")


class Winnings(Struct, frozen=True):
    """The chips that a seat won per hand, with the 95 % confidence interval of the true mean."""

    policy: str
    mean: float
    interval: Interval


class Simulation(Struct, frozen=True, kw_only=True):
    """The result of a run. The settings and the seed determine all fields but `seconds`, `cores` and `compiled`.

    >>> from pitboss import simulate
    >>> played = simulate(100, seats=2, seed=1)
    >>> played.hands, len(played.seats), played.chips_in == played.chips_out
    (100, 2, True)
    """

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


@brief("hands", "seats", "policies", "game", "seed")
def simulate(
    hands: int,
    *,
    seats: int = 6,
    policies: Policy | Sequence[Policy] = "random",
    seed: int = 0,
    stacks: int | Sequence[int] = DEFAULT_STACK,
    stakes: Stakes | None = None,
    game: AnyGame = USUAL_GAME,
    button: int | None = None,
    cores: int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
    structure: AnyGame | None = None,
) -> Simulation:
    """Play `hands` hands, each from the same stacks, and return what every seat won.

    `policies` are names ("random", "calling", "tight", "equity") or your own functions. `fast/play/policies.py`
    explains such functions, which are compiled too. The seats get the policies in turn. The button moves one seat per
    hand unless it is given. The same seed gives the same result for any number of cores. `stacks` is one number of
    chips, or one per seat, and `stakes` replaces the blinds of 50 and 100. `progress` is called with the hands done and
    the hands in all. `structure` is an older name of `game`.

    Compiled code is loaded when plain Python has taken as long as loading takes; `compiled` forces compiled code (True)
    or plain Python (False), with the same result. Games that are not flop games, such as stud and draw games and games
    with discards, several boards, a choice of runs or wild cards, are always played in plain Python, by "random" and
    "calling". For them `compiled=True` raises an error.

    >>> played = simulate(2000, seats=2, policies=("tight", "calling"), seed=7)
    >>> played.chips_in == played.chips_out == 2000 * 2 * 10_000
    True
    >>> played.seats[0].mean > 0
    True
    """
    hands = whole_number(hands, "hands")
    if hands < 0:
        raise SetupError(f"hands: expected 0 or more, got {hands}")
    table = setup(seats, stacks, stakes, find_game(given_game(game, structure)), button, any_game=not compiled)
    team = Team.of(policies, seats)
    team.check_game(table.structure)
    wanted = available_cores() if cores is None else whole_number(cores, "cores")
    if wanted < 1:
        raise SetupError(f"cores: expected 1 or more, got {cores}")
    job = SimulationJob(table, team, whole_number(seed, "seed"))
    if why_not_compiled(table.structure):
        return _add_up(job, hands, 1, lambda numbers: play_hands(table, team, job.seed, numbers), progress, PLAIN_BLOCK)
    seconds = hands * team.weight * (HAND + SEAT * table.seats)
    if compiled is None and seconds > LONG and not is_installed():
        numba()  # raises an error that says what to install
    switch = run_switch(team, table)

    def play_compiled() -> Simulation:
        try:
            return _play(job._replace(backend=PACKED), hands, wanted, progress)
        except NotCompilable:
            if compiled:
                raise
        switch.close()
        return _play(job, hands, wanted, progress)

    return switch.run(seconds, lambda: _play(job, hands, wanted, progress), play_compiled, compiled)


class SimulationJob(NamedTuple):
    """The settings of one call, and its backend."""

    setup: RunSetup
    team: Team
    seed: int
    backend: Backend = PLAIN


def _play(job: SimulationJob, hands: int, cores: int, progress: Progress | None) -> Simulation:
    """Play the hands in the loops."""
    run = job.backend.run(job.team, job.setup)  # this comes first, because it reports a missing package
    table = job.backend.table(job.setup)
    cores = min(cores, 1 + hands // BLOCK) if job.backend.compiled else 1
    spare: list[Workspace] = []
    _play_block(job, run, table, spare, range(0))  # compile or load before the time is measured
    return _add_up(job, hands, cores, lambda numbers: _play_block(job, run, table, spare, numbers), progress, BLOCK)


def _add_up(
    job: SimulationJob, hands: int, cores: int, play: Callable[[range], Block], progress: Progress | None, size: int
) -> Simulation:
    """Play block after block of this number of hands, and add up the results."""
    seats = job.setup.seats
    pieces = (range(first, min(first + size, hands)) for first in range(0, hands, size))
    begun = time.perf_counter()
    actions, done = 0, 0
    sums, squares = [0] * seats, [0] * seats
    for block in in_order(play, pieces, cores):
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
    """Play the hands with these numbers in a free workspace, or in a new one if other threads use all of them."""
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
    """Return the sums of winnings and of their squares by seat.

    If the sums of the loop have overflowed, compute them from the stacks.
    """
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
