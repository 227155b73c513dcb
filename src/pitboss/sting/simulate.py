"""Plays many hands or runs of a policy on several processes, and reports the results with intervals."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from msgspec import Struct, field

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.stats import Mean, proportion
from pitboss.sting.cards import ROLES, CardSet, Role
from pitboss.sting.events import Buy, Ending, Outcome
from pitboss.sting.hand import AS_PRINTED, MOST_DRAWN, PLAYER, StingHand, Variation
from pitboss.sting.policies import OPPONENTS, PLAYERS, RUN_PLAYERS, RunPolicy, StingPolicy
from pitboss.sting.run import Run

Result = TypeVar("Result")
BLOCK = 1000
"""The number of hands that one process plays at a time."""
WORTH_A_POOL = 10 * BLOCK
"""The minimum number of hands for other processes. With fewer, starting the processes takes longer than playing."""
RUN_BLOCK = 100
"""The number of runs that one process plays at a time."""
RUNS_WORTH_A_POOL = 5 * RUN_BLOCK
MOST_HANDS = 300
"""The maximum number of hands of a run. A run that reaches it is stopped and counts as alive."""
_POLICY = 1 << 40
"""The label of the random numbers of a policy."""


def work_on(work: Callable[..., Result], pieces: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Result]:
    """Yield the results of all pieces when they are ready. One process works on them, or several new ones."""
    if jobs < 2:
        yield from (work(*piece) for piece in pieces)
        return
    # Only the waiting process handles an interrupt, and stops the others. They ignore interrupts.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=signal.signal, initargs=ignoring)
    try:
        yield from _keep_busy(pool, jobs, work, pieces)
    finally:
        pool.shutdown(cancel_futures=True)


def _keep_busy(
    pool: ProcessPoolExecutor, jobs: int, work: Callable[..., Result], pieces: Sequence[tuple[Any, ...]]
) -> Iterator[Result]:
    """Give every process work, with a short queue so that an interrupt is quick."""
    waiting = iter(pieces)
    running: set[Future[Result]] = set()
    while True:
        running |= {pool.submit(work, *piece) for piece in islice(waiting, 2 * jobs - len(running))}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


class UnknownPolicy(PitbossError, ValueError):
    """The policy does not exist."""


class Share(Struct, frozen=True):
    """A share of all hands, with its 95 % interval."""

    rate: float
    low: float
    high: float


class Average(Struct, frozen=True):
    """A mean over all hands, with its 95 % interval. The interval of a single hand is infinite."""

    mean: float
    low: float
    high: float


class PolicyResult(Struct, frozen=True, kw_only=True):
    """The results of a policy in single hands."""

    player: str
    hands: int
    win: Share
    bust: Share
    fold: Share
    paid: Share  #: hands won with a positive profit
    profit: Average
    heat: Average
    cards: Average  #: number of cards that the Player played


class Experiment(Struct, frozen=True, kw_only=True):
    """The setting of single hands: cards, decks, rules, and the seed of all random numbers."""

    cards: CardSet
    decks: Mapping[Role, tuple[str, ...]]
    answers: Answers = Answers.FOLLOWING
    variation: Variation = AS_PRINTED
    seed: int = 0

    @classmethod
    def of(
        cls,
        cards: CardSet,
        *,
        deck: str | None = None,
        narc: str | None = None,
        answers: Answers,
        variation: Variation = AS_PRINTED,
        seed: int,
    ) -> "Experiment":
        """Return a setting with these decks. The default is the first deck of each role."""
        names: Mapping[Role, str | None] = {"narc": narc, "customer": None, "player": deck}
        decks = {role: cards.deck(role, names[role]) for role in ROLES}
        return cls(cards=cards, decks=decks, answers=answers, variation=variation, seed=seed)


class Counts(Struct):
    """The number of times that each result occurred. Parts can be added exactly, in any order."""

    def add(self, other: "Counts") -> None:
        """Add the counts of another part."""
        for name in self.__struct_fields__:
            getattr(self, name).update(getattr(other, name))


class Tally(Counts):
    """Counts of single hands."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    profits: Counter[int] = field(default_factory=Counter)
    heats: Counter[int] = field(default_factory=Counter)
    cards: Counter[int] = field(default_factory=Counter)


