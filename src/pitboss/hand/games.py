"""The poker games of pitboss as data.

Each game has a no-limit, a pot-limit and a limit form. The forms differ only in their betting system. Each form has a
code. It is the code of the PHH standard if the standard has the game. Other codes are made in the same way: the letter
of the betting system, the letters of the game, and `/8` if half the pot goes to a low hand.
"""

from functools import cache
from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypeVar

from msgspec import Struct

from pitboss.betting.refusals import SetupError
from pitboss.betting.rules import Rules, fixed_limit, no_limit, pot_limit
from pitboss.cards import DECK, SHORT_DECK, Card
from pitboss.errors import PitbossError
from pitboss.hand.structure import HasStructure, Opens, Ranking, Street, Structure

_FILES = Path(__file__).with_name("game_files")
"""The folder of the games that are files."""

AnyGame: TypeAlias = Structure | str | PathLike[str] | HasStructure
"""A game, its name or code, the path of a game file, which ends with `.toml`, or an object that has a game."""
G = TypeVar("G")
USUAL_GAME = "no_limit_holdem"
"""The game of functions that receive none."""


class NoSuchStructure(PitbossError, ValueError):
    """There is no game with this name.

    >>> from pitboss import find_structure
    >>> try:
    ...     find_structure("bridge")
    ... except ValueError as error:
    ...     print(str(error)[:27])
    no game is called 'bridge':
    """


class _Game(Struct, frozen=True):
    """The data that all betting forms of a game share. `code` does not have the letter of the betting system."""

    code: str
    key: str
    name: str
    streets: tuple[Street, ...]
    showdown: tuple[Ranking, ...]
    deck: tuple[Card, ...] = DECK
    bring_in: bool = False


def _flop(hole: int) -> tuple[Street, ...]:
    return (
        Street("PRE_FLOP", hole=hole),
        Street("FLOP", board=3),
        Street("TURN", board=1, big=True),
        Street("RIVER", board=1, big=True),
    )


def _stud(low: bool = False) -> tuple[Street, ...]:
    showing: Opens = "low_hand" if low else "high_hand"
    return (
        Street("THIRD_STREET", hole=2, up=1, opens="high_card" if low else "low_card"),
        Street("FOURTH_STREET", up=1, opens=showing),
        Street("FIFTH_STREET", up=1, big=True, opens=showing),
        Street("SIXTH_STREET", up=1, big=True, opens=showing),
        Street("SEVENTH_STREET", hole=1, big=True, opens=showing),
    )


def _draw(hole: int, draws: int) -> tuple[Street, ...]:
    drawn = [Street(f"DRAW_{number}", draw=True, big=number > 1) for number in range(1, draws + 1)]
    return (Street("PRE_DRAW", hole=hole), *drawn)


class _Betting(Struct, frozen=True):
    """A betting system and its part of the names of games."""

    letter: str
    keys: tuple[str, ...]
    name: str
    rules: Rules
    with_bring_in: Rules


_NO_LIMIT = _Betting("N", ("no_limit",), "no-limit", no_limit(), no_limit(bring_in=True))
_POT_LIMIT = _Betting("P", ("pot_limit",), "pot-limit", pot_limit(), pot_limit(bring_in=True))
_LIMIT = _Betting("F", ("limit", "fixed_limit"), "limit", fixed_limit(), fixed_limit(bring_in=True))


def _sisters(game: _Game, usual: _Betting | None = None) -> tuple[Structure, Structure, Structure]:
    """Return the no-limit, pot-limit and limit forms of a game.

    The form `usual` can also be found by the game's name alone.
    """
    no, pot, fixed = [_structure(game, betting, betting is usual) for betting in (_NO_LIMIT, _POT_LIMIT, _LIMIT)]
    return no, pot, fixed


def _structure(game: _Game, betting: _Betting, usual: bool) -> Structure:
    keys = [f"{key}_{game.key}" for key in betting.keys]
    return Structure(
        name=f"{betting.name} {game.name}",
        code=betting.letter + game.code,
        keys=(game.key, *keys) if usual else tuple(keys),
        deck=game.deck,
        streets=game.streets,
        betting=betting.with_bring_in if game.bring_in else betting.rules,
        showdown=game.showdown,
    )


_HIGH, _LOW = Ranking("high"), Ranking("low")
_HIGH_FROM_TWO, _LOW_FROM_TWO = Ranking("high", from_two=True), Ranking("low", from_two=True)
_DEUCE_TO_SEVEN = (Ranking("deuce_to_seven"),)

NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, LIMIT_HOLDEM = _sisters(_Game("T", "holdem", "hold'em", _flop(2), (_HIGH,)))
SHORT_DECK_HOLDEM, POT_LIMIT_SHORT_DECK_HOLDEM, LIMIT_SHORT_DECK_HOLDEM = _sisters(
    _Game("S", "short_deck_holdem", "short-deck hold'em", _flop(2), (Ranking("short"),), SHORT_DECK), _NO_LIMIT
)
NO_LIMIT_OMAHA, OMAHA, LIMIT_OMAHA = _sisters(_Game("O", "omaha", "Omaha", _flop(4), (_HIGH_FROM_TWO,)), _POT_LIMIT)
NO_LIMIT_OMAHA_HI_LO, POT_LIMIT_OMAHA_HI_LO, OMAHA_HI_LO = _sisters(
    _Game("O/8", "omaha_hi_lo", "Omaha hi-lo, eight or better", _flop(4), (_HIGH_FROM_TWO, _LOW_FROM_TWO)), _LIMIT
)
NO_LIMIT_FIVE_CARD_OMAHA, FIVE_CARD_OMAHA, LIMIT_FIVE_CARD_OMAHA = _sisters(
    _Game("O5", "five_card_omaha", "five-card Omaha", _flop(5), (_HIGH_FROM_TWO,)), _POT_LIMIT
)
NO_LIMIT_SIX_CARD_OMAHA, SIX_CARD_OMAHA, LIMIT_SIX_CARD_OMAHA = _sisters(
    _Game("O6", "six_card_omaha", "six-card Omaha", _flop(6), (_HIGH_FROM_TWO,)), _POT_LIMIT
)
NO_LIMIT_FIVE_CARD_OMAHA_HI_LO, FIVE_CARD_OMAHA_HI_LO, LIMIT_FIVE_CARD_OMAHA_HI_LO = _sisters(
    _Game(
        "O5/8",
        "five_card_omaha_hi_lo",
        "five-card Omaha hi-lo, eight or better",
        _flop(5),
        (_HIGH_FROM_TWO, _LOW_FROM_TWO),
    ),
    _POT_LIMIT,
)
NO_LIMIT_SEVEN_CARD_STUD, POT_LIMIT_SEVEN_CARD_STUD, SEVEN_CARD_STUD = _sisters(
    _Game("7S", "seven_card_stud", "seven-card stud", _stud(), (_HIGH,), bring_in=True), _LIMIT
)
NO_LIMIT_SEVEN_CARD_STUD_HI_LO, POT_LIMIT_SEVEN_CARD_STUD_HI_LO, SEVEN_CARD_STUD_HI_LO = _sisters(
    _Game(
        "7S/8", "seven_card_stud_hi_lo", "seven-card stud hi-lo, eight or better", _stud(), (_HIGH, _LOW), bring_in=True
    ),
    _LIMIT,
)
NO_LIMIT_RAZZ, POT_LIMIT_RAZZ, RAZZ = _sisters(
    _Game("R", "razz", "razz", _stud(low=True), (Ranking("ace_to_five"),), bring_in=True), _LIMIT
)
NO_LIMIT_FIVE_CARD_DRAW, POT_LIMIT_FIVE_CARD_DRAW, FIVE_CARD_DRAW = _sisters(
    _Game(
        "5D",
        "five_card_draw",
        "five-card draw",
        (Street("PRE_DRAW", hole=5), Street("DRAW_1", draw=True, big=True)),
        (_HIGH,),
    ),
    _LIMIT,
)
DEUCE_TO_SEVEN_SINGLE_DRAW, POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW, LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW = _sisters(
    _Game("2L1D", "deuce_to_seven_single_draw", "deuce-to-seven single draw", _draw(5, 1), _DEUCE_TO_SEVEN), _NO_LIMIT
)
NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW, POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW, DEUCE_TO_SEVEN_TRIPLE_DRAW = _sisters(
    _Game("2L3D", "deuce_to_seven_triple_draw", "deuce-to-seven triple draw", _draw(5, 3), _DEUCE_TO_SEVEN), _LIMIT
)
NO_LIMIT_BADUGI, POT_LIMIT_BADUGI, BADUGI = _sisters(
    _Game("B", "badugi", "badugi", _draw(4, 3), (Ranking("badugi"),)), _LIMIT
)

STRUCTURES: dict[str, Structure] = {
    structure.code: structure for structure in list(globals().values()) if isinstance(structure, Structure)
}
"""All games by their code."""

