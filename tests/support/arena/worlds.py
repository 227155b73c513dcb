"""Two worlds that differ only in hidden cards: a table in memory, everything its clients received, and when.

A script written at one table (who says what, and when) is played again at another one, in whose decks the
cards that were not seen have other places. Secrets, salts and clients' numbers are the same. What depends on the deck
itself is masked before the two are compared.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import inf
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.hosts import moves, poker
from pitboss.arena.journal.commitment import deck_of, shuffle
from pitboss.arena.journal.history import order_of
from pitboss.arena.journal.records import Acted, HandStarted, Settings, poker_events, read_record
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.tables import RoomSetup, open_tables
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import GameType
from pitboss.hand.events import BoardDealt, HoleDealt, Shown, UpDealt
from tests.support.arena.codes import run_check
from tests.support.arena.poker import structure_of
from tests.support.arena.rooms import TABLE, Disk, sends_of

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
HANGS_ON_DECK = re.compile(r'"(commit|chain|seed)":("[0-9a-f]*"|\d+)|"(path)":\[[^\]]*\]')
OWN_CARDS = re.compile(r'"hole":\[[^\]]*\]')
CARDS_OF_TABLE = re.compile(r'"(cards)":\[[^\]]*\]|"(moves)":.*')
RESTARTED = "the server is started again"

MOST_SEEDS = 60
"""The number of tries to find another game that looks the same to an observer."""


class Step(Struct, frozen=True):
    """What the outside does to a table at a time: connect, say, watch, drop, restart or list."""

    time: float
    do: str
    session: int = 0
    text: str = ""


class Received(Struct, frozen=True):
    """What one receiver was sent, and when; the log and the list of tables count as receivers too."""

    time: float
    who: int | str
    text: str


class TableSetup(Struct, frozen=True, kw_only=True):
    """Everything that two worlds have in common."""

    settings: Settings
    limits: Limits = Limits()
    seed: int = 1
    teams: Mapping[str, str] | None = None


class World:
    """A table with its own clock, driven by steps as a server drives it."""

    def __init__(self, setup: TableSetup) -> None:
        self.setup = setup
        self.now = 100.0
        self.disk = Disk()
        self.received: list[Received] = []
        self.seats: dict[int, int] = {}  #: session → seat, for every session that ever had one
        self.sessions: set[int] = set()  #: every session that ever connected
        self.gone: set[int] = set()
        self.spectators: set[int] = set()
        self._chance = Chance(setup.seed)
        self._open()

    def _open(self) -> None:
        rooms = RoomSetup(limits=self.setup.limits, entropy=self._entropy, day=lambda: "2026-11-15")
        opened = open_tables(self.disk, rooms, self.setup.settings, teams=self.setup.teams, now=self.now)
        self.room = opened.rooms[TABLE]
        for line in opened.report:
            self._take("log", line)

    def _entropy(self, count: int) -> bytes:
        return b"".join(self._chance.bits().to_bytes(8, "big") for _ in range(-(-count // 8)))[:count]

    # --- what happens

    def take(self, step: Step) -> None:
        """Let time pass until a step is due, and take it."""
        self.wait(step.time)
        room, session, now = self.room, step.session, self.now
        if step.do in ("connect", "watch"):
            self.sessions.add(session)
        match step.do:
            case "connect":
                self._deliver(room.connect(session, now, step.text))
            case "say" if session not in self.gone:
                self._deliver(room.receive(session, step.text, now))
            case "watch":
                self.spectators.add(session)
                self._deliver(room.watch(session, now))
            case "drop":
                self.gone.add(session)
                self._deliver(room.disconnect(session, now))
            case "restart":
                self.gone |= self.sessions
                self._take("log", RESTARTED)
                self._open()
            case "list":
                self._take("list", msgspec.json.encode([room.summary()]).decode())
        self._settle()

    def wait(self, until: float) -> None:
        """Wake the room whenever it is due, until this time."""
        while (deadline := self.room.deadline) is not None and deadline <= until:
            self.now = max(self.now, deadline)
            self._deliver(self.room.tick(self.now))
        self.now = max(self.now, until)

    def _settle(self) -> None:
        while (deadline := self.room.deadline) is not None and deadline <= self.now:
            self._deliver(self.room.tick(self.now))

    def _deliver(self, out: Output) -> None:
        self.disk.append(out.entries)
        for send in sends_of(out):
            for session in send.to:
                if session not in self.gone:
                    self._take(session, send.frame)
        for close in out.closes:
            self.gone.add(close.session)
            self._take(close.session, f"closed: {close.code} {close.reason}")
        for line in (*out.notes, *out.alarms):
            self._take("log", line)
        for check in out.checks:
            self._deliver(self.room.checked(check, run_check(check), self.now))
        if out.entries:
            self._deliver(self.room.committed(out.entries[-1].seq, self.now))

    def _take(self, who: int | str, text: str) -> None:
        if isinstance(who, int) and text.startswith('{"type":"welcome"'):
            self.seats[who] = int(re.findall(r'"seat":(\d+)', text)[0])
        self.received.append(Received(self.now, who, text))


# --- what was seen


class SeenHand(Struct):
    """A hand from the journal: its deck, each seat's cards, and the public events, in order."""

    hand_id: str
    secret: bytes
    deck: tuple[Card, ...]
    holes: dict[int, tuple[Card, ...]]  #: by seat, all cards that it was ever dealt
    boards: list[tuple[Card, ...]] = field(default_factory=list)  #: cards dealt face up, in the middle or to a seat
    shown: list[Card] = field(default_factory=list)


