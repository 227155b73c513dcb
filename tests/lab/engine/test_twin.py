"""Compiled games are the plain ones: every known game and genomes of every kind, played to the same columns."""

from types import ModuleType

import pytest
from msgspec.structs import replace

from pitboss.lab import piles
from pitboss.lab.engine import steps
from pitboss.lab.files import load
from pitboss.lab.phases import play as play_phase
from pitboss.lab.phases import trick
from pitboss.lab.policies import simulate
from pitboss.lab.wins import high_card
from tests.support.lab.mistakes import make_mistake
from tests.support.lab.twins import compare, compare_all, drawn, known
from tests.support.laws.laws import LawBroken

pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")


def test_known_games_are_the_same_compiled() -> None:
    assert compare_all(known(), "random", 1, 20)["games"] == 20 * len(known())


def test_drawn_genomes_are_the_same_compiled() -> None:
    counts = compare_all(drawn(5, 200), "random", 2, 3)
    assert counts["games"] == 600
    assert counts["columns"] > 5000


def test_greedy_players_are_the_same_compiled() -> None:
    assert compare_all(known(), "greedy,random", 3, 2)["games"] == 2 * len(known())


@pytest.mark.parametrize("players", ["random", "greedy,random"])
def test_the_number_of_cores_does_not_change_the_results(monkeypatch: pytest.MonkeyPatch, players: str) -> None:
    monkeypatch.setattr(simulate, "MOST_PLAIN", 0)
    monkeypatch.setattr(simulate, "BLOCK", 7)
    genome, found = load("community_poker"), []
    for cores in (1, 2, 3):
        played = simulate.simulate(genome, games=50, players=players, seed=4, cores=cores)
        assert played.compiled
        found.append(replace(played, seconds=0.0, cores=0))
    assert found[0] == found[1] == found[2]


def test_plain_and_compiled_games_give_the_same_results() -> None:
    genome, found = load("draw_poker"), []
    for compiled in (False, True):
        sums = simulate.Sums(genome)
        seated = simulate.seat_players("random", genome.player_count)
        sums.add(simulate.SeatedGame(genome, seated, 9, compiled=compiled).play(range(60)))
        found.append(sums.result(seated, 0.0, 1, True))
    assert found[0] == found[1]
    assert found[0].games == found[0].finished == 60


# --- that this proves something


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        (piles, "state, offset = chance.draw(state, end - here)", "state, offset = chance.draw(state, 1)"),
        (high_card, "        best = max(best, s.hands[p * MOST_CARDS + k] // g.suits)", "        best = 1"),
        (play_phase, "rank >= other", "rank > other"),
        (trick, "    s.lead = s.best_by", "    pass"),
        (steps, "s.starter = s.starter + 1 if s.starter + 1 < g.n else 0", "pass"),
    ],
)
def test_a_mistake_on_one_side_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, right: str, wrong: str
) -> None:
    compare(load("kuhn"), "random", 1, range(1))  # compiled, or loaded, before
    make_mistake(monkeypatch, module, right, wrong)
    with pytest.raises(LawBroken):
        compare_all([*known(), *drawn(5, 100)], "random", 1, 5)
