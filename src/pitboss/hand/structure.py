"""A game as data, `Structure`: its deck, its streets, its betting rules and how its showdown is judged.

`Stakes` are the forced money of one hand, with the house's `Rake`. Another game is another record, not another
engine; `games.py` has those that pitboss knows.
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
"""Who speaks first: the button's left or left of the blinds, or whose up-cards are the lowest, the highest …"""

Order: TypeAlias = str
"""What makes one holding better than another, by its name in `ranks.orders.ORDERS`; "low" is eight or better."""


class Street(Struct, frozen=True):
    """A deal or a draw, and the betting round after it."""

    name: str
    hole: int = 0  #: cards dealt to each player, face down
    board: int = 0  #: cards dealt to the middle
    big: bool = False  #: limit betting uses the big bet
    up: int = 0  #: cards dealt to each player face up, after those face down
    draw: bool = False  #: everybody may change cards
    opens: Opens = "left"

    def __post_init__(self) -> None:
        if self.opens not in get_args(Opens):
            raise SetupError(f"opens is {' or '.join(map(repr, get_args(Opens)))}, not {self.opens!r}")
        if self.draw and (self.hole or self.up or self.board):
            raise SetupError(f"{self.name}: where cards are changed none are dealt beside")

    @property
    def own(self) -> int:
        """Cards dealt to each player."""
        return self.hole + self.up


class Ranking(Struct, frozen=True):
    """One way to win (half of) a pot."""

    order: Order
    from_two: bool = False  #: exactly two hole cards count, with three of the board

    def __post_init__(self) -> None:
        if self.order not in tuple(ORDERS):  # a tuple, because what is not a name may have no hash
            raise SetupError(f"order is {' or '.join(map(repr, ORDERS))}, not {self.order!r}")
        if type(self.from_two) is not bool:
            raise SetupError(f"from_two is True or False, not {self.from_two!r}")


class Structure(Struct, frozen=True, kw_only=True, dict=True):
    """The rules of a game apart from its stakes."""

    name: str
    code: str  #: PHH's name for the variant
    keys: tuple[str, ...] = ()  #: what `find_structure` finds it by, the most usual first
    deck: tuple[Card, ...] = DECK
    streets: tuple[Street, ...]
    betting: Rules
    showdown: tuple[Ranking, ...]
    open_pair: bool = False  #: at an open pair, a later street of the small bet allows either limit

    def __post_init__(self) -> None:
        if not isinstance(self.betting, Rules):
            raise SetupError(f"betting is a record of rules such as no_limit(), not {self.betting!r}")
        given: Any
        for what, kind, given in (("streets", Street, self.streets), ("showdown", Ranking, self.showdown)):
            if not isinstance(given, tuple) or not given or not all(isinstance(entry, kind) for entry in given):
                raise SetupError(f"{what} is a tuple of one {kind.__name__} or more, not {given!r}")

    @property
    def key(self) -> str:
        """The name in one word: what it is found by or, of a game of one's own, its code."""
        return self.keys[0] if self.keys else self.code

    @cached_property
    def hole_by_street(self) -> tuple[int, ...]:
        """How many cards everybody has by each street."""
        return tuple(accumulate([street.own for street in self.streets]))

    @cached_property
    def board_by_street(self) -> tuple[int, ...]:
        """How many cards lie in the middle by each street."""
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
        """The first street after which cards come to the middle alone; none of the streets where cards are changed."""
        return len(self.streets) if self.draws else self.hole_by_street.index(self.hole_by_street[-1])

    @cached_property
    def faces(self) -> tuple[bool, ...]:
        """Of a player's cards in the order they are dealt, which lie face up; empty where none does."""
        faces = [up for street in self.streets for up in (False,) * street.hole + (True,) * street.up]
        return tuple(faces) if any(faces) else ()

    @cached_property
    def all_cards(self) -> frozenset[Card]:
        """The deck, whatever its order."""
        return frozenset(self.deck)

    @cached_property
    def draws(self) -> bool:
        """Whether cards are changed."""
        return any(street.draw for street in self.streets)

    @cached_property
    def most_players(self) -> int:
        """How many the deck is enough for: the last card of each may be one for all, and one may change every card."""
        cards, own, last = len(self.deck) - self.board_by_street[-1], self.hole_by_street[-1], self.streets[-1].own
        if self.draws:
            return (cards - own) // own
        return (cards - last) // (own - last) if last and own > last else cards // own

    def usual_big_bet(self, small_bet: Money) -> Money | None:
        """Limit's bet on later streets where only the small one is said: twice that; None where bets are not fixed.

        >>> from pitboss.hand.games import LIMIT_HOLDEM
        >>> LIMIT_HOLDEM.usual_big_bet(20)
        40
        """
        return 2 * small_bet if self.betting.exact else None

    def with_betting(self, **settings: object) -> "Structure":
        """The same game under changed betting settings.

        >>> from pitboss.betting.rules import Reopening
        >>> from pitboss.hand.games import NO_LIMIT_HOLDEM
        >>> NO_LIMIT_HOLDEM.with_betting(reopening=Reopening.CUMULATIVE).betting.reopening.name
        'CUMULATIVE'
        """
        return replace(self, betting=replace(self.betting, **settings))


