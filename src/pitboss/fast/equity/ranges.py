"""What a player may hold, as text: ranges of two cards in the usual notation, and hands of every other game.

    AA, KK            items, separated by commas or spaces
    AKs:0.5           an item with weight 0.5; without a weight it is 1
    [50]AKs, QQ[/50]  the same for several items, in percent, as solvers write it
    !AhAs             removed from all other items, wherever it is written

If a hand is named twice, its last weight counts. A text that only removes hands starts from all hands. Two cards:

    QQ+        queens and better        AK, AKs, AKo   ace-king, suited, offsuit
    TT-77      tens down to sevens      A5s-A2s        one rank stays, the other goes down
    A5s+       A5s, A6s, ... AKs        98s-54s        both go down: 98s, 87s, 76s, 65s, 54s
    K9o+       K9o, KTo, KJo, KQo       76s+           connected ranks go up together: 76s, 87s, ... KQs, AKs
    AhKd       these two cards          AcXc           the ace of clubs with any club
    AXs        an ace and any other     random, 15%    all hands, the best 15 % (see `BEST_AGAINST_ONE`)
               card of its suit         5%-15%         the best 15 % without the best 5 %

Lower case works too. PokerKit and eval7 read 76s+ as 76s alone, because there is no rank between seven and six;
Equilab and Flopzilla are said to go up, as we do. A pair is neither suited nor offsuit: AX includes the aces, AXs and
AXo do not. In every other game:

    AhAdKhKd   these cards             AAKK   two aces and two kings of any suits
    AhAd       these, others unknown   AA     two aces, others unknown; AAxx is the same
    random     all cards unknown       2c3d4h/Kd   in draw games: the cards kept, the cards thrown away

In a board game several such hands are a set of complete hands, each counted once; in a game with hole cards to come,
all hands of a player must have the same number of cards.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby, product
from math import comb
from typing import Any, NamedTuple, TypeAlias

from pitboss.cards import DECK, RANKS, SHORT_DECK, SUITS, Card, check_distinct, is_known, read_cards
from pitboss.errors import PitbossError
from pitboss.hand.structure import Structure

_PIECE = re.compile(r"\[[^\[\]]*\]|!|[^,\s!\[\]]+|[\[\]]")
_OPEN = re.compile(r"\[(\d+(?:\.\d{1,4})?)%?\]")
_CLOSE = re.compile(r"\[/(\d+(?:\.\d+)?)?%?\]")
_WEIGHT = re.compile(r"[01]|[01]?\.\d{1,6}")


class RangeError(PitbossError, ValueError):
    """An invalid range of hands.

    >>> from pitboss import read_range
    >>> read_range("AKx")
    Traceback (most recent call last):
    pitboss.RangeError: 'AKx': expected hands such as QQ+, AKs, 76s+, TT-77, A5s-A2s, AhKd or AcXc
    """


class Item(NamedTuple):
    """A part of a range, its weight, and whether it is removed from the range instead."""

    text: str  #: the hands, without the weight
    written: str
    weight: Fraction
    removed: bool


def read_items(text: str) -> list[Item]:
    """Return the items of a range in their order.

    >>> [(item.text, str(item.weight)) for item in read_items("QQ+, [50]AKs, AQs:0.5[/50]")]
    [('QQ+', '1'), ('AKs', '1/2'), ('AQs', '1/4')]
    >>> [item.text for item in read_items("QQ+ !AhAs") if item.removed]
    ['AhAs']
    """
    found: list[Item] = []
    scale: Fraction | None = None
    removed = False
    for piece in _PIECE.findall(re.sub(r"\s*([-:])\s*", r"\1", re.sub(r"\s+([+%])", r"\1", text))):
        if piece == "!" and not removed:
            removed = True
        elif piece.startswith(("[", "]")) or (removed and piece == "!"):
            scale = _scale(piece, scale, removed)
        else:
            found.append(_item(piece, scale, removed))
            removed = False
    if removed:
        raise RangeError(f"range {text!r}: expected hands after the !, got the end")
    if scale is not None:
        raise RangeError(f"range {text!r}: a weight is not closed: write it as in [50]AKs[/50]")
    return found


def collect_hands(
    text: str, expand: Callable[[str, str], Iterable[str]], every: Callable[[], Iterable[str]]
) -> dict[str, Fraction]:
    """Return the hands of a range with their weights; `expand` lists the hands of one item, `every` all hands."""
    found: dict[str, Fraction] = {}
    gone: set[str] = set()
    items = read_items(text)
    if items and all(item.removed for item in items):
        found = dict.fromkeys(every(), Fraction(1))
    for item in items:
        if item.removed:
            gone.update(expand(item.text, item.written))
            continue
        for hand in expand(item.text, item.written):
            found.pop(hand, None)
            if item.weight:
                found[hand] = item.weight
    if not found:
        why = "every weight in it is 0" if items else "it is empty"
        raise RangeError(f"range {text!r}: expected at least one hand, but {why}")
    left = {hand: weight for hand, weight in found.items() if hand not in gone}
    if not left:
        raise RangeError(f"range {text!r}: expected at least one hand, but every hand is removed with !")
    return left


def _scale(piece: str, scale: Fraction | None, removed: bool) -> Fraction | None:
    """Return the weight that a bracket opens, or None if it closes one."""
    if not removed and scale is None and (match := _OPEN.fullmatch(piece)) and Fraction(match[1]) <= 100:
        return Fraction(match[1]) / 100
    if not removed and scale is not None and (match := _CLOSE.fullmatch(piece)):
        if match[1] is not None and Fraction(match[1]) != 100 * scale:
            raise RangeError(f"expected [/{float(100 * scale):g}] to close the weight, got {piece}: write [50]AKs[/50]")
        return None
    raise RangeError(f"unexpected {piece!r}: write a weight in percent as in [50]AKs[/50]")


def _item(piece: str, scale: Fraction | None, removed: bool) -> Item:
    hands, colon, weight = piece.partition(":")
    if removed and (colon or scale is not None):
        raise RangeError(f"!{piece}: expected no weight, because ! removes hands: write it as in QQ+, !AhAs")
    share = _weight(piece, weight) if colon else Fraction(1)
    return Item(hands, piece, share if scale is None else share * scale, removed)


def _weight(item: str, weight: str) -> Fraction:
    if not _WEIGHT.fullmatch(weight) or Fraction(weight) > 1:
        raise RangeError(
            f"{item}: expected a weight from 0 to 1 with up to six decimals, as in AKs:0.5, got {weight!r}"
        )
    return Fraction(weight)


FINEST = 10**6
"""Weights are rounded to millionths if they are given as floats, or if they have too many digits for drawing."""


def read_weight(hands: object, weight: Any) -> Fraction:
    """Return a weight as an exact fraction.

    >>> read_weight("AKs", 0.1), read_weight("AKs", Fraction(1, 3))
    (Fraction(1, 10), Fraction(1, 3))
    """
    try:
        share = Fraction(weight)
    except (TypeError, ValueError, ArithmeticError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise RangeError(f"{hands!r}: expected a weight from 0 to 1, got {weight}")
    return share if isinstance(weight, int | Fraction) else Fraction(round(share * FINEST), FINEST)


_BEST_FIRST = """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs K9s A5s A6s
    A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s
    Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o
    J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s
    85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s
    84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
