"""Read and write a poker game as TOML.

A file has the fields of a `Structure`. `parse_game` checks them, so that a game that cannot be played is refused before
any card is dealt. The same fields, as a table, are in records and on the wire. All functions are pure; `games.py` opens
files.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple

from pitboss.betting.refusals import SetupError
from pitboss.betting.rules import PRESETS, Rules, RulesError, spread_limit
from pitboss.cards import DECK, RANKS, SUITS, Card, CardError, read_written_cards, write_cards
from pitboss.errors import PitbossError
from pitboss.hand.structure import MOST_BOARDS, MOST_RUNS, Opens, Ranking, Street, Structure
from pitboss.ranks.layout import FROM_BOARD, FROM_HOLE
from pitboss.ranks.lows import LOW_RANKS
from pitboss.ranks.orders import ORDERS
from pitboss.ranks.pairs import MOST_UP

OWN_CODE = "X"
"""The code of all games that are files. A record with this code also contains the game."""
LONGEST_FILE = 1 << 16
"""The maximum length of a file, in bytes."""
_MOST_STREETS, _MOST_RANKINGS, _MOST_ALIASES, _LONGEST_TITLE = 12, 4, 12, 80
_DEEPEST = 8
MOST_TO_CHOOSE_FROM = 10
"""The maximum number of cards of a player before a discard, because all choices are listed."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_STREET_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,29}")
_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_-]+)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_TOO_DEEP = re.compile(rf"(?:[A-Za-z0-9_-]+\s*\.\s*){{{_DEEPEST}}}")
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)\Z")
_FIELD_PLACE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)

_WORDS = {
    "`int`": "a whole number",
    "`str`": "text",
    "`bool`": "true or false",
    "`float`": "a number with a fraction",
    "`array`": "a list",
    "`object`": "a table",
    " | `null`": "",
}
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING_KEY = re.compile(r"Object missing required field `(.*)`")
_WRONG_WORD = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_COMMENTS = {
    "name": "the name of the game as one word",
    "title": "the name of the game for people",
    "code": "the code of a game of pitboss; delete this line if you change the game",
    "aliases": "other names of the game",
    "betting": "no_limit, pot_limit, spread_limit or fixed_limit",
    "open_pair": "whether an open pair on a street of the small bet allows the big bet",
    "boards": "the number of boards; each wins an equal part of the pot",
    "most_runs": "how often the players may choose to deal the rest of the board at an all-in",
    "streets.hole": "cards dealt face down to each player",
    "streets.up": "cards dealt face up to each player",
    "streets.board": "cards dealt to the board",
    "streets.draw": "each player can exchange cards",
    "streets.big": "fixed limit: the big bet",
    "streets.opens": "who acts first: left, low_card, high_card, high_hand or low_hand",
    "streets.discard": "cards that each player discards before these are dealt",
    "streets.discard_up": "all players see the discarded cards",
    "showdown.order": "which hand wins: " + ", ".join(ORDERS),
    "showdown.from_two": "a hand has exactly two hole cards and three board cards",
    "deck.ranks": "lowest first",
    "wild.ranks": "the ranks of wild cards, which stand for any card",
    "rules.bring_in": "the first player must pay a bring-in; the game has no blinds",
    "rules.cap": "maximum number of bets and raises per round; -1: no limit",
    "rules.least_bet": "spread limit: the smallest bet in chips",
    "rules.most_bet": "spread limit: the largest bet or raise in chips",
    "rules.reopening": "when a short all-in reopens raising: single, cumulative or always",
}
_COMMENT_AT, _MARK = 27, " # "

BettingSystem: TypeAlias = Literal["no_limit", "pot_limit", "spread_limit", "fixed_limit"]
_BETTING = {**PRESETS, "spread_limit": spread_limit}
Path: TypeAlias = tuple[str | int, ...]
"""The keys that lead to a value. Entries of an array count from 0."""
Problem: TypeAlias = tuple[Path, str]
Lines: TypeAlias = Mapping[Path, int]
Known: TypeAlias = Mapping[str, Structure]


class GameFileError(PitbossError, ValueError):
    """A game file, or the game in a record, that cannot be played. `line` and `key` are the place of the error.

    >>> from pitboss import read_game
    >>> read_game("nowhere.toml")
    Traceback (most recent call last):
    pitboss.GameFileError: nowhere.toml: No such file or directory
    """

    def __init__(self, sentence: str, *, name: str = "", line: int = 0, key: str = "") -> None:
        places = (name, f"line {line}" if line else "", key)
        where = ", ".join([place for place in places if place])
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.sentence, self.line, self.key = sentence, line, key


