"""Whether a match was honest, from the frames that one participant received.

Once a deck is revealed the hand is played again from it by the rules and must come out as it was told. Frames that a
participant missed are no lie: they are noted, and what cannot be checked without them is not.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from pitboss.arena.hosts.series import dealt_in
from pitboss.arena.journal.commitment import Opened, fits, public_number, shuffled
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1.host import raised_to
from pitboss.arena.verify.journal import Report
from pitboss.betting.actions import BettingAction, Call, Check, Fold
from pitboss.betting.refusals import Refused, SetupError
from pitboss.hand.events import BoardDealt, Event, Shown
from pitboss.hand.hand import Hand
from pitboss.hand.structure import NO_LIMIT_HOLDEM, Stakes, blinds
from pitboss.table.rotation import order_of_play

Stacks = dict[int, int]


class _Told(Struct):
    """A hand as a participant was told of it."""

    started: wire.StartHand
    own: dict[int, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    shown: dict[int, tuple[tuple[str, ...], str]] = field(default_factory=dict)  #: cards and rank
    posted: wire.PostBlinds | None = None
    actions: list[tuple[int, wire.Bet | wire.Call | wire.Check | wire.Fold]] = field(default_factory=list)
    end: wire.EndHand | None = None
    void: bool = False
    whole: bool = True  #: nothing of it was missed

    @property
    def order(self) -> tuple[int, ...]:
        """The seat of each place."""
        return order_of_play(dealt_in([stack.seat for stack in self.started.stacks]), self.started.button)


class Transcript(Struct):
    """What somebody received, followed frame by frame."""

    report: Report
    hands: dict[str, _Told] = field(default_factory=dict)
    revealed: dict[str, wire.RevealedHand] = field(default_factory=dict)
    stacks: Stacks | None = None  #: as the last hand left them, where nothing was missed since
    last: int = 0  #: the number of the last frame
    end: wire.MatchEnd | None = None

    @property
    def heads(self) -> dict[str, str]:
        """The heads of the journal's hash chain that were told, by hand."""
        return {hand_id: told.end.chain for hand_id, told in self.hands.items() if told.end is not None}


def verify_transcript(name: str, lines: Iterable[str]) -> Report:
    """Check the frames that somebody received, one a line."""
    return read_transcript(name, lines).report


def read_transcript(name: str, lines: Iterable[str]) -> Transcript:
    """Follow the frames and check them."""
    transcript = Transcript(Report(name))
    report = transcript.report
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message = wire.read_server(line)
        except (msgspec.DecodeError, UnicodeError):
            report.problems.append(f"line {number} is no message of the protocol")
            continue
        _follow(transcript, message, number)
    _check_decks(transcript)
    report.hands = len(transcript.hands)
    return transcript


def _follow(transcript: Transcript, message: wire.ServerMessage, line: int) -> None:
    """Take one more frame in."""
    seq: int = getattr(message, "seq", 0)
    missed = seq > transcript.last + 1
    if missed and transcript.last:
        transcript.report.notes.append(f"frames {transcript.last + 1} to {seq - 1} are missing before line {line}")
    if missed:
        transcript.stacks = None
    again = 0 < seq <= transcript.last and not isinstance(message, wire.Snapshot)
    transcript.last = max(transcript.last, seq)
    if isinstance(message, wire.Reveal):
        transcript.revealed.update({hand.hand_id: hand for hand in message.hands})
    elif again:
        return  # told again after a reconnect
    elif isinstance(message, wire.StartHand):
        _start(transcript, message)
    elif isinstance(message, wire.MatchEnd):
        _end_match(transcript, message)
    else:
        hand_id = message.at_hand_id if isinstance(message, wire.Snapshot) else getattr(message, "hand_id", None)
        told = transcript.hands.get(hand_id or "")
        if told is not None:
            told.whole = told.whole and not missed
            transcript.report.problems += [f"{hand_id}: {fault}" for fault in _take(transcript, told, message)]


def _start(transcript: Transcript, started: wire.StartHand) -> None:
    problems = transcript.report.problems
    transcript.hands[started.hand_id] = _Told(started)
    if started.seed != public_number(started.commit):
        problems.append(f"{started.hand_id}: its seed is not taken from the commitment")
    before = transcript.stacks or {}
    if any(before.get(stack.seat, stack.stack) != stack.stack for stack in started.stacks):
        problems.append(f"{started.hand_id}: it begins with other chips than the hand before left")


def _end_match(transcript: Transcript, end: wire.MatchEnd) -> None:
    transcript.end = end
    final = {stack.seat: stack.stack for stack in end.final_stacks}
    left = transcript.stacks or {}
    if any(final.get(seat) != stack for seat, stack in left.items()):
        transcript.report.problems.append("the final stacks are not what the last hand left")
    if final.get(end.winner.seat) != max(final.values(), default=0):
        transcript.report.problems.append("the winner is not who has most chips")


