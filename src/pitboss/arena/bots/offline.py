"""Matches of bots without a server, in poker or any other game. All cards come from one seed.

Every hand starts with equal stacks, so the winnings of hands can be averaged: big blinds per hundred hands, with an
interval. Button and blinds move as in a match, and in other games the places. Bots with a method `on_message` receive
the messages of a match.
"""

import hmac
import math
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from pitboss.arena.bots.dealers import NO_HASH, Shuffler, dealer_of
from pitboss.arena.bots.dealers import OfflineStakes as OfflineStakes
from pitboss.arena.bots.runner import BotDisqualified, BotFailure
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.journal.commitment import deck_of
from pitboss.arena.wire.answers import Question, read_answer, safe_action
from pitboss.arena.wire.messages import (
    Action,
    EndHand,
    FinalStack,
    Lobby,
    LobbyPlayer,
    MatchEnd,
    MoveMessage,
    PublicMessage,
    SeatStack,
    ServerMessage,
    Welcome,
    Winner,
)
from pitboss.arena.wire.strategies import drawn_entry, entries
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from pitboss.records.record import Record
from pitboss.stats import Mean
from pitboss.table.mixed import Mixed

AskedBot: TypeAlias = Callable[[Any], object]
"""A bot: a function from a question to an answer, which is checked.

If the bot has an attribute `on_message`, this receives the messages. If it has an attribute `on_position`, as house
bots of games other than poker have, this receives the game as the bot's seat sees it before each question.
"""
Reply: TypeAlias = Action | MoveMessage
OfflineGame: TypeAlias = Mixed | Structure | MovesHost
"""What is played: poker, or the host of any other game."""

MOVE_TIME_MS = 15_000
"""The time for an answer in each question. A bot's runner enforces it."""
TABLE = "offline"
"""The table's name in messages."""
STRATEGIES = 0x57A7
"""The label of the random numbers that draw from mixed strategies."""


class KeyedDecks:
    """Numbered decks that come from a keyed hash of a seed. The cards of some decks reveal nothing about other decks.

    >>> decks = KeyedDecks(7)
    >>> decks.deck(0, NO_LIMIT_HOLDEM.deck, 3) == decks.shuffled(NO_LIMIT_HOLDEM.deck, 3)
    True
    """

    def __init__(self, seed: int) -> None:
        self._key = f"pitboss arena play {seed}".encode()
        self._next = 0

    def deck(self, number: int, cards: Sequence[Card], count: int | None = None) -> tuple[Card, ...]:
        """Return the first cards (default all) of the deck with this number."""
        return deck_of(self._digest(f"deck {number}"), cards)[:count]

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        """Return the first cards (default all) of the next deck."""
        self._next += 1
        return self.deck(self._next - 1, tuple(items), count)

    def chance(self, label: str) -> Chance:
        """Return random numbers for another purpose. They reveal nothing about the decks."""
        return Chance(int.from_bytes(self._digest(f"chance {label}")[:8], "big"))

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose, by number."""
        return self.chance(f"fork {label}")

    def _digest(self, label: str) -> bytes:
        return hmac.digest(self._key, label.encode(), "sha256")


class BotResult(NamedTuple):
    """The result of one bot, in chips or points, with a 95 % interval of its rate.

    The rate is in big blinds per hundred hands; in games other than poker, in chips or points per game.
    """

    name: str
    seat: int
    net: int
    rate: float
    low: float
    high: float
    illegal: int  #: answers that were replaced: not legal, late, or an exception
    complaint: str | None  #: the fault of the first of these answers
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


def overlapping(result: BotResult, results: Sequence[BotResult]) -> list[str]:
    """Return the bots whose interval overlaps with the interval of this bot.

    The hands do not show which of them is better.
    """
    return [
        other.name for other in results if other is not result and other.low <= result.high and result.low <= other.high
    ]


class SeatedBot:
    """A bot in its seat, and its score."""

    def __init__(self, name: str, bot: AskedBot) -> None:
        self.name = name
        self.take(bot)
        self.net = 0
        self.rate = Mean()  # chips a hand, over decks
        self.illegal, self.answers, self.seconds = 0, 0, 0.0
        self.complaint: str | None = None
        self.out: str | None = None
        self.clock = math.inf  #: seconds that it may think in the whole match

    def take(self, bot: AskedBot) -> None:
        """Replace the bot of this seat, which keeps its score."""
        self._bot = bot
        self._on_message: Callable[[ServerMessage], object] | None = getattr(bot, "on_message", None)
        self._on_position: Callable[[bytes], object] | None = getattr(bot, "on_position", None)

    def ask(self, act: Question, position: Callable[[], bytes] = bytes) -> Action | MoveMessage:
        """Return the bot's answer. If it is not legal, count it and return the safe answer."""
        if self.out is not None:
            return safe_action(act)
        self.answers += 1
        before = time.perf_counter()
        try:
            if self._on_position is not None:
                self._on_position(position())
            answer = self._bot(act)
        except BotFailure as failure:
            self.out = str(failure) if isinstance(failure, BotDisqualified) else None
            return self._mark(str(failure), act)
        except (Exception, SystemExit) as error:  # the other bots continue
            return self._mark(f"raised {type(error).__name__}: {error}", act)
        finally:
            self.seconds += time.perf_counter() - before
            if self.seconds > self.clock and self.out is None:
                self.out = f"lost its match: its answers took more than {self.clock:g} s in total"
        try:
            return read_answer(answer, act)
        except ValueError as error:
            return self._mark(str(error), act)

    def receive(self, message: ServerMessage) -> None:
        """Pass a message to the bot's `on_message`, if the bot has one."""
        if self._on_message is not None and self.out is None:
            try:
                self._on_message(message)
            except Exception as error:  # the match continues, as in the client
                self.complaint = self.complaint or f"on_message raised {type(error).__name__}: {error}"

    def _mark(self, complaint: str, act: Question) -> Action | MoveMessage:
        self.illegal += 1
        self.complaint = self.complaint or complaint
        return safe_action(act)


