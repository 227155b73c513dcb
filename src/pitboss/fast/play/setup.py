"""The checked settings of a run of compiled hands: the game, the policies by seat and the table.

Every hand of a run starts with the same stacks, so `betting/round.py` takes the forced bets once for each seat of the
button, and a hand begins as a copy of that state. Whether compiled hands support a game depends on its hole cards,
streets, deck and rankings, not on its name.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, cycle, islice
from operator import index
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Round
from pitboss.betting.rules import Opposition
from pitboss.cards import DECK
from pitboss.errors import PitbossError
from pitboss.fast.play import policies
from pitboss.fast.play.flop import BOARD, FIRST_STREET, MOST_HOLE, TRIOS
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Order, Ranking, Stakes, Street, Structure, blinds
from pitboss.ranks import lows
from pitboss.ranks.orders import ORDERS
from pitboss.table.rotation import order_of_play

KNOWN: dict[type, tuple[str, ...]] = {
    Structure: ("name", "code", "keys", "deck", "streets", "betting", "showdown"),
    Street: ("name", "hole", "board", "big"),
    Ranking: ("order", "from_two"),
    Stakes: ("min_bet", "big_bet", "posts", "antes", "dead", "equal_antes", "price", "opener"),
}
"""The settings that compiled hands support; all others must have their default values."""

WITHOUT = {
    "rake": "a rake",
    "bring_in": "a bring-in",
    "runs": "a second run of the board",
    "bomb": "bomb pots",
    "may_muck": "mucking: all who are left show their cards",
}


class FlopGame(NamedTuple):
    """A flop game as rows of numbers for the loops.

    The lengths of the rows are the numbers of hole cards, cards and streets. In an array the length is read at run
    time. In a record it is part of the type, which the compiler knows. One loop, with arrays, plays all games. Another
    loop, compiled from the same source with a record, plays only hold'em, but faster.
    """

    hole: Any  # one number per hole card
    deck: Any  # in order
    steps: Any  # by street, the least bet
    board: Any  # by street, the number of cards on the board
    trios: Any  # indexes of the choices of three board cards; only 0 if players may use any cards
    rankings: Any  # one number per part of the pot: the high, and perhaps the low
    low_bits: Any  # by card, the bit of its rank in a low
    lows: Any  # by those bits, the strength of a low

    @classmethod
    def of(cls, structure: Structure, stakes: Stakes) -> "FlopGame":
        """Return the rows of a game that passed `check_game`."""
        streets = structure.streets
        return cls(
            hole=list(range(streets[0].hole)),
            deck=[DECK.index(card) for card in structure.deck],
            steps=[stakes.step(street) for street in streets],
            board=list(accumulate([street.board for street in streets])),
            trios=list(range(TRIOS if structure.showdown[0].from_two else 1)),
            rankings=list(range(len(structure.showdown))),
            low_bits=[lows.BITS[card] for card in DECK],
            lows=list(lows.LOWS),
        )


def is_holdem(structure: Structure) -> bool:
    """Return whether hands have two cards of the full deck and the best five of seven cards win, as in hold'em."""
    return (
        structure.streets[0].hole == 2
        and structure.deck == DECK
        and [(ranking.order, ranking.from_two) for ranking in structure.showdown] == [("high", False)]
    )


def check_game(structure: Structure, stakes: Stakes, *, any_game: bool = False) -> None:
    """Refuse games whose dealing, showdown or betting the compiled loops do not support.

    With `any_game` plain Python plays any dealing and showdown, and bring-ins.
    """
    reason = why_not_compiled(structure)
    if reason and not any_game:
        raise SetupError(reason)
    for setting in _unknown(stakes):
        if not (reason and setting == "bring_in"):
            hands = "simulated" if reason else "compiled"
            raise SetupError(f"{hands} hands do not support {WITHOUT.get(setting, setting)}: leave it out")
    rules = structure.betting
    if not rules.matching or rules.opposition != Opposition.ABLE or rules.only_short_all_in:
        raise SetupError(
            "compiled hands: expected poker rules (matched bets, and no turn if no other player can answer)"
        )


def why_not_compiled(structure: Structure) -> str:
    """Return why compiled loops do not deal and compare the hands of a game, or an empty text if they do."""
    if structure.special_rules:
        rules_of = " and ".join(structure.special_rules)
        return (
            f"compiled hands do not have {rules_of}: play {structure.name} with simulate in plain Python or with Hand"
        )
    if not _is_flop_game(structure):
        return (
            "compiled hands: expected a flop game (hold'em, short-deck hold'em or Omaha with two to six hole cards, "
            f"high or hi-lo), got {structure.name}"
        )
    return ""


