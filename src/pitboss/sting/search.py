"""An evolutionary search over the weights of `sharp`, to see whether any policy lives forever or nearly always wins."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

from msgspec import Struct, structs

from pitboss.chance import Chance
from pitboss.sting.cards import CardSet, default_cards
from pitboss.sting.run import Run
from pitboss.sting.sharp import BEST, Weights, decide

Goal = Callable[["Found"], float]
PARENTS = 6
"""How many of a generation have children."""
GOALS: dict[str, Goal] = {
    "cash": lambda found: found.cash,
    "wins": lambda found: found.wins,
    "hands": lambda found: found.hands,
}
"""What can be maximised."""


class RunSetting(Struct, frozen=True):
    """What is played: the Player's deck and the difficulty."""

    deck: str
    difficulty: str


class Found(Struct, frozen=True, kw_only=True):
    """Weights, and their results."""

    weights: Weights
    cash: float  #: mean over all runs
    wins: float  #: share of all runs
    folds: float
    hands: float  #: mean per run


def try_weights(weights: Weights, settings: Sequence[RunSetting], seeds: range, cards: CardSet | None = None) -> Found:
    """Play every setting with every seed."""
    runs = [play_weights(weights, setting, seed, cards or default_cards()) for setting in settings for seed in seeds]
    hands = sum(run.number for run, _ in runs)
    return Found(
        weights=weights,
        cash=sum(run.cash for run, _ in runs) / len(runs),
        wins=sum(run.won for run, _ in runs) / len(runs),
        folds=sum(folds for _, folds in runs) / hands,
        hands=hands / len(runs),
    )


def play_weights(weights: Weights, setting: RunSetting, seed: int, cards: CardSet, most: int = 300) -> tuple[Run, int]:
    """Play a run to its end, or up to `most` hands; return it and the number of folded hands."""
    run, _ = Run.start(seed=seed, cards=cards, decks={"player": setting.deck}, difficulty=setting.difficulty)
    folds = 0
    while not run.over and run.number < most:
        was_over = run.hand.over
        run, _ = run.act(decide(run.view(), weights))
        folds += run.hand.outcome == "fold" and not was_over
    return run, folds


def vary(weights: Weights, chance: Chance, reach: float) -> Weights:
    """Return weights nearby: about half of them are multiplied by up to 1 + reach or its inverse."""
    changed = {}
    for name in weights.__struct_fields__:
        value = getattr(weights, name)
        if chance.below(2):
            value *= (1 + reach) ** (2 * chance.uniform() - 1)
            value += reach * (chance.uniform() - 0.5) * 0.1
        changed[name] = value
    return structs.replace(weights, **changed)


def search(
    settings: Sequence[RunSetting],
    *,
    generations: int,
    children: int,
    runs: int,
    seed: int,
    goal: Goal,
    pool: Executor,
    start: Weights = BEST,
) -> Iterator[list[Found]]:
    """Yield the best of each generation, best first; the last are judged again on four times as many new runs.

    Every generation plays other seeds, so that luck is not inherited.
    """
    chance, parents = Chance(seed), [start]
    for generation in range(generations + 1):
        last = generation == generations
        reach = 0.8 * (1 - generation / generations) + 0.1
        brood = parents + ([] if last else [vary(chance.choice(parents), chance, reach) for _ in range(children)])
        first = seed + generation * runs
        numbers = range(first, first + (4 * runs if last else runs))
        tries = [pool.submit(try_weights, weights, settings, numbers) for weights in brood]
        found = sorted([each.result() for each in tries], key=goal, reverse=True)[:PARENTS]
        parents = [each.weights for each in found]
        yield found
