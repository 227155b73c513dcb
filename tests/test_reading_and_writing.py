"""`read` and `write` for files, `parse` and `to_text` for text: every format, errors that say what to do."""

from pathlib import Path
from typing import Any

import pytest

from pitboss import Hand, ReadError, Record, WriteError, parse, read, to_text, write
from pitboss.histories import ENDINGS, WRITERS
from tests.support.for_each import for_each

ANY: Any = write


def played(number: int) -> Record:
    """A hand that was played to its end."""
    hand, events = Hand.deal("no_limit_holdem", stacks=(200, 200, 200), blinds=(1, 2), seed=number)
    for action in ("raise 6", "fold", "fold"):
        hand, more = hand.act(action)
        events += more
    return Record.from_hand(hand, events, players=("ann", "bo", "cy"), hand=number)


HANDS = [played(1), played(2)]


@for_each("ending", ENDINGS)
def test_what_is_written_is_read_again(tmp_path: Path, ending: str) -> None:
    given = HANDS[:1] if ending == ".phh" else HANDS
    path = tmp_path / f"hands{ending}"
    assert write(path, given) == len(given)
    again = list(read(path))
    assert [record.actions for record in again] == [record.actions for record in given]
    if ending in (".phh", ".phhs"):
        assert again == given
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "the temporary file is gone"
    path.unlink()


@for_each("format", WRITERS)
def test_text_is_parsed_again(format: str) -> None:
    given = HANDS[:1] if format == "phh" else HANDS
    text = to_text(given, format)
    assert [record.actions for record in parse(text)] == [record.actions for record in given]
    assert list(parse(text.encode())) == list(parse(text, format="phh" if format == "phhs" else format))


def test_a_format_replaces_the_ending(tmp_path: Path) -> None:
    write(tmp_path / "hands.backup", HANDS, format="ohh")
    assert (tmp_path / "hands.backup").read_text(encoding="utf-8") == to_text(HANDS, "ohh")
    with pytest.raises(WriteError, match=r"^format: expected one of phh, phhs, document, .*, got 'pdf'$"):
        write(tmp_path / "hands.phh", HANDS, format="pdf")


def test_the_error_for_an_unknown_ending_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"hands\.html: expected one of the endings \.phh, \.phhs, .*, or a format$"):
        write(tmp_path / "hands.html", HANDS)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "hands.phh"
    write(path, HANDS[0])
    before = path.read_bytes()
    with pytest.raises(WriteError, match=r"expected one hand in a \.phh file, got a second: write a \.phhs file"):
        write(path, HANDS)
    with pytest.raises(WriteError, match="records: expected at least one hand"):
        write(path, [])
    with pytest.raises(WriteError, match="records: expected records, got 'text'"):
        ANY(path, ["text"])
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["hands.phh"]
    with pytest.raises(WriteError, match="No such file or directory"):
        write(tmp_path / "none" / "hands.phh", HANDS[0])


def test_hands_of_a_file_can_be_written_to_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    write(path, HANDS)
    assert write(path, (record for record in read(path) if record.hand == 2)) == 1
    assert list(read(path)) == HANDS[1:]


def test_a_damaged_hand_is_named_with_the_way_to_read_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    write(path, [*HANDS, played(3)])
    text = path.read_text(encoding="utf-8").replace("[2]\n", "[2]\nmin_bet = true\n")
    path.write_text(text, encoding="utf-8")
    hands = read(path)
    assert next(hands) == HANDS[0]
    with pytest.raises(ReadError) as error:
        next(hands)
    sentence = str(error.value)
    assert sentence.startswith(str(path))
    assert "hand 2; read(path, lenient=True) skips such hands, as --lenient does in commands)" in sentence
    assert "line" in sentence
    assert [record.hand for record in read(path, lenient=True)] == [1, 3]
    with pytest.raises(ReadError, match=r"hand 2; parse\(text, lenient=True\) skips such hands"):
        list(parse(text))
    assert [record.hand for record in parse(text, lenient=True)] == [1, 3]


def test_what_is_not_a_path_or_text_is_refused() -> None:
    with pytest.raises(ReadError, match=r"^path: expected text or a path, got 3$"):
        list(read(3))  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(ReadError, match=r"^text: expected text or bytes, got 3$"):
        list(parse(3))  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(ReadError, match="the file has no hands"):
        list(parse(""))