class _StreetFields(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    hole: int = 0
    up: int = 0
    board: int = 0
    draw: bool = False
    big: bool = False
    opens: Opens = "left"
    discard: int = 0
    discard_up: bool = False


class _RankingFields(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    order: str
    from_two: bool = False


class _DeckFields(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    ranks: str = RANKS
    suits: str = SUITS
    cards: str = ""


class _WildFields(Struct, frozen=True, forbid_unknown_fields=True):
    ranks: str


class _Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The betting settings that a file can change. `None` is the value of the betting system."""

    bring_in: bool | None = None
    cap: int | None = None
    opening_counts: bool | None = None
    completes: bool | None = None
    free_fold: bool | None = None
    short_raises: bool | None = None
    least_bet: int | None = None
    most_bet: int | None = None
    reopening: Literal["single", "cumulative", "always"] | None = None


class GameFields(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a game file."""

    name: str
    title: str
    betting: BettingSystem
    streets: tuple[_StreetFields, ...]
    showdown: tuple[_RankingFields, ...]
    code: str = OWN_CODE
    aliases: tuple[str, ...] = ()
    deck: _DeckFields = _DeckFields()
    rules: _Settings = _Settings()
    open_pair: bool = False
    boards: int = 1
    most_runs: int = 1
    wild: _WildFields | None = None


# --- reading


def parse_game(text: str, name: str = "", known: Known | None = None) -> Structure:
    """Return the game of a TOML text. `name` is the name of the file, for error messages.

    `known` has the games of pitboss by code and by name. Another game cannot have their codes and names.

    >>> parse_game("name = 7", "mine.toml")
    Traceback (most recent call last):
    pitboss.GameFileError: mine.toml, line 1, name: expected text, got a whole number
    """
    fields, lines = read_toml(text, name)
    return game_from_fields(fields, name, lines, known)


def read_toml(text: str, name: str = "") -> tuple[dict[str, Any], Lines]:
    """Return the tables of a TOML text, and the line of each key. Raise `GameFileError` if it is not valid TOML."""
    import tomllib  # records and positions need the fields only

    if len(text) > LONGEST_FILE:
        raise GameFileError(f"expected a file of at most {LONGEST_FILE} characters", name=name)
    if found := _TOO_DEEP.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise GameFileError(f"expected at most {_DEEPEST} levels of keys", name=name, line=line)
    try:
        fields = tomllib.loads(text)
    except RecursionError:
        raise GameFileError("arrays or tables are nested too deeply", name=name) from None
    except (ValueError, ArithmeticError) as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1] or text.count("\n") + 1) if place else 0
        reason = _TOML_PLACE.sub("", str(error))
        raise GameFileError(f"the file is not valid TOML: {reason}", name=name, line=line) from None
    return fields, _lines_of(text)


def _lines_of(text: str) -> Lines:
    """Return the line of each key and each table header."""
    lines: dict[Path, int] = {}
    counts: dict[str, int] = {}
    table: Path = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.fullmatch(line):
            brackets, key = header.groups()
            table = (key,)
            if brackets == "[[":
                table = (key, counts.get(key, 0))
                counts[key] = table[1] + 1
                lines.setdefault((key,), number)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key[1]), number)
    return lines


def game_from_fields(
    fields: object, name: str = "", lines: Lines | None = None, known: Known | None = None
) -> Structure:
    """Return the game of these fields, as a record or a message has them."""
    lines = {} if lines is None else lines
    try:
        given = msgspec.convert(fields, GameFields, strict=True)
    except msgspec.ValidationError as error:
        path, sentence = _in_words(str(error))
        raise _located(path, sentence, name, lines) from None
    except RecursionError:
        raise GameFileError("tables are nested too deeply", name=name) from None
    for path, sentence in _wrong_fields(given):
        raise _located(path, sentence, name, lines)
    structure = _structure(given, name, lines)
    for path, sentence in chain(problems(structure), _taken(structure, known or {})):
        raise _located(path, sentence, name, lines)
    return structure


def own_game(fields: object) -> Structure:
    """Return the game of a record, a message or a position. Its code must be `X`, because it is given in full."""
    structure = game_from_fields(fields)
    if structure.code != OWN_CODE:
        raise GameFileError(f"expected no code or {OWN_CODE!r}, got {structure.code[:20]!r}", key="code")
    return structure


