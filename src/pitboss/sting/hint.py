"""Hints: every action on offer is tried on sampled cards and played on by the best policy.

A hint uses only the Player's view: hidden cards, decks and chance are sampled anew for every try.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.stats import Mean
from pitboss.sting.cards import HIDDEN, ROLES
from pitboss.sting.events import RunAction
from pitboss.sting.hand import PLAYER
from pitboss.sting.run import Run
from pitboss.sting.sharp import sharp, standing

MOST_HANDS = 10
"""How many hands an endless run is played on."""


class Tried(Struct, frozen=True):
    """An action, and its results over all tries."""

    action: RunAction
    cash: float  #: the expected cash at the end of the run
    bust: float  #: the share of tries that ended in a bust
    won: float  #: the share of tries that won the run


class Hint(Struct, frozen=True):
    """What the best policy would do, and how the actions compare."""

    action: RunAction
    hardly_differs: bool  #: whether the tries do not show that the next action is worse
    tried: tuple[Tried, ...]  #: best first


def hint(run: Run, seed: int, trials: int = 100) -> Hint:
    """Try every action this often; the same seed gives the same hint."""
    view, legal = run.view(), run.legal()
    if not legal:
        raise Refused("run_over", "the run is over, so there is no action to suggest")
    chances = [Chance(seed).fork(trial) for trial in range(trials if len(legal) > 1 else 1)]
    results = {action: [_play_out(sample(view, chance), action) for chance in chances] for action in legal}
    tried = sorted((_tried(action, result) for action, result in results.items()), key=lambda each: -each.cash)
    best = tried[0]
    differs = len(tried) == 1 or _clearly(results[best.action], results[tried[1].action])
    return Hint(best.action, not differs, tuple(tried))


def _tried(action: RunAction, ends: list[Run]) -> Tried:
    count = len(ends)
    bust = sum([run.hand.outcome == "bust" for run in ends])
    won = sum([run.won for run in ends])
    return Tried(action, sum(map(standing, ends)) / count, bust / count, won / count)


def _clearly(best: list[Run], next_best: list[Run]) -> bool:
    low, _ = Mean(standing(one) - standing(other) for one, other in zip(best, next_best, strict=True)).interval()
    return low > 0


# --- one try


def sample(view: Run, chance: Chance) -> Run:
    """Return a run that the Player cannot tell from the real one: hidden cards are drawn from those that are left."""
    hand = view.hand
    hands, decks, down = list(hand.hands), list(hand.decks), list(hand.down)
    for place in range(len(ROLES)):
        unseen = chance.shuffled(_unseen(view, place))
        if place != PLAYER:
            hands[place], unseen = unseen[: len(hands[place])], unseen[len(hands[place]) :]
            for at, (owner, card) in enumerate(down):
                if owner == place and card == HIDDEN:
                    down[at], unseen = (place, unseen[0]), unseen[1:]
        decks[place] = unseen
    sampled = replace(hand, hands=tuple(hands), decks=tuple(decks), down=tuple(down))
    return replace(view, hand=sampled, seed=chance.bits(), chance=chance.bits())


def _unseen(view: Run, place: int) -> list[str]:
    """Return the cards of a place that the Player cannot see."""
    hand = view.hand
    left = Counter(view.listed[place])
    left.subtract(view.discards[place])
    if not hand.over:  # after the hand they are among the discards
        left.subtract(card for owner, card in hand.table if owner == place)
    if place == PLAYER:
        left.subtract(hand.hands[PLAYER])
        left.subtract(view.bought)
        left.subtract(_own_down(view))
    return list(left.elements())


def _own_down(view: Run) -> Iterable[str]:
    return () if view.hand.over else [card for owner, card in view.hand.down if owner == PLAYER]


def _play_out(run: Run, action: RunAction) -> Run:
    """Play on to the end of this hand or, between two hands, to the end of the run."""
    chance, between = Chance(run.chance), run.hand.over
    run, _ = run.act(action)
    until = run.number + MOST_HANDS
    while not (run.over or run.number > until or (run.hand.over and not between)):
        run, _ = run.act(sharp(run.view(), chance))
    return run
