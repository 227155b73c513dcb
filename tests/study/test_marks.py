"""Names of positions."""

from pitboss import NO_LIMIT_HOLDEM, SEVEN_CARD_STUD, SHORT_DECK_HOLDEM, Hand, Post, Stakes, blinds
from pitboss.study.marks import POSITIONS, name_positions
from tests.support.for_each import for_each


@for_each(
    "players, names",
    [
        (2, "BB BTN"),
        (3, "SB BB BTN"),
        (4, "SB BB CO BTN"),
        (5, "SB BB HJ CO BTN"),
        (6, "SB BB UTG HJ CO BTN"),
        (7, "SB BB UTG LJ HJ CO BTN"),
        (9, "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN"),
        (10, "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN"),
    ],
)
def test_positions_by_the_number_of_players(players: int, names: str) -> None:
    stakes = Stakes(min_bet=2, posts=blinds(players, 1, 2))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100,) * players, stakes=stakes)
    assert name_positions(hand) == tuple(names.split())
    assert set(names.split()) <= set(POSITIONS)


def test_straddle_late_post_and_a_missing_small_blind() -> None:
    posts = (Post(0, 2, option=True), Post(1, 4, option=True), Post(3, 2))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100,) * 5, stakes=Stakes(min_bet=2, posts=posts))
    assert name_positions(hand) == ("BB", "UTG", "HJ", "CO", "BTN")


def test_a_blind_of_the_button_leaves_it_the_button() -> None:
    stakes = Stakes(min_bet=2, antes=(2,) * 4, posts=(Post(3, 2, option=True),))
    hand, _ = Hand.start(SHORT_DECK_HOLDEM, stacks=(100,) * 4, stakes=stakes)
    assert name_positions(hand) == ("UTG", "HJ", "CO", "BTN")


def test_stud_has_no_positions() -> None:
    hand, _ = Hand.start(SEVEN_CARD_STUD, stacks=(100,) * 3, stakes=Stakes(min_bet=4, antes=(1,) * 3, bring_in=2))
    assert name_positions(hand) == (None, None, None)
