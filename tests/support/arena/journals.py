"""Checks of a finished or interrupted run: the journal against everything that bots received and sent."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.commitment import shuffle
from pitboss.arena.journal.history import order_of
from pitboss.arena.journal.records import Acted, HandStarted, Record, read_record
from pitboss.arena.rooms.match import Match
from pitboss.arena.wire.messages import write
from pitboss.betting.events import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.hand.events import HoleDealt
from pitboss.store import open_store
from tests.support.arena.poker import Replayed, messages_of
from tests.support.arena.raw_bots import RawBot
from tests.support.arena.servers import Frame


class Journal(Struct):
    """One table's journal, replayed from its beginning: records by entry, frames by number, answers by turn."""

    records: dict[int, Record]
    frames: dict[int, Frame]
    answers: dict[int, Acted]
    match: Match
    turn: int = 0  #: the open turn, if there is a question

    @property
    def last(self) -> int:
        """The number of the last message."""
        return max(self.frames, default=0)

    @property
    def secrets(self) -> set[str]:
        """What must not be readable anywhere before the match is over."""
        started = [record for record in self.records.values() if isinstance(record, HandStarted)]
        return {record.secret for record in started} | {record.deck for record in started}


def read_journal(db: Path | str, table: str = "T-1") -> Journal:
    """Read a table: replay every hand, count every chip and check every number."""
    with open_store(str(db), read_only=True) as store:
        reading = store.read(table)
    assert reading.torn_at is None, reading.tear
    replayed = Replayed(table)
    replayed.take(read_record(reading.entries[0].body))
    found = Journal({}, {}, {}, replayed.match)
    for entry in reading.entries[1:]:
        change = replayed.take(read_record(entry.body))
        record = change.record if isinstance(change, Step) else change
        found.records[entry.seq] = record
        if isinstance(record, Acted):
            found.answers[found.turn] = record
        if isinstance(record, HandStarted | Acted):
            found.turn = entry.seq
        for message in messages_of(replayed.match, change, entry.hash):
            frame = msgspec.json.decode(write(message))
            if "seq" in frame:
                found.frames[frame["seq"]] = frame
    assert list(found.frames) == list(range(1, len(found.frames) + 1)), "numbers are missing"
    return found


def check_bots(journal: Journal, bots: Iterable[RawBot]) -> None:
    """Check that the journal has all frames the bots received, and for every turn the last answer its seat sent."""
    by_seat = {bot.seat: bot for bot in bots}
    for bot in by_seat.values():
        for seq, frame in bot.frames.items():
            assert journal.frames.get(seq) == frame, f"{bot.team} was told {frame}, kept is {journal.frames.get(seq)}"
    for turn, acted in journal.answers.items():
        if acted.seat in by_seat and acted.cause == "client":
            sent = by_seat[acted.seat].sent.get(turn)
            assert sent, f"nobody said {acted} for turn {turn}"
            assert worded(acted.action) == (sent[-1]["action"], sent[-1].get("amount")), (turn, acted, sent)
    check_cards(journal, by_seat.values())


def check_cards(journal: Journal, bots: Iterable[RawBot]) -> None:
    """Check that every deck matches its commitment, and that all cards were dealt from it."""
    commits = {frame["hand_id"]: frame["commit"] for frame in journal.frames.values() if frame["type"] == "start_hand"}
    dealt: dict[tuple[str, int], list[str]] = {}
    for record in journal.records.values():
        if not isinstance(record, HandStarted):
            continue
        deal = shuffle(bytes.fromhex(record.secret))
        assert (deal.commit, "".join(deal.deck)) == (commits[record.hand_id], record.deck)
        for event in record.events:
            if isinstance(event, HoleDealt):
                dealt[record.hand_id, order_of(record)[event.place]] = list(event.cards)
    for bot in bots:
        for hand_id, hole in bot.holes.items():
            assert hole == dealt[hand_id, bot.seat], f"{bot.team} held {hole} in {hand_id}"


def worded(action: BettingAction) -> tuple[str, int | None]:
    """An action of the journal in the words of v1."""
    match action:
        case Fold():
            return "FOLD", None
        case Check():
            return "CHECK", None
        case Call():
            return "CALL", None
        case Bet(to=to) | Raise(to=to):
            return "RAISE_TO", to
    raise AssertionError(f"no word for {action}")
