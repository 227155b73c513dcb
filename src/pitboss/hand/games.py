"""Every poker game as data: its streets, its betting system and how its showdown is judged."""

from pitboss.betting.rules import fixed_limit, no_limit, pot_limit
from pitboss.cards import SHORT_DECK
from pitboss.errors import PitbossError
from pitboss.hand.structure import Ranking, Street, Structure


class NoSuchStructure(PitbossError, ValueError):
    """A name that no structure has."""


def _flop_game(hole: int) -> tuple[Street, ...]:
    return (
        Street("PRE_FLOP", hole=hole),
        Street("FLOP", board=3),
        Street("TURN", board=1, big=True),
        Street("RIVER", board=1, big=True),
    )


_HOLDEM = _flop_game(2)
_OMAHA = _flop_game(4)
_HIGH = (Ranking("high"),)

NO_LIMIT_HOLDEM = Structure(
    name="no-limit hold'em",
    code="NT",
    keys=("no_limit_holdem",),
    streets=_HOLDEM,
    betting=no_limit(),
    showdown=_HIGH,
)
POT_LIMIT_HOLDEM = Structure(
    name="pot-limit hold'em",
    code="PT",
    keys=("pot_limit_holdem",),
    streets=_HOLDEM,
    betting=pot_limit(),
    showdown=_HIGH,
)
LIMIT_HOLDEM = Structure(
    name="limit hold'em",
    code="FT",
    keys=("limit_holdem", "fixed_limit_holdem"),
    streets=_HOLDEM,
    betting=fixed_limit(),
    showdown=_HIGH,
)
SHORT_DECK_HOLDEM = Structure(
    name="no-limit short-deck hold'em",
    code="NS",
    keys=("short_deck_holdem", "no_limit_short_deck_holdem"),
    deck=SHORT_DECK,
    streets=_HOLDEM,
    betting=no_limit(),
    showdown=(Ranking("short"),),
)
OMAHA = Structure(
    name="pot-limit Omaha",
    code="PO",
    keys=("omaha", "pot_limit_omaha"),
    streets=_OMAHA,
    betting=pot_limit(),
    showdown=(Ranking("high", from_two=True),),
)
OMAHA_HI_LO = Structure(
    name="limit Omaha hi-lo, eight or better",
    code="FO/8",
    keys=("omaha_hi_lo", "limit_omaha_hi_lo", "fixed_limit_omaha_hi_lo"),
    streets=_OMAHA,
    betting=fixed_limit(),
    showdown=(Ranking("high", from_two=True), Ranking("low", from_two=True)),
)

STRUCTURES = {
    structure.code: structure
    for structure in (NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, LIMIT_HOLDEM, SHORT_DECK_HOLDEM, OMAHA, OMAHA_HI_LO)
}
_FOUND_BY = {name.lower(): structure for code, structure in STRUCTURES.items() for name in (code, *structure.keys)}


def find_structure(name: str) -> Structure:
    """The structure of this name, which is its public constant, a synonym or PHH's code, in capitals or not.

    >>> find_structure("pot_limit_omaha") is find_structure("PO") is OMAHA
    True
    """
    asked = str(name)
    found = _FOUND_BY.get(asked.strip().lower().replace("-", "_"))
    if found is None:
        known = ", ".join(f"{structure.key} ({code})" for code, structure in STRUCTURES.items())
        raise NoSuchStructure(f"no game is called {asked[:60]!r}: there are {known}")
    return found
