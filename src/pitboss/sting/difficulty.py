"""What a run is played for: the night's length and target, every price, and how the opponents behave and grow.

A difficulty is one such record, read from the data file. `printed` is the game without any ruling of ours.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct, convert, field
from msgspec import ValidationError as NotConverted

from pitboss.sting.fields import CardsError, no_others, table, whole

PRINTED = "printed"


class NarcWay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


class CustomerWay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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
    narc: NarcWay = field(default_factory=NarcWay)
    customer: CustomerWay = field(default_factory=CustomerWay)
    grows: tuple[Growth, ...] = ()

    def fold_price(self, number: int, deciding: bool) -> tuple[int, int]:
        """The cash and the Heat that a fold costs in the betting of a round, or at the decision point after it."""
        share = self.leaves if deciding else 100
        return self.fold_cash[number - 1] * share // 100, self.fold_heat[number - 1] * share // 100

    def least_heat(self, number: int) -> int:
        """The Heat below which nothing cools in this hand."""
        return self.press * max(0, number - 1)


BOUNDS: Mapping[str, tuple[int, int]] = {
    "hands": (0, 1000),
    "leaves": (0, 100),
    "lost": (0, 100),
    "lawyer": (0, 100),
    "offer": (0, 9),
}


def read_difficulties(given: Mapping[str, Any], cards: Collection[str], cash: int) -> dict[str, Difficulty]:
    """The difficulties of a data file, `printed` among them; each is refused naming its field."""
    read_so_far = {}
    for name in given:
        where = f"difficulty.{name}"
        if name == PRINTED:
            raise CardsError(f"{where}: the printed game has no settings")
        fields = table(given, name, "difficulty")
        no_others(fields, [field for field in Difficulty.__struct_fields__ if field != "name"], where)
        for key, value in fields.items():
            if type(value) is int:
                least, most = BOUNDS.get(key, (0, 1_000_000))
                whole(value, where, key, least=least, most=most)
        for key in ("fold_cash", "fold_heat"):
            for value in fields.get(key, ()) if isinstance(fields.get(key), list) else ():
                whole(value, where, key, least=0)
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
        whole(price, "shop", name, least=0)
    return dict(given)
