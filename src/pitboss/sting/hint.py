"""A hint: every action on offer is tried out on sampled cards, played on by the best policy, and the best one named.

It sees the Player's view alone: hidden cards, decks and chance are drawn anew for every try.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.stats import Mean
from pitboss.sting.cards import HIDDEN, ROLES
from pitboss.sting.events import RunAction, format_run_action
from pitboss.sting.hand import PLAYER
from pitboss.sting.run import Run
from pitboss.sting.sharp import sharp, standing

MOST_HANDS = 10
"""So far a run without end is played on."""


class Tried(Struct, frozen=True):
    """An action, and what came of it over all tries."""

    action: RunAction
    cash: float  #: what the run is reckoned to end with, on average
    bust: float  #: the share of tries that ended in a bust
    won: float  #: the share of tries in which the night was over, and won


class Hint(Struct, frozen=True):
    """What the best policy would do, and why."""

    action: RunAction
    why: str
    hardly_differs: bool  #: the next best is as good, as far as so many tries can tell
    tried: tuple[Tried, ...]  #: the best first


def hint(run: Run, seed: int, trials: int = 100) -> Hint:
    """What to do now, by so many tries of each action; the same seed gives the same hint."""
    view, legal = run.view(), run.legal()
    if not legal:
        raise Refused("run_over", "the run is over: there is nothing to advise")
    chances = [Chance(seed).fork(trial) for trial in range(trials if len(legal) > 1 else 1)]
    results = {action: [_play_out(sample(view, chance), action) for chance in chances] for action in legal}
    tried = sorted((_tried(action, result) for action, result in results.items()), key=lambda each: -each.cash)
    best = tried[0]
    differs = len(tried) == 1 or _clearly(results[best.action], results[tried[1].action])
    return Hint(best.action, _why(tried, differs), not differs, tuple(tried))


def _tried(action: RunAction, ends: list[Run]) -> Tried:
    count = len(ends)
    bust = sum([run.hand.outcome == "bust" for run in ends])
    won = sum([run.won for run in ends])
    return Tried(action, sum(map(standing, ends)) / count, bust / count, won / count)


def _clearly(best: list[Run], next_best: list[Run]) -> bool:
    low, _ = Mean(standing(one) - standing(other) for one, other in zip(best, next_best, strict=True)).interval()
    return low > 0


def _why(tried: list[Tried], differs: bool) -> str:
    best = tried[0]
    others = [f"{format_run_action(each.action)} {each.cash:.0f}" for each in tried[1:]]
    if not others:
        return "There is nothing else to do."
    bust = f", a bust in {100 * best.bust:.0f} % of the tries" if best.bust else ""
    hardly = "" if differs else " It hardly differs from the next best."
    said = format_run_action(best.action)
    return f"{said} is reckoned to end with {best.cash:.0f} cash{bust}; {', '.join(others)}.{hardly}"


# --- one try


def sample(view: Run, chance: Chance) -> Run:
    """A run that the Player cannot tell from his own: what he does not know is drawn from what he knows is there."""
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
    """Somebody's cards that lie where the Player cannot look."""
    hand = view.hand
    left = Counter(view.listed[place])
    left.subtract(view.discards[place])
    if not hand.over:  # once it is over, they are among the discards
        left.subtract(card for owner, card in hand.table if owner == place)
    if place == PLAYER:
        left.subtract(hand.hands[PLAYER])
        left.subtract(view.bought)
        left.subtract(_own_down(view))
    return list(left.elements())


def _own_down(view: Run) -> Iterable[str]:
    return () if view.hand.over else [card for owner, card in view.hand.down if owner == PLAYER]


def _play_out(run: Run, action: RunAction) -> Run:
    """The run after this hand or, for what is done between two, at its end."""
    chance, between = Chance(run.chance), run.hand.over
    run, _ = run.act(action)
    until = run.number + MOST_HANDS
    while not (run.over or run.number > until or (run.hand.over and not between)):
        run, _ = run.act(sharp(run.view(), chance))
    return run
