"""The hands of both players, their order of strength on every board, and the boards that differ only in suits.

Everything is made with NumPy for all boards at once, because compiling would take longer than solving a river.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from pitboss.fast.lookup import HIGH_MASK, packed_ranks
from pitboss.ranks.layout import FLUSH, HIGH_SHIFT, LOW_MASK, START, SUIT_SHIFT
from pitboss.solver.spot import Spot, card_number

SUIT_BITS = 13
BOARD_CARDS = 5
IDENTITY = (0, 1, 2, 3)
BLOCKED = 1 << 16
"""In the place of a strength: the hand contains a card of the board."""
Suits = tuple[int, ...]
"""A permutation of suits: the suit that each suit becomes."""


class Hands(NamedTuple):
    """The hands of one player, as numbers of cards, the higher first, and how often the player has each."""

    names: list[str]
    high: Any
    low: Any
    weights: Any


def make_hands(hands: Mapping[str, Fraction]) -> Hands:
    """Return a range as arrays, ordered by cards."""
    import numpy as np

    cards = {hand: (card_number(hand[:2]), card_number(hand[2:])) for hand in hands}
    names = sorted(hands, key=cards.__getitem__)
    both = np.array([sorted(cards[name], reverse=True) for name in names], np.uint8)
    weights = np.array([float(hands[name]) for name in names], np.float32)
    return Hands(names, both[:, 0].copy(), both[:, 1].copy(), weights)


class RiverTable(NamedTuple):
    """A player's hands on every river board, from the weakest to the strongest, next to the other player's."""

    count: Any  #: the number of hands that the board allows
    order: Any  #: the number of the hand at each place
    high: Any  #: its cards
    low: Any
    below: Any  #: how many hands of the other player are weaker
    upto: Any  #: how many are weaker or equal
    same: Any  #: the place of the same two cards in the other player's order, or their count


def rank_boards(boards: Any, hands: Sequence[Hands], order: str) -> tuple[RiverTable, RiverTable]:
    """Return the tables of both players for boards of five cards, an array of shape (boards, 5)."""
    import numpy as np

    strengths = [_strengths(boards, held, order) for held in hands]
    sorting = [np.argsort(strength, axis=1, kind="stable") for strength in strengths]
    ordered = [np.take_along_axis(*pair, axis=1) for pair in zip(strengths, sorting, strict=True)]
    counts = [(strength < BLOCKED).sum(axis=1) for strength in strengths]
    alike = find_alike(hands)
    first, second = [_table(p, hands, sorting, ordered, counts, alike[p]) for p in (0, 1)]
    return first, second


def _strengths(boards: Any, hands: Hands, order: str) -> Any:
    """Return the strength of each hand on each board; the greater wins."""
    import numpy as np

    ranks = packed_ranks(order)
    high, low = hands.high.astype(np.int64), hands.low.astype(np.int64)
    totals = (START + ranks.keys[boards].sum(axis=1))[:, None] + (ranks.keys[high] + ranks.keys[low])[None, :]
    of_boards = np.bitwise_or.reduce(ranks.bits[boards], axis=1)
    strengths = _look_up(ranks, totals, lambda at: of_boards[at[0]] | (ranks.bits[high] | ranks.bits[low])[at[1]])
    on_board = np.zeros((len(boards), 52), bool)
    on_board[np.arange(len(boards))[:, None], boards] = True
    strengths[on_board[:, high] | on_board[:, low]] = BLOCKED
    return strengths


def _look_up(ranks: Any, totals: Any, bits_at: Callable[[Any], Any]) -> Any:
    """Return the strengths of sums of keys; `bits_at` gives the cards in places that have a flush."""
    import numpy as np

    flush = totals & FLUSH
    plain = ranks.hands[ranks.blocks[(totals >> HIGH_SHIFT) & HIGH_MASK] + ranks.places[totals & LOW_MASK]]
    strengths = plain.astype(np.int32)
    at = np.nonzero(flush)
    if at[0].size:
        suit = np.log2(flush[at] >> (SUIT_SHIFT + 3)).astype(np.int64) // 4
        strengths[at] = ranks.flushes[(bits_at(at) >> (SUIT_BITS * suit)) & ((1 << SUIT_BITS) - 1)]
    return strengths


def strengths_of(cards: Any, order: str = "high") -> Any:
    """Return the strength of the best five of seven cards, for an array of shape (hands, 7) of card numbers.

    >>> import numpy as np
    >>> from pitboss import read_cards
    >>> both = [[card_number(card) for card in read_cards(text)] for text in ("AsAh2c2d7h8s9c", "KsKh2c2d7h8s9c")]
    >>> one, other = strengths_of(np.array(both))
    >>> bool(one > other)
    True
    """
    import numpy as np

    ranks = packed_ranks(order)
    totals = START + ranks.keys[cards].sum(axis=1)
    bits = np.bitwise_or.reduce(ranks.bits[cards], axis=1)
    return _look_up(ranks, totals, lambda at: bits[at])


def find_alike(hands: Sequence[Hands]) -> list[Any]:
    """Return for each player the number of each hand in the other player's range, or -1."""
    import numpy as np

    found = []
    for p in (0, 1):
        number = np.full(52 * 52, -1, np.int64)
        other = hands[1 - p]
        number[other.high.astype(np.int64) * 52 + other.low] = np.arange(len(other.names))
        found.append(number[hands[p].high.astype(np.int64) * 52 + hands[p].low])
    return found


