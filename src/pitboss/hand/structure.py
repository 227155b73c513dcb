"""A game as data, `Structure`: its deck, streets, betting rules and showdown.

`Stakes` has the forced bets of one hand and the house's `Rake`. A new game is a new record, not a new engine; the games
of pitboss are in `games.py`.
"""

import warnings
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.pots import Pot
from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post
from pitboss.betting.rules import Rules
from pitboss.cards import DECK, Card
from pitboss.ranks.orders import ORDERS

Money = TypeVar("Money", int, int | Decimal)  # chips, or the money of a record

Opens = Literal["left", "low_card", "high_card", "high_hand", "low_hand"]
"""Who acts first on a street: the button's left, the left of the blinds, or the lowest or highest up-cards."""

Order: TypeAlias = str
"""How hands are compared, by name in `ranks.orders.ORDERS`; "low" is eight or better."""


class Street(Struct, frozen=True):
    """A deal or a draw, followed by a betting round."""

    name: str
    hole: int = 0  #: cards dealt to each player, face down
    board: int = 0  #: cards dealt to the board
    big: bool = False  #: limit betting uses the big bet
    up: int = 0  #: cards dealt to each player face up, after those face down
    draw: bool = False  #: every player may change cards
    opens: Opens = "left"

    def __post_init__(self) -> None:
        if self.opens not in get_args(Opens):
            raise SetupError(f"opens: expected {' or '.join(map(repr, get_args(Opens)))}, got {self.opens!r}")
        if self.draw and (self.hole or self.up or self.board):
            raise SetupError(f"{self.name}: a street with a draw cannot also deal cards")

    @property
    def own(self) -> int:
        """The number of cards dealt to each player."""
        return self.hole + self.up


class Ranking(Struct, frozen=True):
    """One way to win the pot, or half of it."""

    order: Order
    from_two: bool = False  #: exactly two hole cards count, with three of the board

    def __post_init__(self) -> None:
        if self.order not in tuple(ORDERS):  # a tuple, because an invalid order can be unhashable
            raise SetupError(f"order: expected {' or '.join(map(repr, ORDERS))}, got {self.order!r}")
        if type(self.from_two) is not bool:
            raise SetupError(f"from_two: expected True or False, got {self.from_two!r}")


