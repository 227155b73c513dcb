"""A question about any game: who may hold what, what lies open, what is dead, and what is still to come."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, prod
from typing import Any, NamedTuple

from pitboss.cards import DECK, Card, check_distinct, read_cards
from pitboss.chance import MOST as CHANCES
from pitboss.fast.equity.answers import EquityError
from pitboss.fast.equity.arrays import card_numbers
from pitboss.fast.equity.completing import Holdings, Missing
from pitboss.fast.equity.counting import Form
from pitboss.fast.equity.enumeration import BOARD, MOST_PLAYERS
from pitboss.fast.equity.holdings import check_deck, read_known
from pitboss.fast.equity.items import RangeError
from pitboss.fast.equity.judges import why_not
from pitboss.fast.equity.patterns import read_holdings
from pitboss.fast.equity.weights import FINEST
from pitboss.hand.structure import Structure

Deal = tuple[int, ...]
"""Everybody's holding, by its number among all holdings."""


class Spot(NamedTuple):
    """Who may hold what in a game, on which board."""

    structure: Structure
    hands: tuple[dict[str, Fraction], ...]  #: by player, cards written together, all of a player's as many
    board: tuple[Card, ...]
    dead: tuple[Card, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards of each player are known."""
        return tuple([len(next(iter(held))) // 2 for held in self.hands])

    @property
    def needs(self) -> tuple[int, ...]:
        """How many cards each player is still to get."""
        return tuple([self.structure.own_by[-1] - size for size in self.sizes])

    @property
    def to_come(self) -> int:
        """How many cards are still to come to the board."""
        return self.structure.common_by[-1] - len(self.board)

    @property
    def completions(self) -> int:
        """In how many ways a deal of known cards goes on."""
        left = len(self.structure.deck) - len(self.board) - len(self.dead) - sum(self.sizes)
        ways = comb(left, self.to_come)
        left -= self.to_come
        for need in self.needs:
            ways, left = ways * comb(left, need), left - need
        return ways

    @property
    def most_deals(self) -> int:
        """There are at most so many deals."""
        return prod([len(held) for held in self.hands])

    @property
    def gone(self) -> int:
        """The cards as bits that nobody can get: on the board, dead, or not in the deck."""
        absent = [card for card in DECK if card not in self.structure.all_cards]
        return sum([1 << card for card in card_numbers((*self.board, *self.dead, *absent))])

    def missing(self, form: Form) -> Missing:
        """What is still to come, as the loops read it."""
        slots = [(-1, len(self.board) + k, k == self.to_come - 1) for k in range(self.to_come)]
        for player, (size, need) in enumerate(zip(self.sizes, self.needs, strict=True)):
            slots += [(player, size + k, k == need - 1) for k in range(need)]
        return Missing(
            owners=form.row([owner for owner, _, _ in slots]),
            places=form.row([place for _, place, _ in slots]),
            lasts=form.row([int(last) for _, _, last in slots]),
            needs=form.row(self.needs),
            hole=self.structure.own_by[-1],
            board=self.structure.common_by[-1],
            lying=len(self.board),
        )

    def holdings(self, form: Form) -> Holdings:
        """What everybody may hold, as the loops read it; weights too fine for one draw are rounded to millionths."""
        bounds: list[int] = []
        for held in self.hands:
            scale = lcm(*[weight.denominator for weight in held.values()])
            scale = scale if scale * len(held) <= CHANCES else FINEST
            bounds += accumulate([round(weight * scale) for weight in held.values()])
        cards = [card_numbers(hand) for held in self.hands for hand in held]
        width = max(1, *self.sizes)
        return Holdings(
            starts=form.row(accumulate([len(held) for held in self.hands], initial=0)),
            cards=form.rows([[*row, *[0] * (width - len(row))] for row in cards]),
            masks=form.row(masks(cards)),
            bounds=form.row(bounds),
            sizes=form.row(self.sizes),
        )


def masks(cards: Iterable[Sequence[int]]) -> list[int]:
    """Each holding's cards as bits."""
    return [sum([1 << card for card in row]) for row in cards]


def list_spot_deals(spot: Spot, most: int) -> list[Deal] | None:
    """All deals in which no card stands twice, or nothing where listing them takes more than so many steps."""
    held = [masks([card_numbers(hand) for hand in hands]) for hands in spot.hands]
    starts = list(accumulate([len(hands) for hands in held], initial=0))
    found: list[tuple[Deal, int]] = [((), spot.gone)]
    steps = 0
    for start, hands in zip(starts, held, strict=False):
        steps += len(found) * len(hands)
        if steps > most:
            return None
        found = [
            ((*deal, start + i), used | mask) for deal, used in found for i, mask in enumerate(hands) if not used & mask
        ]
    return [deal for deal, _ in found]


def by_boards(spot: Spot) -> bool:
    """Whether all hands are known whole and only the board is to come, so that boards can be counted by their ranks."""
    structure = spot.structure
    judged = all(ranking.order not in ("deuce_to_seven", "badugi") for ranking in structure.showdown)
    return judged and structure.common_by[-1] == BOARD and not any(spot.needs)


# --- reading


def read_spot(
    players: Sequence[Any], board: str | Iterable[Card], dead: str | Iterable[Card], structure: Structure
) -> Spot:
    """Read who holds what in a game, and refuse what cannot be."""
    if (why := why_not(structure)) is not None:
        raise EquityError(f"{structure.name} has no equities here: {why}")
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise EquityError(f"an equity is asked for 2 to {MOST_PLAYERS} players, not for {len(players)}")
    lying, gone = read_known(board), read_known(dead)
    _check_board(structure, lying)
    split = [_thrown_away(player, structure) for player in players]
    gone += tuple([card for _, thrown in split for card in thrown])
    held = [read_holdings(player, structure) for player, _ in split]
    for number, hands in enumerate(held, 1):
        if not hands:
            raise RangeError(f"player {number} can hold nothing: his range is empty")
    fixed = [card for hands in held if len(hands) == 1 for hand in hands for card in read_cards(hand)]
    check_distinct([*lying, *gone, *fixed])
    check_deck(structure, [*lying, *gone, *fixed])
    left = [_possible(number, hands, lying, gone, fixed) for number, hands in enumerate(held, 1)]
    spot = Spot(structure, tuple(left), lying, gone)
    cards = len(structure.deck) - len(lying) - len(gone) - sum(spot.sizes)
    if cards < spot.to_come + sum(spot.needs):
        raise EquityError(
            f"{cards} cards are left, and {len(players)} players of {structure.name} need "
            f"{spot.to_come + sum(spot.needs)} more"
        )
    return spot


def _check_board(structure: Structure, board: Sequence[Card]) -> None:
    sizes = sorted({*structure.common_by})
    if len(board) in sizes:
        return
    if sizes == [0]:
        raise EquityError(f"{structure.name} has no board, and {len(board)} cards of one are given")
    raise EquityError(f"a board of {structure.name} has {', '.join(map(str, sizes))} cards, not {len(board)}")


def _thrown_away(player: Any, structure: Structure) -> tuple[Any, tuple[Card, ...]]:
    """What somebody goes on with, and what is thrown away of a hand, which nobody gets any more."""
    if not isinstance(player, str) or "/" not in player or not structure.draws:
        return player, ()
    staying, _, thrown = player.partition("/")
    cards, held = read_known(thrown), read_known(staying)
    own = structure.own_by[-1]
    if len(held) + len(cards) > own:
        raise RangeError(f"{player!r} is no hand of {structure.name}: it has {len(held) + len(cards)} cards, not {own}")
    return staying.strip() or "random", cards


def _possible(
    number: int, hands: dict[str, Fraction], lying: Sequence[Card], gone: Sequence[Card], fixed: Sequence[Card]
) -> dict[str, Fraction]:
    """The hands whose cards nobody else has; it is said where they are if none is left."""
    if len(hands) == 1:
        return hands
    places = {"on the board": set(lying), "dead": set(gone), "in the only hand of another player": set(fixed)}
    taken = set().union(*places.values())
    left = {hand: weight for hand, weight in hands.items() if taken.isdisjoint(read_cards(hand))}
    if not left:
        why = [
            place for place, cards in places.items() if any(not cards.isdisjoint(read_cards(hand)) for hand in hands)
        ]
        raise RangeError(
            f"player {number} can hold nothing: every hand of his range has a card that is {', or '.join(why)}"
        )
    return left
