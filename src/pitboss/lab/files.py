"""Genomes as JSON: reading, writing, and the known games that are part of pitboss."""

import re
from functools import reduce
from importlib.resources import files
from operator import or_
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as info
from msgspec.structs import asdict, fields

from pitboss.lab.genome import Genome, GenomeError, TurnStructure, check
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

_GAMES = {
    "war": "each player turns up a card; the higher card takes both, and equal cards stay for the next trick",
    "betting_war": "ten cards each, and a bet before every card that is turned up; the most tricks win the pot",
    "highest_card": "one card each and one round of bets; the higher card wins",
    "kuhn": "three cards and one bet; the smallest poker with bluffs",
    "leduc": "six cards, one of them shared, and two rounds of bets",
    "simple_poker": "five cards each and one round of bets; the best poker hand wins",
    "three_card_poker": "three cards each and at most one bet; three-card hands are compared",
    "draw_poker": "five cards each, bets, an exchange of up to three cards, and bets again",
    "community_poker": "two cards each and five cards for all, four rounds of bets, and side pots",
    "blackjack": "come closest to 21 without going over; with bets and without a dealer",
    "crazy_eights": "play a card of the same suit or rank, or an eight; the first player without cards wins",
    "mau_mau": "crazy eights with effects: sevens draw two cards, eights skip a player, nines reverse the direction",
    "hearts": "tricks without trumps; hearts and the queen of spades give points; the fewest win",
    "whist": "tricks with trumps; each player plays alone",
    "knaves": "a point per trick, but jacks cost points; the first player with twenty points wins",
    "gin": "draw and discard; the fewest points outside sets and runs win",
    "rummy": "draw, discard and lay sets of three; cards left in hand cost points",
    "cheat": "put cards face down and claim their rank, truthfully or not; the first player without cards wins",
    "old_maid": "lay pairs, and take an unseen card from the next player; one card has no pair",
    "go_fish": "ask for a rank, or draw a card; the most sets of four win",
    "president": "play higher or pass; the first player without cards wins",
    "scopa": "capture cards from the table by rank or by sum; diamonds count double",
}
_STEP = re.compile(r"[A-Za-z_]+|\d+")
_PHASES, _WINS = (tuple[reduce(or_, kinds), ...] for kinds in (phases.TYPES, wins.TYPES))  # type: ignore[misc]  # a union built from a list


def known_games() -> dict[str, str]:
    """Return the description of every known game, by name.

    >>> known_games()["kuhn"]
    'three cards and one bet; the smallest poker with bluffs'
    """
    return dict(_GAMES)


def known_text(name: str) -> str:
    return (files("pitboss.lab") / "games" / f"{name}.json").read_text(encoding="utf-8")


def _written(part: type[Struct], **types: Any) -> type[Struct]:
    """Return the struct of a part as it is written in JSON. `types` replaces the types of some fields."""
    named: list[Any] = []
    for field in fields(part):
        kind = types.get(field.name, field.type)
        named.append((field.name, kind) if field.required else (field.name, kind, field.default))
    return msgspec.defstruct(part.__name__, named, kw_only=True, forbid_unknown_fields=True)


_TURNS = _written(TurnStructure, phases=_PHASES)
_GENOME = _written(Genome, turn_structure=_TURNS, win_conditions=_WINS)


def read_genome(text: str | bytes) -> Genome:
    """Read a genome from JSON. The message of a `GenomeError` begins with the wrong field.

    >>> game = read_genome('''{"name": "kuhn", "setup": {"cards_per_player": 1, "starting_chips": 2, "ante": 1,
    ...   "initial_deck": {"ranks": "JQK", "suits": "s"}}, "win_conditions": [{"type": "high_card"}],
    ...   "turn_structure": {"phases": [{"type": "BettingPhase", "min_bet": 1, "max_raises": 0}],
    ...   "order": "rounds", "rounds": 1}}''')
    >>> game.turn_structure.phases
    (BettingPhase(min_bet=1, max_raises=0),)
    """
    try:
        written = asdict(msgspec.json.decode(text, type=_GENOME))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GenomeError(_explained(error, text)) from None
    return Genome(**{**written, "turn_structure": TurnStructure(**asdict(written["turn_structure"]))})