class Structure(Struct, frozen=True, kw_only=True, dict=True):
    """The rules of a game without its stakes."""

    name: str
    code: str  #: PHH's code for the variant
    keys: tuple[str, ...] = ()  #: the names that `find_structure` accepts, the usual one first
    deck: tuple[Card, ...] = DECK
    streets: tuple[Street, ...]
    betting: Rules
    showdown: tuple[Ranking, ...]
    open_pair: bool = False  #: at an open pair, a later street of the small bet allows either limit

    def __post_init__(self) -> None:
        if not isinstance(self.betting, Rules):
            raise SetupError(f"betting: expected Rules such as no_limit(), got {self.betting!r}")
        given: Any
        for what, kind, given in (("streets", Street, self.streets), ("showdown", Ranking, self.showdown)):
            if not isinstance(given, tuple) or not given or not all(isinstance(entry, kind) for entry in given):
                raise SetupError(f"{what}: expected a tuple of one {kind.__name__} or more, got {given!r}")

    @property
    def key(self) -> str:
        """The name as one word: the first of `keys`, else the code."""
        return self.keys[0] if self.keys else self.code

    @cached_property
    def hole_by_street(self) -> tuple[int, ...]:
        """How many cards each player has by each street."""
        return tuple(accumulate([street.own for street in self.streets]))

    @cached_property
    def board_by_street(self) -> tuple[int, ...]:
        """How many cards the board has by each street."""
        return tuple(accumulate([street.board for street in self.streets]))

    @property
    def own_by(self) -> tuple[int, ...]:
        """The old name of `hole_by_street`."""
        warnings.warn("Structure.own_by is now hole_by_street", DeprecationWarning, stacklevel=2)
        return self.hole_by_street

    @property
    def common_by(self) -> tuple[int, ...]:
        """The old name of `board_by_street`."""
        warnings.warn("Structure.common_by is now board_by_street", DeprecationWarning, stacklevel=2)
        return self.board_by_street

    @cached_property
    def board_alone(self) -> int:
        """The first street after which only the board is dealt; never in games that change cards."""
        return len(self.streets) if self.draws else self.hole_by_street.index(self.hole_by_street[-1])

    @cached_property
    def faces(self) -> tuple[bool, ...]:
        """For each card of a player, in the order dealt, whether it is face up; empty if none is."""
        faces = [up for street in self.streets for up in (False,) * street.hole + (True,) * street.up]
        return tuple(faces) if any(faces) else ()

    @cached_property
    def all_cards(self) -> frozenset[Card]:
        """The cards of the deck, in order."""
        return frozenset(self.deck)

    @cached_property
    def draws(self) -> bool:
        """Whether players change cards."""
        return any(street.draw for street in self.streets)

    @cached_property
    def most_players(self) -> int:
        """The maximum number of players. The last card may be one for all, and a player may change every card."""
        cards, own, last = len(self.deck) - self.board_by_street[-1], self.hole_by_street[-1], self.streets[-1].own
        if self.draws:
            return (cards - own) // own
        return (cards - last) // (own - last) if last and own > last else cards // own

    def usual_big_bet(self, small_bet: Money) -> Money | None:
        """Limit's big bet if only the small bet is given: twice that. None if bets are not fixed.

        >>> from pitboss.hand.games import LIMIT_HOLDEM
        >>> LIMIT_HOLDEM.usual_big_bet(20)
        40
        """
        return 2 * small_bet if self.betting.exact else None

    def with_betting(self, **settings: object) -> "Structure":
        """Return the same game with other betting settings.

        >>> from pitboss.betting.rules import Reopening
        >>> from pitboss.hand.games import NO_LIMIT_HOLDEM
        >>> NO_LIMIT_HOLDEM.with_betting(reopening=Reopening.CUMULATIVE).betting.reopening.name
        'CUMULATIVE'
        """
        return replace(self, betting=replace(self.betting, **settings))


