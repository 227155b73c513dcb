"""Replay step by step: states, actions, events, names and places, in the record's money."""

from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import (
    Bet,
    BoardDealt,
    Called,
    Check,
    Fold,
    Hand,
    Posted,
    Raise,
    Raised,
    Raked,
    Record,
    ReplayError,
    Won,
    replay,
    replay_leniently,
    replay_steps,
)
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Stakes, blinds
from tests.support.for_each import for_each

D: Any = Decimal  # the types of events have integer amounts, which are chips

CENTS = Record(
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(Decimal("0.05"), Decimal("0.10"), 0),
    min_bet=Decimal("0.10"),
    starting_stacks=(10, Decimal("9.55"), 10),
    actions=(
        "d dh p1 AsAd",
        "d dh p2 ????",
        "d dh p3 KsKd",
        "p3 cbr 0.35",
        "p1 cc",
        "p2 f",
        "d db 2c3c4c",
        "p1 cc",
        "p3 cbr 0.50",
        "p1 cc",
        "d db 5d",
        "p1 cc",
        "p3 cc",
        "d db 9h",
        "p1 cc",
        "p3 cc",
        "p1 sm AsAd",
        "p3 sm KsKd",
    ),
    players=("Ann", "Bo", "Cy"),
    finishing_stacks=(Decimal("10.86"), Decimal("9.45"), Decimal("9.15")),
    user={"_rake": Decimal("0.09")},
)


def test_every_action_is_a_step_with_names_and_places() -> None:
    steps = list(replay_steps(CENTS))
    assert [step.number for step in steps] == list(range(len(CENTS.actions) + 1))
    assert [step.text for step in steps[1:]] == list(CENTS.actions)
    raised = steps[4]
    assert (raised.name, raised.place, raised.player) == ("Cy", 2, 2)
    assert raised.action == Raise(35)
    assert [step.name for step in steps if step.action in (Check(), Bet(50), Fold())] == [
        *("Bo", "Ann", "Cy", "Ann", "Cy", "Ann", "Cy")
    ]
    assert all(step.before is before.hand for before, step in pairwise(steps))


def test_amounts_stacks_and_events_are_exact_in_the_records_money() -> None:
    steps = list(replay_steps(CENTS))
    assert steps[0].events == (Posted(0, D("0.05"), True), Posted(1, D("0.1"), True))
    assert steps[4].events == (Raised(2, D("0.35"), D("0.35")),)
    assert steps[4].bets == (Decimal("0.05"), Decimal("0.1"), Decimal("0.35"))
    assert steps[4].stacks == (Decimal("9.95"), Decimal("9.45"), Decimal("9.65"))
    assert steps[4].pot == Decimal("0.5")
    assert isinstance(steps[5].events[0], Called)
    assert steps[5].events[0].amount == Decimal("0.3")
    assert steps[-1].stacks == CENTS.finishing_stacks == replay(CENTS).finishing_stacks
    assert steps[-1].pot == 0
    assert steps[-1].events[-2:] == (Raked(D("0.09"), 0), Won(0, D("1.71"), 0, "high"))
    assert replay(CENTS).events == tuple(event for step in steps for event in step.events)


def test_board_cards_have_no_place() -> None:
    flop = list(replay_steps(CENTS))[7]
    assert (flop.name, flop.place, flop.player) == (None, None, None)
    assert flop.events[-1] == BoardDealt("FLOP", ("2c", "3c", "4c"))


@for_each(
    "changes, sentence",
    [
        ({"finishing_stacks": (Decimal("10.87"), Decimal("9.45"), Decimal("9.15"))}, "p1 ends with 10.86 by the rules"),
        ({"user": {}}, "p1 ends with 10.95 by the rules, but the record has 10.86"),
        ({"user": {"_rake": Decimal("0.10")}}, "p1 ends with 10.85 by the rules, but the record has 10.86"),
        ({"user": {"_rake": 3}, "finishing_stacks": None}, "the rake is 1.8 by the rules, but the record has 3"),
        ({"user": {"_rake": "much"}}, "_rake: expected an amount from 0, got 'much'"),
    ],
)
def test_finishing_stacks_and_rake_must_match(changes: dict[str, object], sentence: str) -> None:
    record = replace(CENTS, **changes)
    for strict in (replay, lambda record: list(replay_steps(record))):
        with pytest.raises(ReplayError) as raised:
            strict(record)
        assert sentence in str(raised.value)
    if "by the rules" in sentence:
        assert any(sentence in mended for mended in replay_leniently(record).mended)


def test_rake_with_more_digits_than_other_amounts_is_exact() -> None:
    record = replace(CENTS, user={"_rake": Decimal("0.095")}, finishing_stacks=None)
    assert replay(record).finishing_stacks[0] == Decimal("10.855")


def test_lenient_steps_add_missing_actions() -> None:
    record = replace(CENTS, actions=(*CENTS.actions[:5], *CENTS.actions[6:9]), finishing_stacks=None, user={})
    with pytest.raises(ReplayError):
        list(replay_steps(record))
    added = [step for step in replay_steps(record, lenient=True) if step.number and not step.text]
    assert [(step.number, step.name, step.action) for step in added] == [(6, "Bo", Fold()), (9, "Ann", Fold())]


def test_played_hand_becomes_a_record() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(3, 10, 20))
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(500, 400, 30), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    while not hand.over:
        hand, happened = hand.act(hand.legal()[-1])
        events += happened
    record = Record.from_hand(hand, events, players=("Ann", "Bo", "Cy"))
    assert record.starting_stacks == (500, 400, 30)
    assert record.finishing_stacks == hand.stacks
    assert replay(record).finishing_stacks == hand.stacks
