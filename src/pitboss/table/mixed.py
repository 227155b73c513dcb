"""Lists of games that a table goes through, each at its stakes; a table of one game has a list of one."""

from typing import Any

from msgspec import Struct

from pitboss.hand.games import (
    DEUCE_TO_SEVEN_TRIPLE_DRAW,
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    OMAHA,
    OMAHA_HI_LO,
    RAZZ,
    SEVEN_CARD_STUD,
    SEVEN_CARD_STUD_HI_LO,
    NoSuchStructure,
    find_structure,
)
from pitboss.hand.structure import Structure
from pitboss.table.stakes import StakesError, TableStakes


class GameAtStakes(Struct, frozen=True):
    """A game of the list, at stakes of its own or at so many per cent of the table's."""

    structure: Structure
    stakes: TableStakes | None = None
    percent: int = 100

    def __post_init__(self) -> None:
        if not isinstance(self.structure, Structure):
            raise StakesError(f"a game of the list is a Structure, not {self.structure!r}")
        if self.stakes is not None and not isinstance(self.stakes, TableStakes):
            raise StakesError(f"a game's own stakes are TableStakes or None, not {self.stakes!r}")
        if type(self.percent) is not int or self.percent < 1:
            raise StakesError(f"percent is a whole number from 1 on, not {self.percent!r}")

    def at(self, stakes: TableStakes, hand: int) -> TableStakes:
        """What a hand of it is played for at a table of these stakes."""
        stakes = stakes if self.stakes is None else self.stakes
        return (stakes.at(hand) if stakes.levels else stakes).scaled(self.percent).in_game(self.structure)


class Mixed(Struct, frozen=True):
    """Games that follow each other, each for an orbit or for so many hands, and then from the first again.

    >>> games = Mixed("stud and draw", (GameAtStakes(RAZZ), GameAtStakes(DEUCE_TO_SEVEN_TRIPLE_DRAW)), hands=6)
    >>> games.most_players
    8
    """

    name: str
    games: tuple[GameAtStakes, ...]
    hands: int | None = None  #: how many of each; None: as many as were dealt in when it began
    choice: bool = False  #: whether whoever has the button may choose from the list when a game begins
    key: str = ""  #: what `find_mixed` finds it by

    def __post_init__(self) -> None:
        games: Any = self.games
        if not isinstance(games, tuple) or not games or not all(isinstance(game, GameAtStakes) for game in games):
            raise StakesError(f"games is a tuple of one GameAtStakes or more, not {_in_words(games)}")
        if self.hands is not None and (type(self.hands) is not int or self.hands < 1):
            raise StakesError(f"each game is played for one hand or more, not {self.hands!r}")
        if type(self.choice) is not bool:
            raise StakesError(f"choice is True or False, not {self.choice!r}")

    @property
    def most_players(self) -> int:
        """How many can play all of them."""
        return min([game.structure.most_players for game in self.games])

    def index(self, structure: Structure | str) -> int:
        """Which of the list a game is; raises `NoSuchStructure`."""
        wanted = find_structure(structure)
        for at, game in enumerate(self.games):
            if game.structure == wanted:
                return at
        listed = ", ".join([game.structure.key for game in self.games])
        raise NoSuchStructure(f"{wanted.name} is not in the list: {listed}")


def _in_words(given: Any) -> str:
    """What was given instead of a list of games, structures by their names."""
    if isinstance(given, Structure):
        return f"the structure {given.key}"
    if isinstance(given, GameAtStakes):
        return f"GameAtStakes of {given.structure.key}"
    if isinstance(given, tuple | list):
        return f"a {type(given).__name__} of {', '.join(map(_in_words, given)) or 'nothing'}"
    return repr(given)


HORSE = Mixed(
    "HORSE",
    tuple(map(GameAtStakes, (LIMIT_HOLDEM, OMAHA_HI_LO, RAZZ, SEVEN_CARD_STUD, SEVEN_CARD_STUD_HI_LO))),
    key="horse",
)
EIGHT_GAME = Mixed(
    "eight-game",
    (
        GameAtStakes(DEUCE_TO_SEVEN_TRIPLE_DRAW),
        *HORSE.games,
        GameAtStakes(NO_LIMIT_HOLDEM, percent=50),
        GameAtStakes(OMAHA, percent=50),
    ),
    key="eight_game",
)
"""Limit games at the table's stakes; the blinds of the no-limit and the pot-limit game are half of theirs."""

MIXED: dict[str, Mixed] = {mixed.key: mixed for mixed in (HORSE, EIGHT_GAME)}
"""The mixed games that have a name."""


def find_mixed(name: str) -> Mixed:
    """The mixed game of this name, in capitals or not.

    >>> [game.structure.code for game in find_mixed("HORSE").games]
    ['FT', 'FO/8', 'FR', 'F7S', 'F7S/8']
    """
    asked = str(name)
    found = MIXED.get(asked.strip().lower().replace("-", "_"))
    if found is None:
        raise NoSuchStructure(f"no mixed game is called {asked!r}; there are {', '.join(MIXED)}")
    return found


def games_of(given: "Mixed | Structure | str") -> Mixed:
    """A list of games, given as one, as one game, or by the name of either."""
    if isinstance(given, Mixed):
        return given
    if isinstance(given, str) and given.strip().lower().replace("-", "_") in MIXED:
        return find_mixed(given)
    try:
        structure = find_structure(given)
    except NoSuchStructure as error:
        raise NoSuchStructure(f"{error}; mixed games are {', '.join(MIXED)}") from None
    return Mixed(structure.name, (GameAtStakes(structure),), key=structure.key)
