"""Rulings T4 (next), T5 (blinds move), T6 (missed blinds) and T7 (return), sentence by sentence."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import DocumentError, from_fields, read_document, write_document
from pitboss.documents.hands import finishing_stacks, is_waiting, next_hand
from pitboss.documents.intents import join, leave, merge, pause, resume, wait_for_big_blind
from pitboss.documents.play import act, deal, play_actions
from pitboss.records.money import Amount
from tests.support.for_each import for_each
from tests.support.seeds.document_table import open_table
from tests.support.seeds.table_documents import (
    after,
    begun,
    blinds_of,
    deck,
    some,
    three,
    wished,
    wished_before_the_deal,
)

FOLDED = ["d dh p1 2c2d", "d dh p2 3c3d", "d dh p3 4c4d", "p1 f", "p2 f"]
CARDS = deck("2c2d", "3c3d", "4c4d", "5c5d")


# --- T4: next needs a finished hand


def test_ruling_T4_a_hand_played_to_its_end_is_finished() -> None:
    following = next_hand(some(3, blinds=[0, 1, 2], actions=FOLDED))
    assert following.stacks == (100, 99, 101)
    assert following.hand == 2


def test_ruling_T4_finishing_stacks_finish_a_hand() -> None:
    following = next_hand(some(3, blinds=[0, 1, 2], actions=FOLDED[:4], finishingStacks=[90, 110, 100]))
    assert following.stacks == (90, 110, 100)


@for_each("actions", [FOLDED[:length] for length in range(5)])
def test_ruling_T4_unfinished_hand_is_refused_and_unchanged(actions: list[str]) -> None:
    document = some(3, blinds=[0, 1, 2], actions=actions)
    before = write_document(document)
    with pytest.raises(DocumentError, match=r"^the hand is not finished: "):
        next_hand(document)
    assert write_document(document) == before


def test_ruling_T4_actions_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(DocumentError, match="action 4: 'p2 f'"):
        next_hand(some(3, blinds=[0, 1, 2], actions=[*FOLDED[:3], "p2 f"]))


def test_ruling_T4_new_hand_begins_with_these_fields() -> None:
    old = some(
        3, blinds=[0, 1, 2], actions=FOLDED, author="a", finishingStacks=[100, 99, 101], seatCount=6, seats=[1, 2, 3],
        currency="EUR", winnings=[0, 0, 3], _deadMoney=0, _note="kept",
    )  # fmt: skip
    new = next_hand(old)
    assert new.hand == 2
    assert new.actions == ()
    assert new.author is None
    assert new.finishing_stacks is None
    assert new.dead_money == 0
    assert (new.seat_count, new.seats) == (6, (1, 2, 3))
    assert dict(new.rest) == {"currency": "EUR", "_note": "kept"}


def test_ruling_T4_dead_money_is_won_once() -> None:
    old = some(3, blinds=[0, 1, 2], actions=FOLDED, _deadMoney=3)
    new = next_hand(old)
    assert new.stacks == (100, 99, 104)
    assert new.dead_money == 0


def test_ruling_T4_players_who_leave_are_removed_first_without_a_charge() -> None:
    old = some(4, blinds=[1, 2, 0, 0], _inactive=[0, 0, 1, 0], _intents=[0, 0, 3, 0], _deadBlinds=[0, 0, 3, 0])
    new = after(old)
    assert new.players == ("a", "b", "d")
    assert new.blinds == (0, 1, 2)
    assert new.dead_money == 0


def test_ruling_T4_player_without_chips_is_out() -> None:
    new = after(some(3, blinds=[0, 1, 2]), 0, 150, 150)
    assert new.players == ("a", "b", "c")
    assert (new.inactive, new.intents) == ((1, 0, 0), (3, 0, 0))
    assert after(new).players == ("b", "c")


def test_ruling_T4_player_with_one_chip_plays_on() -> None:
    new = after(some(3, blinds=[0, 1, 2]), 1, 149, 150)
    assert (new.inactive, new.intents) == ((0, 0, 0), (0, 0, 0))
    assert new.blinds == (2, 0, 1)
    assert play_actions(deal(new, CARDS)).finishing_stacks()[0] == 0


def test_ruling_T4_fewer_than_two_and_the_table_waits() -> None:
    old = some(
        3, blinds=[0, 1, 2], hand=7, _inactive=[0, 1, 1], _intents=[0, 2, 2], _deadBlinds=[0, 1, 0],
        finishingStacks=[90, 110, 100], actions=["d dh p1 2c2d"], author="a",
    )  # fmt: skip
    new = next_hand(old)
    assert new.actions == ()
    assert new.blinds == (0, 1, 2)
    assert new.dead_blinds == (0, 1, 0)
    assert new.stacks == (90, 110, 100)
    assert (new.inactive, new.intents) == ((0, 1, 1), (0, 2, 2))
    assert (new.author, new.finishing_stacks) == (None, None)
    assert new.players == old.players
    assert is_waiting(new)


def test_ruling_T4_waiting_table_keeps_waiting_and_then_plays() -> None:
    """Heads-up b pauses as big blind, the table waits as long as it must, and a has the next big blind."""
    waiting = after(wished(some(2, blinds=[1, 2]), "b", 2))
    assert next_hand(next_hand(waiting)) == waiting
    back = next_hand(wished(waiting, "b", 0))
    assert back.blinds == (2, 1)
    assert (back.inactive, back.intents, back.dead_blinds) == ((0, 0), (0, 0), (0, 0))


def test_ruling_T4_waiting_table_charges_no_player() -> None:
    waiting = after(wished(some(2, blinds=[1, 2]), "b", 2))
    assert waiting.dead_blinds == (0, 0)
    assert waiting.blinds == (1, 2)


def test_ruling_T4_players_leave_a_waiting_table_too() -> None:
    waiting = after(wished(some(2, blinds=[1, 2]), "a", 3))
    assert waiting.players == ("b",)
    assert is_waiting(waiting)


def test_ruling_T4_the_last_player_may_leave() -> None:
    """An empty table is a table that waits."""
    alone = after(wished(some(2, blinds=[1, 2]), "a", 3))
    empty = next_hand(wished(alone, "b", 3))
    assert empty.players == ()
    assert is_waiting(empty)
    assert next_hand(empty) == empty


def test_ruling_T4_an_empty_table_waits() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6)
    assert table.next().document == table.document


def test_ruling_T4_an_abandoned_table_is_taken_over_by_newcomers() -> None:
    table = open_table(small_blind=1, big_blind=2, seat_count=6).sit("a", 100).next().sit("b", 100).next()
    assert table.document.blinds == (1, 2)
    assert table.document.stacks == (100, 100)


def test_ruling_T4_stacks_of_the_hand_also_where_the_table_waits_after_it() -> None:
    """The loser of a heads-up match is out, and the winner waits with all chips."""
    new = after(some(2, blinds=[1, 2]), 0, 200)
    assert new.stacks == (0, 200)
    assert (new.inactive, new.intents) == ((1, 0), (3, 0))
    assert is_waiting(new)


# --- T5: blinds move


def test_ruling_T5_three_players_as_printed() -> None:
    assert blinds_of(three(blindsOrStraddles=[0, 1, 2]), 4) == [(2, 0, 1), (1, 2, 0), (0, 1, 2), (2, 0, 1)]


def test_ruling_T5_two_players_alternate() -> None:
    assert blinds_of(some(2, blinds=[1, 2]), 4) == [(2, 1), (1, 2), (2, 1), (1, 2)]


def test_ruling_T5_newcomer_at_the_end_as_printed() -> None:
    table = some(2, blinds=[1, 2])
    assert after(merge(table, join(table, "c", 100), "c").document).blinds == (0, 1, 2)


@for_each("small", [1, 2, 0, Decimal("0.5")])
@for_each("n", [2, 3, 4, 6])
def test_ruling_T5_each_pays_each_blind_once_an_orbit(n: int, small: Amount) -> None:
    """Also if both blinds have one size, and if there is no small blind at all."""
    table = open_table(small_blind=small, big_blind=2, seat_count=n)
    for name in "abcdef"[:n]:
        table = table.sit(name, 100)
    first = table.next().document
    expected = [[0] * n for _ in range(2 * n)]
    found = [first.blinds, *blinds_of(first, 2 * n - 1)]
    for hand in range(2 * n):
        row: list[Amount] = list(expected[hand])
        row[hand % n], row[(hand + 1) % n] = small, 2
        assert found[hand] == tuple(row)


def test_ruling_T5_equal_blinds_keep_button_and_order_too() -> None:
    first = some(3, blinds=[2, 2, 0], _button=2)
    buttons, table = [], first
    for _ in range(4):
        table = after(table)
        buttons.append(table.button)
    assert buttons == [0, 1, 2, 0]


def test_ruling_T5_equal_blinds_are_distinguished_at_a_waiting_table() -> None:
    """a has the big blind and b the small one, both pause and come back: now b has the big one and a the button."""
    table = some(2, blinds=[2, 2], _button=1)
    waiting = after(wished(wished(table, "a", 2), "b", 2))
    back = next_hand(wished(wished(waiting, "a", 0), "b", 0))
    assert back.blinds == (2, 2)
    assert back.button == 0


def test_ruling_T5_small_blind_is_the_previous_big_blind() -> None:
    """d has left between b and the new big blind; b still posts small."""
    new = after(wished(some(4, blinds=[1, 2, 0, 0]), "c", 3))
    assert new.players == ("a", "b", "d")
    assert new.blinds == (0, 1, 2)


def test_ruling_T5_inactive_small_blind_is_shown_and_not_posted() -> None:
    new = after(wished(some(4, blinds=[1, 2, 0, 0]), "b", 2))
    assert new.blinds == (0, 1, 2, 0)
    assert new.inactive == (0, 1, 0, 0)
    assert play_actions(deal(new, CARDS)).finishing_stacks() == (100, 100, 98, 100)


def test_ruling_T5_small_blind_is_absent_if_that_player_left() -> None:
    new = after(wished(some(4, blinds=[1, 2, 0, 0]), "b", 3))
    assert new.players == ("a", "c", "d")
    assert new.blinds == (0, 2, 0)
    assert new.button == 0
    assert after(new).blinds == (0, 1, 2)


def test_ruling_T5_size_of_the_small_blind_survives_hands_without_one() -> None:
    new = after(wished(some(4, blinds=[1, 5, 0, 0], big=5), "b", 3))
    assert new.blinds == (0, 5, 0)
    assert after(read_document(write_document(new))).blinds == (0, 1, 5)


def test_ruling_T5_big_blind_skips_pausing_players_and_reaches_waiting_ones() -> None:
    table = some(4, blinds=[1, 2, 0, 0])
    assert after(wished(table, "c", 2)).blinds == (0, 1, 0, 2)
    assert after(wished(table, "c", 1)).blinds == (0, 1, 2, 0)


def test_ruling_T5_two_active_of_three_alternate_too() -> None:
    table = some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 2, 0])
    assert blinds_of(table, 4) == [(2, 0, 1), (1, 0, 2), (2, 0, 1), (1, 0, 2)]


@for_each("leaver", ["a", "b", "c"])
@for_each("blinds", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
def test_ruling_T5_exception_when_two_players_remain(leaver: str, blinds: list[int]) -> None:
    """As printed in hand 9: the first posts small and the second big, wherever the blinds were."""
    new = after(wished(some(3, blinds=blinds), leaver, 3))
    assert new.blinds == (1, 2)
    assert new.button == 0


def test_ruling_T5_exception_is_by_the_arrays_not_by_seats() -> None:
    """ "The first in the arrays posts small and the second big", even if the second sits before the first."""
    new = after(wished(some(3, blinds=[0, 1, 2], seats=[1, 6, 3]), "a", 3))
    assert new.players == ("b", "c")
    assert new.blinds == (1, 2)


def test_ruling_T5_exception_only_where_exactly_two_are_left() -> None:
    table = some(4, blinds=[1, 2, 0, 0], _inactive=[0, 0, 1, 0], _intents=[0, 0, 2, 0])
    new = after(wished(table, "d", 3))
    assert new.players == ("a", "b", "c")
    assert new.blinds == (2, 1, 0)  # the big blind moves on from b to a, c pauses


def test_ruling_T5_hand_6_to_7_moves_like_the_others() -> None:
    """The seed prints [0, 1, 2] for hands 6 and 7."""
    table = three(blindsOrStraddles=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 0, 0], _deadBlinds=[0, 3, 0])
    assert after(table).blinds == (2, 0, 1)


def test_ruling_T5_moves_clockwise_by_seats() -> None:
    table = some(4, blinds=[1, 2, 0, 0], seats=[1, 2, 6, 4])
    assert blinds_of(table, 4) == [(0, 1, 0, 2), (0, 0, 2, 1), (2, 0, 1, 0), (1, 2, 0, 0)]


def test_ruling_T5_newcomer_right_after_the_big_blind_has_the_next() -> None:
    table = some(3, blinds=[1, 2, 0], seats=[1, 2, 5], seatCount=6)
    new = after(merge(table, join(table, "d", 100, seat=3), "d").document)
    assert new.blinds == (0, 1, 0, 2)


def test_ruling_T5_first_hand_is_clockwise_too() -> None:
    """c sits between a and b: a posts the small blind and c, the next, the big blind."""
    table = open_table(small_blind=1, big_blind=2, seat_count=6)
    for name, seat in (("a", 1), ("b", 4), ("c", 2)):
        table = table.sit(name, 100, seat=seat)
    assert table.next().document.blinds == (1, 0, 2)


def test_ruling_T5_the_size_of_the_small_blind_is_never_forgotten() -> None:
    """0.5/2: the big blind leaves an idle table, and the next player finds the same blinds."""
    table = open_table(small_blind=Decimal("0.5"), big_blind=2, seat_count=6).sit("a", 100).sit("b", 100).next()
    table = table.wish("b", "leave").next().next().sit("c", 100).next()
    assert table.document.players == ("a", "c")
    assert sorted(table.document.blinds) == [Decimal("0.5"), 2]


def test_ruling_T5_undealt_hand_does_not_let_a_player_skip_their_blind() -> None:
    """b, on the big blind, pauses before the cards and comes back: the blind must not have moved to a."""
    table = some(2, blinds=[1, 2])
    back = next_hand(wished(next_hand(wished_before_the_deal(table, "b", 2)), "b", 0))
    paid = back.dead_money + back.blinds[1]
    assert paid >= 2


# --- the moment between next and the deal


@for_each("player", ["a", "b", "c", "d"])
@for_each("wish", [pause, wait_for_big_blind, leave])
def test_ruling_T3_a_wish_before_the_deal_leaves_a_hand_that_can_be_dealt(player: str, wish: Any) -> None:
    """Any player may go, even the button: the others get their cards."""
    table = some(4, blinds=[1, 2, 0, 0], hand=5)
    gone = merge(table, wish(table, player), player).document
    dealt = deal(gone, CARDS)
    assert [text.split()[2] for text in dealt.actions] == [
        f"p{i + 1}" for i, name in enumerate("abcd") if name != player
    ]


@pytest.mark.parametrize("player", ["a", "b", "c"])
def test_ruling_T3_a_wish_before_the_deal_leaves_a_button_that_plays(player: str) -> None:
    table = some(3, blinds=[0, 1, 2])
    gone = wished_before_the_deal(table, player, 2)
    assert gone.button is not None
    assert gone.players[gone.button] != player
    assert read_document(write_document(gone)) == gone


def test_ruling_T6_big_blind_who_pauses_before_the_deal_owes_it() -> None:
    """Timing does not help: b has not posted the big blind, and then the small one reaches b."""
    table = wished_before_the_deal(some(4, blinds=[1, 2, 0, 0]), "b", 2)
    folded = act(act(deal(table, CARDS), "c", "f"), "d", "f")
    assert finishing_stacks(folded)[1] == 100
    new = next_hand(folded)
    assert new.dead_blinds == (0, 3, 0, 0)


def test_ruling_T6_small_blind_who_pauses_before_the_deal_owes_it() -> None:
    table = wished_before_the_deal(some(4, blinds=[1, 2, 0, 0]), "a", 2)
    folded = act(act(deal(table, CARDS), "c", "f"), "d", "f")
    assert finishing_stacks(folded)[0] == 100
    assert next_hand(folded).dead_blinds == (1, 0, 0, 0)


# --- T6: missed blinds


def test_ruling_T6_big_blind_moves_past() -> None:
    new = after(wished(some(4, blinds=[1, 2, 0, 0]), "c", 2))
    assert new.blinds == (0, 1, 0, 2)
    assert new.dead_blinds == (0, 0, 2, 0)


def test_ruling_T6_small_blind_moves_past() -> None:
    table = after(wished(some(4, blinds=[1, 2, 0, 0]), "c", 2))
    assert after(table).dead_blinds == (0, 0, 3, 0)


def test_ruling_T6_small_blind_lands() -> None:
    new = after(wished(some(4, blinds=[1, 2, 0, 0]), "b", 2))
    assert new.dead_blinds == (0, 1, 0, 0)


def test_ruling_T6_two_in_a_row_are_both_charged() -> None:
    table = wished(wished(some(5, blinds=[1, 2, 0, 0, 0]), "c", 2), "d", 2)
    table = after(table)
    assert table.blinds == (0, 1, 0, 0, 2)
    assert table.dead_blinds == (0, 0, 2, 2, 0)
    assert after(table).dead_blinds == (0, 0, 3, 3, 0)


def test_ruling_T6_a_half_is_of_the_big_blind_not_the_small_ones_size() -> None:
    """0.5 BB for a small blind, whatever the small blind is: 2.5 at 1/5."""
    new = after(wished(some(4, big=5, blinds=[1, 5, 0, 0]), "b", 2))
    assert new.dead_blinds == (0, Decimal("2.5"), 0, 0)


def test_ruling_T6_halves_of_an_odd_blind_are_exact_and_paid_exactly() -> None:
    table = after(wished(some(4, big=5, blinds=[2, 5, 0, 0]), "b", 2))
    back = after(wished(table, "b", 0))
    assert back.stacks == (100, Decimal("97.5"), 100, 100)
    assert back.dead_money == Decimal("2.5")
    assert play_actions(back).hand.round.chips_in_middle == 25 + 20 + 50


def test_ruling_T6_small_blind_past_a_pause_is_charged_also_after_its_owner_went() -> None:
    """b, the big blind, leaves while c pauses: no small blind next hand, and then it moves past c."""
    table = wished(wished(some(5, blinds=[1, 2, 0, 0, 0]), "c", 2), "b", 3)
    table = after(table)
    assert table.players == ("a", "c", "d", "e")
    assert table.blinds == (0, 0, 2, 0)
    assert table.dead_blinds == (0, 2, 0, 0)
    table = after(table)
    assert table.blinds == (0, 0, 1, 2)
    assert table.dead_blinds == (0, 3, 0, 0)


def test_ruling_T6_small_blind_that_did_not_pass_a_player_is_not_owed() -> None:
    """b, the big blind, leaves; a, who posted the small one, pauses a hand later, when it moves from b's place to c."""
    table = after(wished(some(5, blinds=[1, 2, 0, 0, 0]), "b", 3))
    assert table.players == ("a", "c", "d", "e")
    assert table.blinds == (0, 2, 0, 0)
    table = after(wished(table, "a", 2))
    assert table.blinds == (0, 1, 2, 0)
    assert table.dead_blinds == (0, 0, 0, 0)


