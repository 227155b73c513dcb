"""Genomes as JSON, both ways, and how a game is loaded by its name or from a file.

Absent fields take defaults, so older files load; an unknown field or type is refused by name.
"""

from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, fields

from pitboss.lab.genome.known import known_games, known_text
from pitboss.lab.genome.parts import Genome, GenomeError, TurnStructure
from pitboss.lab.genome.validity import check
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins


def _written(part: type[Struct], **types: Any) -> type[Struct]:
    """How a part is written, where these fields are of types that it does not know itself."""
    named: list[Any] = []
    for field in fields(part):
        kind = types.get(field.name, field.type)
        named.append((field.name, kind) if field.required else (field.name, kind, field.default))
    return msgspec.defstruct(part.__name__, named, kw_only=True, forbid_unknown_fields=True)


_PHASES, _WINS = (tuple[reduce(or_, kinds), ...] for kinds in (phases.TYPES, wins.TYPES))  # type: ignore[misc]  # a union made of a list
_TURNS = _written(TurnStructure, phases=_PHASES)
_GENOME = _written(Genome, turn_structure=_TURNS, win_conditions=_WINS)


def read_genome(text: str | bytes) -> Genome:
    """Read a genome from JSON; `GenomeError` names the field that is wrong.

    >>> game = read_genome('''{"name": "kuhn", "setup": {"cards_per_player": 1, "starting_chips": 2, "ante": 1,
    ...   "initial_deck": {"ranks": "JQK", "suits": "s"}}, "win_conditions": [{"type": "high_card"}],
    ...   "turn_structure": {"phases": [{"type": "BettingPhase", "min_bet": 1, "max_raises": 0}],
    ...   "order": "rounds", "rounds": 1}}''')
    >>> game.turn_structure.phases
    (BettingPhase(min_bet=1, max_raises=0),)
    """
    try:
        written = asdict(msgspec.json.decode(text, type=_GENOME))
    except msgspec.ValidationError as error:
        raise GenomeError(_sentence(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise GenomeError(f"this is no JSON: {error}") from None
    return Genome(**{**written, "turn_structure": TurnStructure(**asdict(written["turn_structure"]))})


def write_genome(genome: Genome) -> str:
    """Write a genome as JSON, indented, every field said."""
    return msgspec.json.format(msgspec.json.encode(genome), indent=2).decode() + "\n"


def load(given: str) -> Genome:
    """Read a known game by its name, or else a file, and check it; raises `GenomeError`.

    >>> load("kuhn").setup.ante
    1
    """
    if given in known_games():
        return check(read_genome(known_text(given)))
    try:
        text = Path(given).read_bytes()
    except FileNotFoundError:
        raise GenomeError(
            f"there is no known game and no file {given!r}; known are {', '.join(known_games())}"
        ) from None
    except (OSError, ValueError) as error:
        raise GenomeError(f"{given!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return check(read_genome(text))
    except GenomeError as error:
        raise GenomeError(f"{given}: {error}") from None


def _sentence(message: str) -> str:
    """msgspec's message with the field's name first: "setup.ante: expected `int`, got `str`"."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown field").replace("Object missing required", "missing")
    what = what[:1].lower() + what[1:]
    return f"{field}: {what}" if field else what