def _take(transcript: Transcript, told: _Told, message: wire.ServerMessage) -> Iterator[str]:
    """Take in what a frame says of a hand, and say what is wrong with it."""
    for opening in getattr(message, "opened", ()):
        transcript.report.cards_opened += 1
        if not fits(_opened(opening), told.started.commit):
            yield f"{opening.card} does not open against the commitment"
    match message:
        case wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole)):
            if hole and told.own.setdefault(seat, hole) != hole:
                yield f"seat {seat} was told of other cards than before"
        case wire.Flop(cards=cards):
            told.board += cards
        case wire.TurnCard(card=card) | wire.RiverCard(card=card):
            told.board += (card,)
        case wire.Showdown(seat=seat, hand=cards, rank=rank):
            told.shown[seat] = cards, rank
        case wire.PostBlinds():
            told.posted = message
        case wire.Bet() | wire.Call() | wire.Check() | wire.Fold():
            told.actions.append((message.seat, message))
        case wire.HandVoided():
            told.void = True
            transcript.report.voided += 1
        case wire.EndHand(stacks=stacks):
            told.end = message
            transcript.stacks = {**(transcript.stacks or {}), **{stack.seat: stack.stack for stack in stacks}}


def _opened(opening: wire.Opening) -> Opened:
    path = tuple(bytes.fromhex(node) for node in opening.path)
    return Opened(opening.card, opening.at, bytes.fromhex(opening.salt), path)


# --- once the decks are revealed


def _check_decks(transcript: Transcript) -> None:
    report, hidden = transcript.report, 0
    for hand_id, told in transcript.hands.items():
        revealed = transcript.revealed.get(hand_id)
        if revealed is not None:
            report.decks_checked += 1
            report.problems += [f"{hand_id}: {fault}" for fault in _lies(told, revealed)]
        elif transcript.end is not None:
            report.problems.append(f"{hand_id}: the match is over and its deck was not revealed")
        else:
            hidden += 1
    if hidden:
        report.notes.append(f"the decks of {hidden} hands are not revealed yet; they are at the end of the match")


def _lies(told: _Told, revealed: wire.RevealedHand) -> Iterator[str]:
    """What of a hand does not fit the deck that was revealed."""
    deal = shuffled(bytes.fromhex(revealed.secret))
    if deal.commit != told.started.commit:
        yield "the deck revealed is not the one the server bound itself to"
        return
    if "".join(deal.deck) != revealed.deck:
        yield "the deck revealed is not the one its secret decides"
    n, shown = len(told.order), {seat: cards for seat, (cards, _) in told.shown.items()}
    for seat, cards in (*told.own.items(), *shown.items()):
        if cards != deal.deck[told.order.index(seat) : 2 * n : n]:
            yield f"seat {seat} had other cards than the deck says"
    if told.whole and not told.void and told.end is not None and told.posted is not None:
        yield from _differences(told, told.end, told.posted, deal.deck)


def _differences(told: _Told, end: wire.EndHand, posted: wire.PostBlinds, deck: tuple[str, ...]) -> Iterator[str]:
    """Play the hand again from its deck; it must come out as it was told."""
    start = {stack.seat: stack.stack for stack in told.started.stacks}
    stakes = Stakes(min_bet=posted.bb, posts=blinds(len(start), posted.sb, posted.bb))
    try:
        hand, events = Hand.start(
            NO_LIMIT_HOLDEM, stacks=[start[seat] for seat in told.order], stakes=stakes, deck=deck
        )
        for seat, action in told.actions:
            hand, happened = hand.act(_wish(action, hand), told.order.index(seat))
            events += happened
    except (Refused, SetupError) as error:
        yield f"its actions are not by the rules: {error}"
        return
    if not hand.over:
        yield "it ended before its actions did"
    elif dict(zip(told.order, hand.stacks, strict=True)) != {stack.seat: stack.stack for stack in end.stacks}:
        yield "the stacks at its end are not what its cards and actions make them"
    if told.board != _board(events):
        yield "the board is not the one the deck says"
    if told.shown != {told.order[e.place]: (e.cards, e.rank) for e in events if isinstance(e, Shown)}:
        yield "the showdown is not what its cards make it"


def _wish(action: wire.Bet | wire.Call | wire.Check | wire.Fold, hand: Hand) -> BettingAction:
    match action:
        case wire.Bet(to=to):
            return raised_to(to, hand)
        case wire.Call():
            return Call()
        case wire.Check():
            return Check()
        case wire.Fold():
            return Fold()


def _board(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(card for event in events if isinstance(event, BoardDealt) for card in event.cards)