@pytest.mark.parametrize("intent", [1, 2])
def test_ruling_T6_newcomer_in_an_empty_chair_owes_no_earlier_blind(intent: int) -> None:
    """b, the big blind, leaves; f takes the seat and pauses at once: the small blind moves on from there, not past."""
    table = after(wished(some(5, blinds=[1, 2, 0, 0, 0], seats=[1, 2, 3, 4, 5], seatCount=6), "b", 3))
    wish = {"players": ["f"], "startingStacks": [100], "seats": [2], "_intents": [intent]}
    table = after(merge(begun(table), wish, "f").document)
    assert table.players == ("a", "c", "d", "e", "f")
    assert table.blinds == (0, 1, 2, 0, 0)
    assert table.dead_blinds == (0, 0, 0, 0, 0)


def test_ruling_T6_debts_belong_to_players() -> None:
    table = wished(some(4, blinds=[1, 2, 0, 0]), "c", 2)
    table = after(table)
    table = after(wished(table, "a", 3))
    assert table.players == ("b", "c", "d")
    assert table.dead_blinds == (0, 3, 0)


# --- T7: return


def test_ruling_T7_intent_1_reached_by_the_big_blind() -> None:
    table = some(4, blinds=[1, 2, 0, 0], _inactive=[0, 0, 1, 0], _intents=[0, 0, 1, 0], _deadBlinds=[0, 0, 3, 0])
    new = after(table)
    assert (new.inactive, new.intents, new.dead_blinds) == ((0,) * 4, (0,) * 4, (0,) * 4)
    assert new.stacks == (100, 100, 100, 100)


