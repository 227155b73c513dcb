"""Whether a match was honest, from its journal; `transcript.py` does it from what one participant was sent.

Each check that fails is one sentence; nothing is repaired and nothing is believed that can be computed.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.fold import HistoryError, hands_of
from pitboss.arena.journal.records import RecordError, SettingsError
from pitboss.arena.rooms.recovery import TableRefused, recover
from pitboss.store.chain import Reading


class Report(Struct):
    """What was looked at, and what is wrong with it."""

    name: str
    hands: int = 0
    voided: int = 0
    cards_opened: int = 0
    decks_checked: int = 0
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify_table(table: str, reading: Reading) -> Report:
    """Check a table's journal: hash chain, decks, deals, chips, and the open hand by playing it again."""
    report = Report(table)
    if reading.torn_at is not None:
        where = "finished business" if reading.finished else "the open hand"
        report.problems.append(f"the hash chain breaks in {where}: {reading.tear}")
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
        elif recovered.match.underway:
            report.notes.append(f"hand {recovered.match.history.hands} is being played")
    except (RecordError, HistoryError, SettingsError, TableRefused) as error:
        report.problems.append(str(error))
    return report


def compare(report: Report, reading: Reading, sent: Mapping[str, str]) -> None:
    """Hold a journal against the heads of its hash chain that somebody was sent, by hand."""
    heads = {hand.started.hand_id: hand.chain.hex() for hand in hands_of(report.name, reading.entries)}
    here = [hand_id for hand_id in sent if hand_id in heads]
    report.notes.append(f"{len(here)} heads of the chain compared with the record")
    if sent and not here:
        report.problems.append("none of the record's hands is in this journal")
    for hand_id in here:
        if heads[hand_id] != sent[hand_id]:
            report.problems.append(f"{hand_id}: the journal up to its end is not the one that was told")
