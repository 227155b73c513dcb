"""`equity` in every game: exact values by dealing every card, samples, laws, and refused arguments."""

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.betting.rules import no_limit
from pitboss.cards import SUITS
from pitboss.errors import PitbossError
from pitboss.fast.equity.equity import Equity, equity
from pitboss.hand.games import OMAHA, STRUCTURES, find_structure
from pitboss.hand.structure import Ranking, Street, Structure
from tests.support.fast.dealt_out import dealt_out, facts
from tests.support.fast.equities import ask
from tests.support.for_each import for_each

BOTH = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])

HOLDEM_HI_LO = Structure(
    name="hold'em hi-lo",
    code="NT/8",
    streets=(Street("PRE_FLOP", hole=2), Street("FLOP", board=3), Street("TURN", board=1), Street("RIVER", board=1)),
    betting=no_limit(),
    showdown=(Ranking("high"), Ranking("low")),
)


# --- every card dealt

DEALT: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
    ("omaha", ("AhAdKhKd", "7c7d8c9c"), {"board": "2h9hTc"}),
    ("omaha", ("AhAdKhKd", "7c7d8c9c"), {"board": "2c9s6c", "dead": "AcAs"}),
    ("omaha", ("AhAdKhKd", "7c7d8c9c", "QsJsTs9s"), {"board": "2s8sTh3s"}),
    ("omaha", ("AhAdKhKd", "7c7d8c9c"), {"board": "2h3h4h5h6h"}),
    ("omaha_hi_lo", ("Ah2dKhKd", "As2c8c9c"), {"board": "3h9h7c"}),
    ("omaha_hi_lo", ("Ah2dKhKd", "As3c8c9c", "4d5d6s7s"), {"board": "2hTh8s8d"}),
    ("five_card_omaha", ("AhAdKhKd2c", "7c7d8c9cTc"), {"board": "2h9hTd4c"}),
    ("six_card_omaha", ("AhAdKhKd2c2s", "7c7d8c9cTc3s"), {"board": "2h9hTd4c"}),
    ("stud", ("AhAdKhKd2c3s", "7c7d8c9cTc3c"), {}),
    ("stud", ("AhAdKhKd2c3s4s", "7c7d8c9cTc"), {"dead": "JdJh8d8h"}),
    ("stud_hi_lo", ("Ah2dKh4d5c3s", "7c7d8c4cTc3c"), {"dead": "6d"}),
    ("stud_hi_lo", ("Ah2dKh4d5c6s", "7c7d8c4cTc3c2c"), {}),
    ("razz", ("Ah2dKh4d5c3s", "7c6d8c4cTc3c"), {}),
    ("single_draw", ("2c3d4h7s", "8c6d5h3s2h"), {}),
    ("single_draw", ("2c3d4h7s", "8c6d5h3s"), {"dead": "KdKh"}),
    ("triple_draw", ("2c3c4c7c", "8c6d5h3s"), {}),
    ("badugi", ("2c3d4h", "8c6d5h"), {}),
    ("badugi", ("2c3d4h", "8c6d5h5s", "AsKsQsJs"), {}),
    ("badugi", ("2c3d", "8c6d5h3s"), {}),
]


@pytest.mark.check
@BOTH
@pytest.mark.parametrize(("game", "players", "settings"), DEALT, ids=str)
def test_equities_equal_those_of_dealing_every_card(
    game: str, players: tuple[str, ...], settings: dict[str, str], compiled: bool
) -> None:
    answer = ask(*players, **settings, structure=game, compiled=compiled)
    assert facts(answer) == dealt_out(find_structure(game), *players, **settings)


@BOTH
def test_short_deck_uses_its_own_deck_and_order(compiled: bool) -> None:
    short = find_structure("short_deck")
    for players, board in ((("AhKh", "QsQc"), "6h7h9c"), (("AhKh", "QsQc", "JsTs"), "QhJhTc9c")):
        answer = ask(*players, board=board, structure=short, compiled=compiled)
        assert facts(answer) == dealt_out(short, *players, board=board)
    ranges = ask("AKs", "66:0.5, 77", board="6h7h9cTs", structure=short, compiled=compiled)
    aces = dict.fromkeys(["AsKs", "AhKh", "AdKd", "AcKc"], Fraction(1))
    pairs = {f"{rank}{a}{rank}{b}": Fraction(1, 2 - (rank == "7")) for rank in "67" for a, b in combinations("cdhs", 2)}
    assert facts(ranges) == dealt_out(short, aces, pairs, board="6h7h9cTs")
    assert ask("AhAd", "KsKc", structure=short, compiled=compiled).boards == 201_376


