"""Who wins how often over all boards still to come, counted without dealing every board, written to be compiled.

Where nobody has a flush only the ranks of a board matter, so boards with the same ranks are counted at once: before the
flop 6,175 spreads of ranks instead of some two million boards. Boards with which somebody has five of a suit are then
gone through again, the cards of that suit one by one and the others by their ranks, and the count is put right.
The functions are plain: they run as they are on lists and, compiled, on arrays. A card is its number in `cards.DECK`.
"""

from typing import Any, NamedTuple

from pitboss.fast import ranking

SUITS, RANKS, BOARD, FLUSH = 4, 13, 5, 5
MOST_PLAYERS = 10
MOST_SPREADS = 1 + 13 + 91 + 455 + 1820 + 6175  # up to five cards without their suits
MOST_SUBSETS = 1 + 13 + 78 + 286 + 715 + 1287  # up to five cards of one suit


class KnownCards(NamedTuple):
    """What lies open, and what is left of the deck beside it and the dead cards."""

    to_come: int
    total: int  #: the keys of the board, added up
    masks: Any  #: by suit, the board's ranks as bits
    held: Any  #: by suit, how many the board has
    left: Any  #: by suit, the ranks left as bits
    suits: Any  #: by rank, how many are left


class Spreads(NamedTuple):
    """A list of cards without suits: their keys, in how many ways they come, their highest rank and its number."""

    totals: Any
    ways: Any
    tops: Any
    runs: Any


class Subsets(NamedTuple):
    """A list of cards of one suit: their keys, their ranks as bits, and the rank above their highest."""

    totals: Any
    masks: Any
    nexts: Any


class CountingSpace(NamedTuple):
    """What a count is worked out on."""

    totals: Any  #: by player, the keys of hand and board
    masks: Any  #: by player and suit, the ranks of hand and board as bits
    left: Any  #: as the known cards', without the players' cards
    suits: Any
    most: Any  #: by suit, the most that anybody has
    strengths: Any  #: by player, the two of a board
    flushes: Any
    spreads: Spreads
    subsets: Subsets


