// The strength of cards from lookup tables that Python passes in: src/pitboss/fast/ranking.py, translated.

#pragma once

#include <cstdint>

using i64 = std::int64_t;
using u64 = std::uint64_t;
using u16 = std::uint16_t;
using u8 = std::uint8_t;

struct Ranks {
    const i64 *keys, *bits;
    const std::uint32_t *blocks;
    const u16 *places, *flushes, *hands;
};

constexpr int SUIT_SHIFT = 17, HIGH_SHIFT = 33, RANKS = 13;
constexpr i64 LOW_MASK = (1 << 17) - 1, START = i64(0x3333) << SUIT_SHIFT, FLUSH = i64(0x8888) << SUIT_SHIFT;

inline i64 mixed(const Ranks &ranks, i64 total) {
    return ranks.hands[ranks.blocks[total >> HIGH_SHIFT] + ranks.places[total & LOW_MASK]];
}

inline i64 flushed(const Ranks &ranks, i64 total, i64 bits) {
    i64 suit = (total & FLUSH) >> (SUIT_SHIFT + 4);
    int shift = 0;
    while (suit) {
        shift += RANKS;
        suit >>= 4;
    }
    return ranks.flushes[(bits >> shift) & ((1 << RANKS) - 1)];
}

inline i64 strength(const Ranks &ranks, i64 total, i64 bits) {
    return total & FLUSH ? flushed(ranks, total, bits) : mixed(ranks, total);
}
