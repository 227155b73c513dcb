"""The one written form of actions and events: what is written is read again, and what is neither is refused."""

import pytest

from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise, RaiseBy
from pitboss.chance import Chance
from pitboss.hand.events import (
    Action,
    ActionError,
    ChooseRuns,
    DealBoard,
    DealHole,
    Discard,
    EventError,
    Muck,
    Show,
    read_action,
    read_event,
    write_action,
    write_event,
)
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import Structure
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_answer, some_table

WRITTEN: dict[str, Action] = {
    '{"type":"fold"}': Fold(),
    '{"type":"check"}': Check(),
    '{"type":"call"}': Call(),
    '{"type":"bet","to":20}': Bet(to=20),
    '{"type":"raise","to":60}': Raise(to=60),
    '{"type":"raise","to":null}': Raise(),
    '{"type":"raise_by","by":40}': RaiseBy(by=40),
    '{"type":"all_in"}': AllIn(),
    '{"type":"deal_hole","place":1,"cards":["As","??"]}': DealHole(1, ("As", "??")),
    '{"type":"deal_board","cards":["2c"]}': DealBoard(("2c",)),
    '{"type":"discard","cards":["2c"]}': Discard(("2c",)),
    '{"type":"choose_runs","runs":2}': ChooseRuns(2),
    '{"type":"show","cards":[]}': Show(),
    '{"type":"muck"}': Muck(),
}


@for_each("text, action", WRITTEN.items(), ids=WRITTEN)
def test_every_action_has_this_text_and_reads_back(text: str, action: Action) -> None:
    assert write_action(action) == text.encode()
    assert read_action(text) == read_action(text.encode()) == action


def test_every_kind_of_action_is_tried() -> None:
    assert {type(action) for action in WRITTEN.values()} == set(Action.__args__)


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_every_event_of_a_hand_is_read_as_it_was_written(structure: Structure) -> None:
    for seed in range(20):
        chance = Chance(seed)
        hand, events = some_table(chance, structure, house=True).deal()
        while not hand.over:
            hand, happened = hand.act(some_answer(hand, chance, TEMPERS[0]))
            events += happened
        assert len(events) >= 5
        assert tuple(read_event(write_event(event)) for event in events) == events


@for_each("text", WRITTEN)
def test_a_field_that_an_action_has_not_is_refused(text: str) -> None:
    with pytest.raises(ActionError, match=r"^not a valid action: .*unknown field `card`"):
        read_action(text[:-1] + ',"card":["2c"]}')


NEITHER = ["", "{}", "[]", '{"type":"flown","place":1}', b"\xff", "\ud800", "[" * 100_000]


@for_each("text", [*NEITHER, '{"type":"folded"}', '{"type":"folded","place":"x"}'], ids=lambda text: repr(text)[:40])
def test_invalid_event_is_refused(text: str | bytes) -> None:
    with pytest.raises(EventError, match=r"^not a valid event: "):
        read_event(text)


@for_each(
    "text", [*NEITHER, '{"type":"folded","place":1}', '{"type":"raise","to":1.5}'], ids=lambda text: repr(text)[:40]
)
def test_invalid_action_is_refused(text: str | bytes) -> None:
    with pytest.raises(ActionError, match=r"^not a valid action: "):
        read_action(text)
