"""Count or draw the deals and boards of any game; written to be compiled.

A row has the hole cards of a player, then the board. A pot is counted as POT parts, so that halves for high and low and
the shares of several winners are whole numbers.

Without a flush only the ranks of a board matter. The value of each hand is computed once for each of up to 6,175
spreads (a spread is a set of board ranks). The counts are then corrected for the boards on which a player has a flush.
For these boards the cards of the flush suit are listed one by one, and the other cards by their ranks. Two hands of
Omaha take milliseconds, although they have a million boards.

In other games all completions of a deal are dealt one by one, or some are drawn. Missing cards form groups: the cards
of the board, then those of each player. The order within a group does not matter, so its cards are dealt in rising
order. The strength of a player is computed when their group and the board are complete.
"""

from math import lcm
from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast import lookup
from pitboss.fast.equity import holdem_loops
from pitboss.fast.equity.holdem_loops import BOARD, CARDS, FLUSH, RANKS, SUITS
from pitboss.ranks.layout import FROM_BOARD, FROM_HOLE, HIGH_SHIFT, LOW_MASK

MOST_PLAYERS = 10
POT = 2 * lcm(*range(1, MOST_PLAYERS + 1))
NOTHING, ANY_FIVE, FROM_TWO, LOW, LOW_FROM_TWO, BADUGI = range(6)
"""The kinds of judges; in a game without split pots the kind of the second judge is NOTHING."""
SHARE, SQUARE, WON, SHARED, FIRST, SECOND, WIDTH = range(7)
"""The columns of the counts of a player: parts of pots, their squares, whole pots, shared pots, parts by judge."""


class Judge(NamedTuple):
    """A ranking, and its lookup tables."""

    kind: int
    suited: int  #: 1 if a flush is worth at least as much as its ranks without the suit
    keys: Any  #: this and the next five fields are as in `lookup.Ranks`
    bits: Any
    blocks: Any
    places: Any
    flushes: Any
    hands: Any
    low_ranks: Any  #: this and the next field are as in `lookup.Lows`
    lows: Any
    badugis: Any  #: by card, a bit for its rank and a bit for its suit


def strength(judge: Any, hole: int, row: Any) -> int:
    """Return the strength of a row with `hole` hole cards and the board; 0 if it does not qualify."""
    if judge.kind == ANY_FIVE:
        total, bits = lookup.START, 0
        for card in row:
            total += judge.keys[card]
            bits |= judge.bits[card]
        return int(lookup.strength(judge, total, bits))
    if judge.kind == FROM_TWO:
        return int(lookup.best_from_two(judge, hole, row))
    if judge.kind == LOW:
        return int(lookup.best_low(judge, 0, row))
    if judge.kind == LOW_FROM_TWO:
        return int(lookup.best_low(judge, hole, row))
    if judge.kind == BADUGI:
        return int(lookup.best_badugi(judge.badugis, row))
    return 0


def score(n: int, firsts: Any, seconds: Any, times: int, squared: int, counts: Any) -> None:
    """Add the parts of a pot that each player wins, `times` times; with `squared`, also add their squares."""
    best, winners = top(n, firsts)
    lowest, sharing = top(n, seconds)
    half = POT // 2 if lowest else POT
    for p in range(n):
        first = half // winners if firsts[p] == best else 0
        second = half // sharing if lowest and seconds[p] == lowest else 0
        share = first + second
        if share:
            at = WIDTH * p
            counts[at + SHARE] += share * times
            counts[at + SQUARE] += share * share * times * squared
            counts[at + FIRST] += first * times
            counts[at + SECOND] += second * times
            if share == POT:
                counts[at + WON] += times
            else:
                counts[at + SHARED] += times


def top(n: int, strengths: Any) -> tuple[int, int]:
    """Return the best strength and the number of players who have it."""
    best, count = strengths[0], 1
    for p in range(1, n):
        if strengths[p] > best:
            best, count = strengths[p], 1
        elif strengths[p] == best:
            count += 1
    return best, count


LOW_RANKS = 7
"""The number of ranks in the low field of a key."""
MOST_HOLE = 6
MOST_PAIRS = MOST_HOLE * (MOST_HOLE - 1) // 2


