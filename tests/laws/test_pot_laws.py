"""Laws of main and side pots, as a pure function of what each player paid."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting.pots import Pot, pots, share
from tests.support.laws.laws import check_claims

CHIPS = st.integers(0, 60)  # few different amounts, so that layers meet
PLAYERS = st.lists(st.tuples(CHIPS, st.booleans()), min_size=2, max_size=10).filter(
    lambda players: not all(folded for _, folded in players)
)
Players = list[tuple[int, bool]]


def cut(players: Players, dead: int = 0) -> tuple[Pot, ...]:
    """Return the pots of players, each given as the amount paid and whether they folded."""
    return pots([paid for paid, _ in players], [folded for _, folded in players], dead)


def living(players: Players) -> list[int]:
    """The places that have not folded."""
    return [p for p, (_, folded) in enumerate(players) if not folded]


def claimed(found: tuple[Pot, ...], place: int) -> int:
    """How much a place can win."""
    return sum(pot.amount for pot in found if place in pot.places)


@given(PLAYERS, CHIPS)
def test_pots_are_all_that_was_paid(players: Players, dead: int) -> None:
    assert sum(pot.amount for pot in cut(players, dead)) == sum(paid for paid, _ in players) + dead


@given(PLAYERS, CHIPS)
def test_every_pot_has_chips_and_live_claimants(players: Players, dead: int) -> None:
    check_claims(cut(players, dead), living(players))


@given(PLAYERS, CHIPS)
def test_players_claim_as_much_of_each_pot_as_they_paid(players: Players, dead: int) -> None:
    found, live = cut(players, dead), living(players)
    everything = sum(paid for paid, _ in players) + dead
    most = max(players[p][0] for p in live)
    for p in live:
        mine = players[p][0]
        matched = dead + sum(min(paid, mine) for paid, _ in players)
        assert claimed(found, p) == (everything if mine == most else matched)


@given(PLAYERS, CHIPS, st.integers(1, 60))
def test_players_who_pay_more_claim_no_less(players: Players, dead: int, more: int) -> None:
    p = living(players)[0]
    richer = [*players[:p], (players[p][0] + more, False), *players[p + 1 :]]
    assert claimed(cut(richer, dead), p) >= claimed(cut(players, dead), p) + more


@given(PLAYERS, CHIPS)
def test_fold_costs_no_other_player(players: Players, dead: int) -> None:
    out, *rest = living(players)
    thinner = [*players[:out], (players[out][0], True), *players[out + 1 :]]
    for p in rest:
        assert claimed(cut(thinner, dead), p) >= claimed(cut(players, dead), p)


@given(PLAYERS, CHIPS, st.integers(2, 7))
def test_size_of_chips_does_not_matter(players: Players, dead: int, times: int) -> None:
    larger = cut([(paid * times, folded) for paid, folded in players], dead * times)
    assert larger == tuple(Pot(pot.amount * times, pot.places) for pot in cut(players, dead))


@given(PLAYERS, CHIPS, st.data())
def test_player_who_can_still_bet_claims_every_pot(players: Players, dead: int, data: st.DataObject) -> None:
    betting = data.draw(st.lists(st.sampled_from(living(players)), unique=True))
    paid, folded = [paid for paid, _ in players], [folded for _, folded in players]
    found = pots(paid, folded, dead, betting)
    check_claims(found, living(players))
    assert sum(pot.amount for pot in found) == sum(paid) + dead
    assert {claimed(found, p) for p in betting} <= {sum(paid) + dead}


@given(PLAYERS, st.lists(st.integers(1, 60), min_size=1, max_size=4))
def test_layer_whose_payers_all_folded_has_a_claimant(players: Players, beyond: list[int]) -> None:
    """The chips above every live payment go only to the live players who have paid most."""
    live = living(players)
    most = max(players[p][0] for p in live)
    orphans = [(most + more, True) for more in beyond]
    found = cut(players + orphans)
    top = tuple(p for p in live if players[p][0] == most)
    assert found[-1].places == top
    assert sum(pot.amount for pot in found) == sum(paid for paid, _ in players + orphans)


def test_layer_whose_payers_all_folded_joins_the_one_below() -> None:
    assert pots([10, 10, 50, 50], [False, False, True, True]) == (Pot(120, (0, 1)),)
    assert pots([10, 30, 50, 50], [False, False, True, True]) == (Pot(40, (0, 1)), Pot(100, (1,)))


def test_player_who_paid_nothing_wins_if_all_others_fold() -> None:
    assert pots([0, 10], [False, True]) == (Pot(10, (0,)),)


@given(st.integers(0, 10_000), st.integers(1, 10))
def test_shares_sum_to_the_pot_and_odd_chips_are_single(amount: int, winners: int) -> None:
    shares = share(amount, range(winners))
    assert sum(shares) == amount
    assert len(shares) == winners
    assert shares[0] - shares[-1] <= 1
    assert all(earlier >= later for earlier, later in pairwise(shares))
