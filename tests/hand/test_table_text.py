"""A hand printed: a small table for every kind of game, with all that may be seen and never the deck."""

import re

from rich.pretty import pretty_repr

from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure, blinds
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_answer, some_table

HOLDEM = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)[0]


def after(hand: Hand, *actions: str) -> Hand:
    """The hand after these actions."""
    for action in actions:
        hand, _ = hand.act(action)
    return hand


def test_holdem_with_a_fold_an_all_in_and_side_pots() -> None:
    assert str(after(HOLDEM, "all in", "raise 90", "call", "bet 100")).splitlines() == [
        "no-limit hold'em, blinds 10/20, FLOP, pot 310, price 100",
        "board  8s 7d 5d",
        "      stack  bet  cards",
        "  p1    810  100  7c 9s",
        "> p2    910       2d 8d",
        "  p3      0       Ks 6c  button, all-in",
        "pots   90 for p1 p2 p3, 220 for p1 p2",
        "p2 may fold, call 100 or raise to 200-910",
    ]
    assert str(after(HOLDEM, "call", "fold", "check")).splitlines()[3:] == [
        "  p1    990  7c 9s  folded",
        "> p2    980  2d 8d",
        "  p3     10  Ks 6c  button",
        "p2 may fold, check or bet 20-980",
    ]


def test_a_view_has_others_cards_as_question_marks() -> None:
    assert str(HOLDEM.view(1)).splitlines()[3:6] == [
        "  p1    990   10  ?? ??",
        "  p2    980   20  2d 8d",
        "> p3     30       ?? ??  button",
    ]


def test_stud_has_down_cards_in_brackets() -> None:
    hand, _ = Hand.deal("seven_card_stud", stacks=(200, 200), ante=2, bring_in=5, min_bet=20, seed=4)
    hand = after(hand, "bring in", "complete", "call", *["check"] * 6)
    assert str(hand.view(0)).splitlines() == [
        "limit seven-card stud, ante 2, bring-in 5, bets 20/40, SEVENTH_STREET, pot 44",
        "      stack  cards",
        f"> p1    178  {bracketed(hand, 0)}",
        f"  p2    178  {bracketed(hand.view(0), 1)}  button",
        "p1 may fold, check or bet 40",
    ]
    assert bracketed(hand.view(0), 1).startswith("(?? ??) ")
    assert bracketed(hand.view(0), 1).endswith(" (??)")


def bracketed(hand: Hand, place: int) -> str:
    cards = hand.holes[place]
    return f"({' '.join(cards[:2])}) {' '.join(cards[2:6])} ({cards[6]})"


def test_draw_states_the_number_of_cards_allowed() -> None:
    hand, _ = Hand.deal("badugi", stacks=(500, 500), blinds=(5, 10), seed=1)
    assert str(after(hand, "call", "check")).splitlines() == [
        "limit badugi, blinds 5/10, bets 10/20, DRAW_1, pot 20",
        "      stack  cards",
        "> p1    490  9d Ah 8d Kh",
        "  p2    490  Js 8c Qc 9h  button",
        "p1 may discard up to 4 cards or stand pat",
    ]


def test_every_board_of_several_runs_is_there() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20), runs=2)
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=stakes, deck=DECK)
    assert str(after(hand, "all in", "call")).splitlines() == [
        "no-limit hold'em, blinds 10/20, SHOWDOWN, over",
        "board 1  3c 3d 3h 3s 4c",
        "board 2  4d 4h 4s 5c 5d",
        "      stack  cards",
        "  p1    100  2c 2h  shown",
        "  p2    100  2d 2s  button, shown",
        "the hand is over",
    ]


def test_cards_to_be_dealt_are_counted_out() -> None:
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=Stakes(min_bet=2, posts=blinds(2, 1, 2)))
    assert str(hand).splitlines()[-1] == "cards are to be dealt: 2 to p1, 2 to p2"
    hand = after(hand, "deal p1 AsKd", "deal p2 ??", "deal p2 ??", "all in", "call")
    assert str(hand).splitlines()[-1] == "cards are to be dealt: 3 to the board"


def test_repr_is_short_and_has_no_cards() -> None:
    assert repr(HOLDEM) == "<Hand: no_limit_holdem, 3 players, PRE_FLOP, pot 30, p3's turn>"
    assert pretty_repr(HOLDEM) == repr(HOLDEM)
    assert repr(after(HOLDEM, "fold", "fold")) == "<Hand: no_limit_holdem, 3 players, PRE_FLOP, pot 0, over>"


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_deck_is_never_printed_but_the_board_is(structure: Structure) -> None:
    """At every moment of random play the cards in the text are those of the players and boards, and no others."""
    for seed in range(3):
        chance = Chance(seed)
        hand, _ = some_table(chance, structure, house=True).deal()
        while True:
            text = str(hand)
            printed = re.findall(r"\b[2-9TJQKA][cdhs]\b", text)
            boards = (hand.board,) if hand.runs is None else (*hand.runs.boards, hand.board)
            assert sorted(printed) == sorted(card for cards in (*hand.holes, *boards) for card in cards)
            assert [line[0] == ">" for line in text.splitlines()].count(True) == isinstance(hand.turn, PlayersTurn)
            assert repr(hand).count("\n") == 0
            if hand.over:
                break
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[seed]))
