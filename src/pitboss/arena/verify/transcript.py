"""Whether a match was honest, from the frames that one participant received.

Once a deck is revealed the hand is played again from it by the rules and must come out as it was sent. Frames that a
participant missed are no lie: they are noted, and what cannot be checked without them is not.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct, field

from pitboss.arena.hosts.games import structure_of
from pitboss.arena.hosts.moves import commit_to
from pitboss.arena.journal.commitment import Opened, fits, public_number, shuffled
from pitboss.arena.journal.records import Settings
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1.poker import raised_to
from pitboss.arena.verify.journal import Report
from pitboss.betting.actions import BettingAction, Call, Check, Fold
from pitboss.betting.refusals import Refused, SetupError
from pitboss.hand.events import BoardDealt, Event, Shown
from pitboss.hand.hand import Hand
from pitboss.hand.structure import NO_LIMIT_HOLDEM, Stakes, Structure, blinds

Stacks = dict[int, int]


class _SentHand(Struct):
    """A hand as a participant was sent it."""

    started: wire.StartHand
    structure: Structure | None  #: None: a game that is no poker
    own: dict[int, tuple[str, ...]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    shown: dict[int, tuple[tuple[str, ...], str]] = field(default_factory=dict)  #: cards and rank
    posted: wire.PostBlinds | None = None
    actions: list[tuple[int, wire.BetMessage | wire.CallMessage | wire.CheckMessage | wire.FoldMessage]] = field(
        default_factory=list
    )
    end: wire.EndHand | None = None
    void: bool = False
    whole: bool = True  #: nothing of it was missed

    @property
    def order(self) -> tuple[int, ...]:
        """The seat of each place."""
        seats = sorted(stack.seat for stack in self.started.stacks)
        first = seats.index(self.started.button) + 1
        return (*seats[first:], *seats[:first])


class Transcript(Struct):
    """What somebody received, followed frame by frame."""

    report: Report
    hands: dict[str, _SentHand] = field(default_factory=dict)
    revealed: dict[str, wire.RevealedHand] = field(default_factory=dict)
    stacks: Stacks | None = None  #: as the last hand left them, where nothing was missed since
    last: int = 0  #: the number of the last frame
    structure: Structure | None = NO_LIMIT_HOLDEM  #: None: a game that is no poker
    end: wire.MatchEnd | None = None

    @property
    def heads(self) -> dict[str, str]:
        """The heads of the journal's hash chain that were sent, by hand."""
        return {hand_id: sent.end.chain for hand_id, sent in self.hands.items() if sent.end is not None}


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
    if isinstance(message, wire.Welcome | wire.TableMessage):
        transcript.structure = _structure(message.config)
    elif isinstance(message, wire.Reveal):
        transcript.revealed.update({hand.hand_id: hand for hand in message.hands})
    elif again:
        return  # sent again after a reconnect
    elif isinstance(message, wire.StartHand):
        _start(transcript, message)
    elif isinstance(message, wire.MatchEnd):
        _end_match(transcript, message)
    else:
        hand_id = message.at_hand_id if isinstance(message, wire.Snapshot) else getattr(message, "hand_id", None)
        sent = transcript.hands.get(hand_id or "")
        if sent is not None:
            sent.whole = sent.whole and not missed
            transcript.report.problems += [f"{hand_id}: {fault}" for fault in _take(transcript, sent, message)]


def _structure(config: wire.Config) -> Structure | None:
    """The game that a table's settings say is played; None where it is no poker."""
    return structure_of(Settings(game=config.variant, reopening=config.reopening or "single"))


def _start(transcript: Transcript, started: wire.StartHand) -> None:
    problems = transcript.report.problems
    transcript.hands[started.hand_id] = _SentHand(started, transcript.structure)
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
    most = max(0, *final.values())
    first = [seat for seat, stack in final.items() if max(stack, 0) == most]
    if end.winner is not None:
        fair = end.winner.seat in first
    else:
        tied = sorted(winner.seat for winner in end.winners or ())
        fair = len(tied) > 1 and (tied == sorted(first) if most else set(tied) <= set(first))
    if not fair:
        transcript.report.problems.append("the winner is not who has most chips")


