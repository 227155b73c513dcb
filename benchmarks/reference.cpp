// Compiled play by hand in C++, the same algorithm: what `pitboss.fast.play.simulate` is held against.
//
// Translated function by function under the same names: betting/core.py, chance.py, and from fast/ payout.py,
// play/flop.py, play/loops.py and the random policy. Settings are read at run time, a table has room for ten and chips
// are 64-bit, as there.

#include "reference.h"

namespace {

constexpr int SEATS = 10, DECK = 52, HOLE = 2, BOARD = 5, SEEN = 7, UNSEEN = 52;
constexpr int PRE_FLOP = 0, RIVER = 3, SHOWN_DOWN = 4;

enum Verb : i64 { FOLD, CHECK, CALL, BET, RAISE, ALL_IN };
enum Refusal : i64 { OK, REFUSED };
enum : i64 { NO_CEILING = 0 };
enum : i64 { CUMULATIVE = 1, ALWAYS = 2 };
enum : i64 { FOLLOWING = 1 };
enum : i64 { NOBODY = 0, SOMEBODY = 1, ABLE = 2 };

struct Rules {
    i64 matching, exact, second_step, ceiling, least_bet, most_bet, cap, opening_counts, free_fold, short_raises;
    i64 only_short_all_in, completes, bring_in, reopening, answers, last_word, cap_closes, opposition;
};

struct State {
    i64 n, price, level, step, raises, pot, opener, holder, turn, street;
    i64 stacks[SEATS], bets[SEATS], paid[SEATS];
    u8 folded[SEATS], acted[SEATS];
};

// --- chance

constexpr u64 GAMMA = 0x9E3779B97F4A7C15u, LOW = 0xFFFFFFFFu;

inline u64 mix(u64 state) {
    u64 z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

inline u64 draw(u64 &state, u64 n) {
    state += GAMMA;
    u64 product = (mix(state) >> 32) * n;
    if ((product & LOW) < n) {
        u64 unfair = ((u64(1) << 32) - n) % n;
        while ((product & LOW) < unfair) {
            state += GAMMA;
            product = (mix(state) >> 32) * n;
        }
    }
    return product >> 32;
}

inline u64 fork(u64 state, u64 label) { return mix(state + mix(label + GAMMA)); }

// --- betting: what is legal

inline i64 owed(const State &s, i64 p) { return s.price > s.bets[p] ? s.price - s.bets[p] : 0; }

inline i64 target(const Rules &rules, const State &s, i64 p) {
    return rules.matching ? s.level + s.step : s.bets[p] + s.step;
}

inline i64 least(const Rules &rules, const State &s, i64 p) {
    i64 to = target(rules, s, p), total = s.bets[p] + s.stacks[p];
    return to < total ? to : total;
}

inline i64 pot_raise(const State &s, i64 p) {
    i64 to = s.price + owed(s, p) + s.pot;
    for (i64 q = 0; q < s.n; q++) to += s.bets[q];
    return to;
}

inline i64 most(const Rules &rules, const State &s, i64 p) {
    i64 low = least(rules, s, p);
    if (rules.exact) return low;
    i64 total = s.bets[p] + s.stacks[p];
    if (rules.ceiling == NO_CEILING && !rules.most_bet) return total;
    i64 to = rules.most_bet ? s.level + rules.most_bet : pot_raise(s, p);
    if (to < low) return low;
    return to < total ? to : total;
}

inline bool answerable(const State &s, i64 p) {
    for (i64 q = 0; q < s.n; q++)
        if (q != p && s.stacks[q] > 0 && !s.folded[q] && s.stacks[q] + s.bets[q] > s.price) return true;
    return false;
}

inline i64 raise_refusal(const Rules &rules, const State &s, i64 p) {
    i64 total = s.bets[p] + s.stacks[p];
    if (rules.matching && total <= s.price) return REFUSED;
    if (s.acted[p] && rules.reopening != ALWAYS) return REFUSED;
    if (0 <= rules.cap && rules.cap <= s.raises && (s.price > 0 || rules.opening_counts)) return REFUSED;
    if (!rules.short_raises && s.bets[p] < s.price && total < target(rules, s, p)) return REFUSED;
    if (rules.opposition == ABLE && !answerable(s, p)) return REFUSED;
    return OK;
}

// --- betting: what happens

inline void pay(State &s, i64 p, i64 amount) {
    i64 moved = amount < s.stacks[p] ? amount : s.stacks[p];
    s.stacks[p] -= moved;
    s.bets[p] += moved;
}

inline bool opposed(const Rules &rules, const State &s, i64 p) {
    if (rules.opposition == NOBODY) return true;
    for (i64 q = 0; q < s.n; q++)
        if (q != p && !s.folded[q] && (s.stacks[q] > 0 || s.bets[q] > s.bets[p] || rules.opposition == SOMEBODY))
            return true;
    return false;
}

inline i64 next_asked(const Rules &rules, const State &s, i64 after) {
    i64 p = after;
    for (i64 i = 0; i < s.n; i++) {
        p = p < s.n - 1 ? p + 1 : 0;
        if (s.stacks[p] > 0 && !s.folded[p] && (s.bets[p] < s.price || !s.acted[p]) && opposed(rules, s, p)) return p;
    }
    return -1;
}

inline void open_round(const Rules &rules, State &s, i64 opener) {
    s.opener = opener;
    if (rules.opening_counts && s.level > 0) s.raises = 1;
    s.turn = next_asked(rules, s, opener - 1);
}

inline i64 after_opener(const State &s, i64 p) { return ((p - s.opener) % s.n + s.n) % s.n; }

inline bool reopens(const Rules &rules, const State &s, i64 p, i64 q, bool full) {
    if (rules.answers == FOLLOWING && after_opener(s, q) < after_opener(s, p)) return false;
    if (full || rules.reopening == ALWAYS) return true;
    return rules.reopening == CUMULATIVE && s.price - s.bets[q] >= s.step;
}

inline void raise_to(const Rules &rules, State &s, i64 p, i64 to) {
    bool opening = rules.matching && s.price == 0;
    i64 size = to - (rules.matching ? s.level : s.bets[p]);
    bool full = size >= s.step || (rules.completes && 2 * size >= s.step);
    pay(s, p, to - s.bets[p]);
    if (rules.matching) {
        s.price = to;
        if (full || !rules.completes) s.level = to;
    }
    if (full) {
        if (!rules.exact) s.step = size;
        if (rules.last_word && s.raises == 0) s.holder = p;
        if (rules.opening_counts || !opening) s.raises += 1;
    }
    for (i64 q = 0; q < s.n; q++)
        if (s.acted[q] && q != p && s.stacks[q] > 0 && !s.folded[q] && reopens(rules, s, p, q, full)) s.acted[q] = 0;
}

inline void act(const Rules &rules, State &s, i64 verb, i64 to) {
    i64 p = s.turn;
    s.acted[p] = 1;
    if (verb == FOLD) {
        s.folded[p] = 1;
        if (s.holder == p) s.holder = -1;
    } else {
        if (verb == ALL_IN) to = s.bets[p] + s.stacks[p];
        if (verb >= BET && (to > s.price || !rules.matching))
            raise_to(rules, s, p, to);
        else
            pay(s, p, owed(s, p));
    }
    if (rules.cap_closes && 0 <= rules.cap && rules.cap <= s.raises) {
        s.turn = -1;
        return;
    }
    s.turn = next_asked(rules, s, p);
    if (s.turn < 0 && s.holder >= 0 && s.stacks[s.holder] > 0 && (s.holder != p || verb >= BET)) s.turn = s.holder;
}

inline bool contested(const State &s) {
    int able = 0;
    for (i64 p = 0; p < s.n; p++)
        if (s.stacks[p] > 0 && !s.folded[p] && ++able == 2) return true;
    return false;
}

inline i64 uncalled(const Rules &rules, const State &s, i64 &amount) {
    amount = 0;
    if (!rules.matching) return -1;
    i64 top = -1, owner = -1, second = 0;
    for (i64 p = 0; p < s.n; p++) {
        i64 total = s.paid[p] + s.bets[p];
        if (total > top) {
            second = top;
            top = total;
            owner = p;
        } else if (total > second) {
            second = total;
        }
    }
    if (top > second && !s.folded[owner]) {
        amount = top - second;
        return owner;
    }
    return -1;
}

inline void collect(State &s, i64 step) {
    for (i64 p = 0; p < s.n; p++) {
        s.pot += s.bets[p];
        s.paid[p] += s.bets[p];
        s.bets[p] = 0;
        s.acted[p] = 0;
    }
    s.price = s.level = s.raises = 0;
    s.step = step;
    s.holder = s.turn = -1;
}

// --- hold'em

using View = u8[SEEN];

inline void shuffle(u64 &state, u8 *deck, i64 count) {
    for (int card = 0; card < DECK; card++) deck[card] = u8(card);
    for (i64 here = 0; here < count; here++) {
        i64 there = here + i64(draw(state, u64(DECK - here)));
        u8 card = deck[here];
        deck[here] = deck[there];
        deck[there] = card;
    }
}

// The random player does not look at what it sees, but pitboss shows it: the last line keeps that from being left out.
inline void show(const State &s, const u8 *deck, i64 p, View &view) {
    view[0] = deck[p];
    view[1] = deck[s.n + p];
    const i64 up = s.street > PRE_FLOP ? s.street + 2 : 0;
    for (i64 k = 0; k < BOARD; k++) view[HOLE + k] = k < up ? deck[HOLE * s.n + k] : u8(UNSEEN);
    asm volatile("" : : "m"(view));
}

inline bool alone(const State &s) {
    int live = 0;
    for (i64 p = 0; p < s.n; p++)
        if (!s.folded[p]) live++;
    return live == 1;
}

inline bool go_on(const Rules &rules, State &s, const i64 *steps) {
    while (true) {
        i64 amount, owner = uncalled(rules, s, amount);
        if (owner >= 0) {
            s.bets[owner] -= amount;
            s.stacks[owner] += amount;
        }
        i64 street = s.street + 1;
        collect(s, steps[street < SHOWN_DOWN ? street : RIVER]);
        if (street == SHOWN_DOWN || !contested(s)) {
            s.street = SHOWN_DOWN;
            return false;
        }
        s.street = street;
        open_round(rules, s, 0);
        if (s.turn >= 0) return true;
    }
}

inline i64 next_ceiling(const State &s, i64 floor, bool &last) {
    i64 ceiling = -1, highest = -1;
    for (i64 p = 0; p < s.n; p++)
        if (!s.folded[p] && s.paid[p] > floor) {
            if (ceiling < 0 || s.paid[p] < ceiling) ceiling = s.paid[p];
            if (s.paid[p] > highest) highest = s.paid[p];
        }
    last = ceiling == highest;
    return ceiling;
}

inline void pay_out(State &s, const i64 *strengths) {
    i64 counted = s.pot, floor = -1;
    for (i64 p = 0; p < s.n; p++) counted -= s.paid[p];
    counted = -counted;
    while (s.pot > 0) {
        bool last;
        i64 ceiling = next_ceiling(s, floor, last), amount = s.pot;
        if (!last) {
            i64 below = 0;
            for (i64 p = 0; p < s.n; p++) below += s.paid[p] < ceiling ? s.paid[p] : ceiling;
            amount = below - counted;
            counted = below;
        }
        i64 best = 0, winners = 0;
        for (i64 p = 0; p < s.n; p++)
            if (!s.folded[p] && s.paid[p] >= ceiling) {
                if (strengths[p] > best) {
                    best = strengths[p];
                    winners = 1;
                } else if (strengths[p] == best) {
                    winners++;
                }
            }
        i64 each = amount / winners, odd = amount - each * winners;
        for (i64 p = 0; p < s.n; p++)
            if (!s.folded[p] && s.paid[p] >= ceiling && strengths[p] == best) {
                i64 won = odd > 0 ? each + 1 : each;
                s.pot -= won;
                s.stacks[p] += won;
                odd--;
            }
        floor = ceiling;
    }
}

inline void settle(State &s, const u8 *deck, const Ranks &ranks) {
    i64 strengths[SEATS], n = s.n;
    if (alone(s)) {
        for (i64 p = 0; p < n; p++) strengths[p] = 1;
    } else {
        i64 board = START;
        for (i64 k = HOLE * n; k < HOLE * n + BOARD; k++) board += ranks.keys[deck[k]];
        for (i64 p = 0; p < n; p++) {
            if (s.folded[p]) continue;
            u8 a = deck[p], b = deck[n + p];
            i64 total = board + ranks.keys[a] + ranks.keys[b];
            if (!(total & FLUSH)) {
                strengths[p] = mixed(ranks, total);
                continue;
            }
            i64 bits = ranks.bits[a] | ranks.bits[b];
            for (i64 k = HOLE * n; k < HOLE * n + BOARD; k++) bits |= ranks.bits[deck[k]];
            strengths[p] = flushed(ranks, total, bits);
        }
    }
    pay_out(s, strengths);
}

// --- the random player

inline i64 choose(const Rules &rules, const State &s, u64 &state, i64 &to) {
    i64 p = s.turn, stay = CHECK, stays = 1;
    if (owed(s, p) > 0) stay = CALL, stays = 2;
    i64 low = 0, pot = 0, high = 0, sizes = 0;
    if (raise_refusal(rules, s, p) == OK) {
        low = least(rules, s, p);
        high = most(rules, s, p);
        pot = pot_raise(s, p);
        if (pot <= low || pot >= high) pot = high;
        sizes = low == high ? 1 : pot == high ? 2 : 3;
    }
    i64 k = i64(draw(state, u64(stays + sizes)));
    to = 0;
    if (k < stays) return k < stays - 1 ? i64(FOLD) : stay;
    k -= stays;
    to = k == 0 ? low : k == 1 ? pot : high;
    return s.price == 0 ? BET : RAISE;
}

// Play hands first to first + count - 1 as loops.py does, write last stacks by seat, and return the number of actions.
i64 run(const Rules &rules, const State *templates, i64 buttons, const i64 *seats, const i64 *steps, const Ranks &ranks,
        u64 seed, i64 first, i64 count, i64 *stacks) {
    View view;
    u8 deck[DECK];
    alignas(64) State s;
    i64 actions = 0;
    for (i64 i = 0; i < count; i++) {
        const i64 here = (first + i) % buttons;
        s = templates[here];
        const i64 n = s.n, *seat = seats + here * n;
        u64 state = fork(seed, u64(first + i));
        shuffle(state, deck, HOLE * n + BOARD);
        bool going = s.turn >= 0 || go_on(rules, s, steps);
        while (going) {
            show(s, deck, s.turn, view);
            i64 to, verb = choose(rules, s, state, to);
            act(rules, s, verb, to);
            actions++;
            going = s.turn >= 0 || go_on(rules, s, steps);
        }
        settle(s, deck, ranks);
        for (i64 p = 0; p < n; p++) stacks[i * n + seat[p]] = s.stacks[p];
    }
    return actions;
}

}  // namespace

extern "C" {

// Play so many hands in blocks, as simulate.py does, and add up winnings and their squares by seat. The last block's
// stacks are left in `stacks`, which has room for one block.
i64 simulate(const Rules *rules, const State *templates, i64 buttons, const i64 *seats, const i64 *steps,
             const Ranks *ranks, u64 seed, i64 hands, i64 block, i64 *stacks, const i64 *before, i64 *sums,
             i64 *squares) {
    const i64 n = templates->n;
    i64 actions = 0;
    for (i64 first = 0; first < hands; first += block) {
        const i64 count = hands - first < block ? hands - first : block;
        actions += run(*rules, templates, buttons, seats, steps, *ranks, seed, first, count, stacks);
        for (i64 i = 0; i < count; i++)
            for (i64 seat = 0; seat < n; seat++) {
                const i64 won = stacks[i * n + seat] - before[seat];
                sums[seat] += won;
                squares[seat] += won * won;
            }
    }
    return actions;
}
}