def _is_flop_game(structure: Structure) -> bool:
    """Return whether hole cards are dealt once, the board has five cards, and a high wins, perhaps with a low."""
    first, *later = structure.streets
    high, *others = [ORDERS[ranking.order] for ranking in structure.showdown]
    both = {ranking.from_two for ranking in structure.showdown}
    return (
        not any(_unknown(entry) for entry in (structure, *structure.streets, *structure.showdown))
        and structure.deck == DECK[len(DECK) - len(structure.deck) :]
        and 2 <= first.hole <= (MOST_HOLE if both == {True} else 2)
        and not any(street.hole for street in later)
        and sum(street.board for street in structure.streets) == BOARD
        and high.tables is not None
        and [order.loop for order in others] in ([], ["low"])
        and len(both) == 1
    )


def _unknown(record: Any) -> list[str]:
    """Return the unsupported settings of a record that differ from their defaults."""
    return [
        field.name
        for field in fields(record)
        if field.name not in KNOWN[type(record)]
        and (field.default is NODEFAULT or getattr(record, field.name) != field.default)
    ]


Policy = str | Callable[..., Any]

SAMPLING, OWN = 30, 4
"""How many times as long a hand takes in plain Python with the policy `equity`, and with a caller's function."""


class PolicyError(PitbossError, ValueError):
    """A policy that is unknown, does not compile or chose an illegal action.

    >>> from pitboss import simulate
    >>> simulate(1, policies="lucky")
    Traceback (most recent call last):
    pitboss.PolicyError: policies: expected random, calling, tight, equity or a function, got 'lucky'
    """


class NotCompilable(PolicyError):
    """A function that plays in plain Python but does not compile."""


class Team(NamedTuple):
    """The policies by seat."""

    functions: tuple[Callable[..., Any], ...]  #: all different policies if one of them is a caller's, otherwise empty
    kinds: tuple[int, ...]  #: by seat, the number of its policy
    names: tuple[str, ...]  #: by seat

    @classmethod
    def of(cls, given: Policy | Sequence[Policy], seats: int) -> "Team":
        """Assign the policies to the seats in turn, and start again after the last policy.

        >>> Team.of(("tight", "calling"), 3).names
        ('tight', 'calling', 'tight')
        """
        if not isinstance(given, str | Iterable) and not callable(given):
            raise PolicyError(f"policies: expected a name, a function or several of them, got {given!r}")
        listed: list[Policy] = [given] if isinstance(given, str) or callable(given) else list(given)
        if not 1 <= len(listed) <= seats:
            raise PolicyError(f"policies: expected 1 to {seats}, at most one per seat, got {len(listed)}")
        for policy in listed:
            if not callable(policy) and policy not in policies.NAMES:
                raise PolicyError(f"policies: expected {', '.join(policies.NAMES)} or a function, got {policy!r}")
        by_seat = list(islice(cycle(listed), seats))
        names = tuple([policy if isinstance(policy, str) else _name(policy) for policy in by_seat])
        if not any(callable(policy) for policy in listed):
            return cls((), tuple([policies.NAMES.index(name) for name in names]), names)
        distinct = list(dict.fromkeys(by_seat))
        functions = [getattr(policies, policy) if isinstance(policy, str) else policy for policy in distinct]
        return cls(tuple(functions), tuple([distinct.index(policy) for policy in by_seat]), names)

    def check_game(self, structure: Structure) -> None:
        """Refuse policies that cannot play the game."""
        plain = why_not_compiled(structure)
        if plain and self.functions:
            raise PolicyError(f"policies: {structure.name} is played in plain Python: use random and calling")
        for name in policies.HOLDEM_ONLY:
            if (plain or not is_holdem(structure)) and (
                name in self.names or getattr(policies, name) in self.functions
            ):
                others = " and ".join(other for other in policies.NAMES if other not in policies.HOLDEM_ONLY)
                raise PolicyError(f"policy {name!r} plays only hold'em, not {structure.name}: use {others}")

    @property
    def weight(self) -> int:
        """The approximate time of a hand in plain Python, divided by the time with the simplest policies."""
        return SAMPLING if "equity" in self.names else OWN if self.functions else 1


def _name(policy: Callable[..., Any]) -> str:
    return str(getattr(policy, "__name__", type(policy).__name__))


MOST_SEATS = 10
MOST_CHIPS = 10**15
DEFAULT_STACK, SMALL_BLIND, BIG_BLIND = 10_000, 50, 100


