"""A game's data file, and what is in it: difficulties, the cards of each kind, decks, and the totals on a table.

A difficulty is what a run is played for: the night's length and target, every price, and how the opponents behave
and grow. `printed` is the game without any ruling of ours. A broken file is refused in one sentence.
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
"""No number in a data file is larger, either way."""
PRINTED = "printed"
BOUNDS: Mapping[str, tuple[int, int]] = {
    "hands": (0, 1000),
    "leaves": (0, 100),
    "lost": (0, 100),
    "lawyer": (0, 100),
    "offer": (0, 9),
}
MOST_DECK_SUMS = 20_000
"""So many sums of decks are kept at hand."""
HIDDEN = "??"
"""A card that lies face down, or in somebody else's hand or deck; no card is called so."""


class CardsError(PitbossError, ValueError):
    """A data file that makes no game; the sentence names the card or deck and the field."""


def table(data: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    """A table that must be there."""
    if not isinstance(data.get(name), dict):
        raise CardsError(f"{where} needs a table {name!r}")
    found: dict[str, Any] = data[name]
    return found


def optional_table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A table that may be left out."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise CardsError(f"{name} must be a table")
    return found


def refuse_unknown(fields: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Refuse a field that means nothing."""
    for name in fields:
        if name not in known:
            raise CardsError(f"{where} has no field {name!r}: there are {', '.join(known)}")


def need_field(fields: Mapping[str, Any], field: str, where: str) -> None:
    """Refuse a table without this field."""
    if field not in fields:
        raise CardsError(f"{where} needs a field {field!r}")


def whole_number(value: Any, where: str, field: str, *, least: int, most: int = LARGEST_NUMBER) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise CardsError(f"{where}, field {field!r}: {value!r} is no whole number from {least} to {most}")
    return value


class NarcBehaviour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often a Narc raises, in per cent by round, and what changes that; the defaults are the printed Narc."""

    raises: tuple[int, int, int] = (40, 60, 80)
    thin: int = 0  #: more, where less Cover than Evidence lies face up
    thick: int = 0  #: less, where Cover is ahead by `thick_from`
    thick_from: int = 0
    dear: int = 0  #: more, where a Product of `dear_from` or above lies face up
    dear_from: int = 0
    wary: int = 0  #: less for every card that the Player has face down
    heat: int = 0  #: more for every ten Heat
    aims: bool = False  #: plays the card with most Evidence where `thin`, and otherwise any


class CustomerBehaviour(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often a Customer raises, in per cent by round, and what changes that; the defaults are the printed one."""

    raises: tuple[int, int, int] = (0, 0, 70)
    restless: int = 0  #: more after round 1, where no Product lies face up
    content: int = 0  #: less, where a Product below `dear_from` counts
    dear_from: int = 0
    haggles: bool = False  #: lowers the price of a dear Product, and orders more of a cheap one
    flees_above: int = 60  #: the Evidence from which he leaves in round 3, where else he would check
    flees_behind: int = 0  #: if above 0, what counts is by how much Evidence is ahead of Cover, in any round


class Growth(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that an opponent gets before a hand."""

    hand: int
    role: str
    card: str


class Difficulty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A difficulty; the defaults are the printed game, whose run ends only by a bust or by Heat."""

    name: str = PRINTED
    hands: int = 0  #: in a night; 0 is without end
    target: int = 0  #: the cash that wins the night
    cash: int = 0  #: what a run begins with
    fold_cash: tuple[int, int, int] = (0, 0, 0)  #: what a fold costs, by round
    fold_heat: tuple[int, int, int] = (0, 0, 0)  #: the Heat that a fold brings, by round
    leaves: int = 100  #: per cent of the price of a fold that leaving at the decision point after the round costs
    fold_cools: bool = True  #: whether a folded hand may lower the Heat
    idle: int = 0  #: what a hand costs that is played to its end and sells nothing
    cools: int = 0  #: Heat that is forgotten before the next hand
    conviction_cools: bool = True  #: whether it is after a hand with a Conviction whose Heat is reached
    press: int = 0  #: by so much the least Heat rises from hand to hand
    clears: bool = False  #: whether unplayed cards are put away after a hand; a fold keeps them
    lost: int = 0  #: per cent of the cash that a bust, or being caught, takes
    lawyer: int = 0  #: if above 0, per cent of the cash that an insurance takes where its cost is more
    offer: int = 0  #: cards on offer between two hands
    narc: NarcBehaviour = field(default_factory=NarcBehaviour)
    customer: CustomerBehaviour = field(default_factory=CustomerBehaviour)
    grows: tuple[Growth, ...] = ()

    def fold_price(self, number: int, deciding: bool) -> tuple[int, int]:
        """The cash and the Heat that a fold costs in the betting of a round, or at the decision point after it."""
        share = self.leaves if deciding else 100
        return self.fold_cash[number - 1] * share // 100, self.fold_heat[number - 1] * share // 100

    def least_heat(self, number: int) -> int:
        """The Heat below which nothing cools in this hand."""
        return self.press * max(0, number - 1)


def read_difficulties(given: Mapping[str, Any], cards: Collection[str], cash: int) -> dict[str, Difficulty]:
    """The difficulties of a data file, `printed` among them; each is refused naming its field."""
    read_so_far = {}
    for name in given:
        where = f"difficulty.{name}"
        if name == PRINTED:
            raise CardsError(f"{where}: the printed game has no settings")
        fields = table(given, name, "difficulty")
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
                raise CardsError(f"{where}, field 'grows': there is no card {growth.card!r}")
            if growth.role not in ("narc", "customer"):
                raise CardsError(f"{where}, field 'grows': {growth.role!r} is neither narc nor customer")
        read_so_far[name] = read
    return {**read_so_far, PRINTED: Difficulty(cash=cash)}


def read_prices(given: Mapping[str, Any], cards: Collection[str]) -> dict[str, int]:
    """What cards cost between two hands."""
    for name, price in given.items():
        if name not in cards:
            raise CardsError(f"shop: there is no card {name!r}")
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
"""What a card cannot leave out: a forgotten one would make it free, or always in force."""
OPPOSING: tuple[Kind, ...] = ("evidence", "deal", "conviction")
"""Kinds that a Player's deck cannot hold: all they do is to help or to hinder him."""


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


class CardSet(Struct, frozen=True, kw_only=True, dict=True):
    """A game's cards and decks."""

    cards: Mapping[str, StingCard]
    decks: Mapping[str, Mapping[str, tuple[str, ...]]]  #: role → deck → cards, as the file lists them
    caught_at: int = 100  #: the Heat that ends a run
    cash: int = 0  #: what a run begins with
    shop: Mapping[str, int] = {}  #: card → what it costs between two hands
    difficulties: Mapping[str, Difficulty] = {}  #: `printed`, and those of the file
    text: str = ""  #: the file itself, so that a run can be saved together with its cards

    def deck(self, role: Role, name: str | None = None) -> tuple[str, ...]:
        """A deck's cards; without a name the role's first."""
        decks = self.decks[role]
        if name is not None and name not in decks:
            raise CardsError(f"{role} has no deck {name!r}: there are {', '.join(decks)}")
        return decks[name] if name is not None else _first(decks)

    def difficulty(self, name: str | None = None) -> Difficulty:
        """A difficulty; without a name `normal` or, where there is none, the first."""
        if name is None:
            name = "normal" if "normal" in self.difficulties else next(iter(self.difficulties))
        if name not in self.difficulties:
            raise CardsError(f"there is no difficulty {name!r}: there are {', '.join(self.difficulties)}")
        return self.difficulties[name]

    def mean_evidence(self, deck: tuple[str, ...]) -> float:
        """The Evidence of an average card of a deck."""
        count, evidence, *_ = self.sums(deck)
        return evidence / count if count else 0.0

    def sums(self, deck: tuple[str, ...]) -> tuple[int, int, int, int]:
        """How many cards there are, and their Evidence, its squares and their Heat; each deck is added up once."""
        known = self._sums.get(deck)
        if known is None:
            if len(self._sums) > MOST_DECK_SUMS:
                self._sums.clear()
            cards = [self.cards[name] for name in deck]
            squares = sum([card.evidence * card.evidence for card in cards])
            known = len(cards), sum([card.evidence for card in cards]), squares, sum([card.heat for card in cards])
            self._sums[deck] = known
        return known

    @cached_property
    def _sums(self) -> dict[tuple[str, ...], tuple[int, int, int, int]]:
        return {}

    def own_sums(self, deck: tuple[str, ...]) -> tuple[int, int, int, int]:
        """What a deck has for the Player: Cover above Evidence, cards, prices of Products, and how many of them."""
        known = self._own_sums.get(deck)
        if known is None:
            if len(self._own_sums) > MOST_DECK_SUMS:
                self._own_sums.clear()
            cards = [self.cards[name] for name in deck]
            prices = [card.price for card in cards if card.kind == "product"]
            known = sum([max(0, card.cover - card.evidence) for card in cards]), len(cards), sum(prices), len(prices)
            self._own_sums[deck] = known
        return known

    @cached_property
    def _own_sums(self) -> dict[tuple[str, ...], tuple[int, int, int, int]]:
        return {}

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
    refuse_unknown(data, ("cards", "decks", "run", "shop", "difficulty"), "the file")
    cards = {name: _card(name, fields) for name, fields in table(data, "cards", "the file").items()}
    if not cards:
        raise CardsError("there are no cards")
    decks = table(data, "decks", "the file")
    refuse_unknown(decks, ROLES, "decks")
    run = optional_table(data, "run")
    refuse_unknown(run, ("caught_at", "cash"), "run")
    cash = whole_number(run.get("cash", 0), "run", "cash", least=0)
    by_role: dict[str, dict[str, tuple[str, ...]]] = {
        role: _decks(role, table(decks, role, "decks"), cards) for role in ROLES
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
        raise CardsError(f"card {name!r} needs a name that can be printed, without spaces around it")
    if not isinstance(fields, dict):
        raise CardsError(f"card {name!r} must be a table with a kind")
    need_field(fields, "kind", f"card {name!r}")
    kind = fields["kind"]
    if not isinstance(kind, str) or kind not in FIELDS:
        raise CardsError(f"card {name!r}, field 'kind': {kind!r} is none of {', '.join(FIELDS)}")
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
        raise CardsError(f"{role} has no deck")
    decks = {}
    for deck, counts in given.items():
        if not isinstance(counts, dict) or not counts:
            raise CardsError(f"deck {role}.{deck} must list cards with their numbers")
        for name, count in counts.items():
            if name not in cards:
                raise CardsError(f"deck {role}.{deck}: there is no card {name!r}")
            if role == "player" and cards[name].kind in OPPOSING:
                raise CardsError(f"deck {role}.{deck}: {name!r} is {cards[name].kind}, which only opponents play")
            whole_number(count, f"deck {role}.{deck}", name, least=1, most=1000)
        decks[deck] = tuple(name for name, count in counts.items() for _ in range(count))
    return decks


def _first(decks: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return next(iter(decks.values()))


def _multiplier(value: Any, name: str) -> Fraction:
    if type(value) not in (int, float) or not 0 <= value <= 1000:
        raise CardsError(f"card {name!r}, field 'multiplier': {value!r} is no number from 0 to 1000")
    return Fraction(str(value))
