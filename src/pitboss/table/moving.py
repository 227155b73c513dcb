"""Where button and blinds go from one hand to the next, whom they miss, and who posts what."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pitboss.table.chairs import Chair
from pitboss.table.levels import TableStakes, killed
from pitboss.table.rotation import button_of, next_seat


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
    chairs: Sequence[Chair], dealt: list[int], last: int | None, last_small: int | None, size: int
) -> Moved | None:
    """The big blind to the next seat dealt in, or to one who waits for it; the small blind to where it was.

    `last` and `last_small` are the blinds' places in the hand before, `size` is the big blind's. Where somebody leaves
    who was in that hand and two are left, the first to have come has the small blind.
    """
    staying = [chair for chair in chairs if chair.state != "leaves"]
    gone = any(chair.played for chair in chairs if chair.state == "leaves")
    if len(dealt) >= 2 and len(staying) == 2 and gone:
        return _blinds_at(dealt, staying[0].seat, staying[1].seat)
    if last is None:
        return _blinds_at(dealt, dealt[0], dealt[1]) if len(dealt) >= 2 else None
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
