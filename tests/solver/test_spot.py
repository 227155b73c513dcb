"""Spots, sizes and files: what is read, and what is refused in one sentence."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from pitboss import PitbossError, Prizes, Sizes, Spot, load_solution, read_phh, solve
from pitboss.solver.engine import Engine
from pitboss.solver.files import NEW_SPOT, read_spot, spot_fields, spot_from, write_spot
from pitboss.solver.from_hand import spot_of
from pitboss.solver.sizes import BetSituation, amounts, read_menu, read_sizes
from pitboss.solver.solution import read_solution
from pitboss.solver.tree import build_forests
from tests.support.for_each import for_each

GOOD: dict[str, Any] = {"oop": "AA,QQ", "ip": "KK", "board": "2c2d7h8s9c", "pot": 100, "stack": 200}
RIVER = Sizes(river="50%/50%")


def bets(
    text: str, *, pot: int = 100, rest: int = 500, to_call: int = 0, kind: str = "no_limit", **limits: Any
) -> list[int]:
    """The amounts of a menu on the river."""
    menus = read_sizes(Sizes(river=text, **limits), ("river",))
    at = BetSituation(pot=pot, rest=rest, own=0, to_call=to_call, streets=1, raises=1 if to_call else 0)
    return amounts(menus.by_street["river"][0], at, kind, menus)


def test_sizes_are_percentages_chips_multiples_all_in_and_geometric() -> None:
    assert bets("33%, 94c, a") == [33, 94, 500]
    assert bets("52%", pot=180) == [94]
    assert bets("10%/2.5x, 50%, a", to_call=40) == [100, 130, 500]
    assert bets("e") == [500]
    assert bets("1%") == [1]
    assert bets("50%/3c", to_call=40) == [80]


def test_geometric_bets_get_all_in_on_the_river() -> None:
    sizes = Sizes(flop="e", turn="e", river="e")
    flop, *others = build_forests(Spot(oop="AA", ip="KK", board="2c7d9h", pot=100, stack=1300, sizes=sizes))
    called = next(number for number, leaf in enumerate(flop.leaves) if leaf.chips)
    turn, river = others[2 * called : 2 * called + 2]
    raised = next(number for number, leaf in enumerate(turn.leaves) if leaf.chips > 100)
    assert flop.nodes[0].actions[1] == "bet 100"
    assert turn.nodes[0].actions[1] == "bet 300"
    assert river.nodes[river.roots[raised].number].actions[1] == "bet 900"


def test_limits_of_sizes() -> None:
    assert bets("50%, 90%", rest=100, all_in_threshold=0.85) == [50, 100]
    assert bets("50%/50%", to_call=50, max_raises=2) == [150]
    assert bets("50%/50%", to_call=50, max_raises=1) == []
    assert bets("200%", kind="pot_limit") == [100]
    assert bets("20c/20c", to_call=20, kind="limit") == [40]


def test_a_donk_menu_is_used_only_into_the_last_raiser() -> None:
    sizes = Sizes(turn="50%", river="75%", donk={"river": "20%"})
    turn, river = build_forests(Spot(oop="AA", ip="KK", board="2c7d9h8s", pot=100, stack=1000, sizes=sizes))
    first = {leaf.raiser: river.nodes[root.number].actions for leaf, root in zip(turn.leaves, river.roots, strict=True)}
    assert first == {-1: ["check", "bet 75"], 0: ["check", "bet 150"], 1: ["check", "bet 40"]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pot": 0}, "pot: expected whole chips from 1 to 1,000,000,000, got 0"),
        ({"stack": 1.5}, "stack: expected whole chips from 0 to 1,000,000,000, got 1.5"),
        ({"board": "2c2c7h8s9c"}, "board: card 2c appears twice"),
        ({"board": "2c7h"}, "board: expected three to five known cards of the deck, got '2c7h'"),
        (
            {"board": "2c2d7h8s9x"},
            "board: unknown card '9x': write a rank of 23456789TJQKA and a suit of cdhs, such as As",
        ),
        ({"oop": "2c2d"}, "oop: expected at least one hand, but each contains a card of the board"),
        ({"oop": "AAX"}, "oop: "),
        (
            {"oop": "AhKh", "ip": "AhQh"},
            "ranges: expected hands that can meet, but each hand of one has a card of all of",
        ),
        ({"game": "omaha"}, "game: expected one of no_limit_holdem, "),
        ({"rake": (5,)}, "rake: expected a percentage and a cap in chips, such as (5, 300), got (5,)"),
        ({"rake": (500, 1)}, "rake: expected a percentage and a cap in chips, such as (5, 300), got (500, 1)"),
        (
            {"icm": Prizes((200, 1e-300), (1, 0))},
            "icm: expected stacks of 0, or from 0.01 to 1,000,000,000, got 1e-300",
        ),
        ({"icm": Prizes((200, 200), cast(Any, ({},)))}, "icm: expected payouts of 0, or from 0.01 to 1,000,000,000"),
        ({"ip": {"KK": "1/0"}}, "ip: 'KK': expected a weight from 0 to 1, got 1/0"),
        ({"icm": Prizes((200, 100), (1, 0))}, "icm: expected the smaller of the first two stacks to be the stack of"),
        (
            {"sizes": Sizes(river="")},
            'sizes: expected at least one bet, such as river="50%", got none, so there is nothing',
        ),
        ({"sizes": Sizes()}, 'sizes: expected bets for the river, such as river="50%/50%", got none'),
        ({"sizes": "50%"}, "sizes: expected Sizes(flop=..., turn=..., river=...), got '50%'"),
    ],
)
def test_bad_spots_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PitbossError, match="^" + re.escape(message)) as refused:
        Spot(**{**GOOD, "sizes": RIVER, **changes})
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": -1}, "target: expected a number from 0, got -1"),
        ({"target": 0}, "target: expected a share of the pot above 0, such as 0.003, or seconds"),
        ({"seconds": "long"}, "seconds: expected a number from 0, got 'long'"),
        ({"threads": 0}, "threads: expected a whole number from 1, got 0"),
        ({"storage": "8-bit"}, "storage: expected float or 16-bit, got '8-bit'"),
    ],
)
def test_bad_goals_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PitbossError, match="^" + re.escape(message)):
        solve(Spot(**GOOD, sizes=RIVER), **arguments)


@for_each(
    "given, message",
    [
        ({"river": "50"}, "sizes of the river: expected a size, got '50': write sizes as in 33%, 94c, 2.5x"),
        ({"flop": "2x"}, "sizes of the flop: expected bets in % or chips, got '2x': 2.5x is for raises"),
        ({"river": "5%/"}, "sizes of the river: expected raises after the slash, got '5%/'"),
        ({"river": {"oop": "5%"}}, "sizes of the river: expected a text, or one for oop and one for ip"),
        ({"turn": 5}, "sizes: turn: expected a table, got 5"),
        ({"river": "5%", "max_raises": -1}, "max_raises: expected a whole number from 0, got -1"),
        ({"river": "5%", "all_in_threshold": 2}, "all_in_threshold: expected a share of the stack above 0"),
        ({"river": "5%", "donk": {"flop": "5%"}}, "sizes: expected donk bets for turn or river, got 'flop'"),
    ],
)
def test_bad_sizes_are_refused_by_sizes_alone(given: dict[str, Any], message: str) -> None:
    with pytest.raises(PitbossError, match="^" + re.escape(message)):
        Sizes(**given)


def test_a_spot_larger_than_memory_is_refused_before_anything_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = Sizes(turn="50%", river="50%, 100%/60%")
    engine = Engine(Spot(**{**GOOD, "board": "2c2d7h8s"}, sizes=sizes))
    free = int(0.6 * engine.estimate())
    monkeypatch.setattr("pitboss.solver.engine.free_memory", lambda: free)
    message = r"MB, and .* MB are free: it fits with 16-bit storage \(.* MB\), or without raises on the river \(.* MB\)"
    with pytest.raises(PitbossError, match=message):
        engine.allocate()
    assert not hasattr(engine, "sides")
    monkeypatch.setattr("pitboss.solver.engine.free_memory", lambda: 1000)
    with pytest.raises(PitbossError, match="use smaller ranges or a later street; even with 16-bit storage it needs 0"):
        solve(engine.spot, 0.1)


def test_the_memory_is_estimated_before_it_is_allocated() -> None:
    for storage in ("float", "16-bit"):
        engine = Engine(Spot(**{**GOOD, "board": "2c2d7h8s"}, sizes=Sizes(turn="50%", river="50%/50%")), storage)
        estimate = engine.estimate()
        engine.allocate()
        assert engine.memory <= estimate <= 1.6 * engine.memory
        assert 0 < engine.estimated_seconds(0.003) < engine.estimated_seconds(0.001) < 10


def test_too_many_decisions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.solver.tree.MOST_NODES", 500)
    many = ", ".join(f"{size}%" for size in range(1, 13))
    sizes = Sizes(flop=f"{many}/{many}", turn=f"{many}/{many}", river=f"{many}/{many}")
    with pytest.raises(
        PitbossError, match=r"^sizes: expected at most 200,000 decisions, got more: leave out some sizes"
    ):
        Engine(Spot(oop="AA", ip="KK", board="2c7d9h", pot=100, stack=10**6, sizes=sizes))


def test_a_spot_is_written_and_read_as_the_same() -> None:
    sizes = Sizes(river={"oop": "50%", "ip": "a/2.5x"}, max_raises=2, all_in_threshold=0.8)
    spot = Spot(**{**GOOD, "ip": {"KK": 0.5}}, sizes=sizes, rake=(5, 10))
    again = spot_from(json.loads(json.dumps(spot_fields(spot))))
    assert again.ranges == spot.ranges
    assert spot_fields(again) == spot_fields(spot)


def test_the_new_spot_can_be_read() -> None:
    assert read_spot(NEW_SPOT).cards == ("Qs", "Jh", "2h", "8d", "3c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oop = ", "spot: expected TOML, got "),
        ('oop = "AA"', "spot: expected the key ip; `pitboss solve --new SPOT.toml` writes an example"),
        ("sise = 1", "spot: expected one of oop, ip, board, pot, stack, sizes, game, rake, icm, locks, got 'sise'"),
        (NEW_SPOT.replace("river =", "rivre ="), "sizes: expected one of flop, turn, river, donk, max_raises, all_in"),
        ("x" * (1 << 21), "spot: expected at most 1,048,576 bytes, got 2,097,152"),
    ],
)
def test_bad_spot_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(PitbossError, match="^" + re.escape(message)):
        read_spot(text)


def saved(folder: Path) -> Path:
    """A small solution."""
    solve(Spot(**GOOD, sizes=RIVER), 0.1, progress=lambda _state: None).save(folder / "spot.npz")
    return folder / "spot.npz"


def changed(path: Path, **members: Any) -> bytes:
    """The bytes of a solution with other members; None leaves one out."""
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files} | members
    data = io.BytesIO()
    np.savez(data, **{name: array for name, array in arrays.items() if array is not None})
    return data.getvalue()


def test_a_spot_is_written_as_toml_and_read_again() -> None:
    sizes = Sizes(flop={"oop": "33%", "ip": "a/2.5x"}, turn="e", river="", donk={"turn": "20%"}, max_raises=2)
    spot = Spot(
        oop={"AA": 1, "KhKd": 0.25}, ip="[50]QQ[/50]", board="2c7d9h", pot=90, stack=70, sizes=sizes, rake=(5, 9)
    )
    again = read_spot(write_spot(spot))
    assert spot_fields(again) == spot_fields(spot)
    assert again.ranges == spot.ranges


RECORD = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 120, 200]
actions = [
  "d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 6", "p1 f", "p2 cc", "d db 2c7d9h",
  "p2 cc", "p3 cbr 8", "p2 cc",
  "d db Ts", "p2 cc", "p3 cc", "d db 3s", "p2 cbr 20", "p3 f",
]
"""


