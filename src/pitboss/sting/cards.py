"""The cards, decks and difficulties of a game, the reader of its data file, and the totals of the cards on a table.

A difficulty sets the length and the target of a run, all prices, the opponents' behaviour, and the growth of their
decks. `printed` is the original design.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, convert, field
from msgspec import ValidationError as NotConverted

from pitboss.errors import PitbossError

LARGEST_NUMBER = 1_000_000
"""The largest number in a data file, positive or negative."""
PRINTED = "printed"
BOUNDS: Mapping[str, tuple[int, int]] = {
    "hands": (0, 1000),
    "leaves": (0, 100),
    "lost": (0, 100),
    "lawyer": (0, 100),
    "offer": (0, 9),
}
MOST_DECK_SUMS = 20_000
"""The maximum number of decks whose sums are cached."""
HIDDEN = "??"
"""The name of a card that the viewer cannot see. No card of a data file can have this name."""


class CardsError(PitbossError, ValueError):
    """A data file is not valid. The message contains the card or deck, and the field."""


def need_table(data: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    """Return a required table."""
    if not isinstance(data.get(name), dict):
        raise CardsError(f"{where} needs a table {name!r}")
    found: dict[str, Any] = data[name]
    return found


def optional_table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a table, or an empty one if the file does not have it."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise CardsError(f"{name}: expected a table, got {found!r}")
    return found


def refuse_unknown(fields: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise `CardsError` if there is an unknown field."""
    for name in fields:
        if name not in known:
            raise CardsError(f"{where} has no field {name!r}: expected one of {', '.join(known)}")


def need_field(fields: Mapping[str, Any], field: str, where: str) -> None:
    """Raise `CardsError` if the table does not have this field."""
    if field not in fields:
        raise CardsError(f"{where} needs a field {field!r}")


def whole_number(value: Any, where: str, field: str, *, least: int, most: int = LARGEST_NUMBER) -> int:
    """Return the value if it is a whole number within the bounds. Raise `CardsError` if it is not."""
    if type(value) is not int or not least <= value <= most:
        raise CardsError(f"{where}, field {field!r}: expected a whole number from {least} to {most}, got {value!r}")
    return value


class NarcBehaviour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The probability, in per cent, that a Narc raises in each round, and what changes it. Printed by default."""

    raises: tuple[int, int, int] = (40, 60, 80)
    thin: int = 0  #: added if Evidence is ahead of Cover
    thick: int = 0  #: subtracted if Cover is ahead by `thick_from`
    thick_from: int = 0
    dear: int = 0  #: added if a Product with a price of at least `dear_from` is face up
    dear_from: int = 0
    wary: int = 0  #: subtracted for every card that the Player has face down
    heat: int = 0  #: added for every 10 Heat
    aims: bool = False  #: if Evidence is ahead, the Narc plays the card with most Evidence instead of a random card


class CustomerBehaviour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The probability, in per cent, that a Customer raises in each round, and what changes it. Printed by default."""

    raises: tuple[int, int, int] = (0, 0, 70)
    restless: int = 0  #: added after round 1 if no Product is face up
    content: int = 0  #: subtracted if the price of the Product is below `dear_from`
    dear_from: int = 0
    haggles: bool = False  #: lowers the price of an expensive Product, and raises the price of a cheap one
    flees_above: int = 60  #: in round 3, folds instead of checking if there is more Evidence than this
    flees_behind: int = 0  #: if above 0: in any round, folds if Evidence is ahead by more than this


