"""The client's mixer opens a number only when no one can choose any more, and reports what no honest arena does."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.commitment import bind_number
from pitboss.arena.wire import messages as wire
from pitboss.client.conversation import Conversation, NumberMixer, OpenNumber, ReportArena
from tests.support.for_each import for_each

CONFIG = wire.Config(variant="HUNL", seats=3, starting_stack=100, sb=1, bb=2, move_time_ms=1000)
WELCOME = wire.Welcome(table_id="T-1", seat=1, config=CONFIG)
OTHER = bytes(range(32))
HAND = "H-2026-11-15-00007"


class Numbers:
    """Numbers one after the other, so that a test knows them."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, size: int) -> bytes:
        self.count += 1
        return self.count.to_bytes(size, "big")


def numbered(count: int) -> bytes:
    """The number that was drawn as the so-manieth."""
    return count.to_bytes(32, "big")


def seated() -> NumberMixer:
    mixer = NumberMixer(Numbers())
    assert mixer.hello() == bind_number(numbered(1))
    assert mixer.receive(WELCOME) is None
    return mixer


def listed(count: int = 1, *, hand_id: str = HAND, attempt: int = 1, withheld: tuple[int, ...] = ()) -> wire.Mix:
    """A list that has this seat's so-manieth number, and seat 0's unless that withheld."""
    mine = wire.BoundNumber(seat=1, commit=bind_number(numbered(count)))
    other = wire.BoundNumber(seat=0, commit=bind_number(OTHER))
    return wire.Mix(
        hand_id=hand_id,
        attempt=attempt,
        seats=(0, 1, 2),
        commit=bind_number(bytes(32)),
        numbers=(mine,) if 0 in withheld else (other, mine),
        withheld=withheld,
        seq=7,
    )


def dealt(count: int = 1, *, hand_id: str = HAND, withheld: tuple[int, ...] = ()) -> wire.StartHand:
    """The hand that follows such a list."""
    numbers = (wire.OpenedNumber(seat=0, number=OTHER.hex()), wire.OpenedNumber(seat=1, number=numbered(count).hex()))
    return wire.StartHand(
        hand_id=hand_id,
        seed=0,
        button=0,
        stacks=tuple(wire.SeatStack(seat=seat, stack=100) for seat in range(3)),
        commit="0" * 64,
        numbers=numbers if not withheld else (),
        withheld=withheld,
        seq=8,
    )


def test_mixer_opens_its_bound_number_and_binds_the_next() -> None:
    mixer = seated()
    for count in (1, 2, 3):
        hand_id = f"H-2026-11-15-{count:05d}"
        answer = mixer.receive(listed(count, hand_id=hand_id))
        assert answer is not None
        assert (answer.hand_id, answer.number) == (hand_id, numbered(count).hex())
        assert answer.next == bind_number(numbered(count + 1))
        assert mixer.receive(dealt(count, hand_id=hand_id)) is None
    assert (mixer.mixed, mixer.complaints) == (3, [])


def test_a_list_that_has_its_seat_not_or_another_number_is_not_answered() -> None:
    mixer = seated()
    absent = replace(listed(), numbers=listed().numbers[:1])
    assert mixer.receive(absent) is None
    assert mixer.complaints == []
    assert mixer.receive(listed(9)) is None
    assert "another number" in mixer.complaints[0]


def test_the_same_list_is_answered_with_the_same_number() -> None:
    mixer = seated()
    first = mixer.receive(listed())
    assert mixer.hello() == bind_number(numbered(2))
    assert mixer.receive(replace(listed(), ts="later")) == first
    mixer.receive(dealt())
    assert (mixer.mixed, mixer.complaints) == (1, [])


def test_mixer_opens_the_next_number_after_another_withheld() -> None:
    mixer = seated()
    mixer.receive(listed())
    again = mixer.receive(listed(2, attempt=2, withheld=(0,)))
    assert again is not None
    assert again.number == numbered(2).hex()
    assert mixer.complaints == []


@for_each(
    "trick, word",
    [
        (lambda mix: replace(mix, attempt=1, withheld=()), "but no seat withheld one"),
        (lambda mix: replace(mix, withheld=()), "but no seat withheld one"),
        (lambda mix: replace(mix, attempt=3), "but no seat withheld one"),
        (lambda mix: replace(mix, withheld=(2,)), "but no seat withheld one"),  # who was in no list
        (lambda mix: replace(mix, seats=(0, 1)), "but no seat withheld one"),
        (lambda mix: replace(mix, numbers=listed(2).numbers), "but no seat withheld one"),  # who withheld is in it
        (lambda mix: replace(mix, numbers=()), "leaves out this seat"),
        (lambda mix: replace(mix, withheld=(1,), numbers=listed(2).numbers[:1]), "but it was sent"),
        (
            lambda mix: replace(mix, attempt=1, withheld=(), commit="1" * 64, numbers=listed().numbers),
            "but no seat withheld one",
        ),
    ],
)
def test_no_second_number_is_opened_for_a_hand_without_reason(trick: Callable[[wire.Mix], wire.Mix], word: str) -> None:
    mixer = seated()
    mixer.receive(listed())
    assert mixer.receive(trick(listed(2, attempt=2, withheld=(0,)))) is None
    assert word in mixer.complaints[0]


