"""Ranges of starting hands in the usual notation: how they are read, and how they are written compactly.

    QQ+        queens and better        AK, AKs, AKo   ace-king, suited, offsuit
    TT-77      tens down to sevens      A5s-A2s        one card stays, the other goes down
    A5s+       A5s, A6s, ... AKs        98s-54s        both go down: 98s, 87s, 76s, 65s, 54s
    K9o+       K9o, KTo, KJo, KQo       76s+           neighbours climb together: 76s, 87s, ... KQs, AKs
    AhKd       these two cards          AcXc           the ace of clubs with any club
    AXs        an ace, any other        random, 15%    all hands, the best of them (see `ORDER`)
               of its suit              5%-15%         the best 15 % without the best 5 %

Small letters do as well; `items.py` has weights and what is taken out. PokerKit and eval7 read 76s+ as 76s alone, as
nothing stands between seven and six; Equilab and Flopzilla are said to climb, and so do we. A pair is neither suited
nor offsuit: AX has the aces, AXs and AXo do not.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby
from typing import TypeAlias

from pitboss.cards import DECK, RANKS, SHORT_DECK, SUITS, Card
from pitboss.fast.equity.items import RangeError, collect_hands
from pitboss.fast.equity.order import ORDER, SHORT_ORDER

__all__ = [
    "COMBOS",
    "HAND_CLASSES",
    "Combo",
    "Range",
    "RangeError",
    "class_of",
    "combo",
    "combos",
    "read_range",
    "write_range",
]

Combo: TypeAlias = str
"""Two cards, the higher in the deck first, such as AhKd or AsAh."""
Range: TypeAlias = dict[Combo, Fraction]
"""Combos, and how often each is held beside the others: at most 1."""

GRID = RANKS[::-1]
HAND_CLASSES: tuple[str, ...] = tuple(
    [a + b if i == j else a + b + "s" if i < j else b + a + "o" for i, a in enumerate(GRID) for j, b in enumerate(GRID)]
)
"""The 169 kinds of starting hands as they stand in the usual grid, row by row: AA, AKs, ... A2s, AKo, KK, KQs, ..."""
COMBOS = len(DECK) * (len(DECK) - 1) // 2
ALL = {"random", "any", "100%"}

_DOWN = range(len(RANKS))[::-1]
_PLACE = {card: number for number, card in enumerate(DECK)}
_CLASS = rf"([{RANKS}])([{RANKS}])([so]?)"
_TOKEN = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%(?:-(\d+(?:\.\d+)?)%)?")
_COMBO = re.compile(rf"([{RANKS}][{SUITS}])([{RANKS}][{SUITS}])", re.IGNORECASE)
_ANY_RANK = re.compile(rf"([{RANKS}X])([{SUITS}]?)([{RANKS}X])([{SUITS}]?)", re.IGNORECASE)
_ANY_CLASS = re.compile(rf"([{RANKS}X])([{RANKS}X])([so]?)", re.IGNORECASE)


def read_range(text: str, deck: tuple[Card, ...] = DECK) -> Range:
    """Read a range of two cards of the whole deck or the short one, which has other shares, and no hand below six.

    >>> list(read_range("AKs"))
    ['AsKs', 'AhKh', 'AdKd', 'AcKc']
    >>> len(read_range("QQ+, AKs, 76s+"))
    50
    >>> read_range("AhAd, 7c2d:0.25")
    {'AhAd': Fraction(1, 1), '7c2d': Fraction(1, 4)}
    """
    if not isinstance(text, str):
        raise RangeError(f"{text!r} is no hand or range: write a text such as QQ+, AKs or AhKd")
    if _COMBO.fullmatch(text.replace(" ", "")):
        text = text.replace(" ", "")
    found = collect_hands(text, partial(_combos, deck), _every)
    if deck is DECK:
        return found
    left = {hand: weight for hand, weight in found.items() if hand[:2] in deck and hand[2:] in deck}
    if not left:
        raise RangeError(f"the range {text!r} holds no hand: all that it names have a card that is not in the deck")
    return left


def combos(name: str) -> list[Combo]:
    """The combos of one of the 169 classes, or of both kinds where neither s nor o is said.

    >>> combos("22")
    ['2s2h', '2s2d', '2s2c', '2h2d', '2h2c', '2d2c']
    >>> len(combos("AKo")), len(combos("AK"))
    (12, 16)
    """
    high, low, kind = name[0], name[1], name[2:]
    suits = SUITS[::-1]
    if high == low:
        return [high + a + low + b for a, b in combinations(suits, 2)]
    return [high + a + low + b for a in suits for b in suits if not kind or (a == b) == (kind == "s")]


def combo(first: Card, second: Card) -> Combo:
    """Two cards as a combo, the higher first."""
    return first + second if _PLACE[first] > _PLACE[second] else second + first


def class_of(hand: Combo) -> str:
    """The class of a combo.

    >>> class_of("AhKd"), class_of("7c2c"), class_of("9s9h")
    ('AKo', '72s', '99')
    """
    high, low = hand[0], hand[2]
    return high + low if high == low else high + low + ("s" if hand[1] == hand[3] else "o")


# --- reading


def _every() -> list[Combo]:
    return [hand for name in HAND_CLASSES for hand in combos(name)]


def _combos(deck: tuple[Card, ...], hands: str, item: str) -> Iterable[Combo]:
    """The combos of one item of a range."""
    if hands.lower() in ALL:
        return _every()
    if match := _COMBO.fullmatch(hands):
        first, second = [card[0].upper() + card[1].lower() for card in match.groups()]
        if first == second:
            raise RangeError(f"{item!r} is no hand: card {first} stands twice")
        return [combo(first, second)]
    if match := _PERCENT.fullmatch(hands):
        return _between_shares(match, item, SHORT_ORDER if deck == SHORT_DECK else ORDER)
    if match := _TOKEN.fullmatch(hands):
        return [hand for name in _classes(match, item) for hand in combos(name)]
    if "x" in hands.lower() and (found := _any_rank(hands)):
        return found
    raise RangeError(f"{item!r} is no hand or range: write such as QQ+, AKs, 76s+, TT-77, A5s-A2s, AhKd or AcXc")


def _any_rank(hands: str) -> list[Combo]:
    """The combos of two cards of which X stands for any rank: AcXc, XhXh, AX, AXs."""
    suits: tuple[str, ...]
    if match := _ANY_CLASS.fullmatch(hands):
        first, second, kind = match.groups()
        suits, kind = ("", ""), kind.lower()
    elif match := _ANY_RANK.fullmatch(hands):
        first, one, second, other = match.groups()
        suits, kind = (one.lower(), other.lower()), ""
    else:
        return []
    wanted = [(rank.upper().strip("X"), suit) for rank, suit in zip((first, second), suits, strict=True)]
    return [hand for hand in _every() if _fits(hand, wanted) and (not kind or class_of(hand).endswith(kind))]


def _fits(hand: Combo, wanted: list[tuple[str, str]]) -> bool:
    """Whether the two cards, in either order, are of these ranks and suits; nothing stands for any."""
    one, other = hand[:2], hand[2:]
    return any(
        all(rank in ("", card[0]) and suit in ("", card[1]) for card, (rank, suit) in zip(held, wanted, strict=True))
        for held in ((one, other), (other, one))
    )


def _between_shares(match: "re.Match[str]", item: str, order: tuple[str, ...]) -> list[Combo]:
    """The best hands up to a share, or between two."""
    one = _best(Fraction(match[1]), item, order)
    if match[2] is None:
        return one
    fewer, more = sorted([one, _best(Fraction(match[2]), item, order)], key=len)
    if len(fewer) == len(more):
        raise RangeError(f"{item!r} holds no hand: no class of hands lies between the two shares")
    return more[len(fewer) :]


def _best(percent: Fraction, item: str, order: tuple[str, ...]) -> list[Combo]:
    """The best classes, as many as it takes to reach a share of all combos."""
    if not 0 < percent <= 100:
        raise RangeError(f"{item!r} is no share of all hands: write more than 0% and at most 100%")
    best: list[Combo] = []
    every = sum([len(combos(name)) for name in order])
    for name in order:
        if len(best) >= percent * every / 100:
            break
        best += combos(name)
    return best


def _classes(match: "re.Match[str]", token: str) -> list[str]:
    """The classes that a class alone, with a plus or up to another one stands for."""
    high, low, kind = _ranks(match[1], match[2], match[3], token)
    if match[5]:
        return _between((high, low, kind), _ranks(match[5], match[6], match[7], token), token)
    if not match[4]:
        return [_name(high, low, kind)]
    if high == low:
        return [_name(rank, rank, "") for rank in range(high, len(RANKS))]
    if high == low + 1:
        return [_name(rank, rank - 1, kind) for rank in range(high, len(RANKS))]
    return [_name(high, rank, kind) for rank in range(low, high)]


def _between(one: tuple[int, int, str], other: tuple[int, int, str], token: str) -> list[str]:
    """The classes from one to another: pairs, the same higher card, or both cards as far apart."""
    (a, b, kind), (c, d, _) = sorted([one, other])
    if one[2] == other[2] and (a == b) == (c == d):
        if a - b == c - d:
            return [_name(a + step, b + step, kind) for step in range(c - a + 1)]
        if a == c:
            return [_name(a, rank, kind) for rank in range(b, d + 1)]
    raise RangeError(f"{token!r} goes nowhere: both ends must be alike, such as TT-77, A5s-A2s or 98s-54s")


def _ranks(first: str, second: str, kind: str, token: str) -> tuple[int, int, str]:
    low, high = sorted([RANKS.index(first.upper()), RANKS.index(second.upper())])
    if high == low and kind:
        raise RangeError(f"{token!r} is no hand: a pair is neither suited nor offsuit")
    return high, low, kind.lower()


def _name(high: int, low: int, kind: str) -> str:
    return RANKS[high] + RANKS[low] + kind


# --- writing


def write_range(hands: Mapping[Combo, Fraction] | Iterable[Combo]) -> str:
    """Write a range compactly; reading it gives the same hands with the same weights.

    >>> write_range(read_range("AA KK QQ, AKs AQs AJs, 54s 65s 76s, AhKd"))
    'QQ+, AJs+, 76s-54s, AhKd'
    >>> write_range(read_range("any"))
    'random'
    """
    held = dict(hands) if isinstance(hands, Mapping) else dict.fromkeys(hands, Fraction(1))
    texts = []
    for weight in sorted(set(held.values()), reverse=True):
        same = {hand for hand, share in held.items() if share == weight}
        end = "" if weight == 1 else f":{_decimal(weight)}"
        texts += [text + end for text in (["random"] if len(same) == COMBOS else _texts(same))]
    return ", ".join(texts)


def _decimal(weight: Fraction) -> str:
    text = f"{float(weight):.6f}".rstrip("0")
    if Fraction(text) != weight:
        raise RangeError(f"the weight {weight} cannot be written with six decimals")
    return text


def _texts(hands: set[Combo]) -> list[str]:
    """Whole classes as short as may be, then the hands that are left."""
    whole = {name for name in HAND_CLASSES if hands.issuperset(combos(name))}
    left = [hand for name in HAND_CLASSES if name not in whole for hand in combos(name) if hand in hands]
    pairs = [_name(rank, rank, "") for rank in _DOWN]
    texts = [_text(run, pairs[0]) for run in _runs(pairs, whole)]
    suited, offsuit = [_unpaired({name[:2] for name in whole if name[2:] == kind}) for kind in "so"]
    texts += [_text(run, best, "" if (run, best) in offsuit else "s") for run, best in suited]
    texts += [_text(run, best, "o") for run, best in offsuit if (run, best) not in suited]
    return texts + left


def _unpaired(left: set[str]) -> list[tuple[list[str], str]]:
    """Classes of two ranks in runs, each with what it must begin with to be written with a plus.

    First those that share their higher card, then those as far apart, then single ones.
    """
    rows = [[_name(high, low, "") for low in _DOWN if low < high] for high in _DOWN]
    chains = [[_name(high, high - gap, "") for high in _DOWN if high >= gap] for gap in range(1, len(RANKS))]
    found = []
    for lines, least in ((rows, 2), (chains, 3), (rows, 1)):
        for line in lines:
            for run in _runs(line, left):
                if len(run) >= least:
                    found.append((run, line[0] if line in rows or line is chains[0] else ""))
                    left = left.difference(run)
    return sorted(found, key=lambda item: [-RANKS.index(rank) for rank in item[0][0]])


def _runs(line: list[str], wanted: set[str]) -> list[list[str]]:
    """The wanted classes of a line, those side by side together."""
    return [list(run) for is_wanted, run in groupby(line, wanted.__contains__) if is_wanted]


def _text(run: list[str], best: str, kind: str = "") -> str:
    if len(run) == 1:
        return run[0] + kind
    return f"{run[-1]}{kind}+" if run[0] == best else f"{run[0]}{kind}-{run[-1]}{kind}"
