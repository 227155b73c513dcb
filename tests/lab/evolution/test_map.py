"""The map: the cell of a game, which game gets it, and the limits that keep the map diverse."""

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.lab.evolution.archive import Cell, EvolutionError, Recipe
from pitboss.lab.evolution.breeder import structure_text, with_free_name
from pitboss.lab.evolution.map import AXES, GameMap, assign_cells, axes_named, game_kind
from pitboss.lab.evolution.run import GameTask
from pitboss.lab.files import load
from pitboss.lab.genome import mechanic
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES
from tests.lab.evolution.stand_in import judged_by_letters

RECIPE = Recipe()


def cell(game: str, at: tuple[int, int], worth: float, *lineage: str) -> Cell:
    """A known game in a cell."""
    name = f"{game}_{at[0]}_{at[1]}"
    place = {"skill": (at[0] + 0.5) / 12, "length": 8 * 50 ** ((at[1] + 0.5) / 12)}
    measures = {measure: Measure(place.get(measure, 0.5), 0.4, 0.6) for measure in NAMES}
    return Cell(
        cell=at, genome=replace(load(game), name=name), measures=measures, worth=worth, lineage=lineage or (name,)
    )


def test_measures_decide_the_cell() -> None:
    one = cell("kuhn", (7, 3), 0.5)
    assert GameMap(RECIPE).where(one.measures) == (7, 3)
    beyond = {**one.measures, "skill": Measure(-0.2, -0.3, 0.1), "length": Measure(5000.0, 4000.0, 6000.0)}
    assert GameMap(RECIPE).where(beyond) == (0, 11)


def test_the_worthier_game_gets_the_cell() -> None:
    found = GameMap(RECIPE)
    assert found.take_in([cell("kuhn", (1, 1), 0.4)]) == 1
    assert found.take_in([cell("leduc", (1, 1), 0.3)]) == 0
    assert found.take_in([cell("draw_poker", (1, 1), 0.5)]) == 1
    assert [one.name for one in found.cells] == ["draw_poker_1_1"]


def test_a_kind_gets_only_its_worthiest_cell() -> None:
    chosen = assign_cells([cell("kuhn", (1, 1), 0.4), cell("kuhn", (2, 2), 0.6), cell("leduc", (3, 3), 0.1)], RECIPE)
    assert [one.cell for one in chosen] == [(2, 2), (3, 3)]


def test_a_newcomer_that_would_displace_two_games_is_left_out() -> None:
    found = GameMap(RECIPE)
    found.take_in([cell("kuhn", (1, 1), 0.4), cell("leduc", (2, 2), 0.5)])
    dear, plain = cell("kuhn", (2, 2), 0.9), cell("draw_poker", (2, 2), 0.6)
    assert found.entering([dear]) == []
    assert found.take_in([dear, plain]) == 1
    assert [one.name for one in found.cells] == ["kuhn_1_1", "draw_poker_2_2"]


def test_no_parent_has_more_than_its_share() -> None:
    games = ("kuhn", "leduc", "draw_poker", "blackjack", "betting_war")
    twins = [cell(game, (at, 0), 0.9 - at / 100, "war", "adam") for at, game in enumerate(games)]
    assert [one.cell for one in assign_cells(twins, RECIPE)] == [(0, 0), (1, 0)]


def test_no_mechanic_has_more_than_its_share() -> None:
    """Whist, hearts and knaves have different aims, but all of them are trick games."""
    names = ("whist", "hearts", "knaves", "leduc", "kuhn", "blackjack", "betting_war")
    chosen = assign_cells([cell(name, (at, 0), 0.9 - at / 100) for at, name in enumerate(names)], RECIPE)
    assert Counter([mechanic(one.genome).name for one in chosen])["tricks"] == 2


def test_half_of_the_games_bet_if_betting_is_allowed() -> None:
    plain = [cell(game, (at, 1), 0.9) for at, game in enumerate(("hearts", "whist", "gin", "scopa", "cheat"))]
    betting = [cell(game, (at, 2), 0.1) for at, game in enumerate(("kuhn", "leduc"))]
    for recipe, bets, many in ((RECIPE, 2, 4), (replace(RECIPE, betting="require"), 2, 7)):
        chosen = assign_cells([*plain, *betting], replace(recipe, bans=("LaySets",)))
        assert len([1 for one in chosen if one.genome.betting_phases]) == bets
        assert len(chosen) == many


def test_axes_are_found_by_name() -> None:
    assert axes_named(("bluffing", "complexity")) == (AXES["bluffing"], AXES["complexity"])
    for wrong in (("skill", "colour"), ("skill",), ("length", "length")):
        with pytest.raises(EvolutionError):
            axes_named(wrong)


def test_structure_ignores_names_and_numbers() -> None:
    kuhn = load("kuhn")
    assert structure_text(kuhn) == structure_text(replace(kuhn, name="x", max_turns=9, player_count=3))
    assert structure_text(kuhn) != structure_text(replace(kuhn, setup=replace(kuhn.setup, pots="side")))
    assert game_kind(kuhn) == game_kind(replace(kuhn, setup=replace(kuhn.setup, pots="side")))
    assert game_kind(load("gin")) != game_kind(load("rummy"))


def test_names_are_short_and_depend_only_on_the_game() -> None:
    games = [load(name) for name in ("kuhn", "leduc", "whist")]
    names = [with_free_name(game, ()) for game in games]
    assert names == [with_free_name(replace(game, name="other"), ()) for game in games]
    assert len(set(names)) == 3
    assert with_free_name(games[0], {names[0]}) not in names
    assert all(name.count("_") == 1 and len(name) < 30 for name in names)


def test_fake_judge_depends_only_on_the_game() -> None:
    one = judged_by_letters(GameTask(load("kuhn"), 4, 1))
    assert one == judged_by_letters(GameTask(replace(load("kuhn"), name="x"), 9, 2))
    assert msgspec.json.encode(one) != msgspec.json.encode(judged_by_letters(GameTask(load("leduc"), 4, 1)))
