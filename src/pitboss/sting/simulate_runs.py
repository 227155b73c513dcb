"""Whole runs by one policy, and what came of them: length, cash, folds, busts and wins with their intervals."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import CardSet, Role
from pitboss.sting.events import Outcome
from pitboss.sting.hand import AS_PRINTED, Variation
from pitboss.sting.run import Run
from pitboss.sting.run_events import Buy, Ending
from pitboss.sting.run_policies import RUN_PLAYERS, RunPolicy
from pitboss.sting.simulate import Average, Share, UnknownPolicy, average_of, share_of
from pitboss.sting.spread import spread

BLOCK = 100
"""Runs worked out at a time, by one process."""
WORTH_A_POOL = 5 * BLOCK
MOST_HANDS = 300
"""A run that lives so long is taken to live for ever."""
_POLICY = 1 << 40
"""The label of a policy's own chance."""


class RunExperiment(Struct, frozen=True, kw_only=True):
    """What is played: the cards, the decks by name, the difficulty, and the seed of all chance."""

    cards: CardSet
    decks: Mapping[Role, str]
    difficulty: str
    answers: Answers = Answers.FOLLOWING
    variation: Variation = AS_PRINTED
    seed: int = 0


class RunResult(Struct, frozen=True, kw_only=True):
    """How a policy did."""

    player: str
    runs: int
    cash: Average
    hands: Average  #: a run
    win: Share  #: of all runs: the target reached
    bust: Share
    caught: Share
    alive: Share  #: not over after `MOST_HANDS`
    fold: Share  #: of all hands
    bought: Average  #: cards a run


class RunTally(Struct):
    """How often everything came out, so that parts add up exactly, in any order."""

    endings: Counter[Ending | None]
    outcomes: Counter[Outcome]
    cash: Counter[int]
    hands: Counter[int]
    bought: Counter[int]

    def add(self, other: "RunTally") -> None:
        """Count what another has counted."""
        for name in self.__struct_fields__:
            getattr(self, name).update(getattr(other, name))


def simulate_runs(
    game: RunExperiment,
    players: Sequence[str],
    runs: int,
    *,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[RunResult]:
    """Every policy with the same runs; `advance` is called after each of the `run_blocks`."""
    for player in players:
        if player not in RUN_PLAYERS:
            raise UnknownPolicy(f"there is no policy {player!r}: there are {', '.join(RUN_PLAYERS)}")
    tallies = {player: _nothing() for player in players}
    jobs = (jobs or os.cpu_count() or 1) if runs * len(players) >= WORTH_A_POOL else 1
    for player, tally in spread(play_runs, [(game, *block) for block in run_blocks(players, runs)], jobs):
        tallies[player].add(tally)
        advance()
    return [_result(player, tally) for player, tally in tallies.items()]


def run_blocks(players: Sequence[str], runs: int) -> list[tuple[str, range]]:
    """The work in pieces: a policy and the numbers of its runs."""
    return [(player, range(at, min(at + BLOCK, runs))) for player in players for at in range(0, runs, BLOCK)]


def play_runs(game: RunExperiment, player: str, numbers: range) -> tuple[str, RunTally]:
    """Some runs of a policy, counted."""
    tally, policy = _nothing(), RUN_PLAYERS[player]
    for number in numbers:
        run = play_number(game, policy, number, tally.outcomes)
        tally.endings[run.ending] += 1
        tally.cash[run.cash] += 1
        tally.hands[run.number] += 1
        tally.bought[sum(isinstance(action, Buy) for action in run.actions)] += 1
    return player, tally


def start_number(game: RunExperiment, number: int) -> tuple[Run, Chance]:
    """A run at its beginning, and its policy's chance; the number decides the cards and the opponents' moods."""
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
    """One run to its end, or to `MOST_HANDS`."""
    run, own = start_number(game, number)
    playing = True
    while not run.over and not (run.hand.over and run.number >= MOST_HANDS):
        playing = not run.hand.over
        run, _ = run.act(policy(run.view(), own))
        if playing and run.hand.outcome is not None and outcomes is not None:
            outcomes[run.hand.outcome] += 1
    return run


def _nothing() -> RunTally:
    return RunTally(Counter(), Counter(), Counter(), Counter(), Counter())


def _result(player: str, tally: RunTally) -> RunResult:
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
