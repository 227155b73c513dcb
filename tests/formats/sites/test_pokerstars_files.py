"""The recorded PokerStars hands, and recorded hands of other origin written as PokerStars text."""

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from pokerkit import PokerStarsParser

from pitboss.formats.phh import read_phh, read_phhs, write_phh
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.formats.pokerstars import decode_pokerstars, read_pokerstars


def texts(shared_data: Path) -> dict[str, str]:
    files = sorted((shared_data / "pokerstars").glob("*.txt"))
    assert len(files) == 15
    return {file.name: decode_pokerstars(file.read_bytes()) for file in files}


def recorded(shared_data: Path, name: str, every: int) -> list[Record]:
    text = (shared_data / "phh" / f"{name}.phhs").read_bytes().decode()
    return [record for _, record in read_phhs(text)][::every]


def one(text: str) -> Record:
    (record,) = read_pokerstars(text)
    return record


def late(actions: tuple[str, ...]) -> list[str]:
    """Actions with the showdown at the end, as in PokerStars text."""
    return sorted(actions, key=lambda action: " sm" in action)


def test_every_file_survives_a_round_trip(shared_data: Path) -> None:
    for name, text in texts(shared_data).items():
        record = one(text)
        assert one(write_pokerstars(record)) == record, name
        assert read_phh(write_phh(record)) == record, name


def test_all_in_one_file(shared_data: Path) -> None:
    many = texts(shared_data)
    assert read_pokerstars("\n\n\n".join(many.values())) == [one(text) for text in many.values()]


def test_every_hand_replays_to_the_chips_of_the_text(shared_data: Path) -> None:
    for name, text in texts(shared_data).items():
        record = one(text)
        assert record.winnings is not None
        assert record.finishing_stacks is not None
        played = replay(record)
        assert played.finishing_stacks == record.finishing_stacks, name
        assert played.unit.amount(played.hand.house) == record.user["_rake"], name


def test_texts_are_rewritten_line_by_line_except_shows_and_idle_lines(shared_data: Path) -> None:
    idle = ("has timed out", "has returned", "finished the tournament", "doesn't show hand")
    for name, text in texts(shared_data).items():
        mended = text.replace(" - King kicker", "").replace("Freeroll  ", "Freeroll ").replace('bet)"', "bet)")
        lines, written = (
            sorted(line for line in map(str.rstrip, lines) if line and not any(words in line for words in idle))
            for lines in (mended.splitlines(), write_pokerstars(one(text)).splitlines())
        )
        assert lines == written, name


def test_pluribus_hands_keep_actions_and_stacks(shared_data: Path) -> None:
    for record in recorded(shared_data, "pluribus", 10):
        back = one(write_pokerstars(record))
        assert list(back.actions) == late(record.actions)
        assert back.players == record.players
        assert back.blinds_or_straddles == record.blinds_or_straddles
        assert back.starting_stacks == record.starting_stacks
        assert back.finishing_stacks == record.finishing_stacks


def test_pokerstars_hands_of_2009_keep_their_forced_bets(shared_data: Path) -> None:
    for record in recorded(shared_data, "handhq-ps-50-21", 3):
        back = one(write_pokerstars(record))
        assert back.blinds_or_straddles == record.blinds_or_straddles
        assert back.starting_stacks == record.starting_stacks
        assert (back.seats, back.table, back.hand) == (record.seats, record.table, record.hand)
        assert one(write_pokerstars(back)) == back


def test_pokerkit_reads_written_texts(shared_data: Path) -> None:
    parser = PokerStarsParser()
    for record in recorded(shared_data, "pluribus", 100):
        with redirect_stderr(StringIO()):
            (hand,) = parser(write_pokerstars(record), parse_value=int, error_status=True)
        *_, state = hand
        assert tuple(state.stacks) == record.finishing_stacks
        assert hand.players == list(record.players or ())
