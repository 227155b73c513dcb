"""Whether a match was honest: from its journal, or from what one participant was told.

Each check that fails is one sentence; nothing is repaired and nothing is believed that can be computed.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from pitboss.arena import messages as wire
from pitboss.arena.commitment import Opened, deck_of, fits, shuffled
from pitboss.arena.kept import KeptHand, kept_hands
from pitboss.arena.records import RecordError
from pitboss.arena.recovery import TableRefused, recover
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


# --- from what one was told


class _Told(Struct):
    """A hand as a participant was told of it."""

    commit: str
    order: tuple[int, ...]
    stacks: dict[int, int]
    own: dict[int, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    shown: dict[int, tuple[str, ...]] = field(default_factory=dict)
    whole: bool = True  #: nothing of it was missed


def verify_transcript(name: str, lines: Iterable[str]) -> Report:
    """Check the frames that somebody received, one a line: openings, decks revealed, own cards, chips, numbers."""
    report = Report(name)
    hands: dict[str, _Told] = {}
    revealed: dict[str, wire.RevealedHand] = {}
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message = wire.read_server(line)
        except (msgspec.DecodeError, UnicodeError):
            report.problems.append(f"line {number} is no message of the protocol")
            continue
        last = _follow(report, hands, revealed, message, last)
    for hand_id, told in hands.items():
        if hand_id in revealed:
            report.decks_checked += 1
            report.problems += [f"{hand_id}: {fault}" for fault in _lies(told, revealed[hand_id])]
    hidden = len(hands) - report.decks_checked
    if hidden:
        report.notes.append(f"the decks of {hidden} hands are not revealed yet; they are at the end of the match")
    report.hands = len(hands)
    return report


def _follow(
    report: Report,
    hands: dict[str, _Told],
    revealed: dict[str, wire.RevealedHand],
    message: wire.ServerMessage,
    last: int,
) -> int:
    """Take one more frame in; gives the number of the last one."""
    seq = getattr(message, "seq", None)
    if isinstance(message, wire.Reveal):
        revealed.update({hand.hand_id: hand for hand in message.hands})
    elif isinstance(message, wire.StartHand):
        seats = sorted(stack.seat for stack in message.stacks)
        first = seats.index(message.button) + 1
        stacks = {stack.seat: stack.stack for stack in message.stacks}
        hands[message.hand_id] = _Told(message.commit, (*seats[first:], *seats[:first]), stacks)
    else:
        hand_id = message.at_hand_id if isinstance(message, wire.Snapshot) else getattr(message, "hand_id", None)
        told = hands.get(hand_id or "")
        if told is not None:
            if seq is not None and not isinstance(message, wire.Snapshot) and seq > last + 1:
                told.whole = False
            report.problems += [f"{hand_id}: {fault}" for fault in _take(report, told, message)]
    return max(last, seq or 0)


def _take(report: Report, told: _Told, message: wire.ServerMessage) -> Iterator[str]:
    """Take in what a frame says of a hand, and say what is wrong with it."""
    for opening in getattr(message, "opened", ()):
        report.cards_opened += 1
        opened = Opened(
            opening.card, opening.at, bytes.fromhex(opening.salt), tuple(bytes.fromhex(node) for node in opening.path)
        )
        if not fits(opened, told.commit):
            yield f"{opening.card} does not open against the commitment"
    match message:
        case wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole)):
            if hole and told.own.setdefault(seat, hole) != hole:
                yield f"seat {seat} was told of other cards than before"
        case wire.Flop(cards=cards):
            told.board += cards
        case wire.TurnCard(card=card) | wire.RiverCard(card=card):
            told.board += (card,)
        case wire.Showdown(seat=seat, hand=cards):
            told.shown[seat] = cards
        case wire.PostBlinds():
            told.stacks[message.sb_seat] -= message.sb_posted
            told.stacks[message.bb_seat] -= message.bb_posted
        case wire.Bet(seat=seat, amount=amount) | wire.Call(seat=seat, amount=amount):
            told.stacks[seat] -= amount
        case wire.Refund(seat=seat, amount=amount) | wire.PotAward(seat=seat, amount=amount):
            told.stacks[seat] += amount
        case wire.HandVoided():
            told.whole = False
            report.voided += 1
        case wire.EndHand(stacks=stacks):
            if told.whole and {stack.seat: stack.stack for stack in stacks} != told.stacks:
                yield "the stacks at its end are not what its events make them"


def _lies(told: _Told, revealed: wire.RevealedHand) -> Iterator[str]:
    """What of a hand does not fit the deck that was revealed."""
    deal = shuffled(bytes.fromhex(revealed.secret))
    if deal.commit != told.commit:
        yield "the deck revealed is not the one the server bound itself to"
    if "".join(deal.deck) != revealed.deck:
        yield "the deck revealed is not the one its secret decides"
    n = len(told.order)
    for seat, cards in (*told.own.items(), *told.shown.items()):
        place = told.order.index(seat)
        if cards != deal.deck[place : 2 * n : n]:
            yield f"seat {seat} had other cards than the deck says"
    if told.board != deal.deck[2 * n : 2 * n + len(told.board)] and told.whole:
        yield "the board is not the one the deck says"
