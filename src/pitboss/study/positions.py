"""What players call the places of a hand: BTN, CO, HJ, LJ, UTG, SB, BB."""

from pitboss.hand.hand import Hand

LATE = ("BTN", "CO", "HJ", "LJ")
"""From the button backwards."""
POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "UTG+6", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""In the order in which they speak before the flop."""


def name_positions(hand: Hand) -> tuple[str | None, ...]:
    """The names of all places; None where there is no button, as in stud.

    The last place is called the button also where the button lies before an empty seat.

    >>> from pitboss import NO_LIMIT_HOLDEM, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(6, 1, 2))
    >>> name_positions(Hand.start(NO_LIMIT_HOLDEM, stacks=(99,) * 6, stakes=stakes)[0])
    ('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
    """
    n = len(hand.stacks)
    if hand.structure.betting.bring_in:
        return (None,) * n
    if n == 2:
        return "BB", "BTN"
    small = big = None
    for post in hand.stakes.posts:
        if post.live and post.option and post.place != n - 1:
            if post.amount < hand.stakes.min_bet:
                small = post.place if small is None else small
            elif big is None:
                big = post.place
    others = [place for place in range(n) if place not in (small, big)]
    names = dict(zip(others, _names(len(others)), strict=True))
    return tuple(["SB" if place == small else "BB" if place == big else names[place] for place in range(n)])


def _names(count: int) -> list[str]:
    """The names of so many places without a blind, the first to speak first."""
    late = list(LATE[: count if count < len(LATE) else min(count - 1, len(LATE))][::-1])
    early = [f"UTG+{number}" if number else "UTG" for number in range(count - len(late))]
    return early + late
