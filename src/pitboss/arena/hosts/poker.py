"""Poker at a table in the words of v1: hand after hand of one game or of several, dealt straight from the table.

Button, blinds and the order of hands are the table's, the rules the hand's. What one seat sees comes from the hand's
view, what everybody sees from the view of each event.
"""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.hosts.dealt import dealing_faults
from pitboss.arena.hosts.hand_messages import HandMessages
from pitboss.arena.hosts.host import NewHand, NextNumber
from pitboss.arena.hosts.stakes import frame_of, game_of, stakes_of
from pitboss.arena.journal.commitment import Shuffled, deck_of, shuffled
from pitboss.arena.journal.fold import HandHistory, HistoryError
from pitboss.arena.journal.records import Acted, Cause, HandStarted, RecordError, Settings, TimeoutPolicy, poker_events
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1 import poker as words
from pitboss.arena.v1.reading import Rejected
from pitboss.betting.refusals import Refused
from pitboss.cards import read_written_cards, write_cards
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.table import Moving, Table

MOST_SEATS = 10


class PlayedHand(Struct):
    """The hand under way."""

    hand: Hand
    order: tuple[int, ...]  #: the seat of each place
    before: Table  #: the table before the hand, for when it is voided


class _PokerAction(Struct, frozen=True):
    """The action of a record of poker; a class, because of a class alone msgspec remembers how it is read."""

    action: words.PlayersAction


