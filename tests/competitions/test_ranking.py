"""Standings: the right order, ties where results cannot be told apart, and honest counts of further hands."""

import math
from itertools import combinations

import numpy as np
import pytest

from pitboss.competitions.ranking import Meeting, MeetingSummary, RankBy, Rates, rank

SPREAD = 600.0  # bb/100 of one block of two hands


def round_robin(skills: dict[str, float], *, blocks: int, seed: int) -> list[Meeting]:
    """Return the meetings of a heads-up round robin with these true rates against an average opponent."""
    chance = np.random.default_rng(seed)
    meetings = []
    for a, b in combinations(skills, 2):
        drawn = chance.standard_t(4, blocks) / math.sqrt(2) * SPREAD + skills[a] - skills[b]
        meetings.append(Meeting((a, b), tuple([(x, -x) for x in drawn.tolist()]), 2 * blocks))
    return meetings


def of_three(ab: float, bc: float, ca: float, blocks: int = 50) -> list[Meeting]:
    """Return three matches with these rates of the first name, and a small spread."""
    pairs = (("a", "b", ab), ("b", "c", bc), ("c", "a", ca))
    return [
        Meeting((x, y), tuple([(rate + k % 2, -rate - k % 2) for k in range(blocks)]), blocks) for x, y, rate in pairs
    ]


@pytest.mark.parametrize("by", ["bb_per_100", "wins", "runoff"])
def test_clear_results_give_clear_places(by: RankBy) -> None:
    skills = {"weak": -300.0, "strong": 300.0, "middle": 0.0, "good": 150.0}
    standings = rank([*skills], round_robin(skills, blocks=4000, seed=1), by)
    assert [each.name for each in standings] == ["strong", "good", "middle", "weak"]
    assert [each.place for each in standings] == [1, 2, 3, 4]
    assert all(each.tied_with == () and each.further_hands == 0 for each in standings)


def test_equal_bots_are_one_tie_in_at_least_95_percent_of_competitions() -> None:
    """Two hundred competitions: 179 ties or fewer would happen less than once in a million times."""
    names = [f"bot{number}" for number in range(8)]
    whole = 0
    for seed in range(200):
        standings = rank(names, round_robin(dict.fromkeys(names, 0.0), blocks=40, seed=seed))
        whole += all(len(each.tied_with) == len(names) - 1 for each in standings)
    assert whole > 178, whole


@pytest.mark.parametrize("by", ["wins", "runoff"])
def test_equal_bots_are_tied_by_wins_and_run_off(by: RankBy) -> None:
    names = [f"bot{number}" for number in range(6)]
    whole = 0
    for seed in range(60):
        standings = rank(names, round_robin(dict.fromkeys(names, 0.0), blocks=40, seed=seed), by)
        whole += all(each.tied_with for each in standings)
    assert whole > 44, whole


def test_the_further_hands_decide_a_tie_with_the_same_mean_and_spread() -> None:
    skills = {"a": 40.0, "b": 0.0}
    first, second = rank([*skills], round_robin(skills, blocks=500, seed=3))
    assert (first.tied_with, second.tied_with) == (("b",), ("a",))
    assert first.further_hands is not None
    assert first.further_hands == second.further_hands
    times = math.ceil((1000 + first.further_hands) / 1000)
    [meeting] = round_robin(skills, blocks=500, seed=3)
    assert rank([*skills], [Meeting(meeting.names, meeting.blocks * times, times * 1000)])[0].tied_with == ()


def test_the_interval_of_a_rate_covers_the_truth() -> None:
    skills = {"a": 100.0, "b": 0.0, "c": -100.0}
    covered = 0
    for seed in range(400):
        rates = Rates([MeetingSummary(each) for each in round_robin(skills, blocks=60, seed=seed)])
        rate = rates.rate("a")
        covered += rate.low <= 150.0 <= rate.high
    assert 0.90 <= covered / 400 <= 0.99, covered


def test_the_difference_of_two_entrants_counts_their_own_match_twice() -> None:
    """Against a brute-force simulation of the whole competition."""
    skills = {"a": 0.0, "b": 0.0, "c": 0.0}
    differences = []
    for seed in range(400):
        rates = Rates([MeetingSummary(each) for each in round_robin(skills, blocks=60, seed=seed)])
        differences.append(rates.mean("a") - rates.mean("b"))
    comparison = rates.compare("a", "b")
    reach = (comparison.high - comparison.low) / 2
    assert reach == pytest.approx(2 * float(np.std(differences)), rel=0.3)


def test_a_bot_that_beats_the_weak_wins_by_rate_and_loses_the_run_off() -> None:
    """b beats a, and a wins the most chips, all from c."""
    meetings = of_three(-20, 10, -500)
    assert [each.name for each in rank("abc", meetings)] == ["a", "b", "c"]
    assert [each.name for each in rank("abc", meetings, "runoff")] == ["b", "a", "c"]
    assert [each.name for each in rank("abc", meetings, "wins")] == ["b", "a", "c"]


def test_wins_in_a_circle_are_ties_that_no_hands_decide() -> None:
    standings = rank("abc", of_three(100, 100, 100), "wins")
    assert [each.score for each in standings] == [0.5, 0.5, 0.5]
    assert all(len(each.tied_with) == 2 and each.further_hands is None for each in standings)


def test_a_match_won_by_a_hair_is_no_certain_win() -> None:
    blocks = tuple([(100.0, -100.0), (-98.0, 98.0)] * 30)
    first, second = rank("ab", [Meeting(("a", "b"), blocks, 120)], "wins")
    assert (first.score, second.score) == (1.0, 0.0)
    assert first.tied_with == ("b",)
    assert first.further_hands is not None
    assert first.further_hands > 1000


@pytest.mark.parametrize("by", ["bb_per_100", "wins", "runoff"])
def test_tables_of_three_compare_entrants_within_the_table(by: RankBy) -> None:
    chance = np.random.default_rng(5)
    drawn = chance.normal(0, 100, (400, 2))
    blocks = tuple([(200 + x, -50 + y - x, -150 - y) for x, y in drawn.tolist()])
    standings = rank("abc", [Meeting(("a", "b", "c"), blocks, 1200)], by)
    assert [each.name for each in standings] == ["a", "b", "c"]
    assert all(each.tied_with == () for each in standings)


def test_few_blocks_and_absent_entrants_are_tied_and_last() -> None:
    one = Meeting(("a", "b"), ((50.0, -50.0),), 2)
    standings = rank(["a", "b", "absent"], [one, Meeting(("a", "absent"), (), 0)])
    assert [each.name for each in standings] == ["a", "absent", "b"]
    assert all(len(each.tied_with) == 2 and each.further_hands is None for each in standings)
    assert standings[0].low == -math.inf


def test_no_spread_is_decided_at_once() -> None:
    same = tuple([(10.0, -10.0)] * 20)
    for by in ("bb_per_100", "wins", "runoff"):
        first, second = rank("ab", [Meeting(("a", "b"), same, 40)], by)
        assert (first.name, first.tied_with, second.tied_with) == ("a", (), ())
    level = tuple([(0.0, 0.0)] * 20)
    assert rank("ab", [Meeting(("a", "b"), level, 40)])[0].tied_with == ("b",)
