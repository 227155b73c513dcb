"""Rebuild decks and a match of poker from the frames that one participant received, and replay the match.

The replay takes the settings, seats, decks and actions from the frames, and must produce the same frames again. While
the secret of a deck is not revealed, known cards are put at their places and all other cards anywhere. After a gap in
the frames, the match is rebuilt at the start of the next hand.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss import RULES_VERSION
from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.poker import PlayedHand, PokerHost
from pitboss.arena.journal.commitment import (
    OpenedCard,
    ShuffledDeck,
    bind_number,
    matches_commitment,
    mix_numbers,
    shuffle,
)
from pitboss.arena.journal.history import HandHistory, History, TakenSeat
from pitboss.arena.journal.records import HandStarted, NumbersBound, Seated, Settings, TableOpened
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.verify.frames import (
    RecordLine,
    as_older,
    changed_fields,
    describe_frame,
    hand_of,
    is_view,
    name_actions,
    question_of,
    without_places,
)
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.poker import PlayersAction, raised_to
from pitboss.betting.events import Call, Check, Fold
from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.hand.events import ChooseRuns, Discard
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure

_HIDDEN = bytes(32)
"""A placeholder for values that a participant does not know: the head of the chain, and secret numbers of decks."""


class OwnCards(Struct, frozen=True):
    """A participant's own cards in one frame."""

    line: int
    seat: int
    cards: tuple[Card, ...]
    drawn: int  #: the number of cards that all seats had changed, at the last draw of this seat


class ObservedCards(Struct):
    """The cards of one hand that a participant has seen."""

    own: list[OwnCards] = field(default_factory=list)
    shown: dict[int, tuple[Card, ...]] = field(default_factory=dict)  #: by seat, at the showdown
    opened: dict[int, Card] = field(default_factory=dict)  #: by place in the deck
    drawn: int = 0  #: the number of cards that all seats have changed
    drawn_at: dict[int, int] = field(default_factory=dict)  #: by seat, this number at its last draw
    revealed: bool = False  #: whether all cards are known

    def coming(self, seat: int, line: int) -> tuple[Card, ...] | None:
        """Return the cards of a seat in the first frame after this line that shows them."""
        later = (sight.cards for sight in self.own if sight.line > line and sight.seat == seat)
        return next(later, self.shown.get(seat))


class DealError(PitbossError, ValueError):
    """The cards cannot come from one deck, or a revealed deck does not match its commitment."""


def collect_seen_cards(lines: Iterable[RecordLine]) -> tuple[dict[str, ObservedCards], list[str]]:
    """Return the cards that were seen in each hand, and a sentence for each contradiction."""
    hands: dict[str, ObservedCards] = {}
    problems = list[str]()
    numbers: set[int] = set()
    for line in lines:
        message = line.message
        hand_id = hand_of(message)
        seen = hands.setdefault(hand_id, ObservedCards())
        seen.opened |= {opening.at: opening.card for opening in getattr(message, "opened", ())}
        match message:
            case (
                wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole))
            ):
                if hole:
                    problems += _other_cards(line, seen, seat, hole)
                    seen.own.append(OwnCards(line.number, seat, hole, seen.drawn_at.get(seat, 0)))
            case wire.Showdown(seat=seat, hand=hole):
                problems += _other_cards(line, seen, seat, hole)
                seen.shown.setdefault(seat, hole)
            case wire.DrawMessage(seat=seat, count=count, seq=seq) if seq not in numbers:
                seen.drawn += count
                seen.drawn_at[seat] = seen.drawn
                numbers.add(seq)
            case _:
                pass
    return hands, problems


def _other_cards(line: RecordLine, seen: ObservedCards, seat: int, cards: tuple[Card, ...]) -> Iterator[str]:
    """Yield a sentence if the cards of a seat differ between frames. One frame may have more cards than another."""
    first = seen.coming(seat, 0)
    if first is not None and not seen.drawn and any(one != other for one, other in zip(first, cards, strict=False)):
        yield (
            f"line {line.number}, {hand_of(line.message)}: seat {seat}: expected the cards {' '.join(first)}, "
            f"got {' '.join(cards)}"
        )