@BOTH
def test_a_custom_structure_has_equities(compiled: bool) -> None:
    players = ("Ah2d", "3c4c")
    answer = ask(*players, board="5h6cKd", structure=HOLDEM_HI_LO, compiled=compiled)
    assert facts(answer) == dealt_out(HOLDEM_HI_LO, *players, board="5h6cKd")


@BOTH
def test_weights_apply_in_every_game(compiled: bool) -> None:
    one = {"AhAdKhKd": Fraction(1), "AhAdQhQd": Fraction(1, 2)}
    other = {"7c7d8c9c": Fraction(1, 4), "AhTdTc9c": Fraction(3, 4)}
    asked = ("AhAdKhKd, AhAdQhQd:0.5", "[25]7c7d8c9c[/25], AhTdTc9c:.75")
    answer = ask(*asked, board="2h9hTs4c", structure="omaha", compiled=compiled)
    assert facts(answer) == dealt_out(OMAHA, one, other, board="2h9hTs4c")
    assert facts(ask(one, other, board="2h9hTs4c", structure="omaha", compiled=compiled)) == facts(answer)


@BOTH
def test_ranks_without_suits_mean_all_suits(compiled: bool) -> None:
    answer = ask("AAKK", "QhQdJhTd", board="2h9hTs4c", structure="omaha", compiled=compiled)
    hands = [a + b for a in pairs("A") for b in pairs("K")]
    assert facts(answer) == dealt_out(OMAHA, dict.fromkeys(hands, Fraction(1)), "QhQdJhTd", board="2h9hTs4c")
    assert len(hands) == 36


def pairs(rank: str) -> list[str]:
    """Return all pairs of a rank."""
    return [rank + a + rank + b for a, b in combinations(SUITS, 2)]


def test_several_omaha_hands_are_a_set_of_complete_hands() -> None:
    """At least two aces; hands with three aces count once."""
    from pitboss.fast.equity.ranges import read_holdings

    aces = read_holdings("AA", OMAHA)
    assert len(aces) == 6 * 48 * 47 // 2 + 4 * 48 + 1
    assert read_holdings("AAxx", OMAHA) == aces
    assert len(read_holdings("AA, !AAA", OMAHA)) == 6 * 48 * 47 // 2
    assert read_holdings("AhAd", OMAHA) == {"AhAd": 1}


@pytest.mark.check
@pytest.mark.parametrize("hands", [("AhAdKhKd", "7c7d8c9c"), ("AsKsQhJh", "AdKdQdJd")])
def test_omaha_equities_equal_a_count_of_all_boards(hands: tuple[str, str]) -> None:
    """A million boards, ranked for both players, must give the same counts."""
    np = pytest.importorskip("numpy", reason="NumPy is not installed: there are no arrays")
    from pitboss.fast.arrays import card_numbers
    from pitboss.fast.evaluate import evaluate

    held = [card_numbers(hand) for hand in hands]
    left = [card for card in range(52) if card not in (*held[0], *held[1])]
    boards = np.fromiter(combinations(left, 5), np.dtype((np.uint8, 5)), 1_086_008)
    one, other = [evaluate(np.array(hand, np.uint8), game="omaha", board=boards) for hand in held]
    answer = equity(*hands, structure=OMAHA)
    assert (answer.exact, answer.boards) == (True, len(boards))
    assert answer.win == (int((one > other).sum()) / len(boards), int((one < other).sum()) / len(boards))
    assert answer.tie[0] == answer.tie[1] == int((one == other).sum()) / len(boards)


# --- sampled