def _located(path: Path, sentence: str, name: str, lines: Lines) -> GameFileError:
    line = next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), 0)
    return GameFileError(sentence, name=name, line=line, key=spell(path))


def spell(path: Path) -> str:
    """Return the keys of a path as text. Entries of an array count from 1.

    >>> spell(("streets", 0, "hole"))
    'streets[1].hole'
    """
    return "".join([f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in path]).removeprefix(".")


def _in_words(error: str) -> Problem:
    """Return the place and the sentence of an error of msgspec."""
    found = _FIELD_PLACE.fullmatch(error)
    assert found is not None, error
    said, place = found[1], found[2] or ""
    path: Path = tuple(int(key) if key.isdigit() else key for key in re.findall(r"[A-Za-z_]+|\d+", place))
    if unknown := _UNKNOWN_KEY.fullmatch(said):
        return (*path, unknown[1][:60]), f"unknown key; expected one of {', '.join(_keys_at(path))}"
    if missing := _MISSING_KEY.fullmatch(said):
        return path, f"the key {missing[1]} is missing"
    if wrong := _WRONG_WORD.fullmatch(said):
        return path, f"expected {_choices_at(path)}, got {wrong[1][:40]!r}"
    for word, words in _WORDS.items():
        said = said.replace(word, words)
    return path, said[:1].lower() + said[1:]


def _keys_at(path: Path) -> tuple[str, ...]:
    """Return the keys of a table of the file."""
    tables: dict[str, type[Struct]] = {
        "streets": _StreetFields,
        "showdown": _RankingFields,
        "deck": _DeckFields,
        "wild": _WildFields,
    }
    table = tables.get(str(path[0]), _Settings) if path else GameFields
    return table.__struct_fields__


def _choices_at(path: Path) -> str:
    hints = {
        "betting": get_args(BettingSystem),
        "opens": ("left", "low_card", "high_card", "high_hand", "low_hand"),
        "reopening": ("single", "cumulative", "always"),
    }
    return " or ".join(map(repr, hints[str(path[-1])]))


def _wrong_fields(given: GameFields) -> Iterator[Problem]:
    """Yield what is wrong with single values."""
    for path, word in [(("name",), given.name), *[(("aliases", at), word) for at, word in enumerate(given.aliases)]]:
        if not _NAME.fullmatch(word):
            yield path, f"expected lower-case letters, digits and _, such as 'big_pineapple', got {word[:60]!r}"
    if (
        not 0 < len(given.title) <= _LONGEST_TITLE
        or not given.title.isprintable()
        or given.title != given.title.strip()
    ):
        yield ("title",), f"expected 1 to {_LONGEST_TITLE} printable characters, got {given.title[:_LONGEST_TITLE]!r}"
    for key, entries, most in (
        ("streets", given.streets, _MOST_STREETS),
        ("showdown", given.showdown, _MOST_RANKINGS),
        ("aliases", ("", *given.aliases), _MOST_ALIASES + 1),
    ):
        if not 1 <= len(entries) <= most:
            yield (key,), f"expected 1 to {most} entries, got {len(entries)}"
    for key, number, most in (("boards", given.boards, MOST_BOARDS), ("most_runs", given.most_runs, MOST_RUNS)):
        if not 1 <= number <= most:
            yield (key,), f"expected 1 to {most}, got {number}"
    names = [street.name for street in given.streets]
    for at, street in enumerate(given.streets):
        if not _STREET_NAME.fullmatch(street.name):
            example = "such as 'FLOP'"
            yield (
                ("streets", at, "name"),
                f"expected capital letters, digits and _, {example}, got {street.name[:40]!r}",
            )
        if street.name in names[:at]:
            yield ("streets", at, "name"), f"{street.name} is the name of an earlier street; expected different names"
        for key in ("hole", "up", "board", "discard"):
            if not 0 <= getattr(street, key) <= len(DECK):
                yield ("streets", at, key), f"expected 0 to {len(DECK)} cards, got {getattr(street, key)}"
    for at, ranking in enumerate(given.showdown):
        if ranking.order not in ORDERS:
            yield (
                ("showdown", at, "order"),
                f"expected {' or '.join(map(repr, ORDERS))}, got {ranking.order[:40]!r}",
            )


