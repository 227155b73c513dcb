"""What a holding is worth under each win condition, written to be compiled: greater wins, equal shares."""

from typing import Any

from pitboss.lab.engine import codes
from pitboss.lab.engine.codes import MOST_CARDS

(HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH) = range(9)
DIGITS, DIGIT = 5, 4  # a pattern's class stands above five ranks, the one that counts most first
STRAIGHT_LENGTH, RUN_LENGTH, SET_SIZE = 5, 3, 3
MOST_WAYS = 200
BUST = -1


def worth(g: Any, s: Any, win: int, p: int) -> int:
    """The value of p's position under the win condition of this number in the genome's list."""
    kind = g.win[win]
    if kind == codes.BEST_HAND:
        return pattern(g, s, p)
    if kind == codes.BEST_POINTS:
        return points(g, s, p, g.win_argument[win])
    if kind == codes.HIGH_CARD:
        return high_card(g, s, p)
    if kind == codes.EMPTY_HAND:
        return -int(s.held[p])
    if kind == codes.CAPTURE_ALL:
        return int(s.held[p] + s.won[p])
    if kind == codes.MOST_TRICKS:
        return int(s.tricks[p])
    if kind == codes.LEAST_DEADWOOD:
        return -deadwood(g, s, p)
    return -int(s.score[p]) if kind == codes.LOW_SCORE else int(s.score[p])


def high_card(g: Any, s: Any, p: int) -> int:
    """The highest rank held."""
    best = -1
    for k in range(s.held[p]):
        best = max(best, s.hands[p * MOST_CARDS + k] // g.suits)
    return best


def points(g: Any, s: Any, p: int, bust: int) -> int:
    """The points in hand and community; over the limit, less than any."""
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


def count_ranks(g: Any, s: Any, p: int, shared: int) -> None:
    """Write how often each rank occurs among p's cards and so many community cards, and each suit's ranks as bits."""
    for rank in range(codes.RANKS):
        s.tally[rank] = 0
    for suit in range(codes.SUITS):
        s.masks[suit] = 0
    for k in range(s.held[p] + shared):
        card = s.hands[p * MOST_CARDS + k] if k < s.held[p] else s.community[k - s.held[p]]
        rank = card // g.suits
        s.tally[rank] += 1
        s.masks[card - rank * g.suits] |= 1 << rank


def pattern(g: Any, s: Any, p: int) -> int:
    """The best poker pattern of any number of cards: its class, then the ranks that decide, up to five."""
    count_ranks(g, s, p, s.shared)
    present, flush, top = 0, 0, -1
    for suit in range(g.suits):
        present |= s.masks[suit]
        if bits(s.masks[suit]) >= DIGITS:
            flush = max(flush, s.masks[suit])
            top = max(top, straight_top(g, s.masks[suit]))
    if top >= 0:
        return packed(STRAIGHT_FLUSH, top + 1, 1)
    first, second, size, next_size = multiples(g, s)
    if size >= 4:
        return with_kickers(g, s, packed(FOUR, first + 1, 1), first, -1, 1)
    if size == 3 and next_size >= 2:
        return packed(FULL_HOUSE, first + 1, 1) + ((second + 1) << (DIGIT * (DIGITS - 2)))
    if flush:
        return FLUSH << (DIGIT * DIGITS) | highest(g, flush, DIGITS)
    top = straight_top(g, present)
    if top >= 0:
        return packed(STRAIGHT, top + 1, 1)
    if size == 3:
        return with_kickers(g, s, packed(THREE, first + 1, 1), first, -1, 2)
    if size == 2 and next_size == 2:
        two = packed(TWO_PAIR, first + 1, 1) + ((second + 1) << (DIGIT * (DIGITS - 2)))
        return with_kickers(g, s, two, first, second, 1)
    if size == 2:
        return with_kickers(g, s, packed(PAIR, first + 1, 1), first, -1, 3)
    return highest(g, present, DIGITS)


def packed(kind: int, rank: int, place: int) -> int:
    """A class with a rank in one of its five places."""
    return kind << (DIGIT * DIGITS) | rank << (DIGIT * (DIGITS - place))


def multiples(g: Any, s: Any) -> tuple[int, int, int, int]:
    """The rank there is most of and the next, the higher where they are equal, and how many there are of both."""
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
    """A pattern with the highest other ranks in its last places."""
    place = kickers
    for rank in range(g.ranks - 1, -1, -1):
        if place > 0 and s.tally[rank] > 0 and rank != first and rank != second:
            place -= 1
            made |= (rank + 1) << (DIGIT * place)
    return made


def highest(g: Any, present: int, count: int) -> int:
    """The highest of the ranks that are there, as digits."""
    digits, place = 0, count
    for rank in range(g.ranks - 1, -1, -1):
        if place > 0 and (present >> rank) & 1:
            place -= 1
            digits |= (rank + 1) << (DIGIT * place)
    return digits


def straight_top(g: Any, present: int) -> int:
    """The top rank of the highest five in a row, or -1; where all ranks are there an ace on top also counts below."""
    best = -1
    length = 1 if g.soft == codes.RANKS - 1 and (present >> g.soft) & 1 else 0
    for rank in range(g.ranks):
        length = length + 1 if (present >> rank) & 1 else 0
        if length >= STRAIGHT_LENGTH:
            best = rank
    return best


def bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


# --- sets and runs


def deadwood(g: Any, s: Any, p: int) -> int:
    """The points outside sets and runs of three or more, laid out in the best way.

    Every rank of three or more is laid as a set or not; of four, also any three. The rest is laid in runs.
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
    """In how many ways so many cards of a rank can be laid as a set, not at all among them."""
    return 2 if count == SET_SIZE else 6


def lay_sets(g: Any, s: Any, way: int) -> None:
    """Take the sets out of the masks that this number names, rank by rank."""
    for rank in range(g.ranks):
        if s.tally[rank] < SET_SIZE or way == 0:
            continue
        ways = ways_of(s.tally[rank])
        how = way % ways  # 0: no set; 1: all of them; else all but one
        way //= ways
        seen = 0
        for suit in range(g.suits):
            if (s.masks[suit] >> rank) & 1:
                seen += 1
                if how == 1 or (how > 1 and seen != how - 1):
                    s.masks[suit] &= ~(1 << rank)


def unmatched(g: Any, s: Any) -> int:
    """Lay all runs of three or more in a suit, and count the points that are left."""
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