class RunTally(Counts):
    """Counts of runs."""

    endings: Counter[Ending | None] = field(default_factory=Counter)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    cash: Counter[int] = field(default_factory=Counter)
    hands: Counter[int] = field(default_factory=Counter)
    bought: Counter[int] = field(default_factory=Counter)


AnyTally = TypeVar("AnyTally", Tally, RunTally)
Piece = tuple[str, range]
"""A policy, and the numbers of the hands or runs that it plays."""


def _add_up(
    play: Callable[..., tuple[str, AnyTally]],
    game: object,
    tallies: dict[str, AnyTally],
    pieces: Sequence[Piece],
    jobs: int,
    advance: Callable[[], None],
) -> None:
    """Play all pieces, and add up the results of each policy."""
    for player, tally in work_on(play, [(game, player, numbers) for player, numbers in pieces], jobs):
        tallies[player].add(tally)
        advance()


def _check_players(players: Sequence[str], known: Iterable[str]) -> None:
    for player in players:
        if player not in known:
            raise UnknownPolicy(f"unknown policy {player!r}: expected one of {', '.join(known)}")


def blocks(players: Sequence[str], count: int, size: int = BLOCK) -> list[Piece]:
    """Split the work into pieces with this number of hands or runs."""
    return [(player, range(at, min(at + size, count))) for player in players for at in range(0, count, size)]


