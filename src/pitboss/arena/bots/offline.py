"""Bots against each other without a server: hand after hand from one seed, everybody with the same chips every time.

Since nobody's stack depends on the hands before, what a bot wins in a hand can be averaged: big blinds per hundred
hands, with an interval. Button and blinds move as in a match. Bots are asked, and told nothing else.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots.runner import BotDisqualified, BotFailure
from pitboss.arena.wire import poker as poker_wire
from pitboss.arena.wire.answers import read_answer, safe_action
from pitboss.arena.wire.messages import Act, Action
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
"""A bot as it is asked here; what it answers is checked."""

MOVE_TIME_MS = 15_000
"""What bots are told they may think; who holds them to it is their runner."""


class OfflineStakes(Struct, frozen=True, kw_only=True):
    """What everybody begins every hand with, and the blinds."""

    stack: int = 10_000
    small_blind: int = 50
    big_blind: int = 100


class BotResult(NamedTuple):
    """How one bot did, in chips and in big blinds per hundred hands with a 95 % interval."""

    name: str
    seat: int
    net: int
    bb_per_100: float
    low: float
    high: float
    illegal: int  #: answers that were not on offer, exceptions among them
    complaint: str | None  #: what was wrong with the first of them
    out: str | None  #: why it was asked no more
    answers: int
    seconds: float  #: thought in all

    @property
    def failed(self) -> bool:
        """Whether it lost its match, or nothing it ever said could be played."""
        return self.out is not None or 0 < self.answers == self.illegal


class SeatedBot:
    """A bot in its seat, and its score."""

    def __init__(self, name: str, bot: AskedBot) -> None:
        self.name, self._bot = name, bot
        self.net = 0
        self.rate = Mean()  # chips a hand, over decks
        self.illegal, self.answers, self.seconds = 0, 0, 0.0
        self.complaint: str | None = None
        self.out: str | None = None

    def ask(self, act: Act) -> Action:
        """The bot's answer; where it is none, the safe one, and the bot is marked for it."""
        if self.out is not None:
            return safe_action(act)
        self.answers += 1
        before = time.perf_counter()
        try:
            answer = self._bot(act)
        except BotFailure as failure:
            self.out = str(failure) if isinstance(failure, BotDisqualified) else None
            return self._mark(str(failure), act)
        except (Exception, SystemExit) as error:  # a bot may be wrong in any way it likes, and the others play on
            return self._mark(f"raised {type(error).__name__}: {error}", act)
        finally:
            self.seconds += time.perf_counter() - before
        try:
            return read_answer(answer, act)
        except ValueError as error:
            return self._mark(str(error), act)

    def _mark(self, complaint: str, act: Act) -> Action:
        self.illegal += 1
        self.complaint = self.complaint or complaint
        return safe_action(act)


class OfflineMatch:
    """Bots at one table. Decks are drawn from `chance`; with `duplicate` each is dealt once for every place of the
    button, so that everybody plays every hand of cards and luck evens out. `on_hand` is given the record of each hand.

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
        self._turn = 0
        self._on_hand, self._records = on_hand, list[Record]()
        blinds = TableStakes(small_blind=self._stakes.small_blind, big_blind=self._stakes.big_blind)
        self._table = Table.open(blinds, structure=games, seat_count=len(bots), moving="button")
        self._mixed = len(self._table.games.games) > 1
        for seat in range(len(bots)):
            self._table = self._table.sit(str(seat), self._stakes.stack, seat=seat)

    def play_deck(self) -> None:
        """Play a deck's hand or hands; nothing is counted, nor given to `on_hand`, before the last of them is over."""
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
        """The next deck: as many cards as a hand can need, all of them where up-cards or draws decide how many."""
        whole = structure.draws or bool(structure.faces)
        needed = structure.hole_by_street[-1] * len(self.players) + structure.board_by_street[-1]
        return self._chance.shuffled(structure.deck, None if whole else needed)

    def results(self) -> list[BotResult]:
        """How everybody did so far, seat by seat."""
        return [self._result(seat, player) for seat, player in enumerate(self.players)]

    def _play_hand(self, deck: Sequence[Card], number: int) -> dict[int, int]:
        """What every seat wins or loses in one hand."""
        dealt = self._table.next().deal(deck)
        table, hand, order, events = dealt.table, dealt.hand, dealt.table.order, list(dealt.events)
        variant = poker_wire.variant_of(hand.structure) if self._mixed else None
        frame = poker_wire.TableFrame.of(hand.structure, table.now, variant)
        while isinstance(hand.turn, PlayersTurn):
            self._turn += 1
            act = poker_wire.question(
                hand,
                order,
                hand_id=f"H-{number}",
                turn=self._turn,
                time_ms=self._move_time_ms,
                frame=frame,
            )
            hand, happened = hand.act(poker_wire.requested_action(self.players[act.seat].ask(act), hand))
            events += happened
        if self._on_hand is not None:
            self._records.append(self._record(hand, events, order, number))
        # Everybody takes his winnings home and sits down again with what he began with.
        again = dict.fromkeys(order, self._stakes.stack)
        self._table = table.after(again, hand=table.hand, button=order[-1])
        return {seat: hand.stacks[place] - self._stakes.stack for place, seat in enumerate(order)}

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
    """Let bots play so many hands, or with `duplicate` as many more as make the last deck whole, and tell the score."""
    match = OfflineMatch(bots, chance=chance, stakes=stakes, duplicate=duplicate, games=games)
    while match.hands < hands:
        match.play_deck()
    return match.results()
