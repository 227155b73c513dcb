"""`equity_of`: hands in progress, in which folded cards are dead and unknown cards can be any."""

import pytest

from pitboss.betting.events import AllIn, Call, Check, Fold
from pitboss.cards import read_cards
from pitboss.errors import PitbossError
from pitboss.fast.equity.equity import equity, equity_of
from pitboss.hand.events import DealHole, Discard
from pitboss.hand.games import BADUGI, NO_LIMIT_HOLDEM, OMAHA, OMAHA_HI_LO, SEVEN_CARD_STUD
from pitboss.hand.hand import Hand
from pitboss.hand.position import PositionError, read_position, write_position
from pitboss.hand.structure import Stakes, Structure, blinds
from pitboss.records.record import Record
from pitboss.records.steps import replay_steps
from tests.support.for_each import for_each


def start(structure: Structure, cards: str, players: int, runs: int = 1) -> Hand:
    """Return a hand whose deck begins with these cards."""
    first = read_cards(cards)
    deck = (*first, *[card for card in structure.deck if card not in first])
    posts = blinds(players, 10, 20)
    hand, _ = Hand.start(
        structure, stacks=(500,) * players, stakes=Stakes(min_bet=20, posts=posts, runs=runs), deck=deck
    )
    return hand


def test_two_hands_before_the_flop() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAdKc", 2)
    assert hand.holes == (("Ah", "Ad"), ("Ks", "Kc"))
    answer = equity_of(hand)
    assert answer.equity == equity(hand).equity == equity("AhAd", "KsKc").equity
    assert answer.exact


def test_steps_and_positions_are_accepted_as_hands() -> None:
    line = "NT 10/20 | FLOP bet p1 board=8s7d5d | p1 970/30 7c9s | p2 970/30 2d8d"
    hand = read_position(line)
    wanted = equity("7c9s", "2d8d", board="8s7d5d").equity
    assert equity(line).equity == equity(write_position(hand)).equity == wanted
    dealt, events = Hand.deal("holdem", stacks=(500, 500), blinds=(10, 20), seed=7)
    over, folded = dealt.act("fold")
    steps = list(replay_steps(Record.from_hand(over, (*events, *folded))))
    assert [equity(step).equity for step in steps[-2:]] == [equity_of(dealt).equity, equity_of(over).equity]
    with pytest.raises(
        PositionError, match=r"^position: expected a game, a moment and at least two players, separated by \|"
    ):
        equity("7c9s | 2d8d")


def test_folded_cards_are_dead_and_folded_players_win_nothing() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAc AdKcAs 2c7d9h", 3)
    hand, _ = hand.act(Fold())
    answer, alone = equity_of(hand), equity("AhAd", "KsKc", dead="AcAs")
    assert answer.equity == (*alone.equity, 0.0)
    assert answer.win == (*alone.win, 0.0)


def test_the_board_counts_and_unknown_cards_can_be_any() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAdKc 2c7d9h", 2)
    hand, _ = hand.act(Call())
    hand, _ = hand.act(Check())
    assert hand.board == ("2c", "7d", "9h")
    assert equity_of(hand).equity == equity("AhAd", "KsKc", board="2c7d9h").equity
    seen = equity_of(hand.view(0))
    assert seen.equity == equity("AhAd", "random", board="2c7d9h").equity
    narrow = equity_of(hand.view(0), ranges={1: "QQ+"})
    assert narrow.equity == equity("AhAd", "QQ+", board="2c7d9h").equity


def test_places_limit_the_calculation_and_other_cards_are_dead() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsQc AdKcQs 2c7d9h", 3)
    answer = equity_of(hand, places=(0, 2))
    alone = equity("AhAd", "QcQs", dead="KsKc")
    assert answer.equity == (alone.equity[0], 0.0, alone.equity[1])
    assert equity_of(hand, places=(1,)).equity == (0.0, 1.0, 0.0)


