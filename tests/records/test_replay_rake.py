"""A rake that a record names as one sum: strict replay takes it of several pots as the finishing stacks have it."""

import pytest
from msgspec.structs import replace

from pitboss.hand.events import Raked
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError
from pitboss.records.replay import replay as replay_strictly
from pitboss.records.steps import replay_steps
from tests.support.for_each import for_each

HOLES = ("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd")
SHOWS = ("p1 sm AsAd", "p2 sm KsKd", "p3 sm QsQd")
RIVER = ("d db 2c3c4d", "d db 9h", "d db Jh")
TWO_POTS = Record(  # 300 in the main pot, which p1 wins, and 400 in the other, which p2 wins
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(1, 2, 0),
    min_bet=2,
    starting_stacks=(100, 300, 300),
    actions=(*HOLES, "p3 cbr 300", "p1 cc", "p2 cc", *RIVER, *SHOWS),
    user={"_rake": 21},
)
"""The proportional parts of the rake are 9 and 12."""


def ended(*stacks: int, rake: int = 21) -> Record:
    """The same hand with these stacks recorded at its end."""
    return replace(TWO_POTS, finishing_stacks=stacks, user={"_rake": rake})


def rake_of_pots(record: Record) -> dict[int, int]:
    """What the house takes of each pot in a strict replay."""
    return {event.pot: event.amount for event in replay_strictly(record).events if isinstance(event, Raked)}


@for_each("main, side", [(9, 12), (21, 0), (0, 21), (10, 11), (20, 1)], ids=["alike", "main", "side", "odd", "most"])
def test_however_a_house_takes_its_rake_of_two_pots_the_record_is_held_to_it_exactly(main: int, side: int) -> None:
    record = ended(300 - main, 400 - side, 0)
    assert rake_of_pots(record) == {pot: part for pot, part in enumerate((main, side)) if part}
    played = replay_strictly(record)
    assert played.finishing_stacks == record.finishing_stacks
    assert played.hand.house == 21
    *_, last = replay_steps(record)
    assert last.stacks == record.finishing_stacks
    assert last.hand == played.hand
    assert replay_leniently(record).mended == ()


@pytest.mark.parametrize(
    ("stacks", "sentence"),
    [
        ((301, 378, 0), "p1 ends with 291 by the rules, but the record says 301"),  # more than the pot holds
        ((291, 387, 1), "p2 ends with 388 by the rules, but the record says 387"),  # a loser is paid
        ((0, 679, 0), "p1 ends with 291 by the rules, but the record says 0"),  # the wrong winner
        ((291, 389, 0), "p2 ends with 388 by the rules, but the record says 389"),  # a chip too many
    ],
)
def test_what_no_rake_of_that_sum_gives_is_still_an_error(stacks: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ReplayError, match=f"^{sentence}$"):
        replay_strictly(ended(*stacks))


def test_three_pots_of_which_the_main_one_alone_is_raked() -> None:
    record = replace(
        TWO_POTS,
        antes=(0, 0, 0, 0),
        blinds_or_straddles=(1, 2, 0, 0),
        starting_stacks=(100, 200, 400, 400),
        actions=(*HOLES, "d dh p4 TsTd", "p3 cbr 400", "p4 cc", "p1 cc", "p2 cc", *RIVER, *SHOWS, "p4 sm TsTd"),
        finishing_stacks=(379, 300, 400, 0),
    )
    assert rake_of_pots(record) == {0: 21}


def test_a_rule_that_the_record_names_is_not_bent() -> None:
    record = replace(ended(279, 400, 0), user={"_rake": 21, "_rakeRule": {"thousandths": 30}})
    with pytest.raises(ReplayError, match="p1 ends with 291 by the rules, but the record says 279"):
        replay_strictly(record)
