"""Locked strategies, against cases worked out by hand and the dense referee; and solves that are interrupted."""

import json
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss import PitbossError, Sizes, Spot, SpotSolution, load_solution, solve
from pitboss.solver.engine import Engine
from pitboss.solver.files import read_spot, write_spot
from pitboss.solver.schedule import steps
from pitboss.solver.solution import Progress
from tests.solver.dense import Referee

TURN = Spot(
    oop="QQ,77,A9s", ip="99,AQs,KJs", board="Qs7s2h9h", pot=100, stack=150, sizes=Sizes(turn="50%/50%", river="75%")
)
LINE = ("check", "bet 50")


def quiet(_state: Progress) -> None:
    """Print nothing."""


def polar(storage: str = "float") -> SpotSolution:
    """Aces and queens bet the pot or check against kings."""
    sizes = Sizes(river={"oop": "a", "ip": ""})
    spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=100, sizes=sizes)
    return solve(spot, 0.01, storage=storage, progress=quiet)


def learned(spot: Spot, threads: int = 1) -> SpotSolution:
    """A solution after ten iterations."""
    engine = Engine(spot, threads=threads).allocate()
    engine.learn(steps(0, 10))
    return SpotSolution(engine)


@pytest.mark.parametrize("storage", ["float", "16-bit"])
@pytest.mark.parametrize(
    ("line", "hands", "ev"),
    [
        (("bet 100",), {"KK": {"call": 1.0}}, 100),  # queens give up, and half of the hands win 200
        (("bet 100",), {"*": {"fold": 1}}, 100),  # every bet wins the pot
        (
            ("bet 100",),
            {"KK": {"fold": 0.25, "call": 0.75}},
            87.5,
        ),  # queens give up, aces win 100 + 75 half of the time
        ((), {"AA": {"check": 1}}, 50),  # all bets are bluffs, so kings call and queens give up
        ((), {"QQ": {"bet 100": 1}}, 50),  # kings call: aces win 200, queens lose 100
    ],
)
def test_locks_agree_with_cases_worked_out_by_hand(
    line: tuple[str, ...], hands: dict[str, dict[str, float]], ev: float, storage: str
) -> None:
    solution = polar(storage)
    node = solution.root.play(*line)
    solution.lock(node, hands)
    assert solution.exploitability > 0.05  # the other strategies do not know of the lock yet
    solution.solve(0.001, progress=quiet)
    assert solution.value == pytest.approx((ev, 100 - ev), abs=0.2)
    assert solution.exploitability <= 0.001
    strategy = solution.root.play(*line).strategy
    for hand, shares in hands.items():
        name = hand if hand != "*" else "KK"
        assert strategy[name] == pytest.approx(dict.fromkeys(node.actions, 0.0) | shares, abs=1e-4)
    solution.unlock()
    assert solution.solve(0.001, progress=quiet).value[0] == pytest.approx(75, abs=0.2)


def test_a_locked_turn_agrees_with_the_dense_best_responses_to_it() -> None:
    """Locked hands keep their strategy, and the best responses to it are those of the referee."""
    solution = learned(TURN)
    solution.lock(solution.root.play(*LINE), {"QQ": {"call": 0.5, "fold": 0.5}, "A9s": {"fold": 1}})
    node = solution.root.play("check", "check").deal("5c")
    solution.lock(node, {"AsQs": {"check": 1}} if node.player == "ip" else {"7h7d": {"bet 75": 1}})
    solution.engine.learn(steps(0, 10))
    locked = {
        LINE: {name for name in TURN.ranges[0] if name[0] == name[2] == "Q" or name[0] == "A"},
        ("check", "check", "5c"): {"7h7d", "7d7h"},
    }
    referee = Referee(solution, locked)
    assert solution.engine.exploitability() == pytest.approx(referee.exploitability(), abs=1e-5)
    assert solution.engine.exploitability() < Referee(solution).exploitability() - 0.001
    assert solution.root.play(*LINE).strategy["AcKc" if "AcKc" in TURN.ranges[0] else "Ad9d"]["fold"] == 1
    assert solution.root.play("check", "check").deal("5c").strategy["7h7d"]["bet 75"] == pytest.approx(1)


