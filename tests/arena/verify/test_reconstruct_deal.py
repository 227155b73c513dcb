"""The deck that a hand was dealt from, as far as a record shows it: what no deck can be is refused by a sentence."""

import pytest

from pitboss.arena.verify.frames import RecordLine
from pitboss.arena.verify.reconstruction import DealError, ObservedCards, OwnCards, collect_seen_cards, reconstruct_deal
from pitboss.arena.wire import messages as wire
from pitboss.hand.games import DEUCE_TO_SEVEN_TRIPLE_DRAW, NO_LIMIT_HOLDEM, SHORT_DECK_HOLDEM
from pitboss.hand.structure import Structure

STARTED = wire.StartHand(
    hand_id="H-1",
    seed=0,
    button=4,
    stacks=tuple([wire.SeatStack(seat=seat, stack=100) for seat in (1, 4, 6)]),
    commit="00" * 32,
    seq=1,
)
TWICE = "a card was dealt twice, or is not part of the deck"


@pytest.mark.parametrize(
    ("structure", "opened", "words"),
    [
        (NO_LIMIT_HOLDEM, {0: "As", 7: "As"}, TWICE),
        (SHORT_DECK_HOLDEM, {0: "2c"}, TWICE),
        (NO_LIMIT_HOLDEM, {52: "As"}, TWICE),
        (SHORT_DECK_HOLDEM, {36: "As"}, TWICE),
    ],
)
def test_cards_that_no_deck_has_are_refused(structure: Structure, opened: dict[int, str], words: str) -> None:
    with pytest.raises(DealError, match=words):
        reconstruct_deal(structure, STARTED, ObservedCards(opened=opened), None)


def test_cards_are_where_they_were_opened_and_others_anywhere() -> None:
    deck = reconstruct_deal(NO_LIMIT_HOLDEM, STARTED, ObservedCards(opened={0: "2c", 51: "As", 8: "Kd"}), None).deck
    assert (deck[0], deck[8], deck[51]) == ("2c", "Kd", "As")
    assert sorted(deck) == sorted(NO_LIMIT_HOLDEM.deck)


def test_button_is_in_the_hand() -> None:
    with pytest.raises(DealError, match="the button is at seat 4, which is not in the hand"):
        reconstruct_deal(
            NO_LIMIT_HOLDEM,
            wire.StartHand(hand_id="H-1", seed=0, button=4, stacks=(), commit="00" * 32, seq=1),
            ObservedCards(),
            None,
        )


@pytest.mark.parametrize(("drawn", "last"), [(0, True), (37, True), (38, False)])
def test_own_cards_are_last_unless_drawn_after_the_deck_ran_out(drawn: int, last: bool) -> None:
    held, later = ("2c", "3c", "4c", "5c", "7d"), ("2c", "3c", "4c", "5c", "9h")
    seen = ObservedCards(own=[OwnCards(1, 4, held, 0), OwnCards(2, 4, later, drawn)])
    deck = reconstruct_deal(DEUCE_TO_SEVEN_TRIPLE_DRAW, STARTED, seen, None).deck
    assert sorted(deck) == sorted(DEUCE_TO_SEVEN_TRIPLE_DRAW.deck)
    assert (deck[-1] == "9h") == last


def test_showing_other_cards_than_dealt_is_detected() -> None:
    sent = wire.Snapshot(
        at_hand_id="H-1",
        phase="RIVER",
        players=(),
        community=(),
        next_actor=None,
        time_ms_remaining=None,
        pot=0,
        you=wire.SnapshotYou(seat=4, hole=("As", "Kd"), stack=100, to_call=0),
        seq=2,
    )
    for shown, problems in (
        (("As", "Kd"), []),
        (("As", "Kh"), ["line 2, H-1: seat 4: expected the cards As Kd, got As Kh"]),
    ):
        message = wire.Showdown(hand_id="H-1", seat=4, hand=shown, board=(), rank="pair", seq=3, opened=())
        assert collect_seen_cards([RecordLine(1, sent), RecordLine(2, message)])[1] == problems
