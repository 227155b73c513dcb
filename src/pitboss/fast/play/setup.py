"""What a run of hands needs before its first card: checked settings, and the state after the forced money.

Every hand of a run starts with the same stacks, so the forced money is taken once, by `betting/round.py`, for each seat
the button can stand at; a hand then begins as a copy of that state.
"""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

from msgspec import Struct

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Round
from pitboss.fast.play.flop import FIRST_STREET
from pitboss.fast.play.game import FlopGame, check_game
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Order, Stakes, Structure, blinds
from pitboss.table.rotation import order_of_play

MOST_SEATS = 10
MOST_CHIPS = 10**15
DEFAULT_STACK, SMALL_BLIND, BIG_BLIND = 10_000, 50, 100


class RunSetup(Struct, frozen=True, kw_only=True):
    """A run's table: seats with their stacks, the game and its stakes, and where the button stands."""

    structure: Structure = NO_LIMIT_HOLDEM
    stakes: Stakes
    stacks: tuple[int, ...]  #: by seat
    button: int | None = None  #: a seat that keeps the button; None: it moves one seat a hand

    @property
    def seats(self) -> int:
        """How many are dealt in."""
        return len(self.stacks)

    @property
    def buttons(self) -> tuple[int, ...]:
        """The seats at which the button stands in turn; the first hand's comes first."""
        return tuple(range(self.seats)) if self.button is None else (self.button,)

    @property
    def chips(self) -> int:
        """How many chips are in every hand."""
        return sum(self.stacks) + self.stakes.dead

    def order(self, button: int) -> tuple[int, ...]:
        """The seats in the order of places: entry p is the seat of place p."""
        return order_of_play([True] * self.seats, button)

    @property
    def places(self) -> list[int]:
        """Those orders for all buttons, one after another."""
        return [seat for button in self.buttons for seat in self.order(button)]

    @property
    def steps(self) -> list[int]:
        """The least bet by street."""
        return [self.stakes.step(street) for street in self.structure.streets]

    @property
    def game(self) -> FlopGame:
        """The game as the loops read it."""
        return FlopGame.of(self.structure, self.stakes)

    @property
    def ranking(self) -> Order:
        """Which tables of strengths the showdown looks up."""
        return self.structure.showdown[0].order

    def opened(self, button: int) -> Round:
        """The first street's betting with the button at this seat."""
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
) -> RunSetup:
    """Settings checked as the plain rules check them, with blinds of 50 and 100 where no stakes are given."""
    seats = whole(seats, "seats")
    if not 2 <= seats <= MOST_SEATS:
        raise SetupError(f"compiled hands are for 2 to {MOST_SEATS} seats, not {seats}")
    by_seat = tuple(
        [whole(stack, "stacks") for stack in (stacks if isinstance(stacks, Iterable) else (stacks,) * seats)]
    )
    if len(by_seat) != seats:
        raise SetupError(f"{len(by_seat)} stacks for {seats} seats")
    button = None if button is None else whole(button, "button")
    if button is not None and not 0 <= button < seats:
        raise SetupError(f"the button cannot stand at seat {button}: seats are 0 to {seats - 1}")
    if stakes is None:
        stakes = Stakes(min_bet=BIG_BLIND, posts=blinds(seats, SMALL_BLIND, BIG_BLIND))
    check_game(structure, stakes)
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
    if max(sum(by_seat), *forced) > MOST_CHIPS:
        raise SetupError(f"compiled hands count up to {MOST_CHIPS} chips at a table, not {max(sum(by_seat), *forced)}")
    return RunSetup(structure=structure, stakes=stakes, stacks=by_seat, button=button)


def whole(number: Any, what: str) -> int:
    """A whole number as Python's own, whichever library's it is; True and 2.5 are none."""
    if isinstance(number, bool) or not hasattr(type(number), "__index__"):
        raise SetupError(f"{what}: {number!r} is no whole number")
    return index(number)
