"""Decks and a match of poker, reconstructed from the frames one participant received, and played again.

The match itself plays, from the settings, seats, decks and actions in the frames; it must come out as it was sent.
Before a deck's secret is revealed, the cards that were seen are put where they must be and the others anywhere.
After a gap in the frames the match is built again from the beginning of the next hand.
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
    hand_of,
    is_view,
    question_of,
    without_places,
)
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.poker import PlayersAction, raised_to
from pitboss.betting.events import Call, Check, Fold
from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.hand.events import Discard
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure

_HIDDEN = bytes(32)
"""Stands for what a participant does not know: the chain's head, and the secret of a deck that is not revealed."""


class OwnCards(Struct, frozen=True):
    """A participant's own cards, as they stood in one frame."""

    line: int
    seat: int
    cards: tuple[Card, ...]
    drawn: int  #: how many cards all together had changed when the seat last did


class ObservedCards(Struct):
    """The cards of one hand that a participant has seen."""

    own: list[OwnCards] = field(default_factory=list)
    shown: dict[int, tuple[Card, ...]] = field(default_factory=dict)  #: by seat, at the showdown
    opened: dict[int, Card] = field(default_factory=dict)  #: by place in the deck
    drawn: int = 0  #: how many cards were changed in all
    drawn_at: dict[int, int] = field(default_factory=dict)  #: by seat, how many when it last changed some
    revealed: bool = False  #: whether all are known by now

    def coming(self, seat: int, line: int) -> tuple[Card, ...] | None:
        """The cards that a seat is next seen to have, after this line."""
        later = (sight.cards for sight in self.own if sight.line > line and sight.seat == seat)
        return next(later, self.shown.get(seat))


class DealError(PitbossError, ValueError):
    """Cards that no deck can have dealt, or a deck that is not the one that was promised."""


def collect_seen_cards(lines: Iterable[RecordLine]) -> tuple[dict[str, ObservedCards], list[str]]:
    """The cards seen by hand, and where they contradict each other."""
    hands: dict[str, ObservedCards] = {}
    problems = []
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
                if hole and not seen.drawn and not _extends(seen.coming(seat, 0), hole):
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} was sent other cards than before")
                if hole:
                    seen.own.append(OwnCards(line.number, seat, hole, seen.drawn_at.get(seat, 0)))
            case wire.Showdown(seat=seat, hand=hole):
                if not seen.drawn and not _extends(seen.coming(seat, 0), hole):
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} showed other cards than it was sent")
                seen.shown.setdefault(seat, hole)
            case wire.DrawMessage(seat=seat, count=count, seq=seq) if seq not in numbers:
                seen.drawn += count
                seen.drawn_at[seat] = seen.drawn
                numbers.add(seq)
            case _:
                pass
    return hands, problems


def _extends(before: tuple[Card, ...] | None, now: tuple[Card, ...]) -> bool:
    """Whether these cards are those of before and perhaps more; after a reconnect, perhaps fewer."""
    return before is None or all(one == other for one, other in zip(before, now, strict=False))


def reconstruct_deal(
    structure: Structure, started: wire.StartHand, seen: ObservedCards, revealed: wire.RevealedHand | None
) -> ShuffledDeck:
    """The deck that a hand was dealt from, as far as it is known; raises `DealError`."""
    seen.revealed = revealed is not None
    if revealed is not None:
        deal = shuffle(bytes.fromhex(revealed.secret), structure.deck)
        if deal.commit != started.commit:
            raise DealError("the deck revealed is not the one the server bound itself to")
        return deal
    return ShuffledDeck(bytes(32), _deck(structure, started, seen), ((bytes.fromhex(started.commit),),))


def _deck(structure: Structure, started: wire.StartHand, seen: ObservedCards) -> tuple[Card, ...]:
    seats = sorted(stack.seat for stack in started.stacks)
    if started.button not in seats:
        raise DealError(f"seat {started.button} has the button and is not in the hand")
    first = seats.index(started.button) + 1
    order = (*seats[first:], *seats[:first])
    places = dict(seen.opened)
    for sight in seen.own[:1]:
        if sight.seat not in order:
            raise DealError(f"seat {sight.seat} has cards and is not in the hand")
        for k, card in enumerate(sight.cards[: structure.streets[0].hole]):
            if places.setdefault(order.index(sight.seat) + k * len(order), card) != card:
                raise DealError("two cards lie at one place of the deck")
    known = set(places.values())
    if len(known) != len(places) or not known <= set(structure.deck) or max(places, default=0) >= len(structure.deck):
        raise DealError("a card was dealt twice, or is not in the deck")
    # Own cards come once it is known when: they lie last, in their order, so that nobody else is dealt one before.
    # What came after the deck ran out had been dealt before, to whomever.
    spare = len(structure.deck) - len(order) * structure.hole_by_street[-1]
    own = [card for sight in seen.own if sight.drawn <= spare or not structure.draws for card in sight.cards]
    later = {card: number for number, card in enumerate(dict.fromkeys(own), 1)}
    others = iter(sorted([card for card in structure.deck if card not in known], key=lambda card: later.get(card, 0)))
    return tuple([places[at] if at in places else next(others) for at in range(len(structure.deck))])