def reconstruct_deal(
    structure: Structure, started: wire.StartHand, seen: ObservedCards, revealed: wire.RevealedHand | None
) -> ShuffledDeck:
    """Return the deck of a hand, with unknown cards at unknown places. Raise `DealError` if it is not possible."""
    seen.revealed = revealed is not None
    if revealed is not None:
        deal = shuffle(bytes.fromhex(revealed.secret), structure.deck)
        if deal.commit != started.commit:
            raise DealError("the revealed deck does not match the commitment")
        return deal
    return ShuffledDeck(bytes(32), _deck(structure, started, seen), ((bytes.fromhex(started.commit),),))


def _deck(structure: Structure, started: wire.StartHand, seen: ObservedCards) -> tuple[Card, ...]:
    seats = sorted(stack.seat for stack in started.stacks)
    if started.button not in seats:
        raise DealError(f"the button is at seat {started.button}, which is not in the hand")
    first = seats.index(started.button) + 1
    order = (*seats[first:], *seats[:first])
    places = dict(seen.opened)
    for sight in seen.own[:1]:
        if sight.seat not in order:
            raise DealError(f"seat {sight.seat} has cards, but is not in the hand")
        for k, card in enumerate(sight.cards[: structure.streets[0].hole]):
            at = order.index(sight.seat) + k * len(order)
            if places.setdefault(at, card) != card:
                raise DealError(
                    f"place {at} of the deck: expected {card}, the card of seat {sight.seat}, got {places[at]}"
                )
    known = set(places.values())
    if len(known) != len(places) or not known <= set(structure.deck) or max(places, default=0) >= len(structure.deck):
        raise DealError("a card was dealt twice, or is not part of the deck")
    # Later cards of the participant are put last, in order, so that no other seat gets them first. Cards that came
    # after the deck ran out were dealt before to another seat.
    spare = len(structure.deck) - len(order) * structure.hole_by_street[-1]
    own = [card for sight in seen.own if sight.drawn <= spare or not structure.draws for card in sight.cards]
    later = {card: number for number, card in enumerate(dict.fromkeys(own), 1)}
    others = iter(sorted([card for card in structure.deck if card not in known], key=lambda card: later.get(card, 0)))
    return tuple([places[at] if at in places else next(others) for at in range(len(structure.deck))])


def deal_next_cards(
    hand: Hand, action: PlayersAction, place: int, cards: tuple[Card, ...], seen: ObservedCards
) -> Hand:
    """Return the hand with its deck reordered, so that this action deals these cards to this place."""
    after, _ = hand.act(action)
    before = hand.deck or ()
    deck = list(before)
    fixed = set(seen.opened.values())
    for dealt, wanted in zip(after.holes[place], cards, strict=False):
        here = before.index(dealt) if dealt in before else None
        there = deck.index(wanted) if wanted in deck else None
        if (dealt if here is None else deck[here]) == wanted:
            continue
        if here is None or there is None or {deck[here], wanted} & fixed:
            raise DealError(f"{wanted} cannot be the next card: it was dealt before or opened at another place")
        deck[here], deck[there] = wanted, deck[here]
    return replace(hand, deck=tuple(deck))


def choose_discards(held: tuple[Card, ...], count: int, coming: tuple[Card, ...] | None) -> tuple[Card, ...] | None:
    """Return `count` cards of a seat that it may have discarded, or None if it has too few.

    Cards that the seat shows later cannot be among them. If the seat never shows its cards, any cards are possible.
    """
    gone = [card for card in held if coming is None or card not in coming]
    return tuple(gone[:count]) if len(gone) >= count else None


def check_openings(message: wire.ServerMessage, commit: str, cards: int) -> Iterator[tuple[wire.Opening, bool]]:
    """Yield each card that a frame proves, and whether the proof matches the commitment."""
    for opening in getattr(message, "opened", ()):
        path = tuple(bytes.fromhex(node) for node in opening.path)
        opened = OpenedCard(opening.card, opening.at, bytes.fromhex(opening.salt), path)
        yield opening, matches_commitment(opened, commit, cards=cards)


