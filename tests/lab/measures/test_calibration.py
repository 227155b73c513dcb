"""Good games beat random ones, games of chance need no skill, and a game that no player wins has no quality."""

from functools import cache

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome, TurnStructure
from pitboss.lab.measures.measure import QUALITY, Measured, measure
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.variation.mutations import random_genome

CHANCE = {"war", "old_maid"}
"""Known games without choices."""
DOUBTFUL = {"betting_war", "rummy"}
"""A game with bets on hidden cards, and a game that mostly ends in a tie."""
RANDOM_GAMES = 60


@cache
def measured(name: str) -> Measured:
    return measure(load(name))


@cache
def mean_of_good(name: str) -> float:
    good = [game for game in known_games() if game not in CHANCE | DOUBTFUL]
    return sum([measured(game).measures[name].mean for game in good]) / len(good)


@cache
def random_games() -> list[Measured]:
    return [measure(random_genome(Chance(seed))) for seed in range(RANDOM_GAMES)]


@pytest.mark.check
@pytest.mark.parametrize("name", QUALITY)
def test_good_known_games_beat_random_ones_by_a_third(name: str) -> None:
    anything = sum([game.measures[name].mean for game in random_games()]) / RANDOM_GAMES
    assert mean_of_good(name) > 4 / 3 * anything


@pytest.mark.parametrize("game", sorted(CHANCE))
def test_games_of_chance_have_no_decisions_and_no_skill(game: str) -> None:
    found = measured(game).measures
    assert found["decisions"].mean == found["mattered"].mean == found["tension"].mean == 0
    assert found["skill"].low <= 0
    assert found["skill"].mean < 0.1


def test_no_choice_matters_if_cards_are_revealed_at_random() -> None:
    """Players do not see a card before they play it, so the choice is chance."""
    lot = replace(load("betting_war"), setup=replace(load("betting_war").setup, cards_per_player=1))
    lot = replace(lot, turn_structure=replace(lot.turn_structure, rounds=1))
    mattered = measure(lot).measures["mattered"]
    assert mattered.low == 0
    assert mattered.mean < 0.05


def endless() -> Genome:
    """A rummy that no player can win: draw and discard until the turn limit."""
    rummy = load("gin")
    turns = TurnStructure(phases=(DrawPhase(source="deck"), DiscardPhase()))
    return replace(rummy, turn_structure=turns, win_conditions=load("hearts").win_conditions, max_turns=180)


def test_a_game_without_winners_has_no_quality() -> None:
    found = measure(replace(endless(), scoring=load("hearts").scoring)).measures
    assert found["stopped"].mean == 1
    assert {name: found[name].mean for name in QUALITY} == dict.fromkeys(QUALITY, 0.0)
