"""A total rake: strict replay splits it over the pots so that the finishing stacks match."""

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
TWO_POTS = Record(  # p1 wins the main pot of 300, p2 the side pot of 400
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(1, 2, 0),
    min_bet=2,
    starting_stacks=(100, 300, 300),
    actions=(*HOLES, "p3 cbr 300", "p1 cc", "p2 cc", *RIVER, *SHOWS),
    user={"_rake": 21},
)
"""Proportional parts of the rake are 9 and 12."""


def ended(*stacks: int, rake: int = 21) -> Record:
    """Return the same hand with these finishing stacks."""
    return replace(TWO_POTS, finishing_stacks=stacks, user={"_rake": rake})


def rake_of_pots(record: Record) -> dict[int, int]:
    """Return the rake of each pot in a strict replay."""
    return {event.pot: event.amount for event in replay_strictly(record).events if isinstance(event, Raked)}


@for_each("main, side", [(9, 12), (21, 0), (0, 21), (10, 11), (20, 1)], ids=["alike", "main", "side", "odd", "most"])
def test_rake_of_two_pots_is_split_as_recorded(main: int, side: int) -> None:
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
        ((301, 378, 0), "p1 ends with 291 by the rules, but the record has 301"),  # more than the pot holds
        ((291, 387, 1), "p2 ends with 388 by the rules, but the record has 387"),  # a loser is paid
        ((0, 679, 0), "p1 ends with 291 by the rules, but the record has 0"),  # the wrong winner
        ((291, 389, 0), "p2 ends with 388 by the rules, but the record has 389"),  # a chip too many
    ],
)
def test_stacks_that_no_split_of_the_rake_gives_are_refused(stacks: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ReplayError, match=f"^{sentence}$"):
        replay_strictly(ended(*stacks))


def test_rake_from_the_main_pot_of_three() -> None:
    record = replace(
        TWO_POTS,
        antes=(0, 0, 0, 0),
        blinds_or_straddles=(1, 2, 0, 0),
        starting_stacks=(100, 200, 400, 400),
        actions=(*HOLES, "d dh p4 TsTd", "p3 cbr 400", "p4 cc", "p1 cc", "p2 cc", *RIVER, *SHOWS, "p4 sm TsTd"),
        finishing_stacks=(379, 300, 400, 0),
    )
    assert rake_of_pots(record) == {0: 21}


def test_rake_rule_in_the_record_is_applied_strictly() -> None:
    record = replace(ended(279, 400, 0), user={"_rake": 21, "_rakeRule": {"thousandths": 30}})
    with pytest.raises(ReplayError, match="p1 ends with 291 by the rules, but the record has 279"):
        replay_strictly(record)
