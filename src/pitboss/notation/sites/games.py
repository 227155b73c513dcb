"""The games by the words sites have for them: `Omaha Hi/Lo` and `Pot Limit` are the variant PO/8."""

from functools import lru_cache

from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure
from pitboss.notation.found import ReadError

_GAMES = {
    "hold'em": "T",
    "texas hold'em": "T",
    "holdem": "T",
    "texas holdem": "T",
    "6+ hold'em": "S",
    "short deck": "S",
    "shortdeck": "S",
    "omaha": "O",
    "omaha hi": "O",
    "omaha high": "O",
    "plo": "O",
    "5 card omaha": "O5",
    "5 card omaha hi": "O5",
    "plo-5": "O5",
    "6 card omaha": "O6",
    "6 card omaha hi": "O6",
    "plo-6": "O6",
    "omaha hi/lo": "O/8",
    "omaha h/l": "O/8",
    "omaha hi-lo": "O/8",
    "5 card omaha hi/lo": "O5/8",
    "5 card omaha h/l": "O5/8",
    "courchevel": "C",
    "courchevel hi": "C",
    "courchevel hi/lo": "C/8",
    "7 card stud": "7S",
    "7 card stud hi": "7S",
    "stud": "7S",
    "stud hi": "7S",
    "7 card stud hi/lo": "7S/8",
    "stud h/l": "7S/8",
    "stud hi/lo": "7S/8",
    "razz": "R",
    "single draw 2-7 lowball": "2L1D",
    "2-7 single draw": "2L1D",
    "triple draw 2-7 lowball": "2L3D",
    "2-7 triple draw": "2L3D",
    "badugi": "B",
    "5 card draw": "5D",
}
_LIMITS = {
    "no limit": "N",
    "nl": "N",
    "pot limit": "P",
    "pl": "P",
    "limit": "F",
    "fixed limit": "F",
    "fl": "F",
    "pot limit pre-flop, no limit post-flop": "N",
}


@lru_cache(maxsize=256)
def find_game(game: str, limit: str) -> Structure:
    """The game that a site calls so, in capitals or not; raises `ReadError` with the game's name where we have none.

    >>> find_game("Omaha Hi/Lo", "Pot Limit").code
    'PO/8'
    """
    betting, code = _LIMITS.get(limit.lower()), _GAMES.get(game.lower())
    if betting is None:
        raise ReadError(f"{limit} is no betting system that is known here")
    structure = STRUCTURES.get(betting + code) if code else None
    if structure is None:
        raise ReadError(f"{game} is not among the games that are played here")
    return structure