def _structure(given: GameFields, name: str, lines: Lines) -> Structure:
    """Return the structure of the fields; the game may still be impossible to play."""
    settings = {key: value for key, value in asdict(given.rules).items() if value is not None}
    try:
        betting = _BETTING[given.betting](**settings)
    except RulesError as error:
        key, _, sentence = str(error).partition(": ")
        path: Path = ("rules", key) if ("rules",) in lines else ("betting",)
        raise _located(path, sentence, name, lines) from None
    streets = []
    for at, street in enumerate(given.streets):
        try:
            streets.append(Street(**asdict(street)))
        except SetupError as error:
            raise _located(("streets", at), str(error), name, lines) from None
    _check_wild(given, name, lines)
    return Structure(
        name=given.title,
        code=given.code,
        keys=(given.name, *given.aliases),
        deck=_deck(given.deck, name, lines),
        streets=tuple(streets),
        betting=betting,
        showdown=tuple([Ranking(*astuple(ranking)) for ranking in given.showdown]),
        open_pair=given.open_pair,
        boards=given.boards,
        most_runs=given.most_runs,
        wild="" if given.wild is None else given.wild.ranks,
    )


def _check_wild(given: GameFields, name: str, lines: Lines) -> None:
    """Raise an error if the wild cards are not in the deck, or if an order does not have wild cards."""
    if given.wild is None:
        return
    ranks, deck = given.wild.ranks, {card[0] for card in _deck(given.deck, name, lines)}
    if not ranks or len(set(ranks)) < len(ranks) or not set(ranks) < deck:
        known = "".join(sorted(deck, key=RANKS.index))
        sentence = f"expected some ranks of the deck, {known!r}, each once and not all of them, got {ranks[:40]!r}"
        raise _located(("wild", "ranks"), sentence, name, lines)
    for at, ranking in enumerate(given.showdown):
        if ORDERS[ranking.order].wild is None:
            able = " or ".join([repr(order.name) for order in ORDERS.values() if order.wild is not None])
            sentence = f"a game with wild cards needs the order {able}, got {ranking.order!r}"
            raise _located(("showdown", at, "order"), sentence, name, lines)


def _deck(given: _DeckFields, name: str, lines: Lines) -> tuple[Card, ...]:
    """Return the cards of a deck, given by ranks and suits or one by one."""
    if given.cards:
        if (given.ranks, given.suits) != (RANKS, SUITS):
            raise _located(("deck", "cards"), "give cards, or ranks and suits, but not both", name, lines)
        try:
            cards = read_written_cards(given.cards)
        except CardError as error:
            raise _located(("deck", "cards"), str(error), name, lines) from None
        if unknown := [card for card in cards if card not in DECK]:
            raise _located(("deck", "cards"), f"expected known cards such as As, got {unknown[0]}", name, lines)
        if len(set(cards)) < len(cards):
            raise _located(("deck", "cards"), "expected each card once", name, lines)
        return cards
    for key, letters, known in (("ranks", given.ranks, RANKS), ("suits", given.suits, SUITS)):
        if not letters or len(set(letters)) < len(letters) or not set(letters) <= set(known):
            sentence = f"expected letters of {known!r}, each once, got {letters[:40]!r}"
            raise _located(("deck", key), sentence, name, lines)
    return tuple([rank + suit for rank in sorted(given.ranks, key=RANKS.index) for suit in sorted(given.suits)])


# --- what can be played


def _taken(structure: Structure, known: Known) -> Iterator[Problem]:
    """Yield a problem for the code and for each name of this game that another game already has."""
    if known and structure.code != OWN_CODE and known.get(structure.code) != structure:
        yield ("code",), f"{structure.code[:20]!r} is not the code of this game; delete the line"
    for at, key in enumerate(structure.keys):
        if known.get(key, structure) != structure:
            yield ("aliases", at - 1) if at else ("name",), f"{key} is the name of another game; expected a new name"


def problems(structure: Structure) -> Iterator[Problem]:
    """Yield why a game cannot be played: the keys and a sentence."""
    yield from _street_problems(structure)
    yield from _board_problems(structure)
    if structure.most_players < 2:
        yield from _short_deck(structure)
    yield from _showdown_problems(structure)


