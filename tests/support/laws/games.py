"""The games under the common suite of laws: every type that can be hosted, and what only its makers know about it.

To put a game under the laws, describe it as a `GameOnTrial` in a file of this folder and add it to `GAMES`; the laws
in `tests/laws/test_every_game.py` need nothing else. A description consists of:

- `type`, `places`: the `GameType`, and the number of players;
- `twins`: two starts of one game that look the same to these eyes (a place, or None for a spectator). They are then
  played with the same actions, and as long as both look the same to these eyes, the eyes
  must learn the same. Exchange as many hidden cards as possible that do not come up soon, or little is tested;
- `other_world`: a state in which the cards that these eyes do not see have changed places. It is found without `view`;
- `elsewhere`: an action of one world as it is in the other. If an action names a card that others do not see, it is the
  card in the same place; all other actions are the same;
- `counts`: numbers that must never change, such as all chips or all cards;
- `neighbours`: actions just outside those on offer (one chip more than the most, a card not held, another kind of
  action), which must all be refused. The suite itself adds other places and values that are not actions at all;
- `shows`: the kinds of events by which the rules turn up hidden cards for all; after one, twins are no longer compared;
- `longest`: a number of actions after which every game has ended.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from pitboss.chance import Chance
from pitboss.game import Game, GameType
from pitboss.hand.events import Shown
from pitboss.lab.events import CardsShown, HandShown
from pitboss.lab.game_type import LabGameType
from pitboss.sting.events import Flipped
from tests.support.laws.lab_games import (
    LABS,
    lab_counts,
    lab_elsewhere,
    lab_neighbours,
    lab_other_world,
    lab_twins,
)
from tests.support.laws.poker_games import (
    POKERS,
    poker_counts,
    poker_elsewhere,
    poker_neighbours,
    poker_other_world,
    poker_twins,
)
from tests.support.laws.sting_games import (
    STINGS,
    sting_counts,
    sting_elsewhere,
    sting_neighbours,
    sting_other_world,
    sting_twins,
)

Start: TypeAlias = tuple[Any, tuple[Any, ...]]
"""A game and the events with which it started."""


class GameOnTrial(NamedTuple):
    """A type of game, and what the laws need to know about it."""

    type: GameType[Any, Any, Any]
    places: int
    twins: Callable[[Chance, int | None], tuple[Start, Start]]
    other_world: Callable[[Any, int | None, Chance], Any]
    elsewhere: Callable[[Any, Any, Any], Any]
    counts: Callable[[Any], tuple[int, ...]]
    neighbours: Callable[[Any], Iterable[Any]]
    shows: tuple[Any, ...]
    longest: int

    def start(self, chance: Chance) -> tuple[Game, tuple[Any, ...]]:
        """A game of this type."""
        return self.type.start(self.places, chance)


GAMES: dict[str, GameOnTrial] = {}
"""Every game under the laws, by its name in the test report."""

for setting, poker in POKERS:
    GAMES[f"{poker.name}-{setting}"] = GameOnTrial(
        type=poker,
        places=len(poker.stacks),
        twins=poker_twins(poker),
        other_world=poker_other_world,
        elsewhere=poker_elsewhere,
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
        other_world=sting_other_world,
        elsewhere=sting_elsewhere,
        counts=sting_counts,
        neighbours=sting_neighbours,
        shows=(Flipped,),
        longest=100,
    )


def lab_on_trial(lab: LabGameType) -> GameOnTrial:
    """A game of the lab under the laws."""
    return GameOnTrial(
        type=lab,
        places=lab.genome.player_count,
        twins=lab_twins(lab),
        other_world=lab_other_world,
        elsewhere=lab_elsewhere,
        counts=lab_counts,
        neighbours=lab_neighbours,
        shows=(CardsShown, HandShown),
        longest=5000,
    )


for lab in LABS:
    GAMES[f"lab-{lab.name}"] = lab_on_trial(lab)