BEST_AGAINST_ONE: tuple[str, ...] = tuple(_BEST_FIRST.split())
"""The 169 kinds of starting hands, the best first, by their exact equity against one random hand."""

SHORT_BEST_AGAINST_ONE: tuple[str, ...] = tuple([name for name in BEST_AGAINST_ONE if not {*name[:2]} & {*"2345"}])
"""The 81 of these kinds that exist in the short deck, in the same order."""


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

RangeLike = str | Mapping[str, Any] | Iterable[Any]
"""A hand or a range as text, two cards, combos with their weights, or several hands and ranges."""
Combo: TypeAlias = str
"""Two cards, the higher in the deck first, such as AhKd or AsAh."""
Range: TypeAlias = dict[Combo, Fraction]
"""Combos with their weights, at most 1."""

GRID = RANKS[::-1]
HAND_CLASSES: tuple[str, ...] = tuple(
    [a + b if i == j else a + b + "s" if i < j else b + a + "o" for i, a in enumerate(GRID) for j, b in enumerate(GRID)]
)
"""The 169 kinds of starting hands in the order of the usual grid, row by row: AA, AKs, ... A2s, AKo, KK, KQs, ..."""
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
    """Read a range of two cards of the full or the short deck; percentages are shares of the deck's hands.

    >>> list(read_range("AKs"))
    ['AsKs', 'AhKh', 'AdKd', 'AcKc']
    >>> len(read_range("QQ+, AKs, 76s+"))
    50
    >>> read_range("AhAd, 7c2d:0.25")
    {'AhAd': Fraction(1, 1), '7c2d': Fraction(1, 4)}
    """
    if not isinstance(text, str):
        raise RangeError(f"expected a range as text, such as QQ+, AKs or AhKd, got {text!r}")
    if _COMBO.fullmatch(text.replace(" ", "")):
        text = text.replace(" ", "")
    found = collect_hands(text, partial(_combos, deck), _every)
    if deck is DECK:
        return found
    left = {hand: weight for hand, weight in found.items() if hand[:2] in deck and hand[2:] in deck}
    if not left:
        raise RangeError(f"range {text!r}: expected at least one hand, but each has a card that is not in the deck")
    return left


