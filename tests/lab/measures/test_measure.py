"""Measures: the same every time, plain and compiled, and with every documented name."""

import numpy as np
import pytest
from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.measures import moments as moments_module
from pitboss.lab.measures.figures import LEAST_SEEN, share, worst_bets
from pitboss.lab.measures.measure import MEANINGS, NAMES, QUALITY, impossible_measures, measure
from pitboss.lab.measures.moments import MIXED, NONE
from pitboss.lab.measures.watch import Watcher
from tests.lab.measures.table import PAGE, table, written
from tests.support.for_each import for_each


@pytest.mark.parametrize("name", ["leduc", "mau_mau"])
def test_plain_and_compiled_loops_give_the_same_rows(name: str) -> None:
    game = load(name)
    plain, compiled = [
        Watcher(game, 1, compiled=compiled).watch([MIXED] * game.player_count, range(3), closely=1, budget=10**6)
        for compiled in (False, True)
    ]
    assert (plain.rows == compiled.rows).all()
    assert np.array_equal(plain.looks, compiled.looks)
    assert len(plain.moments())


def test_every_measure_has_a_meaning_and_an_interval_around_its_mean() -> None:
    found = measure(load("leduc"), games=40, seed=3)
    assert tuple(found.measures) == NAMES == tuple(MEANINGS)
    assert set(QUALITY) < set(NAMES)
    assert all(one.low <= one.mean <= one.high for one in found.measures.values())
    assert len(found.tension) == 20
    assert [len(seat) for seat in found.lead] == [20, 20]
    assert found == measure(load("leduc"), games=40, seed=3)


def test_the_docs_page_has_every_measure_and_every_known_game() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []
    assert [line.split("|")[1].strip() for line in written()[2:]] == list(known_games())


def test_starting_is_an_advantage_if_the_first_card_wins_but_not_in_poker() -> None:
    climbing = replace(load("president"), player_count=2)
    climbing = replace(climbing, setup=replace(climbing.setup, cards_per_player=1, deals=6))
    found = [measure(game, games=80).measures["start_advantage"] for game in (climbing, load("simple_poker"))]
    assert found[0].low > 0.35 > 0.1 > found[1].mean


@for_each("name", sorted(known_games()))
def test_impossible_measures_are_0(name: str) -> None:
    measures = measure(load(name), games=20).measures
    assert {one: measures[one].mean for one in impossible_measures(load(name)) if measures[one].mean} == {}


@pytest.mark.slow
def test_the_table_in_the_docs_is_up_to_date() -> None:
    """`python -m tests.lab.measures.table` updates it."""
    assert written() == table()


def test_the_worst_round_of_bets_counts_alone_if_seen_often_enough() -> None:
    """All bets of the last of three rounds are on a known winner; a round with a single bet does not count."""
    moments = np.zeros((4 * LEAST_SEEN + 1, moments_module.WIDTH))
    moments[:, moments_module.HERE], moments[:, moments_module.PHASE], moments[:, moments_module.KNOWN] = 1, 2, 0
    for at in range(3):
        moments[at * LEAST_SEEN : (at + 1) * LEAST_SEEN, moments_module.ROUND] = at
    moments[2 * LEAST_SEEN : 3 * LEAST_SEEN, moments_module.KNOWN] = 1
    moments[3 * LEAST_SEEN :, moments_module.KNOWN] = NONE  # no bets
    moments[-1, [moments_module.KNOWN, moments_module.ROUND]] = 1, 7
    assert worst_bets(moments) == share(LEAST_SEEN, LEAST_SEEN)
    pooled = moments[1 : 3 * LEAST_SEEN]  # without one bet, the last round counts only together with the others
    pooled = np.delete(pooled, -1, axis=0)
    assert worst_bets(pooled) == share(LEAST_SEEN - 1, 3 * LEAST_SEEN - 2)
    assert worst_bets(moments[:0]) == share(0, 0)
