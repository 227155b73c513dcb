"""Ruling F9: skill is exploitability if a game can be solved, otherwise a ladder of ratings with intervals."""

import pytest

from pitboss.lab.files import load
from pitboss.lab.measures.ladder import ELO, PLAYERS, Ladder, ladder, rate_players
from pitboss.lab.measures.small_games import solvable_versions, solve_small
from pitboss.lab.policies.choice import GREEDY, SEARCH

SOME = ("random", "greedy", "search 25")


@pytest.mark.parametrize("players", [SOME, pytest.param(tuple(PLAYERS), marks=pytest.mark.slow)])
def test_ruling_F9_beating_random_is_not_skill_and_search_at_kuhn_is_exploitable(players: tuple[str, ...]) -> None:
    solved = solve_small(load("kuhn"), players=players, compiled=len(players) > len(SOME))
    assert solved is not None
    assert solved.miniature == ""
    assert solved.value == pytest.approx(-1 / 18, abs=1e-4)
    lost = solved.exploitability
    assert list(lost) == ["equilibrium", *players]
    assert lost["random"] == pytest.approx(11 / 24)
    assert lost["greedy"] == pytest.approx(1 / 6)
    assert lost["equilibrium"] < 0.001
    assert all(0.1 < lost[player] < lost["random"] for player in players if player.startswith("search"))


@pytest.mark.slow
def test_ruling_F9_a_larger_game_is_solved_in_miniature() -> None:
    solved = solve_small(load("highest_card"))
    assert solved is not None
    assert solved.miniature == "6 ranks in 2 suits, 1 card each, two players, one deal"
    assert 0 < solved.information_sets <= 1000
    assert 0.1 < solved.bluffing < 0.4
    assert solved.exploitability["equilibrium"] < 0.01 < solved.exploitability["greedy"]
    assert solve_small(load("community_poker")) is None


@pytest.mark.slow
def test_ruling_F9_a_ladder_rates_players_with_intervals() -> None:
    rungs = ladder(load("scopa"), games=12, seed=1)
    assert {rung.player for rung in rungs} == set(PLAYERS)
    assert rungs[-1].player == "random"
    assert rungs[-1].rating.mean == rungs[-1].rating.low == rungs[-1].rating.high == 0
    assert all(rung.rating.low < rung.rating.mean < rung.rating.high for rung in rungs[:-1])
    assert rungs[-2].rating.low > 0, "even the weakest thinking player is clearly better than random"
    assert rungs == ladder(load("scopa"), games=12, seed=1)


def test_miniatures_keep_steps_and_endings() -> None:
    game = load("whist")
    for small, changed in solvable_versions(game):
        assert small.turn_structure.phases == game.turn_structure.phases
        assert small.win_conditions == game.win_conditions
        assert bool(changed) == (small != game)


def test_ratings_are_the_most_likely_ones() -> None:
    """Each player beats the next in nine of ten games; with the half-games added, 36.5 of 41 are about 364 points."""
    strengths, errors = rate_players(3, {(0, 1): (4.0, 40), (1, 2): (4.0, 40)})
    assert ELO * strengths[1] == pytest.approx(363.6, abs=0.1)
    assert ELO * strengths[2] == pytest.approx(2 * ELO * strengths[1])
    assert errors[0] == 0 < errors[1] < errors[2]


@pytest.mark.slow
def test_plain_and_compiled_ladders_are_the_same() -> None:
    game = load("leduc")
    plain, compiled = [
        Ladder(game, 4, compiled=compiled).play([SEARCH, GREEDY], [10, 0], range(3)) for compiled in (False, True)
    ]
    assert (plain == compiled).all()
