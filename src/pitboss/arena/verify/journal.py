"""Whether a match was honest, from its journal; `verify_told.py` does it from what one participant was told.

Each check that fails is one sentence; nothing is repaired and nothing is believed that can be computed.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from pitboss.arena.journal.commitment import deck_of
from pitboss.arena.journal.hands import KeptHand, kept_hands
from pitboss.arena.journal.records import RecordError
from pitboss.arena.journal.recovery import TableRefused, recover
from pitboss.cards import read_cards
from pitboss.hand.events import BoardDealt, HoleDealt, Shown
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


# --- from the journal


def verify_table(table: str, reading: Reading) -> Report:
    """Check a table's journal: hash chain, decks, deals, chips, and the open hand by playing it again."""
    report = Report(table)
    if reading.torn_at is not None:
        where = "finished business" if reading.finished else "the open hand"
        report.problems.append(f"the hash chain breaks in {where}: {reading.tear}")
    try:
        for hand in kept_hands(reading.entries):
            report.hands += 1
            report.voided += hand.void
            report.decks_checked += 1
            report.problems += [f"{hand.started.hand_id}: {fault}" for fault in _faults(hand)]
        recovered = recover(table, reading)
        if recovered.tear is not None and reading.torn_at is None:
            report.problems.append(recovered.tear.sentence)
        elif recovered.host.series.open is not None:
            report.notes.append(f"hand {recovered.host.series.hands} is being played")
    except (RecordError, TableRefused) as error:
        report.problems.append(str(error))
    return report


def _faults(hand: KeptHand) -> Iterator[str]:
    """What is wrong with a finished hand."""
    started = hand.started
    deck = deck_of(bytes.fromhex(started.secret))
    if tuple(read_cards(started.deck)) != deck:
        yield "the deck is not the one its secret decides"
    if _dealt(hand) != list(deck[: len(_dealt(hand))]):
        yield "cards were not dealt from the top of the deck"
    holes = {event.place: event.cards for event in hand.events if isinstance(event, HoleDealt)}
    if any(holes.get(event.place) != event.cards for event in hand.events if isinstance(event, Shown)):
        yield "somebody showed cards that were not dealt to him"
    if sum(hand.stacks.values()) != sum(started.stacks.values()) or min(hand.stacks.values()) < 0:
        yield "chips were lost or made"


def _dealt(hand: KeptHand) -> list[str]:
    """The cards in the order they were dealt: one at a time from the button's left, then the board."""
    holes = [event.cards for event in hand.events if isinstance(event, HoleDealt)]
    first = [hole[k] for k in range(2) for hole in holes]
    return first + [card for event in hand.events if isinstance(event, BoardDealt) for card in event.cards]


def compare(report: Report, reading: Reading, told: Mapping[str, str]) -> None:
    """Hold a journal against the heads of its hash chain that somebody was told, by hand."""
    kept = {hand.started.hand_id: hand.chain.hex() for hand in kept_hands(reading.entries)}
    here = [hand_id for hand_id in told if hand_id in kept]
    report.notes.append(f"{len(here)} heads of the chain compared with the record")
    if told and not here:
        report.problems.append("none of the record's hands is in this journal")
    for hand_id in here:
        if kept[hand_id] != told[hand_id]:
            report.problems.append(f"{hand_id}: the journal up to its end is not the one that was told")