@pytest.mark.check
@BOTH
@pytest.mark.parametrize(
    ("game", "players", "settings"),
    [
        ("omaha", ("AhAdKhKd", "7c7d8c9c"), {"board": "2h9hTc"}),
        ("omaha_hi_lo", ("Ah2dKhKd", "As2c8c9c"), {"board": "3h9h7c"}),
        ("omaha", ("AhAdKhKd, AhAdQhQd:0.5", "7c7d8c9c:0.25, AhTdTc9c:.75"), {"board": "2h9hTs4c"}),
        ("stud_hi_lo", ("Ah2dKh4d5c", "7c7d8c4cTc3c"), {}),
        ("triple_draw", ("2c3c4c7c", "8c6d5h3s"), {}),
        ("badugi", ("2c3d4h", "8c6d5h", "AsKsQs"), {}),
    ],
    ids=str,
)
def test_the_interval_of_a_sample_contains_the_exact_equity(
    game: str, players: tuple[str, ...], settings: dict[str, str], compiled: bool
) -> None:
    exact = ask(*players, **settings, structure=game, exact=True, compiled=True)
    sampled = ask(*players, **settings, structure=game, samples=100_000 if compiled else 3_000, compiled=compiled)
    assert (exact.exact, sampled.exact) == (True, False)
    assert sum(sampled.equity) == pytest.approx(1)
    assert sampled.interval is not None
    for share, (low, high), true in zip(sampled.equity, sampled.interval, exact.equity, strict=True):
        assert 0 <= low <= share <= high <= 1
        assert abs(share - true) <= high - low  # four standard errors: the seed is fixed, and luck is not a bug


@pytest.mark.check
def test_samples_depend_only_on_the_seed() -> None:
    asked: dict[str, Any] = {"structure": "stud_hi_lo", "samples": 30_000, "seed": 9}
    plain = ask("Ah2dKh", "AA", "random", compiled=False, **asked)
    for cores in (1, 2):
        compiled = ask("Ah2dKh", "AA", "random", compiled=True, cores=cores, **asked)
        assert (compiled.equity, compiled.interval, compiled.parts) == (plain.equity, plain.interval, plain.parts)


def test_slow_equities_are_sampled() -> None:
    assert not ask("AhAdKh", "7c7d8c", structure="stud", compiled=True).exact
    assert not ask("AhAd", "KhKd", structure="omaha", samples=1000, compiled=True).exact
    assert ask("AhAdKh2c", "7c7d8c3d", structure="stud", exact=False, samples=100, compiled=True).exact is False


# --- hand by hand


def test_equities_of_single_hands_add_up_to_that_of_the_range() -> None:
    answer = ask("AhAdKhKd, AhAdQhQd:0.5", "7c7d8c9c", board="2h9hTs4c", structure="omaha", each=True, compiled=False)
    assert answer.combos is not None
    kings, queens = answer.combos[0]
    assert (kings.hand, kings.weight, queens.hand, queens.weight) == ("AhAdKhKd", 1.0, "AhAdQhQd", 0.5)
    assert answer.equity[0] == pytest.approx((kings.equity + queens.equity / 2) / 1.5)
    assert [combo.equity for combo in answer.combos[1]] == [answer.equity[1]]


def test_each_hand_of_a_range_has_its_own_equity() -> None:
    answer = ask("QQ+, AKs:0.5", "AQs", board="8h5c2c", each=True, compiled=False)
    assert answer.combos is not None
    assert [combo.hand for combo in answer.combos[0]] == [
        hand for hand in equity_hands("QQ+, AKs") if hand not in ("8h", "5c")
    ]
    for combo in answer.combos[0]:
        alone = ask(combo.hand, "AQs", board="8h5c2c", compiled=False)
        assert (combo.equity, combo.win, combo.tie, combo.exact) == (*[row[0] for row in shares(alone)], True)


def equity_hands(text: str) -> list[str]:
    """Return the hands of a range."""
    from pitboss.fast.equity.ranges import read_range

    return list(read_range(text))


def shares(answer: Equity) -> tuple[tuple[float, ...], ...]:
    """Return the equity of each player."""
    return answer.equity, answer.win, answer.tie


def test_impossible_hands_are_left_out() -> None:
    answer = ask("AhAd, AhKd", "AdKs, AdKc", board="8h5c2c", each=True, compiled=False)
    assert answer.combos is not None
    assert [combo.hand for combo in answer.combos[0]] == ["AhKd"]
    sampled = ask("AA", "AKs", board="8h5c2c", each=True, samples=2000, compiled=False)
    assert sampled.combos is not None
    assert all(combo.interval is not None and not combo.exact for rows in sampled.combos for combo in rows)


