"""Looks for secrets of a match under way in everything that is sent or written about it, except the journal itself.

The secrets are read from the journal: decks, hidden hands, what opens them, what opens seats. A run of
four cards in the order of a hidden hand is a leak, however it is written; so is a secret as text, in hexadecimal, in
base64 or as the bytes themselves.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from pitboss.arena.journal.commitment import deck_of, salt
from pitboss.arena.journal.history import order_of
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    Lock,
    MatchEnded,
    NumbersBound,
    Seated,
    TableOpened,
    poker_events,
    read_record,
)
from pitboss.cards import Card
from pitboss.hand.events import BoardDealt, HoleDealt, Shown
from pitboss.hand.structure import Structure
from pitboss.store.chain import Entry
from tests.support.arena.poker import structure_of

RUN = 4
"""The number of cards in a row that cannot be an accident."""
CARDS = re.compile(rb"(?:[2-9TJQKA][cdhs][^0-9A-Za-z]{0,4}){%d,}" % RUN)
A_CARD = re.compile(rb"[2-9TJQKA][cdhs]")


class HiddenHand(Struct):
    """A hand: all players' cards, which of them were shown, and whether it is over."""

    hand_id: str
    holes: dict[int, tuple[Card, ...]]
    undealt: tuple[Card, ...]
    shown: set[int] = field(default_factory=set)
    over: bool = False

    def runs(self, seat: int | None, *, of_owner: bool) -> Iterator[tuple[Card, ...]]:
        """The runs of cards that this seat, or None for no seat, must not see; an owner may see all dealt cards."""
        for other, hole in self.holes.items():
            if other != seat and other not in self.shown and not (of_owner and self.over):
                yield from _runs(hole)
                yield from _runs(sorted(hole))
        yield from _runs(self.undealt)


class Secrets:
    """All secrets, by name; taken from the journal entry by entry."""

    def __init__(self, entries: Iterable[Entry], codes: Iterable[str]) -> None:
        self.words: dict[str, bytes] = {f"the code {code}": code.encode() for code in codes}
        self.hands: list[HiddenHand] = []
        self.seats: dict[str, int] = {}  #: by team
        self._structure: Structure | None = None
        for entry in entries:
            self._take(entry)

    def _take(self, entry: Entry) -> None:
        record = read_record(entry.body)
        match record:
            case TableOpened():
                self._structure = structure_of(record.settings)
                for team, lock in (record.teams or {}).items():
                    self._lock(team, lock)
            case Seated():
                self.seats[record.team] = record.seat
                if record.lock is not None:
                    self._lock(record.team, record.lock)
            case NumbersBound():
                self._hex(f"the server's number of {record.hand_id}", record.server_number)
            case HandStarted():
                self._begin(record)
            case MatchEnded():
                self._reveal()
        if isinstance(record, HandStarted | Acted):
            self._see(record)

    def _begin(self, started: HandStarted) -> None:
        assert self._structure is not None
        if self.hands:
            self.hands[-1].over = True
        secret, order = bytes.fromhex(started.secret), order_of(started)
        deck = deck_of(secret, self._structure.deck)
        dealt = [event for event in poker_events(started.events) if isinstance(event, HoleDealt)]
        holes = {order[event.place]: event.cards for event in dealt}
        hand = HiddenHand(started.hand_id, holes, deck[sum(map(len, holes.values())) :])
        self.hands.append(hand)
        self._hex(f"the secret of {hand.hand_id}", started.secret)
        for seat, hole in holes.items():
            for card in hole:
                at = deck.index(card)
                self._hex(f"the salt of {hand.hand_id}, seat {seat}, {card}", salt(secret, at).hex())

    def _see(self, record: HandStarted | Acted) -> None:
        hand = self.hands[-1]
        order = tuple(hand.holes)
        for event in poker_events(record.events):
            if isinstance(event, BoardDealt):
                hand.undealt = hand.undealt[len(event.cards) :]
            elif isinstance(event, Shown):
                seat = next(seat for seat in order if hand.holes[seat] == event.cards)
                hand.shown.add(seat)
                self._forget(f"the salt of {hand.hand_id}, seat {seat}")

    def _reveal(self) -> None:
        """The match is over: everything about its decks is public."""
        self.hands = []
        self._forget("the secret", "the salt of H", "the server")

    def _lock(self, team: str, lock: Lock) -> None:
        self._hex(f"the salt of {team}'s lock", lock.salt)
        self._hex(f"the digest of {team}'s lock", lock.digest)

    def _hex(self, name: str, text: str) -> None:
        raw = bytes.fromhex(text)
        self.words |= {name: text.encode(), f"{name}, raw": raw, f"{name}, base64": b64encode(raw).rstrip(b"=")}

    def _forget(self, *names: str) -> None:
        self.words = {name: word for name, word in self.words.items() if not name.startswith(names)}

    # --- the search

    def found_in(self, text: bytes, *, seat: int | None = None, of_owner: bool = False) -> list[str]:
        """The secrets in a text, except a seat's own cards and, in the owner's files, all dealt cards."""
        found = [name for name, word in self.words.items() if word in text]
        if found and seat is not None:
            found = [name for name in found if f", seat {seat}," not in name]
        runs = {hand.hand_id: set(hand.runs(seat, of_owner=of_owner)) for hand in self.hands}
        for line in text.splitlines():
            rows = CARDS.findall(line)
            if not rows:
                continue
            named = [hand_id for hand_id in runs if hand_id.encode() in line] or list(runs)
            seen = {run for row in rows for run in _runs([card.decode() for card in A_CARD.findall(row)])}
            found += [
                f"hidden cards of {hand_id}: {' '.join(run)}" for hand_id in named for run in seen & runs[hand_id]
            ]
        return found


def _runs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for first in range(len(cards) - RUN + 1):
        yield tuple(cards[first : first + RUN])
