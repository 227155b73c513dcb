"""A game as data: its deck, its streets, its betting system, and how its showdown is judged.

A game with other streets or another ranking is another record, not another engine; `games.py` has the records.
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post
from pitboss.betting.rules import Rules
from pitboss.cards import DECK, Card
from pitboss.hand.rake import Rake


class Street(Struct, frozen=True):
    """A deal and the betting round after it."""

    name: str
    hole: int = 0  #: cards dealt to each player
    board: int = 0  #: cards dealt to the middle
    big: bool = False  #: limit betting uses the big bet


Order = Literal["high", "short", "low"]
"""What makes one holding better than another."""


class Ranking(Struct, frozen=True):
    """One way to win (half of) a pot."""

    order: Order
    from_two: bool = False  #: exactly two hole cards count, with three of the board

    def __post_init__(self) -> None:
        if self.order not in get_args(Order):
            raise SetupError(f"order is {' or '.join(map(repr, get_args(Order)))}, not {self.order!r}")
        if type(self.from_two) is not bool:
            raise SetupError(f"from_two is True or False, not {self.from_two!r}")


class Structure(Struct, frozen=True, kw_only=True):
    """The rules of a game apart from its stakes."""

    name: str
    code: str  #: PHH's name for the variant
    keys: tuple[str, ...] = ()  #: what `find_structure` finds it by, the most usual first
    deck: tuple[Card, ...] = DECK
    streets: tuple[Street, ...]
    betting: Rules
    showdown: tuple[Ranking, ...]

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

    def with_betting(self, **settings: object) -> "Structure":
        """The same game under changed betting settings.

        >>> from pitboss.betting.rules import Reopening
        >>> NO_LIMIT_HOLDEM.with_betting(reopening=Reopening.CUMULATIVE).betting.reopening.name
        'CUMULATIVE'
        """
        return replace(self, betting=replace(self.betting, **settings))


class Stakes(Struct, frozen=True, kw_only=True):
    """The forced money of one hand, by place, and the least bets."""

    min_bet: int  #: the least bet; in limit games the small bet
    big_bet: int | None = None  #: limit's bet on later streets
    posts: tuple[Post, ...] = ()
    antes: tuple[int, ...] = ()
    dead: int = 0  #: chips already in the pot, nobody's any more
    equal_antes: bool = True  #: False: antes are dead money in the main pot, as when one player pays for all
    price: int = 0  #: what staying costs even where nobody posts it
    opener: int | None = None  #: who speaks first; None: left of the highest blind or straddle
    rake: Rake | None = None  #: the house's part of the pots

    def __post_init__(self) -> None:
        for least in (self.min_bet, self.big_bet):
            if least is not None and (type(least) is not int or least < 1):
                raise SetupError(f"the least bet is one chip or more, not {least!r}")
        if type(self.equal_antes) is not bool:
            raise SetupError(f"equal_antes is True or False, not {self.equal_antes!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise SetupError(f"rake is a Rake or None, not {self.rake!r}")

    def step(self, street: Street) -> int:
        """The least bet on a street."""
        return self.big_bet if street.big and self.big_bet is not None else self.min_bet


def blinds(places: int, *amounts: int) -> tuple[Post, ...]:
    """Small blind, big blind and straddles, in order from the button's left; heads-up the button posts the small blind.

    >>> [(post.place, post.amount) for post in blinds(6, 10, 20, 40)]
    [(0, 10), (1, 20), (2, 40)]
    >>> [(post.place, post.amount) for post in blinds(2, 10, 20)]
    [(1, 10), (0, 20)]
    """
    if type(places) is not int:
        raise SetupError(f"blinds are for a whole number of players, not {places!r}")
    for amount in amounts:
        if type(amount) is not int or amount < 0:
            raise SetupError(f"{amount!r} is no blind: chips are whole numbers from 0 on")
    if len(amounts) > places:
        raise SetupError(f"{len(amounts)} blinds and straddles for {places} players")
    posted = zip(blind_order(places), amounts, strict=False)
    return tuple([Post(place, amount, option=True, players=places) for place, amount in posted if amount])


def blind_order(places: int) -> Sequence[int]:
    """The places in the order in which they post; heads-up the button posts first."""
    return (1, 0) if places == 2 else range(places)
