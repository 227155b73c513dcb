"""`equity`: known values, exact values by dealing every board, samples, and refused arguments."""

import subprocess
import sys
from itertools import combinations
from typing import Any

import pytest

from pitboss.errors import PitbossError
from pitboss.fast.equity import engine
from pitboss.fast.equity.equity import equity
from tests.support.fast.equities import ask, dealt, shares
from tests.support.for_each import for_each

BOTH = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


# --- known answers


@BOTH
def test_aces_against_kings(compiled: bool) -> None:
    answer = ask("AhAd", "KsKc", compiled=compiled)
    assert [round(share, 6) for share in answer.equity] == [0.812555, 0.187445]
    assert answer.win == (1388072 / 1712304, 317694 / 1712304)
    assert answer.tie == (6538 / 1712304, 6538 / 1712304)
    assert (answer.exact, answer.boards, answer.interval) == (True, 1712304, None)


@BOTH
@pytest.mark.parametrize(
    ("players", "share"),
    [(("AA", "KK"), 0.819461), (("AKs", "QQ"), 0.460485), (("72o", "AA"), 0.118004), (("AKs", "AKs"), 0.5)],
)
def test_classes_against_each_other(players: tuple[str, str], share: float, compiled: bool) -> None:
    answer = ask(*players, compiled=compiled)
    assert answer.exact
    assert answer.equity[0] == pytest.approx(share, abs=1e-6)


def test_aces_against_any_two_cards() -> None:
    answer = ask("AA", "random", compiled=True)
    assert answer.exact
    assert answer.boards == 6 * 1225 * 1712304
    assert answer.equity[0] == pytest.approx(0.852037, abs=1e-6)


# --- every board dealt

QUESTIONS: list[tuple[tuple[Any, ...], dict[str, str]]] = [
    (("AhAd", "KsKc"), {"board": "2c7d9hKhQs"}),
    (("AhAd", "KsKc"), {"board": "2c7d9hKh"}),
    (("AhKh", "QsQc"), {"board": "2h7h9c"}),
    (("AhKh", "QhJh"), {"board": "2h7h9h"}),
    (("AhKh", "QhJh", "6h5h"), {"board": "2h7h9c"}),
    (("8c8d", "AsKs", "9h9d", "JhTh"), {"board": "8h9s2d"}),
    (("2c2d", "3c3d"), {"board": "TsJsQsKsAs"}),
    (("2c2d", "3c3d", "4h4d"), {"board": "TsJsQsKs"}),
    (("AhKh", "QsQc"), {"board": "2h7h9c", "dead": "3h4h5hQd"}),
    (("QQ+", "AKs"), {"board": "2h7h9c3d"}),
    (("KK+, AKs", "76s"), {"board": "8h5c2c4d"}),
    (("AA, KK:0.5", "QQ:0.25, AKs"), {"board": "Kh7h2c5d"}),
    (("AhKh", ["QQ", "JsTs"], {"99": 0.5, "88": 1}), {"board": "2h7h9c3d"}),
    (("AA", "AA"), {"board": "2h7h9c3d"}),
    (("AA", "AK", "KK"), {"board": "2h7h9c3d5s"}),
]


@BOTH
@pytest.mark.parametrize(("players", "settings"), QUESTIONS, ids=str)
def test_equities_equal_those_of_dealing_every_board(
    players: tuple[Any, ...], settings: dict[str, str], compiled: bool
) -> None:
    assert shares(ask(*players, **settings, compiled=compiled)) == dealt(*players, **settings)