def test_the_spot_of_a_recorded_hand_is_that_at_the_beginning_of_a_street() -> None:
    record = read_phh(RECORD)
    for street, pot, stack, board in (("flop", 13, 114, "2c7d9h"), ("river", 29, 106, "2c7d9hTs3s")):
        spot = spot_of(record, street, ip="AA")
        assert (spot.pot, spot.stack, "".join(spot.cards), spot.ip) == (pot, stack, board, "AA")
    with pytest.raises(PitbossError, match=r"^street: expected flop, turn, river, got 'preflop'$"):
        spot_of(record, "preflop")


@for_each(
    "text, street, message",
    [
        (RECORD.replace('"p1 f"', '"p1 cc"').replace('"d db 2c7d9h",', '"d db 2c7d9h", "p1 f",'), "turn", ""),
        (
            RECORD.replace('"p1 f"', '"p1 cc"').replace('"d db 2c7d9h",', '"d db 2c7d9h", "p1 f",'),
            "flop",
            "two players",
        ),
        (
            RECORD.partition('"p2 cc", "p3 cbr 8"')[0] + '"p2 cc", "p3 cbr 8", "p2 f"]',
            "turn",
            "expected a hand in which players bet on the turn, but this one",
        ),
        (
            RECORD.partition('"p3 cbr 6"')[0] + '"p3 f", "p1 f"]',
            "flop",
            "expected a hand in which players bet on the flop, but this",
        ),
    ],
)
def test_recorded_hands_without_such_a_spot_are_refused(text: str, street: str, message: str) -> None:
    if not message:
        assert spot_of(read_phh(text), street).pot == 34
        return
    with pytest.raises(PitbossError, match=message):
        spot_of(read_phh(text), street)