def test_a_lock_that_tells_suits_apart_is_refused_where_they_stand_for_each_other() -> None:
    solution = learned(TURN)
    assert len(solution.engine.orbits.suits) > 1
    message = r"^lock at the root: expected the same strategy for .* and .*, because they differ only in suits that the"
    with pytest.raises(PitbossError, match=message):
        solution.lock(solution.root, {"AdKd" if "AdKd" in TURN.ranges[0] else "Ad9d": {"check": 1}})
    assert not solution.locks
    river = solution.root.play("check", "check").deal("5c")
    solution.lock(river, {"Ad9d": {"check": 1}})  # no card follows
    assert river.seat("oop").names[0] in TURN.ranges[0]


def test_a_lock_holds_on_boards_that_differ_only_in_suits() -> None:
    """The turn has no club and no diamond, so the 5c and the 5d are solved once."""
    solution = learned(TURN)
    solution.lock(solution.root.play("check", "check").deal("5d"), {"Ac9c": {"bet 75": 1}})
    solution.engine.learn(steps(0, 10))
    after = solution.root.play("check", "check")
    assert after.deal("5d").strategy["Ac9c"]["bet 75"] == pytest.approx(1)
    assert after.deal("5c").strategy["Ad9d"]["bet 75"] == pytest.approx(1)
    assert after.deal("5c").strategy["Ac9c"]["bet 75"] < 1


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ({"KK": {"call": 0.5}}, "KK: expected shares that add up to 1, got 0.5"),
        ({"KK": {"call": 1, "fold": 0.5}}, "KK: expected shares that add up to 1, got 1.5"),
        ({"KK": {"call": -1, "fold": 2}}, "KK: call: expected a share from 0 to 1, got -1"),
        ({"KK": {"call": float("nan")}}, "KK: call: expected a share from 0 to 1, got nan"),
        ({"KK": {"raise 50": 1}}, "KK: expected fold or call, got 'raise 50'"),
        ({"KK": 1}, 'KK: expected a share for each action, such as {"fold": 1}, got 1'),
    ],
)
def test_locks_that_do_not_add_up_are_refused_and_change_nothing(hands: Any, message: str) -> None:
    solution = polar()
    before = [array.copy() for array in solution.engine.sides[1].store[:2]]
    with pytest.raises(PitbossError, match=f"^lock after bet 100: {message}$".replace("(", r"\(")):
        solution.lock(solution.root.play("bet 100"), hands)
    assert all(np.array_equal(*pair) for pair in zip(before, solution.engine.sides[1].store[:2], strict=True))
    assert solution.iterations > 0


def test_locks_of_unknown_hands_and_nodes_are_refused() -> None:
    solution = polar()
    node = solution.root.play("bet 100")
    for hands in ({"AA": {"call": 1}}, {"XX": {"call": 1}}):
        with pytest.raises(PitbossError, match="expected a hand of the range such as AhKh, a class such as AKs, or"):
            solution.lock(node, hands)
    with pytest.raises(PitbossError, match="expected hands with strategies"):
        solution.lock(node, {})
    with pytest.raises(PitbossError, match=r"^after bet 100, call: expected a decision, but the hand is over$"):
        solution.lock(node.play("call"), {"KK": {"call": 1}})
    with pytest.raises(PitbossError, match="expected a node of this solution"):
        solution.lock(polar().root, {"AA": {"check": 1}})


def test_locks_are_saved_and_hold_when_the_solve_continues(tmp_path: Path) -> None:
    solution = polar()
    solution.lock(solution.root.play("bet 100"), {"KK": {"call": 1}})
    solution.solve(0.001, progress=quiet)
    for resume in (True, False):
        solution.save(tmp_path / "spot.npz", resume=resume)
        again = load_solution(tmp_path / "spot.npz")
        assert again.locks == [(("bet 100",), {"KK": {"call": 1}})]
        assert (again.value, again.iterations) == (solution.value, solution.iterations)
        assert again.engine.exploitability() == pytest.approx(solution.exploitability, abs=1e-6)
    again = load_solution(tmp_path / "spot.npz")
    again.lock(again.root, {"QQ": {"check": 1}})  # a lock begins anew, so that the regrets are not needed
    assert again.solve(0.001, progress=quiet).value[0] == pytest.approx(100, abs=0.2)