def _street_problems(structure: Structure) -> Iterator[Problem]:
    streets, shown = structure.streets, 0
    if not streets[0].own:
        yield ("streets", 0, "hole"), "the first street must deal cards to each player; expected hole or up above 0"
    for at, street in enumerate(streets):
        shown += street.up
        if not (street.own or street.board or street.draw or street.discard):
            yield ("streets", at), f"{street.name} deals no cards; expected hole, up, board, draw or discard"
        if street.draw and structure.faces:
            yield ("streets", at, "draw"), "a game with up-cards cannot have a draw"
        yield from _discard_problems(structure, at)
        if street.opens != "left" and not shown:
            yield ("streets", at, "opens"), f"{street.opens!r} compares up-cards, and no up-card is dealt before"
        if street.opens.endswith("_hand") and shown > MOST_UP:
            yield ("streets", at, "opens"), f"{street.opens!r} compares at most {MOST_UP} up-cards, got {shown}"
    by_card = streets[0].opens != "left"
    if by_card is not structure.betting.bring_in:
        yield (
            ("streets", 0, "opens") if by_card else ("rules", "bring_in"),
            "a game has a bring-in if, and only if, the first street opens by a card; set both or neither",
        )


def _board_problems(structure: Structure) -> Iterator[Problem]:
    """Yield what is wrong with the number of boards and of runs."""
    for key, number in (("boards", structure.boards), ("most_runs", structure.most_runs)):
        if number > 1 and not structure.board_by_street[-1]:
            yield (key,), "no street deals cards to the board; expected 1, or a street with board above 0"
    if structure.boards > 1 and structure.most_runs > 1:
        yield ("most_runs",), "a game with several boards cannot deal them again; expected 1"


def _discard_problems(structure: Structure, at: int) -> Iterator[Problem]:
    """Yield what is wrong with the discard of one street."""
    street = structure.streets[at]
    held = structure.hole_by_street[at - 1] if at else 0
    if street.discard_up and not street.discard:
        yield ("streets", at, "discard_up"), f"{street.name} has no discard; expected discard above 0"
    if not street.discard:
        return
    if not at:
        yield ("streets", at, "discard"), "players have no cards yet; move the discard to a later street"
    elif structure.faces or structure.draws:
        other = "up-cards" if structure.faces else "a draw"
        yield ("streets", at, "discard"), f"a game with {other} cannot have a discard"
    elif not street.discard < held <= MOST_TO_CHOOSE_FROM:
        sentence = f"expected fewer cards than players have, and players with at most {MOST_TO_CHOOSE_FROM} cards; "
        yield ("streets", at, "discard"), f"{sentence}got {street.discard} of {held}"


def _short_deck(structure: Structure) -> Iterator[Problem]:
    """Yield the first street that needs more cards than the deck has for two players."""
    extra = structure.hole_by_street[-1] if structure.draws else 0
    dealt = accumulate([street.own for street in structure.streets])
    boards = [structure.boards * board for board in structure.board_by_street]
    needs = [2 * own + board + extra for own, board in zip(dealt, boards, strict=True)]
    short = [at for at, need in enumerate(needs) if need > len(structure.deck)]
    at = short[0] if short else len(needs) - 1
    yield (
        ("streets", at),
        f"{structure.streets[at].name} needs {needs[at]} cards for two players, and the deck has {len(structure.deck)}",
    )


def _showdown_problems(structure: Structure) -> Iterator[Problem]:
    own, board = structure.hole_by_street[-1], structure.board_by_street[-1]
    for at, ranking in enumerate(structure.showdown):
        order = ORDERS[ranking.order]
        if ranking in structure.showdown[:at]:
            yield ("showdown", at), "is the same as an earlier entry; expected different ones"
        if ranking.from_two and (own < FROM_HOLE or board < FROM_BOARD or not order.fewest <= 5 <= order.most):
            sentence = f"needs two hole cards and three board cards, but players have {own} and {board}"
            yield ("showdown", at, "from_two"), sentence
        elif not ranking.from_two and not order.fewest <= own + board <= order.most:
            sentence = (
                f"{ranking.order!r} compares {order.fewest} to {order.most} cards, but players have {own + board}"
            )
            yield ("showdown", at, "order"), sentence
        if strange := [card for card in structure.deck if not order.can_rank(card)]:
            yield ("showdown", at, "order"), f"{ranking.order!r} cannot compare {strange[0]}, which is in the deck"
        if ranking.order == "low" and len({card[0] for card in structure.deck} & set(LOW_RANKS)) < order.fewest:
            yield ("showdown", at, "order"), "no one can win it: the deck has fewer than five ranks up to the eight"
    if all(ranking.order == "low" for ranking in structure.showdown):
        yield (
            ("showdown",),
            "no one wins a pot if no player has a low up to the eight; add an entry with another order",
        )