def test_bad_solution_files_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with np.load(path) as found:
        about, sums = json.loads(found["about"].tobytes()), found["sums0"]
    other = np.frombuffer(json.dumps({**about, "version": 99}).encode(), np.uint8)
    larger = np.frombuffer(json.dumps({**about, "spot": {**about["spot"], "ip": "KK,JJ"}}).encode(), np.uint8)
    for data, message in (
        (b"not a file", "expected a solution saved by pitboss, got File is not a zip file"),
        (changed(path, about=None), "expected a solution saved by pitboss, got a file without about"),
        (changed(path, about=other), "expected version 1 of the format, got 99: solve the spot again"),
        (changed(path, about=larger), "expected"),
        (changed(path, sums0=np.array([{}], object)), "expected numbers in sums0, got Object arrays cannot be loaded"),
        (changed(path, sums0=sums[:-1]), f"expected {sums.size} numbers in sums0, got {sums.size - 1}"),
        (changed(path, sums0=sums * np.float32("nan")), "expected finite numbers in sums0"),
        (changed(path, sums0=np.zeros(10**6)), f"expected at most {sums.nbytes:,} bytes in sums0, got 8,000,128"),
        (path.read_bytes()[:-100], "expected a solution saved by pitboss, got"),
    ):
        with pytest.raises(PitbossError, match="^solution: " + re.escape(message)):
            read_solution(io.BytesIO(data))


def test_a_solution_without_regrets_is_smaller_and_cannot_be_continued(tmp_path: Path) -> None:
    solution = load_solution(saved(tmp_path))
    solution.save(tmp_path / "small.npz", resume=False)
    small = load_solution(tmp_path / "small.npz")
    assert small.value == pytest.approx(solution.value)
    assert set(zipfile.ZipFile(tmp_path / "small.npz").namelist()) == {"about.npy", "sums0.npy", "sums1.npy"}
    with pytest.raises(PitbossError, match=r"^this solution was saved without what a longer solve needs"):
        small.solve(0.001)


def test_menus_are_read() -> None:
    assert read_menu("", "river") == ((), ())
    assert [size.kind for size in read_menu("A, 33.5%/E", "river").bets] == ["a", "%"]
