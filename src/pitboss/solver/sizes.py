"""Bet sizes as text, such as `33%, 75%, a / 2.5x`: the bets before the slash, the raises after it."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import PitbossError

STREETS = ("flop", "turn", "river")
SEATS = ("oop", "ip")
"""The player out of position, who acts first on every street, and the player in position."""
MOST_SIZES, MOST_TEXT = 12, 400

_SIZE = re.compile(r"(\d{1,7}(?:\.\d{1,4})?)(%|c|x)|(a|e)")
SIZES_HELP = "write sizes as in 33%, 94c, 2.5x (raises), a (all-in) or e (geometric), and raises after a slash"


class SpotError(PitbossError, ValueError):
    """A spot, or a part of it, that cannot be solved.

    >>> from pitboss import Sizes
    >>> Sizes(river="2x")
    Traceback (most recent call last):
    pitboss.SpotError: sizes of the river: expected bets in % or chips, got '2x': 2.5x is for raises
    """


class Size(NamedTuple):
    """One size of a bet or raise."""

    kind: str  #: "%", "c" for chips, "x" for a multiple of the bet, "a" for all-in or "e" for geometric
    amount: Fraction


class Menu(NamedTuple):
    """The sizes that a player may choose from."""

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]


class Sizes(Struct, frozen=True):
    """The bet sizes of a spot. Each street is one text for both players, or a text for each seat.

    >>> Sizes(flop="33%/2.5x", turn=dict(oop="50%", ip="75%, a/50%"), river="e").turn
    {'oop': '50%', 'ip': '75%, a/50%'}
    """

    flop: str | dict[str, str] | None = None
    turn: str | dict[str, str] | None = None
    river: str | dict[str, str] | None = None
    donk: dict[str, str] = {}  #: sizes by street, when the player out of position bets into the last raiser
    max_raises: int | None = None  #: the maximum number of raises on a street, without the first bet
    all_in_threshold: float | None = None  #: a bet of at least this share of the stack becomes all-in

    def __post_init__(self) -> None:
        for street in STREETS:
            if getattr(self, street) is not None:
                _seat_menus(getattr(self, street), street)
        _donk_menus(self.donk)
        most, share = self.max_raises, self.all_in_threshold
        if most is not None and (type(most) is not int or most < 0):
            raise SpotError(f"max_raises: expected a whole number from 0, got {most!r:.20}")
        real = isinstance(share, int | float) and not isinstance(share, bool)
        if share is not None and not (real and 0 < share <= 1):
            raise SpotError(f"all_in_threshold: expected a share of the stack above 0 and up to 1, got {share!r:.20}")


def read_menu(text: object, where: str) -> Menu:
    """Read the bets and raises of one player on one street.

    >>> read_menu("50%, a/2.5x", "river").raises
    (Size(kind='x', amount=Fraction(5, 2)),)
    """
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise SpotError(f"sizes of the {where}: expected a text, got {text!r:.40}: {SIZES_HELP}")
    bets, slash, raises = text.partition("/")
    menu = Menu(_read_sizes(bets, where), _read_sizes(raises, where))
    if slash and not menu.raises:
        raise SpotError(f"sizes of the {where}: expected raises after the slash, got {text!r}: {SIZES_HELP}")
    if any(size.kind == "x" for size in menu.bets):
        raise SpotError(f"sizes of the {where}: expected bets in % or chips, got {bets.strip()!r}: 2.5x is for raises")
    return menu


def _read_sizes(text: str, where: str) -> tuple[Size, ...]:
    sizes = []
    for part in filter(None, [part.strip().lower() for part in text.split(",")]):
        found = _SIZE.fullmatch(part.replace(" ", ""))
        if found is None or (found[1] and not float(found[1])):
            raise SpotError(f"sizes of the {where}: expected a size, got {part!r}: {SIZES_HELP}")
        sizes.append(Size(found[2] or found[3], Fraction(found[1] or 1)))
    if len(sizes) > MOST_SIZES:
        raise SpotError(f"sizes of the {where}: expected at most {MOST_SIZES} bets or raises, got {len(sizes)}")
    return tuple(sizes)


class Menus(NamedTuple):
    """The menus of a spot by street and seat, and its limits."""

    by_street: Mapping[str, tuple[Menu, Menu]]
    donk: Mapping[str, Menu]
    max_raises: int | None
    all_in_threshold: Fraction | None


def read_sizes(sizes: Sizes, streets: tuple[str, ...]) -> Menus:
    """Read and check the sizes of the streets that are played."""
    if not isinstance(sizes, Sizes):
        raise SpotError(f"sizes: expected Sizes(flop=..., turn=..., river=...), got {sizes!r:.40}")
    by_street = {}
    for street in streets:
        given = getattr(sizes, street)
        if given is None:
            raise SpotError(
                f'sizes: expected bets for the {street}, such as {street}="50%/50%", got none: "" is no bets'
            )
        by_street[street] = _seat_menus(given, street)
    donk = _donk_menus(sizes.donk)
    menus = [menu for pair in by_street.values() for menu in pair] + [
        donk[street] for street in streets if street in donk
    ]
    if not any(menu.bets for menu in menus):
        raise SpotError(
            'sizes: expected at least one bet, such as river="50%", got none, so there is nothing to decide'
        )
    share = sizes.all_in_threshold
    threshold = None if share is None else Fraction(share).limit_denominator(10**6)
    return Menus(by_street, donk, sizes.max_raises, threshold)


def _donk_menus(given: object) -> dict[str, Menu]:
    found = {}
    for street, text in _table(given, "donk").items():
        if street not in STREETS[1:]:
            raise SpotError(f"sizes: expected donk bets for turn or river, got {street!r:.20}")
        found[street] = read_menu(text, f"{street} (donk)")
    return found


def smaller_sizes(sizes: Sizes) -> Iterator[tuple[str, Sizes]]:
    """Yield what can be left out of sizes, in words, and the sizes without it.

    >>> [words for words, _ in smaller_sizes(Sizes(turn="50%", river="50%, 100%/60%"))]
    ['without raises on the river', 'with one size on the river']
    """
    for street in STREETS[::-1]:
        given = getattr(sizes, street)
        for words, change in (("without raises", _bets_only), ("with one size", _first_sizes)):
            changed = {seat: change(text) for seat, text in given.items()} if isinstance(given, dict) else given
            changed = change(given) if isinstance(given, str) else changed
            if changed != given:
                yield f"{words} on the {street}", replace(sizes, **{street: changed})


def _bets_only(text: str) -> str:
    return text.partition("/")[0]


def _first_sizes(text: str) -> str:
    return "/".join([part.partition(",")[0] for part in text.split("/")])


def _seat_menus(given: object, street: str) -> tuple[Menu, Menu]:
    if isinstance(given, str):
        menu = read_menu(given, street)
        return menu, menu
    table = _table(given, street)
    if set(table) != set(SEATS):
        raise SpotError(f"sizes of the {street}: expected a text, or one for oop and one for ip, got {given!r:.60}")
    oop, ip = [read_menu(table[seat], f"{street} ({seat})") for seat in SEATS]
    return oop, ip


def _table(given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise SpotError(f"sizes: {where}: expected a table, got {given!r:.40}")
    return given


class BetSituation(NamedTuple):
    """The situation in which a player may bet or raise; all amounts are chips of this street, or the pot before it."""

    pot: int
    rest: int  #: what each player had behind at the beginning of the street
    own: int  #: what this player has bet on this street
    to_call: int  #: what the other player has bet on this street
    streets: int  #: streets that are left, this one included
    raises: int  #: raises on this street so far


def amounts(menu: Menu, at: BetSituation, kind: str, menus: Menus) -> list[int]:
    """Return the amounts to which a player may bet or raise, in increasing order.

    `kind` is the betting of the game: "no_limit", "pot_limit" or "limit".
    """
    sizes = menu.raises if at.to_call else menu.bets
    most = menus.max_raises if menus.max_raises is not None else 3 if kind == "limit" else None
    if at.to_call >= at.rest or (at.to_call and most is not None and at.raises >= most):
        return []
    after_call = at.pot + 2 * at.to_call
    least = at.to_call + max(1, at.to_call - at.own)
    ceiling = min(at.rest, at.to_call + after_call) if kind == "pot_limit" else at.rest
    found = set()
    for size in sizes:
        to = (
            at.to_call + _chips(size, at, after_call)
            if kind == "limit" or size.kind in "%e"
            else _chips(size, at, after_call)
        )
        to = min(max(to, least), ceiling)
        if menus.all_in_threshold is not None and to >= menus.all_in_threshold * at.rest:
            to = ceiling
        found.add(to)
    return sorted(found)


def _chips(size: Size, at: BetSituation, after_call: int) -> int:
    """Return a size in chips. Percentages count from the pot after the call; other sizes are totals."""
    match size.kind:
        case "%":
            return _rounded(size.amount * after_call / 100)
        case "c":
            return _rounded(size.amount)
        case "x":
            return _rounded(size.amount * at.to_call)
        case "e":
            left = at.rest - at.to_call
            growth = ((after_call + 2 * left) / after_call) ** (1 / at.streets)
            return left if at.streets == 1 else _rounded(Fraction((growth - 1) / 2 * after_call))
    return at.rest


def _rounded(chips: Fraction) -> int:
    """Return whole chips; half a chip is rounded up.

    >>> _rounded(Fraction(5, 2)), _rounded(Fraction(936, 10))
    (3, 94)
    """
    return int((2 * chips.numerator + chips.denominator) // (2 * chips.denominator))
