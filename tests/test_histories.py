"""One function reads any file of hands and recognises its format; what it cannot read gives one sentence."""

from decimal import Decimal
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import ReadError, Record, read, scan_file, write_phh, write_phhs
from pitboss.documents import from_record, write_document
from pitboss.formats.ohh import write_ohh
from pitboss.formats.scan import number_lines
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.histories import scan_stream
from tests.support.for_each import for_each

RECORD = Record(
    variant="NT",
    antes=(0, 0),
    blinds_or_straddles=(1, 2),
    min_bet=2,
    starting_stacks=(50, 50),
    actions=("d dh p1 ????", "d dh p2 ????", "p2 f"),
    players=("Ann", "Bo"),
    seats=(1, 2),
)


def saved(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@for_each(
    "name, text",
    [
        ("one.phh", write_phh(RECORD)),
        ("many.phhs", write_phhs([RECORD, RECORD])),
        ("phh under no known ending.txt", write_phh(RECORD)),
        ("stars.txt", write_pokerstars(RECORD)),
        ("stars with no ending", write_pokerstars(RECORD)),
    ],
)
def test_the_format_is_recognised_from_the_beginning_of_a_file(tmp_path: Path, name: str, text: str) -> None:
    records = list(read(saved(tmp_path, name, text)))
    assert len(records) == (2 if name == "many.phhs" else 1)
    assert {record.actions for record in records} == {RECORD.actions}


@for_each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@for_each("end", ["\n", "\r\n"])
def test_letters_of_every_encoding_and_ends_of_lines(encoding: str, end: str) -> None:
    text = "bastòr §\nsecond\n\nlast".replace("\n", end)
    lines = list(number_lines(BufferedReader(BytesIO(text.encode(encoding)))))
    assert lines == [(1, "bastòr §"), (2, "second"), (3, ""), (4, "last")]


def test_lines_of_old_macintoshes() -> None:
    assert list(number_lines(BufferedReader(BytesIO(b"a\rb\r\rc")))) == [(1, "a"), (2, "b"), (3, ""), (4, "c")]


def test_a_file_of_another_format_under_a_known_name(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.phh", write_pokerstars(RECORD))
    with pytest.raises(ReadError, match=r"x\.phh, line 1: expected PHH .* got PokerStars text: rename"):
        list(read(path))
    assert [record.actions for record in read(path, format="pokerstars")] == [RECORD.actions]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file has no hands"),
        ("Dear Ann,\nhow are you?", "the format of the file was not recognised"),
        (b"\x00\xd8\x00\xd8", "the format of the file was not recognised"),
    ],
)
def test_files_without_hands_are_refused(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    with pytest.raises(ReadError, match=sentence):
        list(read(saved(tmp_path, "letter.txt", text)))


@for_each(
    "name, text, sentence",
    [
        ("x.phhs", "", "x.phhs, line 1: the file has no hands"),
        ("x.log", "# name/game/hands/seed m holdem.lim", "x.log, line 1: the file has no hands"),
        ("x.ohh", "[[[[", "x.ohh, line 1: the file has no hands"),
        ("x.ohh", '{"a":1}', 'x.ohh, line 1: expected a hand as {"ohh": {...}}'),
        (
            "x.ohh",
            '{"ohh": {"a":' + "[" * 100_000,
            "x.ohh, line 1: expected at most 100 levels of nested objects and lists",
        ),
    ],
)
@for_each("lenient", [False, True])
def test_a_file_without_a_hand_is_one_sentence(
    tmp_path: Path, name: str, text: str, sentence: str, lenient: bool
) -> None:
    path = saved(tmp_path, name, text)
    try:
        errors = [found.error for found in scan_file(path, lenient=lenient)]
    except ReadError as error:
        errors = [error]
    assert [str(error) for error in errors] == [f"{tmp_path}/{sentence}"]


@pytest.mark.parametrize("name", ["x.phh", "x.phhs"])
def test_a_truncated_phh_hand_is_reported(tmp_path: Path, name: str) -> None:
    text = write_phh(RECORD) if name == "x.phh" else write_phhs([RECORD])
    for cut in ("'d dh p1", "starting_sta", "min_bet ="):
        path = saved(tmp_path, name, text[: text.index(cut) + len(cut)])
        with pytest.raises(ReadError, match=r", where the hand ends: it may be cut off \(line \d\)$"):
            list(read(path))


@pytest.mark.parametrize("name", ["x.ohh", "x.json"])
def test_truncated_json_is_reported(tmp_path: Path, name: str) -> None:
    whole = write_ohh(RECORD) if name == "x.ohh" else write_document(from_record(RECORD)).decode()
    ends = [end for end in range(len(whole) // 3, len(whole.rstrip())) if whole[end - 1] in '",:[{']
    assert len(ends) > 20
    for end in ends[::9]:
        path = saved(tmp_path, name, whole[:end])
        with pytest.raises(ReadError) as caught:
            list(read(path))
        assert str(caught.value) == f"{path}, line 1: expected JSON: it ends in the middle and may be cut off"


def test_an_amount_with_three_decimals_is_refused(tmp_path: Path) -> None:
    record = replace(RECORD, starting_stacks=(Decimal("50.005"), 50))
    with pytest.raises(PokerStarsError, match=r"^PokerStars text supports at most two decimals in an amount$"):
        write_pokerstars(record)
    text = write_pokerstars(RECORD).replace("Ann (50 in chips)", "Ann (50.005 in chips)")
    path = saved(tmp_path, "x.txt", text)
    with pytest.raises(ReadError) as caught:
        list(read(path))
    assert str(caught.value).startswith(f"{path}, line 3: expected an amount with at most two decimals, got '50.005': ")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"format: expected one of phh, .*, got 'ppoker'"):
        list(read(saved(tmp_path, "x.txt", "x"), format="ppoker"))


def test_invalid_utf8_in_phh_is_refused(tmp_path: Path) -> None:
    broken = write_phh(RECORD).encode().replace(b"'Ann'", b"'\xf2nn'")
    with pytest.raises(ReadError, match=r"x\.phh, line \d+: not text: byte \d+ of the line is not UTF-8"):
        list(read(saved(tmp_path, "x.phh", broken)))


def test_one_broken_hand_skips_only_that_hand(tmp_path: Path) -> None:
    text = write_phhs([RECORD, RECORD, RECORD]).replace("min_bet = 2", "min_bet = -2", 2).replace("= -2", "= 2", 1)
    path = saved(tmp_path, "x.phhs", text)
    with pytest.raises(ReadError, match=r"x\.phhs, table 2, field min_bet"):
        list(read(path))
    assert len(list(read(path, lenient=True))) == 2
    found = list(scan_file(path))
    assert [hand.label for hand in found if hand.error] == ["2"]


def test_an_open_stream_is_read_too() -> None:
    stream: Any = BufferedReader(BytesIO(write_phhs([RECORD]).encode()))
    assert [hand.record for hand in scan_stream(stream, "-")] == [RECORD]


@pytest.mark.parametrize("given", [None, 5, ["a.phh"]])
def test_invalid_paths_are_refused(given: object) -> None:
    with pytest.raises(ReadError) as refusal:
        list(read(given))  # type: ignore[arg-type]  # values that are not paths are refused too
    assert str(refusal.value) == f"path: expected text or a path, got {given!r}"
