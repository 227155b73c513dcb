"""The one written form of events: what is written is read again, and what is no event is refused."""

import pytest

from pitboss.chance import Chance
from pitboss.hand.hand import Hand
from pitboss.hand.structure import STRUCTURES, Stakes, Structure, blinds
from pitboss.notation.events import EventError, read_event, write_event
from tests.support.laws.tables import TEMPERS, some_action


@pytest.mark.parametrize("structure", STRUCTURES.values(), ids=STRUCTURES)
@pytest.mark.parametrize("seed", range(20))
def test_every_event_of_a_hand_is_read_as_it_was_written(structure: Structure, seed: int) -> None:
    chance = Chance(seed)
    stakes = Stakes(min_bet=20, posts=blinds(4, 10, 20), antes=(1, 1, 1, 1))
    hand, events = Hand.start(structure, stacks=(500, 30, 200, 90), stakes=stakes, deck=chance.shuffled(structure.deck))
    while not hand.over:
        hand, happened = hand.act(some_action(hand.offer, chance, TEMPERS[0]))
        events += happened
    assert len(events) > 8
    assert tuple(read_event(write_event(event)) for event in events) == events


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"type":"flown","place":1}', '{"type":"folded"}', b"\xff", '{"type":"folded","place":"x"}'],
)
def test_what_is_no_event_is_refused(text: str | bytes) -> None:
    with pytest.raises(EventError, match=r"^no event: "):
        read_event(text)