# --- laws

GAMES = ("omaha", "omaha_hi_lo", "five_card_omaha", "short_deck", "stud", "stud_hi_lo", "razz", "single_draw", "badugi")


@st.composite
def spots(draw: st.DrawFn) -> tuple[str, list[str], str]:
    """Return a game, hands of two or three players with few cards to come, and a board."""
    game = draw(st.sampled_from(GAMES))
    structure = find_structure(game)
    players = draw(st.integers(2, 3))
    cards = draw(st.permutations(structure.deck))
    own, common = structure.hole_by_street[-1], structure.board_by_street[-1]
    board, rest = cards[: draw(st.integers(4, common)) if common else 0], cards[common:]
    known = [own if common or p > 1 else own - 1 for p in range(players)]  # few cards to come
    return game, ["".join(rest[own * p : own * p + known[p]]) for p in range(players)], "".join(board)


@settings(max_examples=15)
@given(spots(), st.sampled_from(list(permutations(SUITS))))
def test_equities_do_not_depend_on_suits_or_the_order_of_players(
    spot: tuple[str, list[str], str], suits: tuple[str, ...]
) -> None:
    game, hands, board = spot
    answer = ask(*hands, board=board, structure=game, compiled=False)
    assert answer.exact
    assert sum(answer.equity) == pytest.approx(1)
    if answer.parts is not None:
        assert [sum(both) for both in zip(*answer.parts.values(), strict=True)] == pytest.approx(answer.equity)
    for share, won, tied in zip(*shares(answer), strict=True):
        assert 0 <= won <= share <= won + tied <= 1
    turned = ask(*hands[::-1], board=board, structure=game, compiled=False)
    assert turned.equity == answer.equity[::-1]
    other = [hand.translate(str.maketrans(SUITS, "".join(suits))) for hand in (*hands, board)]
    renamed = ask(*other[:-1], board=other[-1], structure=game, compiled=False)
    assert shares(renamed) == shares(answer)


@settings(max_examples=30)
@given(spots())
def test_plain_and_compiled_agree(spot: tuple[str, list[str], str]) -> None:
    game, hands, board = spot
    plain, compiled = [ask(*hands[:2], board=board, structure=game, compiled=form) for form in (False, True)]
    assert facts(plain) == facts(compiled)


# --- names, and invalid questions


@for_each(
    "name, code",
    [
        ("holdem", "NT"),
        ("Hold'em", "NT"),
        ("no_limit_holdem", "NT"),
        ("omaha", "PO"),
        ("PLO", "PO"),
        ("plo5", "PO5"),
        ("plo6", "PO6"),
        ("omaha_hi_lo", "FO/8"),
        ("omaha-hi-lo", "FO/8"),
        ("O8", "FO/8"),
        ("short deck", "NS"),
        ("stud", "F7S"),
        ("stud hi-lo", "F7S/8"),
        ("razz", "FR"),
        ("badugi", "FB"),
        ("triple_draw", "F2L3D"),
        ("single draw", "N2L1D"),
        ("PLO8", "PO/8"),
        ("7S", "F7S"),
        ("no limit hold'em", "NT"),
    ],
)
def test_game_names_need_no_betting_limit(name: str, code: str) -> None:
    assert find_structure(name).code == code


@for_each("code", STRUCTURES)
def test_every_structure_has_equities(code: str) -> None:
    structure = find_structure(code)
    own = structure.hole_by_street[-1]
    hands = ["".join(structure.deck[own * p + own : own * p + own + own]) for p in range(2)]
    board = "".join(structure.deck[-structure.board_by_street[-1] :]) if structure.board_by_street[-1] else ""
    answer = ask(*hands, board=board, structure=structure, compiled=False)
    assert (answer.exact, answer.boards) == (True, 1)
    assert facts(answer) == dealt_out(structure, *hands, board=board)


WORST_OF_SEVEN = Structure(
    name="worst of seven",
    code="W7",
    streets=(Street("DEAL", hole=7),),
    betting=no_limit(),
    showdown=(Ranking("deuce_to_seven"),),
)