def _table(p: int, hands: Sequence[Hands], sorting: Any, ordered: Any, counts: Any, alike: Any) -> RiverTable:
    import numpy as np

    other = 1 - p
    width = int(counts[p].max())
    boards, others = ordered[other].shape
    shift = (np.arange(boards) * 2 * BLOCKED)[:, None]
    flat = (ordered[other] + shift).ravel()
    wanted = ordered[p][:, :width] + shift
    start = (np.arange(boards) * others)[:, None]
    below, upto = [(np.searchsorted(flat, wanted, side) - start).astype(np.int16) for side in ("left", "right")]
    order = sorting[p][:, :width]
    place = np.empty((boards, others), np.int16)
    np.put_along_axis(place, sorting[other], np.arange(others, dtype=np.int16)[None, :], axis=1)
    twin = alike[order]
    same = np.where(twin >= 0, np.take_along_axis(place, np.maximum(twin, 0), axis=1), counts[other][:, None])
    return RiverTable(
        counts[p].astype(np.int64),
        np.ascontiguousarray(order.astype(np.int16)),
        hands[p].high[order],
        hands[p].low[order],
        below,
        upto,
        same.astype(np.int16),
    )


# --- boards that differ only in suits


class Dealt(NamedTuple):
    """A card to deal, and the renamings of suits that turn it into the cards it stands for, itself first."""

    card: int
    images: tuple[int, ...]


class Orbits(NamedTuple):
    """The boards to solve: of boards that differ only in suits that both ranges treat alike, one is solved."""

    suits: list[Suits]  #: renamings that leave the board and both ranges as they are
    turns: list[Dealt]  #: on the flop
    rivers: list[Dealt]  #: after each turn card, one after the other
    river_from: list[int]  #: where the rivers of each turn card begin
    boards: list[tuple[int, ...]]  #: five cards, one board per river


def find_orbits(spot: Spot, hands: Sequence[Hands], isomorphism: bool = True) -> Orbits:
    """Return the boards of a spot, and which of them stand for others."""
    board = tuple(card_number(card) for card in spot.cards)
    deck = [card_number(card) for card in spot.setting[1]]
    suits = [
        suits for suits in permutations(range(4)) if suits == IDENTITY or (isomorphism and _keeps(suits, board, hands))
    ]
    suits.sort(key=lambda renaming: renaming != IDENTITY)

    def orbits(known: tuple[int, ...], fixed: Iterable[int]) -> list[Dealt]:
        """Return the cards to deal, under the renamings that keep the `fixed` cards."""
        allowed = [n for n, renaming in enumerate(suits) if all(rename(card, renaming) == card for card in fixed)]
        seen: set[int] = set(known)
        found = []
        for card in deck:
            if card not in seen:
                images: dict[int, int] = {}
                for n in allowed:
                    images.setdefault(rename(card, suits[n]), n)
                seen |= images.keys()
                found.append(Dealt(card, tuple(images.values())))
        return found

    if len(board) == BOARD_CARDS:
        return Orbits(suits, [], [Dealt(-1, (0,))], [0, 1], [board])
    if len(board) == BOARD_CARDS - 1:
        rivers = orbits(board, ())
        return Orbits(suits, [], rivers, [0, len(rivers)], [(*board, dealt.card) for dealt in rivers])
    turns, rivers, starts, boards = orbits(board, ()), [], [0], []
    for turn in turns:
        after = orbits((*board, turn.card), (turn.card,))
        rivers += after
        starts.append(len(rivers))
        boards += [(*board, turn.card, river.card) for river in after]
    return Orbits(suits, turns, rivers, starts, boards)


def rename(card: int, suits: Suits) -> int:
    """Return the card of the same rank whose suit a renaming gives.

    >>> rename(card_number("As"), (0, 1, 3, 2)) == card_number("Ah")
    True
    """
    return card // 4 * 4 + suits[card % 4]


def _keeps(suits: Suits, board: Sequence[int], hands: Sequence[Hands]) -> bool:
    """Return whether a renaming of suits leaves the board and the weights of both ranges as they are."""
    if {rename(card, suits) for card in board} != set(board):
        return False
    return all(_renamed(held, suits) is not None for held in hands)


def _renamed(hands: Hands, suits: Suits) -> Any:
    """Return the number that each hand becomes, or None if it does not exist or is held with another weight."""
    import numpy as np

    number = np.full(52 * 52, -1, np.int64)
    number[hands.high.astype(np.int64) * 52 + hands.low] = np.arange(len(hands.names))
    cards = np.array([rename(card, suits) for card in range(52)], np.int64)
    one, two = cards[hands.high], cards[hands.low]
    becomes = number[np.maximum(one, two) * 52 + np.minimum(one, two)]
    if (becomes < 0).any() or not np.array_equal(hands.weights[becomes], hands.weights):
        return None
    return becomes


def renamings(orbits: Orbits, hands: Hands) -> Any:
    """Return the number that each hand becomes under each renaming: an array of shape (renamings, hands)."""
    import numpy as np

    return np.array([_renamed(hands, suits) for suits in orbits.suits], np.int64)
