"""Button and order of play: which seats are dealt in, and which place each has in the hand."""

from collections.abc import Sequence


class RotationError(ValueError):
    """A table at which no hand can be dealt."""


def next_button(dealt_in: Sequence[bool], button: int) -> int:
    """The next seat clockwise that is dealt in.

    >>> next_button([True, False, True], 0)
    2
    """
    n = len(dealt_in)
    for k in range(1, n + 1):
        if dealt_in[(button + k) % n]:
            return (button + k) % n
    raise RotationError("nobody is dealt in")


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
    return tuple(seat for k in range(1, n + 1) if dealt_in[seat := (button + k) % n])
