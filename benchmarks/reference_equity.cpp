// Exact equities of two hands before the flop by hand in C++, in two ways that must agree.
//
// `deal_boards` ranks both hands on every board, one after another. `count_deal` is the algorithm of
// src/pitboss/fast/equity/holdem_loops.py, translated function by function for two players: it counts boards by their
// ranks.
// Of what is counted, entries 0 and 2 are the boards that each wins alone, 1 and 3 those they share.

#include "reference.h"

namespace {

constexpr int SUITS = 4, BOARD = 5, FLUSH_CARDS = 5, DECK = 52;
constexpr int SPREADS = 1 + 13 + 91 + 455 + 1820 + 6175, SUBSETS = 1 + 13 + 78 + 286 + 715 + 1287;

struct Room {
    i64 totals[2], masks[2][SUITS], left[SUITS], suits[RANKS], most[SUITS];
    i64 spread_totals[SPREADS], spread_ways[SPREADS], spread_tops[SPREADS], spread_runs[SPREADS];
    i64 subset_totals[SUBSETS], subset_masks[SUBSETS], subset_nexts[SUBSETS];
};

struct List {
    int begin, end;
};

inline void set_up(const Ranks &ranks, const u8 *deal, Room &room) {
    for (int suit = 0; suit < SUITS; suit++) {
        room.left[suit] = (1 << RANKS) - 1;
        room.most[suit] = room.masks[0][suit] = room.masks[1][suit] = 0;
    }
    for (int rank = 0; rank < RANKS; rank++) room.suits[rank] = SUITS;
    for (int p = 0; p < 2; p++) {
        const int a = deal[2 * p], b = deal[2 * p + 1];
        room.totals[p] = START + ranks.keys[a] + ranks.keys[b];
        for (int k = 0; k < 2; k++) {
            const int card = deal[2 * p + k];
            const int suit = card % SUITS, rank = card / SUITS;
            room.masks[p][suit] |= 1 << rank;
            room.left[suit] -= 1 << rank;
            room.suits[rank] -= 1;
            const i64 held = a % SUITS == b % SUITS ? 2 : 1;
            if (held > room.most[suit]) room.most[suit] = held;
        }
    }
}

inline i64 same_suits(const Room &room, int suit) {
    i64 alike = 1;
    for (int other = 0; other < SUITS; other++)
        if (other != suit && room.left[other] == room.left[suit] && room.masks[0][other] == room.masks[0][suit] &&
            room.masks[1][other] == room.masks[1][suit]) {
            if (other < suit) return 0;
            alike++;
        }
    return alike;
}

inline List spread(const Ranks &ranks, int count, Room &room) {
    room.spread_totals[0] = room.spread_tops[0] = room.spread_runs[0] = 0;
    room.spread_ways[0] = 1;
    List list{0, 1};
    for (int card = 0; card < count; card++) {
        int filled = list.end;
        for (int i = list.begin; i < list.end; i++) {
            i64 run = room.spread_runs[i] + 1;
            for (i64 rank = room.spread_tops[i]; rank < RANKS; rank++) {
                if (run <= room.suits[rank]) {
                    const i64 more = room.spread_ways[i] * (room.suits[rank] - run + 1);
                    room.spread_ways[filled] = run == 1 ? more : more / run;
                    room.spread_totals[filled] = room.spread_totals[i] + ranks.keys[SUITS * rank];
                    room.spread_tops[filled] = rank;
                    room.spread_runs[filled] = run;
                    filled++;
                }
                run = 1;
            }
        }
        list = {list.end, filled};
    }
    return list;
}

inline List subsets(const Ranks &ranks, i64 left, int count, Room &room) {
    room.subset_totals[0] = room.subset_masks[0] = room.subset_nexts[0] = 0;
    List list{0, 1};
    for (int card = 0; card < count; card++) {
        int filled = list.end;
        for (int i = list.begin; i < list.end; i++)
            for (i64 rank = room.subset_nexts[i]; rank < RANKS; rank++)
                if ((left >> rank) & 1) {
                    room.subset_totals[filled] = room.subset_totals[i] + ranks.keys[SUITS * rank];
                    room.subset_masks[filled] = room.subset_masks[i] | (1 << rank);
                    room.subset_nexts[filled] = rank + 1;
                    filled++;
                }
        list = {list.end, filled};
    }
    return list;
}

inline void score_duel(i64 x, i64 y, i64 ways, i64 &won, i64 &lost, i64 &tied) {
    if (x > y)
        won += ways;
    else if (x < y)
        lost += ways;
    else
        tied += ways;
}

inline void add(i64 won, i64 lost, i64 tied, i64 times, i64 *counts) {
    counts[0] += times * won;
    counts[1] += times * tied;
    counts[2] += times * lost;
    counts[3] += times * tied;
}

inline void duel(const Ranks &ranks, List list, const Room &room, i64 *counts) {
    i64 won = 0, lost = 0, tied = 0;
    for (int i = list.begin; i < list.end; i++) {
        const i64 total = room.spread_totals[i];
        const i64 x = mixed(ranks, room.totals[0] + total), y = mixed(ranks, room.totals[1] + total);
        score_duel(x, y, room.spread_ways[i], won, lost, tied);
    }
    add(won, lost, tied, 1, counts);
}

inline void duel_in_suit(const Ranks &ranks, int suit, List suited, List list, i64 times, const Room &room,
                         i64 *counts) {
    i64 won = 0, lost = 0, tied = 0;
    for (int i = suited.begin; i < suited.end; i++) {
        const i64 a = room.totals[0] + room.subset_totals[i], b = room.totals[1] + room.subset_totals[i];
        const i64 flush_a = ranks.flushes[room.masks[0][suit] | room.subset_masks[i]];
        const i64 flush_b = ranks.flushes[room.masks[1][suit] | room.subset_masks[i]];
        for (int j = list.begin; j < list.end; j++) {
            i64 x = mixed(ranks, a + room.spread_totals[j]), y = mixed(ranks, b + room.spread_totals[j]);
            score_duel(x, y, -room.spread_ways[j], won, lost, tied);
            if (flush_a) x = flush_a;
            if (flush_b) y = flush_b;
            score_duel(x, y, room.spread_ways[j], won, lost, tied);
        }
    }
    add(won, lost, tied, times, counts);
}

inline void count_flushes(const Ranks &ranks, int suit, int fewest, i64 times, Room &room, i64 *counts) {
    for (int rank = 0; rank < RANKS; rank++) room.suits[rank] -= (room.left[suit] >> rank) & 1;
    for (int drawn = fewest; drawn <= BOARD; drawn++) {
        const List list = spread(ranks, BOARD - drawn, room), suited = subsets(ranks, room.left[suit], drawn, room);
        duel_in_suit(ranks, suit, suited, list, times, room, counts);
    }
    for (int rank = 0; rank < RANKS; rank++) room.suits[rank] += (room.left[suit] >> rank) & 1;
}

}  // namespace

