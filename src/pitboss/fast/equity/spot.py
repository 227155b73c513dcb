"""The spot of an equity calculation: what each player may hold, the board, the dead cards and the cards to come.

It is read from hands and ranges, or from a hand in progress. Invalid spots are refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, prod
from typing import Any, NamedTuple

from pitboss.cards import DECK, Card, CardError, check_distinct, is_known, read_cards
from pitboss.chance import MOST as CHANCES
from pitboss.fast.arrays import card_numbers
from pitboss.fast.equity.answers import EquityError
from pitboss.fast.equity.holdem_loops import MOST_PLAYERS
from pitboss.fast.equity.ranges import FINEST, RangeError, as_range, read_holdings
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.ranks.orders import ORDERS

MOST_RANKINGS = 2


class EquityCase(NamedTuple):
    """What each player may hold in a game, and the known cards."""

    structure: Structure
    hands: tuple[dict[str, Fraction], ...]  #: by player, holdings of one size with their weights
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    taken: int  #: the number of cards that are on the board, dead, or in the only hand of a player

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of known cards of each player."""
        return tuple([len(next(iter(held))) // 2 for held in self.hands])

    @property
    def needs(self) -> tuple[int, ...]:
        """The number of cards that each player still gets."""
        return tuple([self.structure.hole_by_street[-1] - size for size in self.sizes])

    @property
    def to_come(self) -> int:
        """The number of board cards still to come."""
        return self.structure.board_by_street[-1] - len(self.board)

    @property
    def completions(self) -> int:
        """The number of ways to complete a deal of known cards."""
        left = len(self.structure.deck) - len(self.board) - len(self.dead) - sum(self.sizes)
        ways = comb(left, self.to_come)
        left -= self.to_come
        for need in self.needs:
            ways, left = ways * comb(left, need), left - need
        return ways

    @property
    def most_deals(self) -> int:
        """An upper bound of the number of deals."""
        return prod([len(held) for held in self.hands])

    @property
    def absent(self) -> tuple[int, ...]:
        """The numbers of the cards that are dead or not in the deck."""
        known = self.structure.all_cards
        missing = [card for card in DECK if card not in known] if len(known) < len(DECK) else []
        return card_numbers((*self.dead, *missing))

    @property
    def gone(self) -> int:
        """The cards that no player can get, as bits: on the board, dead, or not in the deck."""
        return as_bits((*card_numbers(self.board), *self.absent))

    @property
    def is_holdem(self) -> bool:
        """Whether hands and board are those of hold'em, with the full or the short deck."""
        return has_two_hole_cards(self.structure)


class DealGroup(NamedTuple):
    """Deals with the same weight; `times` has the number of deals that each stands for."""

    weight: Fraction
    total: int
    deals: Any  #: one row per deal
    times: Any


def has_two_hole_cards(structure: Structure) -> bool:
    """Return whether the best five of two hole cards and a board of five win the whole pot."""
    cards = structure.hole_by_street[-1] == 2 and structure.board_by_street[-1] == 5
    cards = cards and not structure.draws and not structure.wild
    [ranking, *others] = structure.showdown
    return cards and not others and ORDERS[ranking.order].tables is not None and not ranking.from_two


def as_bits(cards: Iterable[int]) -> int:
    """Return card numbers as the bits of one number."""
    return sum([1 << card for card in cards])


def weight_bounds(held: Mapping[str, Fraction]) -> list[int]:
    """Return the running sums of a player's weights as whole numbers. Weights with too many digits are rounded."""
    different = {*held.values()}
    if different == {1}:
        return list(range(1, len(held) + 1))
    scale = lcm(*[weight.denominator for weight in different])
    scale = scale if scale * len(held) <= CHANCES else FINEST
    return list(accumulate([round(weight * scale) for weight in held.values()]))


# --- reading


def read_spot(
    players: Sequence[Any], board: str | Iterable[Card], dead: str | Iterable[Card], structure: Structure
) -> EquityCase:
    """Return the spot that the arguments describe; raise an error if no deal is possible."""
    _check_game(structure)
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise EquityError(f"players: expected 2 to {MOST_PLAYERS}, got {len(players)}")
    lying, gone = read_known(board), read_known(dead)
    _check_board(structure, lying)
    split = [_thrown_away(player, structure) for player in players]
    gone += tuple([card for _, thrown in split for card in thrown])
    if has_two_hole_cards(structure):
        held = [as_range(player, structure.deck) for player, _ in split]
    else:
        held = [read_holdings(player, structure) for player, _ in split]
    for number, hands in enumerate(held, 1):
        if not hands:
            raise RangeError(f"player {number}: expected at least one hand, but the range is empty")
    fixed = [card for hands in held if len(hands) == 1 for hand in hands for card in _cards_of(hand)]
    known = [*lying, *gone, *fixed]
    check_distinct(known)
    for card in known:
        if card not in structure.all_cards:
            raise CardError(f"card {card} is not in the deck of {structure.name}")
    left = [_possible(number, hands, lying, gone, fixed) for number, hands in enumerate(held, 1)]
    spot = EquityCase(structure, tuple(left), lying, gone, len(known))
    cards = len(structure.deck) - len(lying) - len(gone) - sum(spot.sizes)
    if cards < spot.to_come + sum(spot.needs):
        raise EquityError(
            f"{structure.name}: {len(players)} players need {spot.to_come + sum(spot.needs)} more cards, "
            f"but the deck has only {max(0, cards)} left"
        )
    return spot


def _check_game(structure: Structure) -> None:
    """Refuse games whose showdowns the loops cannot rank."""
    why = None
    cards = structure.hole_by_street[-1] + structure.board_by_street[-1]
    if len(structure.showdown) > MOST_RANKINGS:
        why = f"expected pots split into at most {MOST_RANKINGS} parts, got {len(structure.showdown)}"
    for ranking in structure.showdown:
        order = ORDERS[ranking.order]
        if order.loop is None:
            continue  # ranked in plain Python
        if order.loop_cards is not None and cards > order.loop_cards:
            why = f"expected hands of at most {order.loop_cards} cards with the order {ranking.order}, got {cards}"
        elif ranking.from_two and not order.counted_from_two:
            why = f"the order {ranking.order} is not supported with exactly two hole cards"
    if why is not None:
        raise EquityError(f"cannot compute equities of {structure.name}: {why}")


def _check_board(structure: Structure, board: Sequence[Card]) -> None:
    sizes = sorted({*structure.board_by_street})
    if len(board) in sizes:
        return
    if sizes == [0]:
        raise EquityError(f"{structure.name} has no board: expected no board cards, got {len(board)}")
    raise EquityError(f"board of {structure.name}: expected {', '.join(map(str, sizes))} cards, got {len(board)}")


def _thrown_away(player: Any, structure: Structure) -> tuple[Any, tuple[Card, ...]]:
    """Return the cards that a player keeps, and the cards that they discard, which no player can get."""
    if not isinstance(player, str) or "/" not in player or not structure.draws:
        return player, ()
    staying, _, thrown = player.partition("/")
    cards, held = read_known(thrown), read_known(staying)
    own = structure.hole_by_street[-1]
    if len(held) + len(cards) > own:
        raise RangeError(f"{structure.name}: expected {own} cards, got {len(held) + len(cards)}, {player!r}")
    return staying.strip() or "random", cards


def _possible(
    number: int, hands: dict[str, Fraction], lying: Sequence[Card], gone: Sequence[Card], fixed: Sequence[Card]
) -> dict[str, Fraction]:
    """Return the hands of a range that are possible with the known cards; raise an error if there are none."""
    if len(hands) == 1:
        return hands
    places = {"on the board": set(lying), "dead": set(gone), "in the only hand of another player": set(fixed)}
    taken = set().union(*places.values())
    left = {hand: weight for hand, weight in hands.items() if taken.isdisjoint(_cards_of(hand))}
    if not left:
        why = [place for place, cards in places.items() if not all(cards.isdisjoint(_cards_of(hand)) for hand in hands)]
        raise RangeError(
            f"player {number}: no hand of the range is possible: each has a card that is {', or '.join(why)}"
        )
    return left


def _cards_of(hand: str) -> list[Card]:
    """Return the cards of a hand written together."""
    return [hand[i : i + 2] for i in range(0, len(hand), 2)]


def read_known(given: str | Iterable[Card]) -> tuple[Card, ...]:
    """Return known cards, given as text or one by one."""
    if not isinstance(given, Iterable):
        raise CardError(f"expected cards as text, such as Ks7d2c, got {given!r}")
    cards = read_cards(given.replace(",", " ")) if isinstance(given, str) else tuple(given)
    for card in cards:
        if not is_known(card):
            raise CardError(f"expected a known card such as As, got {card!r}")
    return cards


# --- a hand in progress


class CardsInPlay(NamedTuple):
    """The places in the calculation, their possible hands, and every board with its dead cards."""

    places: tuple[int, ...]
    players: tuple[Any, ...]
    boards: tuple[tuple[Card, ...], ...]
    dead: tuple[tuple[Card, ...], ...]


def read_hand(
    hand: Hand,
    places: Iterable[int] | None = None,
    ranges: Mapping[int, Any] | None = None,
    discards: Mapping[int, str | Iterable[Card]] | None = None,
) -> CardsInPlay:
    """Return the calculation for a hand in progress, for all live places or some of them.

    These places keep their known cards, and the known cards of all other places are dead. A place with
    unknown cards may hold any cards, or those of its entry in `ranges`. In a draw game every place keeps its cards,
    except its `discards`.
    """
    count = len(hand.holes)
    for place in {*(ranges or {}), *(discards or {}), *(places or ())}:
        if type(place) is not int or place not in hand.round.live:
            raise EquityError(f"expected a place in the hand, {', '.join(map(str, hand.round.live))}, got {place!r}")
    taking = tuple(hand.round.live if places is None else dict.fromkeys(places))
    if hand.structure.board_by_street[-1] == 0 and hand.board:
        raise EquityError("cannot compute equities of a stud hand in which all players share the last card")
    held = {place: tuple(filter(is_known, hand.holes[place])) for place in range(count)}
    thrown: list[Card] = []
    for place, cards in (discards or {}).items():
        going = read_known(cards)
        if not hand.structure.draws or not {*going} <= {*held[place]}:
            raise EquityError(
                f"discards of place {place}: expected some of its cards, {''.join(held[place])}, got {''.join(going)}"
            )
        held[place] = tuple([card for card in held[place] if card not in going])
        thrown += going
    out = [card for place in range(count) if place not in taking for card in held[place]]
    given_away = [] if hand.draw is None else list(filter(is_known, (*hand.draw.discards, *hand.draw.open)))
    gone = (*out, *thrown, *given_away)
    boards = _boards(hand)
    dead = tuple([(*gone, *_elsewhere(boards, number)) for number in range(len(boards))])
    players = tuple([(ranges or {}).get(place, _cards(hand, held[place])) for place in taking])
    return CardsInPlay(taking, players, boards, dead)


def _cards(hand: Hand, held: Sequence[Card]) -> str:
    """Return the known cards of a player as a range."""
    if not held:
        return "random"
    return held[0] + "X" if hand.structure.hole_by_street[-1] == 2 and len(held) == 1 else "".join(held)


def _boards(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """Return the boards of the showdown, one per run. A run that is not dealt yet has only the common cards."""
    if hand.runs is None:
        return (hand.board, *hand.more_boards)
    begun = [*hand.runs.boards, hand.board]
    return (*begun, *[hand.board[: hand.runs.common]] * ((hand.runs.chosen or hand.stakes.runs) - len(begun)))


def _elsewhere(boards: Sequence[tuple[Card, ...]], number: int) -> list[Card]:
    """Return the cards of the other boards."""
    others = {card: None for other, board in enumerate(boards) if other != number for card in board}
    return [card for card in others if card not in boards[number]]