def deal_next_cards(
    hand: Hand, action: PlayersAction, place: int, cards: tuple[Card, ...], seen: ObservedCards
) -> Hand:
    """A hand in which this action leads to a place getting these cards, of those that nobody has opened."""
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
            raise DealError(f"{wanted} cannot have been dealt there")
        deck[here], deck[there] = wanted, deck[here]
    return replace(hand, deck=tuple(deck))


def choose_discards(held: tuple[Card, ...], count: int, coming: tuple[Card, ...] | None) -> tuple[Card, ...] | None:
    """So many cards that may have been changed, none of which is among those to come; None where there are not enough.

    Of cards that nobody was ever shown any will do.
    """
    gone = [card for card in held if coming is None or card not in coming]
    return tuple(gone[:count]) if len(gone) >= count else None


def check_openings(message: wire.ServerMessage, commit: str, cards: int) -> Iterator[tuple[wire.Opening, bool]]:
    """Each card that a frame opens, and whether it fits what the server bound itself to."""
    for opening in getattr(message, "opened", ()):
        path = tuple(bytes.fromhex(node) for node in opening.path)
        opened = OpenedCard(opening.card, opening.at, bytes.fromhex(opening.salt), path)
        yield opening, matches_commitment(opened, commit, cards=cards)


class ReconstructedMatch:
    """The match as far as the frames so far say it; every method gives a sentence for each thing that cannot be."""

    def __init__(self, table: str, settings: Settings, seat: int | None) -> None:
        self.seat = seat  #: the participant's
        self.settings = settings
        self.teams: dict[int, str] = {}  #: as the last lobby said
        self._brought: set[tuple[int, int]] = set()  # seats and chips that lobbies said before the first hand
        self.match: Match | None = None
        self.exact = False  #: it was followed from its first hand
        self.playing = False  #: the hand under way was followed from its start
        self._table = table
        self._mixing: wire.Mix | None = None  # the last one, until its hand begins
        self._due: deque[wire.ServerMessage] = deque()  # what must come next
        self._greeted = False  # a lobby has come since the participant did
        self._asked = False  # the participant was sent the open question
        self._count = 0  # entries that the journal must have made since the last that is known
        self._turn = 0  # the one of them that led to the open question
        self._offset: int | None = None  # what a turn's number is more than that
        self._seen = ObservedCards()  # of the hand under way
        self.line = 0  #: of the frame that is looked at
        self.notes: list[str] = []  #: what could not be checked

    def lose(self) -> None:
        """Something was missed: go on from the next hand."""
        self.match, self.playing, self.exact, self._offset = None, False, False, None
        self.teams = {}  # who sat down in a hand that is void is lost with it
        self._due.clear()
        self._brought.clear()

    # --- frames

    def lobby(self, lobby: wire.Lobby) -> Iterator[str]:
        """Who is at the table; newcomers sit down."""
        self._greeted = True
        for player in lobby.players:
            if self.teams.setdefault(player.seat, player.team) != player.team:
                yield f"seat {player.seat} is {player.team!r}'s and was {self.teams[player.seat]!r}'s"
        if self.seat is not None and self.seat not in [player.seat for player in lobby.players if player.connected]:
            yield "the participant's own seat is not among those connected"
        match, seats = self.match, [player.seat for player in lobby.players]
        if seats != sorted(set(seats)):
            yield "its players do not stand in the order of their seats"
        if match is None:
            self._brought |= {(player.seat, player.stack) for player in lobby.players}
            return
        for player in lobby.players:
            taken = match.history.seats.get(player.seat)
            if taken is None and player.seat == match.history.free_seat() and player.stack == self.settings.stack:
                match.take(Seated(seat=player.seat, team=player.team, stack=player.stack, lock=None))
                self._count += 1
            elif taken is None and not self.exact and player.stack in (0, self.settings.stack):
                match.history.seats[player.seat] = TakenSeat(player.team, player.stack, None)  # out before, or lost
                if player.stack:
                    match.host.sit(player.seat, player.stack)
            elif taken is None or taken.stack != player.stack:
                yield f"seat {player.seat} cannot have {player.stack} chips"

    def mix(self, message: wire.Mix) -> Iterator[str]:
        """Numbers are bound for the next hand."""
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
        """What was bound must have been opened, and once the server's number is revealed make the secret."""
        mixing, self._mixing = self._mixing, None
        numbers = {opened.seat: bytes.fromhex(opened.number) for opened in started.numbers}
        if mixing is None:
            return
        if numbers and {seat: bind_number(number) for seat, number in numbers.items()} != {
            bound.seat: bound.commit for bound in mixing.numbers
        }:
            yield "it is dealt from other numbers than those that were bound"
        if not numbers and not started.withheld:
            yield "it is dealt without the numbers that were bound for it"
        if revealed is None or not numbers:
            return
        server = bytes.fromhex(revealed.server_number or "")
        if bind_number(server) != mixing.commit:
            yield "the server's number is not the one that it bound itself to"
        if mix_numbers(started.hand_id, server, numbers).hex() != revealed.secret:
            yield "its secret is not what its numbers make it"

    def start(
        self, message: wire.StartHand, deal: ShuffledDeck, seen: ObservedCards, revealed: wire.RevealedHand | None
    ) -> Iterator[str]:
        """A hand begins, of which these cards were seen."""
        self._seen = seen
        if self.match is not None and self.match.underway:
            self.lose()
        if self.match is None:
            stacks = {stack.seat: stack.stack for stack in message.stacks}
            if int(message.hand_id[13:]) == 1 and not self._brought <= stacks.items():
                yield "it begins with other chips or seats than the lobby said"
            self.match = self._build(int(message.hand_id[13:]), stacks, message.button, message.sb_seat)
        match = self.match
        yield from self._mixed(message, revealed)
        for stack in message.stacks if not (self._greeted and self.exact) else ():
            if stack.seat not in match.history.seats and stack.stack == self.settings.stack:
                match.take(Seated(seat=stack.seat, team=self._team(stack.seat), stack=stack.stack, lock=None))
        host = match.host
        assert isinstance(host, PokerHost)
        if not match.can_start:
            yield "it begins when no hand can"
            return self.lose()
        if message.variant is not None and host.mixed and not self.exact:
            host.play_next(message.variant)
        numbers = {opened.seat: opened.number for opened in message.numbers}
        plan = match.plan(message.hand_id[2:12], message.seq, numbers=numbers, withheld=message.withheld)
        step = match.apply(host.start_from(deal, plan))
        self.playing = True
        yield from self._happened(step, message)

    def take(self, message: wire.HandEvent | wire.EndHand) -> Iterator[str]:
        """Something happened in the hand under way, or it is over."""
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
        """The participant is asked."""
        match = self.match
        if match is None or not self.playing:
            return
        asked = match.to_act if not self._due else None
        if asked is None or asked != self.seat or asked != message.seat:
            yield "the participant is asked, and it is not its turn"
            return
        yield from self._learn_bank(match, message)
        sent = question_of(TableMessages(match), message.turn, message)
        if message != sent:
            yield f"it should be otherwise ({changed_fields(message, sent)})"
        yield from self._number_turn(message.turn)
        self._asked = True

    def _learn_bank(self, match: Match, message: wire.Act) -> Iterator[str]:
        """What the participant has left of its bank: never more than before."""
        bank, left = message.you.bank_ms, match.bank_ms(message.seat)
        if bank is None or left is None or not message.you.time_ms:
            return
        if bank > left:
            yield f"it has {bank} ms left of its bank, and had {left}"
        match.history.seats[message.seat].bank_used_ms += left - bank

    def view(self, message: wire.Snapshot) -> Iterator[str]:
        """The participant is back; where nothing was missed the table must be as it was."""
        match = self.match
        if match is None or self._due or message.seq != match.seq - match.over:
            return
        known = {player.seat for player in message.players} <= match.history.seats.keys()
        if not self.exact and not (known and self.seat in match.history.seats):
            return
        if self.seat in match.history.seats and (bank := message.you.bank_ms) is not None and match.to_act != self.seat:
            left = match.bank_ms(self.seat) or 0
            match.history.seats[self.seat].bank_used_ms += max(0, left - bank)  # it may have used some since
        if not is_view(message, TableMessages(match), message.turn or 0, self.seat):
            yield "the table is not as it was sent before"
        if message.turn is not None:
            yield from self._number_turn(message.turn)
            self._asked = True

    def end(self, message: wire.MatchEnd) -> Iterator[str]:
        """The match is over."""
        match = self.match
        if match is None or not self.exact or match.over or match.underway:
            return
        if not match.decided:
            yield "the match ends, and nothing has decided it"
            return
        for row in message.final_stacks:
            if row.seat not in self.teams and row.seat in match.history.seats:
                match.history.seats[row.seat].team = row.team  # no lobby has named it
        sent = TableMessages(match).of(match.end(), _HIDDEN)[-1]
        if message not in (sent, without_places(sent)):
            yield f"it should be otherwise ({changed_fields(message, sent)})"

    # --- within

    def _act(self, match: Match, message: wire.HandEvent | wire.EndHand) -> Iterator[str]:
        """Let the seat that is asked do what a frame says it did."""
        seat = match.to_act
        host = match.host
        assert isinstance(host, PokerHost)
        if isinstance(message, wire.DrawMessage) and self._runs_out(host, message):
            return self.lose()
        action = self._action(host, message)
        if action is None or seat is None or seat != getattr(message, "seat", None):
            yield "nothing that the hand's cards and actions lead to"
            return self.lose()
        auto = bool(getattr(message, "auto", False))
        if seat == self.seat and not auto and not self._asked:
            yield "the participant acts, and was not asked"
        if auto and action not in [host.default_action(policy) for policy in match.default_policies(seat)]:
            yield "it is not what is played for a seat whose time is up"
        try:
            self._let_come(host, action)
            step = host.play(seat, action, match.seq + 1, cause="timeout" if auto else "client")
        except ValueError as error:
            yield f"not by the rules: {error}"
            return self.lose()
        yield from self._happened(match.apply(step), message)

    def _runs_out(self, host: PokerHost, message: wire.DrawMessage) -> bool:
        """Whether discards are shuffled back for a draw: which they were only the journal knows."""
        if host.open is None or message.count <= len(host.open.hand.deck or ()):
            return False
        self.notes.append(f"{message.hand_id}: discards were shuffled back: what followed only the journal can prove")
        return True

    def _coming(self, open: PlayedHand, seat: int) -> tuple[Card, ...] | None:
        """The cards that a seat is seen to have later; where discards come back, of others that says nothing."""
        dealt = len(open.order) * open.hand.structure.hole_by_street[-1] + self._seen.drawn
        if seat != self.seat and dealt > len(open.hand.structure.deck):
            return None
        return self._seen.coming(seat, self.line)

    def _let_come(self, host: PokerHost, action: PlayersAction) -> None:
        """Have the participant dealt what it was sent; where the deck is revealed it is."""
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
        """Something was done: what is sent of it must come now."""
        assert self.match is not None
        self._asked = False
        self._count += 1
        self._turn = self._count
        self._due.extend(TableMessages(self.match).of(change, _HIDDEN))
        yield from self._compare(message)

    def _compare(self, message: wire.ServerMessage) -> Iterator[str]:
        sent = _as_known(self._due.popleft(), message)
        if message != sent:
            yield f"its cards and actions make it otherwise ({changed_fields(message, sent)})"
            self.lose()

    def _number_turn(self, turn: int) -> Iterator[str]:
        """A turn's number is that of the journal's entry that led to it: each thing that happens is one."""
        if self._offset is not None and turn != self._turn + self._offset:
            yield f"it is turn {self._turn + self._offset}, not {turn}"
        elif self._offset is None and self.exact and turn < self._turn:
            yield f"it is turn {turn}, and that was turn {self._turn} at the least"
        self._offset = turn - self._turn

    def come_back(self) -> None:
        """The participant was away: others may have sat down."""
        self._offset, self._greeted = None, False

    # --- the match before a hand

    def _build(self, number: int, stacks: Mapping[int, int], button: int, small: int | None = None) -> Match:
        """The match as it must have stood before this hand; raises an error where it cannot have.

        With a dead button the small blind is where the big one was before.
        """
        settings = self.settings if number == 1 else replace(self.settings, max_hands=None)  # some may be void
        opened = TableOpened(rules=RULES_VERSION, settings=settings)
        history = History(self._table)
        history.take(opened, over=True)
        match = Match(history, make_host(self.settings))
        seats = sorted(stacks)
        if number == 1:
            for seat in seats:
                match.take(Seated(seat=seat, team=self._team(seat), stack=self.settings.stack, lock=None))
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
    """What must be sent, with what only the journal knows as it was sent."""
    if isinstance(sent, wire.Mix) and isinstance(message, wire.Mix):
        return replace(sent, commit=message.commit)
    if isinstance(sent, wire.EndHand) and isinstance(message, wire.EndHand):
        return replace(sent, chain=message.chain)
    sent = as_older(sent, message)
    check_openings, seen = getattr(sent, "opened", ()), getattr(message, "opened", ())
    if check_openings and [(o.card, o.at) for o in check_openings] == [(o.card, o.at) for o in seen]:
        return replace(sent, opened=seen)  # salts and hashes are held against the commitment
    return sent
