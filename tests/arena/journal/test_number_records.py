"""Records of mixed numbers: which may follow which, and of which a hand may be dealt."""

from msgspec.structs import replace

from pitboss.arena.journal.commitment import bind_number, mix_numbers
from pitboss.arena.journal.history import bound_fault, mixed_fault
from pitboss.arena.journal.records import HandStarted, NumbersBound
from tests.support.for_each import for_each

ONE, TWO, SERVER = bytes([1]) * 32, bytes([2]) * 32, bytes([9]) * 32
BOUND = NumbersBound(
    hand_id="H-1",
    attempt=1,
    server_number=SERVER.hex(),
    commits={0: bind_number(ONE), 2: bind_number(TWO)},
    seats=(0, 1, 2),
    seq=5,
)
AGAIN = replace(BOUND, attempt=2, withheld=(2,), commits={0: bind_number(ONE)})
STARTED = HandStarted(
    number=1,
    hand_id="H-1",
    secret=mix_numbers("H-1", SERVER, {0: ONE, 2: TWO}).hex(),
    deck="",
    button=0,
    stacks={0: 10, 1: 10, 2: 10},
    seq=6,
    events=(),
    numbers={0: ONE.hex(), 2: TWO.hex()},
)
ALONE = replace(STARTED, numbers={}, withheld=())
FOLLOWS = "does not follow from the previous attempt"
FOR = "expected H-1 with the seats [0, 1, 2], which the numbers are for, got the seats "
NO_PART = "a seat that does not take part is committed to a number"


@for_each(
    "record, before, left_out, fault",
    [
        (BOUND, None, set(), None),
        (BOUND, None, {1}, None),
        (BOUND, None, {2}, NO_PART),
        (replace(BOUND, attempt=2), None, set(), FOLLOWS),
        (replace(BOUND, withheld=(2,)), None, set(), FOLLOWS),
        (replace(BOUND, seats=(0, 2)), None, set(), FOLLOWS),
        (replace(BOUND, commits={}), None, set(), NO_PART),
        (replace(BOUND, commits={3: bind_number(ONE)}), None, set(), NO_PART),
        (AGAIN, BOUND, set(), None),
        (AGAIN, BOUND, {0}, NO_PART),
        (replace(AGAIN, attempt=3), BOUND, set(), FOLLOWS),
        (replace(AGAIN, hand_id="H-2"), BOUND, set(), FOLLOWS),
        (replace(AGAIN, seats=(0, 2)), BOUND, set(), FOLLOWS),
        (replace(AGAIN, withheld=()), BOUND, set(), FOLLOWS),
        (replace(AGAIN, withheld=(1,)), BOUND, set(), FOLLOWS),
        (replace(AGAIN, commits={2: bind_number(TWO)}), BOUND, set(), NO_PART),
    ],
)
def test_attempt_follows_the_start_or_a_spoilt_attempt(
    record: NumbersBound, before: NumbersBound | None, left_out: set[int], fault: str | None
) -> None:
    found = bound_fault(record, before, (0, 1, 2), left_out)
    assert found is None if fault is None else found is not None and found.endswith(fault)


@for_each(
    "started, bound, fault",
    [
        (STARTED, BOUND, None),
        (ALONE, None, None),
        (STARTED, None, "the hand uses numbers without commitments"),
        (replace(ALONE, withheld=(2,)), None, "the hand uses numbers without commitments"),
        (replace(STARTED, hand_id="H-2"), BOUND, f"{FOR}[0, 1, 2]"),
        (replace(STARTED, stacks={0: 10, 2: 10}), BOUND, f"{FOR}[0, 2]"),
        (ALONE, BOUND, "the hand uses no numbers, although seats committed to numbers for it"),
        (replace(ALONE, withheld=(2,)), BOUND, None),
        (replace(ALONE, withheld=(1,)), BOUND, "the hand uses no numbers, although seats committed to numbers for it"),
        (replace(STARTED, withheld=(2,)), BOUND, "the opened numbers do not match their commitments"),
        (
            replace(STARTED, numbers={0: ONE.hex()}),
            BOUND,
            "the opened numbers do not match their commitments",
        ),
        (
            replace(STARTED, numbers={0: TWO.hex(), 2: ONE.hex()}),
            BOUND,
            "the opened numbers do not match their commitments",
        ),
        (replace(STARTED, secret="0" * 64), BOUND, "the secret of the deck does not follow from the numbers"),
    ],
)
def test_bound_numbers_are_opened_and_mixed(
    started: HandStarted, bound: NumbersBound | None, fault: str | None
) -> None:
    assert mixed_fault(started, bound) == fault
