"""Win condition: the best poker pattern of any number of cards, or the most points without going over a limit."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.lab import codes
from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.english import RANK_NAMES, a, capital, card_values, number, plural
from pitboss.lab.english import points as in_points
from pitboss.lab.genome import MOST_POINTS, Genome, Mechanic, Values, WinCondition, hands_differ, has_hands, turned_up
from pitboss.lab.piles import count_ranks

(HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH) = range(9)
DIGITS, DIGIT = 5, 4  # a value is a class and five ranks of 4 bits each, and the most important rank is first
STRAIGHT_LENGTH = 5
BUST = -1
POKER = Mechanic("poker", ((3, 5), (3, 5)), ((1, 3), (1, 3)), whole=DIGITS)
LIMIT = Mechanic("limit", ((2, 2), (2, 2)), ((1, 1), (1, 1)))
USUAL_LIMIT = 21
RANKINGS = ("poker", "points")
BY_PATTERN, BY_POINTS = range(len(RANKINGS))


class BestHand(WinCondition, frozen=True, tag="best_hand"):
    """The player with the best poker pattern wins or, if points are counted, the player with the most.

    Cards in hand and community cards count. A player with more points than `bust` cannot win.
    """

    of_holding: ClassVar[bool] = True
    bounds: ClassVar = {"bust": (0, MOST_POINTS)}
    columns: ClassVar = ("best_hand_ranking", "best_hand_bust")

    ranking: Literal["poker", "points"] = "poker"
    bust: int = 0  #: 0: no limit. Tens and face cards count 10. An ace counts 11, or 1 if 11 would be too much

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return RANKINGS.index(self.ranking), self.bust

    @classmethod
    def values(cls, genome: Genome) -> Values:
        return {"ranking": RANKINGS, "bust": (0, 15, 17, 21, 25, 31)}

    @property
    def counts_community(self) -> bool:
        return True

    @property
    def shortest_suited(self) -> int:
        return DIGITS if self.ranking == "poker" else 0

    @property
    def limit(self) -> int:
        return self.bust if self.ranking == "points" else 0

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        if not has_hands(genome):
            yield f"{field}: expected a game in which players hold cards, got none"

    @property
    def mechanic(self) -> Mechanic:
        return LIMIT if self.limit else POKER

    @property
    def label(self) -> str:
        return f"BestHand {self.ranking}"

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        if self.limit:
            return {"type": "BettingPhase"}, {"type": "DrawPhase", "count": 3, "optional": True}
        return ({"type": "DiscardPhase", "count": 2, "optional": True, "replace": True},)

    def sensible(self, genome: Genome) -> WinCondition:
        return replace(self, bust=(self.bust or USUAL_LIMIT) if self.ranking == "points" else 0)

    # --- sentences

    def aim(self, genome: Genome) -> str:
        if self.ranking == "poker":
            return "Have the best poker hand."
        if self.bust == 0:
            return "Hold the most points."
        return f"Come as close to {in_points(self.bust)} as you can without going over."

    def words(self, value: int, genome: Genome) -> str:
        if self.ranking == "poker":
            return _named(value, genome.setup.deck.ranks)
        return "too many points" if value == BUST else in_points(value)

    def best(self) -> str:
        if self.ranking == "poker":
            return "the player with the best poker hand"
        if self.bust == 0:
            return "the player with the most points in hand"
        return f"the player who comes closest to {in_points(self.bust)} without going over"

    def explained(self, genome: Genome) -> str:
        if self.ranking == "poker":
            return _patterns(genome)
        if not self.bust:
            return f"{capital(card_values(genome.setup.deck, '11'))}."
        most = number(self.bust)
        values = capital(card_values(genome.setup.deck, "11, or 1 if 11 would be too much"))
        over = f"A player with more than {most} points loses to every player with {most} or fewer; "
        over += "players with more are equal."
        return f"{values}. {over}"


def _named(value: int, ranks: str) -> str:
    """Return the name of a pattern in words.

    >>> _named(pack_class(PAIR, 12, 1), RANK_LETTERS), _named(pack_class(STRAIGHT, 4, 1), RANK_LETTERS)
    ('a pair of kings', 'a straight to the five')
    """
    kind = value >> (DIGIT * DIGITS)
    digits = [(value >> (DIGIT * place)) % (1 << DIGIT) for place in range(DIGITS - 1, -1, -1)]
    first, second = [RANK_NAMES[ranks[digit - 1]] if digit else "nothing" for digit in digits[:2]]
    return {
        HIGH: f"{first} high",
        PAIR: f"a pair of {plural(first)}",
        TWO_PAIR: f"{plural(first)} and {plural(second)}",
        THREE: f"three {plural(first)}",
        STRAIGHT: f"a straight to the {first}",
        FLUSH: f"a flush, {first} high",
        FULL_HOUSE: f"{plural(first)} full of {plural(second)}",
        FOUR: f"four {plural(first)}",
        STRAIGHT_FLUSH: f"a straight flush to the {first}",
    }[kind]


def _most_cards(genome: Genome) -> int:
    """Return the number of cards in a hand with the community cards. Numbers above 6 count as 6."""
    turned = turned_up(genome)
    grows = any(traits.grows for traits in genome.traits)
    grows = grows or (turned > 0 and genome.turn_structure.rounds != 1)
    return DIGITS + 1 if grows else min(DIGITS + 1, genome.setup.cards_per_player + turned)


def _patterns(genome: Genome) -> str:
    deck, size = genome.setup.deck, _most_cards(genome)
    suits, ranks = len(deck.suits), len(deck.ranks)
    long = size >= DIGITS and ranks >= DIGITS
    row = "five in a row" if deck.ranks in RANK_LETTERS else "five that follow each other in the order of ranks above"
    patterns = {
        f"a straight flush ({row}, all of one suit)": long,
        "four of a kind": size >= 4 and suits >= 4,
        "a full house (three of one rank and two of another)": size >= DIGITS and suits >= 3 and ranks >= 2,
        "a flush (five of one suit)": long,
        f"a straight ({row})": long,
        "three of a kind": size >= 3 and suits >= 3,
        "two pairs": size >= 4 and suits >= 2 and ranks >= 2,
        "a pair (two of one rank)": size >= 2 and suits >= 2,
    }
    text = _ladder([name for name, possible in patterns.items() if possible])
    if hands_differ(genome):
        text += " If one hand runs out of cards to compare, the other is better."
    if long and ranks == len(RANK_LETTERS) and deck.ranks[-1] == "A":
        text += f" In a straight, an ace can also come below {a(RANK_NAMES[deck.ranks[0]])}."
    if size > DIGITS:
        text += f" Only the best five of your cards{' and those in the middle' if turned_up(genome) else ''} count."
    return text


def _ladder(names: list[str]) -> str:
    if not names:
        return "The highest card decides, then the next highest, and so on; suits do not matter."
    if len(names) == 1:
        text = f"{capital(names[0])} beats a hand without one."
    else:
        text = f"From best to worst, the hands are: {', '.join(names)}, and last any other hand."
    return (
        text + " Of two hands of the same kind, the one with the higher rank wins. If these ranks are equal, the "
        "highest other card decides, then the next highest, and so on. Suits never decide."
    )


# --- in play


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """Return the value of the pattern, or the points."""
    if g.best_hand_ranking[win] == BY_PATTERN:
        return pattern(g, s, p)
    return points(g, s, p, g.best_hand_bust[win])


def went_over(g: Any, s: Any, win: int, p: int) -> bool:
    """Return whether p has more points than the limit."""
    return bool(g.best_hand_ranking[win] == BY_POINTS and points(g, s, p, g.best_hand_bust[win]) == BUST)


def limited(g: Any, win: int) -> bool:
    """Return whether points are counted."""
    return bool(g.best_hand_ranking[win] == BY_POINTS)


def points(g: Any, s: Any, p: int, bust: int) -> int:
    """Return the points of the hand and the community cards, or BUST if the points are over the limit."""
    total = 0
    soft = 0
    for k in range(s.held[p] + s.shared):
        card = s.hands[p * MOST_CARDS + k] if k < s.held[p] else s.community[k - s.held[p]]
        rank = card // g.suits
        total += g.pips[rank]
        if rank == g.soft:
            soft += 1
    while soft > 0 and 0 < bust < total:
        total -= 10
        soft -= 1
    return BUST if 0 < bust < total else total


def pattern(g: Any, s: Any, p: int) -> int:
    """Return the value of the best poker pattern: its class and up to five ranks that decide between equal classes."""
    count_ranks(g, s, p, s.shared)
    present, flush, top = 0, 0, -1
    for suit in range(g.suits):
        present |= s.masks[suit]
        if count_bits(s.masks[suit]) >= DIGITS:
            flush = max(flush, s.masks[suit])
            top = max(top, straight_top(g, s.masks[suit]))
    if top >= 0:
        return pack_class(STRAIGHT_FLUSH, top + 1, 1)
    first, second, size, next_size = multiples(g, s)
    if size >= 4:
        return with_kickers(g, s, pack_class(FOUR, first + 1, 1), first, -1, 1)
    if size == 3 and next_size >= 2:
        return pack_class(FULL_HOUSE, first + 1, 1) + ((second + 1) << (DIGIT * (DIGITS - 2)))
    if flush:
        return FLUSH << (DIGIT * DIGITS) | highest(g, flush, DIGITS)
    top = straight_top(g, present)
    if top >= 0:
        return pack_class(STRAIGHT, top + 1, 1)
    if size == 3:
        return with_kickers(g, s, pack_class(THREE, first + 1, 1), first, -1, 2)
    if size == 2 and next_size == 2:
        two = pack_class(TWO_PAIR, first + 1, 1) + ((second + 1) << (DIGIT * (DIGITS - 2)))
        return with_kickers(g, s, two, first, second, 1)
    if size == 2:
        return with_kickers(g, s, pack_class(PAIR, first + 1, 1), first, -1, 3)
    return highest(g, present, DIGITS)


def pack_class(kind: int, rank: int, place: int) -> int:
    """Return a value that begins with the class. Five digits follow; digit number `place` is the rank."""
    return kind << (DIGIT * DIGITS) | rank << (DIGIT * (DIGITS - place))


def multiples(g: Any, s: Any) -> tuple[int, int, int, int]:
    """Return the most frequent rank, the second most frequent rank, and the number of cards of each.

    Of two ranks with the same number of cards, the higher is first.
    """
    first, second, size, next_size = -1, -1, 0, 0
    for rank in range(g.ranks - 1, -1, -1):
        count = s.tally[rank]
        if count > size:
            second, next_size = first, size
            first, size = rank, count
        elif count > next_size:
            second, next_size = rank, count
    return first, second, size, next_size


def with_kickers(g: Any, s: Any, made: int, first: int, second: int, kickers: int) -> int:
    """Add the highest other ranks to a pattern."""
    place = kickers
    for rank in range(g.ranks - 1, -1, -1):
        if place > 0 and s.tally[rank] > 0 and rank != first and rank != second:
            place -= 1
            made |= (rank + 1) << (DIGIT * place)
    return made


def highest(g: Any, present: int, count: int) -> int:
    """Return the highest ranks that are present, packed into one number."""
    digits, place = 0, count
    for rank in range(g.ranks - 1, -1, -1):
        if place > 0 and (present >> rank) & 1:
            place -= 1
            digits |= (rank + 1) << (DIGIT * place)
    return digits


def straight_top(g: Any, present: int) -> int:
    """Return the top rank of the best straight, or -1. An ace is also low if the deck has all 13 ranks."""
    best = -1
    length = 1 if g.soft == codes.RANKS - 1 and (present >> g.soft) & 1 else 0
    for rank in range(g.ranks):
        length = length + 1 if (present >> rank) & 1 else 0
        if length >= STRAIGHT_LENGTH:
            best = rank
    return best


def count_bits(mask: int) -> int:
    """Return the number of bits that are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