class BoardSpace(NamedTuple):
    """The working memory for counting boards."""

    left: Any  #: by suit, a bit for each rank that is left
    suits: Any  #: by rank, the number of cards that are left
    board: Any  #: five cards, of which only the ranks count
    first_written: Any  #: strengths by player and by the place of a board's ranks
    second_written: Any
    masks: Any  #: by player and suit, a bit for each rank in the hand
    pairs: Any  #: by player, the keys of two hole cards, added up
    low_pairs: Any  #: by player, a bit for each low rank of two hole cards
    pair_counts: Any  #: by player, the number of different pairs
    firsts: Any  #: by player, strengths on one board
    seconds: Any
    first_flushes: Any  #: by player
    second_flushes: Any
    spreads: Any
    subsets: Any


def count_boards(judges: Any, hole: int, known: Any, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Count all deals; deal i counts `times[i]` times. A deal is the hole cards of all players in turn."""
    first, second = judges[0], judges[1]
    for i in range(len(deals)):
        count_board(first, second, hole, known, deals[i], times[i], space, counts)


def count_board(first: Any, second: Any, hole: int, known: Any, deal: Any, times: int, space: Any, counts: Any) -> None:
    """Count all boards as if there were no flushes, then correct the boards with one."""
    n, places = len(deal) // hole, len(first.hands)
    set_up(first, hole, known, deal, n, space)
    begin, end = holdem_loops.spread(first, space.suits, known.to_come, space.spreads)
    for i in range(begin, end):
        total = known.total + space.spreads.totals[i]
        place = lookup.place(first, total, 0)
        read_board(total, space.board)
        for p in range(n):
            space.firsts[p] = by_ranks(first, hole, deal, p, space)
            space.seconds[p] = by_ranks(second, hole, deal, p, space)
            space.first_written[places * p + place] = space.firsts[p]
            space.second_written[places * p + place] = space.seconds[p]
        score(n, space.firsts, space.seconds, times * space.spreads.ways[i], 0, counts)
    for suit in range(SUITS):
        fewest = fewest_drawn(first, second, n, suit, known, space)
        if fewest <= known.to_come:
            count_flushes(first, second, n, suit, fewest, known, times, space, counts)


def set_up(first: Any, hole: int, known: Any, deal: Any, n: int, space: Any) -> None:
    """Remove all players' cards from the deck, and list their pairs of hole cards that differ in their ranks."""
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
    """List the pairs of a player's hole cards that differ in their ranks; return their number."""
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
    """Write one card for each rank of a board, which is given as the sum of its keys."""
    low, high, filled = total & LOW_MASK, total >> HIGH_SHIFT, 0
    for rank in range(RANKS):
        if rank < LOW_RANKS:
            low, count = low // 5, low % 5
        else:
            high, count = high // 5, high % 5
        for _ in range(count):
            board[filled] = SUITS * rank
            filled += 1


# --- by ranks only


def by_ranks(judge: Any, hole: int, deal: Any, p: int, space: Any) -> int:
    """Return a player's strength on a board without flushes."""
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
        return int(lookup.mixed(judge, total))
    if judge.kind == LOW:
        low = 0
        for k in range(hole):
            low |= judge.low_ranks[deal[hole * p + k]]
        for card in space.board:
            low |= judge.low_ranks[card]
        return int(judge.lows[low])
    return 0


def two_and_three(ranks: Any, p: int, space: Any) -> int:
    """Return the best strength of two hole cards and three of the board."""
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
                    best = max(best, int(lookup.mixed(ranks, pairs[k] + three)))
    return best


def low_two_and_three(lows: Any, p: int, space: Any) -> int:
    """Return the best low of two hole cards and three of the board."""
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
    """Return the number of cards of a suit still needed for a flush; BOARD + 1 if no player can get one."""
    fewest = BOARD + 1
    for judge in (first, second):
        if judge.suited:
            for p in range(n):
                held = lookup.count_bits(space.masks[p][suit])
                if judge.kind == FROM_TWO:
                    need = FROM_BOARD if held >= FROM_HOLE else BOARD + 1 + FLUSH
                else:
                    need = FLUSH - held
                fewest = min(fewest, max(0, need - known.held[suit]))
    return fewest


def count_flushes(
    first: Any, second: Any, n: int, suit: int, fewest: int, known: Any, times: int, space: Any, counts: Any
) -> None:
    """Correct the boards on which at least `fewest` cards of a suit are still to come."""
    for rank in range(RANKS):
        space.suits[rank] -= (space.left[suit] >> rank) & 1
    for drawn in range(fewest, known.to_come + 1):
        begin, end = holdem_loops.spread(first, space.suits, known.to_come - drawn, space.spreads)
        begun, ended = holdem_loops.subsets(first, space.left[suit], drawn, space.subsets)
        for i in range(begun, ended):
            suited = known.masks[suit] | space.subsets.masks[i]
            if write_flushes(first, second, n, suit, suited, space):
                total = known.total + space.subsets.totals[i]
                count_in_suit(first, n, begin, end, total, times, space, counts)
    for rank in range(RANKS):
        space.suits[rank] += (space.left[suit] >> rank) & 1


def count_in_suit(first: Any, n: int, begin: int, end: int, total: int, times: int, space: Any, counts: Any) -> None:
    """For boards with these cards of a suit, subtract the counts without flushes, and add those with flushes."""
    firsts, seconds, places = space.firsts, space.seconds, len(first.hands)
    for j in range(begin, end):
        place = lookup.place(first, total + space.spreads.totals[j], 0)
        for p in range(n):
            firsts[p] = space.first_written[places * p + place]
            seconds[p] = space.second_written[places * p + place]
        score(n, firsts, seconds, -times * space.spreads.ways[j], 0, counts)
        for p in range(n):
            firsts[p] = max(firsts[p], space.first_flushes[p])
            seconds[p] = max(seconds[p], space.second_flushes[p])
        score(n, firsts, seconds, times * space.spreads.ways[j], 0, counts)


def write_flushes(first: Any, second: Any, n: int, suit: int, suited: int, space: Any) -> bool:
    """Write the strength of each player's flush with these cards of a suit; return whether a player has one."""
    found = False
    for p in range(n):
        space.first_flushes[p] = flush(first, space.masks[p][suit], suited)
        space.second_flushes[p] = flush(second, space.masks[p][suit], suited)
        if space.first_flushes[p] or space.second_flushes[p]:
            found = True
    return found


def flush(judge: Any, held: int, suited: int) -> int:
    """Return the best flush of a hand's and a board's cards of one suit, or 0."""
    if not judge.suited:
        return 0
    if judge.kind != FROM_TWO:
        return int(judge.flushes[held | suited])
    if lookup.count_bits(held) < FROM_HOLE or lookup.count_bits(suited) < FROM_BOARD:
        return 0
    best = 0
    for a in range(RANKS - 1):
        if held >> a & 1:
            for b in range(a + 1, RANKS):
                if held >> b & 1:
                    best = max(best, best_suited_three(judge, 1 << a | 1 << b, suited))
    return best


def best_suited_three(ranks: Any, two: int, suited: int) -> int:
    """Return the best flush of two cards with three of the board."""
    best = 0
    for a in range(RANKS - 2):
        if suited >> a & 1:
            for b in range(a + 1, RANKS - 1):
                if suited >> b & 1:
                    for c in range(b + 1, RANKS):
                        if suited >> c & 1:
                            best = max(best, int(ranks.flushes[two | 1 << a | 1 << b | 1 << c]))
    return best


class Missing(NamedTuple):
    """The cards to come. Each has a slot; the slots of the board come first."""

    owners: Any  #: by slot, the player who gets it, or -1 for the board
    places: Any  #: by slot, the position of its card in the owner's row, or on the board
    lasts: Any  #: by slot, 1 for the last slot of a group
    needs: Any  #: by player, the number of hole cards to come
    hole: int  #: the number of hole cards of a complete hand
    board: int  #: the number of cards of a complete board
    lying: int  #: the number of board cards that are known


class Holdings(NamedTuple):
    """The possible hands of each player."""

    starts: Any  #: by player, the index of their first holding; the last entry is the number of all holdings
    cards: Any  #: one row per holding
    masks: Any  #: by holding, its cards as bits
    bounds: Any  #: by holding, the running sum of the weights of the same player
    sizes: Any  #: by player, the number of cards that count, from the start of the row


class CompletingSpace(NamedTuple):
    """The working memory of completing a deal."""

    rows: Any  #: by player, the hole cards and then the board
    board: Any
    picked: Any  #: by slot, the card that was dealt to it
    at: Any  #: by player, the number of the holding
    firsts: Any  #: by player, strengths
    seconds: Any


# --- all deals


def count_deals(judges: Any, missing: Any, gone: int, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Count all completions of each deal.

    A deal has the cards of all players in turn, and -1 for each card to come. The bits of `gone` are the dead cards and
    the board.
    """
    first, second, n = judges[0], judges[1], len(space.rows)
    for i in range(len(deals)):
        used = gone
        for p in range(n):
            for k in range(missing.hole):
                card = deals[i][missing.hole * p + k]
                space.rows[p][k] = card
                if card >= 0:
                    used |= 1 << card
        lay_board(n, missing, space)
        complete(first, second, n, missing, used, times[i], space, counts)


def lay_board(n: int, missing: Any, space: Any) -> None:
    """Write the known cards of the board behind every player's hole cards."""
    for p in range(n):
        for k in range(missing.lying):
            space.rows[p][missing.hole + k] = space.board[k]


def complete(first: Any, second: Any, n: int, missing: Any, used: int, times: int, space: Any, counts: Any) -> None:
    """Count every completion of one deal."""
    slots = len(missing.owners)
    if missing.lying == missing.board:
        judge_complete(first, second, n, missing, space)
    if slots == 0:
        score(n, space.firsts, space.seconds, times, 0, counts)
        return
    picked, slot, card = space.picked, 0, 0
    while slot >= 0:
        while card < CARDS and used >> card & 1:
            card += 1
        if card == CARDS:
            slot -= 1
            if slot >= 0:
                card = picked[slot]
                used ^= 1 << card
                card += 1
            continue
        put(n, missing, slot, card, space)
        if missing.lasts[slot]:
            owner = missing.owners[slot]
            if owner < 0:
                judge_complete(first, second, n, missing, space)
            else:
                judge(first, second, missing, owner, space)
        if slot == slots - 1:
            score(n, space.firsts, space.seconds, times, 0, counts)
            card += 1
        else:
            picked[slot] = card
            used |= 1 << card
            card = 0 if missing.lasts[slot] else card + 1
            slot += 1


def put(n: int, missing: Any, slot: int, card: int, space: Any) -> None:
    """Write a card into the row of its owner, or a board card into all rows."""
    owner, place = missing.owners[slot], missing.places[slot]
    if owner >= 0:
        space.rows[owner][place] = card
    else:
        for p in range(n):
            space.rows[p][missing.hole + place] = card


def judge_complete(first: Any, second: Any, n: int, missing: Any, space: Any) -> None:
    """Write the strengths of all players who get no more cards."""
    for p in range(n):
        if missing.needs[p] == 0:
            judge(first, second, missing, p, space)


def judge(first: Any, second: Any, missing: Any, p: int, space: Any) -> None:
    """Write a player's strengths."""
    space.firsts[p] = strength(first, missing.hole, space.rows[p])
    space.seconds[p] = strength(second, missing.hole, space.rows[p])


# --- drawn deals


def sample_deals(
    judges: Any, missing: Any, holdings: Any, listed: Any, gone: int, state: int, count: int, space: Any, counts: Any
) -> None:
    """Draw `count` deals, from the list if there is one, complete them, and count the winners."""
    first, second, n = judges[0], judges[1], len(space.rows)
    lay_board(n, missing, space)
    for _ in range(count):
        if len(listed.bounds):
            state, i = holdem_loops.draw_weighted(listed.bounds, 0, len(listed.bounds) - 1, state)
            for p in range(n):
                space.at[p] = listed.deals[i][p]
        else:
            state = draw_holdings(holdings, n, gone, state, space)
        used = gone
        for p in range(n):
            used |= holdings.masks[space.at[p]]
            for k in range(holdings.sizes[p]):
                space.rows[p][k] = holdings.cards[space.at[p]][k]
        for slot in range(len(missing.owners)):
            state, card = draw_card(state, used)
            used |= 1 << card
            put(n, missing, slot, card, space)
        for p in range(n):
            judge(first, second, missing, p, space)
        score(n, space.firsts, space.seconds, 1, 1, counts)


def draw_holdings(holdings: Any, n: int, gone: int, state: int, space: Any) -> int:
    """Draw a holding for each player by its weight. If a card appears twice, draw all holdings again."""
    while True:
        used, p = gone, 0
        while p < n:
            state, i = holdem_loops.draw_weighted(
                holdings.bounds, holdings.starts[p], holdings.starts[p + 1] - 1, state
            )
            if used & holdings.masks[i]:
                break
            used |= holdings.masks[i]
            space.at[p] = i
            p += 1
        if p == n:
            return state


def draw_card(state: int, used: int) -> tuple[int, int]:
    """Draw a card that is not used."""
    while True:
        state, drawn = chance.draw(state, CARDS)
        card = int(drawn)
        if not used >> card & 1:
            return state, card
