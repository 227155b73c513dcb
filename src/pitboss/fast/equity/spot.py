"""The spot that an equity is asked for: what each player may hold, what is open, what is dead, what is still to
come.

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
from pitboss.fast.equity.any_game_loops import Holdings, Missing
from pitboss.fast.equity.forms import Form, why_not
from pitboss.fast.equity.holdem_loops import BOARD, MOST_PLAYERS, Ranges
from pitboss.fast.equity.ranges import FINEST, Range, RangeError, combo, read_holdings, read_range, read_weight
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
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
    if hand.structure.common_by[-1] == 0 and hand.board:
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
    return held[0] + "X" if hand.structure.own_by[-1] == 2 and len(held) == 1 else "".join(held)


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
