"""Seed 004, "Пауза": case A, the pause until the big blind (hands 3, 4, 5), and case B, the early return (6, 7)."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from pitboss.documents.fields import DocumentError, from_fields, to_fields
from pitboss.documents.hands import finishing_stacks, next_hand
from pitboss.documents.intents import merge, pause, resume, wait_for_big_blind
from pitboss.documents.play import act, deal, play_actions
from tests.support.seeds.table_documents import CENTS, after, deck, printed, some, three, with_intent

STATE = ("_inactive", "_intents", "_deadBlinds")
PRINTED_LOG = ["d dh p1 ????", "d dh p2 3s3d", "d dh p3 ????", "p3 cc", "p1 cc"]
HAND_3 = three(
    hand=3,
    blindsOrStraddles=[0, 1, 2],
    actions=["d dh p1 ????", "d dh p2 3s3d", "d dh p3 ????", "p1 cc"],
    _inactive=[0, 0, 0],
    _intents=[0, 0, 0],
)
PAUSED_3 = merge(HAND_3, with_intent(HAND_3, "Player2", 1), "Player2").document
HAND_4 = after(PAUSED_3)
HAND_6 = three(
    hand=6,
    blindsOrStraddles=[0, 1, 2],
    actions=["d dh p1 ????", "d dh p3 ????"],
    _inactive=[0, 1, 0],
    _intents=[0, 2, 0],
    _deadBlinds=[0, 3, 0],
)


# --- case A


def test_004_case_a_hand_3_pause_takes_effect_at_once() -> None:
    """The seed prints this document twice, first with `_inactive` [0, 0, 0]: [0, 1, 0] is meant (T11)."""
    assert printed(PAUSED_3, *STATE) == {"_inactive": [0, 1, 0], "_intents": [0, 1, 0], "_deadBlinds": [0, 0, 0]}
    untouched = {name: value for name, value in to_fields(HAND_3).items() if name not in STATE}
    assert {name: value for name, value in to_fields(PAUSED_3).items() if name not in STATE} == untouched


def test_004_case_a_hand_3_with_the_log_as_printed() -> None:
    """The printed log lets Player3, the big blind, speak first (T11): merged as it is, but it cannot be played."""
    server = three(hand=3, blindsOrStraddles=[0, 1, 2], actions=PRINTED_LOG)
    merged = merge(server, with_intent(server, "Player2", 1), "Player2").document
    assert printed(merged, *STATE) == {"_inactive": [0, 1, 0], "_intents": [0, 1, 0], "_deadBlinds": [0, 0, 0]}
    assert merged.actions == tuple(PRINTED_LOG)
    with pytest.raises(DocumentError, match="it is the turn of p1, not of p3"):
        next_hand(merged)


def test_004_case_a_hand_3_continues_without_player_2() -> None:
    """ "Player2 is paused, so he's not acting": no entry for them, Player3 acts next and the printed flop comes."""
    checked = act(PAUSED_3, "Player3", "cc")
    flop = replace(checked, actions=(*checked.actions, "d db 5cAhQh"))
    assert flop.actions == ("d dh p1 ????", "d dh p2 3s3d", "d dh p3 ????", "p1 cc", "p3 cc", "d db 5cAhQh")
    playback = play_actions(flop)
    assert playback.hand.round.folded == (True, False, False)  # by place: Player2 is first from the button's left
    assert playback.finishing_stacks() == (48, 99, Decimal("73.25"))


def test_004_case_a_hand_3_paused_player_cannot_act_any_more() -> None:
    with pytest.raises(DocumentError, match=r"^'Player2' sits out and cannot act$"):
        act(PAUSED_3, "Player2", "cc")


def test_004_case_a_hand_4_player_2_under_the_gun_owes_no_chips() -> None:
    assert printed(HAND_4, "hand", "players", "startingStacks", "blindsOrStraddles", "antes", "actions", *STATE) == {
        "hand": 4,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 100, Decimal("75.25")],
        "blindsOrStraddles": [2, 0, 1],
        "antes": [0, 0, 0],
        "actions": [],
        "_inactive": [0, 1, 0],
        "_intents": [0, 1, 0],
        "_deadBlinds": [0, 0, 0],
    }


def test_004_case_a_hand_4_plays_as_printed_without_cards_for_player_2() -> None:
    log = ("d dh p1 ????", "d dh p3 ????", "p3 cc", "p1 cc", "d db 5cAhQh")
    playback = play_actions(replace(HAND_4, actions=log))
    assert playback.lineup.players == (0, 2)
    assert playback.finishing_stacks() == (48, 100, Decimal("73.25"))


def test_004_case_a_hand_4_deals_two_hands() -> None:
    dealt = deal(HAND_4, deck("2h2d", "4c4d"))
    assert dealt.actions == ("d dh p1 2h2d", "d dh p3 4c4d")


def test_004_case_a_hand_5_big_blind_brings_player_2_back_free() -> None:
    fifth = after(HAND_4)
    assert printed(fifth, "hand", "players", "startingStacks", "blindsOrStraddles", "antes", "actions", *STATE) == {
        "hand": 5,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 100, Decimal("75.25")],
        "blindsOrStraddles": [1, 2, 0],
        "antes": [0, 0, 0],
        "actions": [],
        "_inactive": [0, 0, 0],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 0, 0],
    }
    assert fifth.dead_money == 0


def test_004_case_a_early_return_from_hand_4_is_free() -> None:
    """ "Если он решит вернуться в игру досрочно - не оплачивает ничего"."""
    back = after(merge(HAND_4, resume(HAND_4, "Player2"), "Player2").document)
    assert back.stacks == (50, 100, CENTS)
    assert printed(back, *STATE) == {"_inactive": [0, 0, 0], "_intents": [0, 0, 0], "_deadBlinds": [0, 0, 0]}
    assert back.dead_money == 0


def test_004_case_a_return_within_hand_3_plays_from_the_next_hand() -> None:
    """ "Доиграть эту игру он уже не сможет, но сможет начать со следующей раздачи без начисления"."""
    back = merge(PAUSED_3, resume(PAUSED_3, "Player2"), "Player2").document
    assert printed(back, *STATE) == {"_inactive": [0, 1, 0], "_intents": [0, 0, 0], "_deadBlinds": [0, 0, 0]}
    with pytest.raises(DocumentError, match=r"^'Player2' sits out and cannot act$"):
        act(back, "Player2", "cc")
    following = after(back)
    assert following.blinds == (2, 0, 1)
    assert following.stacks == (50, 100, CENTS)
    assert printed(following, *STATE) == {"_inactive": [0, 0, 0], "_intents": [0, 0, 0], "_deadBlinds": [0, 0, 0]}


def test_004_case_a_debts_accumulate_for_an_early_return() -> None:
    """ "Мертвые блайнды накапливаются": the small blind reaches Player b, who posted the big one and then paused."""
    fourth = after(some(4, blinds=[1, 2, 0, 0], _inactive=[0, 1, 0, 0], _intents=[0, 1, 0, 0]))
    assert fourth.blinds == (0, 1, 2, 0)
    assert fourth.dead_blinds == (0, 1, 0, 0)
    early = after(merge(fourth, resume(fourth, "b"), "b").document)
    assert early.stacks == (100, 99, 100, 100)
    assert early.dead_money == 1


def test_004_case_a_debts_vanish_with_the_big_blind() -> None:
    table = some(4, blinds=[1, 2, 0, 0], _inactive=[0, 1, 0, 0], _intents=[0, 1, 0, 0])
    for blinds, debt in [((0, 1, 2, 0), 1), ((0, 0, 1, 2), 1), ((2, 0, 0, 1), 1), ((1, 2, 0, 0), 0)]:
        table = after(table)
        assert table.blinds == blinds
        assert table.dead_blinds == (0, debt, 0, 0)
    assert table.inactive == (0, 0, 0, 0)
    assert table.stacks == (100, 100, 100, 100)


# --- case B


def test_004_case_b_hand_6_client_may_change_only_its_intent() -> None:
    wish = with_intent(HAND_6, "Player2", 0)
    merged = merge(HAND_6, wish, "Player2")
    assert printed(merged.document, *STATE) == {
        "_inactive": [0, 1, 0],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 3, 0],
    }
    assert merged.ignored == ()
    cheat = replace(wish, inactive=(0, 0, 0), dead_blinds=(0, 0, 0))
    cheated = merge(HAND_6, cheat, "Player2")
    assert cheated.document == merged.document
    assert cheated.ignored == ("_inactive: only the server can change it", "_deadBlinds: only the server can change it")


def test_004_case_b_hand_7_pays_3_of_100() -> None:
    """97 as printed. The blinds are printed [0, 1, 2] once more; they move like everywhere (T5)."""
    seventh = after(merge(HAND_6, resume(HAND_6, "Player2"), "Player2").document)
    assert printed(seventh, "hand", "players", "startingStacks", "blindsOrStraddles", "antes", *STATE) == {
        "hand": 7,
        "players": ["Player1", "Player2", "Player3"],
        "startingStacks": [50, 97, Decimal("75.25")],
        "blindsOrStraddles": [2, 0, 1],
        "antes": [0, 0, 0],
        "_inactive": [0, 0, 0],
        "_intents": [0, 0, 0],
        "_deadBlinds": [0, 0, 0],
    }
    assert to_fields(seventh)["_deadMoney"] == 3


def test_004_case_b_hand_7_the_three_chips_are_in_the_pot() -> None:
    """T7, G2: the debt is not burnt; the winner of the hand wins it."""
    seventh = after(merge(HAND_6, resume(HAND_6, "Player2"), "Player2").document)
    dealt = deal(seventh, deck("4c4d", "2h2d", "JhJc"))
    assert dealt.actions == ("d dh p1 2h2d", "d dh p2 JhJc", "d dh p3 4c4d")
    assert play_actions(dealt).hand.round.chips_in_middle == 600  # cents: 3 owed, blinds of 2 and 1
    over = act(act(dealt, "Player2", "f"), "Player3", "f")
    assert finishing_stacks(over) == (54, 97, Decimal("74.25"))
    assert sum(finishing_stacks(over)) == 50 + 100 + CENTS


def test_004_case_b_hand_6_small_blind_on_a_pausing_seat_is_shown_and_not_posted() -> None:
    playback = play_actions(HAND_6)
    assert playback.lineup.players == (2, 0)
    assert playback.finishing_stacks() == (50, 100, Decimal("73.25"))


def test_004_case_b_debts_do_not_grow_beyond_the_most() -> None:
    table = HAND_6
    for _ in range(6):
        table = after(table)
        assert table.dead_blinds == (0, 3, 0)


@pytest.mark.parametrize(
    ("big", "half", "most"),
    [(2, 1, 3), (5, Decimal("2.5"), Decimal("7.5")), (Decimal("0.25"), Decimal("0.125"), Decimal("0.375"))],
)
def test_004_case_b_missed_blinds_in_chips(big: int | Decimal, half: int | Decimal, most: int | Decimal) -> None:
    """+0.5 for a missed small blind and +1 for a big one, in chips, exact, at most 1.5 (G1, T6)."""
    table = some(3, big=big, blinds=[0, half, big], _inactive=[0, 1, 0], _intents=[0, 2, 0])
    debts = []
    for _ in range(4):
        table = after(table)
        debts.append(table.dead_blinds[1])
    # b paid the small blind; [2,0,1]: nothing missed; then the big blind passes b, then the small one
    assert debts == [0, big, most, most]


def test_004_case_b_pause_as_client_functions() -> None:
    plain = three(hand=6, blindsOrStraddles=[0, 1, 2])
    assert pause(plain, "Player2").intents == (0, 2, 0)
    assert wait_for_big_blind(plain, "Player2").intents == (0, 1, 0)
    assert resume(pause(plain, "Player2"), "Player2") == plain
    assert pause(plain, "Player2").inactive == (0, 0, 0)


@pytest.mark.parametrize("wish", [pause, wait_for_big_blind, resume])
def test_004_case_b_strangers_have_no_wishes(wish: object) -> None:
    assert callable(wish)
    with pytest.raises(DocumentError, match=r"^players: expected one of Player1, Player2, Player3, got 'Player9'$"):
        wish(HAND_6, "Player9")


@pytest.mark.parametrize(
    ("stack", "inactive", "intent", "left", "debt"),
    [(5, 0, 0, 2, 0), ("4.99", 1, 3, "4.99", 3)],
)
def test_004_case_b_player_without_chips_for_debt_and_blind_is_out(
    stack: int | str, inactive: int, intent: int, left: int | str, debt: int
) -> None:
    """ "Игроки с недостатком фишек для оплаты долгов и блайндов": `_inactive` 1, `_intents` 3, nothing paid (T7)."""
    fields = to_fields(HAND_6) | {"_intents": [0, 0, 0]}
    server = from_fields({name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()})
    seventh = after(server, 50, Decimal(stack), CENTS)
    assert (seventh.inactive[1], seventh.intents[1]) == (inactive, intent)
    assert seventh.stacks == (50, Decimal(left), CENTS)
    assert seventh.dead_blinds[1] == debt