class ReconstructedMatch:
    """The match, rebuilt from the frames so far. Each method yields one sentence per contradiction."""

    def __init__(self, table: str, settings: Settings, seat: int | None) -> None:
        self.seat = seat  #: the participant's
        self.settings = settings
        self.teams: dict[int, str] = {}  #: by seat, from the last lobby
        self._brought: set[tuple[int, int]] = set()  # seats and chips in lobbies before the first hand
        self.match: Match | None = None
        self.exact = False  #: whether the record has the match from its first hand
        self.playing = False  #: whether the record has the open hand from its start
        self._table = table
        self._mixing: wire.Mix | None = None  # the last attempt at numbers, until its hand begins
        self._due: deque[wire.ServerMessage] = deque()  # the frames that must come next
        self._greeted = False  # whether a lobby has come since the participant connected
        self._asked = False  # whether the participant received the open question
        self._count = 0  # the number of journal entries since the last known one
        self._turn = 0  # the entry that led to the open question
        self._offset: int | None = None  # the difference between the number of a turn and of that entry
        self._seen = ObservedCards()  # in the open hand
        self.line = 0  #: of the frame under review
        self.notes: list[str] = []  #: what could not be checked

    def lose(self) -> None:
        """Frames are missing: continue from the next hand."""
        self.match, self.playing, self.exact, self._offset = None, False, False, None
        self.teams = {}  # teams that sat down in a void hand are lost with it
        self._due.clear()
        self._brought.clear()

    # --- frames

    def lobby(self, lobby: wire.Lobby) -> Iterator[str]:
        """Compare a lobby with the seats; new teams sit down."""
        self._greeted = True
        for player in lobby.players:
            if self.teams.setdefault(player.seat, player.team) != player.team:
                yield f"seat {player.seat}: expected team {self.teams[player.seat]!r}, got {player.team!r}"
        connected = [player.seat for player in lobby.players if player.connected]
        if self.seat is not None and self.seat not in connected:
            yield f"connected seats: expected the participant's seat {self.seat} among them, got {connected}"
        match, seats = self.match, [player.seat for player in lobby.players]
        if seats != sorted(set(seats)):
            yield f"players: expected them in seat order, got seats {seats}"
        if match is None:
            self._brought |= {(player.seat, player.stack) for player in lobby.players}
            return
        for player in lobby.players:
            taken = match.history.seats.get(player.seat)
            if taken is None and player.seat == match.history.free_seat() and player.stack == self.settings.stack:
                match.change(Seated(seat=player.seat, team=player.team, stack=player.stack, lock=None))
                self._count += 1
            elif taken is None and not self.exact and player.stack in (0, self.settings.stack):
                match.history.seats[player.seat] = TakenSeat(player.team, player.stack, None)  # out before, or lost
                if player.stack:
                    match.host.sit(player.seat, player.stack)
            elif taken is None or taken.stack != player.stack:
                expected = taken.stack if taken is not None else self.settings.stack
                free = match.history.free_seat()
                if taken is None and self.exact and player.seat != free:
                    yield f"new team: expected seat {free}, got seat {player.seat}"
                else:
                    yield f"seat {player.seat}: expected {expected} chips, got {player.stack}"

    def mix(self, message: wire.Mix) -> Iterator[str]:
        """Check the commitments to the numbers of the next hand."""
        number = int(message.hand_id[13:])
        if self.match is None and number == 1:
            self.match = self._build(1, dict.fromkeys(message.seats, self.settings.stack), message.seats[0])
        self._mixing, match = message, self.match
        if match is None:
            return
        bound = NumbersBound(
            hand_id=f"{message.hand_id[:13]}{match.history.hands + 1:05d}",
            attempt=message.attempt,
            server_number=_HIDDEN.hex(),
            commits={number.seat: number.commit for number in message.numbers},
            seats=message.seats,
            seq=message.seq,
            withheld=message.withheld,
        )
        yield from self._happened(match.replay(bound), message)

    def _mixed(self, started: wire.StartHand, revealed: wire.RevealedHand | None) -> Iterator[str]:
        """Check the opened numbers against their commitments, and the secret if the server's number is revealed."""
        mixing, self._mixing = self._mixing, None
        numbers = {opened.seat: bytes.fromhex(opened.number) for opened in started.numbers}
        if mixing is None:
            return
        if numbers and {seat: bind_number(number) for seat, number in numbers.items()} != {
            bound.seat: bound.commit for bound in mixing.numbers
        }:
            yield "the opened numbers do not match their commitments"
        if not numbers and not started.withheld:
            yield "the hand uses no numbers, although seats committed to numbers for it"
        if revealed is None or not numbers:
            return
        server = bytes.fromhex(revealed.server_number or "")
        if bind_number(server) != mixing.commit:
            yield "the server's number does not match its commitment"
        if mix_numbers(started.hand_id, server, numbers).hex() != revealed.secret:
            yield "the secret of the deck does not follow from the numbers"

    def start(
        self, message: wire.StartHand, deal: ShuffledDeck, seen: ObservedCards, revealed: wire.RevealedHand | None
    ) -> Iterator[str]:
        """Start a hand, given the cards that were seen in it."""
        self._seen = seen
        if self.match is not None and self.match.underway:
            self.lose()
        if self.match is None:
            stacks = {stack.seat: stack.stack for stack in message.stacks}
            if int(message.hand_id[13:]) == 1:
                wrong = sorted(self._brought - stacks.items())
                each = [
                    f"seat {seat}: expected {stack}, got {stacks.get(seat, 'no such seat')}" for seat, stack in wrong
                ]
                if wrong:
                    yield f"the chips differ from those in the lobby ({'; '.join(each)})"
            self.match = self._build(int(message.hand_id[13:]), stacks, message.button, message.sb_seat)
        match = self.match
        yield from self._mixed(message, revealed)
        for stack in message.stacks if not (self._greeted and self.exact) else ():
            if stack.seat not in match.history.seats and stack.stack == self.settings.stack:
                match.change(Seated(seat=stack.seat, team=self._team(stack.seat), stack=stack.stack, lock=None))
        host = match.host
        assert isinstance(host, PokerHost)
        if not match.can_start:
            yield "a hand begins, but the match is over or too few seats have chips"
            return self.lose()
        if message.variant is not None and host.mixed and not self.exact:
            host.play_next(message.variant)
        numbers = {opened.seat: opened.number for opened in message.numbers}
        plan = match.plan(message.hand_id[2:12], message.seq, numbers=numbers, withheld=message.withheld)
        step = match.apply(host.start_from(deal, plan))
        self.playing = True
        yield from self._happened(step, message)

    def take(self, message: wire.HandEvent | wire.EndHand) -> Iterator[str]:
        """Compare an event or the end of the open hand with the replay."""
        match = self.match
        if match is None or not self.playing or (isinstance(message, wire.VoidMessage) and not message.hand_id):
            return self.lose() if isinstance(message, wire.VoidMessage) else None
        if isinstance(message, wire.VoidMessage):
            self._due.clear()
            voided = match.void(0, message.reason, message.seq)
            yield from self._happened(voided, message)
        elif self._due:
            yield from self._compare(message)
        else:
            yield from self._act(match, message)
        if isinstance(message, wire.EndHand):
            self.playing = False
            if match.history.last is not None and match.history.last.void:
                self.lose()

    def question(self, message: wire.Act) -> Iterator[str]:
        """Compare a question to the participant with the replay."""
        match = self.match
        if match is None or not self.playing:
            return
        to_act = match.to_act if not self._due else None
        if to_act is None or to_act != self.seat or to_act != message.seat:
            due = "no question" if to_act is None else f"a question to seat {to_act}"
            yield f"expected {due}, got a question to seat {message.seat} in the record of seat {self.seat}"
            return
        yield from self._learn_bank(match, message)
        sent = question_of(TableMessages(match), message.turn, message)
        if message != sent:
            yield f"differs from the replay ({changed_fields(message, sent)})"
        yield from self._number_turn(message.turn)
        self._asked = True

    def _learn_bank(self, match: Match, message: wire.Act) -> Iterator[str]:
        """Take over the participant's remaining time bank, which never grows."""
        bank, left = message.you.bank_ms, match.bank_ms(message.seat)
        if bank is None or left is None or not message.you.time_ms:
            return
        if bank > left:
            yield f"time bank: expected at most {left} ms, got {bank} ms"
        match.history.seats[message.seat].bank_used_ms += left - bank

    def view(self, message: wire.Snapshot) -> Iterator[str]:
        """If no frame is missing, compare a snapshot after a reconnect with the replay."""
        match = self.match
        if match is None or self._due or message.seq != match.seq - match.over:
            return
        known = {player.seat for player in message.players} <= match.history.seats.keys()
        if not self.exact and not (known and self.seat in match.history.seats):
            return
        if self.seat in match.history.seats and (bank := message.you.bank_ms) is not None and match.to_act != self.seat:
            left = match.bank_ms(self.seat) or 0
            match.history.seats[self.seat].bank_used_ms += max(0, left - bank)  # may be used since
        if not is_view(message, TableMessages(match), message.turn or 0, self.seat):
            yield "the snapshot differs from the table as sent before"
        if message.turn is not None:
            yield from self._number_turn(message.turn)
            self._asked = True

    def end(self, message: wire.MatchEnd) -> Iterator[str]:
        """Compare the end of the match with the replay."""
        match = self.match
        if match is None or not self.exact or match.over or match.underway:
            return
        if not match.decided:
            yield "the match ends before it is decided"
            return
        for row in message.final_stacks:
            if row.seat not in self.teams and row.seat in match.history.seats:
                match.history.seats[row.seat].team = row.team  # no lobby has named this team
        sent = TableMessages(match).of(match.end(), _HIDDEN)[-1]
        if message not in (sent, without_places(sent)):
            yield f"differs from the replay ({changed_fields(message, sent)})"

    # --- within

    def _act(self, match: Match, message: wire.HandEvent | wire.EndHand) -> Iterator[str]:
        """Play the action that a frame reports for the seat to act."""
        seat = match.to_act
        host = match.host
        assert isinstance(host, PokerHost)
        if isinstance(message, wire.DrawMessage) and self._runs_out(host, message):
            return self.lose()
        action = self._action(host, message)
        if action is None or seat is None or seat != getattr(message, "seat", None):
            due = "no more frames of this hand" if seat is None else f"an action of seat {seat}"
            actor = getattr(message, "seat", None)
            of = f" of seat {actor}" if actor is not None else ""
            yield f"expected {due}, got {describe_frame(message)}{of}"
            return self.lose()
        auto = bool(getattr(message, "auto", False))
        if seat == self.seat and not auto and not self._asked:
            yield "the participant acted, but the record has no question for it"
        defaults = [host.default_action(policy) for policy in match.default_policies(seat)]
        if auto and action not in defaults:
            yield f"action on a timeout: expected {name_actions(defaults)}, got {name_actions([action])}"
        try:
            self._let_come(host, action)
            step = host.play(seat, action, match.seq + 1, cause="timeout" if auto else "client")
        except ValueError as error:
            yield f"not allowed by the rules: {error}"
            return self.lose()
        yield from self._happened(match.apply(step), message)

    def _runs_out(self, host: PokerHost, message: wire.DrawMessage) -> bool:
        """Whether discards are shuffled back for a draw. Only the journal contains their order."""
        if host.open is None or message.count <= len(host.open.hand.deck or ()):
            return False
        self.notes.append(
            f"{message.hand_id}: discards were shuffled back into the deck; only the journal proves later cards"
        )
        return True

    def _coming(self, open: PlayedHand, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that a seat shows later.

        They are not known for other seats after discards were shuffled back.
        """
        dealt = len(open.order) * open.hand.structure.hole_by_street[-1] + self._seen.drawn
        if seat != self.seat and dealt > len(open.hand.structure.deck):
            return None
        return self._seen.coming(seat, self.line)

    def _let_come(self, host: PokerHost, action: PlayersAction) -> None:
        """Deal the participant the cards that it received. A revealed deck needs no change."""
        if host.open is None or self.seat not in host.open.order or self._seen.revealed:
            return
        coming = self._seen.coming(self.seat, self.line)
        if coming is not None:
            place = host.open.order.index(self.seat)
            host.open.hand = deal_next_cards(host.open.hand, action, place, coming, self._seen)

    def _action(self, host: PokerHost, message: wire.HandEvent | wire.EndHand) -> PlayersAction | None:
        match message:
            case wire.BringIn():
                return Call()
            case wire.RunsMessage(amount=amount):
                return ChooseRuns(amount)
            case wire.DrawMessage(cards=cards) if cards:
                return Discard(cards)
            case wire.DrawMessage(auto=True) if host.open is not None and host.open.hand.offer.discard:
                return host.default_action("fold")
            case wire.DrawMessage(seat=seat, count=count) if host.open is not None and seat in host.open.order:
                held = host.open.hand.holes[host.open.order.index(seat)]
                discards = choose_discards(held, count, self._coming(host.open, seat))
                return None if discards is None else Discard(discards)
            case wire.BetMessage(to=to):
                return raised_to(to, host.open.hand) if host.open is not None else None
            case wire.CallMessage():
                return Call()
            case wire.CheckMessage():
                return Check()
            case wire.FoldMessage():
                return Fold()
            case _:
                return None

    def _happened(self, change: Change, message: wire.ServerMessage) -> Iterator[str]:
        """Expect the frames of a change. The first of them must be the current frame."""
        assert self.match is not None
        self._asked = False
        self._count += 1
        self._turn = self._count
        self._due.extend(TableMessages(self.match).of(change, _HIDDEN))
        yield from self._compare(message)

    def _compare(self, message: wire.ServerMessage) -> Iterator[str]:
        sent = _as_known(self._due.popleft(), message)
        if message != sent:
            yield f"differs from the replay ({changed_fields(message, sent)})"
            self.lose()

    def _number_turn(self, turn: int) -> Iterator[str]:
        """Check the number of a turn. It is the number of the journal entry before the question."""
        if self._offset is not None and turn != self._turn + self._offset:
            yield f"expected turn {self._turn + self._offset}, got turn {turn}"
        elif self._offset is None and self.exact and turn < self._turn:
            yield f"expected turn {self._turn} or higher, got turn {turn}"
        self._offset = turn - self._turn

    def come_back(self) -> None:
        """Note a reconnect: other teams may have sat down meanwhile."""
        self._offset, self._greeted = None, False

    # --- the match before a hand

    def _build(self, number: int, stacks: Mapping[int, int], button: int, small: int | None = None) -> Match:
        """Build the match before this hand.

        Raise an error if that is impossible. With a dead button, the small blind is at the previous seat of the big
        blind.
        """
        settings = self.settings if number == 1 else replace(self.settings, max_hands=None)  # some may be void
        opened = TableOpened(rules=RULES_VERSION, settings=settings)
        history = History(self._table)
        history.take(opened, over=True)
        match = Match(history, make_host(self.settings))
        seats = sorted(stacks)
        if number == 1:
            for seat in seats:
                match.change(Seated(seat=seat, team=self._team(seat), stack=self.settings.stack, lock=None))
            self.exact, self._count = True, 1 + len(seats)  # or more: settings may have been changed before
            return match
        chips = sum(stacks.values())
        for seat in seats:
            history.seats[seat] = TakenSeat(self._team(seat), stacks[seat], None)
            match.host.sit(seat, chips)
        before = HandStarted(
            number=number - 1,
            hand_id="",
            secret=_HIDDEN.hex(),
            deck="",
            button=seats[seats.index(button) - 1],
            stacks=dict(stacks),
            seq=0,
            events=(),
            blinds=None if small is None else (small, small),
        )
        match.host.take_finished(
            HandHistory(started=before, settings=self.settings, teams=self.teams, stacks=before.stacks)
        )
        history.hands, history.played = number - 1, 1
        return match

    def _team(self, seat: int) -> str:
        return self.teams.get(seat, f"seat {seat}")


def _as_known(sent: wire.ServerMessage, message: wire.ServerMessage) -> wire.ServerMessage:
    """Return the expected frame. Values that only the journal can prove are copied from the received frame."""
    if isinstance(sent, wire.Mix) and isinstance(message, wire.Mix):
        return replace(sent, commit=message.commit)
    if isinstance(sent, wire.EndHand) and isinstance(message, wire.EndHand):
        return replace(sent, chain=message.chain)
    sent = as_older(sent, message)
    check_openings, seen = getattr(sent, "opened", ()), getattr(message, "opened", ())
    if check_openings and [(o.card, o.at) for o in check_openings] == [(o.card, o.at) for o in seen]:
        return replace(sent, opened=seen)  # salts and hashes are checked against the commitment
    return sent