def write_genome(genome: Genome) -> str:
    """Write a genome as indented JSON, with every field.

    >>> from pitboss.lab import load, read_genome, write_genome
    >>> read_genome(write_genome(load("kuhn"))) == load("kuhn")
    True
    """
    return msgspec.json.format(msgspec.json.encode(genome), indent=2).decode() + "\n"


def load(given: str) -> Genome:
    """Read and check a known game by its name, or a file. Raise `GenomeError` if it is not valid.

    >>> load("kuhn").setup.ante
    1
    """
    if given in known_games():
        return check(read_genome(known_text(given)))
    try:
        text = Path(given).read_bytes()
    except FileNotFoundError:
        raise GenomeError(f"expected an existing file or one of {', '.join(known_games())}; got {given!r}") from None
    except (OSError, ValueError) as error:
        raise GenomeError(f"{given}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return check(read_genome(text))
    except GenomeError as error:
        raise GenomeError(f"{given}: {error}") from None


# --- explanations of errors


def _explained(error: Exception, text: str | bytes) -> str:
    """Return the message for a text that cannot be read: it is empty, is not JSON, or has a wrong field."""
    if not text.strip():
        return "expected a game as JSON, got an empty text; for an example, run `pitboss lab show kuhn`"
    try:
        written = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        return f"expected JSON: {broken}"
    if isinstance(written, dict) and "cells" in written:
        return "expected a game, got the archive of a run; use a file in the folder `games` next to it"
    return _sentence(str(error), text)


def _sentence(message: str, text: str | bytes) -> str:
    """Return msgspec's message with the field first: "setup.ante: expected `int`, got `str`". Add the valid choices."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown field").replace("Object missing required", "missing")
    genome, written, steps = info.type_info(_GENOME), msgspec.json.decode(text), _STEP.findall(field)
    if not field and what.startswith("Expected"):
        what = f"{what}; for an example, run `pitboss lab show kuhn`"
    elif what.startswith(("Invalid value ", "Invalid enum value ")):
        what = f"expected one of {_choices(genome, written, steps)}; got {what.partition('value ')[2]}"
    elif what.startswith("unknown field"):
        what = f"{what}; expected one of {_fields(genome, written, steps)}"
    elif what == "missing field `type`":
        what = f"{what}; expected one of {_choices(genome, written, steps)}"
    what = what[:1].lower() + what[1:]
    return f"{field}: {what}" if field else what


def _walked(kind: Any, written: Any, steps: list[str]) -> tuple[Any, Any]:
    """Follow a path of field names and indexes. Return the type and the value that it leads to."""
    for step in steps:
        if isinstance(kind, info.UnionType):
            kind = _meant(kind, written, step)
        if isinstance(kind, info.VarTupleType):
            kind, written = kind.item_type, written[int(step)]
        elif isinstance(kind, info.StructType):
            kind, written = next(field.type for field in kind.fields if field.name == step), written[step]
    return kind, written


def _fields(kind: Any, written: Any, steps: list[str]) -> str:
    """Return the fields of the object at the end of the steps."""
    kind, written = _walked(kind, written, steps)
    struct = _meant(kind, written, "") if isinstance(kind, info.UnionType) else kind
    tags = [struct.tag_field] if struct.tag_field else []
    return ", ".join([*tags, *[field.name for field in struct.fields]])


def _choices(kind: Any, written: Any, steps: list[str]) -> str:
    """Return the valid values at the end of the steps."""
    kind, _ = _walked(kind, written, steps)
    kinds = kind.types if isinstance(kind, info.UnionType) else (kind,)
    tags = [kind.tag for kind in kinds if isinstance(kind, info.StructType) and kind.tag is not None]
    words = [word for kind in kinds if isinstance(kind, info.LiteralType) for word in kind.values]
    objects = [] if tags or len(kinds) == 1 else ["an object"]
    return ", ".join([str(choice) for choice in [*tags, *words, *objects]])


def _meant(kind: info.UnionType, written: Any, step: str) -> Any:
    """Return the type of a union that has the tag of the value. If the step is the tag, return the union."""
    structs = [one for one in kind.types if isinstance(one, info.StructType)]
    named = [one for one in structs if one.tag == written.get("type")] if step != "type" else [kind]
    return (named or structs)[0]
