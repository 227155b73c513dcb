"""What a game measures: the same every time, plain and compiled, and with every name that is promised."""

import numpy as np
import pytest

from pitboss.lab.files import load
from pitboss.lab.genome.known import known_games
from pitboss.lab.measures.gates import gate
from pitboss.lab.measures.measure import MEANINGS, NAMES, QUALITY, measure
from pitboss.lab.measures.watching.loop import Watching
from pitboss.lab.measures.watching.players import MIXED
from tests.lab.measures.table import PAGE, table, written


@pytest.mark.parametrize("name", ["leduc", "mau_mau"])
def test_plain_and_compiled_loops_see_the_same(name: str) -> None:
    game = load(name)
    plain, compiled = [
        Watching(game, 1, compiled=compiled).watch([MIXED] * game.player_count, range(3), closely=1, budget=10**6)
        for compiled in (False, True)
    ]
    assert (plain.rows == compiled.rows).all()
    assert np.array_equal(plain.looks, compiled.looks)
    assert len(plain.moments())


def test_every_measure_has_a_name_a_meaning_and_an_interval_around_its_mean() -> None:
    found = measure(load("leduc"), games=40, seed=3)
    assert tuple(found.measures) == NAMES == tuple(MEANINGS)
    assert set(QUALITY) < set(NAMES)
    assert all(one.low <= one.mean <= one.high for one in found.measures.values())
    assert len(found.tension) == 20
    assert [len(seat) for seat in found.lead] == [20, 20]
    assert found == measure(load("leduc"), games=40, seed=3)


def test_gates_let_good_games_through_and_say_why_not() -> None:
    assert gate(load("community_poker")) is None
    assert gate(load("war")) == "there is hardly anything to choose"


def test_the_page_has_every_measure_and_every_known_game() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in page] == []
    assert [line.split("|")[1].strip() for line in written()[2:]] == list(known_games())


@pytest.mark.slow
def test_the_table_on_the_page_is_what_is_measured() -> None:
    """If not, `python -m tests.lab.measures.table` writes it anew."""
    assert written() == table()
