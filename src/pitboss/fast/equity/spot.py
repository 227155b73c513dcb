"""The spot that an equity is asked for: what each player may hold, what is open, what is dead, what is still to come.

It is read from hands and ranges as a caller gives them, or from a hand in progress; what cannot be is refused.
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


class Spot(NamedTuple):
    """Who may hold what in a game, on which board."""

    structure: Structure
    hands: tuple[dict[str, Fraction], ...]  #: by player, cards written together, all of a player's as many
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    taken: int  #: how many cards of the deck are open, dead, or in the only hand that a player was given

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cards of each player are known."""
        return tuple([len(next(iter(held))) // 2 for held in self.hands])

    @property
    def needs(self) -> tuple[int, ...]:
        """How many cards each player is still to get."""
        return tuple([self.structure.hole_by_street[-1] - size for size in self.sizes])

    @property
    def to_come(self) -> int:
        """How many cards are still to come to the board."""
        return self.structure.board_by_street[-1] - len(self.board)

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
        """The cards as bits that nobody can get: on the board, dead, or not in the deck."""
        return as_bits((*card_numbers(self.board), *self.absent))

    @property
    def is_holdem(self) -> bool:
        """Whether the game is hold'em as far as its cards go, with the whole deck or the short one."""
        return has_two_hole_cards(self.structure)


class DealGroup(NamedTuple):
    """Deals that come equally often; each stands for as many as its entry in `times` says."""

    weight: Fraction
    total: int
    deals: Any  #: one row per deal
    times: Any


def has_two_hole_cards(structure: Structure) -> bool:
    """Whether hands are two hole cards and a board of five, and the best five of these seven win all."""
    cards = structure.hole_by_street[-1] == 2 and structure.board_by_street[-1] == 5 and not structure.draws
    [ranking, *others] = structure.showdown
    return cards and not others and ORDERS[ranking.order].tables is not None and not ranking.from_two


def as_bits(cards: Iterable[int]) -> int:
    """Card numbers as the bits of one number."""
    return sum([1 << card for card in cards])


def weight_bounds(held: Mapping[str, Fraction]) -> list[int]:
    """A player's weights added up as whole numbers; those too fine for one draw are rounded to millionths."""
    different = {*held.values()}
    if different == {1}:
        return list(range(1, len(held) + 1))
    scale = lcm(*[weight.denominator for weight in different])
    scale = scale if scale * len(held) <= CHANCES else FINEST
    return list(accumulate([round(weight * scale) for weight in held.values()]))


# --- reading


def read_spot(
    players: Sequence[Any], board: str | Iterable[Card], dead: str | Iterable[Card], structure: Structure
) -> Spot:
    """Read who holds what in a game, and refuse what cannot be."""
    _check_game(structure)
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise EquityError(f"an equity is asked for 2 to {MOST_PLAYERS} players, not for {len(players)}")
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
            raise RangeError(f"player {number} can hold nothing: his range is empty")
    fixed = [card for hands in held if len(hands) == 1 for hand in hands for card in _cards_of(hand)]
    known = [*lying, *gone, *fixed]
    check_distinct(known)
    for card in known:
        if card not in structure.all_cards:
            raise CardError(f"card {card} is not in the deck of {structure.name}")
    left = [_possible(number, hands, lying, gone, fixed) for number, hands in enumerate(held, 1)]
    spot = Spot(structure, tuple(left), lying, gone, len(known))
    cards = len(structure.deck) - len(lying) - len(gone) - sum(spot.sizes)
    if cards < spot.to_come + sum(spot.needs):
        raise EquityError(
            f"{max(0, cards)} cards are left, and {len(players)} players of {structure.name} need "
            f"{spot.to_come + sum(spot.needs)} more"
        )
    return spot


def _check_game(structure: Structure) -> None:
    """Refuse games whose showdowns the loops cannot judge."""
    why = None
    cards = structure.hole_by_street[-1] + structure.board_by_street[-1]
    if len(structure.showdown) > MOST_RANKINGS:
        why = f"its pots are split into {len(structure.showdown)} parts"
    for ranking in structure.showdown:
        order = ORDERS[ranking.order]
        if order.loop is None:
            continue  # it is ranked in plain Python, as hands are
        if order.loop_cards is not None and cards > order.loop_cards:
            why = f"it finds the worst five of {cards} cards"
        elif ranking.from_two and not order.counted_from_two:
            why = f"two hole cards make a hand of the order {ranking.order} in it"
    if why is not None:
        raise EquityError(f"{structure.name} has no equities here: {why}")


def _check_board(structure: Structure, board: Sequence[Card]) -> None:
    sizes = sorted({*structure.board_by_street})
    if len(board) in sizes:
        return
    if sizes == [0]:
        raise EquityError(f"{structure.name} has no board, and {len(board)} cards of one are given")
    raise EquityError(f"a board of {structure.name} has {', '.join(map(str, sizes))} cards, not {len(board)}")


def _thrown_away(player: Any, structure: Structure) -> tuple[Any, tuple[Card, ...]]:
    """What a player goes on with, and what is thrown away of a hand, which nobody gets any more."""
    if not isinstance(player, str) or "/" not in player or not structure.draws:
        return player, ()
    staying, _, thrown = player.partition("/")
    cards, held = read_known(thrown), read_known(staying)
    own = structure.hole_by_street[-1]
    if len(held) + len(cards) > own:
        raise RangeError(f"{player!r} is no hand of {structure.name}: it has {len(held) + len(cards)} cards, not {own}")
    return staying.strip() or "random", cards


def _possible(
    number: int, hands: dict[str, Fraction], lying: Sequence[Card], gone: Sequence[Card], fixed: Sequence[Card]
) -> dict[str, Fraction]:
    """The hands whose cards nobody else has; if none is left, the error says where the cards are."""
    if len(hands) == 1:
        return hands
    places = {"on the board": set(lying), "dead": set(gone), "in the only hand of another player": set(fixed)}
    taken = set().union(*places.values())
    left = {hand: weight for hand, weight in hands.items() if taken.isdisjoint(_cards_of(hand))}
    if not left:
        why = [place for place, cards in places.items() if not all(cards.isdisjoint(_cards_of(hand)) for hand in hands)]
        raise RangeError(
            f"player {number} can hold nothing: every hand of his range has a card that is {', or '.join(why)}"
        )
    return left


def _cards_of(hand: str) -> list[Card]:
    """The cards of a hand that is written as all here are."""
    return [hand[i : i + 2] for i in range(0, len(hand), 2)]


def read_known(given: str | Iterable[Card]) -> tuple[Card, ...]:
    """Cards that are known, from text or one by one."""
    if not isinstance(given, Iterable):
        raise CardError(f"{given!r} holds no cards: write them as text, such as Ks7d2c")
    cards = read_cards(given.replace(",", " ")) if isinstance(given, str) else tuple(given)
    for card in cards:
        if not is_known(card):
            raise CardError(f"card {card!r} must be known: write a rank and a suit, such as As")
    return cards


# --- a hand in progress


class CardsInPlay(NamedTuple):
    """Who takes part, what each may hold, and each board that is dealt with the cards that are dead beside it."""

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
    """What is asked about a hand, of all who are in or of some of them.

    Cards that are known count as they are, those of others who are out are dead; who shows nothing may hold anything,
    unless `ranges` says otherwise. Where cards are changed everybody keeps his, unless `discards` says what goes.
    """
    count = len(hand.holes)
    for place in {*(ranges or {}), *(discards or {}), *(places or ())}:
        if type(place) is not int or place not in hand.round.live:
            raise EquityError(f"place {place!r} is not in the hand: in it are {', '.join(map(str, hand.round.live))}")
    taking = tuple(hand.round.live if places is None else dict.fromkeys(places))
    if hand.structure.board_by_street[-1] == 0 and hand.board:
        raise EquityError("the last card is one for all here, and such a hand has no equities")
    held = {place: tuple(filter(is_known, hand.holes[place])) for place in range(count)}
    thrown: list[Card] = []
    for place, cards in (discards or {}).items():
        going = read_known(cards)
        if not hand.structure.draws or not {*going} <= {*held[place]}:
            raise EquityError(f"place {place} cannot throw away {''.join(going)}: it holds {''.join(held[place])}")
        held[place] = tuple([card for card in held[place] if card not in going])
        thrown += going
    out = [card for place in range(count) if place not in taking for card in held[place]]
    given_away = list(filter(is_known, hand.draw.discards)) if hand.draw is not None else []
    gone = (*out, *thrown, *given_away)
    boards = _boards(hand)
    dead = tuple([(*gone, *_elsewhere(boards, number)) for number in range(len(boards))])
    players = tuple([(ranges or {}).get(place, _cards(hand, held[place])) for place in taking])
    return CardsInPlay(taking, players, boards, dead)


def _cards(hand: Hand, held: Sequence[Card]) -> str:
    """The known cards of a player as a range."""
    if not held:
        return "random"
    return held[0] + "X" if hand.structure.hole_by_street[-1] == 2 and len(held) == 1 else "".join(held)


def _boards(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    """Every board on which hands will be compared: one, or one for each run, those that have not begun as they will."""
    if hand.runs is None:
        return (hand.board,)
    begun = [*hand.runs.boards, hand.board]
    return (*begun, *[hand.board[: hand.runs.common]] * (hand.stakes.runs - len(begun)))


def _elsewhere(boards: Sequence[tuple[Card, ...]], number: int) -> list[Card]:
    """The cards of the other boards."""
    others = {card: None for other, board in enumerate(boards) if other != number for card in board}
    return [card for card in others if card not in boards[number]]
