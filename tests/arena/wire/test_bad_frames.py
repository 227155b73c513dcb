"""A frame that is not accepted gets the right error, which names the field that is to blame; an odd one is read."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.arena.wire import messages
from pitboss.arena.wire.messages import ClientMessage, ErrorCode, Rejected, milliseconds
from tests.support.arena.bad_frames import ACTION, BAD, DEEP, HELLO, ODD, SAID, Bad, Odd
from tests.support.for_each import for_each

_decoder = msgspec.json.Decoder(ClientMessage)
LONGEST_SENTENCE = 300


def error(frame: str | bytes) -> tuple[ErrorCode, str]:
    """The error that a frame gets."""
    with pytest.raises(Rejected) as caught:
        messages.read(frame)
    return caught.value.code, str(caught.value)


@for_each("bad", BAD, ids=lambda bad: bad[0])
def test_ruling_A7_a_bad_frame_gets_its_error_and_the_fields_name(bad: Bad) -> None:
    _, frame, code, field = bad
    got, sentence = error(frame)
    assert got == code, sentence
    assert field is None or re.search(rf"[`.]{field}`", sentence), sentence
    assert 0 < len(sentence) < LONGEST_SENTENCE


@for_each("bad", BAD, ids=lambda bad: bad[0])
def test_the_types_alone_refuse_all_but_a_raise_without_amount_and_no_action(bad: Bad) -> None:
    name, frame, _, field = bad
    if field == "amount" and name in {"action without amount", "no raise's amount"}:
        assert _decoder.decode(frame).amount is None
    elif name in {"null as action", "action without action"}:
        assert _decoder.decode(frame).action is None
    else:
        with pytest.raises((msgspec.DecodeError, UnicodeError, RecursionError)):
            _decoder.decode(frame)


@for_each("odd", ODD, ids=lambda odd: odd[0])
def test_an_odd_frame_is_accepted(odd: Odd) -> None:
    _, frame, message = odd
    assert messages.read(frame) == message


@pytest.mark.parametrize("frame", DEEP, ids=["lists", "objects"])
def test_a_deep_frame_is_read_or_refused(frame: str) -> None:
    try:
        assert messages.read(frame) == SAID
    except Rejected as rejected:
        assert rejected.code == "BAD_SCHEMA"  # noqa: PT017  # either may happen, by the depth that Python allows


def test_every_frame_has_its_own_name() -> None:
    names = [bad[0] for bad in BAD] + [odd[0] for odd in ODD]
    assert len(names) == len(set(names))


def test_frames_in_the_tables_fit_into_a_frame() -> None:
    """Longer frames are refused by their length alone, before they are read."""
    frames = [bad[1] for bad in BAD] + [odd[1] for odd in ODD] + DEEP
    assert [frame for frame in frames if len(frame.encode() if isinstance(frame, str) else frame) > 8192] == []


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_garbage_gets_past_or_breaks_the_reader(frame: str | bytes) -> None:
    assert error(frame)[0] in {"BAD_SCHEMA", "UNKNOWN_TYPE"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from((HELLO, ACTION)), st.data())
def test_any_value_in_any_field_is_read_as_it_is_or_refused(good: dict[str, object], data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(good)))
    value = data.draw(values)
    frame = msgspec.json.encode(good | {field: value})
    try:
        read = getattr(messages.read(frame), field, value)
    except Rejected:
        return
    assert (type(read), read) == (type(value), value)


@for_each("seconds, said", [(0.0, 0), (-3.0, 0), (0.0001, 1), (1.5, 1500), (0.0012, 2)])
def test_times_are_whole_milliseconds_rounded_up_and_not_negative(seconds: float, said: int) -> None:
    assert milliseconds(seconds) == said
