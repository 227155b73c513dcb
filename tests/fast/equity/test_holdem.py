"""Deals for hold'em equities: every deal is listed, equivalent ones once, and each is drawn in proportion."""

from collections import Counter
from itertools import accumulate, product
from math import prod

import pytest

from pitboss.cards import read_written_cards
from pitboss.chance import fork
from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity import holdem_loops
from pitboss.fast.equity.forms import plain_form
from pitboss.fast.equity.holdem import Holdem
from pitboss.fast.equity.holdem_loops import Listed
from pitboss.fast.equity.ranges import as_range
from pitboss.fast.equity.spot import DealGroup, read_spot
from pitboss.hand.games import NO_LIMIT_HOLDEM
from tests.support.fast.equities import forced
from tests.support.for_each import for_each

BOTH = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


def spot(*players: str, board: str = "") -> Holdem:
    """Return the loops' input for these players."""
    return Holdem(read_spot(players, board, "", NO_LIMIT_HOLDEM))


def listed(question: Holdem, compiled: bool) -> list[DealGroup]:
    with forced(compiled):
        groups = question.groups(10_000_000)
    assert groups is not None
    return groups


def all_deals(players: tuple[str, ...], gone: str) -> list[tuple[int, ...]]:
    """Return every deal, by trying them all."""
    found = []
    for hands in product(*[as_range(player) for player in players]):
        cards = read_written_cards("".join(hands) + gone)
        if len(set(cards)) == len(cards):
            found.append(card_numbers("".join(hands)))
    return found


@BOTH
@pytest.mark.parametrize(
    ("players", "board"),
    [
        (("AA", "AK"), ""),
        (("QQ+, AKs", "AKs, 76s"), "8h5c2c"),
        (("AA", "KK, AhKh"), "8h5h2h"),
        (("AA", "AKs", "KK"), "2c2d2h"),
    ],
)
def test_deals_that_differ_only_by_suits_are_listed_once(players: tuple[str, ...], board: str, compiled: bool) -> None:
    question = spot(*players, board=board)
    [group] = listed(question, compiled)
    deals = all_deals(players, board)
    assert group.total == int(sum(group.times)) == len(deals)
    expected = Counter(_pattern(deal, board) for deal in deals)
    found: Counter[object] = Counter()
    for deal, times in zip(group.deals, group.times, strict=True):
        asked = [int(deal[2 * question.order.index(p // 2) + p % 2]) for p in range(2 * len(players))]
        found[_pattern(tuple(asked), board)] += int(times)
    assert found == expected
    assert len(group.deals) == len(expected)


def _pattern(deal: tuple[int, ...], board: str) -> object:
    """Each player's cards of each suit, with the suits in no order; a suit is identified by the board's cards of it."""
    lying = card_numbers(board)
    suits = []
    for suit in range(4):
        own = tuple([tuple(sorted(c // 4 for c in deal[p : p + 2] if c % 4 == suit)) for p in range(0, len(deal), 2)])
        suits.append((tuple(sorted(c // 4 for c in lying if c % 4 == suit)), own))
    return tuple(sorted(suits))


def test_two_players_have_47008_different_preflop_deals() -> None:
    """A number known from elsewhere: matchups of two hands that differ by more than their suits and their order."""
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    [group] = listed(spot("random", "random"), compiled=True)
    assert group.total == 1326 * 1225
    assert len({tuple(deal) for deal in group.deals.tolist()}) == len(group.deals)
    mirrored = [deal for deal in group.deals.tolist() if [c // 4 for c in deal[:2]] == [c // 4 for c in deal[2:]]]
    alike = [deal for deal in mirrored if _pattern(tuple(deal), "") == _pattern((*deal[2:], *deal[:2]), "")]
    assert (len(group.deals) + len(alike)) / 2 == 47_008


@BOTH
def test_deals_are_grouped_by_weight(compiled: bool) -> None:
    groups = listed(spot("AA, KK:0.5", "QQ:0.25, JJ:0.75"), compiled)
    assert {group.weight: group.total for group in groups} == pytest.approx({0.25: 36, 0.125: 36, 0.75: 36, 0.375: 36})


def test_too_many_deals_are_not_listed() -> None:
    with forced(compiled=False):
        assert spot("random", "random").groups(1000) is None


@for_each("from_list", [True, False])
@for_each(
    "players, board",
    [
        (("AhAd, 7c2c", "AA"), "2d8h9s"),
        (("AA", "AK", "KK"), "Ah8h9s"),
        (("AhAd, AhAs:0.5", "AA, KsKh:0.25"), "2d8h9s"),
        (("AcKc", "random"), "2d8h9s"),
        (("AcKc", "A2+, 22+"), "2d8h9s"),
    ],
    ids=str,
)
def test_deals_are_drawn_in_proportion_to_their_weights(players: tuple[str, ...], board: str, from_list: bool) -> None:
    made, question = plain_form(), spot(*players, board=board)
    ranges, space, n = question.ranges(made), made.dealing_space(card_numbers(board)), len(players)
    weights = _weights(question)
    rows, total = list(weights), sum(weights.values())
    bounds = list(accumulate([int(16 * weight) for weight in weights.values()]))
    state, drawn, count = fork(1, 1), Counter[tuple[int, ...]](), 10_000
    for _ in range(count):
        if from_list:
            state = holdem_loops.draw_deal(Listed(rows, bounds), n, state, space)
        else:
            state = holdem_loops.draw_hands(ranges, n, state, space)
        hands = [tuple(sorted(space.hands[2 * p : 2 * p + 2])) for p in range(n)]
        drawn[tuple([card for hand in hands for card in hand])] += 1
    assert set(drawn) <= set(weights)
    squares = sum([(drawn[deal] - count * w / total) ** 2 / (count * w / total) for deal, w in weights.items()])
    free = len(weights) - 1
    assert squares < free + 5 * (2 * free) ** 0.5 + 12  # chi-squared, five standard deviations


def _weights(question: Holdem) -> dict[tuple[int, ...], float]:
    """Every deal, each hand's lower card first, and how often it comes."""
    found = {}
    for hands in product(*[held.items() for held in question.hands]):
        pairs = [sorted(card_numbers(hand)) for hand, _ in hands]
        cards = tuple([card for pair in pairs for card in pair])
        if len(set(cards)) == len(cards):
            found[cards] = float(prod([weight for _, weight in hands]))
    return found
