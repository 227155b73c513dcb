"""Different games are distinguished in words; a game has distance 0 from itself."""

import pytest
from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.report.differences import differences, match_steps, nearest_known
from tests.support.for_each import for_each


@for_each("name", known_games())
def test_a_known_game_is_nearest_to_itself_whatever_it_is_called(name: str) -> None:
    nearest = nearest_known(replace(load(name), name="other"))
    assert nearest.name == name
    assert nearest.differences == ()


def test_differences_are_symmetric() -> None:
    gin, rummy = load("gin"), load("rummy")
    there, back = differences(gin, rummy), differences(rummy, gin)
    assert sum(one.weight for one in there) == pytest.approx(sum(one.weight for one in back))
    words = [one.words for one in back]
    assert "Players: three instead of two." in words
    assert "With the rule “Each jack still in your hand: 5 points.”" in words
    assert any(line.startswith("The winner: the player with the fewest points instead of") for line in words)


def test_an_additional_step_is_reported_and_others_stay_paired() -> None:
    leduc, kuhn = load("leduc").turn_structure.phases, load("kuhn").turn_structure.phases
    assert match_steps(leduc, leduc) == [(0, 0), (1, 1), (2, 2)]
    assert match_steps(kuhn, ()) == [(0, None)]
    pairs = match_steps(leduc, kuhn)
    assert len([pair for pair in pairs if None not in pair]) == 1
    assert [
        pair
        for pair in pairs
        if pair[1] is None and pair[0] is not None and type(leduc[pair[0]]).__name__ == "CommunityPhase"
    ]


def test_a_step_that_moved_is_not_one_more_and_one_less() -> None:
    draw = load("draw_poker")
    phases = draw.turn_structure.phases
    assert [type(phase).__name__ for phase in phases] == ["BettingPhase", "DiscardPhase", "BettingPhase"]
    later = replace(draw, turn_structure=replace(draw.turn_structure, phases=(phases[0], phases[2], phases[1])))
    [moved] = differences(later, draw)
    [back] = differences(draw, later)
    assert moved.words == "The step “Bet” comes second instead of third."
    assert back.words == "The step “Exchange” comes second instead of third."
    assert moved.weight == back.weight < 1


def test_a_moved_and_changed_step_is_reported_twice() -> None:
    leduc = load("leduc")
    first, up, second = leduc.turn_structure.phases
    other = replace(leduc, turn_structure=replace(leduc.turn_structure, phases=(up, first, replace(second, min_bet=9))))
    moved, changed = [one.words for one in differences(other, leduc)]
    assert moved == "The step “Turn up” comes first instead of second."
    assert changed.startswith("In step 3, “Bet”: “bets and raises are 9 chips")
    assert "instead of “bets and raises are 4 chips" in changed


def test_only_different_sentences_of_a_step_are_reported() -> None:
    words = [one.words for one in differences(load("mau_mau"), load("crazy_eights"))]
    jack, eight = "“A jack may be played on any card;”", "“An eight may be played on any card;”"
    assert f"In the step “Play”: {jack} instead of {eight}" in words


def test_irrelevant_properties_are_not_reported() -> None:
    hearts = load("crazy_eights")
    trumped = replace(hearts, setup=replace(hearts.setup, trump_suit="h", pots="side"))
    assert differences(trumped, hearts) == ()