def _take(transcript: Transcript, sent: _SentHand, message: wire.ServerMessage) -> Iterator[str]:
    """Take in what a frame says of a hand, and say what is wrong with it."""
    for opening in getattr(message, "opened", ()):
        transcript.report.cards_opened += 1
        in_deck = 0 if sent.structure is None else len(sent.structure.deck)
        if not fits(_opened(opening), sent.started.commit, cards=in_deck):
            yield f"{opening.card} does not open against the commitment"
    match message:
        case wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole)):
            if hole and sent.own.setdefault(seat, hole) != hole:
                yield f"seat {seat} was told of other cards than before"
        case wire.Flop(cards=cards):
            sent.board += cards
        case wire.TurnCard(card=card) | wire.RiverCard(card=card):
            sent.board += (card,)
        case wire.Showdown(seat=seat, hand=cards, rank=rank):
            sent.shown[seat] = cards, rank
        case wire.PostBlinds():
            sent.posted = message
        case wire.BetMessage() | wire.CallMessage() | wire.CheckMessage() | wire.FoldMessage():
            sent.actions.append((message.seat, message))
        case wire.VoidMessage():
            sent.void = True
            transcript.report.voided += 1
        case wire.EndHand(stacks=stacks):
            sent.end = message
            transcript.stacks = {**(transcript.stacks or {}), **{stack.seat: stack.stack for stack in stacks}}


def _opened(opening: wire.Opening) -> Opened:
    path = tuple(bytes.fromhex(node) for node in opening.path)
    return Opened(opening.card, opening.at, bytes.fromhex(opening.salt), path)


# --- once the decks are revealed


def _check_decks(transcript: Transcript) -> None:
    report, hidden = transcript.report, 0
    for hand_id, sent in transcript.hands.items():
        revealed = transcript.revealed.get(hand_id)
        if revealed is not None:
            report.decks_checked += 1
            report.problems += [f"{hand_id}: {fault}" for fault in _lies(sent, revealed)]
        elif transcript.end is not None:
            report.problems.append(f"{hand_id}: the match is over and its deck was not revealed")
        else:
            hidden += 1
    if hidden:
        report.notes.append(f"the decks of {hidden} hands are not revealed yet; they are at the end of the match")


def _lies(sent: _SentHand, revealed: wire.RevealedHand) -> Iterator[str]:
    """What of a hand does not fit the deck that was revealed."""
    if sent.structure is None:
        if commit_to(bytes.fromhex(revealed.secret)) != sent.started.commit:
            yield "the secret revealed is not the one the server bound itself to"
        return
    deal = shuffled(bytes.fromhex(revealed.secret), sent.structure.deck)
    if deal.commit != sent.started.commit:
        yield "the deck revealed is not the one the server bound itself to"
        return
    if "".join(deal.deck) != revealed.deck:
        yield "the deck revealed is not the one its secret decides"
    n, shown = len(sent.order), {seat: cards for seat, (cards, _) in sent.shown.items()}
    dealt = sum(street.hole for street in sent.structure.streets)
    for seat, cards in (*sent.own.items(), *shown.items()):
        if cards != deal.deck[sent.order.index(seat) : dealt * n : n]:
            yield f"seat {seat} had other cards than the deck says"
    if sent.whole and not sent.void and sent.end is not None and sent.posted is not None:
        yield from _differences(sent, sent.structure, sent.end, sent.posted, deal.deck)


def _differences(
    sent: _SentHand, structure: Structure, end: wire.EndHand, posted: wire.PostBlinds, deck: tuple[str, ...]
) -> Iterator[str]:
    """Play the hand again from its deck; it must come out as it was sent."""
    start = {stack.seat: stack.stack for stack in sent.started.stacks}
    big_bet = 2 * posted.bb if structure.betting.exact else None
    stakes = Stakes(min_bet=posted.bb, big_bet=big_bet, posts=blinds(len(start), posted.sb, posted.bb))
    try:
        hand, events = Hand.start(structure, stacks=[start[seat] for seat in sent.order], stakes=stakes, deck=deck)
        for seat, action in sent.actions:
            hand, happened = hand.act(_wish(action, hand), sent.order.index(seat))
            events += happened
    except (Refused, SetupError) as error:
        yield f"its actions are not by the rules: {error}"
        return
    if not hand.over:
        yield "it ended before its actions did"
    elif dict(zip(sent.order, hand.stacks, strict=True)) != {stack.seat: stack.stack for stack in end.stacks}:
        yield "the stacks at its end are not what its cards and actions make them"
    if sent.board != _board(events):
        yield "the board is not the one the deck says"
    if sent.shown != {sent.order[e.place]: (e.cards, e.rank) for e in events if isinstance(e, Shown)}:
        yield "the showdown is not what its cards make it"


def _wish(
    action: wire.BetMessage | wire.CallMessage | wire.CheckMessage | wire.FoldMessage, hand: Hand
) -> BettingAction:
    match action:
        case wire.BetMessage(to=to):
            return raised_to(to, hand)
        case wire.CallMessage():
            return Call()
        case wire.CheckMessage():
            return Check()
        case wire.FoldMessage():
            return Fold()


def _board(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(card for event in events if isinstance(event, BoardDealt) for card in event.cards)
