"""Knows everything that is on disk, and checks whether a frame may be sent to its receiver yet."""

import json
import re
from collections.abc import Iterable

from msgspec import Struct, field

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.commitment import deck_of, salt
from pitboss.arena.journal.history import order_of
from pitboss.arena.journal.records import (
    Acted,
    DecksRevealed,
    HandStarted,
    HandVoided,
    MatchEnded,
    Record,
    Seated,
    read_record,
)
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import read_server, write
from pitboss.hand.events import BoardDealt, Discarded, HoleDealt, Shown, UpDealt
from pitboss.store.chain import Entry
from tests.support.arena.cash_ledger import CashLedger
from tests.support.arena.poker import Replayed, messages_of
from tests.support.arena.referee import Referee

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
LONG_HEX = re.compile(r"[0-9a-f]{32,}")


class Dealt(Struct):
    """A hand's cards, and which of them are face up."""

    deck: tuple[str, ...]
    order: tuple[int, ...] = ()
    holes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)


class Question(Struct, frozen=True):
    """The seat to act by the journal: the turn's number is that of the entry that led to it."""

    turn: int
    hand_id: str
    seat: int


class Witness:
    """The journal taken in entry by entry and replayed; a `Referee` follows the public messages."""

    def __init__(self, table: str, entries: Iterable[Entry] = ()) -> None:
        self._replayed = Replayed(table)
        self.referee = Referee()
        self.log: dict[int, str] = {}  #: every numbered frame that may be sent, by its number
        self.acts: list[tuple[Question, Acted]] = []  #: the questions, and their answers
        self.hands: dict[str, Dealt] = {}
        self.questions: dict[int, Question] = {}
        self.teams: dict[int, str] = {}
        self.seq = 0
        self.revealed = 0
        self.cash: CashLedger | None = None
        self._lobbies: set[tuple[tuple[int, str, int], ...]] = {()}
        self._secrets: dict[str, set[str]] = {}  # secret → hands
        self._salts: dict[str, str] = {}  # salt → card
        self._question: Question | None = None
        self._sent: dict[str, wire.ServerMessage] = {}  # frames that may go to any client, because many receive them
        for entry in entries:
            self.take(entry)

    @property
    def match(self) -> Match:
        """The match by the disk."""
        return self._replayed.match

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the disk."""
        return self.match.over

    # --- what is on disk

    def take(self, entry: Entry) -> None:
        """Take in an entry that is now on disk."""
        change = self._replayed.take(read_record(entry.body))
        record = change.record if isinstance(change, Step) else change
        self.seq = entry.seq
        match record:
            case Seated():
                self.teams[record.seat] = record.team
            case DecksRevealed():
                self.revealed = record.number
            case Acted():
                assert self._question is not None
                self.acts.append((self._question, record))
        self._note_cards(record)
        cash = self._cash_ledger()
        if cash is not None:
            cash.wants(record)
        is_known = self._is_known
        if is_known and not self.referee.hands:
            self.referee.config = json.loads(write(TableMessages(self.match).table()))["config"]
        for message in messages_of(self.match, change, entry.hash):
            if cash is not None:
                cash.see(message)
            frame = write(message)
            (self.referee.see if is_known else self.referee.skip)(json.loads(frame))
            if (seq := getattr(message, "seq", None)) is not None:
                self.log[seq] = frame
        if cash is not None:
            cash.wait()
            assert {seat: self.match.standing(seat)[1] for seat in self.match.history.seats} == cash.owes
        self._ask(entry, record)
        seats = sorted(self.match.history.seats.items())
        self._lobbies.add(tuple((seat, taken.team, taken.stack) for seat, taken in seats))

    @property
    def _is_known(self) -> bool:
        """Whether the referee knows the game: no-limit hold'em in a match."""
        return self.match.host.variant == "HUNL" and not self.match.settings.cash

    def _cash_ledger(self) -> CashLedger | None:
        """The ledger of a cash table of hold'em, from its first entry on."""
        settings = self.match.settings
        if self.cash is None and settings.cash and self.match.host.variant in ("HUNL", "PO"):
            self.cash = CashLedger(settings.seats, settings.big_blind, settings.straddle)
        return self.cash

    def _ask(self, entry: Entry, record: Record) -> None:
        if isinstance(record, HandStarted | Acted | HandVoided | MatchEnded):
            seat = self.match.to_act
            self._question = None if seat is None else Question(entry.seq, self.match.hand_id, seat)
            if self._question is not None:
                self.questions[entry.seq] = self._question

    def _note_cards(self, record: Record) -> None:
        if isinstance(record, HandStarted):
            secret = bytes.fromhex(record.secret)
            dealt = self.hands[record.hand_id] = Dealt(deck_of(secret))
            assert "".join(dealt.deck) == record.deck, "the deck is not the secret's"
            dealt.order = order_of(record)
            self._secrets.setdefault(record.secret, set()).add(record.hand_id)
            self._salts |= {salt(secret, at).hex(): card for at, card in enumerate(dealt.deck)}
        if isinstance(record, HandStarted | Acted):
            dealt = self.hands[self.match.history.secrets[-1][0]]
            for event in record.events:
                if isinstance(event, BoardDealt | Shown | UpDealt):
                    dealt.open |= set(event.cards)
                if isinstance(event, HoleDealt | UpDealt | Discarded):
                    seat = dealt.order[event.place]
                    held = [card for card in dealt.holes.get(seat, ()) if card not in event.cards]
                    dealt.holes[seat] = (*held, *(() if isinstance(event, Discarded) else event.cards))

    # --- what may be sent

    def check(self, frame: str, seat: int | None) -> wire.ServerMessage:
        """Check that a frame may go to this seat, or to a client without one (None), now; return its message."""
        if frame in self._sent:
            return self._sent[frame]
        message = read_server(frame)
        seq = getattr(message, "seq", None)
        if isinstance(message, wire.Snapshot):
            assert message.seq <= self.match.seq, "a snapshot of what is not on disk"
        elif seq is not None:
            assert self.log.get(seq) == frame, f"told before it was on disk, or otherwise than it stands there: {frame}"
        self._check_turn(message, seat)
        self._check_people(message, seat)
        self._check_secrets(message, frame)
        self._check_cards(message, frame, seat)
        if not isinstance(message, wire.Welcome | wire.Act | wire.Snapshot):
            self._sent[frame] = message
        return message

    def _check_turn(self, message: wire.ServerMessage, seat: int | None) -> None:
        match message:
            case wire.Act(turn=turn, hand_id=hand_id) | wire.Snapshot(turn=int(turn), at_hand_id=hand_id):
                asked = self.questions.get(turn)
                assert asked == Question(turn, hand_id or "", -1 if seat is None else seat), (
                    f"no such question: {message}"
                )
                if asked == self._question and self._is_known:
                    self.referee.ask(json.loads(write(message)))
            case wire.Turn(hand_id=hand_id):
                assert hand_id in self.hands

    def _check_people(self, message: wire.ServerMessage, seat: int | None) -> None:
        match message:
            case wire.Welcome():
                assert message.seat == seat
                assert message.seat in self.teams, "welcomed before the seat is on disk"
            case wire.Lobby(players=players):
                sent = tuple((player.seat, player.team, player.stack) for player in players)
                assert sent in self._lobbies, f"a lobby that never was: {sent}"
            case wire.Snapshot(you=you):
                assert you.seat == seat

    def _check_secrets(self, message: wire.ServerMessage, frame: str) -> None:
        if isinstance(message, wire.Reveal):
            assert self.over or self.match.settings.cash, "decks revealed before the match is over"
            for hand in message.hands:
                assert self.over or int(hand.hand_id.rpartition("-")[2]) <= self.revealed, "a deck revealed too soon"
                assert hand.hand_id in self._secrets[hand.secret]
                assert "".join(self.hands[hand.hand_id].deck) == hand.deck
            return
        for text in LONG_HEX.findall(frame):
            assert text not in self._secrets, "a secret got out"
            if text in self._salts:
                assert self._salts[text] in CARD.findall(frame), "the salt of a hidden card got out"

    def _check_cards(self, message: wire.ServerMessage, frame: str, seat: int | None) -> None:
        sent = set(CARD.findall(frame))
        if not sent:
            return
        hand_id = message.at_hand_id if isinstance(message, wire.Snapshot) else getattr(message, "hand_id", None)
        assert hand_id is not None, f"cards in {frame}"
        dealt = self.hands[hand_id]
        private = isinstance(message, wire.Act | wire.Snapshot) and seat is not None
        own = set(dealt.holes.get(seat, ())) if private and seat is not None else set[str]()
        assert sent <= dealt.open | own, f"{sorted(sent - dealt.open - own)} are hidden from seat {seat}: {frame}"