class Rake(Struct, frozen=True, kw_only=True):
    """The rake of a hand, rounded down to whole chips.

    >>> Rake(thousandths=50, cap=6).taken((Pot(90, (0, 1, 2)), Pot(30, (0, 1))), first_street=False)
    (4, 2)
    """

    thousandths: int  #: of the pots after uncalled bets are returned: 50 is five per cent
    cap: int | None = None  #: the maximum per hand
    no_flop_no_drop: bool = True  #: whether a hand that ends on its first street pays no rake

    def __post_init__(self) -> None:
        if type(self.thousandths) is not int or not 0 <= self.thousandths <= 1000:
            raise SetupError(f"thousandths: expected 0 to 1000 of the pot, got {self.thousandths!r}")
        if self.cap is not None and (type(self.cap) is not int or self.cap < 0):
            raise SetupError(f"cap: expected a whole number of chips, got {self.cap!r}")
        if type(self.no_flop_no_drop) is not bool:
            raise SetupError(f"no_flop_no_drop: expected True or False, got {self.no_flop_no_drop!r}")

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """Return the house's part of each pot; together they are the rake of the hand."""
        if self.no_flop_no_drop and first_street:
            return (0,) * len(pots)
        total = sum(pot.amount for pot in pots)
        rake = total * self.thousandths // 1000
        if self.cap is not None and rake > self.cap:
            rake = self.cap
        parts, seen = [], 0
        for pot in pots:
            before, seen = seen, seen + pot.amount
            parts.append(rake * seen // total - rake * before // total if total else 0)
        return tuple(parts)


MOST_RUNS = 4
"""How often one board can be run: a deck has enough cards for this at a table of ten."""


class Stakes(Struct, frozen=True, kw_only=True):
    """The forced bets of one hand, by place, and the minimum bets."""

    min_bet: int  #: the minimum bet; in limit games the small bet
    big_bet: int | None = None  #: limit's bet on later streets; None: twice the small bet if bets are fixed
    posts: tuple[Post, ...] = ()
    antes: tuple[int, ...] = ()
    dead: int = 0  #: chips already in the pot that belong to no player
    equal_antes: bool = True  #: False: antes are dead money in the main pot, as when one player pays for all
    price: int = 0  #: the cost of staying even if no player posts it
    opener: int | None = None  #: the place that acts first; None: left of the highest blind or straddle
    rake: Rake | None = None  #: the house's part of the pots
    bring_in: int = 0  #: what the first player must pay in games where up-cards decide who is first
    runs: int = 1  #: how often the rest of the board is dealt if betting ends before it is complete
    bomb: bool = False  #: there is no betting on the first street
    may_muck: bool = False  #: at showdown every player with chips shows or mucks in turn, the last bettor first

    def __post_init__(self) -> None:
        for least in (self.min_bet, self.big_bet):
            if least is not None and (type(least) is not int or least < 1):
                raise SetupError(f"min_bet: expected at least one chip, got {least!r}")
        if self.big_bet is not None and self.big_bet < self.min_bet:
            raise SetupError(f"big_bet: expected at least the minimum bet of {self.min_bet}, got {self.big_bet}")
        check_chips("ante", self.antes)
        check_chips("post", (*[post.amount for post in self.posts], self.dead, self.price))
        check_chips("bring-in", (self.bring_in,))
        for name in ("equal_antes", "bomb", "may_muck"):
            if type(getattr(self, name)) is not bool:
                raise SetupError(f"{name}: expected True or False, got {getattr(self, name)!r}")
        if type(self.runs) is not int or not 1 <= self.runs <= MOST_RUNS:
            raise SetupError(f"runs: expected 1 to {MOST_RUNS}, got {self.runs!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise SetupError(f"rake: expected a Rake or None, got {self.rake!r}")

    def in_game(self, structure: Structure) -> "Stakes":
        """Return the stakes with the game's usual big bet, if bets are fixed and none is given.

        >>> from pitboss.hand.games import LIMIT_HOLDEM
        >>> Stakes(min_bet=20).in_game(LIMIT_HOLDEM).big_bet
        40
        """
        usual = structure.usual_big_bet(self.min_bet) if self.big_bet is None else None
        return self if usual is None else replace(self, big_bet=usual)

    def step(self, street: Street) -> int:
        """Return the minimum bet on a street."""
        return self.big_bet if street.big and self.big_bet is not None else self.min_bet


def check_chips(what: str, amounts: Iterable[object]) -> None:
    """Raise `SetupError` for an amount that is not a number of chips."""
    for amount in amounts:
        if type(amount) is not int or amount < 0:
            raise SetupError(f"{what}: expected a whole number of chips from 0, got {amount!r}")


def blinds(places: int, *amounts: int) -> tuple[Post, ...]:
    """Return small blind, big blind and straddles from the button's left; heads-up the button posts the small blind.

    >>> [(post.place, post.amount) for post in blinds(6, 10, 20, 40)]
    [(0, 10), (1, 20), (2, 40)]
    >>> [(post.place, post.amount) for post in blinds(2, 10, 20)]
    [(1, 10), (0, 20)]
    """
    if type(places) is not int:
        raise SetupError(f"places: expected a whole number of players, got {places!r}")
    check_chips("blind", amounts)
    if len(amounts) > places:
        raise SetupError(f"blinds: expected at most {places}, one per player, got {len(amounts)}")
    posted = zip(blind_order(places), amounts, strict=False)
    return tuple([Post(place, amount, option=True, players=places) for place, amount in posted if amount])


def blind_order(places: int) -> Sequence[int]:
    """Return the places in the order in which they post; heads-up the button posts first."""
    return (1, 0) if places == 2 else range(places)
