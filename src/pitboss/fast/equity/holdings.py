"""What the players of an equity question may hold: hands and ranges as a caller gives them, and what cannot be."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, prod
from typing import Any, NamedTuple

from pitboss.cards import DECK, Card, CardError, check_distinct, is_known, read_cards
from pitboss.chance import MOST as CHANCES
from pitboss.fast.equity.answers import EquityError
from pitboss.fast.equity.arrays import card_numbers
from pitboss.fast.equity.counting import Form
from pitboss.fast.equity.dealing import Ranges
from pitboss.fast.equity.enumeration import BOARD, MOST_PLAYERS
from pitboss.fast.equity.ranges import Range, RangeError, combo, read_range
from pitboss.fast.equity.weights import FINEST, read_weight
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure

RangeLike = str | Mapping[str, Any] | Iterable[Any]
"""A hand or a range as text, two cards, combos with their weights, or several hands and ranges together."""

BOARDS = (0, 3, 4, 5)


class Question(NamedTuple):
    """Who may hold what, on which board; the players stand by the number of their combos, fewest first."""

    hands: tuple[Range, ...]
    places: tuple[int, ...]  #: where each of them was asked about
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    known: int  #: how many cards are open, dead, or in the only hand somebody can have
    order: str = "high"  #: what makes one hand better than another: high, or short where the deck is

    @property
    def deals(self) -> int:
        """There are at most so many deals."""
        return prod([len(held) for held in self.hands])

    @property
    def boards(self) -> int:
        """How many boards there are for a deal."""
        left = len(DECK) - 2 * len(self.hands) - len(self.board) - len(self.dead)
        return comb(left, BOARD - len(self.board))

    @property
    def weights(self) -> list[list[Fraction]]:
        """By player, the different weights of his hands."""
        return [sorted(set(held.values())) for held in self.hands]

    def weight(self, kind: int) -> Fraction:
        """How often a deal comes whose weights are of this kind."""
        share = Fraction(1)
        for weights in self.weights:
            kind, place = divmod(kind, len(weights))
            share *= weights[place]
        return share

    def ranges(self, form: Form) -> Ranges:
        """The ranges as the loops read them."""
        pairs = [card_numbers(hand) for held in self.hands for hand in held]
        kinds, bounds, step = [], [], 1
        for held, weights in zip(self.hands, self.weights, strict=True):
            scale = lcm(*[weight.denominator for weight in weights])
            scale = scale if scale * len(held) <= CHANCES else FINEST
            bounds += list(accumulate([round(weight * scale) for weight in held.values()]))
            kinds += [step * weights.index(weight) for weight in held.values()]
            step *= len(weights)
        every = comb(len(DECK) - self.known, 2)
        return Ranges(
            starts=form.row(accumulate([len(held) for held in self.hands], initial=0)),
            firsts=form.row([first for first, _ in pairs]),
            seconds=form.row([second for _, second in pairs]),
            kinds=form.row(kinds),
            bounds=form.row(bounds),
            free=form.row([int(len(held) == every and len(set(held.values())) == 1) for held in self.hands]),
            gone=sum([1 << card for card in card_numbers((*self.board, *self.dead))]),
        )


def read_question(
    players: Sequence[RangeLike],
    board: str | Iterable[Card],
    dead: str | Iterable[Card],
    structure: Structure = NO_LIMIT_HOLDEM,
) -> Question:
    """Read who holds what, and refuse what cannot be; cards that are not in the deck are dead."""
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise EquityError(f"an equity is asked for 2 to {MOST_PLAYERS} players, not for {len(players)}")
    lying, gone = read_known(board), read_known(dead)
    if len(lying) not in BOARDS:
        raise EquityError(f"a board has no card, or three to five, not {len(lying)}")
    held = [as_range(player, structure.deck) for player in players]
    for number, hands in enumerate(held, 1):
        if not hands:
            raise RangeError(f"player {number} can hold nothing: his range is empty")
    fixed = [hand for hands in held if len(hands) == 1 for hand in hands]
    seen = [*lying, *gone, *[card for hand in fixed for card in read_cards(hand)]]
    check_distinct(seen)
    check_deck(structure, seen)
    if len(structure.deck) - len(lying) - len(gone) < 2 * len(players) + BOARD - len(lying):
        raise EquityError(f"{len(gone)} dead cards leave too few for {len(players)} players and the board")
    left = [_without(hands, lying + gone, fixed) for hands in held]
    for number, hands in enumerate(left, 1):
        if not hands:
            why = _taken(held[number - 1], lying, gone)
            raise RangeError(f"player {number} can hold nothing: every hand of his range has a card that is {why}")
    places = sorted(range(len(left)), key=lambda place: len(left[place]))
    absent = tuple([card for card in DECK if card not in structure.all_cards])
    known = len(lying) + len(gone) + len(absent) + 2 * len(fixed)
    ordered = tuple([left[place] for place in places])
    return Question(ordered, tuple(places), lying, (*gone, *absent), known, structure.showdown[0].order)


def check_deck(structure: Structure, cards: Iterable[Card]) -> None:
    """Refuse cards that a game is played without."""
    for card in cards:
        if card not in structure.all_cards:
            raise CardError(f"card {card} is not in the deck of {structure.name}")


def as_range(given: RangeLike, deck: tuple[Card, ...] = DECK) -> Range:
    """A player's hands of two cards of the deck with their weights.

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


def read_known(given: str | Iterable[Card]) -> tuple[Card, ...]:
    """Cards that are known, from text or one by one."""
    if not isinstance(given, Iterable):
        raise CardError(f"{given!r} holds no cards: write them as text, such as Ks7d2c")
    cards = read_cards(given.replace(",", " ")) if isinstance(given, str) else tuple(given)
    for card in cards:
        if not is_known(card):
            raise CardError(f"card {card!r} must be known: write a rank and a suit, such as As")
    return cards


def _taken(hands: Range, lying: Sequence[Card], gone: Sequence[Card]) -> str:
    """Where the cards are that the hands of a range would need: on the board, dead, or in somebody's only hand."""
    seen = {
        "on the board"
        if not {hand[:2], hand[2:]}.isdisjoint(lying)
        else "dead"
        if not {hand[:2], hand[2:]}.isdisjoint(gone)
        else "in the only hand of another player"
        for hand in hands
    }
    return ", or ".join([why for why in ("on the board", "dead", "in the only hand of another player") if why in seen])


def _without(hands: Range, gone: Sequence[Card], fixed: Sequence[str]) -> Range:
    """The hands that share no card with those that are gone, nor with the one hand another player can have."""
    taken = [*fixed]
    if len(hands) == 1:
        taken.remove(next(iter(hands)))
    seen = {*gone, *[card for hand in taken for card in read_cards(hand)]}
    return {hand: weight for hand, weight in hands.items() if seen.isdisjoint((hand[:2], hand[2:]))}
