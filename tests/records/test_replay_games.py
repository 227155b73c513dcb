"""Replay of stud and draw: bring-ins, up-cards, a common card, standing pat, hands shown before the last cards."""

import pytest
from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Raised
from pitboss.hand.events import BoardDealt, Discarded, HoleDealt, Shown, UpDealt
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay
from tests.support.for_each import for_each

STUD = Record(
    variant="F7S",
    antes=(1, 1, 1),
    bring_in=2,
    small_bet=4,
    big_bet=8,
    starting_stacks=(100, 100, 100),
    actions=("d dh p1 AsAd9c", "d dh p2 KsKd2c", "d dh p3 QsQd3d", "p2 pb", "p3 cbr 4", "p1 cc", "p2 f"),
)
ALL_IN = replace(
    STUD,
    starting_stacks=(5, 100, 5),
    actions=(
        *STUD.actions,
        *("p1 sm AsAd9c", "p3 sm QsQd3d", "d dh p1 2s", "d dh p3 3s", "d dh p1 4s", "d dh p3 5s", "d dh p1 6s"),
        *("d dh p3 7s", "d dh p1 8s", "d dh p3 9s"),
    ),
)
DRAW = Record(
    variant="N2L1D",
    antes=(0, 0),
    blinds_or_straddles=(1, 2),
    min_bet=2,
    starting_stacks=(50, 50),
    actions=("d dh p1 2c3d4h5s7c", "d dh p2 2d3h4s9dKc", "p2 cc", "p1 cc", "p1 sd", "p2 sd Kc", "d dh p2 8c"),
)
SHOWN = ("p1 cc", "p2 cc", "p1 sm 2c3d4h5s7c", "p2 sm 2d3h4s9d8c")


def fault(record: Record, cap: int | None = None) -> str:
    with pytest.raises(ReplayError) as caught:
        replay(record, cap)
    return str(caught.value)


def after(record: Record, *actions: str) -> Record:
    return replace(record, actions=(*record.actions, *actions))


def instead(record: Record, number: int, action: str) -> Record:
    """Return the record with this action replaced and later actions removed."""
    return replace(record, actions=(*record.actions[: number - 1], action))


def test_bring_in_is_completed_and_cards_are_dealt_up_or_down() -> None:
    rest = ("d dh p1 2s", "d dh p3 5s", "p1 cc", "p3 cbr 4", "p1 f")
    played = replay(after(STUD, *rest))
    assert played.events[3:11] == (
        *(HoleDealt(0, ("As", "Ad")), UpDealt(0, ("9c",)), HoleDealt(1, ("Ks", "Kd")), UpDealt(1, ("2c",))),
        *(HoleDealt(2, ("Qs", "Qd")), UpDealt(2, ("3d",)), BroughtIn(1, 2), Raised(2, 4, 4)),
    )
    assert UpDealt(0, ("2s",)) in played.events
    assert played.finishing_stacks == (95, 97, 108)


def test_bring_in_can_be_completed_immediately_and_cc_means_pb() -> None:
    rest = ("p3 f", "p1 f")
    assert replay(after(instead(STUD, 4, "p2 cbr 4"), *rest)).finishing_stacks == (99, 102, 99)
    assert replay(after(instead(STUD, 4, "p2 cc"), *rest)) == replay(after(instead(STUD, 4, "p2 pb"), *rest))


@for_each(
    "record, sentence",
    [
        (instead(STUD, 4, "p3 pb"), "out_of_turn: it is the turn of p2, not of p3"),
        (instead(STUD, 4, "p2 f"), "bring_in: the first player must pay the bring-in of 2 or complete it to 4"),
        (instead(STUD, 5, "p3 pb"), "nothing_owed: the bring-in is already paid; call instead"),
        (instead(STUD, 4, "p2 cbr 3"), "below_minimum: expected at least 4, got 3"),
        (instead(STUD, 4, "p2 cbr 5"), "above_maximum: expected at most 4, got 5"),
        (instead(STUD, 4, "p2 sd"), "no_such_move: limit seven-card stud has no move 'sd'"),
        (instead(DRAW, 3, "p2 pb"), "no_such_move: no-limit deuce-to-seven single draw has no move 'pb'"),
        (instead(DRAW, 5, "p1 sd 2d"), "not_held: p1 holds 2c3d4h5s7c, not 2d"),
        (instead(DRAW, 5, "p1 sd 2c3d4h5s7c8c"), "too_many_cards: p1 holds 5 cards and cannot change 6"),
        (instead(DRAW, 5, "p1 sd 2c2c"), "card_twice: card 2c appears twice"),
        (instead(DRAW, 5, "p2 sd"), "out_of_turn: it is the turn of p1, not of p2"),
        (instead(DRAW, 5, "p1 cc"), "betting_over: no betting now: cards are being changed"),
        (instead(DRAW, 7, "d dh p2 8c9c"), "too_many_cards: expected at most 1 cards for p2, got 2"),
    ],
)
def test_refusals_name_the_rule(record: Record, sentence: str) -> None:
    number = len(record.actions)
    assert fault(record) == f"action {number}: {record.actions[-1]!r}: {sentence}"