class OfflineMatch:
    """Bots at one table. Decks are drawn from `chance`. `on_hand` receives the record of each hand.

    `button` is the seat with the button of the first hand.

    >>> from pitboss.arena.bots import HOUSE
    >>> seats = [(name, HOUSE[name](Chance(seat))) for seat, name in enumerate(("calling", "folding"))]
    >>> match = OfflineMatch(seats, chance=Chance(7))
    >>> for _ in range(10):
    ...     match.play_hand()
    >>> [(result.name, result.net) for result in match.results()]
    [('calling', 250), ('folding', -250)]
    """

    def __init__(
        self,
        bots: Sequence[tuple[str, AskedBot]],
        *,
        chance: Shuffler,
        stakes: OfflineStakes | None = None,
        move_time_ms: int = MOVE_TIME_MS,
        games: OfflineGame = NO_LIMIT_HOLDEM,
        on_hand: Callable[[Record], object] | None = None,
        button: int = 0,
    ) -> None:
        self.players = [SeatedBot(name, bot) for name, bot in bots]
        self.hands = 0
        self._stakes = stakes or OfflineStakes()
        self._move_time_ms = move_time_ms
        self._games = games
        self._on_hand = on_hand
        self._draws = chance.fork(STRATEGIES)
        self._begin(chance, button=button)

    def _begin(self, chance: Shuffler, *, button: int) -> None:
        """Open the table with the button of its first hand, and welcome the bots."""
        self._chance = chance
        self._turn, self._next_seq = 0, 1
        self._dealt = 0
        self._dealer = dealer_of(self._games, len(self.players), self._stakes, button)
        self._welcome()

    def play_hand(self) -> None:
        """Play one hand and count its result."""
        for player, chips in zip(self.players, self._play_hand(), strict=True):
            player.rate.add(chips)

    def results(self) -> list[BotResult]:
        """Return the results so far, by seat."""
        return [self._result(seat, player) for seat, player in enumerate(self.players)]

    def _play_hand(self) -> list[int]:
        """Play one hand or game; return what each seat wins or loses."""
        self.hands += 1
        self._dealt += 1
        deal = self._dealer.deal(self._chance, hand_id := f"H-{self._dealt}", self._next_seq)
        self._tell_all(deal.messages)
        while (seat := deal.to_act) is not None:
            self._turn += 1
            reply = self.players[seat].ask(deal.question(self._turn, self._move_time_ms), deal.position)
            if reply.strategy is not None:
                deal.note_strategy(seat, reply)
                reply = self._draw_from(reply)
            self._tell_all(deal.act(seat, reply, self._next_seq))
        if self._on_hand is not None and (record := deal.record([player.name for player in self.players])) is not None:
            self._on_hand(replace(record, hand=self.hands))
        self._tell_all([EndHand(hand_id=hand_id, stacks=_stacks(deal.stacks), chain=NO_HASH, seq=self._next_seq)])
        won = [deal.stacks[seat] - self._stakes.stack for seat in range(len(self.players))]
        for player, chips in zip(self.players, won, strict=True):
            player.net += chips
        return won

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
                seq=self._next_seq,
            )
        )

    def _welcome(self) -> None:
        """Send each bot its seat and the list of players."""
        config = self._dealer.config(self._move_time_ms)
        lobby = Lobby(
            players=tuple(
                LobbyPlayer(seat=seat, team=player.name, connected=True, stack=self._stakes.stack)
                for seat, player in enumerate(self.players)
            )
        )
        for seat, player in enumerate(self.players):
            player.receive(Welcome(table_id=TABLE, seat=seat, config=config))
            player.receive(lobby)

    def _tell_all(self, messages: Sequence[PublicMessage]) -> None:
        for message in messages:
            self._tell(message)
        self._next_seq += len(messages)

    def _tell(self, message: ServerMessage) -> None:
        for player in self.players:
            player.receive(message)

    def _draw_from(self, reply: Reply) -> Reply:
        """Return the answer that is drawn from a mixed strategy."""
        mixed = entries(reply)
        return mixed[drawn_entry([p for _, p in mixed], self._draws.uniform())][0]

    def _result(self, seat: int, player: SeatedBot) -> BotResult:
        scale = self._dealer.scale
        low, high = player.rate.interval()
        return BotResult(
            name=player.name,
            seat=seat,
            net=player.net,
            rate=player.rate.mean * scale,
            low=low * scale,
            high=high * scale,
            illegal=player.illegal,
            complaint=player.complaint,
            out=player.out,
            answers=player.answers,
            seconds=player.seconds,
        )


