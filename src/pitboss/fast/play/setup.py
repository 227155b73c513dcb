"""What a run of hands needs before its first card: checked settings, and the state after the forced money.

Every hand of a run starts with the same stacks, so the forced money is taken once, by `betting/round.py`, for each seat
the button can stand at; a hand then begins as a copy of that state.
"""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, NamedTuple

from msgspec import Struct

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Round
from pitboss.betting.rules import Opposition, Rules
from pitboss.cards import DECK
from pitboss.fast.play.holdem import PRE_FLOP, SEEN, UNSEEN
from pitboss.fast.records import record
from pitboss.hand.hand import Hand
from pitboss.hand.structure import NO_LIMIT_HOLDEM, Stakes, Structure, blinds
from pitboss.table.rotation import order_of_play

MOST_SEATS = 10
MOST_CHIPS = 10**15
DEFAULT_STACK, SMALL_BLIND, BIG_BLIND = 10_000, 50, 100

NUMBERS = ("n", "price", "level", "step", "raises", "pot", "opener", "holder", "turn", "street")
ROWS = ("stacks", "bets", "paid")
FLAGS = ("folded", "acted")


class Setup(Struct, frozen=True, kw_only=True):
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


def setup(
    seats: int,
    stacks: int | Sequence[int] = DEFAULT_STACK,
    stakes: Stakes | None = None,
    structure: Structure = NO_LIMIT_HOLDEM,
    button: int | None = None,
) -> Setup:
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
    _check_structure(structure)
    if stakes.rake is not None:
        raise SetupError("compiled hands are played without a rake")
    Hand.start(structure, stacks=by_seat, stakes=stakes, deck=DECK)  # refuses what the plain rules refuse
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
    return Setup(structure=structure, stakes=stakes, stacks=by_seat, button=button)


def whole(number: Any, what: str) -> int:
    """A whole number as Python's own, whichever library's it is; True and 2.5 are none."""
    if isinstance(number, bool) or not hasattr(type(number), "__index__"):
        raise SetupError(f"{what}: {number!r} is no whole number")
    return index(number)


def _check_structure(structure: Structure) -> None:
    """Refuse games whose dealing, showdown or betting the compiled loops do not know."""
    like, rules = NO_LIMIT_HOLDEM, structure.betting
    if (structure.deck, structure.streets, structure.showdown) != (like.deck, like.streets, like.showdown):
        raise SetupError(f"compiled hands are hold'em with the whole deck, not {structure.name}")
    if not rules.matching or rules.opposition != Opposition.ABLE or rules.only_short_all_in:
        raise SetupError("compiled hands are poker: bets are matched, and nobody is asked whom no one can answer")


class Tables(NamedTuple):
    """A setup as the compiled loops read it; the same names hold plain lists and packed arrays."""

    rules: Any  # one record of settings
    templates: Any  # the state after the forced money, for each button
    seats: Any  # seats by place, one button's after another's
    stacks: Any  # by seat, what winnings are counted from


class State:
    """One hand's numbers, as `betting/numbers.py` explains them, and its street."""

    __slots__ = NUMBERS + ROWS + FLAGS

    def __init__(self) -> None:
        for name in NUMBERS:
            setattr(self, name, 0)
        for name in ROWS + FLAGS:
            setattr(self, name, [0] * MOST_SEATS)


class View:
    """The cards one place sees."""

    __slots__ = ("cards",)

    def __init__(self) -> None:
        self.cards = [UNSEEN] * SEEN


class Desk:
    """What only the dealer sees, as `holdem.py` explains it."""

    __slots__ = ("deck", "steps", "strengths")

    def __init__(self, setup: Setup) -> None:
        self.deck, self.steps, self.strengths = [0] * len(DECK), _steps(setup), [0] * MOST_SEATS


def plain_tables(setup: Setup) -> Tables:
    """Lists and plain objects."""
    templates = [State() for _ in setup.buttons]
    for template, button in zip(templates, setup.buttons, strict=True):
        _fill(template, _opened(setup, button))
    return Tables([setup.structure.betting], templates, _seats(setup), setup.stacks)


def packed_tables(setup: Setup) -> Tables:
    """Arrays of records."""
    import numpy as np

    rules = np.zeros(1, record([(name, np.int64) for name in Rules.__struct_fields__]))
    for name in Rules.__struct_fields__:
        rules[0][name] = int(getattr(setup.structure.betting, name))
    templates = packed_states(len(setup.buttons))
    for template, button in zip(templates, setup.buttons, strict=True):
        _fill(template, _opened(setup, button))
    return Tables(rules, templates, np.array(_seats(setup), np.int64), np.array(setup.stacks, np.int64))


def packed_states(count: int) -> Any:
    """An array of so many states, to whole cache lines."""
    import numpy as np

    fields: list[tuple[Any, ...]] = [(name, np.int64) for name in NUMBERS]
    fields += [(name, np.int64, MOST_SEATS) for name in ROWS] + [(name, np.uint8, MOST_SEATS) for name in FLAGS]
    line = 64
    spare = -np.dtype(fields, align=True).itemsize % line
    return np.zeros(count, record([*fields, ("spare", np.uint8, spare)] if spare else fields))


def packed_desks(count: int, setup: Setup) -> Any:
    """An array of so many desks."""
    import numpy as np

    steps = _steps(setup)
    fields = [("steps", np.int64, len(steps)), ("strengths", np.int64, MOST_SEATS), ("deck", np.uint8, len(DECK))]
    desks = np.zeros(count, record(fields))
    desks["steps"] = steps
    return desks


def packed_views(count: int) -> Any:
    """An array of what so many places see."""
    import numpy as np

    return np.zeros(count, record([("cards", np.uint8, SEEN)]))


def _opened(setup: Setup, button: int) -> Round:
    """The first street's betting with the button at this seat."""
    stakes = setup.stakes
    round, _ = Round.start(
        setup.structure.betting,
        stacks=[setup.stacks[seat] for seat in setup.order(button)],
        step=_steps(setup)[PRE_FLOP],
        opener=stakes.opener,
        price=stakes.price,
        posts=stakes.posts,
        antes=stakes.antes,
        equal_antes=stakes.equal_antes,
        dead=stakes.dead,
    )
    return round


def _fill(state: Any, round: Round) -> None:
    for name in NUMBERS:
        setattr(state, name, PRE_FLOP if name == "street" else getattr(round, name))
    for name in ROWS + FLAGS:
        row = getattr(state, name)
        for place, number in enumerate(getattr(round, name)):
            row[place] = number


def _seats(setup: Setup) -> list[int]:
    return [seat for button in setup.buttons for seat in setup.order(button)]


def _steps(setup: Setup) -> list[int]:
    return [setup.stakes.step(street) for street in setup.structure.streets]
