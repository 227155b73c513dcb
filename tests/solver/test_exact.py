"""Solutions against a dense referee, against theory, and against themselves on boards that differ only in suits."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss import PitbossError, Prizes, Sizes, Spot, SpotSolution, load_solution, solve
from pitboss.cards import DECK
from pitboss.solver import engine as engines
from pitboss.solver.engine import Engine
from pitboss.solver.loops import kernels, streets
from pitboss.solver.schedule import steps
from tests.solver.dense import Referee

TURNS = {"rainbow": "Qs7h2d9c", "two suits": "Qs7s2h9h", "three of a suit": "Qs7s2s9h", "monotone": "Qs7s2s9s"}
FLOPS = {"rainbow": "Qs7h2d", "two suits": "Qs7s2h", "monotone": "Qs7s2s", "paired": "QsQh2d", "trips": "QsQhQd"}
SIZES = Sizes(flop="60%", turn="50%, a/50%", river="75%/2.5x")


def some_hands(board: str, number: int, seed: int) -> dict[str, float]:
    """Hands that a board allows, with weights."""
    chance = random.Random(seed)
    deck = [card for card in DECK if card not in board]
    found = {"".join(sorted(chance.sample(deck, 2), key=DECK.index, reverse=True)) for _ in range(number)}
    return {hand: chance.randint(1, 10) / 10 for hand in sorted(found)}


def learned(
    spot: Spot, iterations: int, *, isomorphism: bool = True, threads: int = 1, storage: str = "float"
) -> SpotSolution:
    """A solution after some iterations."""
    engine = Engine(spot, storage, isomorphism, threads).allocate()
    engine.learn(steps(0, iterations))
    solution = SpotSolution(engine)
    solution.exploitability = engine.exploitability()
    return solution


def agree(solution: SpotSolution) -> None:
    """The solver's values and exploitability are those of the referee, to a thousandth of a percent of the pot."""
    referee, pot = Referee(solution), solution.spot.pot
    values = [referee.value(player, False) + pot / 2 for player in (0, 1)]
    assert solution.value == pytest.approx(values, abs=1e-5 * pot)
    assert solution.exploitability == pytest.approx(referee.exploitability(), abs=1e-5)


