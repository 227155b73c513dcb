"""Whether a match was honest, from its journal: `transcript.py` reads what one participant was sent.

Each check that fails is one sentence; nothing is repaired and nothing is believed that can be computed. Every hand is
played again. Where it comes out otherwise by the rules of another version, no judgement is passed on it: then decks,
deals and chips are summed up, and the report says so.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pitboss import RULES_VERSION
from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.fold import hands_of
from pitboss.arena.rooms.recovery import recover
from pitboss.arena.verify.against import Comparison
from pitboss.arena.verify.frames import Sitting
from pitboss.arena.verify.replay import JournalReplay
from pitboss.arena.verify.report import NONSENSE, Report
from pitboss.store.chain import Entry, Reading

Advance: TypeAlias = Callable[[int], None]
"""Hears that so many more entries were looked at."""


def verify_table(
    table: str, reading: Reading, sittings: Sequence[Sitting] = (), advance: Advance = lambda pieces: None
) -> Report:
    """Check a table's journal: the hash chain, and every record by playing it again; and hold records against it."""
    report = Report(table)
    if reading.torn_at is not None:
        where = "finished business" if reading.finished else "the open hand"
        report.problems.append(f"the hash chain breaks in {where}: {reading.tear}")
    if not reading.entries:
        report.problems.append(f"nothing of its journal can be read ({reading.tear or 'it is empty'})")
        return report
    comparisons = [Comparison(sitting) for sitting in sittings]
    rules, fault = _play_again(report, reading.entries, comparisons, advance)
    if fault is not None:
        if rules == RULES_VERSION:
            report.problems.append(fault)
        else:
            report.notes.append(
                f"it was played by the rules of {rules[:40]!r}, and by this version's comes out otherwise ({fault}): "
                "its hands were only summed up"
            )
        _sum_up(report, table, reading)
        comparisons = [_summed_up(report, sitting, reading) for sitting in sittings]
    known = [comparison.sitting for comparison in comparisons if comparison.of_this_journal]
    ended = min((sitting.ended for sitting in known if sitting.ended is not None), default=None)
    for comparison in comparisons:
        if known and comparison.may_be_of_another(ended):
            report.notes.insert(0, _of_another_match(comparison.sitting))
        else:
            comparison.add_to(report)
    return report


def _of_another_match(sitting: Sitting) -> str:
    """Say of what in a record this journal is no proof."""
    return (
        f"NOT COMPARED: the record has from line {sitting.first} another match of a table called {sitting.table}, "
        "not this journal's: hold the record against that one's journal too"
    )


def _play_again(
    report: Report, entries: Sequence[Entry], comparisons: Sequence[Comparison], advance: Advance
) -> tuple[str, str | None]:
    """Play it all again; gives the version of its rules, and what does not come out as it was recorded."""
    rules, where = RULES_VERSION, "entry 1"
    try:
        replay = JournalReplay(entries[0])
        rules = replay.match.history.rules
        for entry in entries[1:]:
            where = f"{replay.where}, entry {entry.seq}"
            messages = replay.take(entry)
            for comparison in comparisons:
                comparison.see(replay, entry, messages)
            advance(1)
    except NONSENSE as error:
        return rules, f"{where}: {str(error) or type(error).__name__}"
    for comparison in comparisons:
        comparison.finish(replay.match)
    report.hands, report.voided, report.decks_checked = replay.hands, replay.voided, replay.hands
    if replay.match.underway:
        report.notes.append(f"hand {replay.match.history.hands} is being played")
    return rules, None


def _summed_up(report: Report, sitting: Sitting, reading: Reading) -> Comparison:
    """A record held against what can be read of a journal that cannot be played again."""
    comparison = Comparison(sitting)
    try:
        comparison.sum_up(report.name, reading.entries)
    except NONSENSE as error:
        report.problems.append(f"no record can be held against it: {error}")
    return comparison


def _sum_up(report: Report, table: str, reading: Reading) -> None:
    """Check what no rules are needed for: decks, deals, chips, and that each hand goes on from the one before."""
    try:
        host = None
        for hand in hands_of(table, reading.entries):
            host = host or make_host(hand.settings)
            report.hands += 1
            report.voided += hand.void
            report.decks_checked += 1
            report.problems += [f"{hand.started.hand_id}: {fault}" for fault in host.faults(hand)]
        recovered = recover(table, reading)
        if recovered.tear is not None and reading.torn_at is None:
            report.problems.append(recovered.tear.sentence)
    except NONSENSE as error:
        report.problems.append(str(error) or "it contradicts itself")
