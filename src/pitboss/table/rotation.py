"""The chairs of a table from hand to hand: who sits in them, and where the button, blinds and other forced bets go."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.table.stakes import TableStakes, killed

State = Literal["plays", "waits", "pauses", "leaves"]
"""What a player wants: to play, to wait for the big blind, to pause, to leave for good."""


class TableError(PitbossError, ValueError):
    """Something that this table cannot do now."""


class Chair(Struct, frozen=True):
    """A taken seat: who sits there with how many chips, and what he wants, owes and posts in the present hand."""

    seat: int
    who: str
    chips: int  #: without what lies in the pot; while a hand is under way, as it began
    state: State = "plays"
    owes: int = 0  #: missed blinds
    out: bool = True  #: not in the present hand, or folded as soon as he is asked
    blind: int = 0  #: a blind or straddle; less than 0: a live post by somebody who does not speak last for it
    ante: int = 0
    played: bool = False  #: whether the player was dealt in in the hand that has just ended
    charged: int = 0  #: the part of `owes` that was charged for the present hand


class RotationError(PitbossError, ValueError):
    """A table at which no hand can be dealt."""


class Blinds(Struct, frozen=True):
    """Who has the small blind (None: nobody) and who has the big one."""

    small: int | None
    big: int


def next_seat(seats: Sequence[int], after: int) -> int:
    """The next of these seats, given from the lowest on, clockwise after a seat; the seat itself comes last.

    >>> next_seat([0, 2, 5], 2), next_seat([0, 2, 5], 5)
    (5, 0)
    """
    for seat in seats:
        if seat > after:
            return seat
    return seats[0]


def seats_from(seats: Sequence[int], button: int) -> tuple[int, ...]:
    """These seats, given from the lowest on, clockwise from the button's left: entry p is the seat of place p.

    >>> seats_from([0, 2, 3], button=2)
    (3, 0, 2)
    """
    first = seats.index(button) + 1
    return (*seats[first:], *seats[:first])


def speaks_first(order: Sequence[int], big: int) -> int:
    """The place that speaks first where the big blind's seat is not dealt in: the next after it, heads-up the button.

    >>> speaks_first((0, 2, 3), big=1), speaks_first((2, 0), big=1)
    (1, 1)
    """
    return 1 if len(order) == 2 else order.index(next_seat(sorted(order), big))


def button_of(seats: Sequence[int], small: int | None, small_at: int | None, big: int | None) -> int | None:
    """The button that blinds imply among the seats dealt in, given from the lowest on; None where there are no blinds.

    Heads-up it is whoever has the small blind, or has not the big one; else the last before the small blind's place.

    >>> button_of([0, 2, 3], small=2, small_at=2, big=3), button_of([0, 3], small=0, small_at=0, big=3)
    (0, 0)
    """
    if big is None:
        return None
    if len(seats) == 2 and small in seats:
        return small
    if len(seats) == 2 and big in seats:
        return seats[0] if seats[1] == big else seats[1]
    place = big if small_at is None else small_at
    others = [seat for seat in seats if seat != place]
    before = [seat for seat in others if seat < place]
    return before[-1] if before else others[-1]


# --- the moving button


def next_button(dealt_in: Sequence[bool], button: int) -> int:
    """The next seat clockwise that is dealt in.

    >>> next_button([True, False, True], 0)
    2
    """
    seats = [seat for seat, plays in enumerate(dealt_in) if plays]
    if not seats:
        raise RotationError("nobody is dealt in")
    return next_seat(seats, button)


def order_of_play(dealt_in: Sequence[bool], button: int) -> tuple[int, ...]:
    """The seats that are dealt in, clockwise from the button's left: entry p is the seat of place p.

    Empty seats are skipped, and a button on one passes to the next seat dealt in: the last place has the button.

    >>> order_of_play([True, False, True, True], button=2)
    (3, 0, 2)
    """
    n = len(dealt_in)
    if not 0 <= button < n:
        raise RotationError(f"the button is on seat {button}, but seats are 0 to {n - 1}")
    if sum(map(bool, dealt_in)) < 2:
        raise RotationError(f"a hand needs at least two players, not {sum(map(bool, dealt_in))}")
    if not dealt_in[button]:
        button = next_button(dealt_in, button)
    return seats_from([seat for seat in range(n) if dealt_in[seat]], button)


class Moved(Struct):
    """Where everything is in the next hand."""

    dealt: list[int]  #: the seats dealt in, by number
    button: int
    small: int | None
    small_at: int | None
    big: int
    missed: Mapping[int, int] = {}  #: what blinds cost whom they missed
    excused: int | None = None  #: who waited for the big blind and has it


def forced_bets(moved: Moved, stakes: TableStakes, killer: int | None = None) -> dict[int, int]:
    """Blinds and straddles by seat: straddles left of the big blind, as far as there are players without a blind.

    Two alone play without straddles. A killer posts the kill in place of a blind, and nobody straddles.
    """
    posts = {moved.big: stakes.big_blind}
    if moved.small is not None:
        posts[moved.small] = stakes.small_blind
    if killer is not None and stakes.kill is not None:
        return posts | {killer: killed(stakes.least, stakes.kill)}
    seat = moved.big
    for straddle in stakes.straddles if len(moved.dealt) > 2 else ():
        seat = next_seat(moved.dealt, seat)
        if seat in posts:
            break
        posts[seat] = straddle
    return posts


def move_button(chairs: Sequence[Chair], dealt: list[int], button: int | None, last: int | None = None) -> Moved | None:
    """The button to the next seat dealt in, the blinds to its left; heads-up the button has the small one.

    Where the big blind's place in the hand before is given the button may be dead, and it is the big blind that moves.
    """
    if len(dealt) < 2:
        return None
    if last is not None:
        return _move_dead_button(dealt, last)
    button = next_seat(dealt, max([chair.seat for chair in chairs]) if button is None else button)
    small = button if len(dealt) == 2 else next_seat(dealt, button)
    return Moved(dealt, button, small, small, next_seat(dealt, small))


def _move_dead_button(dealt: list[int], last: int) -> Moved:
    """The big blind to the next seat dealt in, the small one to where it was, dead where nobody is dealt in there.

    Heads-up the button has the small blind, so that none is dead.
    """
    big = next_seat(dealt, last)
    if len(dealt) == 2:
        return _blinds_at(dealt, next_seat(dealt, big), big)
    small = last if last in dealt else None
    place = button_of(dealt, small, last, big)
    assert place is not None
    return Moved(dealt, place, small, last, big)


def move_big_blind(
    chairs: Sequence[Chair], dealt: list[int], last: int | None, last_small: int | None, size: int, *, waited: bool
) -> Moved | None:
    """Move the big blind to the next seat that is dealt in or waits for it, and the small blind to its old place.

    `last` and `last_small` are the places of the blinds in the previous hand, `size` is the big blind's, `waited` is
    true at a table that waits. If a player of the previous hand leaves and two players are left, the first of them in
    the order of arrival has the small blind (hand 9 of 004).
    """
    staying = [chair for chair in chairs if chair.state != "leaves"]
    gone = any(chair.played or waited for chair in chairs if chair.state == "leaves")
    if last is None:
        return _blinds_at(dealt, dealt[0], dealt[1]) if len(dealt) >= 2 else None
    if len(dealt) >= 2 and len(staying) == 2 and gone:
        return _blinds_at(dealt, staying[0].seat, staying[1].seat)
    waiting = [chair.seat for chair in staying if chair.state == "waits" and chair.chips]
    reachable = sorted([*dealt, *waiting])
    if not dealt:
        return None
    big, small_at = next_seat(reachable, last), last
    excused = None if big in dealt else big
    if excused is not None:
        dealt = sorted([*dealt, big])
    if len(dealt) < 2:
        return None
    missed: dict[int, int] = {}
    half = size // 2
    for chair in staying:
        if chair.state in ("waits", "pauses") and chair.chips and chair.seat != big:
            cost = 2 * half * _is_between(last, chair.seat, big)
            cost += half * (last_small is not None and _is_between(last_small, chair.seat, last))
            missed[chair.seat] = cost + half * (chair.seat == small_at)
    here = any(chair.seat == small_at for chair in staying)
    small = small_at if here and small_at != big else None
    button = button_of(dealt, small, small_at, big)
    assert button is not None
    return Moved(dealt, button, small, small_at, big, missed, excused)


def _blinds_at(dealt: list[int], small: int, big: int) -> Moved:
    button = button_of(dealt, small, small, big)
    assert button is not None
    return Moved(dealt, button, small, small, big)


def _is_between(start: int, seat: int, end: int) -> bool:
    """Whether a seat lies strictly between two, clockwise; between a seat and itself lies nothing."""
    if start <= end:
        return start < seat < end
    return seat > start or seat < end