class Rake(Struct, frozen=True, kw_only=True):
    """What the house takes of a hand, rounded down to whole chips.

    >>> Rake(thousandths=50, cap=6).taken((Pot(90, (0, 1, 2)), Pot(30, (0, 1))), first_street=False)
    (4, 2)
    """

    thousandths: int  #: of all that is in the pots once uncalled bets are back: 50 is five per cent
    cap: int | None = None  #: the most of one hand
    no_flop_no_drop: bool = True  #: whether a hand that ends on its first street pays nothing

    def __post_init__(self) -> None:
        if type(self.thousandths) is not int or not 0 <= self.thousandths <= 1000:
            raise SetupError(f"a rake is 0 to 1000 thousandths of the pot, not {self.thousandths!r}")
        if self.cap is not None and (type(self.cap) is not int or self.cap < 0):
            raise SetupError(f"a cap on the rake is a whole number of chips, not {self.cap!r}")
        if type(self.no_flop_no_drop) is not bool:
            raise SetupError(f"no_flop_no_drop is True or False, not {self.no_flop_no_drop!r}")

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """What the house takes of each pot: together the rake of the hand, from each its part."""
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
"""How often one board can be dealt to its end: what the deck has cards for at a table of ten and some."""


class Stakes(Struct, frozen=True, kw_only=True):
    """The forced money of one hand, by place, and the least bets."""

    min_bet: int  #: the least bet; in limit games the small bet
    big_bet: int | None = None  #: limit's bet on later streets; None: twice the small one where bets are fixed
    posts: tuple[Post, ...] = ()
    antes: tuple[int, ...] = ()
    dead: int = 0  #: chips already in the pot, nobody's any more
    equal_antes: bool = True  #: False: antes are dead money in the main pot, as when one player pays for all
    price: int = 0  #: what staying costs even where nobody posts it
    opener: int | None = None  #: who speaks first; None: left of the highest blind or straddle
    rake: Rake | None = None  #: the house's part of the pots
    bring_in: int = 0  #: what the first to speak has to pay where up-cards decide who that is
    runs: int = 1  #: how often the rest of the board is dealt where betting ends before it is complete
    bomb: bool = False  #: nobody bets on the first street
    may_muck: bool = False  #: at the showdown everybody with chips is asked in turn, whoever bet last first

    def __post_init__(self) -> None:
        for least in (self.min_bet, self.big_bet):
            if least is not None and (type(least) is not int or least < 1):
                raise SetupError(f"the least bet is one chip or more, not {least!r}")
        if self.big_bet is not None and self.big_bet < self.min_bet:
            raise SetupError(f"the big bet of {self.big_bet} is below the least bet of {self.min_bet}")
        check_chips("ante", self.antes)
        check_chips("post", (*[post.amount for post in self.posts], self.dead, self.price))
        check_chips("bring-in", (self.bring_in,))
        for name in ("equal_antes", "bomb", "may_muck"):
            if type(getattr(self, name)) is not bool:
                raise SetupError(f"{name} is True or False, not {getattr(self, name)!r}")
        if type(self.runs) is not int or not 1 <= self.runs <= MOST_RUNS:
            raise SetupError(f"the board is run 1 to {MOST_RUNS} times, not {self.runs!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise SetupError(f"rake is a Rake or None, not {self.rake!r}")

    def in_game(self, structure: Structure) -> "Stakes":
        """The stakes of a game: where bets are fixed and no big bet is said, it is the usual one.

        >>> from pitboss.hand.games import LIMIT_HOLDEM
        >>> Stakes(min_bet=20).in_game(LIMIT_HOLDEM).big_bet
        40
        """
        usual = structure.usual_big_bet(self.min_bet) if self.big_bet is None else None
        return self if usual is None else replace(self, big_bet=usual)

    def step(self, street: Street) -> int:
        """The least bet on a street."""
        return self.big_bet if street.big and self.big_bet is not None else self.min_bet


def check_chips(what: str, amounts: Iterable[object]) -> None:
    """Refuse amounts that are no chips."""
    for amount in amounts:
        if type(amount) is not int or amount < 0:
            raise SetupError(f"{amount!r} is no {what}: chips are whole numbers from 0 on")


def blinds(places: int, *amounts: int) -> tuple[Post, ...]:
    """Small blind, big blind and straddles, in order from the button's left; heads-up the button posts the small blind.

    >>> [(post.place, post.amount) for post in blinds(6, 10, 20, 40)]
    [(0, 10), (1, 20), (2, 40)]
    >>> [(post.place, post.amount) for post in blinds(2, 10, 20)]
    [(1, 10), (0, 20)]
    """
    if type(places) is not int:
        raise SetupError(f"blinds are for a whole number of players, not {places!r}")
    check_chips("blind", amounts)
    if len(amounts) > places:
        raise SetupError(f"{len(amounts)} blinds and straddles for {places} players")
    posted = zip(blind_order(places), amounts, strict=False)
    return tuple([Post(place, amount, option=True, players=places) for place, amount in posted if amount])


def blind_order(places: int) -> Sequence[int]:
    """The places in the order in which they post; heads-up the button posts first."""
    return (1, 0) if places == 2 else range(places)