extern "C" {

void count_deal(const Ranks *ranks, const u8 *deal, i64 *counts) {
    Room room;
    set_up(*ranks, deal, room);
    duel(*ranks, spread(*ranks, BOARD, room), room, counts);
    for (int suit = 0; suit < SUITS; suit++)
        if (const i64 alike = same_suits(room, suit))
            count_flushes(*ranks, suit, FLUSH_CARDS - int(room.most[suit]), alike, room, counts);
}

void deal_boards(const Ranks *ranks_, const u8 *deal, i64 *counts) {
    const Ranks &ranks = *ranks_;
    i64 keys[DECK], bits[DECK], won = 0, lost = 0, tied = 0;
    int left = 0;
    for (int card = 0; card < DECK; card++)
        if (card != deal[0] && card != deal[1] && card != deal[2] && card != deal[3]) {
            keys[left] = ranks.keys[card];
            bits[left++] = ranks.bits[card];
        }
    const i64 x = START + ranks.keys[deal[0]] + ranks.keys[deal[1]], xs = ranks.bits[deal[0]] | ranks.bits[deal[1]];
    const i64 y = START + ranks.keys[deal[2]] + ranks.keys[deal[3]], ys = ranks.bits[deal[2]] | ranks.bits[deal[3]];
    for (int a = 0; a < left; a++)
        for (int b = a + 1; b < left; b++)
            for (int c = b + 1; c < left; c++)
                for (int d = c + 1; d < left; d++) {
                    const i64 total = keys[a] + keys[b] + keys[c] + keys[d];
                    const i64 seen = bits[a] | bits[b] | bits[c] | bits[d];
                    for (int e = d + 1; e < left; e++) {
                        const i64 key = total + keys[e], bit = seen | bits[e];
                        score_duel(strength(ranks, x + key, xs | bit), strength(ranks, y + key, ys | bit), 1, won,
                                   lost, tied);
                    }
                }
    add(won, lost, tied, 1, counts);
}
}