PHH_CODES = ("NT", "FT", "PO", "FO/8", "NS", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D", "FB")
"""The codes of the PHH standard. Other programs may not accept the other codes."""

_SHORT_NAMES = {
    "holdem": "NT",
    "t": "NT",
    "nlhe": "NT",
    "nlh": "NT",
    "hunl": "NT",
    "no_limit": "NT",
    "plhe": "PT",
    "pot_limit": "PT",
    "lhe": "FT",
    "limit": "FT",
    "fixed_limit": "FT",
    "short_deck": "NS",
    "plo": "PO",
    "plo5": "PO5",
    "plo6": "PO6",
    "plo8": "PO/8",
    "omaha_5": "PO5",
    "omaha_6": "PO6",
    "stud": "F7S",
    "stud_hi_lo": "F7S/8",
    "big_o": "PO5/8",
    "single_draw": "N2L1D",
    "triple_draw": "F2L3D",
}
"""Other common names of games, and the code of the usual form of each game."""


def _names(structure: Structure) -> list[str]:
    """Return the names of a game in lower case.

    If the game's key does not begin with a form of betting, the names include its code without the first letter, such
    as `o/8` or `o8`.
    """
    names = [structure.code, *structure.keys]
    if not structure.key.startswith(("no_limit_", "pot_limit_", "limit_")):
        names += [structure.code[1:], structure.code[1:].replace("/", "")]
    return [name.lower() for name in names]


_FOUND_BY = {name: STRUCTURES[code] for name, code in _SHORT_NAMES.items()} | {
    name: structure for structure in STRUCTURES.values() for name in _names(structure)
}


def find_structure(game: Structure | str) -> Structure:
    """Return the game with this name, short name or code. A structure is returned unchanged.

    >>> find_structure("pot limit Omaha") is find_structure("PLO") is find_structure("PO") is OMAHA
    True
    >>> find_structure("nlhe").key
    'no_limit_holdem'
    """
    if isinstance(game, Structure):
        return game
    given = str(game)
    name = "_".join(given.lower().replace("'", "").replace("-", " ").replace("_", " ").split())
    found = _FOUND_BY.get(name) or next((own for own in file_games() if name in own.keys), None)
    if found is None:
        known = ", ".join(STRUCTURES[code].key for code in PHH_CODES)
        raise NoSuchStructure(f"no game is called {given[:60]!r}: there are {known} and more in docs/games.md")
    return found


# --- games in files


@cache
def file_games() -> tuple[Structure, ...]:
    """Return the games of pitboss that are files, by name.

    >>> "royal_holdem" in [game.key for game in file_games()]
    True
    """
    return tuple([_read(path, STRUCTURES) for path in sorted(_FILES.glob("*.toml"))])


def read_game(path: str | PathLike[str]) -> Structure:
    """Return the game of a TOML file. Raise `GameFileError` if it cannot be read or played.

    `pitboss games show NAME` prints the file of a game, and docs/your-own-game.md explains the keys.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from pitboss import NO_LIMIT_HOLDEM, read_game, write_game
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "holdem.toml"
    ...     _ = path.write_text(write_game(NO_LIMIT_HOLDEM))
    ...     game = read_game(path)
    >>> game == NO_LIMIT_HOLDEM
    True
    """
    return _read(Path(path), STRUCTURES | _FOUND_BY | {key: game for game in file_games() for key in game.keys})


def _read(path: Path, known: dict[str, Structure]) -> Structure:
    from pitboss.hand.game_file import LONGEST_FILE, GameFileError, parse_game  # most programs read no files

    try:
        with path.open("rb") as file:
            text = file.read(4 * LONGEST_FILE + 1).decode()
    except (OSError, ValueError) as error:  # a name with a NUL, or bytes that are not UTF-8
        reason = getattr(error, "strerror", None) or "expected a text file in UTF-8"
        raise GameFileError(reason, name=str(path)) from None
    return parse_game(text, str(path), known)


def find_game(game: AnyGame) -> Structure:
    """Return a game, given by name or code, as the path of a game file, or by an object that has a game.

    Such objects are records, hands, tables and the game itself. Text is a path if it ends with `.toml`. Do not call it
    with text from strangers, because it opens files. `find_structure` only finds names.

    >>> find_game("razz").code, find_game("FR").key
    ('FR', 'razz')
    >>> from pitboss import Hand
    >>> find_game(Hand.deal("razz", stacks=(500, 500), ante=2, bring_in=5, min_bet=20, seed=1)[0]).key
    'razz'
    """
    if isinstance(game, Structure):
        return game
    if isinstance(game, PathLike) or (isinstance(game, str) and is_path(game)):
        return read_game(game)
    found = game if isinstance(game, str) else getattr(game, "structure", None)
    return find_structure(found if isinstance(found, Structure | str) else str(game))


def given_game(game: G, structure: G | None) -> G:
    """Return a function's argument `game`, or its argument `structure`, which is the older name of `game`.

    >>> given_game("razz", None), given_game(USUAL_GAME, "razz")
    ('razz', 'razz')
    """
    if structure is None:
        return game
    if game != USUAL_GAME:
        raise SetupError("structure: is the older name of game; expected only one of the two")
    return structure


def write_game(game: AnyGame) -> str:
    """Return a game as the text of a game file, with comments. `read_game` reads the file.

    >>> print(write_game("badugi").splitlines()[2])
    name = "badugi"             # the name of the game as one word
    """
    from pitboss.hand.game_file import write_game as write

    return write(find_game(game))


def is_path(game: str) -> bool:
    """Return whether this is the path of a game file, not a name.

    >>> is_path("mine.toml"), is_path("razz")
    (True, False)
    """
    return game.endswith(".toml")