@pytest.mark.check
@pytest.mark.parametrize("hands", [("AsKs", "QhQd"), ("9s8s", "9h8h"), ("AsKs", "Ts9s"), ("2c2d", "AhKs")])
def test_preflop_equities_equal_a_count_of_all_boards(hands: tuple[str, str]) -> None:
    """About 1.7 million boards, ranked for both players, must give the same counts."""
    np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    from pitboss.fast.arrays import card_numbers
    from pitboss.fast.evaluate import evaluate

    held = [card_numbers(hand) for hand in hands]
    left = [card for card in range(52) if card not in (*held[0], *held[1])]
    pairs = np.array(list(combinations(left, 2)), np.uint8)
    boards = np.concatenate(
        [_more(np, pairs[pairs[:, 0] > c], np.array([[a, b, c]])) for a, b, c in combinations(left, 3)]
    )
    assert len(boards) == 1712304
    one, other = [evaluate(np.hstack([np.tile(np.array(hand, np.uint8), (len(boards), 1)), boards])) for hand in held]
    answer = equity(*hands)
    assert answer.win == (int((one > other).sum()) / len(boards), int((one < other).sum()) / len(boards))
    assert answer.tie[0] == answer.tie[1] == int((one == other).sum()) / len(boards)


def _more(np: Any, pairs: Any, three: Any) -> Any:
    return np.hstack([np.tile(three.astype(np.uint8), (len(pairs), 1)), pairs])


@pytest.mark.parametrize("players", [("QQ+", "AKs", "76s"), ("AhKh", "JJ, T9s", "JTs")])
def test_plain_and_compiled_agree_before_the_flop(players: tuple[str, ...]) -> None:
    plain, compiled = [ask(*players[:2], compiled=form) for form in (False, True)]
    assert shares(plain) == shares(compiled)
    plain, compiled = [ask(*players, board="2h7h9c", compiled=form) for form in (False, True)]
    assert shares(plain) == shares(compiled)


def test_ten_players() -> None:
    hands = ("AsKs", "QhJh", "9c8c", "7d6d", "AcKc", "TdTs", "2h2c", "3d3c", "5s4h", "7s8d")
    plain, compiled = [ask(*hands, compiled=form) for form in (False, True)]
    assert shares(plain) == shares(compiled)
    assert plain.boards == 201376
    assert shares(ask(*hands, board="2d4c9h", compiled=False)) == dealt(*hands, board="2d4c9h")


# --- exact or sampled


@pytest.mark.check
@BOTH
@pytest.mark.parametrize(
    ("players", "settings"),
    [
        (("AhAd", "KsKc"), {}),
        (("QQ+, AKs:0.5", "76s, 22"), {"board": "8h5c2c"}),
        (("AhKh", "random"), {"board": "2h7h9c"}),
        (("AhKh", "random", "QsQc"), {"board": "2h7h9c3d", "dead": "As"}),
        # drawing one hand after another among those that fit would give AhAd in one of twelve deals, not of seven:
        (("AA", "AhAd, 7c2c"), {"board": "2d8h9s"}),
        (("AA", "AA", "KK, AK"), {"board": "2d8h9s"}),
        (("AA:0.1, 72o", "AA:0.9, 32o"), {"board": "2d8h9sJc"}),
    ],
    ids=str,
)
def test_the_interval_of_a_sample_contains_the_exact_equity(
    players: tuple[str, ...], settings: dict[str, str], compiled: bool
) -> None:
    samples = 200_000 if compiled else 20_000
    exact = ask(*players, **settings, exact=True, compiled=compiled)
    sampled = ask(*players, **settings, samples=samples, seed=5, compiled=compiled)
    assert (sampled.exact, sampled.boards) == (False, samples)
    assert sum(sampled.equity) == pytest.approx(1)
    assert sampled.interval is not None
    for share, (low, high), true in zip(sampled.equity, sampled.interval, exact.equity, strict=True):
        assert 0 <= low <= share <= high <= 1
        reach = (high - low) / 2
        assert abs(share - true) <= 2 * reach  # four standard errors: the seed is fixed, and luck is not a bug
        assert reach < 2 / samples**0.5


@pytest.mark.parametrize("listed", [True, False])
def test_samples_from_a_list_and_from_ranges_agree(monkeypatch: pytest.MonkeyPatch, listed: bool) -> None:
    if not listed:
        monkeypatch.setattr(
            engine, "_listed", lambda made, _groups, most, listed=engine._listed: listed(made, [], most)
        )
    players, settings = ("AA", "AhAd, 7c2c"), {"board": "2d8h9s"}
    exact = ask(*players, **settings, exact=True, compiled=True)
    sampled = ask(*players, **settings, samples=400_000, compiled=True)
    assert sampled.equity == pytest.approx(exact.equity, abs=0.003)