def test_a_spot_has_locks_of_its_own(tmp_path: Path) -> None:
    text = """
        oop = "AA,QQ"
        ip = "KK"
        board = "2c2d7h8s9c"
        pot = 100
        stack = 100
        sizes = { river = { oop = "a", ip = "" } }
        [locks."bet 100"]
        KK = { call = 1 }
        [locks.""]
        AA = { "bet 100" = 0.5, check = 0.5 }
    """
    spot = read_spot(text)
    assert read_spot(write_spot(spot)).locks == spot.locks
    solution = solve(spot, 0.001, progress=quiet)
    assert solution.value[0] == pytest.approx(75, abs=0.1)  # aces win 150 on average, and queens give up
    solution.save(tmp_path / "spot.npz")
    assert load_solution(tmp_path / "spot.npz").locks == solution.locks
    with pytest.raises(PitbossError, match=r"^lock after bet 100: KK: expected shares that add up to 1, got 2$"):
        solve(read_spot(text.replace("call = 1", "call = 1, fold = 1")), 0.1)
    with pytest.raises(PitbossError, match=r"^at the root: expected check or bet 100, got 'bet 50'$"):
        solve(read_spot(text.replace('"bet 100"]', '"bet 50"]')), 0.1)
    with pytest.raises(PitbossError, match=r"^locks: expected hands with strategies by line"):
        read_spot('locks = { "check" = 1 }' + text.partition("[locks")[0])


def test_a_file_with_bad_locks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spot.npz"
    polar().save(path)
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files}
    about = json.loads(arrays["about"].tobytes())
    for locks in (
        1,
        [1],
        [["bet 100"]],
        [["bet 7", {"KK": {"call": 1}}]],
        [["bet 100", {"KK": {"call": 2}}]],
        [[1, {}]],
    ):
        arrays["about"] = np.frombuffer(json.dumps({**about, "locks": locks}).encode(), np.uint8)
        np.savez(path, **arrays)
        with pytest.raises(PitbossError):
            load_solution(path)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_keeps_the_best_that_was_measured_and_it_can_be_saved(threads: int, tmp_path: Path) -> None:
    """The signal comes while both threads learn, at a time that the test does not choose."""
    solution, seen = learned(TURN, threads), list[float]()
    run, calls = solution.engine._run, list[int]()

    def interrupted(*arguments: Any) -> None:
        calls.append(1)
        if len(calls) == 150 * threads:
            signal.raise_signal(signal.SIGINT)
        run(*arguments)

    setattr(solution.engine, "_run", interrupted)  # noqa: B010  # mypy refuses the assignment
    begun = solution.exploitability
    solution.solve(0, 300, progress=lambda state: seen.append(state.exploitability))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert len(calls) > 150 * threads
    assert solution.exploitability == min([begun, *seen])
    assert solution.engine.exploitability() == solution.exploitability
    solution.save(tmp_path / "spot.npz")
    again = load_solution(tmp_path / "spot.npz")
    assert again.engine.exploitability() == pytest.approx(solution.exploitability, abs=1e-7)
    assert again.exploitability == solution.exploitability


def test_an_interrupt_before_the_first_measure_brings_back_what_was_there() -> None:
    solution = learned(TURN)
    before, value, learn = solution.exploitability, solution.value, solution.engine.learn

    def learn_and_stop(numbers: Any) -> None:
        learn(numbers)
        raise KeyboardInterrupt

    setattr(solution.engine, "learn", learn_and_stop)  # noqa: B010  # mypy refuses the assignment
    solution.solve(0, 300, progress=quiet)
    assert (solution.exploitability, solution.value) == (before, value)
    assert solution.engine.exploitability() == before


def test_ctrl_c_before_the_first_iteration_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solve(TURN, 0.01, progress=quiet)