def hands_seen(world: World) -> list[SeenHand]:
    """All hands that have begun."""
    structure = structure_of(world.setup.settings)
    assert structure is not None
    found: list[SeenHand] = []
    order: tuple[int, ...] = ()
    for entry in world.disk.read(TABLE).entries:
        record = read_record(entry.body)
        if isinstance(record, HandStarted):
            secret, order = bytes.fromhex(record.secret), order_of(record)
            found.append(SeenHand(record.hand_id, secret, deck_of(secret, structure.deck), {}))
        if isinstance(record, HandStarted | Acted):
            for event in poker_events(record.events):
                if isinstance(event, BoardDealt | UpDealt):
                    found[-1].boards.append(event.cards)
                if isinstance(event, HoleDealt | UpDealt):
                    seat = order[event.place]
                    found[-1].holes[seat] = found[-1].holes.get(seat, ()) + event.cards
                if isinstance(event, Shown):
                    found[-1].shown += event.cards
    return found


class Other(Struct):
    """Another world for one observer: its cards, and the frame from which it may differ from the first world.

    By the secret of a hand: the cards that it shuffles, or for other games than poker the seed of the game.
    """

    decks: Mapping[bytes, tuple[Card, ...]] = {}
    hand_id: str = ""
    same: frozenset[Card] = frozenset()  #: of the last hand, what was seen until the worlds part, and the own cards
    seeds: Mapping[bytes, int] = {}
    moved: Mapping[str, Mapping[Card, Card]] = {}  #: by hand: a card → the card in its place here

    def said(self, step: Step) -> Step:
        """A step with the names that changed cards have in this world."""
        if '"action": "DRAW"' not in step.text:
            return step
        frame = json.loads(step.text)
        moved = self.moved.get(frame["hand_id"], {})
        frame["discard"] = [moved.get(card, card) for card in frame["discard"]]
        return replace(step, text=json.dumps(frame))

    def parts(self, text: str) -> bool:
        """Whether a frame shows a difference."""
        if text.startswith('{"type":"reveal"'):
            return True
        event = text.startswith('{"ev":') and f'"hand_id":"{self.hand_id}"' in text
        return event and not self.same.issuperset(CARD.findall(text))


def other_world(world: World, observer: int | None, chance: Chance) -> Other:
    """Move all cards that an observer, a seat or None, did not see to other places.

    In the last hand the observer has seen the board of a random street, and no showdown: from there the worlds part.
    """
    structure = structure_of(world.setup.settings)
    assert structure is not None
    hands, decks = hands_seen(world), {}
    moved: dict[str, dict[Card, Card]] = {}
    same: set[Card] = set()
    for hand in hands:
        last = hand is hands[-1]
        boards = hand.boards[: chance.below(len(hand.boards) + 1)] if last else hand.boards
        own = hand.holes.get(observer, ()) if observer is not None else ()
        same = {*own, *[card for board in boards for card in board], *([] if last else hand.shown)}
        if sum(map(len, hand.holes.values())) > len(hand.deck):
            same = set(hand.deck)  # discards came back in an order that all cards decide
        unseen = [card for card in hand.deck if card not in same]
        moved[hand.hand_id] = dict(zip(unseen, chance.shuffled(unseen), strict=True))
        decks[hand.secret] = tuple([moved[hand.hand_id].get(card, card) for card in structure.deck])
    return Other(decks, hands[-1].hand_id, frozenset(same), moved=moved)


def other_games(world: World, observer: int | None, chance: Chance) -> Other:
    """The same for other games than poker: other seeds with which the observer and the spectators learn the same.

    If several tries find none, or the game shows everything, the game stays the same.
    """
    host, seeds = world.room.match.host, {}
    assert isinstance(host, moves.MovesHost)
    started: HandStarted | None = None
    acts: list[Acted] = []
    for record in [*map(read_record, (entry.body for entry in world.disk.read(TABLE).entries)), None]:
        if isinstance(record, Acted):
            acts.append(record)
        elif isinstance(record, HandStarted) or record is None:
            if started is not None:
                secret, order = bytes.fromhex(started.secret), order_of(started)
                lines = [(order.index(act.seat), msgspec.json.encode(act.action)) for act in acts]
                viewers = {None, order.index(observer) if observer in order else None}
                seed = _other_seed(host.game, secret, lines, viewers, chance)
                if seed is not None:
                    seeds[secret] = seed
            started, acts = record, []
    return Other(seeds=seeds)


