"""The games that the one suite of laws tries: every type that can be hosted, and what only its makers can say of it.

To put a game under the laws, describe it as a `GameOnTrial` in a file beside this one and add it to `GAMES`; the laws
in `tests/laws/test_every_game.py` ask nothing else. What has to be said of a game:

- `type`, `places`: the `GameType`, and how many play;
- `twins`: two starts of one game that differ in nothing this pair of eyes (a place, or None for a spectator) may see at
  the start. They are then played with the same actions, and for as long as both look the same to these eyes the eyes
  must learn the same. Exchange as many hidden cards as you can that do not come up soon, or little is tried;
- `counts`: whatever must never change: chips in all, cards in all;
- `neighbours`: actions just beside those on offer (one chip more than the most, a card not held, another kind of
  action), which must all be refused. The suite itself adds other places and things that are no actions at all;
- `shows`: the kinds of events by which the rules turn hidden cards up before all; after one, twins go their own ways;
- `longest`: a number of actions after which no game goes on.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from pitboss.chance import Chance
from pitboss.game import Game, GameType
from pitboss.hand.events import Shown
from pitboss.lab.events import CardsShown, HandShown
from pitboss.sting.events import Flipped
from tests.support.laws.lab_games import LABS, lab_counts, lab_neighbours, lab_twins
from tests.support.laws.poker_games import POKERS, poker_counts, poker_neighbours, poker_twins
from tests.support.laws.sting_games import STINGS, sting_counts, sting_neighbours, sting_twins

Start: TypeAlias = tuple[Any, tuple[Any, ...]]
"""A game and the events with which it started."""


class GameOnTrial(NamedTuple):
    """A type of game, and what the laws have to know of it."""

    type: GameType[Any, Any, Any]
    places: int
    twins: Callable[[Chance, int | None], tuple[Start, Start]]
    counts: Callable[[Any], tuple[int, ...]]
    neighbours: Callable[[Any], Iterable[Any]]
    shows: tuple[Any, ...]
    longest: int

    def start(self, chance: Chance) -> tuple[Game, tuple[Any, ...]]:
        """A game of this type."""
        return self.type.start(self.places, chance)


GAMES: dict[str, GameOnTrial] = {}
"""Every game under the laws, by a name for the test report."""

for setting, poker in POKERS:
    GAMES[f"{poker.name}-{setting}"] = GameOnTrial(
        type=poker,
        places=len(poker.stacks),
        twins=poker_twins(poker),
        counts=poker_counts,
        neighbours=poker_neighbours,
        shows=(Shown,),
        longest=1000,
    )

for setting, sting in STINGS:
    GAMES[f"{sting.name}-{setting}"] = GameOnTrial(
        type=sting,
        places=3,
        twins=sting_twins(sting),
        counts=sting_counts,
        neighbours=sting_neighbours,
        shows=(Flipped,),
        longest=100,
    )

for lab in LABS:
    GAMES[f"lab-{lab.name}"] = GameOnTrial(
        type=lab,
        places=lab.genome.player_count,
        twins=lab_twins(lab),
        counts=lab_counts,
        neighbours=lab_neighbours,
        shows=(CardsShown, HandShown),
        longest=5000,
    )
