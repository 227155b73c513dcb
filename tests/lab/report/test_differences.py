"""Games that differ are told apart in words; the same game is at no distance from itself."""

import pytest
from msgspec.structs import replace

from pitboss.lab.files import load
from pitboss.lab.genome.known import known_games
from pitboss.lab.report.differences import differences, matched, nearest_known


@pytest.mark.parametrize("name", known_games())
def test_a_known_game_is_nearest_to_itself_whatever_it_is_called(name: str) -> None:
    nearest = nearest_known(replace(load(name), name="other"))
    assert nearest.name == name
    assert nearest.differences == ()


def test_differences_go_both_ways() -> None:
    gin, rummy = load("gin"), load("rummy")
    there, back = differences(gin, rummy), differences(rummy, gin)
    assert sum(one.weight for one in there) == pytest.approx(sum(one.weight for one in back))
    words = [one.words for one in back]
    assert "Players: three instead of two." in words
    assert "With the rule “Each jack still in your hand: 5 points.”" in words
    assert any(line.startswith("The winner: the player with the fewest points instead of") for line in words)


def test_a_step_more_is_told_and_the_others_stay_matched() -> None:
    leduc, kuhn = load("leduc").turn_structure.phases, load("kuhn").turn_structure.phases
    assert matched(leduc, leduc) == [(0, 0), (1, 1), (2, 2)]
    assert matched(kuhn, ()) == [(0, None)]
    pairs = matched(leduc, kuhn)
    assert len([pair for pair in pairs if None not in pair]) == 1
    assert [
        pair
        for pair in pairs
        if pair[1] is None and pair[0] is not None and type(leduc[pair[0]]).__name__ == "CommunityPhase"
    ]


def test_what_does_not_matter_is_not_told() -> None:
    hearts = load("crazy_eights")
    trumped = replace(hearts, setup=replace(hearts.setup, trump_suit="h", pots="side"))
    assert differences(trumped, hearts) == ()