def _other_seed(
    game: GameType[Any, Any, Any],
    secret: bytes,
    actions: Sequence[tuple[int, bytes]],
    viewers: Collection[int | None],
    chance: Chance,
) -> int | None:
    """The seed of another game with the same actions, in which these observers learn nothing else."""

    def play(dealt: Chance) -> tuple[list[Any], list[Any]]:
        state, events = game.start(game.places.start, dealt)
        known = list(events)
        for place, action in actions:
            state, events = state.act(game.read_action(action), place)
            known += events
        return known, [[game.view_event(event, viewer) for event in known] for viewer in viewers]

    known, seen = play(moves._chance(secret))
    for _ in range(MOST_SEEDS):
        seed = chance.bits()
        try:
            others_known, others_seen = play(Chance(seed))
        except PitbossError:  # a player did what was not possible there
            continue
        if others_seen == seen and others_known != known:
            return seed
    return None


@contextmanager
def dealing(other: Other) -> Iterator[None]:
    """Deal hands from other decks, also when they are dealt again after a restart."""

    def dealt(make: Any) -> Any:
        return lambda secret, cards: make(secret, other.decks.get(secret, cards))

    def chance_of(secret: bytes) -> Chance:
        return Chance(other.seeds[secret]) if secret in other.seeds else own_chance(secret)

    own_chance = moves._chance
    with (
        patch.object(poker, "shuffle", dealt(shuffle)),
        patch.object(poker, "deck_of", dealt(deck_of)),
        patch.object(moves, "_chance", chance_of),
    ):
        yield


def play_again(setup: TableSetup, steps: list[Step], other: Other) -> World:
    """Take the same steps in another world."""
    with dealing(other):
        world = World(setup)
        for step in steps:
            world.take(other.said(step))
    return world


# --- held against each other


class Compared(Struct):
    """The comparison of two worlds: how much was the same, and each receiver's first difference."""

    frames: int = 0
    differences: list[str] = field(default_factory=list)


def compare(one: World, two: World, other: Other, observer: int | None) -> Compared:
    """Compare everything that was received, with its times, until the cards part.

    Receivers other than the observer have other cards, which are masked: everything else must be the same.
    """
    players, delayed = _partings(one, other)
    lanes: dict[int | str, list[tuple[float, str]]] = {}
    for received in two.received:
        lanes.setdefault(received.who, []).append((received.time, received.text))
    result, unlike = Compared(), set()
    read: dict[int | str, int] = {}
    others = {session for session, seat in one.seats.items() if seat != observer}
    hidden = others if other.seeds else set()  # in other games than poker it is not known which words are their cards
    lagging = {*one.spectators, "list"} if one.setup.limits.delay else one.spectators
    for at, received in enumerate(one.received):
        who = received.who
        if at >= (delayed if who in lagging else players) or who in unlike or who in hidden:
            continue
        lane, here = lanes.get(who, []), read.get(who, 0)
        read[who] = here + 1
        own = not isinstance(who, int) or one.seats.get(who, observer) == observer
        sent = received.time, mask(received.text, own)
        got = (lane[here][0], mask(lane[here][1], own)) if here < len(lane) else None
        if sent == got:
            result.frames += 1
        else:
            unlike.add(who)
            result.differences.append(f"{who} (observer {observer}): {sent} became {got}")
    for who, lane in lanes.items() if players == inf else ():
        if who not in unlike | hidden and len(lane) > read.get(who, 0):
            result.differences.append(
                f"{who} (observer {observer}): {lane[read.get(who, 0)]} was sent to nobody before"
            )
    return result


def _partings(world: World, other: Other) -> tuple[float, float]:
    """The index of the received message at which the worlds part: for players, and for spectators, who can be later.

    After a restart spectators see only the last hand: if players had parted before it, the index is another one.
    """
    players, spectators = inf, inf
    delay, parted_at, shown_anew = world.setup.limits.delay, inf, inf
    for at, received in enumerate(world.received):
        parts = other.parts(received.text)
        if parts and players == inf:
            players, parted_at = at, received.time
        if players < inf and received.text == RESTARTED:
            shown_anew = min(shown_anew, received.time + delay)
        late = received.time >= shown_anew or (not delay and received.time > parted_at)
        if (parts and received.who in world.spectators) or late:
            spectators = min(spectators, at)
    return players, spectators


@lru_cache(maxsize=1 << 14)
def mask(text: str, own: bool) -> str:
    """A frame without what depends on the deck itself, and for another seat without its own cards."""
    if not text.startswith('{"type":"mix"'):
        text = HANGS_ON_DECK.sub(r'"\1\3":…', text)
    if not own and text.startswith('{"type":"table_view"'):
        return CARDS_OF_TABLE.sub(r'"\1\2":…', text)
    return text if own else OWN_CARDS.sub('"hole":…', text)
