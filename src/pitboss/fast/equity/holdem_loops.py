"""Count or draw the deals and boards of hold'em; written to be compiled.

Without a flush only the ranks of a board matter, so boards with the same ranks are counted together: before the flop
6,175 spreads (a spread is a set of board ranks) instead of about two million boards. The counts are then corrected for
the boards on which a player has a flush. For these boards the cards of the flush suit are listed one by one, and the
other cards by their ranks.

The combos of all players are in long lists, and a range is a slice of them. For each combo the lists have two cards
and, for drawing, the running sum of the weights. If a card appears twice in a drawn deal, all hands are drawn again,
because drawing only the last hand again would favour some deals. The functions run as plain Python on lists and,
compiled, on arrays. A card is its number in `cards.DECK`.
"""

from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast import lookup

SUITS, RANKS, BOARD, FLUSH = 4, 13, 5, 5
MOST_PLAYERS = 10
MOST_SPREADS = 1 + 13 + 91 + 455 + 1820 + 6175  # up to five cards without their suits
MOST_SUBSETS = 1 + 13 + 78 + 286 + 715 + 1287  # up to five cards of one suit


class KnownCards(NamedTuple):
    """The known cards, and what is left of the deck."""

    to_come: int
    total: int  #: the sum of the board's keys
    masks: Any  #: by suit, a bit for each rank on the board
    held: Any  #: by suit, the number of cards on the board
    left: Any  #: by suit, a bit for each rank that is left
    suits: Any  #: by rank, the number of cards that are left


class Spreads(NamedTuple):
    """A list of sets of cards without suits: their keys, their number of ways, their highest rank and its count."""

    totals: Any
    ways: Any
    tops: Any
    runs: Any


class Subsets(NamedTuple):
    """A list of sets of cards of one suit: their keys, their ranks as bits, and the rank above their highest."""

    totals: Any
    masks: Any
    nexts: Any


class CountingSpace(NamedTuple):
    """The working memory of a count."""

    totals: Any  #: by player, the keys of hand and board
    masks: Any  #: by player and suit, a bit for each rank in hand and board
    left: Any  #: as in `KnownCards`, without the players' cards
    suits: Any
    most: Any  #: by suit, the most cards that a player has
    strengths: Any  #: by player, strengths on one board; the next field has the strengths of flushes
    flushes: Any
    spreads: Spreads
    subsets: Subsets