@pytest.mark.parametrize("position", range(4))
def test_ruling_T7_intent_0_returns_in_any_position(position: int) -> None:
    flags = [int(player == position) for player in range(4)]
    debts = [3 * flag for flag in flags]
    table = some(4, blinds=[1, 2, 0, 0], _inactive=flags, _deadBlinds=debts)
    new = after(table)
    assert new.inactive == (0, 0, 0, 0)
    assert new.stacks == tuple(100 - debt for debt in debts)
    assert new.dead_money == 3


@for_each("ante", [0, 1, Decimal("0.5")])
@for_each("debt", [0, 1, 3])
@for_each("short", [0, Decimal("0.01")])
def test_ruling_T7_stack_must_cover_debt_big_blind_and_ante(ante: Amount, debt: int, short: Amount) -> None:
    table = some(
        4, blinds=[1, 2, 0, 0], antes=[ante] * 4, _inactive=[0, 0, 0, 1], _deadBlinds=[0, 0, 0, debt]
    )  # fmt: skip
    stack = debt + 2 + ante - short
    new = after(table, 100, 100, 100, stack)
    if short:
        assert (new.inactive[3], new.intents[3], new.stacks[3], new.dead_money) == (1, 3, stack, 0)
    else:
        assert (new.inactive[3], new.intents[3], new.stacks[3], new.dead_money) == (0, 0, 2 + ante, debt)


