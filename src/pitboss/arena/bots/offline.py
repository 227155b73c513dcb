"""Matches of bots without a server: hand after hand from one seed, every bot with the same chips at each start.

No stack depends on earlier hands, so winnings can be averaged: big blinds per hundred hands, with an interval. Button
and blinds move as in a match. Bots with a method `on_message` receive the messages of a match.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots.runner import BotDisqualified, BotFailure
from pitboss.arena.wire import poker as poker_wire
from pitboss.arena.wire.answers import read_answer, safe_action
from pitboss.arena.wire.events import HandEvents
from pitboss.arena.wire.messages import (
    Act,
    Action,
    Config,
    EndHand,
    FinalStack,
    HandEvent,
    Lobby,
    LobbyPlayer,
    MatchEnd,
    SeatStack,
    ServerMessage,
    StartHand,
    Welcome,
    Winner,
)
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Event
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.record import Record, record_hand
from pitboss.stats import Mean
from pitboss.table.mixed import Mixed
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table

AskedBot: TypeAlias = Callable[[Act], object]
"""A bot: a function of the question; its answer is checked. An attribute `on_message` receives messages."""

MOVE_TIME_MS = 15_000
"""The time for an answer that a question names. A bot's runner enforces it."""
TABLE = "offline"
"""The table's name in messages."""
NO_HASH = "0" * 64
"""Stands for commitments in messages: without a server there are none."""


class OfflineStakes(Struct, frozen=True, kw_only=True):
    """The chips of each bot at the start of a hand, and the blinds."""

    stack: int = 10_000
    small_blind: int = 50
    big_blind: int = 100


class BotResult(NamedTuple):
    """The result of one bot, in chips and in big blinds per hundred hands with a 95 % interval."""

    name: str
    seat: int
    net: int
    bb_per_100: float
    low: float
    high: float
    illegal: int  #: answers that were replaced: not legal, late, or an exception
    complaint: str | None  #: what was wrong with the first of them
    out: str | None  #: why the bot was disqualified
    answers: int
    seconds: float  #: total time for all answers

    @property
    def ms_per_answer(self) -> float | None:
        """The average time for an answer."""
        return 1000 * self.seconds / self.answers if self.answers else None

    @property
    def failed(self) -> bool:
        """Whether the bot was disqualified, or none of its answers was legal."""
        return self.out is not None or 0 < self.answers == self.illegal


def not_told_apart(result: BotResult, results: Sequence[BotResult]) -> list[str]:
    """Return the other bots whose interval overlaps this one's: the hands played do not show which is better."""
    return [
        other.name for other in results if other is not result and other.low <= result.high and result.low <= other.high
    ]


class SeatedBot:
    """A bot in its seat, and its score."""

    def __init__(self, name: str, bot: AskedBot) -> None:
        self.name, self._bot = name, bot
        self._on_message: Callable[[ServerMessage], object] | None = getattr(bot, "on_message", None)
        self.net = 0
        self.rate = Mean()  # chips a hand, over decks
        self.illegal, self.answers, self.seconds = 0, 0, 0.0
        self.complaint: str | None = None
        self.out: str | None = None

    def ask(self, act: Act) -> Action:
        """Return the bot's answer; if it is not legal, the safe answer, and count it."""
        if self.out is not None:
            return safe_action(act)
        self.answers += 1
        before = time.perf_counter()
        try:
            answer = self._bot(act)
        except BotFailure as failure:
            self.out = str(failure) if isinstance(failure, BotDisqualified) else None
            return self._mark(str(failure), act)
        except (Exception, SystemExit) as error:  # the other bots play on
            return self._mark(f"raised {type(error).__name__}: {error}", act)
        finally:
            self.seconds += time.perf_counter() - before
        try:
            return read_answer(answer, act)
        except ValueError as error:
            return self._mark(str(error), act)

    def hear(self, message: ServerMessage) -> None:
        """Pass a message to the bot's `on_message`, if it has one."""
        if self._on_message is not None and self.out is None:
            try:
                self._on_message(message)
            except Exception as error:  # play goes on, as in the client
                self.complaint = self.complaint or f"on_message raised {type(error).__name__}: {error}"

    def _mark(self, complaint: str, act: Act) -> Action:
        self.illegal += 1
        self.complaint = self.complaint or complaint
        return safe_action(act)


