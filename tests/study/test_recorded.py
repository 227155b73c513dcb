"""Real hands of ../shared/data: nearly all are counted, in every game, and their numbers add up."""

from decimal import Decimal
from pathlib import Path

import pytest

from pitboss import NO_LIMIT_HOLDEM, STRUCTURES, Record, replay_leniently
from pitboss.formats.phh import scan
from pitboss.formats.scan import ReadError
from pitboss.records.replay import ReplayError
from pitboss.study.marks import MarkedHand, mark_hand
from pitboss.study.statistics import FilePiece, cut_file, scan_piece, statistics

FILES = {
    "pluribus": 4267,
    "wsop-2023-43": 41,
    "historic": 5,
    "variants-random": 1080,
    "handhq-ps-200-18": 678,
    "handhq-abs-400-3": 247,
}
"""The minimum number of counted hands."""
SAMPLED = 60


def some_records(folder: Path, name: str) -> list[Record]:
    """Return a sample of a file's hands from all its parts."""
    found = [record for _, record in scan((folder / "phh" / f"{name}.phhs").read_text(encoding="utf-8"))]
    records = [record for record in found if isinstance(record, Record)]
    return records[:: max(1, len(records) // SAMPLED)]


@pytest.mark.check
@pytest.mark.parametrize(("name", "refused"), [("variants-random", 0), ("wsop-2023-43", 1), ("historic", 0)])
def test_marks_are_consistent_in_every_game(shared_data: Path, name: str, refused: int) -> None:
    """One hand of the World Series has an illegal raise and is not counted."""
    variants = set()
    for record in some_records(shared_data, name):
        try:
            hand = mark_hand(record)
        except ReplayError:
            refused -= 1
            continue
        variants.add(record.variant)
        check_marks(hand)
        replayed = replay_leniently(record)
        assert sum(marks.won for marks in hand.players) == -Decimal(replayed.unit.amount(replayed.hand.house))
    assert refused == 0
    assert len(variants) > 2
    assert variants <= set(STRUCTURES)


def check_marks(hand: MarkedHand) -> None:
    """Check the marks of any hand."""
    assert sum(marks.adjusted for marks in hand.players) == sum(marks.won for marks in hand.players)
    shown = [marks for marks in hand.players if marks.showdown]
    assert len(shown) != 1
    assert bool(shown) == any(marks.won_showdown for marks in hand.players)
    assert sum(marks.three_bet for marks in hand.players) <= 1
    assert sum(marks.c_bet_chance for marks in hand.players) <= 1
    for marks in hand.players:
        assert marks.vpip <= marks.asked
        assert marks.pfr <= marks.vpip
        assert marks.three_bet <= marks.pfr
        assert marks.three_bet <= marks.three_bet_chance <= marks.asked
        assert marks.c_bet <= marks.c_bet_chance <= marks.saw_second
        assert not (marks.c_bet_chance and not marks.pfr)
        assert marks.won_showdown <= marks.showdown <= marks.saw_second
        assert not marks.aggressive or marks.saw_second


def test_pluribus_marks_equal_a_count_from_the_text(shared_data: Path) -> None:
    """A second way to count, from the moves before the flop."""
    for record in some_records(shared_data, "pluribus"):
        assert record.variant == NO_LIMIT_HOLDEM.code
        moves = [move.split() for move in record.actions]
        flop = next((at for at, move in enumerate(moves) if move[1] == "db"), len(moves))
        raised: set[str] = set()
        paid: set[str] = set()
        for player, verb, *_ in moves[:flop]:
            if verb == "cbr":
                raised.add(player)
            elif verb == "cc" and (raised or player != "p2"):
                paid.add(player)
        for number, marks in enumerate(mark_hand(record).players, 1):
            assert marks.pfr == (f"p{number}" in raised)
            assert marks.vpip == (f"p{number}" in raised | paid)


@pytest.mark.check
def test_files_of_sites_are_cut_only_where_hands_begin(shared_data: Path) -> None:
    cut = 0
    for path in sorted((shared_data / "sites").rglob("*.txt")):
        try:
            pieces = list(cut_file(path, 400))
        except ReadError:
            continue
        whole = FilePiece(str(path), pieces[0].format, whole=True)
        assert _hands(pieces) == _hands([whole]), path
        cut += len(pieces) > 1
    assert cut > 3


def _hands(pieces: list[FilePiece]) -> list[tuple[int, Record | None, str]]:
    found = [hand for piece in pieces for hand in scan_piece(piece)]
    return [(hand.line, hand.record, str(hand.error)) for hand in found]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_whole_files_are_counted(shared_data: Path, name: str) -> None:
    counted = statistics(shared_data / "phh" / f"{name}.phhs", cores=1)
    assert counted.hands >= FILES[name]
    assert all(skipped.line > 0 and skipped.reason for skipped in counted.skipped)


def test_unreplayable_hand_is_reported(shared_data: Path) -> None:
    record = some_records(shared_data, "pluribus")[0]
    wrong = type(record)(variant="NT", antes=(0, 0), starting_stacks=(5, 5), actions=("p1 cbr 99",), min_bet=2)
    with pytest.raises(ReplayError):
        mark_hand(wrong)
