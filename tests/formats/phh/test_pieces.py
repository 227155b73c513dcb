"""A PHH file read piece by piece gives what the whole text gives, in flat memory."""

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.formats.phh import scan
from pitboss.formats.phh.reader import scan_phh_lines, scan_pieces
from pitboss.formats.scan import HandFound
from pitboss.records.record import Record
from tests.formats.phh.test_fuzz import HAND, mutated, once
from tests.support.for_each import for_each

SHORT = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [9, 9]\n"
SHORT += "actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']\n"


def outcomes(found: Iterator[tuple[str, object]]) -> list[tuple[str, object]]:
    return [(table, outcome if isinstance(outcome, Record) else str(outcome)) for table, outcome in found]


def in_pieces(text: str, size: int) -> list[tuple[str, object]]:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    whole = [line + "\n" for line in lines[:-1]] + [lines[-1]] * bool(lines[-1])
    pieces = ("".join(whole[at : at + size]) for at in range(0, len(whole), size))
    return outcomes((found.table, found.outcome) for found in scan_pieces(pieces, "x.phhs"))


@given(mutated(once(HAND)) | mutated(once(SHORT) + "\n[3]\n" + SHORT), st.sampled_from([1, 2, 7]))
def test_pieces_read_like_the_whole(text: str, size: int) -> None:
    assert in_pieces(text, size) == outcomes(scan(text, "x.phhs"))


@for_each("opened", ['_x = """', "_x = [", "_x = ['a',", "_x = {", "_x = '", "[1"])
def test_unclosed_string_costs_only_its_own_table(opened: str) -> None:
    text = f"[1]\n{SHORT}\n[2]\n{opened}\n{SHORT}\n[3]\n{SHORT}\n[4]\n_y = '''\n[5]\n'''\n{SHORT}"
    assert in_pieces(text, 1) == outcomes(scan(text, "x.phhs"))
    found = find(text)
    assert [one.label for one in found if one.record is not None] == ["1", "3", "4"]
    assert [one.line for one in found if one.record is not None] == [1, 18, 26]


def find(text: str, name: str = "x.phhs") -> list[HandFound]:
    return list(scan_phh_lines(enumerate(text.removesuffix("\n").split("\n"), 1), name))


def test_one_hand_is_known_by_having_no_header_first() -> None:
    (found,) = find(HAND, "x")
    assert found.record is not None
    assert [one.label for one in find(f"# many\n[a]\n{SHORT}[b]\n{SHORT}", "x")] == ["a", "b"]
    assert str(find(f"x = 1\n[a]\n{SHORT}")[0].error).startswith("x.phhs: expected a table header such as")


def test_repeated_table_is_recognised_under_any_name() -> None:
    names = ["1", "2", "3", "2", "x", "x", "03", "5", "4", "5"]
    found = find("".join(f"[{name}]\n{SHORT}\n" for name in names))
    assert [one.label for one in found if one.error is not None] == ["2", "x", "5"]


HANDS = 20_000
"""Hands of about 200 bytes."""


def lines_of(hands: int) -> Iterator[tuple[int, str]]:
    number = 0
    for hand in range(1, hands + 1):
        for line in (f"[{hand}]", *SHORT.split("\n")):
            number += 1
            yield number, line


def peak_of(hands: int) -> int:
    tracemalloc.start()
    try:
        assert sum(found.record is not None for found in scan_phh_lines(lines_of(hands), "x.phhs")) == hands
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.check
def test_many_hands_take_no_more_room_than_few() -> None:
    peak_of(100)
    assert peak_of(HANDS) < peak_of(HANDS // 20) + 100_000
