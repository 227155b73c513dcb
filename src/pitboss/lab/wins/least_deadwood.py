"""Win condition: the player with the fewest points outside sets and runs wins."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from pitboss.lab import codes
from pitboss.lab.english import card_values, points
from pitboss.lab.genome import MOST_POINTS, Genome, Values, WinCondition, a_player
from pitboss.lab.piles import count_ranks

RUN_LENGTH, SET_SIZE = 3, 3
MOST_WAYS = 200
HIGHEST = 10  # the maximum number of points of one card


class LeastDeadwood(WinCondition, frozen=True, tag="least_deadwood"):
    """The player with the fewest points outside sets and runs wins.

    Sets and runs have three or more cards. The deal ends when a player has `knock` points or fewer.
    """

    of_holding: ClassVar[bool] = True
    melds: ClassVar[bool] = True
    needs_cards: ClassVar[bool] = True
    bounds: ClassVar = {"knock": (0, MOST_POINTS)}
    columns: ClassVar = ("least_deadwood_knock",)

    knock: int = 0

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.knock,)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"knock": (0, 3, 5, 10)}

    @property
    def shortest_suited(self) -> int:
        return RUN_LENGTH

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if genome.setup.cards_per_player == 0:
            yield f"{field}: expected cards_per_player of at least 1, got 0; the deal would be over at once"
        elif HIGHEST * genome.setup.cards_per_player <= self.knock:
            most = HIGHEST * genome.setup.cards_per_player - 1
            yield f"{field}.knock: expected at most {most}, got {self.knock}; every hand would end the deal at once"

    def mends(self, name: str, genome: Genome) -> Iterator[WinCondition]:
        if name == "knock":
            most = max(0, HIGHEST * genome.setup.cards_per_player - 1)
            yield replace(self, knock=max(0, min(most, self.knock)))

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        return {"type": "DrawPhase", "source": "either"}, {"type": "DiscardPhase"}

    def aim(self, genome: Genome) -> str:
        return "Be left with the fewest points outside sets and runs."

    def words(self, value: int, genome: Genome) -> str:
        return f"{points(-value)} outside sets and runs"

    def best(self) -> str:
        return "the player with the fewest points outside sets and runs"

    def ends(self, genome: Genome) -> str:
        in_turns = genome.turn_structure.order == "turns"
        when = "when a turn begins" if in_turns else "when a player is about to begin the first step of a round"
        if self.knock == 0:
            return f"{a_player(genome)} has no card outside sets and runs {when}"
        return f"{a_player(genome)} has {points(self.knock)} or fewer outside sets and runs {when}"

    def explained(self, genome: Genome) -> str:
        text = "A set is three or more cards of one rank. A run is three or more cards of one suit that follow each "
        text += "other in rank. Put your cards into sets and runs as well as you can, each card only once, and count "
        return f"{text}the points of the other cards: {card_values(genome.setup.deck, '1')}."


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the points outside sets and runs, as a negative number because fewer are better."""
    return -deadwood(g, s, p)


def triggered(g: Any, s: Any, win: int) -> bool:
    """Return whether a turn is about to begin and a player who is still in has at most `knock` points."""
    if s.stage != codes.TO_ENTER or s.phase != 0:
        return False
    for p in range(g.n):
        if not s.folded[p] and deadwood(g, s, p) <= g.least_deadwood_knock[win]:
            return True
    return False


def deadwood(g: Any, s: Any, p: int) -> int:
    """Return the points outside sets and runs of three or more cards, in the best arrangement.

    Try every choice of sets. A rank with three or more cards is a set or not. Of four cards, any three can be the
    set. The other cards form runs.
    """
    count_ranks(g, s, p, 0)
    ways = 1
    for rank in range(g.ranks):
        if s.tally[rank] >= SET_SIZE and ways < MOST_WAYS:
            ways *= ways_of(s.tally[rank])
    least = unmatched(g, s)
    for way in range(1, ways):
        count_ranks(g, s, p, 0)
        lay_sets(g, s, way)
        least = min(least, unmatched(g, s))
    return least


def ways_of(count: int) -> int:
    """Return the number of ways to make a set from this many cards of a rank. Making no set is one of them."""
    return 2 if count == SET_SIZE else 6


def lay_sets(g: Any, s: Any, way: int) -> None:
    """Remove sets from the masks. The number `way` encodes for each rank which cards are in the set."""
    for rank in range(g.ranks):
        if s.tally[rank] < SET_SIZE or way == 0:
            continue
        ways = ways_of(s.tally[rank])
        how = way % ways  # 0: no set; 1: all cards; above 1: all cards except one
        way //= ways
        seen = 0
        for suit in range(g.suits):
            if (s.masks[suit] >> rank) & 1:
                seen += 1
                if how == 1 or (how > 1 and seen != how - 1):
                    s.masks[suit] &= ~(1 << rank)


def unmatched(g: Any, s: Any) -> int:
    """Return the points of the cards that are not in a run of three or more cards of a suit."""
    left = 0
    for suit in range(g.suits):
        length, run = 0, 0
        for rank in range(g.ranks + 1):
            if rank < g.ranks and (s.masks[suit] >> rank) & 1:
                length += 1
                run += 1 if rank == g.soft else g.pips[rank]
                continue
            if length < RUN_LENGTH:
                left += run
            length, run = 0, 0
    return left