def count_deals(ranks: Any, known: Any, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Count deal i `times[i]` times. A deal is the two cards of all players in turn.

    With n players, `counts[n * p + k]` is the number of boards on which player p wins together with k others.
    """
    for i in range(len(deals)):
        count_deal(ranks, known, deals[i], times[i], space, counts)


def count_deal(ranks: Any, known: Any, deal: Any, times: int, space: Any, counts: Any) -> None:
    """Count all boards as if there were no flushes, then correct the boards with one."""
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
    """Remove the players' cards from the deck, and combine the cards of each player with the board."""
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
    """Return the number of suits that are the same as this suit for all players; 0 if an earlier suit is the same."""
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
    """Correct the boards on which at least `fewest` cards of a suit are still to come."""
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
            strengths[p] = lookup.mixed(ranks, own[p] + totals[i])
        score(strengths, n, times * ways[i], counts)


def contest_in_suit(
    ranks: Any, n: int, suit: int, first: int, last: int, begin: int, end: int, times: int, space: Any, counts: Any
) -> None:
    """For boards with these cards of a suit, subtract the counts without flushes, and add those with flushes."""
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
                strengths[p] = lookup.mixed(ranks, own[p] + total)
            score(strengths, n, -times * ways[j], counts)
            for p in range(n):
                if flushes[p]:
                    strengths[p] = flushes[p]
            score(strengths, n, times * ways[j], counts)


def score(strengths: Any, n: int, ways: int, counts: Any) -> None:
    """Count the winners by their number of other winners."""
    best, others = 0, 0
    for p in range(n):
        if strengths[p] > best:
            best, others = strengths[p], 0
        elif strengths[p] == best:
            others += 1
    for p in range(n):
        if strengths[p] == best:
            counts[n * p + others] += ways


# --- two players: without a list of strengths, which is four times as fast


def duel(ranks: Any, begin: int, end: int, times: int, space: Any, counts: Any) -> None:
    """Do the same as `contest`."""
    totals, ways = space.spreads.totals, space.spreads.ways
    a, b = space.totals[0], space.totals[1]
    won, lost, tied = 0, 0, 0
    for i in range(begin, end):
        x, y = lookup.mixed(ranks, a + totals[i]), lookup.mixed(ranks, b + totals[i])
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
    """Do the same as `contest_in_suit`."""
    totals, ways, masks, flushes = space.spreads.totals, space.spreads.ways, space.subsets.masks, ranks.flushes
    mask_a, mask_b = space.masks[0][suit], space.masks[1][suit]
    won, lost, tied = 0, 0, 0
    for i in range(first, last):
        a, b = space.totals[0] + space.subsets.totals[i], space.totals[1] + space.subsets.totals[i]
        flush_a, flush_b = flushes[mask_a | masks[i]], flushes[mask_b | masks[i]]
        for j in range(begin, end):
            x, y = lookup.mixed(ranks, a + totals[j]), lookup.mixed(ranks, b + totals[j])
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
    """Count the boards that the first of two players won, lost and shared."""
    counts[0] += times * won
    counts[1] += times * tied
    counts[2] += times * lost
    counts[3] += times * tied


# --- the cards to come


def spread(ranks: Any, suits: Any, count: int, spreads: Any) -> tuple[int, int]:
    """List all sets of `count` cards without suits; return where the list begins and ends.

    The previous list has the sets with one card less. Each new set is a previous set and a card of the same or a higher
    rank.
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
                    ways[filled] = more if run == 1 else more // run  # skip the slow division if it is not needed
                    totals[filled] = totals[i] + ranks.keys[SUITS * rank]
                    tops[filled], runs[filled] = rank, run
                    filled += 1
                run = 1
        begin, end = end, filled
    return begin, end


def subsets(ranks: Any, left: int, count: int, listed: Any) -> tuple[int, int]:
    """List all sets of `count` cards of a suit in the same way; return where the list begins and ends."""
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


CARDS = 52
TOO_MANY, NONE_YET = -1, -2


class Ranges(NamedTuple):
    """The possible hands of each player."""

    starts: Any  #: by player, the index of their first combo; the last entry is the number of all combos
    firsts: Any  #: by combo, a card
    seconds: Any
    kinds: Any  #: by combo, a number for its weight; the sum over the players determines how often a deal occurs
    bounds: Any  #: by combo, the sum of the weights in its range up to this combo
    free: Any  #: by player, 1 if they may hold any two cards
    gone: int  #: the cards on the board and the dead ones as bits


class Listed(NamedTuple):
    """Deals to draw from if they are listed; if empty, hands are drawn from the ranges."""

    deals: Any
    bounds: Any


class DealingSpace(NamedTuple):
    """The working memory of dealing."""

    at: Any  #: by player, the number of the combo
    hands: Any  #: two cards per player
    board: Any  #: five cards, of which some may be known
    signs: Any  #: by suit, a bit for each rank that each player holds
    names: Any  #: by suit, the suit that replaces it in the code
    strengths: Any


# --- all deals


def list_deals(ranges: Any, n: int, alike: Any, most: int, space: Any, codes: Any, kinds: Any) -> int:
    """Write a code and a kind of weights for every deal; return the number of deals.

    Suits with the same number in `alike` are interchangeable. Deals that differ only by such suits have the same code.
    After `most` steps, or if the lists are full, return TOO_MANY, or NONE_YET if no deal was found.
    """
    starts, at = ranges.starts, space.at
    count, steps, level, used = 0, 0, 0, ranges.gone
    at[0] = starts[0]
    while level >= 0:
        i = at[level]
        if i == starts[level + 1]:
            level -= 1
            if level >= 0:
                used ^= pair(ranges, at[level])
                at[level] += 1
            continue
        steps += 1
        if steps > most or count == len(codes):
            return TOO_MANY if count else NONE_YET
        if used & pair(ranges, i):
            at[level] += 1
        elif level < n - 1:
            used |= pair(ranges, i)
            level += 1
            at[level] = starts[level]
        else:
            codes[count], kinds[count] = code(ranges, n, alike, space)
            count += 1
            at[level] += 1
    return count


def pair(ranges: Any, i: int) -> int:
    """Return a combo's cards as bits."""
    first, second = ranges.firsts[i], ranges.seconds[i]
    return (1 << first) | (1 << second)  # type: ignore[no-any-return]  # a list's or an array's numbers


def code(ranges: Any, n: int, alike: Any, space: Any) -> tuple[int, int]:
    """Return the code of a deal and its kind of weights. The code has twelve bits for each player's cards.

    Interchangeable suits are renamed in a fixed order, so that deals that differ only by them have the same code.
    """
    signs, names = space.signs, space.names
    for suit in range(SUITS):
        signs[suit] = 0
    for p in range(n):
        for card in (ranges.firsts[space.at[p]], ranges.seconds[space.at[p]]):
            signs[card % SUITS] |= 1 << (RANKS * p + card // SUITS)
    for suit in range(SUITS):
        lower = 0
        for other in range(SUITS):
            before = signs[other] < signs[suit] or (signs[other] == signs[suit] and other < suit)
            if before and alike[other] == alike[suit]:
                lower += 1
        for other in range(SUITS):
            if alike[other] == alike[suit]:
                if lower == 0:
                    names[suit] = other
                lower -= 1
    number, kind = 0, 0
    for p in range(n):
        i = space.at[p]
        a, b = ranges.firsts[i], ranges.seconds[i]
        a, b = a - a % SUITS + names[a % SUITS], b - b % SUITS + names[b % SUITS]
        if a < b:
            a, b = b, a
        number = (number << 12) | (a << 6) | b
        kind += ranges.kinds[i]
    return number, kind


# --- drawn deals


def sample(
    ranks: Any, ranges: Any, listed: Any, n: int, lying: int, state: int, count: int, space: Any, counts: Any
) -> None:
    """Draw `count` deals, complete their boards, and count the winners. `lying` cards of the boards are known."""
    for _ in range(count):
        state = draw_deal(listed, n, state, space) if len(listed.deals) else draw_hands(ranges, n, state, space)
        used = ranges.gone
        for k in range(2 * n):
            used |= 1 << space.hands[k]
        for k in range(lying, BOARD):
            state = draw_card(state, used, space.board, k)
            used |= 1 << space.board[k]
        showdown(ranks, n, space)
        score(space.strengths, n, 1, counts)


def showdown(ranks: Any, n: int, space: Any) -> None:
    """Write every player's strength."""
    board, board_bits = lookup.START, 0
    for k in range(BOARD):
        board += ranks.keys[space.board[k]]
        board_bits |= ranks.bits[space.board[k]]
    for p in range(n):
        a, b = space.hands[2 * p], space.hands[2 * p + 1]
        bits = board_bits | ranks.bits[a] | ranks.bits[b]
        space.strengths[p] = lookup.strength(ranks, board + ranks.keys[a] + ranks.keys[b], bits)


def draw_deal(listed: Any, n: int, state: int, space: Any) -> int:
    """Draw one of the listed deals."""
    state, i = draw_weighted(listed.bounds, 0, len(listed.bounds) - 1, state)
    for k in range(2 * n):
        space.hands[k] = listed.deals[i][k]
    return state


def draw_hands(ranges: Any, n: int, state: int, space: Any) -> int:
    """Draw the hands of all players.

    Players who may hold any two cards come last and get two of the other cards. Their number of possible hands does not
    depend on the hands of the others, so no deal is favoured.
    """
    hands = space.hands
    while True:
        used, p = ranges.gone, 0
        while p < n:
            if ranges.free[p]:
                state = draw_card(state, used, hands, 2 * p)
                state = draw_card(state, used | (1 << hands[2 * p]), hands, 2 * p + 1)
            else:
                state, i = draw_weighted(ranges.bounds, ranges.starts[p], ranges.starts[p + 1] - 1, state)
                hands[2 * p], hands[2 * p + 1] = ranges.firsts[i], ranges.seconds[i]
            cards = (1 << hands[2 * p]) | (1 << hands[2 * p + 1])
            if used & cards:
                break
            used |= cards
            p += 1
        if p == n:
            return state


def draw_card(state: int, used: int, cards: Any, place: int) -> int:
    """Draw a card that is not used."""
    while True:
        state, card = chance.draw(state, CARDS)
        cards[place] = card
        if not (used >> cards[place]) & 1:
            return state


def draw_weighted(bounds: Any, low: int, high: int, state: int) -> tuple[int, int]:
    """Draw a place from `low` to `high` by its weight; the bounds are the running sums of the weights."""
    state, k = chance.draw(state, bounds[high])
    while low < high:
        middle = (low + high) // 2
        if bounds[middle] > k:
            high = middle
        else:
            low = middle + 1
    return state, low