class Growth(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that an opponent gets before a hand."""

    hand: int
    role: str
    card: str


class Difficulty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A difficulty. The defaults are the printed game, in which only a bust or Heat ends a run."""

    name: str = PRINTED
    hands: int = 0  #: number of hands in a run; 0: no limit
    target: int = 0  #: the cash that wins the run
    cash: int = 0  #: the cash at the start
    fold_cash: tuple[int, int, int] = (0, 0, 0)  #: the cash that a fold costs, by round
    fold_heat: tuple[int, int, int] = (0, 0, 0)  #: the Heat that a fold adds, by round
    leaves: int = 100  #: share of both, in per cent, that a fold costs at the next decision point
    fold_cools: bool = True  #: whether a folded hand can lower the Heat
    idle: int = 0  #: the cash that a hand costs if it is played to the end without a Product
    cools: int = 0  #: how much the Heat falls before the next hand
    conviction_cools: bool = (
        True  #: whether the Heat also falls after a hand in which the threshold of a Conviction was reached
    )
    press: int = 0  #: how much the minimum Heat rises with each hand
    clears: bool = False  #: whether unplayed cards are discarded after a hand that was not folded
    lost: int = 0  #: share of the cash, in per cent, that the Player loses by a bust or by being caught
    lawyer: int = 0  #: if above 0, the maximum cost of an insurance, in per cent of the cash
    offer: int = 0  #: number of cards for sale between two hands
    narc: NarcBehaviour = field(default_factory=NarcBehaviour)
    customer: CustomerBehaviour = field(default_factory=CustomerBehaviour)
    grows: tuple[Growth, ...] = ()

    def fold_price(self, number: int, deciding: bool) -> tuple[int, int]:
        """Return the cash and the Heat that a fold costs in a round's betting, or at the decision point after it."""
        share = self.leaves if deciding else 100
        return self.fold_cash[number - 1] * share // 100, self.fold_heat[number - 1] * share // 100

    def least_heat(self, number: int) -> int:
        """Return the minimum Heat of this hand."""
        return self.press * max(0, number - 1)


def read_difficulties(given: Mapping[str, Any], cards: Collection[str], cash: int) -> dict[str, Difficulty]:
    """Read the difficulties of a data file, and add `printed`."""
    read_so_far = {}
    for name in given:
        where = f"difficulty.{name}"
        if name == PRINTED:
            raise CardsError(f"{where}: the printed game has no settings")
        fields = need_table(given, name, "difficulty")
        refuse_unknown(fields, [field for field in Difficulty.__struct_fields__ if field != "name"], where)
        for key, value in fields.items():
            if type(value) is int:
                least, most = BOUNDS.get(key, (0, 1_000_000))
                whole_number(value, where, key, least=least, most=most)
        for key in ("fold_cash", "fold_heat"):
            for value in fields.get(key, ()) if isinstance(fields.get(key), list) else ():
                whole_number(value, where, key, least=0)
        try:
            read: Difficulty = convert({"cash": cash, **fields, "name": name}, Difficulty)
        except NotConverted as error:
            raise CardsError(f"{where}: {error}") from None
        for growth in read.grows:
            if growth.card not in cards:
                raise CardsError(f"{where}, field 'grows': unknown card {growth.card!r}")
            if growth.role not in ("narc", "customer"):
                raise CardsError(f"{where}, field 'grows': expected narc or customer, got {growth.role!r}")
        read_so_far[name] = read
    return {**read_so_far, PRINTED: Difficulty(cash=cash)}


def read_prices(given: Mapping[str, Any], cards: Collection[str]) -> dict[str, int]:
    """Read the prices of cards between two hands."""
    for name, price in given.items():
        if name not in cards:
            raise CardsError(f"shop: unknown card {name!r}")
        whole_number(price, "shop", name, least=0)
    return dict(given)


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
"""The required fields. Without them the card would be free, or would always be in force."""
OPPOSING: tuple[Kind, ...] = ("evidence", "deal", "conviction")
"""The kinds of cards that a Player's deck must not have. They only help or hinder the Player."""


class StingCard(Struct, frozen=True, kw_only=True):
    """The effects of a card when it is face up."""

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
    """The sums of the cards on the table."""

    evidence: int = 0
    cover: int = 0
    heat: int = 0
    profit: int = 0

    @property
    def margin(self) -> int:
        """Cover minus Evidence. Below 0 it is a bust."""
        return self.cover - self.evidence


class DeckSums(Struct, frozen=True):
    """Sums of a pile of cards that policies use."""

    cards: int
    evidence: int
    squares: int  #: the sum of the squares of each card's Evidence
    heat: int
    cover: int  #: the sum of Cover minus Evidence, over cards with more Cover than Evidence
    products: int
    prices: int  #: the sum of the prices of the Products

    @classmethod
    def of(cls, cards: Sequence[StingCard]) -> "DeckSums":
        """Return the sums of some cards."""
        prices = [card.price for card in cards if card.kind == "product"]
        return cls(
            len(cards),
            sum([card.evidence for card in cards]),
            sum([card.evidence * card.evidence for card in cards]),
            sum([card.heat for card in cards]),
            sum([max(0, card.cover - card.evidence) for card in cards]),
            len(prices),
            sum(prices),
        )


class CardSet(Struct, frozen=True, kw_only=True, dict=True):
    """A game's cards, decks and difficulties."""

    cards: Mapping[str, StingCard]
    decks: Mapping[str, Mapping[str, tuple[str, ...]]]  #: by role and deck: the cards, in the order of the file
    caught_at: int = 100  #: the Heat that ends a run
    cash: int = 0  #: the cash at the start of a run
    shop: Mapping[str, int] = {}  #: by card: the price between two hands
    difficulties: Mapping[str, Difficulty] = {}  #: the difficulties of the file, and `printed`
    text: str = ""  #: the text of the file; it is saved with a run

    def deck(self, role: Role, name: str | None = None) -> tuple[str, ...]:
        """Return a deck's cards. The default is the first deck of the role."""
        decks = self.decks[role]
        if name is not None and name not in decks:
            raise CardsError(f"unknown {role} deck {name!r}: expected one of {', '.join(decks)}")
        return decks[name] if name is not None else _first(decks)

    def difficulty(self, name: str | None = None) -> Difficulty:
        """Return a difficulty. The default is `normal` or, if there is none, the first difficulty."""
        if name is None:
            name = "normal" if "normal" in self.difficulties else next(iter(self.difficulties))
        if name not in self.difficulties:
            raise CardsError(f"unknown difficulty {name!r}: expected one of {', '.join(self.difficulties)}")
        return self.difficulties[name]

    def mean_evidence(self, deck: tuple[str, ...]) -> float:
        """Return the mean Evidence of the cards of a deck."""
        sums = self.sums(deck)
        return sums.evidence / sums.cards if sums.cards else 0.0

    def sums(self, deck: tuple[str, ...]) -> "DeckSums":
        """Return the sums of a deck. The result is cached."""
        known = self._sums.get(deck)
        if known is None:
            if len(self._sums) > MOST_DECK_SUMS:
                self._sums.clear()
            known = self._sums[deck] = DeckSums.of([self.cards[name] for name in deck])
        return known

    @cached_property
    def _sums(self) -> dict[tuple[str, ...], "DeckSums"]:
        return {}

    def totals(self, played: Sequence[str]) -> Totals:
        """Return the totals of cards in the order in which they were played. Only the last product and location count.

        >>> default_cards().totals(["Meth", "Safe House", "Weed", "Bulk Order"])
        Totals(evidence=35, cover=30, heat=50, profit=45)
        """
        evidence = cover = heat = added = 0
        over = under = 1  # the product of the multipliers; whole numbers are fast
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
            profit = int(Fraction(profit, under))  # round toward zero
        return Totals(evidence, cover, heat, profit)

    def of_kind(self, played: Iterable[str], kind: Kind) -> list[StingCard]:
        """Return the cards of one kind."""
        return [self.cards[name] for name in played if self.cards[name].kind == kind]


# --- reading


@cache
def default_cards() -> CardSet:
    """Return the cards that come with the game."""
    return read_cards_file(files("pitboss.sting").joinpath("cards.toml").read_text(encoding="utf-8"))


def load_cards(path: str | Path) -> CardSet:
    """Read a data file. Raise `CardsError` if it is not valid."""
    try:
        return read_cards_file(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CardsError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeError:
        raise CardsError(f"{path} is not UTF-8 text") from None
    except CardsError as error:
        raise CardsError(f"{path}: {error}") from None


def read_cards_file(text: str) -> CardSet:
    """Read cards, decks and settings from TOML. Raise `CardsError` if the text is not valid."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CardsError(f"not valid TOML: {error}") from None
    refuse_unknown(data, ("cards", "decks", "run", "shop", "difficulty"), "the file")
    cards = {name: _card(name, fields) for name, fields in need_table(data, "cards", "the file").items()}
    if not cards:
        raise CardsError("cards: expected at least one card")
    decks = need_table(data, "decks", "the file")
    refuse_unknown(decks, ROLES, "decks")
    run = optional_table(data, "run")
    refuse_unknown(run, ("caught_at", "cash"), "run")
    cash = whole_number(run.get("cash", 0), "run", "cash", least=0)
    by_role: dict[str, dict[str, tuple[str, ...]]] = {
        role: _decks(role, need_table(decks, role, "decks"), cards) for role in ROLES
    }
    return CardSet(
        cards=cards,
        decks=by_role,
        caught_at=whole_number(run.get("caught_at", 100), "run", "caught_at", least=1),
        cash=cash,
        shop=read_prices(optional_table(data, "shop"), cards),
        difficulties=read_difficulties(optional_table(data, "difficulty"), cards, cash),
        text=text,
    )


def _card(name: str, fields: Any) -> StingCard:
    if not name.isprintable() or name != name.strip() or name in ("", HIDDEN):
        raise CardsError(f"card {name!r}: expected a printable name other than {HIDDEN}, without spaces around it")
    if not isinstance(fields, dict):
        raise CardsError(f"card {name!r}: expected a table with a kind, got {fields!r}")
    need_field(fields, "kind", f"card {name!r}")
    kind = fields["kind"]
    if not isinstance(kind, str) or kind not in FIELDS:
        raise CardsError(f"card {name!r}, field 'kind': expected one of {', '.join(FIELDS)}, got {kind!r}")
    refuse_unknown(fields, ("kind", *FIELDS[kind]), f"card {name!r} ({kind})")
    for needed in NEEDED.get(kind, ()):
        need_field(fields, needed, f"card {name!r} ({kind})")
    numbers: dict[str, Any] = {
        field: whole_number(
            value, f"card {name!r}", field, least=0 if field in ("cost", "penalty", "threshold") else -LARGEST_NUMBER
        )
        for field, value in fields.items()
        if field not in ("kind", "multiplier")
    }
    if "multiplier" in fields:
        numbers["multiplier"] = _multiplier(fields["multiplier"], name)
    return StingCard(name=name, kind=kind, **numbers)


def _decks(role: str, given: dict[str, Any], cards: Mapping[str, StingCard]) -> dict[str, tuple[str, ...]]:
    if not given:
        raise CardsError(f"decks.{role}: expected at least one deck")
    decks = {}
    for deck, counts in given.items():
        if not isinstance(counts, dict) or not counts:
            raise CardsError(f"deck {role}.{deck}: expected a table of cards and their numbers, got {counts!r}")
        for name, count in counts.items():
            if name not in cards:
                raise CardsError(f"deck {role}.{deck}: unknown card {name!r}")
            if role == "player" and cards[name].kind in OPPOSING:
                raise CardsError(f"deck {role}.{deck}: {name!r} is {cards[name].kind}, which only opponents can play")
            whole_number(count, f"deck {role}.{deck}", name, least=1, most=1000)
        decks[deck] = tuple(name for name, count in counts.items() for _ in range(count))
    return decks


def _first(decks: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return next(iter(decks.values()))


def _multiplier(value: Any, name: str) -> Fraction:
    if type(value) not in (int, float) or not 0 <= value <= 1000:
        raise CardsError(f"card {name!r}, field 'multiplier': expected a number from 0 to 1000, got {value!r}")
    return Fraction(str(value))
