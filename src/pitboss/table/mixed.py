"""Mixed games: lists of games that a table plays in turn, each with its stakes. Every table has such a list."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.hand.games import (
    DEUCE_TO_SEVEN_TRIPLE_DRAW,
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    OMAHA,
    OMAHA_HI_LO,
    RAZZ,
    SEVEN_CARD_STUD,
    SEVEN_CARD_STUD_HI_LO,
    AnyGame,
    NoSuchStructure,
    find_game,
    find_structure,
    is_path,
)
from pitboss.hand.structure import Structure
from pitboss.table.stakes import StakesError, TableStakes


class GameAtStakes(Struct, frozen=True):
    """A game of the list. It may have its own stakes, or a percentage of the table's.

    The game is given as `find_game` takes it.

    >>> GameAtStakes("omaha", percent=50).structure.key
    'omaha'
    """

    structure: Structure
    stakes: TableStakes | None = None
    percent: int = 100

    if TYPE_CHECKING:

        def __init__(self, structure: AnyGame, stakes: TableStakes | None = None, percent: int = 100) -> None:
            """Convert the game to a structure."""

    def __post_init__(self) -> None:
        given: Any = self.structure
        if not isinstance(given, Structure):
            force_setattr(self, "structure", find_game(given))
        if self.stakes is not None and not isinstance(self.stakes, TableStakes):
            raise StakesError(f"stakes: expected TableStakes or None, got {self.stakes!r}")
        if type(self.percent) is not int or self.percent < 1:
            raise StakesError(f"percent: expected a whole number from 1, got {self.percent!r}")

    def at(self, stakes: TableStakes, hand: int) -> TableStakes:
        """Return the stakes of this game in a hand, given the stakes of the table."""
        stakes = stakes if self.stakes is None else self.stakes
        return (stakes.at(hand) if stakes.levels else stakes).scaled(self.percent).in_game(self.structure)


class Mixed(Struct, frozen=True):
    """A cycle of games. Each game is played for one orbit, or for a number of hands.

    >>> games = Mixed("stud and draw", (GameAtStakes(RAZZ), GameAtStakes(DEUCE_TO_SEVEN_TRIPLE_DRAW)), hands=6)
    >>> games.most_players
    8
    """

    name: str
    games: tuple[GameAtStakes, ...]
    hands: int | None = (
        None  #: the number of hands of each game; if None, the number of players dealt in when the game began
    )
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
        """The maximum number of players in every game of the list."""
        return min([game.structure.most_players for game in self.games])

    def index(self, game: AnyGame) -> int:
        """Return the index of a game in the list. Raise `NoSuchStructure` if it is not in the list."""
        wanted = find_game(game)
        for at, game in enumerate(self.games):
            if game.structure == wanted:
                return at
        listed = ", ".join([game.structure.key for game in self.games])
        raise NoSuchStructure(f"game: expected one of {listed}, got {wanted.key}")


def _in_words(given: Any) -> str:
    """Return words for an invalid list of games, with the names of its structures."""
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
"""Limit games have the stakes of the table. No-limit and pot-limit games have half of its blinds."""

MIXED: dict[str, Mixed] = {mixed.key: mixed for mixed in (HORSE, EIGHT_GAME)}
"""The mixed games by name."""


def find_mixed(name: str) -> Mixed:
    """Return the mixed game with this name. The case of letters does not matter.

    >>> [game.structure.code for game in find_mixed("HORSE").games]
    ['FT', 'FO/8', 'FR', 'F7S', 'F7S/8']
    """
    given = str(name)
    found = MIXED.get(given.strip().lower().replace("-", "_"))
    if found is None:
        raise NoSuchStructure(f"mixed game: expected one of {', '.join(MIXED)}, got {given!r}")
    return found


def find_games(given: "Mixed | AnyGame") -> Mixed:
    """Return a list of games, given as `games_of` takes it, or a single game, given as `find_game` takes it."""
    if isinstance(given, Mixed) or (isinstance(given, str) and not is_path(given)):
        return games_of(given)
    return games_of(find_game(given))


def games_of(given: "Mixed | Structure | str") -> Mixed:
    """Return a mixed game, given as a list of games, as one game, or by name."""
    if isinstance(given, Mixed):
        return given
    if isinstance(given, str) and given.strip().lower().replace("-", "_") in MIXED:
        return find_mixed(given)
    try:
        structure = find_structure(given)
    except NoSuchStructure as error:
        raise NoSuchStructure(f"{error}; or a mixed game: {', '.join(MIXED)}") from None
    return Mixed(structure.name, (GameAtStakes(structure),), key=structure.key)
