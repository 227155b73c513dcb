"""Two versions of a bot against each other, with the same deals both ways, until it is known which is better.

Deals are played in batches, so that the result of a deal is known long before the match ends. Both directions of a
batch have the same deals in different orders, and every direction has its own bots: a bot that remembers earlier hands
cannot recognise a deal.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from pitboss.arena.bots.offline import AskedBot, BotResult, KeyedDecks, OfflineMatch, OfflineStakes
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.competitions.intervals import AnytimeInterval, Estimate, further_blocks
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from pitboss.table.mixed import Mixed, games_of

Verdict: TypeAlias = Literal["better", "worse", "undecided"]

BATCH = 50
"""The number of deals that both directions play before the next."""
DIRECTIONS = 2
_VERDICTS: dict[int, Verdict] = {1: "better", -1: "worse", 0: "undecided"}


class BotComparison:
    """A duplicate match of an old and a new bot that ends as soon as an anytime-valid interval excludes zero.

    `start` returns the old and the new bot for a direction.

    >>> from pitboss.arena.bots import HOUSE
    >>> from pitboss.chance import Chance
    >>> match = BotComparison(
    ...     ("folding", "calling"), lambda _: [HOUSE[name](Chance(1)) for name in ("folding", "calling")],
    ...     decks=KeyedDecks(7), deals=1000, stakes=OfflineStakes(stack=500),
    ... )
    >>> for played in match.play():
    ...     pass
    >>> match.verdict, match.hands < 500
    ('better', True)
    """

    def __init__(
        self,
        names: tuple[str, str],
        start: Callable[[int], Sequence[AskedBot]],
        *,
        decks: KeyedDecks,
        deals: int,
        stakes: OfflineStakes,
        move_time_ms: int = 15_000,
        games: Mixed | Structure = NO_LIMIT_HOLDEM,
    ) -> None:
        self._decks, self._deals, self._games = decks, deals, games_of(games)
        self._big_blind = stakes.big_blind
        self._queues = [QueuedDecks(decks) for _ in range(DIRECTIONS)]
        self._matches = []
        for direction, queue in enumerate(self._queues):
            seated = [*zip(names, start(direction), strict=True)]
            self._matches.append(
                OfflineMatch(
                    seated[::-1] if direction else seated,
                    chance=queue,
                    stakes=stakes,
                    move_time_ms=move_time_ms,
                    games=games,
                )
            )
        bound = stakes.stack / stakes.big_blind
        self._interval = AnytimeInterval(-bound, bound)
        self._begun = 0

    @property
    def hands(self) -> int:
        """The number of hands of complete deals."""
        return DIRECTIONS * self._interval.blocks

    @property
    def verdict(self) -> Verdict:
        """What is known about the new bot."""
        return _VERDICTS[self._interval.sign]

    def estimate(self) -> Estimate:
        """Return what the new bot wins, in big blinds per hundred hands, with an interval that allows stopping."""
        return self._interval.estimate().scaled(100)

    def further_hands(self) -> int | None:
        """Return how many more hands would decide, if the mean and the spread stay as they are."""
        more = further_blocks(self._interval.estimate())
        return None if more is None else DIRECTIONS * more

    def results(self) -> tuple[list[BotResult], list[BotResult]]:
        """Return the results of the old and the new bot, one for each direction."""
        first, second = (match.results() for match in self._matches)
        return [first[0], second[1]], [first[1], second[0]]

    def set_clock(self, seconds: float) -> None:
        """Limit the time of every bot for all its answers in one direction."""
        for match in self._matches:
            for player in match.players:
                player.clock = seconds

    def play(self) -> Iterator[int]:
        """Play until it is decided or all deals are played; yield the number of hands after each."""
        while self._begun < self._deals and not self._interval.sign:
            yield from self._play_batch(range(self._begun, min(self._begun + BATCH, self._deals)))
        for match in self._matches:
            match.end()

    def _play_batch(self, numbers: range) -> Iterator[int]:
        self._begun = numbers.stop
        won: dict[int, int] = {}  # by the new bot in the first direction
        for direction, match in enumerate(self._matches):
            for number in self._shuffled(numbers) if direction else numbers:
                new = match.players[0 if direction else 1]
                before = new.net
                self._queues[direction].number = number
                match.play_hand()
                if direction:
                    both = won[number] + new.net - before
                    if not self._interval.sign:
                        self._interval.add(both / DIRECTIONS / self._big_blind)
                else:
                    won[number] = new.net - before
                yield 1

    def _shuffled(self, numbers: range) -> list[int]:
        """Return the deals of a batch in another order, in which each keeps its game and its button."""
        alike: dict[tuple[int, int], list[int]] = {}
        for number in numbers:
            alike.setdefault(self._kind(number), []).append(number)
        chance = self._decks.chance(f"order {numbers.start}")
        shuffled = {kind: iter(chance.shuffled(same)) for kind, same in alike.items()}
        return [next(shuffled[self._kind(number)]) for number in numbers]

    def _kind(self, number: int) -> tuple[int, int]:
        return number // (self._games.hands or DIRECTIONS) % len(self._games.games), number % DIRECTIONS


class QueuedDecks:
    """The deck with a number that is set before each hand."""

    def __init__(self, decks: KeyedDecks) -> None:
        self._decks, self.number = decks, 0

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        """Return the first cards (default all) of the deck."""
        return self._decks.deck(self.number, tuple(items), count)

    def fork(self, label: int) -> Chance:
        """Return random numbers for another purpose, by number."""
        return self._decks.fork(label)