@for_each(
    "structure, players, settings, sentence",
    [
        ("nosuch", ("AA", "KK"), {}, "no game is called 'nosuch'"),
        ("omaha", ("AhAdKhKd",), {}, "players: expected 2 to 10, got 1"),
        ("omaha", ("AhAdKhKd", "AKs"), {}, "pot-limit Omaha: expected the suit of every card or of none, got 'AKs'"),
        ("omaha", ("AhAdKhKd", "AhAdKhKdQd"), {}, "pot-limit Omaha: expected a hand of at most 4 cards, got 5"),
        ("omaha", ("AhAdKhKd", "QQ+"), {}, r"expected cards such as AhAdKhKd or ranks such as AAKK, got 'QQ\+'"),
        ("omaha", ("AhAdKhKd", "15%"), {}, "pot-limit Omaha: expected cards such as .*, got '15%'"),
        ("omaha", ("AhAdKhKd", ""), {}, "range '': expected at least one hand"),
        ("omaha", ("AhAdKhKd", "AhQdQhQs"), {}, "card Ah appears twice"),
        ("omaha", ("AhAdKhKd", "QsQsQhQd"), {}, "a card appears twice"),
        ("omaha", ("AhAdKhKd", "AAAK"), {}, "each has a card that is in the only hand of another"),
        ("omaha", ("AhAdKhKd", "QQQQ, !QQ"), {}, "every hand is removed with !"),
        (
            "omaha",
            ("AhAdKhKd", "7c7d8c9c"),
            {"board": "2c3d"},
            "board of pot-limit Omaha: expected 0, 3, 4, 5 cards, got 2",
        ),
        ("omaha", ("AhAdKhKd", 5), {}, "pot-limit Omaha: expected a hand as text, such as AhKd, got 5"),
        ("omaha", ("AA", "KK"), {"exact": True}, "possible deals, too many to count"),
        ("six_card_omaha", ("AhAd", "AA"), {}, "pot-limit six-card Omaha: too many hands to list in 'AA'"),
        ("razz", ("Ah", "Kh"), {"board": "2c3d4h"}, "limit razz has no board: expected no board cards, got 3"),
        ("stud", ("AhAdKh", "7c7d8c"), {"exact": True}, "18,265,297,050 possible deals, too many"),
        (
            "stud",
            ("Ah, KhKd", "7c7d8c"),
            {},
            "expected hands of one size in a range, got hands of 1 and 2 cards",
        ),
        (
            "stud",
            ("random",) * 8,
            {},
            "8 players need 56 more cards, but the deck has only 52 left",
        ),
        ("short_deck", ("AhAd", "2c2d"), {}, "expected at least one hand, but each has a card that is not in the deck"),
        ("short_deck", ("AhAd", "KK"), {"board": "6c7c2d"}, "card 2d is not in the deck of no-limit short-deck"),
        ("stud", ("AhAd", "KhKd"), {"dead": "Ah"}, "card Ah appears twice"),
        ("badugi", ("2c3d4h/Kd5s", "8c6d"), {}, "expected 4 cards, got 5"),
        ("badugi", ("2c3d4h/2c", "8c6d"), {}, "card 2c appears twice"),
        (
            WORST_OF_SEVEN,
            ("2c3d", "8c6d"),
            {},
            "equities of worst of seven: expected hands of at most 5 cards",
        ),
        (5, ("AA", "KK"), {}, "no game is called '5'"),
    ],
    ids=str,
)
def test_invalid_arguments_are_refused(structure: Any, players: Any, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PitbossError, match=sentence) as refused:
        equity(*players, structure=structure, **settings)
    assert isinstance(refused.value, ValueError)
    assert "\n" not in str(refused.value)


# --- without a compiler


def test_without_numba_fewer_deals_are_counted_and_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.fast import switch
    from pitboss.fast.equity import engine, holdem
    from pitboss.fast.equity.any_game import AnyGame

    for module in (engine, switch):
        monkeypatch.setattr(module, "is_installed", lambda: False)
    for calculator in (AnyGame, holdem.Holdem):
        monkeypatch.setattr(calculator, "plain_samples", 500)
    assert equity("AhAd", "KsKc").exact
    drawn = equity("QQ+", "random")
    assert (drawn.exact, drawn.boards) == (False, 500)
    drawn = equity("AhAdKh", "7c7d8c", structure="stud")
    assert (drawn.exact, drawn.boards) == (False, 500)
    assert equity("2c3d4h7s", "8c6d5h3s2h", structure="single_draw").exact
