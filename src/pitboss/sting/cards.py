"""A game's cards, read from a data file: what each kind adds, the decks made of them, and the totals on a table."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from msgspec import Struct

from pitboss.errors import PitbossError

Role = Literal["narc", "customer", "player"]
ROLES: tuple[Role, ...] = ("narc", "customer", "player")

Kind = Literal["product", "location", "evidence", "cover", "deal", "insurance", "conviction"]
FIELDS: dict[Kind, tuple[str, ...]] = {
    "product": ("price", "heat"),
    "location": ("evidence", "cover", "heat"),
    "evidence": ("evidence", "heat"),
    "cover": ("cover", "heat"),
    "deal": ("multiplier", "price", "evidence", "heat"),
    "insurance": ("cover", "cost", "penalty", "heat"),
    "conviction": ("threshold", "evidence", "heat"),
}
NEEDED: dict[Kind, tuple[str, ...]] = {"insurance": ("cost", "penalty"), "conviction": ("threshold",)}
"""What a card cannot leave out: a forgotten one would make it free, or always in force."""
MOST = 1_000_000
"""No number on a card is larger, either way."""
HIDDEN = "??"
"""A card that lies face down, or in somebody else's hand or deck; no card is called so."""


class CardsError(PitbossError, ValueError):
    """A data file that makes no game; the sentence names the card or deck and the field."""


class StingCard(Struct, frozen=True, kw_only=True):
    """What a card does when it lies face up."""

    name: str
    kind: Kind
    price: int = 0
    multiplier: Fraction = Fraction(1)
    evidence: int = 0
    cover: int = 0
    heat: int = 0
    cost: int = 0
    penalty: int = 0
    threshold: int = 0


class Totals(Struct, frozen=True):
    """What the cards on the table come to."""

    evidence: int = 0
    cover: int = 0
    heat: int = 0
    profit: int = 0

    @property
    def margin(self) -> int:
        """How much more Evidence the cover stands; below 0 it is a bust."""
        return self.cover - self.evidence


class CardSet(Struct, frozen=True, kw_only=True):
    """A game's cards and decks."""

    cards: Mapping[str, StingCard]
    decks: Mapping[str, Mapping[str, tuple[str, ...]]]  #: role → deck → cards, as the file lists them
    caught_at: int = 100  #: the Heat that ends a run
    cash: int = 0  #: what a run begins with
    evidence: Mapping[str, float]  #: of an average card, by role, in its first deck
    text: str = ""  #: the file itself, so that a run can be saved together with its cards

    def deck(self, role: Role, name: str | None = None) -> tuple[str, ...]:
        """A deck's cards; without a name the role's first."""
        decks = self.decks[role]
        if name is not None and name not in decks:
            raise CardsError(f"{role} has no deck {name!r}: there are {', '.join(decks)}")
        return decks[name] if name is not None else _first(decks)

    def totals(self, played: Sequence[str]) -> Totals:
        """What cards come to, in the order they were played: of products and locations the last one counts.

        >>> default_cards().totals(["Meth", "Safe House", "Weed", "Bulk Order"])
        Totals(evidence=35, cover=30, heat=50, profit=45)
        """
        evidence = cover = heat = added = 0
        over = under = 1  # the multipliers' product, in whole numbers: sums of fractions are slow
        product = location = None
        for name in played:
            card = self.cards[name]
            heat += card.heat
            if card.kind == "product":
                product = card
            elif card.kind == "location":
                location = card
            else:
                evidence += card.evidence
                cover += card.cover
                if card.kind == "deal":
                    added += card.price
                    over *= card.multiplier.numerator
                    under *= card.multiplier.denominator
        if location is not None:
            evidence += location.evidence
            cover += location.cover
        profit = 0 if product is None else (product.price + added) * over
        if under > 1:
            profit = int(Fraction(profit, under))  # toward zero
        return Totals(evidence, cover, heat, profit)

    def of_kind(self, played: Iterable[str], kind: Kind) -> list[StingCard]:
        """The cards of one kind among these."""
        return [self.cards[name] for name in played if self.cards[name].kind == kind]


# --- reading


@cache
def default_cards() -> CardSet:
    """The cards that come with the game."""
    return read_cards_file(files("pitboss.sting").joinpath("cards.toml").read_text(encoding="utf-8"))


