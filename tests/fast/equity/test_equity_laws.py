"""Laws of equities: shares add up, and neither the order of the players nor the names of the suits matter."""

from fractions import Fraction
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.cards import DECK, SUITS
from pitboss.fast.equity.equity import Equity
from pitboss.fast.equity.ranges import HAND_CLASSES, RangeError
from tests.support.fast.equities import ask

DEALS = st.tuples(st.permutations(DECK), st.integers(2, 4), st.integers(3, 5))
RENAMED = st.sampled_from(list(permutations(SUITS)))


def split(deal: tuple[list[str], int, int]) -> tuple[list[str], str]:
    """Draw hands for some players and a board of some cards."""
    cards, players, board = deal
    return [cards[2 * p] + cards[2 * p + 1] for p in range(players)], "".join(cards[20 : 20 + board])


def renamed(cards: str, suits: tuple[str, ...]) -> str:
    """Return the same cards in other suits."""
    return cards.translate(str.maketrans(SUITS, "".join(suits)))


def add_up(answer: Equity) -> None:
    """Every pot is won once; a player wins it alone, shares it, or loses."""
    assert abs(sum(answer.equity) - 1) < 1e-12
    for share, won, tied in zip(answer.equity, answer.win, answer.tie, strict=True):
        assert 0 <= won <= share <= won + tied <= 1
        assert won + tied / len(answer.equity) - 1e-12 <= share <= won + tied / 2 + 1e-12
    alone = sum([Fraction(won).limit_denominator(10**9) for won in answer.win])
    assert alone <= 1


@given(DEALS)
def test_shares_add_up_and_follow_the_order_of_players(deal: tuple[list[str], int, int]) -> None:
    hands, board = split(deal)
    answer = ask(*hands, board=board, compiled=False)
    add_up(answer)
    turned = ask(*reversed(hands), board=board, compiled=False)
    assert turned.equity == answer.equity[::-1]
    assert turned.win == answer.win[::-1]
    assert turned.tie == answer.tie[::-1]


@given(DEALS, RENAMED)
def test_suits_do_not_matter(deal: tuple[list[str], int, int], suits: tuple[str, ...]) -> None:
    hands, board = split(deal)
    answer = ask(*hands, board=board, compiled=False)
    other = ask(*[renamed(hand, suits) for hand in hands], board=renamed(board, suits), compiled=False)
    assert (other.equity, other.win, other.tie) == (answer.equity, answer.win, answer.tie)


@given(DEALS)
def test_plain_and_compiled_agree(deal: tuple[list[str], int, int]) -> None:
    hands, board = split(deal)
    plain, compiled = [ask(*hands, board=board, compiled=form) for form in (False, True)]
    assert (plain.equity, plain.win, plain.tie, plain.boards) == (
        compiled.equity,
        compiled.win,
        compiled.tie,
        compiled.boards,
    )


@settings(max_examples=25)
@given(st.lists(st.sampled_from(HAND_CLASSES), min_size=2, max_size=2), st.permutations(DECK), RENAMED)
def test_ranges_follow_the_same_laws(names: list[str], cards: list[str], suits: tuple[str, ...]) -> None:
    board = "".join(cards[:4])
    try:
        answer = ask(*names, board=board, compiled=False)
    except RangeError:  # the board has too many of the range's cards
        return
    add_up(answer)
    assert ask(*reversed(names), board=board, compiled=False).equity == answer.equity[::-1]
    assert ask(*names, board=renamed(board, suits), compiled=False).equity == answer.equity