@for_each(
    "trick, word",
    [
        (lambda start: replace(start, numbers=start.numbers[:1]), "its numbers do not match"),
        (lambda start: replace(start, numbers=()), "its numbers do not match"),
        (lambda start: replace(start, numbers=dealt(5).numbers), "its numbers do not match"),
        (
            lambda start: replace(start, stacks=start.stacks[:2]),
            "the seats that are dealt in are not the seats of the list",
        ),
        (lambda start: replace(start, hand_id="H-2026-11-15-00008"), "should have been dealt first"),
        (lambda start: dealt(withheld=(1,)), "but it was sent"),
    ],
)
def test_a_hand_that_does_not_follow_its_list_is_complained_of(
    trick: Callable[[wire.StartHand], wire.StartHand], word: str
) -> None:
    mixer = seated()
    mixer.receive(listed())
    mixer.receive(trick(dealt()))
    assert word in mixer.complaints[0]
    assert mixer.mixed == 0


def test_unexpected_list_is_reported_unless_frames_were_missed() -> None:
    mixer = seated()
    mixer.receive(listed())
    mixer.receive(listed(2, hand_id="H-2026-11-15-00008"))
    assert "not dealt after its numbers were revealed" in mixer.complaints[0]
    missed = seated()
    missed.receive(listed())
    missed.hello()
    missed.receive(WELCOME)
    assert missed.receive(listed(2, hand_id="H-2026-11-15-00008")) is not None
    assert missed.complaints == []


def test_client_absent_from_a_second_binding_is_skipped_without_a_complaint() -> None:
    left_out = replace(listed(attempt=2, withheld=(0,)), numbers=(wire.BoundNumber(seat=2, commit=bind_number(OTHER)),))
    mixer = seated()
    mixer.receive(listed())
    mixer.hello()
    mixer.receive(WELCOME)
    assert mixer.receive(left_out) is None
    mixer.receive(replace(dealt(), numbers=(wire.OpenedNumber(seat=2, number=OTHER.hex()),)))
    assert (mixer.mixed, mixer.complaints) == (0, [])
    assert mixer.receive(listed(2, hand_id="H-2026-11-15-00008")) is not None


@for_each(
    "was_gone, withheld, complains",
    [(True, (0,), False), (False, (0,), True), (True, (), True), (True, (2,), True), (True, (0, 1), True)],
)
def test_client_absent_from_a_hand_without_numbers_does_not_complain(
    was_gone: bool, withheld: tuple[int, ...], complains: bool
) -> None:
    mixer = seated()
    mixer.receive(listed())
    if was_gone:
        mixer.hello()
        mixer.receive(WELCOME)
    mixer.receive(replace(dealt(withheld=withheld), numbers=()))
    assert (mixer.mixed, bool(mixer.complaints)) == (0, complains)
    assert mixer.receive(listed(2, hand_id="H-2026-11-15-00008")) is not None


def test_returned_client_opens_no_second_number_without_reason() -> None:
    mixer = seated()
    mixer.receive(listed())
    mixer.hello()
    mixer.receive(WELCOME)
    assert mixer.receive(listed(2, attempt=2)) is None
    assert "but no seat withheld one" in mixer.complaints[0]


@pytest.mark.parametrize("begun", [True, False])
def test_a_hand_taken_back_before_it_was_dealt_is_complained_of(begun: bool) -> None:
    mixer = seated()
    mixer.receive(listed())
    if begun:
        mixer.receive(dealt())
    mixer.receive(wire.VoidMessage(hand_id=HAND, seq=9, reason="damaged"))
    assert ["voided after its numbers" in complaint for complaint in mixer.complaints] == ([] if begun else [True])
    assert mixer.receive(listed(2, hand_id="H-2026-11-15-00008")) is not None


def test_conversation_sends_numbers_before_the_bot_and_reports_complaints() -> None:
    talk = Conversation("Alpha", "code", NumberMixer(Numbers()))
    assert talk.begin().next == bind_number(numbered(1))
    talk.receive(wire.write(WELCOME))
    first, *_ = talk.receive(wire.write(listed()))
    assert isinstance(first, OpenNumber)
    assert first.number.number == numbered(1).hex()
    effects = talk.receive(wire.write(dealt(5)))
    assert [effect for effect in effects if isinstance(effect, ReportArena)]
    assert Conversation("Alpha", "code").begin().next is None
