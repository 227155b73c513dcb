"""Describe a poker game as data.

`Structure` has the deck, the streets, the betting rules and the showdown of a game. `Stakes` has the forced bets and
the minimum bets of one hand. `Rake` describes the house's share of the pots. A new game needs a new `Structure`, but no
new code. The games of pitboss are in `games.py`.
"""

import warnings
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from pitboss.betting.pots import Pot
from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post
from pitboss.betting.rules import Rules
from pitboss.cards import DECK, RANKS, Card
from pitboss.ranks.orders import ORDERS

MOST_RUNS = 4
"""The maximum number of times that the rest of a board can be dealt.

A deck has enough cards for four boards and ten players.
"""
MOST_BOARDS = 4
"""The maximum number of boards of a game."""

Money = TypeVar("Money", int, int | Decimal)  # an amount in chips, or in the money of a record

Opens = Literal["left", "low_card", "high_card", "high_hand", "low_hand"]
"""The rule for the player who acts first on a street.

On the first street, `left` is the player left of the blinds. On later streets, it is the player left of the button. The
other rules compare the players' up-cards.
"""

Order: TypeAlias = str
"""The name of an order of hands in `ranks.orders.ORDERS`. For example, "low" is the order of eight-or-better lows."""


class Street(Struct, frozen=True):
    """A deal of cards or a draw, and the betting round after it.

    >>> from pitboss import NO_LIMIT_HOLDEM, Street
    >>> NO_LIMIT_HOLDEM.streets[1] == Street("FLOP", board=3)
    True
    """

    name: str
    hole: int = 0  #: the number of cards dealt face down to each player
    board: int = 0  #: the number of cards dealt to the board
    big: bool = False  #: whether limit betting uses the big bet
    up: int = 0  #: the number of cards dealt face up to each player, after the others
    draw: bool = False  #: whether players can exchange cards
    opens: Opens = "left"
    discard: int = 0  #: the number of cards that each player discards before this deal, without new ones
    discard_up: bool = False  #: whether all players see the discarded cards

    def __post_init__(self) -> None:
        if self.opens not in get_args(Opens):
            raise SetupError(f"opens: expected {' or '.join(map(repr, get_args(Opens)))}, got {self.opens!r}")
        if self.draw and (self.hole or self.up or self.board):
            raise SetupError(f"{self.name}: a street with a draw cannot also deal cards")
        if self.draw and self.discard:
            raise SetupError(f"{self.name}: a street cannot have both a draw and a discard")

    @property
    def own(self) -> int:
        """The number of cards that this street deals to each player."""
        return self.hole + self.up


class Ranking(Struct, frozen=True):
    """One way to win a pot. If a game has several, each decides an equal part of the pot.

    >>> from pitboss import OMAHA, Ranking
    >>> OMAHA.showdown == (Ranking("high", from_two=True),)
    True
    """

    order: Order
    from_two: bool = False  #: whether a hand has exactly two hole cards and three board cards

    def __post_init__(self) -> None:
        if self.order not in tuple(ORDERS):  # the order can be unhashable, and a tuple can be searched for any value
            raise SetupError(f"order: expected {' or '.join(map(repr, ORDERS))}, got {self.order!r}")
        if type(self.from_two) is not bool:
            raise SetupError(f"from_two: expected True or False, got {self.from_two!r}")


