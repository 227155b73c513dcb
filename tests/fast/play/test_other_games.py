"""`simulate` with games that compiled hands do not support: plain Python plays them with the same results format."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import pitboss.hand
from pitboss.betting.refusals import SetupError
from pitboss.chance import Chance
from pitboss.fast.play import decisions, other_games
from pitboss.fast.play.setup import PolicyError, why_not_compiled
from pitboss.fast.play.simulate import PLAIN_BLOCK, Simulation, simulate
from pitboss.hand.events import ChooseRuns, Discard
from pitboss.hand.games import BADUGI, NO_LIMIT_HOLDEM, RAZZ, STRUCTURES, find_game
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure

GAME_FILES = sorted((Path(pitboss.hand.__file__).parent / "game_files").glob("*.toml"))
WILD = replace(NO_LIMIT_HOLDEM, wild="2")
RUNS = replace(NO_LIMIT_HOLDEM, most_runs=3)
PINEAPPLE = find_game("pineapple")


def games() -> Iterator[Structure]:
    """Every shipped game, and one with wild cards and one with a choice of runs."""
    return (game for game in (*STRUCTURES.values(), *map(find_game, GAME_FILES), WILD, RUNS))


def outcome(played: Simulation) -> Any:
    """What follows from the settings and the seed."""
    return replace(played, seconds=0.0)


@pytest.mark.parametrize("policies", ["random", "calling", ("random", "calling")], ids=str)
def test_every_shipped_game_is_played_and_its_chips_are_conserved(policies: Any) -> None:
    for game in games():
        if why_not_compiled(game):
            played = simulate(40, seats=3, stacks=(300, 5_000, 700), policies=policies, game=game, seed=4)
            assert played.chips_in == played.chips_out == 40 * 6_000, game.name
            assert (played.hands, played.compiled, played.cores) == (40, False, 1)
            assert sum(seat.mean for seat in played.seats) == pytest.approx(0, abs=1e-6)
            assert played.actions > 40


def test_every_shipped_game_file_is_accepted() -> None:
    assert len(GAME_FILES) > 5
    for path in GAME_FILES:
        assert simulate(3, seats=2, game=path).hands == 3, path.name


@pytest.mark.parametrize("game", [PINEAPPLE, WILD, RUNS, RAZZ, BADUGI], ids=lambda game: game.name)
def test_same_seed_same_result(game: Structure) -> None:
    hands = PLAIN_BLOCK + 10  # more than one block
    first = simulate(hands, seats=3, game=game, seed=9)
    assert outcome(simulate(hands, seats=3, game=game, seed=9, cores=2)) == outcome(first)
    assert outcome(simulate(hands, seats=3, game=game, seed=9, compiled=False)) == outcome(first)
    assert outcome(simulate(hands, seats=3, game=game, seed=10)) != outcome(first)


def test_hands_are_dealt_from_the_fork_of_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[Any] = []

    def watch(hand: Hand, chance: Chance) -> Any:
        dealt.append(hand.holes)
        return other_games.bet(hand, decisions.STAY)

    monkeypatch.setattr(other_games, "calling", watch)
    simulate(2, seats=2, game=WILD, policies="calling", seed=5)
    decks = [Chance(5).fork(number).shuffled(WILD.deck) for number in range(2)]
    holes = [((deck[0], deck[2]), (deck[1], deck[3])) for deck in decks]
    assert list(dict.fromkeys(dealt)) == holes


def test_the_button_moves_by_one_seat_and_stays_if_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """All players fold to the big blind, which wins the small blind of 50."""
    monkeypatch.setattr(other_games, "calling", lambda hand, chance: other_games.bet(hand, decisions.GIVE_UP))
    settings: dict[str, Any] = {"seats": 3, "game": WILD, "policies": "calling"}
    assert [seat.mean for seat in simulate(1, **settings).seats] == [0, -50, 50]
    assert [seat.mean for seat in simulate(1, **settings, button=1).seats] == [50, 0, -50]
    assert [seat.mean for seat in simulate(2, **settings).seats] == [25, -25, 0]
    assert [seat.mean for seat in simulate(2, **settings, button=0).seats] == [0, -50, 50]


def test_the_random_policy_discards_any_card_and_chooses_any_number_of_runs() -> None:
    chance, hand = Chance(3), _hand(RUNS)
    while hand.phase != "runs":
        hand, _ = hand.act("all in") if hand.offer.all_in else hand.act("call")
    assert {other_games.random(hand, chance) for _ in range(60)} == {ChooseRuns(runs) for runs in (1, 2, 3)}
    assert other_games.calling(hand, chance) == ChooseRuns(1)
    hand = _hand(find_game("crazy_pineapple"))
    while hand.phase != "draw":
        hand, _ = hand.act(other_games.calling(hand, chance))
    held = hand.holes[hand.draw.waiting[0]] if hand.draw else ()
    assert {other_games.random(hand, chance) for _ in range(60)} == {Discard((card,)) for card in held}
    assert other_games.calling(hand, chance) == Discard(held[-1:])


def _hand(game: Structure) -> Hand:
    return Hand.deal(game, stacks=(500, 500), blinds=(5, 10), seed=8)[0]


def mine(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Any:
    """Fail, because this policy must not be called."""
    raise AssertionError


@pytest.mark.parametrize(
    "policy", ["tight", "equity", mine, ("calling", mine)], ids=["tight", "equity", "own", "calling and own"]
)
@pytest.mark.parametrize("game", [PINEAPPLE, WILD, find_game("seven_card_stud")], ids=lambda game: game.name)
def test_policies_that_use_cards_are_refused(policy: Any, game: Structure) -> None:
    with pytest.raises(PolicyError, match=f"{game.name}.*: use random and calling$"):
        simulate(5, seats=2, game=game, policies=policy)


def test_compiled_hands_of_such_a_game_are_refused() -> None:
    for game in games():
        if why_not_compiled(game):
            with pytest.raises(SetupError, match="compiled hands") as refusal:
                simulate(5, seats=2, game=game, compiled=True)
            assert game.name in str(refusal.value)


def test_progress_reaches_all_hands() -> None:
    seen: list[tuple[int, int]] = []
    simulate(2 * PLAIN_BLOCK + 1, seats=2, game=PINEAPPLE, progress=lambda *done: seen.append(done))
    assert seen == [(done, 2 * PLAIN_BLOCK + 1) for done in (PLAIN_BLOCK, 2 * PLAIN_BLOCK, 2 * PLAIN_BLOCK + 1)]
