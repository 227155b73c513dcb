"""The chairs of a table, and how the button, blinds and other forced bets move from hand to hand."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.table.stakes import TableStakes, apply_kill

State = Literal["plays", "waits", "pauses", "leaves"]
"""The wish of a player: to play, to wait for the big blind, to pause, or to leave for good."""


class TableError(PitbossError, ValueError):
    """An operation that is not possible at this table now.

    >>> from pitboss.table import Table, TableStakes
    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2), seat_count=6).sit("ann", 100).sit("bob", 100)
    >>> table.sit("ann", 100)
    Traceback (most recent call last):
    pitboss.table.TableError: player 'ann' is already at this table
    """


class Chair(Struct, frozen=True):
    """A taken seat: its player, the player's chips, wish and debt, and the forced bets of this hand.

    >>> from pitboss.table import Table, TableStakes
    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2), seat_count=6).sit("ann", 100).sit("bob", 100)
    >>> chair = table.chairs[0]
    >>> chair.seat, chair.who, chair.chips, chair.state
    (0, 'ann', 100, 'plays')
    """

    seat: int
    who: str
    chips: int  #: without debts in the pot; during a hand, the chips at its start
    state: State = "plays"
    owes: int = 0  #: missed blinds
    out: bool = True  #: whether the player is not in this hand, or will be folded at the next turn
    blind: int = 0  #: a blind or straddle; negative for a live post without the option to act last
    ante: int = 0
    played: bool = False  #: whether the player was in the last finished hand
    charged: int = 0  #: the part of `owes` for blinds missed in this hand


class RotationError(PitbossError, ValueError):
    """A table at which no hand can be dealt.

    >>> from pitboss import PitbossError
    >>> from pitboss.table import RotationError
    >>> issubclass(RotationError, PitbossError)
    True
    """


class Blinds(Struct, frozen=True):
    """The seats of the blinds. `small` is None for a hand without a small blind."""

    small: int | None
    big: int


def next_seat(seats: Sequence[int], after: int) -> int:
    """Return the first of these sorted seats that is clockwise after a seat.

    >>> next_seat([0, 2, 5], 2), next_seat([0, 2, 5], 5)
    (5, 0)
    """
    for seat in seats:
        if seat > after:
            return seat
    return seats[0]


def seats_from(seats: Sequence[int], button: int) -> tuple[int, ...]:
    """Return these sorted seats in clockwise order, starting at the button's left. Entry p is the seat of place p.

    >>> seats_from([0, 2, 3], button=2)
    (3, 0, 2)
    """
    first = seats.index(button) + 1
    return (*seats[first:], *seats[:first])


def speaks_first(order: Sequence[int], big: int) -> int:
    """Return the place that acts first if the player with the big blind is not in the hand.

    >>> speaks_first((0, 2, 3), big=1), speaks_first((2, 0), big=1)
    (1, 1)
    """
    return 1 if len(order) == 2 else order.index(next_seat(sorted(order), big))


def button_of(seats: Sequence[int], small: int | None, small_at: int | None, big: int | None) -> int | None:
    """Return the seat of the button that follows from the blinds, or None without blinds.

    `seats` are those in the hand. Heads-up, the button is the small blind, or the player without the big blind. With
    more players, it is the seat before the small blind's place.

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
    """Return the next seat clockwise whose player is in the hand.

    >>> next_button([True, False, True], 0)
    2
    """
    seats = [seat for seat, plays in enumerate(dealt_in) if plays]
    if not seats:
        raise RotationError("dealt_in: expected at least one player")
    return next_seat(seats, button)


def order_of_play(dealt_in: Sequence[bool], button: int) -> tuple[int, ...]:
    """Return the seats of the hand in clockwise order, starting at the button's left. Entry p is the seat of place p.

    Empty seats are skipped. A button on one passes to the next seat dealt in, so the last place has the button.

    >>> order_of_play([True, False, True, True], button=2)
    (3, 0, 2)
    """
    n = len(dealt_in)
    if not 0 <= button < n:
        raise RotationError(f"button: expected a seat from 0 to {n - 1}, got {button}")
    if sum(map(bool, dealt_in)) < 2:
        raise RotationError(f"dealt_in: expected at least two players, got {sum(map(bool, dealt_in))}")
    if not dealt_in[button]:
        button = next_button(dealt_in, button)
    return seats_from([seat for seat in range(n) if dealt_in[seat]], button)


class Moved(Struct):
    """The seats of the hand, the button and the blinds after they have moved."""

    dealt: list[int]  #: the seats in the hand, sorted
    button: int
    small: int | None
    small_at: int | None
    big: int
    missed: Mapping[int, int] = {}  #: the debt of each seat that missed blinds
    excused: int | None = None  #: a seat that waited for the big blind and now has it


def forced_bets(moved: Moved, stakes: TableStakes, killer: int | None = None) -> dict[int, int]:
    """Return the blind, straddle or kill of each seat. Straddles are left of the big blind, at seats without a blind.

    Straddles need at least `straddle_players` players. A kill replaces the player's blind and all
    straddles.
    """
    posts = {moved.big: stakes.big_blind}
    if moved.small is not None:
        posts[moved.small] = stakes.small_blind
    if killer is not None and stakes.kill is not None:
        return posts | {killer: apply_kill(stakes.least, stakes.kill)}
    seat = moved.big
    for straddle in stakes.straddles if len(moved.dealt) >= stakes.straddle_players else ():
        seat = next_seat(moved.dealt, seat)
        if seat in posts:
            break
        posts[seat] = straddle
    return posts


def move_button(chairs: Sequence[Chair], dealt: list[int], button: int | None, last: int | None = None) -> Moved | None:
    """Move the button to the next seat in the hand, and the blinds to its left. Heads-up, it is the small blind.

    `last` is the seat of the last big blind at a table with a dead button. The big blind then moves instead.
    """
    if len(dealt) < 2:
        return None
    if last is not None:
        return _move_dead_button(dealt, last)
    button = next_seat(dealt, max([chair.seat for chair in chairs]) if button is None else button)
    small = button if len(dealt) == 2 else next_seat(dealt, button)
    return Moved(dealt, button, small, small, next_seat(dealt, small))


def _move_dead_button(dealt: list[int], last: int) -> Moved:
    """Move the big blind to the next seat in the hand, and the small blind to the last seat of the big blind.

    At a seat that is not in the hand, the small blind is dead. Heads-up the button is the small blind, so it is never
    dead.
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
    """Move the big blind to the next seat that plays or waits for it, and the small blind to the big blind's last seat.

    `last` and `last_small` are the last seats of the blinds, and `size` is that of the big blind. `waited` tells
    whether the table was waiting. If a player of the last hand leaves and two players stay, the one who arrived first
    has the small blind (hand 9 of 004).
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
    """Return whether a seat is clockwise between two others. If the others are the same, it is not."""
    if start <= end:
        return start < seat < end
    return seat > start or seat < end
