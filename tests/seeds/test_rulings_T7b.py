"""Ruling T7b, before the deal: a newcomer is dealt in, a player who goes with a blind owes it, and the price stays."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.documents import act, deal, finishing_stacks, join, merge, next_hand, read_back, written_out
from pitboss.documents.fields import Document, DocumentError, read_document, write_document
from pitboss.documents.play import play_actions
from pitboss.formats.phh import PhhError, read_phh, write_phh
from pitboss.formats.phh.standard import to_standard
from pitboss.records.replay import play_record
from tests.support.for_each import for_each
from tests.support.seeds.table_documents import deck, some, wished_before_the_deal

CARDS = deck("2c2d", "3c3d", "4c4d", "5c5d", board="7h8h9sJsKd")
FOUR = some(4, blinds=[1, 2, 0, 0])


def offered(document: Document) -> tuple[str, int | None, bool]:
    """Return the player to act, what a call costs, and whether a check is allowed."""
    playback = play_actions(document)
    offer = playback.hand.offer
    return document.players[playback.lineup.players[playback.hand.round.turn]], offer.call, offer.check


@pytest.mark.parametrize("intent", [1, 2, 3])
def test_ruling_T7b_big_blind_leaves_and_staying_costs_a_full_big_blind(intent: int) -> None:
    gone = wished_before_the_deal(FOUR, "b", intent)
    assert gone.dead_blinds == (0, 0 if intent == 3 else 2, 0, 0)
    dealt = deal(gone, CARDS)
    assert offered(dealt) == ("c", 2, False)
    called = act(dealt, "c", "cc")
    assert offered(called) == ("d", 2, False)
    folded = act(called, "d", "f")
    assert offered(folded) == ("a", 1, False)
    assert play_actions(act(folded, "a", "cc")).finishing_stacks() == (98, 100, 98, 100)


@pytest.mark.parametrize("intent", [2, 3])
def test_ruling_T7b_both_blinds_leave_and_the_flop_is_not_free(intent: int) -> None:
    gone = wished_before_the_deal(wished_before_the_deal(FOUR, "b", intent), "a", intent)
    assert gone.dead_blinds == ((0, 0, 0, 0) if intent == 3 else (1, 2, 0, 0))
    dealt = deal(gone, CARDS)
    assert offered(dealt) == ("d", 2, False)
    called = act(dealt, "d", "cc")
    assert offered(called) == ("c", 2, False)
    assert finishing_stacks(act(dealt, "d", "f")) == (100, 100, 100, 100)


def test_ruling_T7b_the_least_raise_is_over_the_big_blind() -> None:
    dealt = deal(wished_before_the_deal(FOUR, "b", 2), CARDS)
    raises = play_actions(dealt).hand.offer.raise_
    assert raises is not None
    assert raises.min_to == 4


def test_ruling_T7b_heads_up_button_acts_first_without_a_big_blind() -> None:
    dealt = deal(wished_before_the_deal(some(3, blinds=[0, 1, 2]), "c", 2), CARDS)
    assert offered(dealt) == ("b", 1, False)


def test_ruling_N8_heads_up_button_acts_first_with_equal_blinds() -> None:
    dealt = deal(some(2, blinds=[2, 2], _button=1), CARDS)
    assert offered(dealt)[0] == "b"
    record = written_out(dealt)
    assert play_record(record).hand == play_actions(dealt).hand


def test_ruling_T7b_player_who_owes_it_pays_on_return() -> None:
    folded = act(act(deal(wished_before_the_deal(FOUR, "b", 2), CARDS), "c", "f"), "d", "f")
    second = next_hand(folded)
    assert (second.dead_blinds, second.blinds) == ((0, 3, 0, 0), (0, 1, 2, 0))
    back = merge(second, {"players": ["b"], "_intents": [0]}, "b").document
    over = act(act(deal(back, CARDS), "d", "f"), "a", "f")
    third = next_hand(over)
    assert (third.stacks[1], third.dead_money, third.dead_blinds) == (97, 3, (0, 0, 0, 0))


@for_each("who", ["a", "b", "c", "d", "ab", "bc"])
def test_ruling_T7b_the_hand_is_the_same_as_JSON_and_as_PHH(who: str) -> None:
    gone = FOUR
    for name in who:
        gone = wished_before_the_deal(gone, name, 2)
    dealt = deal(gone, CARDS)
    assert read_document(write_document(dealt)) == dealt
    record = read_phh(write_phh(written_out(dealt)))
    assert read_back(record) == dealt
    assert play_record(record).hand == play_actions(dealt).hand


def test_ruling_T7b_price_without_a_post_is_not_expressible_in_other_formats() -> None:
    dealt = deal(wished_before_the_deal(FOUR, "b", 2), CARDS)
    with pytest.raises(PhhError, match="PHH cannot express its price"):
        to_standard(written_out(dealt))


@pytest.mark.parametrize(("seat", "order"), [(2, "bdca"), (4, "bcda"), (6, "bcad")])
def test_ruling_T7b_newcomer_chooses_a_seat_and_is_dealt_in(seat: int, order: str) -> None:
    table = some(3, blinds=[0, 1, 2], seats=[5, 1, 3], seatCount=6, hand=1)
    joined = merge(table, join(table, "d", 100, seat=seat), "d").document
    assert joined.inactive == (0, 0, 0, 0)
    assert joined.blinds == (0, 1, 2, 0)
    playback = play_actions(deal(joined, CARDS))
    assert "".join(joined.players[player] for player in playback.lineup.players) == order
    assert playback.hand.round.chips_in_middle == 3


def test_ruling_T7b_a_newcomer_after_the_deal_waits() -> None:
    dealt = deal(FOUR, CARDS)
    assert merge(dealt, join(dealt, "e", 100), "e").document.inactive == (0, 0, 0, 0, 1)
    given = replace(FOUR, finishing_stacks=FOUR.stacks)
    assert merge(given, join(given, "e", 100), "e").document.inactive == (0, 0, 0, 0, 1)


# --- seats in a document without seat numbers


def client(document: Document, name: str, seats: Any) -> dict[str, Any]:
    """The document of a newcomer who adds themselves to a copy."""
    return {
        "players": [*document.players, name],
        "startingStacks": [*document.stacks, 50],
        "seats": seats,
        "_intents": [*document.intents, 0],
    }


@pytest.mark.parametrize("seats", [[1, 2, 3, 4, 6], [None, None, None, None, 6]])
def test_ruling_T2_a_wish_for_a_seat_where_seats_have_no_numbers(seats: list[int | None]) -> None:
    table = some(4, blinds=[1, 2, 0, 0], seatCount=[6])
    merged = merge(table, client(table, "e", seats), "e")
    assert merged.document.seats == (1, 2, 3, 4, 6)
    assert merged.ignored == ()
    assert read_document(write_document(merged.document)) == merged.document


def test_ruling_T2_a_seat_that_is_taken_or_not_there_is_refused() -> None:
    table = some(4, blinds=[1, 2, 0, 0], seatCount=[6])
    for seat, sentence in ((3, "seat 3 is taken"), (7, "seat: expected 1 to 6, got 7")):
        with pytest.raises(DocumentError, match=sentence):
            merge(table, client(table, "e", [1, 2, 3, 4, seat]), "e")


def test_ruling_T2_without_a_wish_for_a_seat_there_are_still_no_numbers() -> None:
    table = some(4, blinds=[1, 2, 0, 0], seatCount=[6])
    assert merge(table, join(table, "e", 50), "e").document.seats is None


def test_ruling_T5_place_of_a_small_blind_who_left_has_a_number() -> None:
    """b, the big blind, has left: the seat is empty, and e may take it without a charge for any player."""
    table = some(
        5,
        blinds=[1, 2, 0, 0, 0],
        seatCount=6,
        finishingStacks=[100] * 5,
        _intents=[0, 3, 0, 0, 0],
        _inactive=[0, 1, 0, 0, 0],
    )
    table = next_hand(table)
    assert (table.players, table.blinds, table.rest["_smallAfter"]) == (("a", "c", "d", "e"), (0, 2, 0, 0), 0)
    joined = merge(table, join(table, "f", 50, seat=2), "f").document
    assert joined.seats == (1, 3, 4, 5, 2)
    assert joined.rest["_smallSeat"] == 2
    following = next_hand(replace(joined, finishing_stacks=joined.stacks))
    assert following.blinds == (0, 1, 2, 0, 0)


# --- ids, leavers, honest copies, settings


@for_each(
    "hand, following",
    [(9, 10), ("H-9", "H-10"), ("H-2026-11-15-00099", "H-2026-11-15-00100"), ("7", "8"), (None, None)],
)
def test_ruling_T4_the_next_hand_has_the_next_id(hand: int | str | None, following: int | str | None) -> None:
    over = replace(FOUR, finishing_stacks=FOUR.stacks, hand=hand)
    assert next_hand(over).hand == following


@pytest.mark.parametrize("hand", ["final", "", "9-"])
def test_ruling_T4_an_id_that_does_not_count_is_refused(hand: str) -> None:
    over = replace(FOUR, finishing_stacks=FOUR.stacks, hand=hand)
    with pytest.raises(DocumentError, match="expected a number, or text that ends with one, got "):
        next_hand(over)