def simulate(
    game: Experiment,
    players: Sequence[str],
    hands: int,
    *,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[PolicyResult]:
    """Play the same deals with every policy. The result does not depend on the number of processes.

    `advance` is called after each of the `blocks`.
    """
    _check_players(players, PLAYERS)
    tallies = {player: Tally() for player in players}
    jobs = (jobs or os.cpu_count() or 1) if hands * len(players) >= WORTH_A_POOL else 1
    _add_up(play_block, game, tallies, blocks(players, hands), jobs, advance)
    return [_result(player, tally) for player, tally in tallies.items()]


def play_hand(game: Experiment, policy: StingPolicy, number: int) -> StingHand:
    """Play one hand to its end. The number determines the cards and the opponents' random numbers."""
    chance = Chance(game.seed).fork(number)
    hand, _ = StingHand.start(
        {role: chance.shuffled(deck, min(MOST_DRAWN, len(deck))) for role, deck in game.decks.items()},
        cards=game.cards,
        answers=game.answers,
        listed=tuple([game.decks[role] for role in ROLES]),
        variation=game.variation,
    )
    while (place := hand.to_act) >= 0:
        act = policy if place == PLAYER else OPPONENTS[place]
        hand, _ = hand.act(act(hand.view(place), chance))
    return hand


def play_block(game: Experiment, player: str, numbers: range) -> tuple[str, Tally]:
    """Play some hands of a policy and count the results."""
    tally, policy = Tally(), PLAYERS[player]
    for number in numbers:
        hand = play_hand(game, policy, number)
        totals, outcome = hand.totals, hand.outcome
        assert outcome is not None
        tally.outcomes[outcome] += 1
        tally.profits[totals.profit] += 1
        tally.heats[totals.heat] += 1
        tally.cards[sum(place == PLAYER for place, _ in hand.table + hand.down)] += 1
    return player, tally


# --- results


def _result(player: str, tally: Tally) -> PolicyResult:
    hands = tally.outcomes.total()
    return PolicyResult(
        player=player,
        hands=hands,
        win=share_of(tally.outcomes["success"], hands),
        bust=share_of(tally.outcomes["bust"], hands),
        fold=share_of(tally.outcomes["fold"], hands),
        paid=share_of(sum(count for profit, count in tally.profits.items() if profit > 0), hands),
        profit=average_of(tally.profits),
        heat=average_of(tally.heats),
        cards=average_of(tally.cards),
    )


def share_of(count: int, hands: int) -> Share:
    """Return a share with its interval."""
    return Share(count / hands, *proportion(count, hands))


def average_of(counted: Counter[int]) -> Average:
    """Return the mean of counted numbers with its interval."""
    mean = Mean(value for value, count in sorted(counted.items()) for _ in range(count))
    return Average(mean.mean, *mean.interval())


class RunExperiment(Struct, frozen=True, kw_only=True):
    """The setting of runs: cards, decks, difficulty, rules, and the seed of all random numbers."""

    cards: CardSet
    decks: Mapping[Role, str]
    difficulty: str
    answers: Answers = Answers.FOLLOWING
    variation: Variation = AS_PRINTED
    seed: int = 0


class RunResult(Struct, frozen=True, kw_only=True):
    """The results of a policy in runs."""

    player: str
    runs: int
    cash: Average
    hands: Average  #: hands per run
    win: Share  #: runs that reached the target
    bust: Share
    caught: Share
    alive: Share  #: runs that are not over after `MOST_HANDS`
    fold: Share  #: share of all hands that were folded
    bought: Average  #: cards bought per run


def simulate_runs(
    game: RunExperiment,
    players: Sequence[str],
    runs: int,
    *,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[RunResult]:
    """Play the same runs with every policy. `advance` is called after each of the `blocks` of `RUN_BLOCK`."""
    _check_players(players, RUN_PLAYERS)
    tallies = {player: RunTally() for player in players}
    jobs = (jobs or os.cpu_count() or 1) if runs * len(players) >= RUNS_WORTH_A_POOL else 1
    _add_up(play_runs, game, tallies, blocks(players, runs, RUN_BLOCK), jobs, advance)
    return [_run_result(player, tally) for player, tally in tallies.items()]


def play_runs(game: RunExperiment, player: str, numbers: range) -> tuple[str, RunTally]:
    """Play some runs of a policy and count the results."""
    tally, policy = RunTally(), RUN_PLAYERS[player]
    for number in numbers:
        run = play_number(game, policy, number, tally.outcomes)
        tally.endings[run.ending] += 1
        tally.cash[run.cash] += 1
        tally.hands[run.number] += 1
        tally.bought[sum(isinstance(action, Buy) for action in run.actions)] += 1
    return player, tally


def start_number(game: RunExperiment, number: int) -> tuple[Run, Chance]:
    """Return a run at its start, and the policy's random numbers. The number determines all cards and numbers."""
    chance = Chance(game.seed).fork(number)
    run, _ = Run.start(
        seed=chance.bits(),
        cards=game.cards,
        decks=game.decks,
        answers=game.answers,
        difficulty=game.difficulty,
        variation=game.variation,
    )
    return run, chance.fork(_POLICY)


def play_number(game: RunExperiment, policy: RunPolicy, number: int, outcomes: Counter[Outcome] | None = None) -> Run:
    """Play one run to its end, or to `MOST_HANDS`."""
    run, own = start_number(game, number)
    playing = True
    while not run.over and not (run.hand.over and run.number >= MOST_HANDS):
        playing = not run.hand.over
        run, _ = run.act(policy(run.view(), own))
        if playing and run.hand.outcome is not None and outcomes is not None:
            outcomes[run.hand.outcome] += 1
    return run


def _run_result(player: str, tally: RunTally) -> RunResult:
    runs, hands = tally.endings.total(), tally.outcomes.total()
    return RunResult(
        player=player,
        runs=runs,
        cash=average_of(tally.cash),
        hands=average_of(tally.hands),
        win=share_of(tally.endings["target"], runs),
        bust=share_of(tally.endings["busted"], runs),
        caught=share_of(tally.endings["caught"], runs),
        alive=share_of(tally.endings[None], runs),
        fold=share_of(tally.outcomes["fold"], hands),
        bought=average_of(tally.bought),
    )