class OfflineMatch:
    """Bots at one table. Decks are drawn from `chance`. With `duplicate`, each deck is dealt once for every place of
    the button, so that every bot plays every hand of cards. `on_hand` receives the record of each hand.

    >>> from pitboss.arena.bots import HOUSE
    >>> seats = [(name, HOUSE[name](Chance(seat))) for seat, name in enumerate(("calling", "folding"))]
    >>> match = OfflineMatch(seats, chance=Chance(7))
    >>> for _ in range(10):
    ...     match.play_deck()
    >>> [(result.name, result.net) for result in match.results()]
    [('calling', 250), ('folding', -250)]
    """

    def __init__(
        self,
        bots: Sequence[tuple[str, AskedBot]],
        *,
        chance: Chance,
        stakes: OfflineStakes | None = None,
        duplicate: bool = False,
        move_time_ms: int = MOVE_TIME_MS,
        games: Mixed | Structure = NO_LIMIT_HOLDEM,
        on_hand: Callable[[Record], object] | None = None,
    ) -> None:
        self.players = [SeatedBot(name, bot) for name, bot in bots]
        self.hands = 0
        self.hands_a_deck = len(bots) if duplicate else 1
        self._stakes = stakes or OfflineStakes()
        self._chance = chance
        self._move_time_ms = move_time_ms
        self._turn, self._next_seq = 0, 1
        self._on_hand, self._records = on_hand, list[Record]()
        blinds = TableStakes(small_blind=self._stakes.small_blind, big_blind=self._stakes.big_blind)
        self._table = Table.open(blinds, structure=games, seat_count=len(bots), moving="button")
        self._mixed = len(self._table.games.games) > 1
        for seat in range(len(bots)):
            self._table = self._table.sit(str(seat), self._stakes.stack, seat=seat)
        self._welcome()

    def play_deck(self) -> None:
        """Play the hand or hands of one deck; results are counted when the last of them is over."""
        self._records.clear()
        deck = self._draw(self._table.next().structure)
        won = [0] * len(self.players)
        for number in range(1, self.hands_a_deck + 1):
            for seat, chips in self._play_hand(deck, self.hands + number).items():
                won[seat] += chips
        self.hands += self.hands_a_deck
        for player, chips in zip(self.players, won, strict=True):
            player.net += chips
            player.rate.add(chips / self.hands_a_deck)
        if self._on_hand is not None:
            for record in self._records:
                self._on_hand(record)

    def _draw(self, structure: Structure) -> tuple[Card, ...]:
        """Return the next deck: the most cards that a hand can need, or all if up-cards or draws decide how many."""
        whole = structure.draws or bool(structure.faces)
        needed = structure.hole_by_street[-1] * len(self.players) + structure.board_by_street[-1]
        return self._chance.shuffled(structure.deck, None if whole else needed)

    def results(self) -> list[BotResult]:
        """Return the results so far, by seat."""
        return [self._result(seat, player) for seat, player in enumerate(self.players)]

    def _play_hand(self, deck: Sequence[Card], number: int) -> dict[int, int]:
        """Play one hand; return what each seat wins or loses."""
        dealt = self._table.next().deal(deck)
        table, hand, order, events = dealt.table, dealt.hand, dealt.table.order, list(dealt.events)
        variant = poker_wire.variant_of(hand.structure) if self._mixed else None
        frame = poker_wire.TableFrame.of(hand.structure, table.now, variant)
        hand_id = f"H-{number}"
        stacks = [self._stakes.stack] * len(order)
        writer = HandEvents(hand_id, order, stacks, hand.structure, frame)
        self._tell(self._started(hand_id, order, variant))
        history = self._tell_all(writer.begin(dealt.events, self._next_seq))
        while isinstance(hand.turn, PlayersTurn):
            self._turn += 1
            act = poker_wire.question(
                hand,
                order,
                hand_id=hand_id,
                turn=self._turn,
                time_ms=self._move_time_ms,
                frame=frame,
            )
            act = replace(act, history=tuple(history))
            hand, happened = hand.act(poker_wire.requested_action(self.players[act.seat].ask(act), hand))
            events += happened
            history += self._tell_all(writer.public(happened, self._next_seq))
        if self._on_hand is not None:
            self._records.append(self._record(hand, events, order, number))
        after = dict(zip(order, hand.stacks, strict=True))
        self._tell(EndHand(hand_id=hand_id, stacks=_stacks(after), chain=NO_HASH, seq=self._number()))
        # Winnings leave the table: every bot begins the next hand with the same chips.
        again = dict.fromkeys(order, self._stakes.stack)
        self._table = table.after(again, hand=table.hand, button=order[-1])
        return {seat: hand.stacks[place] - self._stakes.stack for place, seat in enumerate(order)}

    # --- messages, as a server sends them

    def end(self) -> None:
        """Send the end of the match to the bots, with each bot's winnings as its final stack."""
        won = [player.net for player in self.players]
        final = [
            FinalStack(seat=seat, team=player.name, stack=player.net, place=1 + sum(net > player.net for net in won))
            for seat, player in enumerate(self.players)
        ]
        first = tuple([Winner(seat=each.seat, team=each.team) for each in final if each.place == 1])
        self._tell(
            MatchEnd(
                winner=first[0] if len(first) == 1 else None,
                winners=first if len(first) > 1 else None,
                final_stacks=tuple(sorted(final, key=lambda each: -each.stack)),
                reason="max_hands",
                seq=self._number(),
            )
        )

    def _welcome(self) -> None:
        """Send each bot its seat and the list of players."""
        structures = [game.structure for game in self._table.games.games]
        seats, stack = self.players, self._stakes.stack
        config = Config(
            variant=self._table.games.key if self._mixed else poker_wire.variant_of(structures[0]),
            seats=len(seats),
            starting_stack=stack,
            sb=self._stakes.small_blind,
            bb=self._stakes.big_blind,
            move_time_ms=self._move_time_ms,
            games=tuple(map(poker_wire.layout_of, structures)),
        )
        lobby = Lobby(
            players=tuple(
                LobbyPlayer(seat=seat, team=player.name, connected=True, stack=stack)
                for seat, player in enumerate(seats)
            )
        )
        for seat, player in enumerate(seats):
            player.hear(Welcome(table_id=TABLE, seat=seat, config=config))
            player.hear(lobby)

    def _started(self, hand_id: str, order: Sequence[int], variant: str | None) -> StartHand:
        stacks = _stacks(dict.fromkeys(sorted(order), self._stakes.stack))
        return StartHand(
            hand_id=hand_id,
            seed=0,
            button=order[-1],
            stacks=stacks,
            commit=NO_HASH,
            variant=variant,
            seq=self._number(),
        )

    def _tell_all(self, messages: list[HandEvent]) -> list[HandEvent]:
        for message in messages:
            self._tell(message)
        self._next_seq += len(messages)
        return messages

    def _number(self) -> int:
        self._next_seq += 1
        return self._next_seq - 1

    def _tell(self, message: ServerMessage) -> None:
        for player in self.players:
            player.hear(message)

    def _record(self, hand: Hand, events: Sequence[Event], order: Sequence[int], number: int) -> Record:
        return replace(
            record_hand([self._stakes.stack] * len(order), hand, events),
            hand=number,
            seats=tuple(seat + 1 for seat in order),
            seat_count=len(order),
            players=tuple(self.players[seat].name for seat in order),
        )

    def _result(self, seat: int, player: SeatedBot) -> BotResult:
        scale = 100 / self._stakes.big_blind
        low, high = player.rate.interval()
        return BotResult(
            name=player.name,
            seat=seat,
            net=player.net,
            bb_per_100=player.rate.mean * scale,
            low=low * scale,
            high=high * scale,
            illegal=player.illegal,
            complaint=player.complaint,
            out=player.out,
            answers=player.answers,
            seconds=player.seconds,
        )


def play(
    bots: Sequence[tuple[str, AskedBot]],
    *,
    hands: int,
    chance: Chance,
    stakes: OfflineStakes | None = None,
    duplicate: bool = False,
    games: Mixed | Structure = NO_LIMIT_HOLDEM,
) -> list[BotResult]:
    """Play this many hands, or with `duplicate` until the last deck is complete, and return the results."""
    match = OfflineMatch(bots, chance=chance, stakes=stakes, duplicate=duplicate, games=games)
    while match.hands < hands:
        match.play_deck()
    match.end()
    return match.results()


def _stacks(chips: dict[int, int]) -> tuple[SeatStack, ...]:
    return tuple([SeatStack(seat=seat, stack=stack) for seat, stack in chips.items()])
