"""Hands as one HTML file: from a journal, from the messages that a bot received, or from a hand history."""

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pitboss.arena.agents.thoughts import load_thoughts
from pitboss.arena.archive.replay_file import (
    is_transcript,
    open_cards,
    page_hand,
    summarize,
    transcript_hands,
    write_html,
)
from pitboss.arena.equities import SECONDS, compute, spots_of
from pitboss.arena.verify.hands import LONGEST_REASON, read_hands
from pitboss.arena.verify.report import NONSENSE
from pitboss.cli.histories import open_hands
from pitboss.cli.output import count, echo
from pitboss.errors import PitbossError
from pitboss.formats.scan import ReadError
from pitboss.printing import printable
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError
from pitboss.store import open_store
from pitboss.store.files import open_private

MOST_HANDS = 500
"""The maximum number of hands on a page; a page of this size has a few megabytes."""
EQUITY_SECONDS = 30.0
"""Time for the equities of all hands of a file."""
JOURNAL_BEGINS = b"SQLite format 3\0"

PageHand = dict[str, Any]


class NothingToShow(PitbossError, ValueError):
    """A record without a hand that can be shown."""


def write_viewer(
    file: str, out: Path, *, hand: int | None, play: Callable[[Record], Replay], lenient: bool, **reading: Any
) -> None:
    """Write a page with the hands of a file, or one of them, and print what it contains."""
    hands, unit, notes = read_page_hands(file, hand=hand, play=play, lenient=lenient, **reading)
    if not hands:
        raise NothingToShow(
            f"{file}: hand {hand} was not found, or cannot be shown" if hand else f"{file} has no finished hand"
        )
    if len(hands) > MOST_HANDS:
        hands = hands[:MOST_HANDS]
        notes.append(f"The record has more hands: these are the first {MOST_HANDS}; --hand selects any other.")
    end = time.monotonic() + EQUITY_SECONDS
    for each in hands:
        steps = compute(each.pop("spots"), min(SECONDS, end - time.monotonic()))
        each["equities"] = msgspec.to_builtins(steps)
    if time.monotonic() >= end:
        notes.append(f"Equities take too long: those not computed within {EQUITY_SECONDS:g} s are left out.")
    notes += add_thoughts(file, hands)
    title = "standard input" if file == "-" else Path(file).name
    text = write_html(title, " ".join(notes), hands, unit)
    with open_private(out, "w") as opened:  # it may hold folded cards
        opened.write(text)
    echo(f"{out}: {count(len(hands), 'hand')}. {' '.join(notes)}".rstrip(), err=True)


def add_thoughts(file: str, hands: list[PageHand]) -> list[str]:
    """Give each hand what language models thought in it, from the file beside the record; return notes about it.

    Hands of several tables or replicas with the same number cannot be told apart; then they get none.
    """
    by_hand: dict[int, list[dict[str, Any]]] = {}
    answered = set[tuple[str, int, str]]()
    for thought in [] if file == "-" else load_thoughts(Path(file)):
        key = (thought.name, thought.turn, thought.hand_id)
        if key in answered:
            return ["What language models thought is left out: several tables or replicas have the same hands."]
        answered.add(key)
        number = thought.hand_id.rpartition("-")[2]
        if number.isdecimal():
            by_hand.setdefault(int(number), []).append(msgspec.to_builtins(thought))
    for hand in hands:
        if found := by_hand.get(hand["number"]):
            hand["thoughts"] = found
    return ["It shows what language models thought."] if by_hand else []


