"""All boards still to come for known hands of any board game, without dealing every one, written to be compiled.

Where nobody has a flush only the ranks of a board matter: what everybody's hand is worth is worked out once for each of
up to 6,175 spreads of ranks, and written down under the spread's place in the tables. Boards on which somebody has five
of a suit are then gone through again, the cards of that suit one by one and the others by their ranks, looking up what
was written down, and the count is put right. So two hands of Omaha take milliseconds instead of a million boards.
"""

from typing import Any, NamedTuple

from pitboss.fast import ranking
from pitboss.fast.equity import enumeration, judging
from pitboss.fast.equity.enumeration import BOARD, FLUSH, RANKS, SUITS
from pitboss.fast.equity.judging import ANY_FIVE, FROM_TWO, LOW_FROM_TWO
from pitboss.ranks.layout import FROM_BOARD, FROM_HOLE, HIGH_SHIFT, LOW_MASK

LOW_RANKS = 7
"""So many ranks stand in the low field of a key."""
MOST_HOLE = 6
MOST_PAIRS = MOST_HOLE * (MOST_HOLE - 1) // 2


class BoardSpace(NamedTuple):
    """What such a count is worked out on."""

    left: Any  #: by suit, the ranks left as bits
    suits: Any  #: by rank, how many are left
    board: Any  #: five cards, by their ranks alone
    first_written: Any  #: strengths by player and by the place of a board's ranks
    second_written: Any
    masks: Any  #: by player and suit, the ranks of the hand as bits
    pairs: Any  #: by player, the keys of two hole cards, added up
    low_pairs: Any  #: by player, the low ranks of two hole cards as bits
    pair_counts: Any  #: by player, of how many pairs that differ
    firsts: Any  #: by player, strengths on one board
    seconds: Any
    first_flushes: Any  #: by player
    second_flushes: Any
    spreads: Any
    subsets: Any


