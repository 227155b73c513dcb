"""Seats clockwise: which comes next, in which order they play, and which button goes with given blinds.

Three ways to move. At a table of comers and goers the big blind moves to the next seat dealt in and the small blind
follows it, so that nobody pays a blind twice running or escapes one. In a match the button moves to the next seat dealt
in, and the blinds sit left of it; or, with a dead button, the big blind moves as at such a table, and where the small
blind follows it to a seat that is out nobody posts it.
"""

from collections.abc import Sequence

from msgspec import Struct

from pitboss.errors import PitbossError


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
