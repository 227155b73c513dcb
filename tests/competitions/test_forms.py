"""Who meets whom: every pair as often as the form promises."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from pitboss.chance import Chance
from pitboss.competitions.forms import FormPlan, RoundPlan, RoundPlayed, circle, design, winner

Judge = Callable[[int, int], int]


def play(plan: FormPlan, judge: Judge) -> list[RoundPlayed]:
    """Play all rounds; `judge` returns the chips that the first of two entrants wins."""
    played: list[RoundPlayed] = []
    while (upcoming := plan.next_round(played)) is not None:
        chips = tuple([(won, -won) for won in [judge(*table) for table in upcoming.tables]])
        played.append(RoundPlayed(upcoming, chips))
    return played


def pairs_of(rounds: Sequence[RoundPlan]) -> Counter[frozenset[int]]:
    return Counter([frozenset(table) for round in rounds for table in round.tables])


def earlier_wins(one: int, other: int) -> int:
    return 100 if one < other else -100


@pytest.mark.parametrize("entrants", [2, 3, 4, 7, 10, 31])
def test_in_a_round_robin_every_pair_meets_once_and_nobody_plays_twice_in_a_round(entrants: int) -> None:
    rounds = circle(entrants)
    assert pairs_of(rounds) == Counter([frozenset(pair) for pair in combinations(range(entrants), 2)])
    for round in rounds:
        assert sorted([*round.byes, *[each for table in round.tables for each in table]]) == [*range(entrants)]


@pytest.mark.parametrize(("entrants", "seats"), [(3, 3), (4, 3), (6, 6), (7, 3), (9, 6), (10, 6), (12, 6)])
def test_at_tables_all_entrants_meet_equally_often_and_sit_next_to_each_other_equally_often(
    entrants: int, seats: int
) -> None:
    tables = design(entrants, seats)
    assert all(len(set(table)) == seats for table in tables)
    met = Counter([frozenset(pair) for table in tables for pair in combinations(table, 2)])
    assert len(met) == entrants * (entrants - 1) // 2
    assert len(set(met.values())) == 1
    beside = Counter(
        [(one, other) for table in tables for one, other in zip(table, (*table[1:], table[0]), strict=True)]
    )
    mean = len(tables) * seats / (entrants * (entrants - 1))
    assert all(
        abs(beside[one, other] - mean) <= 1 for one in range(entrants) for other in range(entrants) if one != other
    )


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13, 64])
def test_a_knock_out_ends_with_one_winner_and_its_byes_go_to_the_first_entrants(entrants: int) -> None:
    plan = FormPlan(form="knock_out", entrants=entrants)
    played = play(plan, earlier_wins)
    matches = [table for round in played for table in round.plan.tables]
    assert len(matches) == plan.matches == entrants - 1
    losers = [max(table) for table in matches]
    assert sorted(losers) == [*range(1, entrants)]  # everyone but the first loses once
    size = 1 << (entrants - 1).bit_length()
    assert played[0].plan.byes == () if size == entrants else sorted(played[0].plan.byes) == [*range(size - entrants)]
    assert all(not round.plan.byes for round in played[1:])
    assert {0, 1} == set(played[-1].plan.tables[0])


def test_a_drawn_knock_out_match_is_won_by_the_earlier_entrant() -> None:
    assert winner((3, 1), (0, 0)) == 1
    assert winner((3, 1), (5, -5)) == 3


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 7), (9, 9), (16, 5), (64, 7)])
def test_in_swiss_nobody_meets_twice_and_nobody_has_two_byes(entrants: int, rounds: int) -> None:
    chance = Chance(entrants)
    played = play(
        FormPlan(form="swiss", entrants=entrants, rounds=rounds),
        lambda one, other: 1 - chance.below(3) if rounds else 0,
    )
    assert len(played) == rounds
    again = [pair for pair, times in pairs_of([round.plan for round in played]).items() if times > 1]
    assert not again or rounds >= entrants - 1  # in the last possible rounds, a second meeting may be unavoidable
    byes = Counter([bye for round in played for bye in round.plan.byes])
    assert not byes or max(byes.values()) == 1


def test_swiss_pairs_entrants_with_equal_points() -> None:
    played = play(FormPlan(form="swiss", entrants=8, rounds=3), earlier_wins)
    assert played[1].plan.tables == ((0, 2), (4, 6), (1, 3), (5, 7))
    assert (0, 4) in played[2].plan.tables


def test_the_same_results_give_the_same_rounds() -> None:
    plan = FormPlan(form="swiss", entrants=20, rounds=6)
    assert play(plan, earlier_wins) == play(plan, earlier_wins)