# --- writing


def betting_system(structure: Structure) -> str:
    """Return the betting system of a game: no_limit, pot_limit, spread_limit or fixed_limit."""
    return _system(structure.betting)[0]


def game_fields(structure: Structure) -> dict[str, Any]:
    """Return the fields of a game, without defaults, as a record and a message have them.

    >>> from pitboss import RAZZ
    >>> fields = game_fields(RAZZ)
    >>> fields["name"], fields["betting"], fields["rules"], game_from_fields(fields) == RAZZ
    ('razz', 'fixed_limit', {'bring_in': True}, True)
    """
    betting, settings = _system(structure.betting)
    fields: dict[str, Any] = msgspec.to_builtins(
        GameFields(
            name=structure.key if structure.keys else "own_game",
            title=structure.name,
            betting=betting,
            code=structure.code,
            aliases=structure.keys[1:],
            deck=_deck_fields(structure.deck),
            streets=tuple([_StreetFields(**asdict(street)) for street in structure.streets]),
            showdown=tuple([_RankingFields(*astuple(ranking)) for ranking in structure.showdown]),
            rules=settings,
            open_pair=structure.open_pair,
            boards=structure.boards,
            most_runs=structure.most_runs,
            wild=_WildFields(structure.wild) if structure.wild else None,
        )
    )
    for key in ("deck", "rules"):  # msgspec only omits simple defaults
        if not fields[key]:
            del fields[key]
    return fields


def _system(rules: Rules) -> tuple[BettingSystem, _Settings]:
    """Return the betting system of the rules, and the settings that differ from it."""
    system: BettingSystem = "fixed_limit" if rules.exact else "pot_limit" if rules.ceiling else "no_limit"
    usual = PRESETS[system]()
    if rules.most_bet:
        system = "spread_limit"
    changed = {key: value for key, value in asdict(rules).items() if value != getattr(usual, key)}
    if strange := sorted(changed.keys() - set(_Settings.__struct_fields__)):
        raise GameFileError(f"a game file has no key for the betting setting {strange[0]}")
    if "reopening" in changed:
        changed["reopening"] = rules.reopening.name.lower()
    return system, _Settings(**changed)


def _deck_fields(deck: tuple[Card, ...]) -> _DeckFields:
    ranks = "".join([rank for rank in RANKS if any(card[0] == rank for card in deck)])
    suits = "".join([suit for suit in SUITS if any(card[1] == suit for card in deck)])
    if deck == tuple([rank + suit for rank in ranks for suit in suits]):
        return _DeckFields(ranks, suits)
    return _DeckFields(cards=write_cards(deck))


def write_game(structure: Structure) -> str:
    """Return a game as TOML with comments, which `parse_game` reads.

    >>> from pitboss import OMAHA
    >>> parse_game(write_game(OMAHA)) == OMAHA
    True
    """
    fields = game_fields(structure)
    if "cards" not in fields.setdefault("deck", {}):
        fields["deck"] = {"ranks": RANKS, "suits": SUITS} | fields["deck"]
    lines = ["# A poker game. To use it: pitboss games check FILE, and --game FILE with other commands.", ""]
    lines += [_line("", key, fields[key]) for key in GameFields.__struct_fields__ if _is_plain(fields.get(key))]
    for key in ("deck", "wild", "rules"):
        if fields.get(key):
            lines += ["", f"[{key}]", *[_line(key, inner, value) for inner, value in fields[key].items()]]
    for key in ("streets", "showdown"):
        for entry in fields[key]:
            lines += ["", f"[[{key}]]", *[_line(key, inner, value) for inner, value in entry.items()]]
    return "\n".join(_comment_once(lines)) + "\n"


def _comment_once(lines: list[str]) -> Iterator[str]:
    """Yield the lines; each comment stays only where it appears first."""
    seen: set[str] = set()
    for line in lines:
        text, mark, comment = line.partition(_MARK)
        yield text.rstrip() if mark and comment in seen else line
        seen.add(comment)


def _is_plain(value: object) -> bool:
    """Return whether a value fits on one line, without a table of its own."""
    return isinstance(value, str | int) or (isinstance(value, tuple) and all(isinstance(entry, str) for entry in value))


def _line(table: str, key: str, value: object) -> str:
    text = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    comment = _COMMENTS.get(f"{table}.{key}" if table else key)
    return f"{text:<{_COMMENT_AT}}{_MARK}{comment}" if comment else text