def read_page_hands(
    file: str, *, hand: int | None, play: Callable[[Record], Replay], lenient: bool, **reading: Any
) -> tuple[list[PageHand], int, list[str]]:
    """Return the hands of a file, the number of chips in one unit of money, and notes.

    Each hand has its `spots` for equities. Raises `PitbossError` if the file's content cannot be a hand.
    """
    begins = b"" if file == "-" else _beginning(file)
    unit, notes = 1, list[str]()
    try:
        if begins.startswith(JOURNAL_BEGINS):
            hands, damage = _journal_hands(file, hand)
            notes += ["It shows all cards, including folded ones.", *damage]
        elif is_transcript(begins.partition(b"\n")[0]):
            hands = _frames_hands(file, hand)
        else:
            hands, unit, left_out = _record_hands(file, hand, play, lenient, reading)
            notes += left_out
        return [summarize(each) | {"spots": spots_of(each)} for each in hands], unit, notes
    except PitbossError:
        raise
    except NONSENSE as error:
        reason = printable(str(error)[:LONGEST_REASON]) or type(error).__name__
        raise NothingToShow(
            f"{file} cannot be shown: its content is not a valid hand ({type(error).__name__}: {reason})"
        ) from None


def _beginning(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read(65_536)


def _journal_hands(file: str, hand: int | None) -> tuple[list[PageHand], list[str]]:
    """Return the hands of all tables of a journal, and notes on damage; with `hand`, only the hand with this number."""
    found: list[PageHand] = []
    notes: list[str] = []
    with open_store(file, read_only=True) as store:
        tables = store.tables()
        for table in tables:
            several = f"{table}, " if len(tables) > 1 else ""
            reading = store.read(table)
            if reading.torn_at is not None:
                notes.append(printable(f"{table} is damaged, and shown as far as it can be read: {reading.tear}."))
            for each in read_hands(table, reading):
                if hand not in (None, each.number):
                    continue
                again = each.replay()
                plain = msgspec.json.decode(msgspec.json.encode(again))
                shown = {name: plain[name] for name in ("before", "messages", "cards") if name in plain}
                number = len(found) + 1 if several else each.number
                found.append({"number": number, "label": f"{several}{again.hand_id}", **shown})
                if len(found) > MOST_HANDS:
                    return found, notes
                if hand is not None:
                    break
    return found, notes


def _frames_hands(file: str, hand: int | None) -> list[PageHand]:
    """Return the hands of a record of messages, with all cards of decks that are revealed at its end."""
    found: list[PageHand] = []
    waiting: dict[str, PageHand] = {}
    with open(file, "rb") as lines:
        for each in transcript_hands(lines):
            if "reveals" in each:
                if (known := waiting.pop(each["reveals"], None)) is not None:
                    open_cards(known, each["deck"])
            elif hand in (None, each["number"]) and len(found) <= MOST_HANDS:
                found.append(each)
                waiting[each["label"]] = each
    return found


def _record_hands(
    file: str, hand: int | None, play: Callable[[Record], Replay], lenient: bool, reading: dict[str, Any]
) -> tuple[list[PageHand], int, list[str]]:
    """Return the hands of a hand history, the number of chips in one unit of its money, and notes on failed hands."""
    found: list[tuple[int, Record, Replay]] = []
    errors: list[str] = []
    with open_hands(file, lenient=lenient, so_far=lambda position: None, **reading) as opened:
        hands = (each for each in opened.hands if each.record is not None or each.error is not None)
        for number, each in islice(enumerate(hands, 1), hand - 1 if hand else 0, hand):
            if len(found) > MOST_HANDS:
                break
            try:
                if each.record is None:
                    raise each.error or NothingToShow(f"hand {number} cannot be read")
                found.append((number, each.record, play(each.record)))
            except (ReadError, ReplayError) as error:
                errors.append(f"hand {number}: {error}")
    if not found and errors:
        raise NothingToShow(f"{file}, {errors[0]}")
    scale = max([played.unit.scale for _, _, played in found], default=1)
    table = "standard input" if file == "-" else Path(file).stem
    note = f"{count(len(errors), 'hand')} cannot be replayed and {'is' if len(errors) == 1 else 'are'} left out"
    notes = [f"{note}; the first: {errors[0]}."] if errors else []
    return [page_hand(record, played, number, table, scale) for number, record, played in found], scale, notes
