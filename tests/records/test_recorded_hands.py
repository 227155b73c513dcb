"""Real hands of ../shared/data are replayed, and every difference from the expected result has a reason."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay
from tests.support.for_each import for_each
from tests.support.records.recorded_hands import (
    BOTTOMLESS,
    FILES,
    MENDS,
    ONLINE,
    PAGE,
    PREDICATES,
    RANDOM,
    RANDOM_GAMES,
    REASONS,
    Oracle,
    file_rows,
    kinds,
    oracles,
    page,
    reason,
    records,
    tally,
    tally_deepened,
)
from tests.support.records.refused_hands import PREDICATES as WHY_REFUSED
from tests.support.records.refused_hands import REFUSALS


def test_all_files_are_listed(shared_data: Path) -> None:
    there = {path.stem for path in (shared_data / "phh").glob("*.phhs")}
    assert there == {name.partition(" ")[0] for name in FILES}


def test_pluribus_hands_replay_strictly_to_the_recorded_stacks(shared_data: Path) -> None:
    halves = 0
    hands = records(shared_data, "pluribus")
    for (table, record), said in zip(hands, oracles(shared_data, "pluribus", recorded=True), strict=True):
        played = replay(record)
        assert played.finishing_stacks == said.stacks == record.finishing_stacks, table
        assert played.mended == ()
        halves += any(isinstance(stack, Decimal) for stack in played.finishing_stacks)
    assert len(hands) == 4267
    assert halves == 3


def test_pluribus_hands_in_whole_chips_give_the_odd_chip_as_pokerkit_does(shared_data: Path) -> None:
    """Only the recorded finishing stacks contain half chips; without them the unit is the chip."""
    wholes = oracles(shared_data, "pluribus", recorded=False)
    split = 0
    for (table, record), said in zip(records(shared_data, "pluribus"), wholes, strict=True):
        finishing = record.finishing_stacks
        assert finishing is not None
        if finishing == said.stacks:
            continue
        split += 1
        fields = {name: getattr(record, name) for name in Record.__struct_fields__}
        played = replay(Record(**{**fields, "finishing_stacks": None, "winnings": None}))
        assert played.finishing_stacks == said.stacks, table
    assert split == 3


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("wsop-2023-43", {"NT", "PO", "FT", "FO/8", "F7S", "F7S/8", "FR", "N2L1D", "F2L3D"}),
        ("historic", {"FB", "PO", "F2L3D", "NT", "NS"}),
    ],
)
def test_final_table_and_famous_hands_match_the_record(shared_data: Path, name: str, games: set[str]) -> None:
    played, refused = set(), []
    said = oracles(shared_data, name, recorded=True)
    for (table, record), oracle in zip(records(shared_data, name), said, strict=True):
        played.add(record.variant)
        try:
            assert replay(record).finishing_stacks == oracle.stacks, table
        except ReplayError as error:
            refused.append(f"{table}: {error}")
    assert played == games
    assert refused == ([BELOW_MINIMUM] if name == "wsop-2023-43" else [])


BELOW_MINIMUM = "42: action 19: 'p2 cbr 750000': below_minimum: expected at least 1200000, got 750000"


@pytest.mark.check
@pytest.mark.parametrize("name", RANDOM_GAMES)
def test_random_hands_of_every_variant_agree(shared_data: Path, name: str) -> None:
    counted = tally(shared_data, name)
    assert counted.hands == 100
    assert counted.agree >= 90
    assert counted.mended == counted.mends["other outcome"] == counted.differences.total()


@pytest.mark.check
@pytest.mark.parametrize("name", FILES)
def test_every_hand_is_replayed_or_refused_for_a_reason(shared_data: Path, name: str) -> None:
    counted = tally(shared_data, name)
    assert counted.lenient + counted.refused.total() == counted.hands > 0
    assert counted.strict + counted.mended == counted.lenient
    assert set(counted.refused) <= set(WHY_REFUSED)
    if not name.startswith(RANDOM):
        assert counted.refused == ({"below_minimum": 1} if name == "wsop-2023-43" else {})


@for_each("name", FILES)
@pytest.mark.check
def test_every_difference_has_a_reason(shared_data: Path, name: str) -> None:
    counted = tally(shared_data, name)
    assert counted.agree + counted.differences.total() == counted.lenient
    assert counted.agree >= (0.9 if name.startswith(RANDOM) else 0.97) * counted.hands
    assert set(counted.differences) <= set(PREDICATES)


@pytest.mark.check
@pytest.mark.parametrize("name", BOTTOMLESS)
def test_hands_with_deepened_stacks_differ_for_a_reason(shared_data: Path, name: str) -> None:
    assert all(stack.is_infinite() for _, record in records(shared_data, name) for stack in decimals(record))
    counted = tally_deepened(shared_data, name)
    assert counted.agree + counted.differences.total() == counted.hands
    # Only repaired hands have these reasons; hands that replay strictly agree.
    assert set(counted.differences) <= {"unpaid pot", "unknown cards split"}
    assert counted.agree >= counted.strict


@for_each("name", sorted({*ONLINE} - {*BOTTOMLESS}))
def test_other_files_have_known_stacks(shared_data: Path, name: str) -> None:
    assert all(stack.is_finite() for _, record in records(shared_data, name) for stack in decimals(record))


def decimals(record: Record) -> list[Decimal]:
    return [Decimal(stack) for stack in record.starting_stacks]


# --- the page


@for_each("name", FILES)
def test_the_page_has_the_computed_rows(shared_data: Path, name: str) -> None:
    written = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"|{name}|")]
    assert written == file_rows(shared_data, name)


def test_the_page_has_no_other_rows() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    tables = [line for line in lines if line.startswith(tuple(f"|{name}|" for name in FILES))]
    assert [line for line in lines if line not in tables] == page({}).splitlines()


def test_the_page_holds_no_hand() -> None:
    assert re.findall(r"\b(?:[2-9TJQKA][cdhs]){2,}\b|\bp\d+ (?:f|cc|cbr)\b", PAGE.read_text(encoding="utf-8")) == []


def test_every_reason_and_repair_is_explained() -> None:
    assert {*REASONS} == {*PREDICATES, "unexplained"}
    assert {*REFUSALS} == {*WHY_REFUSED, "unexplained"}
    for sentence in (*REASONS.values(), *REFUSALS.values(), *(sentence for _, sentence in MENDS.values())):
        assert re.fullmatch(r"[A-Z].*\.", sentence)


# --- the predicates themselves


def split_hand(*, unknown: bool) -> Record:
    """Return a hand in which two of three players split five cents."""
    shows = ("p2 sm ????", "p3 sm ????") if unknown else ("p2 sm AsKd", "p3 sm AdKs")
    streets = ("d db AcKc4d", "p2 cc", "p3 cc", "d db 9h", "p2 cc", "p3 cc", "d db 8h", "p2 cc", "p3 cc")
    hole = ("d dh p1 2s2d", "d dh p2 AsKd", "d dh p3 ????" if unknown else "d dh p3 AdKs")
    return Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(Decimal("0.01"), Decimal("0.02"), 0),
        min_bet=Decimal("0.02"),
        starting_stacks=(1, 1, 1),
        actions=(*hole, "p3 cc", "p1 f", "p2 cc", *streets, *shows),
    )


@for_each(
    "stacks, why",
    [
        (("0.99", "1.005", "1.005"), "odd unit"),
        (("0.99", "1.00", "1.01"), "unexplained"),
        (("0.99", "1.006", "1.005"), "unexplained"),
        (("0.99", "1.02", "0.99"), "unexplained"),
        (("0.995", "1.0025", "1.0025"), "odd unit"),
    ],
)
def test_odd_unit(stacks: tuple[str, ...], why: str) -> None:
    record = split_hand(unknown=False)
    played = replay(record)
    assert played.finishing_stacks == (Decimal("0.99"), Decimal("1.01"), 1)
    assert reason(record, played, Oracle(tuple(map(Decimal, stacks)))) == why


@pytest.mark.parametrize(
    ("stacks", "paid", "why"),
    [
        (("0.99", "1.005", "1.005"), True, "unknown cards split"),
        (("0.99", "1.005", "1.005"), False, "unexplained"),
        (("0.99", "0.98", "5"), True, "unexplained"),
    ],
)
def test_unknown_cards_split(stacks: tuple[str, ...], paid: bool, why: str) -> None:
    record = split_hand(unknown=True)
    played = replay_leniently(record)
    assert kinds(played.mended) == {"unrecorded show", "added muck"}
    assert reason(record, played, Oracle(tuple(map(Decimal, stacks)), paid)) == why


@pytest.mark.parametrize(
    ("stacks", "paid", "why"),
    [((94, 98), False, "unpaid pot"), ((94, 98), True, "unexplained"), ((93, 98), False, "unexplained")],
)
def test_unpaid_pot(stacks: tuple[int, ...], paid: bool, why: str) -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(100, 100),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 cc", "p1 cbr 6"),
    )
    played = replay_leniently(record)
    assert played.finishing_stacks == (102, 98)
    assert reason(record, played, Oracle(stacks, paid)) == why


def test_kinds_of_repairs() -> None:
    assert kinds(("action 7: p1 shows or mucks a second time; the move is ignored",)) == {"second show"}
    assert kinds(("the record stops early, so p12 folds", "the record stops early, so p1 checks")) == {"stops"}
    with pytest.raises(StopIteration):
        kinds(("an unknown repair",))