def as_range(given: RangeLike, deck: tuple[Card, ...] = DECK) -> Range:
    """Return a player's hands of two cards of the deck with their weights.

    >>> as_range(("Kd", "Ah"))
    {'AhKd': Fraction(1, 1)}
    >>> len(as_range(["AA", "KsKh", ("Qs", "Qh")]))
    8
    >>> as_range({"AKs": 0.25})["AsKs"]
    Fraction(1, 4)
    """
    if isinstance(given, Mapping):
        found: Range = {}
        for hands, weight in given.items():
            found |= dict.fromkeys(read_range(hands, deck), read_weight(hands, weight))
        return {hand: weight for hand, weight in found.items() if weight}
    if isinstance(given, str) or not isinstance(given, Iterable):
        return read_range(given, deck)
    items = list(given)
    if len(items) == 2 and all(isinstance(card, str) and is_known(card) for card in items):
        check_distinct(items)
        return {combo(*items): Fraction(1)}
    return {hand: weight for item in items for hand, weight in as_range(item, deck).items()}


def combos(name: str) -> list[Combo]:
    """Return the combos of one of the 169 classes, or of both the suited and the offsuit class without s or o.

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
    """Return two cards as a combo, the higher first."""
    return first + second if _PLACE[first] > _PLACE[second] else second + first


def class_of(hand: Combo) -> str:
    """Return the class of a combo.

    >>> class_of("AhKd"), class_of("7c2c"), class_of("9s9h")
    ('AKo', '72s', '99')
    """
    high, low = hand[0], hand[2]
    return high + low if high == low else high + low + ("s" if hand[1] == hand[3] else "o")


# --- reading


def _every() -> list[Combo]:
    return [hand for name in HAND_CLASSES for hand in combos(name)]


def _combos(deck: tuple[Card, ...], hands: str, item: str) -> Iterable[Combo]:
    """Return the combos of one item of a range."""
    if hands.lower() in ALL:
        return _every()
    if match := _COMBO.fullmatch(hands):
        first, second = [card[0].upper() + card[1].lower() for card in match.groups()]
        if first == second:
            raise RangeError(f"{item!r}: card {first} appears twice")
        return [combo(first, second)]
    if match := _PERCENT.fullmatch(hands):
        return _between_shares(match, item, SHORT_BEST_AGAINST_ONE if deck == SHORT_DECK else BEST_AGAINST_ONE)
    if match := _TOKEN.fullmatch(hands):
        return [hand for name in _classes(match, item) for hand in combos(name)]
    if "x" in hands.lower() and (found := _any_rank(hands)):
        return found
    raise RangeError(f"{item!r}: expected hands such as QQ+, AKs, 76s+, TT-77, A5s-A2s, AhKd or AcXc")


def _any_rank(hands: str) -> list[Combo]:
    """Return the combos of two cards in which X is any rank: AcXc, XhXh, AX, AXs."""
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
    """Return whether the two cards, in either order, have these ranks and suits; an empty string allows any."""
    one, other = hand[:2], hand[2:]
    return any(
        all(rank in ("", card[0]) and suit in ("", card[1]) for card, (rank, suit) in zip(held, wanted, strict=True))
        for held in ((one, other), (other, one))
    )


def _between_shares(match: "re.Match[str]", item: str, order: tuple[str, ...]) -> list[Combo]:
    """Return the best hands up to a share, or between two shares."""
    one = _best(Fraction(match[1]), item, order)
    if match[2] is None:
        return one
    fewer, more = sorted([one, _best(Fraction(match[2]), item, order)], key=len)
    if len(fewer) == len(more):
        raise RangeError(f"{item!r}: expected at least one hand, but no class of hands is between these shares")
    return more[len(fewer) :]


def _best(percent: Fraction, item: str, order: tuple[str, ...]) -> list[Combo]:
    """Return the combos of the best classes until they reach a share of all combos."""
    if not 0 < percent <= 100:
        raise RangeError(f"{item!r}: expected a share above 0% and at most 100%")
    best: list[Combo] = []
    every = sum([len(combos(name)) for name in order])
    for name in order:
        if len(best) >= percent * every / 100:
            break
        best += combos(name)
    return best


def _classes(match: "re.Match[str]", token: str) -> list[str]:
    """Return the classes of an item: one class, a class with a plus, or a range of classes."""
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
    """Return the classes between two: pairs, classes with the same higher card, or with the same gap."""
    (a, b, kind), (c, d, _) = sorted([one, other])
    if one[2] == other[2] and (a == b) == (c == d):
        if a - b == c - d:
            return [_name(a + step, b + step, kind) for step in range(c - a + 1)]
        if a == c:
            return [_name(a, rank, kind) for rank in range(b, d + 1)]
    raise RangeError(f"{token!r}: expected two ends of the same kind, such as TT-77, A5s-A2s or 98s-54s")


def _ranks(first: str, second: str, kind: str, token: str) -> tuple[int, int, str]:
    low, high = sorted([RANKS.index(first.upper()), RANKS.index(second.upper())])
    if high == low and kind:
        raise RangeError(f"{token!r}: a pair is neither suited nor offsuit: leave out the s or o")
    return high, low, kind.lower()


def _name(high: int, low: int, kind: str) -> str:
    return RANKS[high] + RANKS[low] + kind


# --- writing


def write_range(hands: Mapping[Combo, Fraction] | Iterable[Combo]) -> str:
    """Write a range compactly; reading the text gives the same hands with the same weights.

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
        raise RangeError(f"expected weights of at most six decimals, got {weight}")
    return text