def test_draw_cards_can_be_dealt_after_each_discard_or_after_all() -> None:
    played = replay(after(DRAW, *SHOWN))
    assert [event for event in played.events if isinstance(event, Discarded)] == [
        Discarded(0, ()),
        Discarded(1, ("Kc",)),
    ]
    assert played.finishing_stacks == (52, 48)
    both = (*DRAW.actions[:4], "p1 sd 7c", "d dh p1 6c", "p2 sd Kc", "d dh p2 8c")
    late = (*DRAW.actions[:4], "p1 sd 7c", "p2 sd Kc", "d dh p1 6c", "d dh p2 8c")
    shown = tuple(text.replace("7c", "6c") for text in SHOWN)
    directly = replay(replace(DRAW, actions=(*both, *shown)))
    assert directly.finishing_stacks == replay(replace(DRAW, actions=(*late, *shown))).finishing_stacks == (48, 52)


def test_discarded_card_can_be_dealt_again() -> None:
    own = (*DRAW.actions[:4], "p1 sd 7c", "d dh p1 7c", *DRAW.actions[5:], *SHOWN)
    assert replay(replace(DRAW, actions=own)).finishing_stacks == (52, 48)


def test_hand_shown_early_can_be_shown_again_with_the_last_cards() -> None:
    shown = replay(ALL_IN)
    assert [event for event in shown.events if isinstance(event, Shown)] == [
        Shown(0, ("As", "Ad", "9c")),
        Shown(2, ("Qs", "Qd", "3d")),
    ]
    again = after(ALL_IN, "p1 sm AsAd9c2s4s6s8s", "p3 sm -")
    assert replay(again) == shown
    assert shown.finishing_stacks == (13, 97, 0)


@pytest.mark.parametrize("text", ["p1 sm AsAd9c", "p1 sm AsAd9c2s4s6s8h", "p1 sm", "p2 sm KsKd2c"])
def test_other_shows_after_the_end_are_refused(text: str) -> None:
    assert "no_showdown: no cards can be shown now: the hand is over" in fault(after(ALL_IN, text))


def test_one_common_card_if_the_deck_is_short() -> None:
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [deck[player * 6 : player * 6 + 6] for player in range(8)]
    deals = [f"d dh p{p + 1} {''.join(cards[:3])}" for p, cards in enumerate(hands)]
    actions = [*deals, "p1 pb", *_all_stay(1)[:7]]
    record = replace(STUD, antes=(1,) * 8, starting_stacks=(100,) * 8, actions=tuple(actions))
    for street in (3, 4, 5):
        actions += [f"d dh p{p + 1} {cards[street]}" for p, cards in enumerate(hands)]
        number = len(actions)
        actions.append("p8 cc")
        first = next(p for p in range(8) if _opens(replace(record, actions=(*actions[:number], f"p{p + 1} cc"))))
        actions[number:] = _all_stay(first)
    actions += [f"d db {deck[48]}", *_all_stay(first)]
    actions += [f"p{p + 1} sm {''.join(cards)}" for p, cards in enumerate(hands)]
    played = replay(replace(record, actions=tuple(actions)))
    assert BoardDealt("SEVENTH_STREET", (deck[48],)) in played.events
    assert sum(played.finishing_stacks) == 800
    with pytest.raises(ReplayError, match="too_many_cards: expected at most 0 cards for the board"):
        replay(after(STUD, "d db 2h"))


def _all_stay(first: int) -> list[str]:
    return [f"p{(first + k) % 8 + 1} cc" for k in range(8)]


def _opens(record: Record) -> bool:
    """Whether the last action is in turn."""
    return "out_of_turn" not in fault(record)


def test_a_cap_counts_the_first_bet() -> None:
    raises = ("d dh p1 2s", "d dh p3 5s", "p1 cbr 4", "p3 cbr 8", "p1 cbr 12", "p3 cbr 16", "p1 cbr 20", "p3 f")
    record = after(STUD, *raises)
    assert replay(record).finishing_stacks == replay(record, cap=5).finishing_stacks == (124, 97, 79)
    assert fault(record, cap=4) == "action 14: 'p1 cbr 20': raise_cap: this round already has all 4 raises"
    assert Called(0, 4) in replay(record).events
