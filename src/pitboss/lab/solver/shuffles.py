"""The number of different ways to deal the cards, and a list of them with their weights.

Cards with the same label are equal. The order of the cards in a group matters only if the group is a row. Two players
get cards in turn, so seat 0 has the places 0, 2, 4 … of the deck and seat 1 the places 1, 3, 5 …. Face-up cards follow.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, perm
from typing import NamedTuple

from pitboss.lab.genome import Genome, deck_size
from pitboss.lab.solver.information import SEATS, Sight


class DealtPlaces(NamedTuple):
    """A group of places in the deck. In a row, the order matters."""

    places: tuple[int, ...]
    in_a_row: bool


class Shuffle(NamedTuple):
    """One way to deal: a deck that leads to it, and a weight in proportion to the number of such decks."""

    weight: int
    deck: tuple[int, ...]


def dealt_places(game: Genome) -> int:
    """Return the number of cards dealt before the first phase."""
    setup = game.setup
    return SEATS * setup.cards_per_player + setup.initial_discard_count + setup.initial_tableau_count


def last_is_shown(game: Genome, sight: Sight) -> bool:
    """Return whether the last card of the deck matters, because its suit is trumps."""
    return game.setup.trump_suit == "random" and sight.suits


def groups(game: Genome, sight: Sight) -> list[DealtPlaces]:
    """Return the groups of places whose cards the deal decides."""
    in_hands, last = SEATS * game.setup.cards_per_player, deck_size(game) - 1
    found = [DealtPlaces(tuple(range(seat, in_hands, SEATS)), sight.ordered) for seat in range(SEATS)]
    found.append(DealtPlaces(tuple(range(in_hands, dealt_places(game))), True))
    if last_is_shown(game, sight):
        found = [
            DealtPlaces(tuple([place for place in places if place != last]), in_a_row) for places, in_a_row in found
        ]
        found.append(DealtPlaces((last,), True))
    return [group for group in found if group.places]


def count_shuffles(game: Genome, sight: Sight) -> int:
    """Return the number of ways to deal. It is calculated without listing them.

    >>> from pitboss.lab import load
    >>> count_shuffles(load("kuhn"), Sight(load("kuhn"))), count_shuffles(load("leduc"), Sight(load("leduc")))
    (6, 9)
    """
    dealt = groups(game, sight)
    ways: dict[tuple[int, ...], int] = {(0,) * len(dealt): 1}
    for copies in _labels(game, sight).values():
        after: Counter[tuple[int, ...]] = Counter()
        for filled, count in ways.items():
            for taken, fits in _spread(filled, copies, dealt):
                after[taken] += count * fits
        ways = dict(after)
    return ways[tuple([len(group.places) for group in dealt])]


def _spread(
    filled: tuple[int, ...], copies: int, dealt: Sequence[DealtPlaces]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each way to distribute up to `copies` equal cards over the groups.

    A way is the new number of cards in each group, and the number of orders.
    """
    if not filled:
        yield (), 1
        return
    here, group = filled[0], dealt[0]
    for more in range(min(copies, len(group.places) - here) + 1):
        fits = comb(here + more, more) if group.in_a_row else 1
        for rest, ways in _spread(filled[1:], copies - more, dealt[1:]):
            yield (here + more, *rest), fits * ways


def all_shuffles(game: Genome, sight: Sight) -> Iterator[Shuffle]:
    """Yield every way to deal, with its weight."""
    cards: dict[int, list[int]] = {}
    for card in range(deck_size(game)):
        cards.setdefault(sight.label(card), []).append(card)
    dealt = groups(game, sight)
    for weight, rows in _rows({label: len(same) for label, same in cards.items()}, dealt):
        stock = {label: iter(same) for label, same in cards.items()}
        deck: list[int | None] = [None] * deck_size(game)
        for group, labels in zip(dealt, rows, strict=True):
            for place, label in zip(group.places, labels, strict=True):
                deck[place] = next(stock[label])
        rest = (card for same in stock.values() for card in same)
        yield Shuffle(weight, tuple([next(rest) if card is None else card for card in deck]))


def _rows(left: dict[int, int], dealt: Sequence[DealtPlaces]) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
    """Yield all choices of labels for the groups, with the number of choices of cards."""
    if not dealt:
        yield 1, ()
        return
    group, rest = dealt[0], dealt[1:]
    choices = _sequences if group.in_a_row else _handfuls
    for weight, labels in choices(tuple(left.items()), len(group.places)):
        if not rest:
            yield weight, (labels,)
            continue
        taken = Counter(labels)
        remaining = {label: copies - taken[label] for label, copies in left.items()}
        for more, others in _rows(remaining, rest):
            yield weight * more, (labels, *others)


def _handfuls(left: tuple[tuple[int, int], ...], size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield all unordered choices of `size` cards, with their weights."""
    if size == 0:
        yield 1, ()
    elif left:
        label, copies = left[0]
        for taken in range(min(copies, size), -1, -1):
            for weight, others in _handfuls(left[1:], size - taken):
                yield comb(copies, taken) * weight, (label,) * taken + others


def _sequences(left: tuple[tuple[int, int], ...], size: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield all ordered choices of `size` cards, with their weights."""
    if size == 0:
        yield 1, ()
        return
    for at, (label, copies) in enumerate(left):
        if copies:
            fewer = (*left[:at], (label, copies - 1), *left[at + 1 :])
            for weight, others in _sequences(fewer, size - 1):
                yield copies * weight, (label, *others)


def _labels(game: Genome, sight: Sight) -> dict[int, int]:
    """Return the number of cards of each label."""
    return Counter([sight.label(card) for card in range(deck_size(game))])


def count_orders(game: Genome, sight: Sight) -> int:
    """Return the sum of all weights: the number of ways to deal if all cards differ."""
    left, total = deck_size(game), 1
    for group in groups(game, sight):
        size = len(group.places)
        total *= perm(left, size) if group.in_a_row else comb(left, size)
        left -= size
    return total