def test_ruling_T7_two_debts_are_in_the_pot_together() -> None:
    table = some(4, blinds=[1, 2, 0, 0], _inactive=[0, 0, 1, 1], _deadBlinds=[0, 0, 3, 1])
    new = after(table)
    assert new.dead_money == 4
    assert new.stacks == (100, 100, 97, 99)


def test_ruling_T7_the_debt_is_won_with_the_pot() -> None:
    table = after(some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _deadBlinds=[0, 3, 0]))
    over = act(act(deal(table, CARDS), "b", "f"), "c", "f")
    assert finishing_stacks(over) == (104, 97, 99)


def test_ruling_T7_a_return_before_the_cards_cannot_be_taken_back_with_the_debt_lost() -> None:
    """G2: b pays 3 and pauses before the deal, and so do all others: the chips stay on the table while it waits."""
    table = after(some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _deadBlinds=[0, 3, 0]))
    for name in "abc":
        table = wished_before_the_deal(table, name, 2)
    waiting = next_hand(table)
    assert sum(waiting.stacks) + waiting.dead_money == 300
    for name in "abc":
        waiting = wished(waiting, name, 0)
    back = next_hand(waiting)
    assert sum(back.stacks) + back.dead_money == 300


def test_ruling_T7_return_on_a_client_function() -> None:
    table = some(3, blinds=[0, 1, 2], _inactive=[0, 1, 0], _intents=[0, 2, 0], _deadBlinds=[0, 3, 0])
    assert merge(table, resume(table, "b"), "b").document.intents == (0, 0, 0)


# --- G1, G2


def test_ruling_G1_tenths_do_not_drift() -> None:
    """0.1 + 0.2 is 0.3, hand after hand."""
    table = from_fields(
        {
            "hand": 1,
            "players": ["a", "b"],
            "startingStacks": [Decimal("10.3"), Decimal("9.7")],
            "blindsOrStraddles": [Decimal("0.1"), Decimal("0.2")],
        }
    )
    for _ in range(50):
        button = "ab"[table.button or 0]
        table = next_hand(act(deal(table, CARDS), button, "f"))
    assert table.stacks == (Decimal("10.3"), Decimal("9.7"))
    assert read_document(write_document(table)) == table


def test_ruling_G2_the_printed_pair_of_hands_needs_finishing_stacks() -> None:
    """T11: blinds were posted from hand 3 to 4 and stacks are printed unchanged; played out, they change."""
    played = three(hand=3, blindsOrStraddles=[0, 1, 2], actions=FOLDED)
    assert next_hand(played).stacks == (50, 99, Decimal("76.25"))
    given = replace(played, finishing_stacks=played.stacks)
    assert next_hand(given).stacks == (50, 100, Decimal("75.25"))