@pytest.mark.check
def test_samples_depend_only_on_the_seed() -> None:
    asked: dict[str, Any] = {"board": "2h7h9c", "samples": 60_000, "seed": 9}
    plain = ask("QQ+", "AKs, 76s", "random", compiled=False, **asked)
    for cores in (1, 2, 3):
        compiled = ask("QQ+", "AKs, 76s", "random", compiled=True, cores=cores, **asked)
        assert compiled.equity == plain.equity
        assert compiled.interval == plain.interval
    other = ask("QQ+", "AKs, 76s", "random", compiled=True, board="2h7h9c", samples=60_000, seed=10)
    assert other.equity != plain.equity


def test_exact_equities_do_not_depend_on_the_cores() -> None:
    answers = [ask("QQ+, AKs:0.5", "76s+", compiled=True, cores=cores) for cores in (1, 2, 5)]
    assert shares(answers[0]) == shares(answers[1]) == shares(answers[2])


def test_slow_equities_are_sampled_unless_exact_is_set() -> None:
    answer = ask("random", "random", board="8h5c2c", samples=1000, compiled=True)
    assert not answer.exact
    assert not ask("random", "random", "random", samples=None, compiled=True).exact
    assert ask("AhAd", "KsKc", exact=False, samples=1000, compiled=False).exact is False
    assert ask("AA", "KK", "QQ", board="2h7h9c", exact=True, compiled=True).exact


def test_ranges_with_few_deals_are_sampled_without_rejections() -> None:
    pairs = [name for name in ("AA", "KK", "QQ", "JJ", "TT") for _ in range(2)]
    answer = ask(*pairs, samples=20_000, compiled=True)
    assert answer.equity[0] == pytest.approx(answer.equity[1], abs=0.02)
    assert sum(answer.equity[:2]) > 0.9


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_constant_sample_has_an_interval(share: float) -> None:
    players = {1.0: ("AhAd", "KsKc"), 0.0: ("KsKc", "AhAd"), 0.5: ("2c2d", "3c3d")}[share]
    board = "TsJsQsKsAs" if share == 0.5 else "AsAc2d"
    answer = ask(*players, board=board, samples=100, compiled=False)
    assert answer.equity[0] == share
    assert answer.interval is not None
    low, high = answer.interval[0]
    assert low <= share <= high
    assert 0.03 < high - low < 0.05


def test_progress_is_reported_to_the_end() -> None:
    for asked in ({"exact": True}, {"samples": 60_000}):
        calls: list[tuple[int, int]] = []
        ask(
            "QQ+", "AKs", board="2h7h9c", compiled=True, progress=lambda *call, calls=calls: calls.append(call), **asked
        )
        assert [done for done, _ in calls] == list(range(1, len(calls) + 1))
        assert {whole for _, whole in calls} == {len(calls)}


def test_players_can_be_given_as_a_list() -> None:
    assert shares(equity(["AhAd", "KsKc"], board="2c7d9h")) == shares(equity("AhAd", "KsKc", board=("2c", "7d", "9h")))


