"""How the text of a range falls into items with their weights, whatever an item of the game looks like.

    AA, KK            items, separated by commas or spaces
    AKs:0.5           an item held half as often as one without a weight
    [50]AKs, QQ[/50]  the same for several, in percent, as solvers write it
    !AhAs             these are taken out of what all the others name, wherever it stands

Of hands named twice the last weight counts. A text that only takes out begins with all hands.
"""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from pitboss.errors import PitbossError

_PIECE = re.compile(r"\[[^\[\]]*\]|!|[^,\s!\[\]]+|[\[\]]")
_OPEN = re.compile(r"\[(\d+(?:\.\d{1,4})?)%?\]")
_CLOSE = re.compile(r"\[/(\d+(?:\.\d+)?)?%?\]")
_WEIGHT = re.compile(r"[01]|[01]?\.\d{1,6}")


class RangeError(PitbossError, ValueError):
    """A text that is no range of hands."""


class Item(NamedTuple):
    """A piece of a range, how often it is held, and whether it is taken out instead."""

    text: str  #: without its weight
    written: str
    weight: Fraction
    removed: bool


def read_items(text: str) -> list[Item]:
    """The items of a range in the order in which they stand.

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
        raise RangeError(f"{text!r} ends with a ! that takes nothing out")
    if scale is not None:
        raise RangeError(f"{text!r} opens a weight and does not close it: write [50]AKs[/50]")
    return found


def collect_hands(
    text: str, expand: Callable[[str, str], Iterable[str]], every: Callable[[], Iterable[str]]
) -> dict[str, Fraction]:
    """The hands of a range's items, each with its weight; `expand` gives those of one item, `every` all there are."""
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
        why = ": every weight in it is 0" if items else ""
        raise RangeError(f"the range {text!r} holds no hand{why}")
    left = {hand: weight for hand, weight in found.items() if hand not in gone}
    if not left:
        raise RangeError(f"the range {text!r} holds no hand: it takes out with ! all that it names")
    return left


def _scale(piece: str, scale: Fraction | None, removed: bool) -> Fraction | None:
    """The weight, of 1, that a bracket opens, or none where it closes one."""
    if not removed and scale is None and (match := _OPEN.fullmatch(piece)) and Fraction(match[1]) <= 100:
        return Fraction(match[1]) / 100
    if not removed and scale is not None and (match := _CLOSE.fullmatch(piece)):
        if match[1] is not None and Fraction(match[1]) != 100 * scale:
            raise RangeError(f"{piece!r} closes another weight than the one before it opens: write [50]AKs[/50]")
        return None
    raise RangeError(f"{piece!r} cannot stand here: a weight is written in percent, as in [50]AKs[/50]")


def _item(piece: str, scale: Fraction | None, removed: bool) -> Item:
    hands, colon, weight = piece.partition(":")
    if removed and (colon or scale is not None):
        raise RangeError(f"!{piece} takes hands out and has no weight: write it without, as in QQ+, !AhAs")
    share = _weight(piece, weight) if colon else Fraction(1)
    return Item(hands, piece, share if scale is None else share * scale, removed)


def _weight(item: str, weight: str) -> Fraction:
    if not _WEIGHT.fullmatch(weight) or Fraction(weight) > 1:
        raise RangeError(
            f"{item!r} has no weight that can be read: write 0 to 1 with up to six decimals, as in AKs:0.5"
        )
    return Fraction(weight)