def _texts(hands: set[Combo]) -> list[str]:
    """Return the shortest texts of complete classes, then the single hands that are left."""
    whole = {name for name in HAND_CLASSES if hands.issuperset(combos(name))}
    left = [hand for name in HAND_CLASSES if name not in whole for hand in combos(name) if hand in hands]
    pairs = [_name(rank, rank, "") for rank in _DOWN]
    texts = [_text(run, pairs[0]) for run in _runs(pairs, whole)]
    suited, offsuit = [_unpaired({name[:2] for name in whole if name[2:] == kind}) for kind in "so"]
    texts += [_text(run, best, "" if (run, best) in offsuit else "s") for run, best in suited]
    texts += [_text(run, best, "o") for run, best in offsuit if (run, best) not in suited]
    return texts + left


def _unpaired(left: set[str]) -> list[tuple[list[str], str]]:
    """Return runs of classes of two ranks, each with the class it must begin with to be written with a plus.

    First runs with the same higher card, then runs with the same gap, then single classes.
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
    """Return the runs of neighbouring classes in a line that are all wanted."""
    return [list(run) for is_wanted, run in groupby(line, wanted.__contains__) if is_wanted]


def _text(run: list[str], best: str, kind: str = "") -> str:
    if len(run) == 1:
        return run[0] + kind
    return f"{run[-1]}{kind}+" if run[0] == best else f"{run[0]}{kind}-{run[-1]}{kind}"


Holdings = dict[str, Fraction]
"""Holdings with their weights. A holding is cards written together, highest first; all have the same number of
cards."""

MOST_HANDS = 300_000
"""The maximum size of a listed set of hands."""
OPEN = ("random", "any", "100%")

_CARD = re.compile(rf"([{RANKS}Xx*])([{SUITS}Xx]?)", re.IGNORECASE)


def read_holdings(given: Any, structure: Structure) -> Holdings:
    """Return what a player may hold in this game.

    >>> from pitboss import OMAHA, SEVEN_CARD_STUD
    >>> list(read_holdings("KdAhKhAd", OMAHA))
    ['AhAdKhKd']
    >>> len(read_holdings("AAKK", OMAHA)), len(read_holdings("AA", SEVEN_CARD_STUD))
    (36, 6)
    """
    if isinstance(given, Mapping):
        return _one_size(
            {
                hand: share * read_weight(text, weight)
                for text, weight in given.items()
                for hand, share in read_holdings(text, structure).items()
                if read_weight(text, weight)
            },
            structure,
        )
    if isinstance(given, str):
        return _read(given, structure)
    if not isinstance(given, Iterable):
        raise RangeError(f"{structure.name}: expected a hand as text, such as AhKd, got {given!r}")
    items = list(given)
    if items and all(isinstance(card, str) and is_known(card) for card in items):
        return _read("".join(items), structure)
    return _one_size(
        {hand: weight for item in items for hand, weight in read_holdings(item, structure).items()}, structure
    )


def _read(text: str, structure: Structure) -> Holdings:
    pieces = text.replace(",", " ").split()
    if all(_all_cards(piece) for piece in pieces) and ("," not in text or all(len(piece) == 2 for piece in pieces)):
        text = "".join(pieces)  # one hand, typed with separators
    items = read_items(text)
    own = structure.hole_by_street[-1]
    single = len(items) == 1 and not items[0].removed and len(_holdings(items[0].text, structure)) == 1
    whole = structure.board_by_street[-1] > 0 and not single

    def expand(hands: str, item: str) -> Iterable[str]:
        found = _holdings(hands, structure)
        return _whole(found, own, structure, item) if whole else found

    return _one_size(collect_hands(text, expand, lambda: expand("random", "random")), structure)


def _all_cards(text: str) -> bool:
    return len(text) % 2 == 0 and all(is_known(_card(text[i : i + 2])) for i in range(0, len(text), 2)) and bool(text)


def _card(text: str) -> Card:
    return text[0].upper() + text[1].lower()


def write_holding(cards: Iterable[Card]) -> str:
    """Return cards written together, highest first.

    >>> write_holding(("Kd", "As"))
    'AsKd'
    """
    return "".join(sorted(cards, key=_PLACE.__getitem__, reverse=True))


def _holdings(text: str, structure: Structure) -> dict[str, None]:
    """Return the holdings of one item, without its unknown cards."""
    if text.lower() in OPEN:
        return {"": None}
    specs = _CARD.findall(text)
    if "".join([rank + suit for rank, suit in specs]) != text or not specs:
        raise RangeError(f"{structure.name}: expected cards such as AhAdKhKd or ranks such as AAKK, got {text!r}")
    own = structure.hole_by_street[-1]
    if len(specs) > own:
        raise RangeError(f"{structure.name}: expected a hand of at most {own} cards, got {len(specs)}, {text!r}")
    wanted = [(rank.upper(), suit.lower()) for rank, suit in specs if rank not in "Xx*" or suit not in ("", "x", "X")]
    suits = {suit in ("", "x") for _, suit in wanted}
    if len(suits) > 1:
        raise RangeError(f"{structure.name}: expected the suit of every card or of none, got {text!r}")
    choices = [[card for card in structure.deck if _matches(card, *one)] for one in wanted]
    if any(not cards for cards in choices):
        raise RangeError(f"{structure.name}: expected cards of its deck, got {text!r}")
    found = {write_holding(cards): None for cards in _limited(product(*choices)) if len({*cards}) == len(cards)}
    if not found:
        raise RangeError(f"{structure.name}: a card appears twice in {text!r}")
    return found


def _matches(card: Card, rank: str, suit: str) -> bool:
    return rank in ("X", "*", card[0]) and suit in ("", "x", card[1])


def _limited(found: Iterator[tuple[Card, ...]]) -> Iterator[tuple[Card, ...]]:
    for number, cards in enumerate(found):
        if number > MOST_HANDS * 10:
            raise RangeError("too many possible hands to list: write more of their cards")
        yield cards


def _whole(found: Iterable[str], own: int, structure: Structure, item: str) -> dict[str, None]:
    """Return all complete hands that contain one of these holdings."""
    hands: dict[str, None] = {}
    found = list(found)
    if sum([comb(len(structure.deck) - len(hand) // 2, own - len(hand) // 2) for hand in found]) > 3 * MOST_HANDS:
        raise RangeError(f"{structure.name}: too many hands to list in {item!r}: write more of their cards")
    for hand in found:
        held = read_cards(hand)
        left = [card for card in structure.deck if card not in held]
        hands |= {write_holding((*held, *rest)): None for rest in combinations(left, own - len(held))}
    return hands


def _one_size(found: Holdings, structure: Structure) -> Holdings:
    sizes = sorted({len(hand) // 2 for hand in found})
    if len(sizes) > 1:
        raise RangeError(
            f"{structure.name}: expected hands of one size in a range, got hands of {sizes[0]} and {sizes[-1]} cards"
        )
    return found
