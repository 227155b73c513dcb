"""Lists of games that a table plays in turn, each with its stakes; a table of one game has a list of one."""

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
    """A game of the list, with its own stakes or a percentage of the table's."""

    structure: Structure
    stakes: TableStakes | None = None
    percent: int = 100

    def __post_init__(self) -> None:
        if not isinstance(self.structure, Structure):
            raise StakesError(f"structure: expected a Structure, got {self.structure!r}")
        if self.stakes is not None and not isinstance(self.stakes, TableStakes):
            raise StakesError(f"stakes: expected TableStakes or None, got {self.stakes!r}")
        if type(self.percent) is not int or self.percent < 1:
            raise StakesError(f"percent: expected a whole number from 1, got {self.percent!r}")

    def at(self, stakes: TableStakes, hand: int) -> TableStakes:
        """Return the stakes of a hand of this game at a table with these stakes."""
        stakes = stakes if self.stakes is None else self.stakes
        return (stakes.at(hand) if stakes.levels else stakes).scaled(self.percent).in_game(self.structure)


class Mixed(Struct, frozen=True):
    """Games that follow each other in a cycle, each for an orbit or for a number of hands.

    >>> games = Mixed("stud and draw", (GameAtStakes(RAZZ), GameAtStakes(DEUCE_TO_SEVEN_TRIPLE_DRAW)), hands=6)
    >>> games.most_players
    8
    """

    name: str
    games: tuple[GameAtStakes, ...]
    hands: int | None = None  #: hands per game; None: the number of players dealt in when the game began
    choice: bool = False  #: whether the player with the button may choose the next game
    key: str = ""  #: the name that `find_mixed` accepts

    def __post_init__(self) -> None:
        games: Any = self.games
        if not isinstance(games, tuple) or not games or not all(isinstance(game, GameAtStakes) for game in games):
            raise StakesError(f"games: expected a tuple of GameAtStakes, at least one, got {_in_words(games)}")
        if self.hands is not None and (type(self.hands) is not int or self.hands < 1):
            raise StakesError(f"hands: expected a whole number from 1, or None, got {self.hands!r}")
        if type(self.choice) is not bool:
            raise StakesError(f"choice: expected True or False, got {self.choice!r}")

    @property
    def most_players(self) -> int:
        """The maximum number of players for all games of the list."""
        return min([game.structure.most_players for game in self.games])

    def index(self, structure: Structure | str) -> int:
        """Return the index of a game in the list; raise `NoSuchStructure` if it is not there."""
        wanted = find_structure(structure)
        for at, game in enumerate(self.games):
            if game.structure == wanted:
                return at
        listed = ", ".join([game.structure.key for game in self.games])
        raise NoSuchStructure(f"game: expected one of {listed}, got {wanted.key}")


def _in_words(given: Any) -> str:
    """Return a wrong list of games in words, with structures by name."""
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
"""The limit games have the table's stakes; the no-limit and pot-limit games have blinds of half the size."""

MIXED: dict[str, Mixed] = {mixed.key: mixed for mixed in (HORSE, EIGHT_GAME)}
"""The mixed games with a name."""


def find_mixed(name: str) -> Mixed:
    """Return the mixed game of this name; case is ignored.

    >>> [game.structure.code for game in find_mixed("HORSE").games]
    ['FT', 'FO/8', 'FR', 'F7S', 'F7S/8']
    """
    asked = str(name)
    found = MIXED.get(asked.strip().lower().replace("-", "_"))
    if found is None:
        raise NoSuchStructure(f"mixed game: expected one of {', '.join(MIXED)}, got {asked!r}")
    return found


def games_of(given: "Mixed | Structure | str") -> Mixed:
    """Return a list of games, given as a list, as one game, or by name."""
    if isinstance(given, Mixed):
        return given
    if isinstance(given, str) and given.strip().lower().replace("-", "_") in MIXED:
        return find_mixed(given)
    try:
        structure = find_structure(given)
    except NoSuchStructure as error:
        raise NoSuchStructure(f"{error}; or a mixed game: {', '.join(MIXED)}") from None
    return Mixed(structure.name, (GameAtStakes(structure),), key=structure.key)