def count_boards(judges: Any, hole: int, known: Any, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Count deal after deal, each so many times; a deal is everybody's hole cards in turn."""
    first, second = judges[0], judges[1]
    for i in range(len(deals)):
        count_board(first, second, hole, known, deals[i], times[i], space, counts)


def count_board(first: Any, second: Any, hole: int, known: Any, deal: Any, times: int, space: Any, counts: Any) -> None:
    """Count all boards as if there were no flushes, then put right those with one."""
    n, places = len(deal) // hole, len(first.hands)
    set_up(first, hole, known, deal, n, space)
    begin, end = enumeration.spread(first, space.suits, known.to_come, space.spreads)
    for i in range(begin, end):
        total = known.total + space.spreads.totals[i]
        place = ranking.place(first, total, 0)
        read_board(total, space.board)
        for p in range(n):
            space.firsts[p] = by_ranks(first, hole, deal, p, space)
            space.seconds[p] = by_ranks(second, hole, deal, p, space)
            space.first_written[places * p + place] = space.firsts[p]
            space.second_written[places * p + place] = space.seconds[p]
        judging.score(n, space.firsts, space.seconds, times * space.spreads.ways[i], 0, counts)
    for suit in range(SUITS):
        fewest = fewest_drawn(first, second, n, suit, known, space)
        if fewest <= known.to_come:
            count_flushes(first, second, n, suit, fewest, known, times, space, counts)


def set_up(first: Any, hole: int, known: Any, deal: Any, n: int, space: Any) -> None:
    """Take everybody's cards out of the deck, and list the pairs of hole cards that differ by their ranks."""
    for suit in range(SUITS):
        space.left[suit] = known.left[suit]
    for rank in range(RANKS):
        space.suits[rank] = known.suits[rank]
    for p in range(n):
        for suit in range(SUITS):
            space.masks[p][suit] = 0
        for k in range(hole):
            card = deal[hole * p + k]
            suit, rank = card % SUITS, card // SUITS
            space.masks[p][suit] |= 1 << rank
            space.left[suit] -= 1 << rank
            space.suits[rank] -= 1
        space.pair_counts[p] = list_pairs(first, hole, deal, p, space)


def list_pairs(first: Any, hole: int, deal: Any, p: int, space: Any) -> int:
    """List the pairs of a player's hole cards that differ by their ranks, and return how many there are."""
    keys, lows, pairs, count = first.keys, first.low_ranks, space.pairs[p], 0
    for a in range(hole - 1):
        for b in range(a + 1, hole):
            one, other = deal[hole * p + a], deal[hole * p + b]
            total = keys[SUITS * (one // SUITS)] + keys[SUITS * (other // SUITS)]
            known = False
            for k in range(count):
                if pairs[k] == total:
                    known = True
            if not known:
                pairs[count] = total
                space.low_pairs[p][count] = lows[one] | lows[other]
                count += 1
    return count


def read_board(total: int, board: Any) -> None:
    """Write a card of every rank that the keys of a board were added up from."""
    low, high, filled = total & LOW_MASK, total >> HIGH_SHIFT, 0
    for rank in range(RANKS):
        if rank < LOW_RANKS:
            low, count = low // 5, low % 5
        else:
            high, count = high // 5, high % 5
        for _ in range(count):
            board[filled] = SUITS * rank
            filled += 1


# --- by the ranks alone


def by_ranks(judge: Any, hole: int, deal: Any, p: int, space: Any) -> int:
    """What a player has on a board where nobody has a flush."""
    if judge.kind == FROM_TWO:
        return two_and_three(judge, p, space)
    if judge.kind == LOW_FROM_TWO:
        return low_two_and_three(judge, p, space)
    if judge.kind == ANY_FIVE:
        total = 0
        for k in range(hole):
            total += judge.keys[deal[hole * p + k]]
        for card in space.board:
            total += judge.keys[card]
        return int(ranking.mixed(judge, total))
    if judge.kind == judging.LOW:
        low = 0
        for k in range(hole):
            low |= judge.low_ranks[deal[hole * p + k]]
        for card in space.board:
            low |= judge.low_ranks[card]
        return int(judge.lows[low])
    return 0


def two_and_three(ranks: Any, p: int, space: Any) -> int:
    """The best of two hole cards and three of the board."""
    board, keys, pairs, count, best = space.board, ranks.keys, space.pairs[p], space.pair_counts[p], 0
    for c in range(BOARD - 2):
        if c > 0 and board[c] == board[c - 1]:
            continue  # the same ranks as before
        for d in range(c + 1, BOARD - 1):
            if d > c + 1 and board[d] == board[d - 1]:
                continue
            for e in range(d + 1, BOARD):
                if e > d + 1 and board[e] == board[e - 1]:
                    continue
                three = keys[board[c]] + keys[board[d]] + keys[board[e]]
                for k in range(count):
                    best = max(best, int(ranking.mixed(ranks, pairs[k] + three)))
    return best


def low_two_and_three(lows: Any, p: int, space: Any) -> int:
    """The best low of two hole cards and three of the board."""
    board, pairs, count, best = space.board, space.low_pairs[p], space.pair_counts[p], 0
    for c in range(BOARD - 2):
        for d in range(c + 1, BOARD - 1):
            for e in range(d + 1, BOARD):
                three = lows.low_ranks[board[c]] | lows.low_ranks[board[d]] | lows.low_ranks[board[e]]
                for k in range(count):
                    best = max(best, int(lows.lows[pairs[k] | three]))
    return best


# --- flushes


def fewest_drawn(first: Any, second: Any, n: int, suit: int, known: Any, space: Any) -> int:
    """With how many more cards of a suit somebody has a flush; more than there are where nobody can."""
    fewest = BOARD + 1
    for judge in (first, second):
        if judge.suited:
            for p in range(n):
                held = count_bits(space.masks[p][suit])
                if judge.kind == FROM_TWO:
                    need = FROM_BOARD if held >= FROM_HOLE else BOARD + 1 + FLUSH
                else:
                    need = FLUSH - held
                fewest = min(fewest, max(0, need - known.held[suit]))
    return fewest


def count_flushes(
    first: Any, second: Any, n: int, suit: int, fewest: int, known: Any, times: int, space: Any, counts: Any
) -> None:
    """Put right the boards that bring at least so many cards of a suit."""
    for rank in range(RANKS):
        space.suits[rank] -= (space.left[suit] >> rank) & 1
    for drawn in range(fewest, known.to_come + 1):
        begin, end = enumeration.spread(first, space.suits, known.to_come - drawn, space.spreads)
        begun, ended = enumeration.subsets(first, space.left[suit], drawn, space.subsets)
        for i in range(begun, ended):
            suited = known.masks[suit] | space.subsets.masks[i]
            if write_flushes(first, second, n, suit, suited, space):
                total = known.total + space.subsets.totals[i]
                count_in_suit(first, n, begin, end, total, times, space, counts)
    for rank in range(RANKS):
        space.suits[rank] += (space.left[suit] >> rank) & 1


def count_in_suit(first: Any, n: int, begin: int, end: int, total: int, times: int, space: Any, counts: Any) -> None:
    """Take back the listed spreads beside the cards of a suit, and count them as they are."""
    firsts, seconds, places = space.firsts, space.seconds, len(first.hands)
    for j in range(begin, end):
        place = ranking.place(first, total + space.spreads.totals[j], 0)
        for p in range(n):
            firsts[p] = space.first_written[places * p + place]
            seconds[p] = space.second_written[places * p + place]
        judging.score(n, firsts, seconds, -times * space.spreads.ways[j], 0, counts)
        for p in range(n):
            firsts[p] = max(firsts[p], space.first_flushes[p])
            seconds[p] = max(seconds[p], space.second_flushes[p])
        judging.score(n, firsts, seconds, times * space.spreads.ways[j], 0, counts)


def write_flushes(first: Any, second: Any, n: int, suit: int, suited: int, space: Any) -> bool:
    """Write everybody's flush where the board has these cards of a suit, and say whether anybody has one."""
    found = False
    for p in range(n):
        space.first_flushes[p] = flush(first, space.masks[p][suit], suited)
        space.second_flushes[p] = flush(second, space.masks[p][suit], suited)
        if space.first_flushes[p] or space.second_flushes[p]:
            found = True
    return found


def flush(judge: Any, held: int, suited: int) -> int:
    """The best flush of a hand's and a board's cards of one suit, or 0."""
    if not judge.suited:
        return 0
    if judge.kind != FROM_TWO:
        return int(judge.flushes[held | suited])
    if count_bits(held) < FROM_HOLE or count_bits(suited) < FROM_BOARD:
        return 0
    best = 0
    for a in range(RANKS - 1):
        if held >> a & 1:
            for b in range(a + 1, RANKS):
                if held >> b & 1:
                    best = max(best, best_suited_three(judge, 1 << a | 1 << b, suited))
    return best


def best_suited_three(ranks: Any, two: int, suited: int) -> int:
    """The best flush of two cards with three of a board's."""
    best = 0
    for a in range(RANKS - 2):
        if suited >> a & 1:
            for b in range(a + 1, RANKS - 1):
                if suited >> b & 1:
                    for c in range(b + 1, RANKS):
                        if suited >> c & 1:
                            best = max(best, int(ranks.flushes[two | 1 << a | 1 << b | 1 << c]))
    return best


def count_bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