class Structure(Struct, frozen=True, kw_only=True, dict=True):
    """The rules of a game, without forced bets and bet sizes.

    >>> from pitboss import Ranking, Street, Structure, no_limit
    >>> street = Street("DEAL", hole=5)
    >>> high = (Ranking("high"),)
    >>> game = Structure(name="five cards", code="X", streets=(street,), betting=no_limit(), showdown=high)
    >>> game.most_players
    10
    """

    name: str
    code: str  #: the code of the game in PHH files
    keys: tuple[str, ...] = ()  #: the names that `find_structure` accepts; the first is the usual one
    deck: tuple[Card, ...] = DECK
    streets: tuple[Street, ...]
    betting: Rules
    showdown: tuple[Ranking, ...]
    open_pair: bool = False  #: whether an open pair allows the big bet on a later street of the small bet
    boards: int = 1  #: the number of boards; each wins an equal part of the pot
    most_runs: int = 1  #: how often the players may choose to deal the rest of the board if betting ends early
    wild: str = ""  #: the ranks of the wild cards

    def __post_init__(self) -> None:
        if not isinstance(self.betting, Rules):
            raise SetupError(f"betting: expected Rules such as no_limit(), got {self.betting!r}")
        given: Any
        for what, kind, given in (("streets", Street, self.streets), ("showdown", Ranking, self.showdown)):
            if not isinstance(given, tuple) or not given or not all(isinstance(entry, kind) for entry in given):
                raise SetupError(f"{what}: expected a tuple of one {kind.__name__} or more, got {given!r}")
        for what, number, most in (("boards", self.boards, MOST_BOARDS), ("most_runs", self.most_runs, MOST_RUNS)):
            if type(number) is not int or not 1 <= number <= most:
                raise SetupError(f"{what}: expected 1 to {most}, got {number!r}")
        given = self.wild
        if not isinstance(given, str) or not set(given) <= set(RANKS):
            raise SetupError(f"wild: expected ranks such as '2', got {given!r}")
        if self.wild and any(ORDERS[ranking.order].wild is None for ranking in self.showdown):
            raise SetupError("wild: expected a showdown by the order 'high' only")

    @property
    def key(self) -> str:
        """The usual name of the game as one word. If the game has no name, it is the code."""
        return self.keys[0] if self.keys else self.code

    @cached_property
    def hole_by_street(self) -> tuple[int, ...]:
        """The number of cards that each player has after each street's deal."""
        return tuple(accumulate([street.own - street.discard for street in self.streets]))

    @cached_property
    def board_by_street(self) -> tuple[int, ...]:
        """The total number of board cards after each street's deal."""
        return tuple(accumulate([street.board for street in self.streets]))

    @property
    def own_by(self) -> tuple[int, ...]:
        """Deprecated: use `hole_by_street`."""
        warnings.warn("Structure.own_by is now hole_by_street", DeprecationWarning, stacklevel=2)
        return self.hole_by_street

    @property
    def common_by(self) -> tuple[int, ...]:
        """Deprecated: use `board_by_street`."""
        warnings.warn("Structure.common_by is now board_by_street", DeprecationWarning, stacklevel=2)
        return self.board_by_street

    @cached_property
    def board_alone(self) -> int:
        """The index of the last street that deals cards to players, or in which players discard.

        In draw games it is the number of streets, because every draw can deal cards to players.
        """
        if self.draws:
            return len(self.streets)
        return max([at for at, street in enumerate(self.streets) if street.own or street.discard], default=0)

    @cached_property
    def faces(self) -> tuple[bool, ...]:
        """Whether each card of a player is dealt face up, in dealing order.

        The tuple is empty if all cards are dealt face down.
        """
        faces = [up for street in self.streets for up in (False,) * street.hole + (True,) * street.up]
        return tuple(faces) if any(faces) else ()

    @cached_property
    def all_cards(self) -> frozenset[Card]:
        """The cards of the deck as a set."""
        return frozenset(self.deck)

    @cached_property
    def draws(self) -> bool:
        """Whether players can exchange cards."""
        return any(street.draw for street in self.streets)

    @cached_property
    def discards(self) -> bool:
        """Whether players discard cards without new ones."""
        return any(street.discard for street in self.streets)

    @cached_property
    def special_rules(self) -> tuple[str, ...]:
        """The rules of this game that only plain Python plays, because the compiled loops do not have them."""
        found = {"discards": self.discards, "several boards": self.boards > 1, "a choice of runs": self.most_runs > 1}
        return tuple([name for name, has in {**found, "wild cards": bool(self.wild)}.items() if has])

    @cached_property
    def board_cards(self) -> int:
        """The number of cards on all boards together."""
        return self.boards * self.board_by_street[-1]

    def runs_for(self, players: int, most: int) -> int:
        """Return how often the whole board can be dealt for this number of players, at most `most` times.

        >>> from pitboss import NO_LIMIT_HOLDEM
        >>> NO_LIMIT_HOLDEM.runs_for(22, most=3)
        1
        """
        if most == 1 or not self.board_cards:
            return 1
        return max(1, min(most, (len(self.deck) - players * self.dealt_to_each) // self.board_cards))

    @cached_property
    def dealt_to_each(self) -> int:
        """The number of cards that the streets deal to each player, including cards that are discarded later."""
        return sum([street.own for street in self.streets])

    @cached_property
    def most_players(self) -> int:
        """The maximum number of players.

        In stud, the last card can be one card that all players share. In a draw game, the deck has enough cards for one
        player to exchange all of theirs.
        """
        cards, own, last = len(self.deck) - self.board_cards, self.dealt_to_each, self.streets[-1].own
        if self.draws:
            return (cards - own) // own
        return (cards - last) // (own - last) if last and own > last and self.boards == 1 else cards // own

    def usual_big_bet(self, small_bet: Money) -> Money | None:
        """Return the usual big bet of a limit game: twice the small bet.

        Return None if bet sizes are not fixed.

        >>> from pitboss import LIMIT_HOLDEM
        >>> LIMIT_HOLDEM.usual_big_bet(20)
        40
        """
        return 2 * small_bet if self.betting.exact else None

    def with_betting(self, **settings: object) -> "Structure":
        """Return the same game with other betting settings.

        >>> from pitboss import Reopening
        >>> from pitboss import NO_LIMIT_HOLDEM
        >>> NO_LIMIT_HOLDEM.with_betting(reopening=Reopening.CUMULATIVE).betting.reopening.name
        'CUMULATIVE'
        """
        return replace(self, betting=replace(self.betting, **settings))


class HasStructure(Protocol):
    """An object that has a game, such as a record, a hand or a table."""

    @property
    def structure(self) -> Structure:
        """The game."""


class Rake(Struct, frozen=True, kw_only=True):
    """The house's share of the pots. It is rounded down to whole chips.

    >>> Rake(thousandths=50, cap=6).taken((Pot(90, (0, 1, 2)), Pot(30, (0, 1))), first_street=False)
    (4, 2)
    """

    thousandths: int  #: thousandths of the pots: 50 is five per cent; returned bets do not count
    cap: int | None = None  #: the maximum rake per hand, in chips
    no_flop_no_drop: bool = True  #: whether a hand that ends on its first street pays no rake

    def __post_init__(self) -> None:
        if type(self.thousandths) is not int or not 0 <= self.thousandths <= 1000:
            raise SetupError(f"thousandths: expected 0 to 1000 of the pot, got {self.thousandths!r}")
        if self.cap is not None and (type(self.cap) is not int or self.cap < 0):
            raise SetupError(f"cap: expected a whole number of chips, got {self.cap!r}")
        if type(self.no_flop_no_drop) is not bool:
            raise SetupError(f"no_flop_no_drop: expected True or False, got {self.no_flop_no_drop!r}")

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """Return the rake of each pot. The sum is the rake of the hand."""
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


class Stakes(Struct, frozen=True, kw_only=True):
    """The forced bets, the minimum bets and the options of one hand.

    >>> from pitboss import Stakes, blinds
    >>> stakes = Stakes(min_bet=20, posts=blinds(3, 10, 20), antes=(5, 5, 5))
    >>> [post.amount for post in stakes.posts]
    [10, 20]
    """

    min_bet: int  #: the minimum bet; in limit games, the small bet
    big_bet: int | None = None  #: the bet on later streets of limit games; None means twice the small bet
    posts: tuple[Post, ...] = ()
    antes: tuple[int, ...] = ()
    dead: int = 0  #: chips that are in the pot before the hand starts
    equal_antes: bool = True  #: False: antes are dead money in the main pot, for example if one player pays all of them
    price: int = 0  #: the minimum price of staying in the hand; the posts can make it higher
    opener: int | None = None  #: the place that acts first; None means left of the highest blind or straddle
    rake: Rake | None = None  #: the rules for the house's share of the pots
    bring_in: int = 0  #: the amount that the first player must pay in stud games
    runs: int = 1  #: the number of times that the rest of the board is dealt if betting ends early
    bomb: bool = False  #: whether the first street has no betting
    may_muck: bool = False  #: whether players with chips can muck at showdown; the last bettor decides first

    def __post_init__(self) -> None:
        for least in (self.min_bet, self.big_bet):
            if least is not None and (type(least) is not int or least < 1):
                raise SetupError(f"min_bet: expected at least one chip, got {least!r}")
        if self.big_bet is not None and self.big_bet < self.min_bet:
            raise SetupError(f"big_bet: expected at least the minimum bet of {self.min_bet}, got {self.big_bet}")
        check_chips("ante", self.antes)
        check_chips("post", (*[post.amount for post in self.posts], self.dead, self.price))
        check_chips("bring-in", (self.bring_in,))
        for name in ("posts", "antes"):
            if type(row := getattr(self, name)) is not tuple:  # a list cannot be hashed
                force_setattr(self, name, tuple(row))
        for name in ("equal_antes", "bomb", "may_muck"):
            if type(getattr(self, name)) is not bool:
                raise SetupError(f"{name}: expected True or False, got {getattr(self, name)!r}")
        if type(self.runs) is not int or not 1 <= self.runs <= MOST_RUNS:
            raise SetupError(f"runs: expected 1 to {MOST_RUNS}, got {self.runs!r}")
        if self.rake is not None and not isinstance(self.rake, Rake):
            raise SetupError(f"rake: expected a Rake or None, got {self.rake!r}")

    def in_game(self, structure: Structure) -> "Stakes":
        """Return the stakes, with the usual big bet if the game needs one and none is given.

        >>> from pitboss import LIMIT_HOLDEM
        >>> Stakes(min_bet=20).in_game(LIMIT_HOLDEM).big_bet
        40
        """
        usual = structure.usual_big_bet(self.min_bet) if self.big_bet is None else None
        return self if usual is None else replace(self, big_bet=usual)

    def step(self, street: Street) -> int:
        """Return the minimum bet on a street."""
        return self.big_bet if street.big and self.big_bet is not None else self.min_bet


def check_chips(what: str, amounts: Iterable[object]) -> None:
    """Raise `SetupError` if an amount is not a whole number of chips."""
    for amount in amounts:
        if type(amount) is not int or amount < 0:
            raise SetupError(f"{what}: expected a whole number of chips from 0, got {amount!r}")


def blinds(places: int, *amounts: int) -> tuple[Post, ...]:
    """Return the posts for blinds and straddles of these amounts.

    The amounts begin with the player left of the button. With two players, they begin with the button.

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
    """Return the places in the order in which they post. With two players, the button posts first."""
    return (1, 0) if places == 2 else range(places)