def test_small_equities_do_not_import_numba_or_numpy() -> None:
    code = """
import sys
from pitboss.errors import PitbossError
from pitboss.fast.equity.equity import equity
equity("AhAd", "KsKc")
equity("QQ+, AKs", "76s", board="8h5c2c")
equity("AhAd", "KsKc", "QhJh", board="8h5c2c4d")
equity("AhAd", "KsKc", samples=1000)
print(sorted({"numpy", "numba"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60, text=True)
    assert done.stdout == "[]\n"


# --- invalid questions


@for_each(
    "players, settings, sentence",
    [
        ((), {}, "players: expected 2 to 10, got 0"),
        (("AhAd",), {}, "players: expected 2 to 10, got 1"),
        (("random",) * 11, {}, "players: expected 2 to 10, got 11"),
        (("AhAd", "KsKx"), {}, "'KsKx': expected hands such as"),
        (("AhAd", ""), {}, "range '': expected at least one hand"),
        (("AhAd", "AhKs"), {}, "card Ah appears twice"),
        (("AhAd", "KsKc"), {"board": "2c3dAh"}, "card Ah appears twice"),
        (("AhAd", "KsKc"), {"board": "2c3d4h", "dead": "2c"}, "card 2c appears twice"),
        (("AhAd", "KsKc"), {"dead": "Kc"}, "card Kc appears twice"),
        *((("AhAd", "KsKc"), {"board": "2c3d4h5s6c7d"[: 2 * n]}, f"5 cards, got {n}") for n in (1, 2, 6)),
        (("AhAd", "KsKc"), {"board": "2c3d4x"}, "unknown card '4x'"),
        (("AhAd", "KsKc"), {"board": "2c3d??"}, r"expected a known card such as As, got '\?\?'"),
        (
            ("AhAd", "AA"),
            {"dead": "As"},
            "player 2: no hand of the range is possible: each has a card that is dead, or in the only hand",
        ),
        (
            ("AhAd", "AcAh, AdAs"),
            {"dead": "2c"},
            "each has a card that is in the only hand of another player$",
        ),
        (("KhKd", "AA"), {"board": "AcAdAh"}, "each has a card that is on the board$"),
        (("AhAd", "KK, !KXs, !KK"), {}, "every hand is removed with !"),
        (("AhAd", []), {"dead": "As"}, "player 2: expected at least one hand, but the range is empty"),
        (({"AA": 0}, "KK"), {}, "player 1: expected at least one hand, but the range is empty"),
        ((1, 2), {}, "expected a range as text, .*, got 1"),
        ((None,), {}, "players: expected 2 to 10, got 1"),
        (("AhAd", {5: 1}), {}, "expected a range as text, .*, got 5"),
        (("AhAd", {"KK": None}), {}, "'KK': expected a weight from 0 to 1, got None"),
        (("AhAd", {"KK": float("nan")}), {}, "'KK': expected a weight from 0 to 1, got nan"),
        (("AhAd", ["KK", None]), {}, "expected a range as text, .*, got None"),
        (("AhAd", "KsKc"), {"board": 5}, "expected cards as text, such as Ks7d2c, got 5"),
        (("AhAd", "KsKc"), {"dead": None}, "expected cards as text, such as Ks7d2c, got None"),
        (("AhAd", "KsKc"), {"samples": 5, "seed": "x"}, "seed: expected a whole number, got 'x'"),
        (("AhAd", "AcAs, AhKd"), {"dead": "As"}, "player 2: no hand of the range is possible"),
        (("AA", "AA", "AA"), {}, "the ranges exclude each other"),
        (("random", "AA", "AA", "AA"), {}, "the ranges exclude each other"),
        (("random", "random", "random", "AA", "random", "AA", "random", "AA"), {}, "the ranges exclude each other"),
        (("AhAd", "KsKc"), {"samples": 0}, "samples: expected a whole number from 1, got 0"),
        (("AhAd", "KsKc"), {"samples": 1.5}, "samples: expected a whole number from 1, got 1.5"),
        (("AhAd", "KsKc"), {"cores": 0}, "cores: expected a whole number from 1, got 0"),
        (("AhAd", "KsKc"), {"exact": True, "samples": 5}, "expected exact or samples, got both"),
        (("random",) * 4, {"exact": True}, "up to 3,357,431,190,779,073,408 possible deals, too many to count"),
    ],
    ids=str,
)
def test_invalid_arguments_are_refused(players: tuple[Any, ...], settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PitbossError, match=sentence) as refused:
        equity(*players, **settings)
    assert isinstance(refused.value, ValueError)
    assert "\n" not in str(refused.value)


def test_too_many_dead_cards_are_refused() -> None:
    dead = "".join(rank + suit for rank in "23456789TJQ" for suit in "cdhs")
    with pytest.raises(ValueError, match="2 players need 5 more cards, but the deck has only 4 left"):
        equity("AhAd", "KsKc", dead=dead)
