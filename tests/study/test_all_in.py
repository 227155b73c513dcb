"""Expected results of players all-in before the last card: exact, adding up to the payments, with side pots."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest

from pitboss import DECK, STRUCTURES, Chance, Record, equity, evaluate, pots
from pitboss.study.marks import MarkedHand, count_parts, mark_hand

WHOLE = 10**12


def all_in(
    stacks: tuple[int, ...], holes: tuple[str, ...], board: str, calls: tuple[str, ...], **fields: object
) -> MarkedHand:
    """Return a hand with only the last player's blind, all-in before the flop, then the board and the showdown."""
    n = len(stacks)
    deals = [f"d dh p{place} {cards}" for place, cards in enumerate(holes, 1)]
    dealt = [f"d db {board[:6]}", f"d db {board[6:8]}", f"d db {board[8:]}"]
    shows = [f"p{place} sm {cards}" for place, cards in enumerate(holes, 1) if "?" not in cards]
    given = {
        "antes": (0,) * n,
        "blinds_or_straddles": (1, 2, *[0] * (n - 2)),
        "min_bet": 2,
        "starting_stacks": stacks,
        "actions": (*deals, *calls, *dealt, *shows),
    }
    return mark_hand(Record(**({"variant": "NT"} | given | fields)))  # type: ignore[arg-type]  # fields of many kinds


def test_each_side_pot_has_its_own_share() -> None:
    holes = ("AsAh", "KdKc", "QhQc")
    hand = all_in((20, 60, 100), holes, "2c7d9hKs3d", ("p3 cbr 100", "p1 cc", "p2 cc"))
    assert [marks.won for marks in hand.players] == [-20, 80, -60]
    main = equity(*holes, exact=True).equity
    side = equity(*holes[1:], dead=holes[0], exact=True).equity
    expected = [60 * main[0] - 20, 60 * main[1] + 80 * side[0] - 60, 60 * main[2] + 80 * side[1] - 60]
    assert [float(marks.adjusted) for marks in hand.players] == pytest.approx(expected, abs=1e-5)
    assert sum(marks.adjusted for marks in hand.players) == sum(marks.won for marks in hand.players) == 0
    assert [pot.amount for pot in pots([20, 60, 60], [False] * 3)] == [60, 80]


def test_the_turn_by_hand() -> None:
    """One card to come, with each card counted."""
    holes, board = ("Ah2h", "KsKd"), "Kh7h9c3s"
    left = [card for card in DECK if card not in ("Ah", "2h", "Ks", "Kd", "Kh", "7h", "9c", "3s")]
    wins = sum(evaluate(f"{holes[0]}{board}{card}") > evaluate(f"{holes[1]}{board}{card}") for card in left)
    assert count_parts("NT", holes, board, "")[0] == round(Fraction(wins, len(left)) * WHOLE)


def test_expected_results_are_after_rake() -> None:
    hand = all_in((50, 50), ("AsAh", "KdKc"), "2c7d9h4s3d", ("p2 cbr 50", "p1 cc"), finishing_stacks=(95, 0))
    share = Fraction(*equity("AsAh", "KdKc").equity[0].as_integer_ratio())
    assert [marks.won for marks in hand.players] == [45, -50]
    assert float(hand.players[0].adjusted) == pytest.approx(float(95 * share - 50), abs=1e-5)
    assert sum(marks.adjusted for marks in hand.players) == -5


@pytest.mark.parametrize("hidden", [0, 1])
def test_unknown_cards_leave_the_result_as_it_was(hidden: int) -> None:
    holes = ["AsAh", "KdKc"]
    holes[hidden] = "????"
    hand = all_in((50, 50), tuple(holes), "2c7d9h4s3d", ("p2 cbr 50", "p1 cc"))
    assert all(marks.adjusted == marks.won and not marks.all_in for marks in hand.players)


def test_folded_players_keep_their_result() -> None:
    holes = ("AsAh", "KdKc", "????")
    hand = all_in((50, 50, 50), holes, "2c7d9h4s3d", ("p3 cbr 6", "p1 cbr 50", "p2 cc", "p3 f"))
    assert (hand.players[2].won, hand.players[2].adjusted, hand.players[2].all_in) == (-6, -6, False)
    assert sum(marks.adjusted for marks in hand.players) == 0


def test_shares_do_not_depend_on_suits_or_the_order_of_players() -> None:
    chance = Chance(5)
    for _ in range(20):
        cards = chance.shuffled(DECK, 8)
        suits = dict(zip("cdhs", chance.shuffled("cdhs"), strict=True))
        renamed = [card[0] + suits[card[1]] for card in cards]
        results = []
        for dealt in (cards, renamed):
            holes = ("".join(dealt[:2]), "".join(dealt[2:4]))
            hand = all_in((50, 50), holes, "".join((*dealt[4:7], dealt[7], spare(dealt))), ("p2 cbr 50", "p1 cc"))
            results.append([marks.adjusted for marks in hand.players])
        assert results[0] == results[1]


def spare(dealt: list[str] | tuple[str, ...]) -> str:
    """Return a card that is not among those dealt."""
    return next(card for card in DECK if card not in dealt)


def test_parts_add_up_to_a_whole_pot() -> None:
    for hands in combinations(("AsAh", "KdKc", "QhQc", "7s6s"), 3):
        assert sum(count_parts("NT", hands, "2c7d9h", "")) == WHOLE
    assert Decimal(count_parts("NT", ("AsAh", "AcAd"), "", "")[0]) / WHOLE == Decimal("0.5")


@pytest.mark.parametrize("variant", ["PO", "PO/8", "NS"])
def test_other_games_with_an_incomplete_board(variant: str) -> None:
    holes = ("AsAh", "KdKc") if variant == "NS" else ("AsAhKsQh", "KdKc9d8c")
    board = "6c7d9hTs6d" if variant == "NS" else "2c7h9hTs3d"
    calls = ("p2 cbr 6", "p1 cc", f"d db {board[:6]}", "p1 cbr 12", "p2 cc")
    n = len(holes)
    actions = [f"d dh p{place} {cards}" for place, cards in enumerate(holes, 1)]
    actions += [*calls, f"d db {board[6:8]}", f"d db {board[8:]}"]
    actions += [f"p{place} sm {cards}" for place, cards in enumerate(holes, 1)]
    fields = {"antes": (0,) * n, "blinds_or_straddles": (1, 2), "min_bet": 2, "starting_stacks": (18, 18)}
    hand = mark_hand(Record(variant=variant, actions=tuple(actions), **fields))  # type: ignore[arg-type]  # of many kinds
    share = equity(*holes, structure=STRUCTURES[variant], board=board[:6], exact=True).equity[0]
    assert hand.players[0].all_in
    assert float(hand.players[0].adjusted) == pytest.approx(36 * share - 18, abs=1e-5)
    assert sum(marks.adjusted for marks in hand.players) == 0
