"""Genomes as JSON: reading, writing, and the known games that come with pitboss."""

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
    "war": "two cards are turned up, the higher takes both; equal cards stay for the next",
    "betting_war": "ten cards each, a bet before every card that is turned up, the most tricks take the pot",
    "highest_card": "one card, one round of bets: the higher card has it",
    "kuhn": "three cards, one bet: the smallest poker with bluffs",
    "leduc": "six cards, one of them public, two rounds of bets",
    "simple_poker": "five cards, one round of bets, the best poker hand",
    "three_card_poker": "three cards, one bet or none, and a showdown of short hands",
    "draw_poker": "five cards, bets, up to three cards exchanged, bets again",
    "community_poker": "two cards of one's own and five for all, four rounds of bets, side pots",
    "blackjack": "closest to 21 without going over, with bets and without a dealer",
    "crazy_eights": "suit on suit or rank on rank, eights on anything; out first wins",
    "mau_mau": "crazy eights with sevens that make draw, eights that skip and nines that turn round",
    "hearts": "tricks without trumps, and every heart and the queen of spades hurts",
    "whist": "tricks with trumps, everybody for himself",
    "knaves": "a point a trick, but the knaves cost; twenty points win",
    "gin": "draw, discard, and be left with few points outside sets and runs",
    "rummy": "draw, discard, lay threes of a kind; what is left in hand counts against you",
    "cheat": "cards face down under a rank that need not be true; out first wins",
    "old_maid": "pairs go away, a neighbour's card is taken unseen, one card has no mate",
    "go_fish": "ask for a rank or fish for it; the most books win",
    "president": "play higher or pass; out first wins",
    "scopa": "take cards from the table by rank or by sum; diamonds count double",
}
_STEP = re.compile(r"[A-Za-z_]+|\d+")
_PHASES, _WINS = (tuple[reduce(or_, kinds), ...] for kinds in (phases.TYPES, wins.TYPES))  # type: ignore[misc]  # a union made of a list


def known_games() -> dict[str, str]:
    """What every known game is, by name.

    >>> known_games()["kuhn"]
    'three cards, one bet: the smallest poker with bluffs'
    """
    return dict(_GAMES)


def known_text(name: str) -> str:
    """A known game's genome as JSON."""
    return (files("pitboss.lab") / "games" / f"{name}.json").read_text(encoding="utf-8")


def _written(part: type[Struct], **types: Any) -> type[Struct]:
    """How a part is written, where these fields are of types that it does not know itself."""
    named: list[Any] = []
    for field in fields(part):
        kind = types.get(field.name, field.type)
        named.append((field.name, kind) if field.required else (field.name, kind, field.default))
    return msgspec.defstruct(part.__name__, named, kw_only=True, forbid_unknown_fields=True)


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
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise GenomeError(_explained(error, text)) from None
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


# --- what is wrong with what is written


def _explained(error: Exception, text: str | bytes) -> str:
    """What is wrong: that it is empty or no JSON, which is not seen before its end, or which field is wrong."""
    if not text.strip():
        return "this is empty, and no game: `pitboss lab show kuhn` prints one"
    try:
        written = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        return f"this is no JSON: {broken}"
    if isinstance(written, dict) and "cells" in written:
        return "this is the archive of a run, and no game: its games are files in the folder games beside it"
    return _sentence(str(error), text)


def _sentence(message: str, text: str | bytes) -> str:
    """msgspec's message with the field's name first: "setup.ante: expected `int`, got `str`"; wrong choices named."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown field").replace("Object missing required", "missing")
    genome, written, steps = info.type_info(_GENOME), msgspec.json.decode(text), _STEP.findall(field)
    if not field and what.startswith("Expected"):
        what = f"{what}; `pitboss lab show kuhn` prints a game"
    elif what.startswith(("Invalid value ", "Invalid enum value ")):
        what = f"{what.partition('value ')[2]} is none of {_choices(genome, written, steps)}"
    elif what.startswith("unknown field"):
        what = f"{what}; there are {_fields(genome, written, steps)}"
    elif what == "missing field `type`":
        what = f"{what}, one of {_choices(genome, written, steps)}"
    what = what[:1].lower() + what[1:]
    return f"{field}: {what}" if field else what


def _walked(kind: Any, written: Any, steps: list[str]) -> tuple[Any, Any]:
    """The type that these steps lead to, in what is written as a thing of this type, and what is written there."""
    for step in steps:
        if isinstance(kind, info.UnionType):
            kind = _meant(kind, written, step)
        if isinstance(kind, info.VarTupleType):
            kind, written = kind.item_type, written[int(step)]
        elif isinstance(kind, info.StructType):
            kind, written = next(field.type for field in kind.fields if field.name == step), written[step]
    return kind, written


def _fields(kind: Any, written: Any, steps: list[str]) -> str:
    """The fields of the object that these steps lead to."""
    kind, written = _walked(kind, written, steps)
    struct = _meant(kind, written, "") if isinstance(kind, info.UnionType) else kind
    tags = [struct.tag_field] if struct.tag_field else []
    return ", ".join([*tags, *[field.name for field in struct.fields]])


def _choices(kind: Any, written: Any, steps: list[str]) -> str:
    """What may stand where these steps lead to."""
    kind, _ = _walked(kind, written, steps)
    kinds = kind.types if isinstance(kind, info.UnionType) else (kind,)
    tags = [kind.tag for kind in kinds if isinstance(kind, info.StructType) and kind.tag is not None]
    words = [word for kind in kinds if isinstance(kind, info.LiteralType) for word in kind.values]
    objects = [] if tags or len(kinds) == 1 else ["an object"]
    return ", ".join([str(choice) for choice in [*tags, *words, *objects]])


def _meant(kind: info.UnionType, written: Any, step: str) -> Any:
    """Which of several types this is: the struct of its tag, or all of them where the tag itself is asked for."""
    structs = [one for one in kind.types if isinstance(one, info.StructType)]
    named = [one for one in structs if one.tag == written.get("type")] if step != "type" else [kind]
    return (named or structs)[0]
