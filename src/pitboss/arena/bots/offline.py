"""Matches of bots without a server. All cards come from one seed.

Every hand starts with equal stacks, so the winnings of hands can be averaged: big blinds per hundred hands, with an
interval. Button and blinds move as in a match. Bots with a method `on_message` receive the messages of a match.
"""

import hmac
import math
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.bots.runner import BotDisqualified, BotFailure
from pitboss.arena.journal.commitment import deck_of
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
from pitboss.arena.wire.strategies import drawn_entry, entries
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Event
from pitboss.hand.game_file import OWN_CODE, game_fields
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.record import Record, record_hand
from pitboss.records.table_fields import Toml
from pitboss.stats import Mean
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.stakes import TableStakes
from pitboss.table.table import Table

AskedBot: TypeAlias = Callable[[Act], object]
"""A bot: a function from a question to an answer, which is checked.

If the bot has an attribute `on_message`, this receives the messages.
"""

MOVE_TIME_MS = 15_000
"""The time for an answer in each question. A bot's runner enforces it."""
TABLE = "offline"
"""The table's name in messages."""
STRATEGIES = 0x57A7
"""The label of the random numbers that draw from mixed strategies."""
MIXED_FIELD = "_strategies"
"""The field of a recorded hand with the mixed strategies of its players."""
NO_HASH = "0" * 64
"""A placeholder for commitments in messages, which exist only with a server."""


class OfflineStakes(Struct, frozen=True, kw_only=True):
    """The chips of each bot at the start of a hand, and the blinds."""

    stack: int = 10_000
    small_blind: int = 50
    big_blind: int = 100


class Shuffler(Protocol):
    """Shuffles decks: a `Chance`, or decks that come from a key."""

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        """Shuffle the items and return the first `count` of them (default all)."""
        ...

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose. The decks do not depend on how many of them are used."""
        ...


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
    """The result of one bot, in chips and in big blinds per hundred hands with a 95 % interval."""

    name: str
    seat: int
    net: int
    bb_per_100: float
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

    def ask(self, act: Act) -> Action:
        """Return the bot's answer. If it is not legal, count it and return the safe answer."""
        if self.out is not None:
            return safe_action(act)
        self.answers += 1
        before = time.perf_counter()
        try:
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

    def _mark(self, complaint: str, act: Act) -> Action:
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
        games: Mixed | Structure = NO_LIMIT_HOLDEM,
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
        blinds = TableStakes(small_blind=self._stakes.small_blind, big_blind=self._stakes.big_blind)
        seats = range(len(self.players))
        self._table = Table.open(blinds, game=self._games, seat_count=len(seats), moving="button")
        self._mixed = len(self._table.games.games) > 1
        for seat in seats:
            self._table = self._table.sit(str(seat), self._stakes.stack, seat=seat)
        self._table = replace(self._table, button=seats[button - 1])
        self._welcome()

    def play_hand(self) -> None:
        """Play one hand and count its result."""
        for player, chips in zip(self.players, self._play_hand(), strict=True):
            player.rate.add(chips)

    def _draw(self, structure: Structure) -> tuple[Card, ...]:
        """Return all cards of the next deck that a hand can need.

        This is the whole deck if there are up-cards or draws.
        """
        whole = structure.draws or bool(structure.faces)
        players = len(self.players)
        runs = structure.runs_for(players, structure.most_runs)
        needed = structure.dealt_to_each * players + runs * structure.board_cards
        return self._chance.shuffled(structure.deck, None if whole else needed)

    def results(self) -> list[BotResult]:
        """Return the results so far, by seat."""
        return [self._result(seat, player) for seat, player in enumerate(self.players)]

    def _play_hand(self) -> list[int]:
        """Play one hand; return the chips that each seat wins or loses."""
        set_up = self._table.next()
        dealt = set_up.deal(self._draw(set_up.structure))
        table, hand, order, events = dealt.table, dealt.hand, dealt.table.order, list(dealt.events)
        variant = poker_wire.variant_of(hand.structure) if self._mixed else None
        frame = poker_wire.TableFrame.of(hand.structure, table.now, variant)
        self.hands += 1
        self._dealt += 1
        hand_id = f"H-{self._dealt}"
        stacks = [self._stakes.stack] * len(order)
        writer = HandEvents(hand_id, order, stacks, hand.structure, frame)
        self._tell(self._started(hand_id, order, variant))
        history = self._tell_all(writer.begin(dealt.events, self._next_seq))
        mixed: list[Toml] = []
        decisions = 0
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
            answer = self.players[act.seat].ask(act)
            if answer.strategy is not None:
                mixed.append(_recorded(answer, decisions, order.index(act.seat)))
                answer = self._draw_from(answer)
            decisions += 1
            hand, happened = hand.act(poker_wire.requested_action(answer, hand))
            events += happened
            history += self._tell_all(writer.public(happened, self._next_seq))
        if self._on_hand is not None:
            self._on_hand(self._record(hand, events, order, mixed))
        after = dict(zip(order, hand.stacks, strict=True))
        self._tell(EndHand(hand_id=hand_id, stacks=_stacks(after), chain=NO_HASH, seq=self._number()))
        # Winnings leave the table: every bot begins the next hand with the same chips.
        again = dict.fromkeys(order, self._stakes.stack)
        self._table = table.after(again, hand=table.hand, button=order[-1])
        won = [after[seat] - self._stakes.stack for seat in range(len(self.players))]
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
            game=game_fields(structures[0]) if structures[0].code == OWN_CODE else None,
        )
        lobby = Lobby(
            players=tuple(
                LobbyPlayer(seat=seat, team=player.name, connected=True, stack=stack)
                for seat, player in enumerate(seats)
            )
        )
        for seat, player in enumerate(seats):
            player.receive(Welcome(table_id=TABLE, seat=seat, config=config))
            player.receive(lobby)

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
            player.receive(message)

    def _draw_from(self, answer: Action) -> Action:
        """Return the action that is drawn from a mixed strategy."""
        mixed = entries(answer)
        return mixed[drawn_entry([p for _, p in mixed], self._draws.uniform())][0]

    def _record(self, hand: Hand, events: Sequence[Event], order: Sequence[int], mixed: Sequence[Toml]) -> Record:
        record = record_hand([self._stakes.stack] * len(order), hand, events)
        return replace(
            record,
            user={**record.user, MIXED_FIELD: tuple(mixed)} if mixed else record.user,
            hand=self.hands,
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
        games: Mixed | Structure = NO_LIMIT_HOLDEM,
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
        self._order = shuffled_order(decks, len(self.players), games_of(self._games), chance)
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


def _recorded(answer: Action, at: int, place: int) -> Mapping[str, Toml]:
    """Return a mixed strategy as a field of a recorded hand: the decision's number from 0, the player from 1."""
    mixed: list[Toml] = []
    for entry in answer.strategy or ():
        fields: dict[str, Toml] = {"action": entry.action, "p": Decimal(str(float(entry.p)))}
        fields |= {} if entry.amount is None else {"amount": entry.amount}
        mixed.append(fields | ({} if entry.discard is None else {"discard": entry.discard}))
    return {"at": at, "player": place + 1, "strategy": tuple(mixed)}


def play(
    bots: Sequence[tuple[str, AskedBot]],
    *,
    hands: int,
    chance: Chance,
    stakes: OfflineStakes | None = None,
    duplicate: bool = False,
    games: Mixed | Structure = NO_LIMIT_HOLDEM,
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