class RunSetup(Struct, frozen=True, kw_only=True):
    """The table of a run: the seats with their stacks, the game, its stakes and the button."""

    structure: Structure = NO_LIMIT_HOLDEM
    stakes: Stakes
    stacks: tuple[int, ...]  #: by seat
    button: int | None = None  #: a seat that keeps the button; if None, it moves one seat per hand

    @property
    def seats(self) -> int:
        """The number of seats, all of which are dealt in."""
        return len(self.stacks)

    @property
    def buttons(self) -> tuple[int, ...]:
        """The seats of the button in turn, from the first hand."""
        return tuple(range(self.seats)) if self.button is None else (self.button,)

    @property
    def chips(self) -> int:
        """The number of chips in every hand."""
        return sum(self.stacks) + self.stakes.dead

    def order(self, button: int) -> tuple[int, ...]:
        """Return the seats in the order of places: entry p is the seat of place p."""
        return order_of_play([True] * self.seats, button)

    @property
    def places(self) -> list[int]:
        """The orders of all buttons, one after another."""
        return [seat for button in self.buttons for seat in self.order(button)]

    @property
    def steps(self) -> list[int]:
        """The minimum bet by street."""
        return [self.stakes.step(street) for street in self.structure.streets]

    @property
    def game(self) -> FlopGame:
        """The game as the loops read it."""
        return FlopGame.of(self.structure, self.stakes)

    @property
    def ranking(self) -> Order:
        """The hand order of the showdown's first ranking."""
        return self.structure.showdown[0].order

    def opened(self, button: int) -> Round:
        """Return the first street's betting with the button at this seat."""
        round, _ = Round.start(
            self.structure.betting,
            stacks=[self.stacks[seat] for seat in self.order(button)],
            step=self.steps[FIRST_STREET],
            opener=self.stakes.opener,
            price=self.stakes.price,
            posts=self.stakes.posts,
            antes=self.stakes.antes,
            equal_antes=self.stakes.equal_antes,
            dead=self.stakes.dead,
        )
        return round


def setup(
    seats: int,
    stacks: int | Sequence[int] = DEFAULT_STACK,
    stakes: Stakes | None = None,
    structure: Structure = NO_LIMIT_HOLDEM,
    button: int | None = None,
    *,
    any_game: bool = False,
) -> RunSetup:
    """Check settings as the plain rules do; without stakes the blinds are 50 and 100, or a bring-in of 50.

    Refuse a game that compiled hands do not support, unless `any_game` is set.
    """
    seats = whole_number(seats, "seats")
    if not 2 <= seats <= MOST_SEATS:
        raise SetupError(f"seats: expected 2 to {MOST_SEATS}, got {seats}")
    by_seat = tuple(
        [whole_number(stack, "stacks") for stack in (stacks if isinstance(stacks, Iterable) else (stacks,) * seats)]
    )
    if len(by_seat) != seats:
        raise SetupError(f"stacks: expected one per seat, {seats} in total, got {len(by_seat)}")
    button = None if button is None else whole_number(button, "button")
    if button is not None and not 0 <= button < seats:
        raise SetupError(f"button: expected a seat from 0 to {seats - 1}, got {button}")
    if stakes is None:
        stakes = usual_stakes(structure, seats)
    check_game(structure, stakes, any_game=any_game)
    hand, _ = Hand.start(structure, stacks=by_seat, stakes=stakes, deck=structure.deck)  # refuses what the rules refuse
    stakes = hand.stakes
    forced = [
        stakes.min_bet,
        stakes.big_bet or 0,
        stakes.dead,
        stakes.price,
        *stakes.antes,
        *[post.amount for post in stakes.posts],
    ]
    if max(sum(by_seat), *forced) > MOST_CHIPS and not why_not_compiled(structure):
        raise SetupError(f"compiled hands: expected at most {MOST_CHIPS} chips, got {max(sum(by_seat), *forced)}")
    return RunSetup(structure=structure, stakes=stakes, stacks=by_seat, button=button)


def usual_stakes(
    structure: Structure, seats: int, *amounts: int, small: int = SMALL_BLIND, big: int = BIG_BLIND
) -> Stakes:
    """Return stakes with a small and a big blind and straddles of these amounts.

    In games with a bring-in, the small blind is the bring-in and the big blind is the smallest bet.
    """
    least = structure.betting.least_bet or big
    if structure.betting.bring_in:
        return Stakes(min_bet=least, bring_in=small)
    return Stakes(min_bet=least, posts=blinds(seats, small, big, *amounts))


def whole_number(number: Any, what: str) -> int:
    """Return a whole number of any library as an int; refuse booleans and fractions."""
    if isinstance(number, bool) or not hasattr(type(number), "__index__"):
        raise SetupError(f"{what}: expected a whole number, got {number!r}")
    return index(number)
