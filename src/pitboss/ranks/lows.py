"""The strength and the name of low hands: ace to five, deuce to seven, and badugi."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations

from pitboss.cards import DECK, SUITS, Card
from pitboss.ranks import pairs
from pitboss.ranks.layout import FEWEST, FROM_BOARD, FROM_HOLE, STANDARD, RankError, look_up, numbers
from pitboss.ranks.pairs import ACE_LOW

LOW_RANKS = "A2345678"
BITS = {card: 1 << LOW_RANKS.index(card[0]) if card[0] in LOW_RANKS else 0 for card in DECK}


def low(cards: Iterable[Card]) -> int:
    """Return the strength of the best low of five to seven cards, or 0 if there is none.

    A better low has a greater strength.

    >>> low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")) > low(("As", "2d", "3c", "4c", "8h"))
    True
    >>> low(("As", "2d", "3c", "4c", "9h"))
    0
    """
    mask = 0
    for bit in look_up(tuple(cards), BITS):
        mask |= bit
    return LOWS[mask]


def low_name(strength: int) -> str:
    """Return the five ranks of a strength from ``low``, highest first, or an empty text for 0.

    >>> low_name(low(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")))
    '7-5-3-2-A'
    """
    if strength not in LOWS:
        raise RankError(f"expected the strength of a low, got {strength}")
    mask = 256 - strength if strength else 0
    return "-".join(rank for place, rank in reversed([*enumerate(LOW_RANKS)]) if mask >> place & 1)


def best_from_two(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """Return the strength of the best low from two hole cards and three board cards."""
    starts = {first | second for first, second in combinations(numbers(hole, BITS), FROM_HOLE)}
    ends = {first | second | third for first, second, third in combinations(numbers(board, BITS), FROM_BOARD)}
    return max([LOWS[start | end] for start in starts for end in ends])


def _strength(mask: int) -> int:
    # Of two masks with five ranks, the smaller one is the better low, because the highest rank that differs decides.
    while mask.bit_count() > FEWEST:
        mask ^= 1 << mask.bit_length() - 1
    return 256 - mask if mask.bit_count() == FEWEST else 0


LOWS = tuple(_strength(mask) for mask in range(256))


CLASS_SHIFT = 20
TOP = 1 << 24

_ACE_LOW = pairs.places(pairs.ACE_LOW)
_ACE_HIGH = pairs.places(pairs.ACE_HIGH)


def ace_to_five(cards: Iterable[Card]) -> int:
    """Return the strength of the lowest five of five to seven cards. A better hand has a greater strength.

    Aces are low, straights and flushes are ignored, and a pair is worse than no pair.

    >>> ace_to_five(("As", "2s", "3s", "4s", "5s")) > ace_to_five(("As", "2d", "3c", "4c", "6h", "Kd", "Kc"))
    True
    >>> ace_to_five(("Ks", "Qd", "Jc", "Tc", "9h")) > ace_to_five(("As", "Ad", "2c", "3c", "4h"))
    True
    """
    ranks = look_up(tuple(cards), _ACE_LOW)
    lowest = sorted(set(ranks))
    if len(lowest) < FEWEST:
        return TOP - _lowest_paired(tuple(sorted(ranks)))
    a, b, c, d, e = lowest[:FEWEST]
    return TOP - (e << 16 | d << 12 | c << 8 | b << 4 | a)


@cache
def _lowest_paired(ranks: tuple[int, ...]) -> int:
    return min(map(pairs.made, combinations(ranks, FEWEST)))


def ace_to_five_name(strength: int) -> str:
    """Return the five ranks of a strength from ``ace_to_five``, highest first, after the class of a pair or better.

    >>> ace_to_five_name(ace_to_five(("As", "2d", "3c", "5h", "7h", "Kd", "Kc")))
    '7-5-3-2-A'
    >>> ace_to_five_name(ace_to_five(("As", "2d", "2c", "5h", "8h")))
    'pair 2-2-8-5-A'
    """
    return _name(ace_to_five, pairs.ACE_LOW, strength)


def deuce_to_seven(cards: Iterable[Card]) -> int:
    """Return the strength of the worst five of five to seven cards. A better low has a greater strength.

    Aces are high, so A-2-3-4-5 is not a straight. Straights, flushes and pairs count against a hand.

    >>> deuce_to_seven(("2s", "3s", "4s", "5s", "7h")) > deuce_to_seven(("2s", "3s", "4s", "6s", "7h"))
    True
    >>> deuce_to_seven(("As", "2s", "3s", "4s", "5h")) > deuce_to_seven(("2s", "3s", "4s", "5s", "6h"))
    True
    """
    held = tuple(cards)
    ranks = look_up(held, _ACE_HIGH)
    if len(held) == FEWEST:
        return TOP - _five(ranks, held)
    return TOP - min(map(_five, combinations(ranks, FEWEST), combinations(held, FEWEST)))


def _five(ranks: Iterable[int], held: tuple[Card, ...]) -> int:
    a, b, c, d, e = rising = tuple(sorted(ranks))
    if not a < b < c < d < e:
        return pairs.made(rising)
    number = e << 16 | d << 12 | c << 8 | b << 4 | a
    straight = e - a == FEWEST - 1
    suit = held[0][1]
    if suit == held[1][1] == held[2][1] == held[3][1] == held[4][1]:
        return number | (pairs.STRAIGHT_FLUSH if straight else pairs.FLUSH) << CLASS_SHIFT
    return number | pairs.STRAIGHT << CLASS_SHIFT if straight else number


def deuce_to_seven_name(strength: int) -> str:
    """Return the name of a strength that ``deuce_to_seven`` returned: its class, if any, then its ranks, highest first.

    >>> deuce_to_seven_name(deuce_to_seven(("2s", "3s", "4s", "5s", "7h")))
    '7-5-4-3-2'
    >>> deuce_to_seven_name(deuce_to_seven(("4s", "5s", "6s", "7s", "8h")))
    'straight 8-7-6-5-4'
    """
    return _name(deuce_to_seven, pairs.ACE_HIGH, strength)


def _name(rank: Callable[[Iterable[Card]], int], ranks: str, strength: int) -> str:
    """Return the name of a strength. Raise `RankError` if no cards have this strength."""
    number = TOP - strength
    kind = number >> CLASS_SHIFT
    letters = [f"?{ranks}??"[number >> shift & 15] for shift in (16, 12, 8, 4, 0)]
    suits = SUITS[0] * FEWEST if kind in (pairs.FLUSH, pairs.STRAIGHT_FLUSH) else SUITS + SUITS[0]
    try:
        named = rank([letter + suit for letter, suit in zip(letters, suits, strict=True)]) == strength
    except ValueError:
        named = False
    if not named:
        raise RankError(f"expected the strength of a hand, got {strength}")
    return (f"{STANDARD.classes[kind]} " if kind else "") + "-".join(letters)


MOST_BADUGI = 4

RANK_BITS = (1 << len(ACE_LOW)) - 1
# One bit for the rank and one for the suit. The sum over several cards has two bits per card only if they all differ in
# rank and in suit.
BADUGI_BITS = {card: 1 << ACE_LOW.index(card[0]) | RANK_BITS + 1 << SUITS.index(card[1]) for card in DECK}


def badugi(cards: Iterable[Card]) -> int:
    """Return the strength of the best badugi of one to four cards. A better badugi has a greater strength.

    Cards count if they differ in rank and suit. A badugi with more cards is better. Of two with as many cards, the
    lower one is better. Aces are low.

    >>> badugi(("Kc", "Qd", "Jh", "Ts")) > badugi(("Ac", "2d", "3h", "4h"))
    True
    >>> badugi(("Ac", "2d", "3h", "Kh")) == badugi(("As", "2c", "3h", "3d"))
    True
    """
    bits = look_up(tuple(cards), BADUGI_BITS, 1, MOST_BADUGI)
    count = len(bits)
    while not (sums := [total for total in map(sum, combinations(bits, count)) if total.bit_count() == 2 * count]):
        count -= 1
    mask = min([total & RANK_BITS for total in sums])
    # Of two masks with as many ranks, the smaller one is better, because the highest rank that differs decides.
    return count << len(ACE_LOW) | mask ^ RANK_BITS


def badugi_name(strength: int) -> str:
    """Return the ranks that count in a strength from ``badugi``, highest first.

    >>> badugi_name(badugi(("Ac", "2d", "3h", "7s")))
    '7-3-2-A'
    >>> badugi_name(badugi(("Ac", "2d", "3h", "7h")))
    '3-2-A'
    """
    mask = strength & RANK_BITS ^ RANK_BITS
    if not 1 <= mask.bit_count() == strength >> len(ACE_LOW) <= MOST_BADUGI:
        raise RankError(f"expected the strength of a badugi, got {strength}")
    return "-".join([rank for place, rank in reversed([*enumerate(ACE_LOW)]) if mask >> place & 1])
