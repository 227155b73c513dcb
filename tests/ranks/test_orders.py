"""An order is one entry of a list: a toy low is added, played, evaluated and asked for equities, in plain Python."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pytest

from pitboss.betting.events import Call, Check
from pitboss.betting.refusals import SetupError
from pitboss.betting.rules import fixed_limit, no_limit
from pitboss.cards import DECK, RANKS, Card, read_cards
from pitboss.fast.equity.answers import EquityError
from pitboss.fast.equity.equity import equity, equity_of
from pitboss.fast.evaluate import evaluate
from pitboss.hand import showdown
from pitboss.hand.events import Won
from pitboss.hand.games import NO_LIMIT_HOLDEM, NO_LIMIT_OMAHA
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Ranking, Stakes, Street, Structure, blinds
from pitboss.ranks.layout import RankError
from pitboss.ranks.orders import ORDERS, HandOrder

WHOLE = 1000
DECK_NUMBERS = [number * 17 % len(DECK) for number in range(len(DECK))]


def fewest_pips(cards: Iterable[Card]) -> int:
    """Five cards with the fewest pips win; twos have none, aces twelve."""
    return WHOLE - sum(sorted([RANKS.index(card[0]) for card in cards])[:5])


def pips(strength: int) -> str:
    return f"{WHOLE - strength} pips"


FEWEST_PIPS = HandOrder(name="fewest_pips", rank=fewest_pips, name_of=pips)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ORDERS, "fewest_pips", FEWEST_PIPS)


def game(*orders: Ranking, like: Structure = NO_LIMIT_HOLDEM) -> Structure:
    """A flop game with other orders."""
    return Structure(name="toy", code="TOY", streets=like.streets, betting=like.betting, showdown=orders)


def won_by(structure: Structure, hole: str, board: str) -> list[tuple[int, int, str | None]]:
    """What two players win who only call, 20 each."""
    own, shared = read_cards(hole), read_cards(board)
    first, second = own[: len(own) // 2], own[len(own) // 2 :]
    dealt = [card for pair in zip(first, second, strict=True) for card in pair]
    left = [card for card in DECK if card not in (*own, *shared)]
    stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
    hand, _ = Hand.start(structure, stacks=(100, 100), stakes=stakes, deck=(*dealt, *shared, *left))
    assert hand.holes == (first, second)
    won: list[tuple[int, int, str | None]] = []
    while not hand.over:
        hand, events = hand.act(Call() if hand.offer.call is not None else Check())
        won += [(event.place, event.amount, event.order) for event in events if isinstance(event, Won)]
    assert hand.board == shared
    return won


def test_a_hand_is_played_to_its_showdown() -> None:
    toy = game(Ranking("fewest_pips"))
    assert won_by(toy, "AsAd2s3d", "4h5c9hTsKd") == [(1, 40, "fewest_pips")]
    assert showdown.rank_name(toy, showdown.strengths(toy, read_cards("2s3d"), read_cards("4h5c9hTsKd"))) == "13 pips"


def test_it_may_be_half_of_a_pot() -> None:
    split = game(Ranking("high"), Ranking("fewest_pips"))
    assert won_by(split, "AsAd2s3d", "4h5c9hTsKd") == [(0, 20, "high"), (1, 20, "fewest_pips")]


def test_a_holding_is_evaluated_alone_and_in_arrays() -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    toy = game(Ranking("fewest_pips"))
    assert evaluate("2s3d", game=toy, board="4h5c9hTsKd") == WHOLE - 13
    rows = numpy.array([[0, 4, 8, 12, 16, 20, 24], [51, 50, 49, 48, 47, 46, 45]])
    expected = [fewest_pips([DECK[number] for number in row]) for row in rows.tolist()]
    assert evaluate(rows, game=toy).tolist() == expected
    with pytest.raises(RankError, match="7 cards in toy are ranked in plain Python only"):
        evaluate(rows, game=toy, compiled=True)


def test_compiled_loop_supports_an_order_if_its_record_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    quick = replace(FEWEST_PIPS, name="compiled_pips", strength_bits=16, loop="tables", suits=False)
    monkeypatch.setitem(ORDERS, quick.name, quick)
    rows = numpy.array([DECK_NUMBERS[at : at + 7] for at in range(40)])
    found = evaluate(rows, game=game(Ranking(quick.name)), compiled=True)
    assert found.dtype == numpy.uint16
    assert found.tolist() == evaluate(rows, game=game(Ranking("fewest_pips"))).tolist()
    asked = ("AsAd", "2s3d")
    compiled = equity(*asked, structure=game(Ranking(quick.name)), board="4h5c9h")
    assert compiled.equity == equity(*asked, structure=game(Ranking("fewest_pips")), board="4h5c9h").equity


def test_equities_are_counted_as_a_loop_over_all_boards_counts_them() -> None:
    toy, board = game(Ranking("high"), Ranking("fewest_pips")), "4h5c9h"
    found = equity("AsAd", "2s3d", structure=toy, board=board)
    held = [read_cards("AsAd"), read_cards("2s3d")]
    lying = read_cards(board)
    shares, boards = [0.0, 0.0], 0
    for rest in combinations([card for card in DECK if card not in (*held[0], *held[1], *lying)], 2):
        made = [showdown.strengths(toy, hole, (*lying, *rest)) for hole in held]
        boards += 1
        for first, second in zip(*made, strict=True):
            for player, share in enumerate((first > second, second > first)):
                shares[player] += share / 2 + (first == second) / 4
    assert (found.exact, found.boards) == (True, boards)
    assert found.equity == pytest.approx([share / boards for share in shares], abs=1e-12)
    assert found.parts is not None
    assert set(found.parts) == {"high", "fewest_pips"}


def test_equities_are_sampled_where_counting_takes_long_and_of_a_hand_in_progress() -> None:
    toy = game(Ranking("fewest_pips"))
    sampled = equity("AsAd", "2s3d", structure=toy, samples=300, seed=1)
    assert not sampled.exact
    assert sampled.equity[1] > 0.9
    assert equity("random", "random", structure=toy, samples=100).boards == 100
    stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
    hand, _ = Hand.start(toy, stacks=(20, 20), stakes=stakes, deck=DECK)
    assert sum(equity_of(hand, samples=100).equity) == pytest.approx(1)


def test_two_hole_cards_may_have_to_play() -> None:
    toy = game(Ranking("fewest_pips", from_two=True), like=NO_LIMIT_OMAHA)
    found = equity("AsAdKsKd", "2s3d4s5d", structure=toy, board="2h3h4h9sTs")
    assert found.equity[1] == 1
    assert found.exact


def test_draw_games_have_equities_in_it() -> None:
    streets = (Street("DEAL", hole=5), Street("DRAW", draw=True))
    toy = Structure(name="toy", code="TOY", streets=streets, betting=fixed_limit(), showdown=(Ranking("fewest_pips"),))
    found = equity("2c3d4h7s", "8c6d5h3s2h", structure=toy)
    assert (found.exact, found.boards) == (True, 43)


def test_more_than_two_parts_of_a_pot_are_refused_in_a_sentence() -> None:
    parts = [Ranking(order) for order in ("high", "low", "fewest_pips")]
    toy = Structure(name="toy", code="TOY", streets=NO_LIMIT_HOLDEM.streets, betting=no_limit(), showdown=(*parts,))
    with pytest.raises(EquityError, match="equities of toy: expected pots split into at most 2 parts, got 3"):
        equity("AsAd", "2s3d", structure=toy)


def test_an_order_that_is_not_in_the_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(ORDERS, "fewest_pips")
    with pytest.raises(
        SetupError, match=r"order: expected 'high' or 'short' or 'low' .* or 'badugi' .*, got 'fewest_pips'"
    ):
        Ranking("fewest_pips")
    with pytest.raises(SetupError, match=r"got \['high'\]"):
        Ranking(["high"])  # type: ignore[arg-type]  # as JSON might have it