@pytest.mark.parametrize("storage", ["float", pytest.param("16-bit", marks=pytest.mark.slow)])
@pytest.mark.parametrize("board", ["Qs7h2d9c3s", "Qs7h2d9c"], ids=["river", "turn"])
def test_the_readable_loops_agree_with_the_compiled_ones(
    board: str, storage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain Python runs the readable forms; compiled code has vector instructions in place of four of them."""
    ranges = [some_hands(board, 8, seed) for seed in (5, 6)]
    spot = Spot(oop=ranges[0] | {"9s8s": 1}, ip=ranges[1] | {"9s8s": 1}, board=board, pot=100, stack=150, sizes=SIZES)
    compiled, readable = (Engine(spot, storage).allocate() for _ in range(2))
    found = []
    for engine in (compiled, readable):
        if engine is readable:
            monkeypatch.setattr(engines, "compiled_run", lambda: streets.run)
        engine.learn(steps(0, 2))
        modes = (kernels.BEST, kernels.AVERAGE)
        found.append([engine.values_by_hand(owner, mode) for owner in (0, 1) for mode in modes])
    for one, other in zip(*found, strict=True):
        assert np.abs(one).max() > 10
        assert one == pytest.approx(other, rel=1e-5, abs=1e-2)
    for one, other in zip(compiled.sides, readable.sides, strict=True):
        assert one.store.sums.any()
        near, apart = (1e-4, 1) if storage == "float" else (1, 8)  # of 65,535 in 16 bits, rounded in each iteration
        assert one.store.sums.astype(float) == pytest.approx(other.store.sums.astype(float), abs=near)
        assert one.store.regrets.astype(float) == pytest.approx(other.store.regrets.astype(float), rel=1e-4, abs=apart)


@pytest.mark.check
@pytest.mark.parametrize("board", TURNS.values(), ids=list(TURNS))
def test_turns_agree_with_dense_best_responses(board: str) -> None:
    ranges = [some_hands(board, 12, seed) for seed in (1, 2)]
    agree(learned(Spot(oop=ranges[0], ip=ranges[1], board=board, pot=100, stack=150, sizes=SIZES), 10))


@pytest.mark.check
@pytest.mark.parametrize("board", TURNS.values(), ids=list(TURNS))
def test_boards_that_differ_only_in_suits_agree_with_dense_best_responses(board: str) -> None:
    spot = Spot(oop="QQ,77,A9s", ip="99,AQs,KJs", board=board, pot=100, stack=150, sizes=SIZES)
    agree(learned(spot, 10))


@pytest.mark.check
@pytest.mark.parametrize("board", TURNS.values(), ids=list(TURNS))
def test_values_are_the_same_if_every_board_is_solved(board: str) -> None:
    """Each value is at most twice the exploitability away from the value of the game."""
    spot = Spot(oop="QQ,77,A9s", ip="99,AQs,KJs", board=board, pot=100, stack=150, sizes=SIZES)
    first, second = learned(spot, 100), learned(spot, 100, isomorphism=False)
    assert len(second.engine.orbits.boards) == 48 >= len(first.engine.orbits.boards)
    apart = 2 * spot.pot * (first.exploitability + second.exploitability)
    assert first.value == pytest.approx(second.value, abs=apart)
    assert apart < 3


@pytest.mark.slow
@pytest.mark.parametrize("board", FLOPS.values(), ids=list(FLOPS))
def test_flops_agree_with_dense_best_responses(board: str) -> None:
    sizes = Sizes(flop="60%", turn="", river="a")
    spot = Spot(oop="JJ,76s", ip="TT,A2s", board=board, pot=100, stack=120, sizes=sizes)
    agree(learned(spot, 5))


def test_rake_agrees_with_dense_best_responses() -> None:
    board = "Qs7h2d9c3s"
    ranges = [some_hands(board, 30, seed) for seed in (3, 4)]
    sizes = Sizes(river="50%, a/60%")
    spot = Spot(oop=ranges[0], ip=ranges[1], board=board, pot=100, stack=150, sizes=sizes, rake=(5, 12))
    solution = learned(spot, 20)
    agree(solution)
    assert sum(solution.value) < 100 - 4


def test_prizes_that_grow_with_the_chips_give_the_values_in_chips() -> None:
    """If the winner of two players gets as much as there are chips, a stack is worth its chips."""
    spot: dict[str, Any] = {
        "oop": "AA,QQ",
        "ip": "KK,JJ",
        "board": "2c2d7h8s9c",
        "pot": 100,
        "stack": 200,
        "sizes": Sizes(river="50%"),
    }
    chips = learned(Spot(**spot), 40)
    prizes = learned(Spot(**spot, icm=Prizes(stacks=(200, 300), payouts=(600, 0))), 40)
    assert prizes.value == pytest.approx((200 + chips.value[0], 300 + chips.value[1]), abs=0.01)
    assert 600 * prizes.exploitability == pytest.approx(100 * chips.exploitability, abs=0.01)


def test_a_board_that_plays_is_a_tie_for_all() -> None:
    spot = Spot(oop="random", ip="random", board="AsKsQsJsTs", pot=100, stack=100, sizes=Sizes(river="a"))
    solution = learned(spot, 30)
    assert solution.equity == pytest.approx((0.5, 0.5))
    assert solution.root.equity["9h8h"] == pytest.approx(0.5)


@pytest.mark.check
def test_short_deck_agrees_with_dense_best_responses() -> None:
    spot = Spot(
        oop="AA,KK,98s", ip="QQ,JTs", board="9sTh6d7c", pot=100, stack=150, sizes=SIZES, game="short_deck_holdem"
    )
    agree(learned(spot, 10))


@pytest.mark.parametrize(("bet", "ev"), [(50, 66.6667), (100, 75.0), (200, 83.3333)])
def test_a_polar_range_bets_and_is_called_as_theory_says(bet: int, ev: float) -> None:
    """Aces and queens against kings: queens bet b/(p+b) as often as aces, and kings call p/(p+b)."""
    sizes = Sizes(river={"oop": "a", "ip": ""})
    spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=bet, sizes=sizes)
    solution = solve(spot, 1e-4, progress=lambda _state: None)
    root = solution.root
    assert solution.value[0] == pytest.approx(ev, abs=0.01)
    assert root.strategy["AA"][f"bet {bet}"] == pytest.approx(1, abs=0.01)
    assert root.strategy["QQ"][f"bet {bet}"] == pytest.approx(bet / (100 + bet), abs=0.01)
    assert root.play("all in").strategy["KK"]["call"] == pytest.approx(100 / (100 + bet), abs=0.01)
    assert root.play("all in").ev["KK"] == pytest.approx(0, abs=0.5)
    assert root.ev["QQ"] == pytest.approx(0, abs=0.5)


def test_threads_agree() -> None:
    spot = Spot(oop="QQ,77,A9s,KTs", ip="99,AQs,KJs,T8s", board="Qs7h2d9h", pot=100, stack=300, sizes=SIZES)
    assert learned(spot, 60, threads=2).value == learned(spot, 60).value


@pytest.mark.slow
def test_16_bit_storage_agrees() -> None:
    spot = Spot(oop="QQ,77,A9s,KTs", ip="99,AQs,KJs,T8s", board="Qs7h2d9h", pot=100, stack=300, sizes=SIZES)
    first = learned(spot, 60)
    narrow = learned(spot, 60, storage="16-bit")
    assert narrow.value == pytest.approx(first.value, abs=0.5)
    assert narrow.exploitability < 0.02
    assert narrow.engine.memory < 0.6 * first.engine.memory


def test_a_saved_solution_is_loaded_and_resumed(tmp_path: Path) -> None:
    spot = Spot(oop="QQ,77,A9s", ip={"99": 1, "AQs": 0.25}, board="Qs7h2d9h", pot=100, stack=300, sizes=SIZES)
    first = solve(spot, 0.01, progress=lambda _state: None)
    first.save(tmp_path / "spot.npz")
    again = load_solution(tmp_path / "spot.npz")
    assert again.value == pytest.approx(first.value)
    assert (again.iterations, again.exploitability) == (first.iterations, first.exploitability)
    assert again.engine.exploitability() == pytest.approx(first.exploitability, abs=1e-6)
    line = ("check", "bet 50", "call")
    ours, theirs = again.root.play(*line).deal("5c"), first.root.play(*line).deal("5c")
    assert np.array_equal(ours.strategy.array, theirs.strategy.array)
    again.solve(0.002, progress=lambda _state: None)
    assert again.exploitability <= 0.002
    assert again.iterations > first.iterations


def test_figures_of_a_node_add_up() -> None:
    spot = Spot(oop="QQ,77,A9s", ip="99,AQs", board="Qs7h2d9h", pot=100, stack=300, sizes=SIZES)
    node = learned(spot, 50).root.play("check", "bet 50", "call").deal("5c")
    both = [node.seat(name) for name in ("oop", "ip")]
    assert node.board == ("Qs", "7h", "2d", "9h", "5c")
    assert (node.pot, node.chips, node.player) == (200, (50, 50), "oop")
    assert sum(seat.ev.mean for seat in both) == pytest.approx(200, abs=1e-2)
    assert sum(seat.equity.mean for seat in both) == pytest.approx(1)
    assert all(sum(shares.values()) == pytest.approx(1) for shares in node.strategy.values())
    assert node.strategy["QhQd"] == node.strategy["QdQh"]


def test_wrong_steps_are_refused_with_what_is_possible() -> None:
    root = learned(Spot(oop="QQ", ip="99", board="Qs7h2d9h", pot=100, stack=300, sizes=SIZES), 1).root
    with pytest.raises(PitbossError, match=r"^at the root: expected check or bet 50 or bet 300, got 'bet 51'$"):
        root.play("bet 51")
    with pytest.raises(PitbossError, match=r"^at the root: expected no card here, got '5c'$"):
        root.deal("5c")
    with pytest.raises(
        PitbossError, match=r"^after check, check: expected a card of the deck that is not on the board"
    ):
        root.play("check", "check").deal("Qs")
    with pytest.raises(PitbossError, match=r"^after check, check: expected a decision, but a card has to be dealt"):
        root.play("check", "check", "check")
