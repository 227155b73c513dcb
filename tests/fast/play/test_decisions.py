"""The decisions of the house policies are written once: bots and simulations play alike."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest

from pitboss.arena.bots import HOUSE, simple
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.betting import core
from pitboss.cards import DECK, Card, read_cards
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import decisions, policies
from pitboss.fast.play.backend import SeenCards
from pitboss.hand.hand import Hand
from tests.support.arena.bot_spots import spots
from tests.support.for_each import for_each


def cards(*held: Card) -> SeenCards:
    """Return these cards as a policy sees them: its own two, then the board."""
    view = SeenCards()
    for k, card in enumerate(held):
        view.cards[k] = DECK.index(card)
    return view


# --- one name, one way to play


def in_simulation(name: str, hand: Hand, state: int) -> tuple[Answer, int]:
    """Return what a simulation's policy does in a spot, in the arena's words, and the new state of chance."""
    seen = hand.view(hand.round.turn)
    own = seen.holes[hand.round.turn]
    verb, to, state = getattr(policies, name)(
        hand.structure.betting, hand.round, cards(*own, *seen.board), plain_ranks(), state
    )
    words: dict[int, Answer] = {core.FOLD: "FOLD", core.CHECK: "CHECK", core.CALL: "CALL"}
    return words.get(verb, ("RAISE_TO", to)), state


def in_arena(name: str, act: Act, state: int) -> tuple[Answer, int]:
    """Return what the house bot of the same name answers, and the new state of chance."""
    chance = Chance(state)
    return HOUSE[name](chance)(act), chance.state


def tried(name: str, seeds: range) -> Iterator[tuple[tuple[Answer, int], tuple[Answer, int]]]:
    """Yield both decisions in random hands at tables of every kind, from the same chance."""
    for seed in seeds:
        for number, (hand, act) in enumerate(spots(seed)):
            state = Chance(seed).fork(number).state
            yield in_simulation(name, hand, state), in_arena(name, act, state)


@pytest.mark.parametrize("name", policies.NAMES)
def test_policies_of_one_name_play_alike_everywhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They differ only in how often `equity` deals the unseen cards; with the same number they play alike."""
    monkeypatch.setattr(simple, "DEALS", policies.DEALS)
    answers = set[str]()
    decided = 0
    for simulated, answered in tried(name, range(60 if name == "equity" else 400)):
        assert simulated == answered
        answers.add(simulated[0][0] if isinstance(simulated[0], tuple) else simulated[0])
        decided += 1
    assert decided > 200
    assert answers == ({"CHECK", "CALL"} if name == "calling" else {"FOLD", "CHECK", "CALL", "RAISE_TO"})


def test_another_threshold_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that waits for jacks differs in one spot, so the test above would notice a second definition."""
    before = [simulated for simulated, _ in tried("tight", range(400))]
    monkeypatch.setattr(decisions, "TEN", decisions.TEN + 1)
    assert before != [answered for _, answered in tried("tight", range(400))]


def test_bots_need_neither_numpy_nor_numba() -> None:
    script = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import play
from pitboss.chance import Chance
results = play([(name, make(Chance(1))) for name, make in HOUSE.items()], hands=3, chance=Chance(1))
assert not any(result.illegal for result in results), results
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


# --- what decisions depend on


def share(hole: str, board: str, hands: int, deals: int) -> float:
    """Return the share of points that a hand wins against some random hands."""
    view, state, won = cards(*read_cards(hole), *read_cards(board)), 5, 0
    for _ in range(deals):
        state, points = decisions.sample(view.cards, hands, plain_ranks(), state)
        won += points
    return won / (2 * deals)


def test_samples_of_complete_boards_are_certain() -> None:
    for hands in (1, 2, 5):
        assert share("2c3d", "AsKsQsJsTs", hands, 20) == 0.5
    assert share("As2s", "KsQs9s3d4h", 1, 50) == 1.0
    assert share("2c2d", "AsKsQsJs3h", 9, 50) < 0.1


@pytest.mark.parametrize(
    ("hole", "hands", "expected"), [("AsAh", 1, 0.852), ("7c2d", 1, 0.346), ("AsKs", 1, 0.670), ("AsAh", 5, 0.492)]
)
def test_shares_before_the_flop_are_the_known_ones(hole: str, hands: int, expected: float) -> None:
    """The shares are from published tables; 4,000 deals are off by 0.03 less than once in 10,000 seeds."""
    assert share(hole, "", hands, 4000) == pytest.approx(expected, abs=0.03)


@for_each("call, pot, hands", [(0, 300, 0), (99, 299, 0), (100, 300, 1), (150, 300, 2), (9, 9, 2)])
def test_larger_bets_count_as_more_hands(call: int, pot: int, hands: int) -> None:
    assert decisions.behind_a_bet(call, pot) == hands


@pytest.mark.parametrize(
    ("bets", "folded", "call", "before", "after"),
    [
        ([50, 100, 0], [0, 0, 0], 100, 1, 2),
        ([50, 100, 0, 300, 300], [0, 0, 0, 0, 0], 300, 2, 4),
        ([50, 100, 0, 300, 300], [0, 0, 0, 1, 0], 300, 1, 3),
        ([50, 40, 0], [0, 0, 0], 100, 1, 2),
    ],
)
def test_preflop_rivals_have_matched_the_price(
    bets: list[int], folded: list[int], call: int, before: int, after: int
) -> None:
    assert decisions.rivals(bets, folded, len(bets), 2, call, False) == before
    assert decisions.rivals(bets, folded, len(bets), 2, call, True) == after


@for_each(
    "least, by_pot, most, different",
    [(200, 350, 1000, 3), (200, 200, 1000, 2), (200, 150, 1000, 2), (200, 2000, 1000, 2), (200, 350, 200, 1)],
)
def test_different_raises_are_counted(least: int, by_pot: int, most: int, different: int) -> None:
    assert decisions.sizes(least, by_pot, most) == different


def test_random_chooses_each_once_and_evenly() -> None:
    wishes = {0: {1}, 1: {1, 2}, 2: {1, 2, 4}, 3: {1, 2, 3, 4}}
    for raises, expected in wishes.items():
        for call in (0, 100):
            state, found = 9, []
            for _ in range(2000):
                state, wish = decisions.random(call, raises, state)
                found.append(wish)
            assert set(found) == expected | ({decisions.GIVE_UP} if call else set())
            counts = sorted(found.count(wish) for wish in set(found))
            assert all(most - least < 200 for least, most in pairwise(counts))
