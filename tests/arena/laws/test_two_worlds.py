"""No message depends on a card that its receiver must not see: worlds that differ in hidden cards look the same."""

from collections import Counter

import pytest

from pitboss.arena.hosts.games import find_places
from pitboss.chance import Chance
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure
from tests.support.arena.leaks import LEAKS, leak_first_place
from tests.support.arena.world_scripts import Author, draw_setup
from tests.support.arena.worlds import compare, other_games, other_world, play_again
from tests.support.figures import write_row
from tests.support.laws.kinds import a_game_of_each_kind

HANDS_A_MATCH = 12
GAMES = [structure.key for structure in STRUCTURES.values()]
OTHER_GAMES = ["kuhn", "leduc"]
"""No poker, and with few enough cards that other games which look the same are found by trying."""
HAPPENS = (
    "error", "start_hand", "end_hand", "match_end", "mix", "mixed", "showed", "said something wrong", "took over",
    "came back", "was cut off", "took leave", "was late", "restarted", "watched", "listed", "tried to get in",
)  # fmt: skip
"""What must have happened in many matches, or they have shown little."""


class Tally:
    """The results of many matches, each in two worlds."""

    def __init__(self) -> None:
        self.matches = self.hands = self.frames = 0
        self.did: Counter[str] = Counter()
        self.differences: list[str] = []

    def play(self, game: str, seed: int, hands: int = HANDS_A_MATCH) -> None:
        """One match of a game in one world, and in another for a random observer."""
        setup = draw_setup(game, find_places(game), seed)
        author = Author(setup)
        steps, chance = author.write(hands), Chance(seed).fork(2)
        observer = chance.choice((None, *range(setup.settings.seats)))
        other = (other_world if game in GAMES else other_games)(author.world, observer, chance)
        compared = compare(author.world, play_again(setup, steps, other), other, observer)
        self.matches += 1
        self.hands += len(other.decks) + len(other.seeds)
        self.frames += compared.frames
        self.did += author.did
        self.differences += [f"{game} {seed}: {sentence}" for sentence in compared.differences]


@pytest.mark.check
@pytest.mark.parametrize("structure", a_game_of_each_kind())
def test_frames_and_their_times_do_not_depend_on_hidden_cards(structure: Structure) -> None:
    tally = Tally()
    for seed in range(4):
        tally.play(structure.key, seed)
    assert tally.differences == []
    assert tally.hands > 30


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_frames_of_other_games_do_not_depend_on_hidden_cards(game: str) -> None:
    tally = Tally()
    for seed in range(3):
        tally.play(game, seed, hands=5)
    assert tally.differences == []
    assert tally.hands > 0


def test_leaked_card_of_another_game_is_detected() -> None:
    tally = Tally()
    with leak_first_place():
        while not tally.differences:
            assert tally.matches < 10, "nobody noticed"
            tally.play("leduc", tally.matches, hands=5)


@pytest.mark.check
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    tally = Tally()
    with LEAKS[leak]():
        while not tally.differences:
            assert tally.matches < 60, "nobody noticed"
            tally.play("no_limit_holdem", tally.matches, hands=3)


@pytest.mark.slow
def test_ten_thousand_hands_in_two_worlds() -> None:
    tally, seed = Tally(), 1000
    while tally.hands < 10_000:
        for game in GAMES:
            tally.play(game, seed)
        seed += 1
    assert tally.differences == []
    assert [what for what in HAPPENS if tally.did[what] < 100] == []
    write_row(
        "two-worlds",
        games=len(GAMES),
        matches=tally.matches,
        hands=tally.hands,
        frames_compared=tally.frames,
        refused=tally.did["error"],
        takeovers=tally.did["took over"],
        restarts=tally.did["restarted"],
    )