def count_deals(ranks: Any, known: Any, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Count deal after deal, each so many times.

    A deal is everybody's two cards in turn. With n players, `counts[n * p + k]` says on how many boards player p wins
    together with k others.
    """
    for i in range(len(deals)):
        count_deal(ranks, known, deals[i], times[i], space, counts)


def count_deal(ranks: Any, known: Any, deal: Any, times: int, space: Any, counts: Any) -> None:
    """Count all boards as if there were no flushes, then put right those with one."""
    n = len(deal) // 2
    set_up(ranks, known, deal, n, space)
    begin, end = spread(ranks, space.suits, known.to_come, space.spreads)
    if n == 2:
        duel(ranks, begin, end, times, space, counts)
    else:
        contest(ranks, n, begin, end, times, space, counts)
    for suit in range(SUITS):
        fewest = FLUSH - space.most[suit]
        if fewest <= known.to_come:
            alike = same_suits(space, n, suit)
            if alike:
                count_flushes(ranks, known, n, suit, fewest, times * alike, space, counts)


def set_up(ranks: Any, known: Any, deal: Any, n: int, space: Any) -> None:
    """Take everybody's cards out of the deck, and join them with the board."""
    for suit in range(SUITS):
        space.left[suit], space.most[suit] = known.left[suit], known.held[suit]
    for rank in range(RANKS):
        space.suits[rank] = known.suits[rank]
    for p in range(n):
        a, b = deal[2 * p], deal[2 * p + 1]
        space.totals[p] = known.total + ranks.keys[a] + ranks.keys[b]
        for suit in range(SUITS):
            space.masks[p][suit] = known.masks[suit]
        for card in (a, b):
            suit, rank = card % SUITS, card // SUITS
            space.masks[p][suit] |= 1 << rank
            space.left[suit] -= 1 << rank
            space.suits[rank] -= 1
            held = known.held[suit] + (2 if a % SUITS == b % SUITS else 1)
            if held > space.most[suit]:
                space.most[suit] = held


def same_suits(space: Any, n: int, suit: int) -> int:
    """How many suits are to everybody as this one is; 0 if one before it is."""
    alike = 1
    for other in range(SUITS):
        if other != suit and space.left[other] == space.left[suit]:
            same = True
            for p in range(n):
                if space.masks[p][other] != space.masks[p][suit]:
                    same = False
            if same and other < suit:
                return 0
            if same:
                alike += 1
    return alike


def count_flushes(ranks: Any, known: Any, n: int, suit: int, fewest: int, times: int, space: Any, counts: Any) -> None:
    """Put right the boards that bring at least so many cards of a suit."""
    for rank in range(RANKS):
        space.suits[rank] -= (space.left[suit] >> rank) & 1
    for drawn in range(max(0, fewest), known.to_come + 1):
        begin, end = spread(ranks, space.suits, known.to_come - drawn, space.spreads)
        first, last = subsets(ranks, space.left[suit], drawn, space.subsets)
        if n == 2:
            duel_in_suit(ranks, suit, first, last, begin, end, times, space, counts)
        else:
            contest_in_suit(ranks, n, suit, first, last, begin, end, times, space, counts)
    for rank in range(RANKS):
        space.suits[rank] += (space.left[suit] >> rank) & 1


# --- any number of players


def contest(ranks: Any, n: int, begin: int, end: int, times: int, space: Any, counts: Any) -> None:
    """Count the listed spreads as if there were no flushes."""
    totals, ways, own, strengths = space.spreads.totals, space.spreads.ways, space.totals, space.strengths
    for i in range(begin, end):
        for p in range(n):
            strengths[p] = ranking.mixed(ranks, own[p] + totals[i])
        score(strengths, n, times * ways[i], counts)


def contest_in_suit(
    ranks: Any, n: int, suit: int, first: int, last: int, begin: int, end: int, times: int, space: Any, counts: Any
) -> None:
    """Take back the listed subsets of a suit with the listed spreads, and count them as they are."""
    totals, ways, own, strengths, flushes = (
        space.spreads.totals,
        space.spreads.ways,
        space.totals,
        space.strengths,
        space.flushes,
    )
    for i in range(first, last):
        for p in range(n):
            flushes[p] = ranks.flushes[space.masks[p][suit] | space.subsets.masks[i]]
        suited = space.subsets.totals[i]
        for j in range(begin, end):
            total = suited + totals[j]
            for p in range(n):
                strengths[p] = ranking.mixed(ranks, own[p] + total)
            score(strengths, n, -times * ways[j], counts)
            for p in range(n):
                if flushes[p]:
                    strengths[p] = flushes[p]
            score(strengths, n, times * ways[j], counts)


def score(strengths: Any, n: int, ways: int, counts: Any) -> None:
    """Count who wins, and with how many others."""
    best, others = 0, 0
    for p in range(n):
        if strengths[p] > best:
            best, others = strengths[p], 0
        elif strengths[p] == best:
            others += 1
    for p in range(n):
        if strengths[p] == best:
            counts[n * p + others] += ways


# --- two players: the same without a list of strengths, four times as fast


def duel(ranks: Any, begin: int, end: int, times: int, space: Any, counts: Any) -> None:
    """As `contest`."""
    totals, ways = space.spreads.totals, space.spreads.ways
    a, b = space.totals[0], space.totals[1]
    won, lost, tied = 0, 0, 0
    for i in range(begin, end):
        x, y = ranking.mixed(ranks, a + totals[i]), ranking.mixed(ranks, b + totals[i])
        if x > y:
            won += ways[i]
        elif x < y:
            lost += ways[i]
        else:
            tied += ways[i]
    score_duel(won, lost, tied, times, counts)


def duel_in_suit(
    ranks: Any, suit: int, first: int, last: int, begin: int, end: int, times: int, space: Any, counts: Any
) -> None:
    """As `contest_in_suit`."""
    totals, ways, masks, flushes = space.spreads.totals, space.spreads.ways, space.subsets.masks, ranks.flushes
    mask_a, mask_b = space.masks[0][suit], space.masks[1][suit]
    won, lost, tied = 0, 0, 0
    for i in range(first, last):
        a, b = space.totals[0] + space.subsets.totals[i], space.totals[1] + space.subsets.totals[i]
        flush_a, flush_b = flushes[mask_a | masks[i]], flushes[mask_b | masks[i]]
        for j in range(begin, end):
            x, y = ranking.mixed(ranks, a + totals[j]), ranking.mixed(ranks, b + totals[j])
            if x > y:
                won -= ways[j]
            elif x < y:
                lost -= ways[j]
            else:
                tied -= ways[j]
            if flush_a:
                x = flush_a
            if flush_b:
                y = flush_b
            if x > y:
                won += ways[j]
            elif x < y:
                lost += ways[j]
            else:
                tied += ways[j]
    score_duel(won, lost, tied, times, counts)


def score_duel(won: int, lost: int, tied: int, times: int, counts: Any) -> None:
    """Count what two players won and lost and shared."""
    counts[0] += times * won
    counts[1] += times * tied
    counts[2] += times * lost
    counts[3] += times * tied


# --- the cards to come


def spread(ranks: Any, suits: Any, count: int, spreads: Any) -> tuple[int, int]:
    """List all so many cards without their suits, and say where the list begins and ends.

    It is made of the list with a card less, which stands before it: every entry goes on from its highest rank.
    """
    totals, ways, tops, runs = spreads.totals, spreads.ways, spreads.tops, spreads.runs
    totals[0], ways[0], tops[0], runs[0] = 0, 1, 0, 0
    begin, end = 0, 1
    for _ in range(count):
        filled = end
        for i in range(begin, end):
            run = runs[i] + 1
            for rank in range(tops[i], RANKS):
                if run <= suits[rank]:
                    more = ways[i] * (suits[rank] - run + 1)
                    ways[filled] = more if run == 1 else more // run  # dividing is slow, and seldom needed
                    totals[filled] = totals[i] + ranks.keys[SUITS * rank]
                    tops[filled], runs[filled] = rank, run
                    filled += 1
                run = 1
        begin, end = end, filled
    return begin, end


def subsets(ranks: Any, left: int, count: int, listed: Any) -> tuple[int, int]:
    """List all so many of a suit's cards, and say where the list begins and ends; it is made as by `spread`."""
    totals, masks, nexts = listed.totals, listed.masks, listed.nexts
    totals[0], masks[0], nexts[0] = 0, 0, 0
    begin, end = 0, 1
    for _ in range(count):
        filled = end
        for i in range(begin, end):
            for rank in range(nexts[i], RANKS):
                if (left >> rank) & 1:
                    totals[filled], masks[filled] = totals[i] + ranks.keys[SUITS * rank], masks[i] | (1 << rank)
                    nexts[filled] = rank + 1
                    filled += 1
        begin, end = end, filled
    return begin, end