class DuplicateMatch(OfflineMatch):
    """Bots that play every deck once from every place, so that each bot gets every hand of cards.

    The match has one replica for each place. A replica has its own bots, which `start` starts. It deals all decks, in
    its own order, so that a bot that remembers earlier hands cannot recognise a deck. The game and the button of a deck
    are the same in all replicas.
    """

    def __init__(
        self,
        names: Sequence[str],
        start: Callable[[int], Sequence[AskedBot]],
        *,
        decks: KeyedDecks,
        hands: int,
        stakes: OfflineStakes | None = None,
        move_time_ms: int = MOVE_TIME_MS,
        games: OfflineGame = NO_LIMIT_HOLDEM,
        on_hand: Callable[[Record], object] | None = None,
    ) -> None:
        seats = len(names)
        self._decks, self._start, self._replica = decks, start, 0
        self._decks_a_replica = -(-hands // seats)
        self.total = seats * self._decks_a_replica  #: all hands, including the rest of the last deck
        self._won = array("q", bytes(8 * seats * self._decks_a_replica))  # chips by deck and seat
        super().__init__(
            [*zip(names, start(0), strict=True)],
            chance=decks,
            stakes=stakes,
            move_time_ms=move_time_ms,
            games=games,
            on_hand=on_hand,
        )
        self._order: Sequence[int] = range(self._decks_a_replica)

    def play_hand(self) -> None:
        """Play the next hand. If a new replica begins with it, start the bots of that replica."""
        if self._dealt == self._decks_a_replica:
            self._next_replica()
        number = self._order[self._dealt]
        for place, chips in enumerate(self._play_hand(), number * len(self.players)):
            self._won[place] += chips

    def _next_replica(self) -> None:
        self.end()
        self._replica += 1
        for player, bot in zip(self.players, self._start(self._replica), strict=True):
            player.take(bot)
        decks, chance = range(self._decks_a_replica), self._decks.chance(f"order {self._replica}")
        self._order = shuffled_order(decks, len(self.players), self._dealer.games, chance)
        self._begin(_InOrder(self._decks, self._order), button=self._replica)

    def results(self) -> list[BotResult]:
        """Return the results so far.

        Rates are averages over the decks; each deck counts with the number of its hands.
        """
        seats, full = len(self.players), self._replica + 1
        times = [full - 1] * self._decks_a_replica
        for number in self._order[: self._dealt]:
            times[number] = full
        for seat, player in enumerate(self.players):
            chips = self._won[seat::seats]
            player.rate = Mean(won / dealt for won, dealt in zip(chips, times, strict=True) if dealt)
        return super().results()


def shuffled_order(decks: range, seats: int, games: Mixed, chance: Chance) -> Sequence[int]:
    """Return these decks in the order in which a replica deals them.

    The order keeps the game of each deck, and its position in the button's round, which starts at another seat in each
    replica.
    """
    alike: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for at in decks:
        alike[at // (games.hands or seats) % len(games.games), at % seats].append(at)
    order = array("q", bytes(8 * len(decks)))
    for places in alike.values():
        for at, number in zip(places, chance.shuffled(places), strict=True):
            order[at - decks.start] = number
    return order


class _InOrder:
    """The decks of these numbers, one after the other."""

    def __init__(self, decks: KeyedDecks, order: Sequence[int]) -> None:
        self._decks, self._numbers = decks, iter(order)

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        """Return the first cards (default all) of the next deck."""
        return self._decks.deck(next(self._numbers), tuple(items), count)

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose, by number."""
        return self._decks.fork(label)


def play(
    bots: Sequence[tuple[str, AskedBot]],
    *,
    hands: int,
    chance: Chance,
    stakes: OfflineStakes | None = None,
    duplicate: bool = False,
    games: OfflineGame = NO_LIMIT_HOLDEM,
) -> list[BotResult]:
    """Play this number of hands, and return the results.

    With `duplicate` the last deck is completed. The same bots then play all replicas, so a bot with a memory remembers
    the earlier ones.
    """
    match = OfflineMatch(bots, chance=chance, stakes=stakes, games=games)
    if duplicate:
        names, seated = [name for name, _ in bots], [bot for _, bot in bots]
        match = DuplicateMatch(
            names, lambda _: seated, decks=KeyedDecks(chance.bits()), hands=hands, stakes=stakes, games=games
        )
        hands = match.total
    while match.hands < hands:
        match.play_hand()
    match.end()
    return match.results()


def _stacks(chips: dict[int, int]) -> tuple[SeatStack, ...]:
    return tuple([SeatStack(seat=seat, stack=stack) for seat, stack in chips.items()])