@pytest.mark.check
def test_omaha_hi_lo_has_the_parts_of_each_ranking() -> None:
    hand = start(OMAHA_HI_LO, "AhAs2d2cKhTdKd9c 3h8h7c", 2)
    hand, _ = hand.act(Call())
    hand, _ = hand.act(Check())
    answer, alone = equity_of(hand), equity(*map("".join, hand.holes), structure=OMAHA_HI_LO, board=hand.board)
    assert (answer.equity, answer.parts) == (alone.equity, alone.parts)


def test_a_board_run_twice_is_the_mean_of_its_runs() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAdKc 2c7d9h", 2, runs=2)
    hand, _ = hand.act(AllIn())
    hand, _ = hand.act(Call())
    assert hand.over
    assert hand.runs is not None
    one, other = hand.runs.boards[0], hand.board
    answer = equity_of(hand)
    alone = [equity("AhAd", "KsKc", board=board).equity for board in (one, other)]
    assert answer.equity == tuple([(a + b) / 2 for a, b in zip(*alone, strict=True)])


@pytest.mark.check
def test_stud_uses_the_cards_dealt_so_far() -> None:
    stakes = Stakes(min_bet=20, bring_in=5)
    deck = (*read_cards("AhKsAdKcAcKd"), *[c for c in SEVEN_CARD_STUD.deck if c not in "AhKsAdKcAcKd"])
    hand, _ = Hand.start(SEVEN_CARD_STUD, stacks=(500, 500), stakes=stakes, deck=deck)
    answer = equity_of(hand, samples=2000, seed=3)
    alone = equity(*map("".join, hand.holes), structure=SEVEN_CARD_STUD, samples=2000, seed=3)
    assert (answer.equity, answer.interval) == (alone.equity, alone.interval)


def test_draw_games_use_the_given_discards() -> None:
    hand = start(BADUGI, "2c8c3d6d4h5hKh3s", 2)
    assert hand.holes == (("2c", "3d", "4h", "Kh"), ("8c", "6d", "5h", "3s"))
    pat = equity_of(hand)
    assert pat.equity == (0.0, 1.0)
    draws = equity_of(hand, discards={0: "Kh"})
    assert draws.equity == equity("2c3d4h/Kh", "8c6d5h3s", structure=BADUGI).equity
    hand, _ = hand.act(Call())
    hand, _ = hand.act(Check())
    hand, _ = hand.act(Discard(("Kh",)))
    hand, _ = hand.act(Discard(("3s",)))
    assert equity_of(hand).equity == equity(*map("".join, hand.holes), structure=BADUGI, dead="3sKh").equity


def test_partly_known_cards() -> None:
    hand, _ = Hand.start(OMAHA, stacks=(500, 500), stakes=Stakes(min_bet=20, posts=blinds(2, 10, 20)))
    hand, _ = hand.act(DealHole(0, read_cards("AhAd????")))
    hand, _ = hand.act(DealHole(1, read_cards("7c7d8c9c")))
    answer = equity_of(hand, samples=2000)
    assert answer.equity == equity("AhAd", "7c7d8c9c", structure=OMAHA, samples=2000).equity


@for_each(
    "settings, sentence",
    [
        ({"places": (0, 5)}, "expected a place in the hand, 0, 1, got 5"),
        ({"ranges": {"a": "AA"}}, "expected a place in the hand, 0, 1, got 'a'"),
        ({"discards": {0: "Ah"}}, "discards of place 0: expected some of its cards, AhAd, got Ah"),
        ({"samples": 0}, "samples: expected a whole number from 1, got 0"),
        ({"dead": "Ah"}, "card Ah appears twice"),
    ],
)
def test_invalid_arguments_are_refused(settings: dict[str, object], sentence: str) -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAdKc", 2)
    with pytest.raises(PitbossError, match=sentence):
        equity_of(hand, **settings)  # type: ignore[arg-type]  # on purpose


def test_a_hand_in_progress_refuses_a_structure_and_a_board() -> None:
    hand = start(NO_LIMIT_HOLDEM, "AhKsAdKc", 2)
    with pytest.raises(PitbossError, match="do not apply to a hand in progress: leave them out"):
        equity(hand, structure="omaha")