def load_cards(path: str | Path) -> CardSet:
    """The cards of a data file; raises `CardsError` with one sentence."""
    try:
        return read_cards_file(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CardsError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeError:
        raise CardsError(f"{path} is not text in UTF-8") from None
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from None


def read_cards_file(text: str) -> CardSet:
    """Cards, decks and the run's settings out of TOML."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CardsError(f"not TOML: {error}") from None
    _no_others(data, ("cards", "decks", "run"), "the file")
    cards = {name: _card(name, fields) for name, fields in _table(data, "cards", "the file").items()}
    if not cards:
        raise CardsError("there are no cards")
    decks = _table(data, "decks", "the file")
    _no_others(decks, ROLES, "decks")
    run = data.get("run", {})
    if not isinstance(run, dict):
        raise CardsError("run must be a table")
    _no_others(run, ("caught_at", "cash"), "run")
    by_role: dict[str, dict[str, tuple[str, ...]]] = {
        role: _decks(role, _table(decks, role, "decks"), cards) for role in ROLES
    }
    return CardSet(
        cards=cards,
        decks=by_role,
        evidence={role: fmean(cards[card].evidence for card in _first(by_role[role])) for role in ROLES},
        caught_at=_whole(run.get("caught_at", 100), "run", "caught_at", least=1),
        cash=_whole(run.get("cash", 0), "run", "cash", least=0),
        text=text,
    )


def _card(name: str, fields: Any) -> StingCard:
    if not name.isprintable() or name != name.strip() or name in ("", HIDDEN):
        raise CardsError(f"card {name!r} needs a name that can be printed, without spaces around it")
    if not isinstance(fields, dict):
        raise CardsError(f"card {name!r} must be a table with a kind")
    _has(fields, "kind", f"card {name!r}")
    kind = fields["kind"]
    if not isinstance(kind, str) or kind not in FIELDS:
        raise CardsError(f"card {name!r}, field 'kind': {kind!r} is none of {', '.join(FIELDS)}")
    _no_others(fields, ("kind", *FIELDS[kind]), f"card {name!r} ({kind})")
    for field in NEEDED.get(kind, ()):
        _has(fields, field, f"card {name!r} ({kind})")
    numbers: dict[str, Any] = {
        field: _whole(value, f"card {name!r}", field, least=0 if field in ("cost", "penalty", "threshold") else -MOST)
        for field, value in fields.items()
        if field not in ("kind", "multiplier")
    }
    if "multiplier" in fields:
        numbers["multiplier"] = _multiplier(fields["multiplier"], name)
    return StingCard(name=name, kind=kind, **numbers)


def _decks(role: str, given: dict[str, Any], cards: Mapping[str, StingCard]) -> dict[str, tuple[str, ...]]:
    if not given:
        raise CardsError(f"{role} has no deck")
    decks = {}
    for deck, counts in given.items():
        if not isinstance(counts, dict) or not counts:
            raise CardsError(f"deck {role}.{deck} must list cards with their numbers")
        for name, count in counts.items():
            if name not in cards:
                raise CardsError(f"deck {role}.{deck}: there is no card {name!r}")
            _whole(count, f"deck {role}.{deck}", name, least=1, most=1000)
        decks[deck] = tuple(name for name, count in counts.items() for _ in range(count))
    return decks


def _first(decks: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return next(iter(decks.values()))


def _table(data: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    if not isinstance(data.get(name), dict):
        raise CardsError(f"{where} needs a table {name!r}")
    table: dict[str, Any] = data[name]
    return table


def _no_others(fields: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    for field in fields:
        if field not in known:
            raise CardsError(f"{where} has no field {field!r}: there are {', '.join(known)}")


def _has(fields: Mapping[str, Any], field: str, where: str) -> None:
    if field not in fields:
        raise CardsError(f"{where} needs a field {field!r}")


def _whole(value: Any, where: str, field: str, *, least: int, most: int = MOST) -> int:
    if type(value) is not int or not least <= value <= most:
        raise CardsError(f"{where}, field {field!r}: {value!r} is no whole number from {least} to {most}")
    return value


def _multiplier(value: Any, name: str) -> Fraction:
    if type(value) not in (int, float) or not 0 <= value <= 1000:
        raise CardsError(f"card {name!r}, field 'multiplier': {value!r} is no number from 0 to 1000")
    return Fraction(str(value))