class PokerHost:
    """A table of poker; everybody's name at it is his seat's number."""

    def __init__(self, games: Mixed | Structure, settings: Settings) -> None:
        self.games = games = games_of(games)
        self.settings = settings
        self.mixed = len(games.games) > 1
        self.deck = games.games[0].structure.deck
        moving: Moving = "dead_button" if settings.button == "dead" else "button"
        self.table = Table.open(stakes_of(games, settings), structure=games, moving=moving, seat_count=settings.seats)
        self.frame = frame_of(games, settings)  #: of the present hand
        self.open: PlayedHand | None = None
        self.result: dict[int, int] | None = None
        self.last_deal: Shuffled | None = None
        self._messages = HandMessages()

    @property
    def variant(self) -> str:
        """What `config.variant` calls the game, or the list of games."""
        return self.games.key if self.mixed else words.variant_of(self.games.games[0].structure)

    @property
    def places(self) -> range:
        """How many may play."""
        return range(2, most_places(self.games) + 1)

    @property
    def blinds(self) -> tuple[int, int]:
        """As the settings say; stud has no small one, and the big one is its small bet."""
        if self.mixed:
            return self.settings.small_blind, self.settings.big_blind
        return self.frame.small_blind, self.frame.big_blind

    @property
    def antes(self) -> tuple[int | None, int | None]:
        """The ante, and in stud the bring-in; in mixed games what every game has instead of its own."""
        if self.mixed:
            return self.settings.ante, self.settings.bring_in
        ante, bring_in = self.frame.ante, self.frame.bring_in
        return (ante, bring_in) if bring_in else (ante or None, None)

    @property
    def asked(self) -> int | None:
        """The seat that is asked."""
        if self.open is None:
            return None
        place = words.asked_place(self.open.hand)
        return self.open.order[place] if place is not None else None

    @property
    def phase(self) -> wire.Phase:
        """The street."""
        return "WAITING" if self.open is None else words.phase_of(self.open.hand)

    # --- what is played

    def sit(self, seat: int, stack: int) -> None:
        """Give somebody a chair; in a hand under way he is not dealt in."""
        self.table = self.table.sit(str(seat), stack, seat=seat)
        if self.open is not None:
            self.open.before = self.open.before.sit(str(seat), stack, seat=seat)

    def start(self, secret: bytes) -> NewHand:
        """Deal the next hand from the secret's deck."""
        return self.start_from(shuffled(secret, self.deck))

    def start_from(self, deal: Shuffled) -> NewHand:
        """Deal the next hand from this deck."""
        self.last_deal, before = deal, self.table
        stacks = {chair.seat: chair.chips for chair in before.chairs}
        dealt = before.next().deal(deal.deck)
        self.table, order = dealt.table, dealt.table.order
        variant = words.variant_of(dealt.hand.structure) if self.mixed else None
        self.open, self.result = PlayedHand(dealt.hand, order, before), None
        if self.mixed:
            self.frame = frame_of(self.games, self.settings, variant)
        self._settle()
        started = {seat: stacks[seat] for seat in sorted(order)}
        return NewHand(
            order[-1], started, write_cards(deal.deck), dealt.events, variant=variant, blinds=self._blinds(dealt.table)
        )

    def _blinds(self, table: Table) -> tuple[int, int] | None:
        """Where the blinds are, if the button alone does not say it."""
        if table.moving != "dead_button" or table.small_at is None or table.big is None:
            return None
        return table.small_at, table.big

    def play_next(self, variant: str) -> None:
        """Let the next hand be of this game of the list, whichever has its turn."""
        self.table = replace(self.table, chosen=self.games.index(game_of(self.games, variant).structure))

    def answer(self, seat: int, message: wire.Action | wire.MoveMessage) -> Acted:
        """A seat's answer; raises `Rejected` where it is not on offer."""
        hand = self._hand
        if isinstance(message, wire.MoveMessage):
            raise Rejected("INVALID_ACTION", "poker is answered by an `action`, not by a `move`")
        try:
            return self.act(seat, words.wish(message, hand.hand))
        except Refused as refusal:
            sentence = refusal.format(name=lambda place: f"seat {hand.order[place]}")
            raise Rejected("INVALID_ACTION", sentence) from None

    def answer_in_absence(self, seat: int, policy: TimeoutPolicy) -> Acted:
        """What is played for a seat whose time is up."""
        return self.act(seat, self.in_absence(policy), "timeout")

    def in_absence(self, policy: TimeoutPolicy) -> words.PlayersAction:
        """What that is."""
        return words.in_absence(self._hand.hand.offer, policy)

    def act(self, seat: int, action: words.PlayersAction, cause: Cause = "client") -> Acted:
        """Let a seat act; raises `Refused` where it is not on offer, and nothing has changed."""
        open = self._hand
        open.hand, events = open.hand.act(action, open.order.index(seat))
        self._settle()
        return Acted(seat=seat, action=action, cause=cause, events=events)

    def void(self) -> None:
        """Take the hand back: chips and button are as before it."""
        if self.open is not None:
            self.table, self.open = self.open.before, None

    @property
    def _hand(self) -> PlayedHand:
        assert self.open is not None, "no hand is under way"
        return self.open

    def _settle(self) -> None:
        """Once the hand is over, give it back to the table."""
        open = self._hand
        if open.hand.over:
            self.table = self.table.finish(open.hand)
            self.result = dict(zip(open.order, open.hand.stacks, strict=True))
            self.open = None

    # --- out of the journal

    def play_again(self, acted: Acted) -> Acted:
        """Do again what a record says."""
        if self.open is None or acted.seat not in self.open.order:
            raise HistoryError(f"seat {acted.seat} is in no hand")
        return self.act(acted.seat, acted.action, acted.cause)

    def read_started(self, started: HandStarted) -> HandStarted:
        """A record with its events read."""
        return replace(started, events=tuple(poker_events(started.events)))

    def read_acted(self, acted: Acted) -> Acted:
        """A record with its action and events read."""
        try:
            action = msgspec.convert({"action": acted.action}, _PokerAction).action
        except msgspec.ValidationError as error:
            raise RecordError(f"no record: {error}") from None
        return replace(acted, action=action, events=tuple(poker_events(acted.events)))

    def take_finished(self, hand: HandHistory) -> None:
        """Go on from a hand that was played before; newer rules do not judge it."""
        if sum(hand.stacks.values()) != sum(hand.started.stacks.values()) or min(hand.stacks.values()) < 0:
            raise HistoryError(f"{hand.started.hand_id} does not keep its chips")
        started = hand.started
        game = None if started.variant is None else game_of(self.games, started.variant).structure
        self.table = self.table.after(
            hand.stacks, hand=started.number, button=started.button, game=game, blinds=started.blinds
        )

    def faults(self, hand: HandHistory) -> Iterator[str]:
        """What is wrong with a finished hand's deck, deal or chips."""
        deck = deck_of(bytes.fromhex(hand.started.secret), self.deck)
        if tuple(read_written_cards(hand.started.deck)) != deck:
            yield "the deck is not the one its secret decides"
        yield from dealing_faults(poker_events(hand.events), deck)
        if sum(hand.stacks.values()) != sum(hand.started.stacks.values()) or min(hand.stacks.values()) < 0:
            yield "chips were lost or made"

    def audit(self, brought: int) -> None:
        """Count the chips: all that were brought must be there."""
        self.table.audit(self.open.hand if self.open is not None else None)
        if self.table.came_in != brought:
            raise HistoryError(f"{brought} chips were brought and {self.table.came_in} are there")

    # --- what is sent

    def commit(self, started: HandStarted) -> str:
        """The root of the hash tree over the salted deck."""
        secret = bytes.fromhex(started.secret)
        deal = self.last_deal if self.last_deal is not None and self.last_deal.secret == secret else None
        deal = deal or shuffled(secret, self.deck)
        if self.mixed:
            self.frame = frame_of(self.games, self.settings, started.variant)
        self._messages.begin(started, deal, game_of(self.games, started.variant).structure, self.frame)
        return deal.commit

    def revealed(self, secret: bytes) -> str:
        """The deck."""
        return "".join(deck_of(secret, self.deck))

    def messages(self, record: HandStarted | Acted, number: NextNumber) -> list[wire.ServerMessage]:
        """The blinds, actions, streets, showdown and awards."""
        return self._messages.messages(record, number)

    def question(self, hand_id: str, turn: int, time_ms: int, bank_ms: int | None = None) -> wire.Act:
        """The `act` for the seat that is asked."""
        return words.question(
            self._hand.hand,
            self._hand.order,
            hand_id=hand_id,
            turn=turn,
            time_ms=time_ms,
            frame=self.frame,
            bank_ms=bank_ms,
        )

    def snapshot(
        self,
        seat: int,
        stacks: Mapping[int, int],
        *,
        hand_id: str,
        turn: int,
        time_ms: int | None,
        seq: int,
        bank_ms: int | None = None,
    ) -> wire.Snapshot:
        """The table as one seat may see it now."""
        if self.open is None:
            return words.snapshot_between(seat, dict(stacks), seq, bank_ms)
        return words.snapshot(
            self.open.hand,
            self.open.order,
            seat=seat,
            stack=self.stack(seat, stacks[seat]),
            hand_id=hand_id,
            turn=turn,
            time_ms=time_ms,
            seq=seq,
            frame=self.frame,
            bank_ms=bank_ms,
        )

    def stack(self, seat: int, between: int) -> int:
        """A seat's chips now, without what it has in the middle; `between` hands it had so many."""
        if self.open is None or seat not in self.open.order:
            return between
        return self.open.hand.stacks[self.open.order.index(seat)]


def most_places(games: Mixed) -> int:
    """How many may play all of these games: as many as the deck has cards for, and seats have numbers."""
    return min(games.most_players, MOST_SEATS)
