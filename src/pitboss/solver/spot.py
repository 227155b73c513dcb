"""A spot to solve: two ranges, a board, the pot, the stacks and the bet sizes. Everything is checked here."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct

from pitboss.cards import DECK, RANKS, SHORT_DECK, SUITS, Card, CardError, read_cards
from pitboss.fast.equity.icm import IcmError, icm
from pitboss.fast.equity.ranges import RangeError, RangeLike, as_range
from pitboss.hand.games import NoSuchStructure, find_structure
from pitboss.solver.sizes import STREETS, Menus, Sizes, SpotError, read_sizes

BOARD_CARDS = {3: "flop", 4: "turn", 5: "river"}
MOST_CHIPS = 10**9
GAMES = {
    "no_limit_holdem": ("no_limit", DECK, "high"),
    "pot_limit_holdem": ("pot_limit", DECK, "high"),
    "limit_holdem": ("limit", DECK, "high"),
    "short_deck_holdem": ("no_limit", SHORT_DECK, "short"),
    "pot_limit_short_deck_holdem": ("pot_limit", SHORT_DECK, "short"),
    "limit_short_deck_holdem": ("limit", SHORT_DECK, "short"),
}
"""The betting, the deck and the order of hands of each game that can be solved."""


class Prizes(Struct, frozen=True):
    """The stacks behind at the start of the spot (out of position, in position, then all others) and the payouts.

    >>> Prizes(stacks=(300, 500, 200), payouts=(50, 30)).payouts
    (50, 30)
    """

    stacks: tuple[float, ...]
    payouts: tuple[float, ...]


class Spot(Struct, frozen=True, dict=True, kw_only=True):
    """A spot after the flop with two players.

    The ranges are text, such as `88+,A8s+,[50]AKo[/50]`. `pot` is what both players fight for, and `stack` is the
    smaller stack behind. `rake` is the percentage that the house takes from the pot, and its cap in chips.

    >>> spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=100, sizes=Sizes(river="a"))
    >>> spot.streets
    ('river',)
    """

    oop: RangeLike
    ip: RangeLike
    board: Any
    pot: int
    stack: int
    sizes: Sizes
    game: str = "no_limit_holdem"
    rake: tuple[float, float] | None = None
    icm: Prizes | None = None
    locks: Mapping[str, Any] = {}  #: strategies to lock, by the line to the decision, as in `SpotSolution.lock`

    def __post_init__(self) -> None:
        for name in ("pot", "stack"):
            chips, least = getattr(self, name), 1 if name == "pot" else 0
            if type(chips) is not int or not least <= chips <= MOST_CHIPS:
                raise SpotError(f"{name}: expected whole chips from {least} to {MOST_CHIPS:,}, got {chips!r:.40}")
        if self.rake is not None:
            self._check_rake(self.rake)
        if self.stack:
            _ = self.menus
        if self.icm is not None:
            self._check_prizes(self.icm)
        self._check_locks(self.locks)
        first, second = self.ranges
        if not _can_meet(first, second):
            raise SpotError("ranges: expected hands that can meet, but each hand of one has a card of all of the other")

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The board's cards."""
        try:
            cards = read_cards(self.board)
        except CardError as error:
            raise SpotError(f"board: {error}") from None
        deck = self.setting[1]
        if len(cards) not in BOARD_CARDS or any(card not in deck for card in cards):
            raise SpotError(f"board: expected three to five known cards of the deck, got {self.board!r:.40}")
        return cards

    @cached_property
    def setting(self) -> tuple[str, tuple[Card, ...], str]:
        """The betting, the deck and the order of hands."""
        try:
            name = find_structure(self.game).key
        except (NoSuchStructure, TypeError, AttributeError):
            name = ""
        if name not in GAMES:
            raise SpotError(f"game: expected one of {', '.join(GAMES)}, got {self.game!r:.40}")
        return GAMES[name]

    @property
    def streets(self) -> tuple[str, ...]:
        """The streets that are played, such as `("turn", "river")`."""
        return STREETS[len(self.cards) - 3 :]

    @cached_property
    def menus(self) -> Menus:
        """The sizes by street and seat."""
        menus = read_sizes(self.sizes, self.streets)
        if self.setting[0] == "limit":
            for pair in menus.by_street.values():
                for sizes in (size for menu in pair for size in (menu.bets, menu.raises)):
                    if len(sizes) > 1 or any(size.kind != "c" for size in sizes):
                        raise SpotError(
                            'sizes: expected one bet in chips per street in a limit game, such as "20c/20c"'
                        )
        return menus

    @cached_property
    def ranges(self) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """Both ranges without hands that contain a card of the board."""
        return self._range("oop"), self._range("ip")

    def _range(self, seat: str) -> dict[str, Fraction]:
        try:
            hands = as_range(getattr(self, seat), self.setting[1])
        except (RangeError, CardError) as error:
            raise SpotError(f"{seat}: {error}") from None
        board = set(self.cards)
        left = {hand: weight for hand, weight in hands.items() if hand[:2] not in board and hand[2:] not in board}
        if not left:
            raise SpotError(f"{seat}: expected at least one hand, but each contains a card of the board")
        return left

    def _check_rake(self, rake: Any) -> None:
        good = isinstance(rake, tuple | list) and len(rake) == 2
        good = good and all(isinstance(part, int | float) and not isinstance(part, bool) for part in rake)
        if not good or not (0 <= rake[0] <= 100 and 0 <= rake[1] <= MOST_CHIPS):
            raise SpotError(f"rake: expected a percentage and a cap in chips, such as (5, 300), got {rake!r:.40}")
        if self.icm is not None:
            raise SpotError("rake: expected either rake or icm, got both: tournaments have no rake in the pot")

    def _check_locks(self, locks: Any) -> None:
        if not isinstance(locks, Mapping) or not all(isinstance(hands, Mapping) for hands in locks.values()):
            raise SpotError(
                'locks: expected hands with strategies by line, such as {"check": {"AA": {"check": 1}}}, '
                f"got {locks!r:.40}"
            )

    def _check_prizes(self, prizes: Any) -> None:
        if not isinstance(prizes, Prizes) or len(prizes.stacks) < 2:
            raise SpotError(f"icm: expected Prizes(stacks=(...), payouts=(...)), got {prizes!r:.60}")
        for name in ("stacks", "payouts"):
            for number in getattr(prizes, name):
                real = isinstance(number, int | float) and not isinstance(number, bool)
                if not real or not (number == 0 or 0.01 <= number <= MOST_CHIPS):
                    raise SpotError(f"icm: expected {name} of 0, or from 0.01 to {MOST_CHIPS:,}, got {number!r:.40}")
        try:
            icm([chips or 1 for chips in prizes.stacks], prizes.payouts, exact=True)
        except IcmError as error:
            raise SpotError(f"icm: {error}") from None
        if min(prizes.stacks[:2]) != self.stack:
            raise SpotError(
                f"icm: expected the smaller of the first two stacks to be the stack of the spot, {self.stack}, "
                f"got {min(prizes.stacks[:2]):g}"
            )


def _can_meet(first: Mapping[str, Fraction], second: Mapping[str, Fraction]) -> bool:
    """Return whether a hand of one range and a hand of the other have four different cards."""
    return any({a[:2], a[2:]}.isdisjoint((b[:2], b[2:])) for a in first for b in second)


def card_number(card: Card) -> int:
    """Return the number of a card, from 0 for 2c to 51 for As.

    >>> card_number("2c"), card_number("As")
    (0, 51)
    """
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])
