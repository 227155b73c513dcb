"""The interface of every game: two protocols.

A `Game` is an immutable state of one game. A `GameType` has what all games of a type share: it starts a game, reads and
writes actions and events, hides information in events, and computes the result. Code that plays, hosts, records or
shows games depends only on these protocols.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.errors import PitbossError


class NoSuchPlace(PitbossError, ValueError):
    """A place that does not exist in the game.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand.view(5)
    Traceback (most recent call last):
    pitboss.NoSuchPlace: place: expected 0 to 1, or None for a spectator, got 5
    """


class PlayersTurn(Struct, frozen=True):
    """A player has to act.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand.turn
    PlayersTurn(place=1)
    """

    place: int


class ChancesTurn(Struct, frozen=True):
    """Cards have to be dealt by an action.

    >>> from pitboss import Hand, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    >>> hand, events = Hand.start("no_limit_holdem", stacks=(50, 50), stakes=stakes)
    >>> hand.turn
    ChancesTurn()
    """


class Over(Struct, frozen=True):
    """The game is over.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act("fold")
    >>> hand.turn
    Over()
    """


Turn: TypeAlias = PlayersTurn | ChancesTurn | Over


# --- what one place sees of a game, as data for drawing and for programs

ZoneLayout = Literal["fan", "pile", "row", "trick"]
"""How to draw a zone.

A `fan` is a hand, and a `row` has cards next to each other. In a `pile` the last card is on top; the cards below it may
be left out. In a `trick` each card names the seat that played it.
"""
SeatStatus = Literal["in", "folded", "all_in", "out"]


class TableSeat(Struct, frozen=True, kw_only=True):
    """A seat at the table. A game without chips has no stacks and bets, and a game without points has no scores."""

    seat: int  #: its number
    role: str | None  #: such as `dealer`, `starter` or a role of the game
    status: SeatStatus  #: `out`: it is not in this deal, because it has nothing left to play with
    stack: int | None  #: its chips, without its bets
    bet: int | None  #: its bet in this round of betting
    score: int | None  #: its points
    facts: tuple[str, ...]  #: anything else, such as `2 tricks`


class ZoneCard(Struct, frozen=True):
    """A card in a trick. A `card` of None is face down, and a `seat` of None is not known."""

    card: str | None
    seat: int | None


class TableZone(Struct, frozen=True, kw_only=True):
    """A place for cards. A card of None is face down. `count` is the number of cards, also of those left out."""

    name: str  #: the same in all games with such a zone, such as `hand`, `trick`, `board`, `discards` or `deck`
    title: str  #: its name for people
    seat: int | None  #: the seat it belongs to; null: it belongs to all
    layout: ZoneLayout  #: how to draw it; in a `pile` the last card is on top
    cards: tuple[str | ZoneCard | None, ...]  #: null is a face-down card; in a `trick` `{"card": …, "seat": …}`
    count: int  #: the number of cards; a pile can list only the top card


class TablePot(Struct, frozen=True):
    """Chips in the middle, with the bets of this round, and the seats that can win them."""

    amount: int  #: its chips, with the bets of this round
    seats: tuple[int, ...]  #: the seats that can win it


class TableFact(Struct, frozen=True):
    """Anything else that all see, such as `Round` and `3 of 13`."""

    title: str  #: such as `Round`
    text: str  #: such as `3 of 13`


class TableMove(Struct, frozen=True, kw_only=True):
    """A legal move. `index` is its number in `legal`.

    A move with an amount between two legal moves has `least` and `most`. Its `index` is that of the smallest.

    >>> from pitboss.client import TableMove
    >>> move = TableMove(index=3, text="play 8♥", cards=("8h",), zone="hand", move="play 8h", least=None, most=None)
    >>> move.text, move.cards
    ('play 8♥', ('8h',))
    """

    index: int  #: its number in `legal`
    text: str  #: the move in words
    cards: tuple[str, ...]  #: the cards that it uses, if it uses any
    zone: str | None  #: the zone of these cards, or the zone that it takes a card from
    move: Any  #: as in `legal`
    least: int | None  #: the smallest amount, if it has an amount
    most: int | None  #: the largest amount


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game as one place, or a spectator, sees it. It has no hidden information.

    >>> from pitboss import Chance, PokerType, Stakes, blinds
    >>> from pitboss.client import TableView
    >>> poker = PokerType("no_limit_holdem", stacks=(50, 50), stakes=Stakes(min_bet=2, posts=blinds(2, 1, 2)))
    >>> hand, events = poker.start(2, Chance(7))
    >>> table: TableView = poker.table_view(hand, 1)
    >>> table.turn, [move.text for move in table.moves or ()]
    (1, ['fold', 'call 1', 'raise to 4–50'])
    """

    game: str  #: the name of the game
    title: str  #: its name for people
    turn: int | None  #: the seat to act; null: none
    seats: tuple[TableSeat, ...]  #: the seats in this game, in the order of play
    zones: tuple[TableZone, ...]  #: the places for cards
    pots: tuple[TablePot, ...]  #: the chips in the middle
    facts: tuple[TableFact, ...]  #: anything else that all see
    prompt: str | None = None  #: what you must decide now; absent: nothing
    moves: tuple[TableMove, ...] | None = None  #: what you can do now; absent if it is not your turn
    winners: tuple[int, ...] | None = None  #: the winners; absent until the game is over, and in poker
    legend: tuple[TableFact, ...] = ()  #: what the visible cards mean, in games with cards of their own


def at_seats(table: TableView, seats: Sequence[int]) -> TableView:
    """Return the view with the number of a seat for each place."""

    def moved(card: str | ZoneCard | None) -> str | ZoneCard | None:
        return ZoneCard(card.card, _at(seats, card.seat)) if isinstance(card, ZoneCard) else card

    return replace(
        table,
        turn=_at(seats, table.turn),
        seats=tuple([replace(seat, seat=seats[seat.seat]) for seat in table.seats]),
        zones=tuple(
            [replace(zone, seat=_at(seats, zone.seat), cards=tuple(map(moved, zone.cards))) for zone in table.zones]
        ),
        pots=tuple([TablePot(pot.amount, tuple([seats[place] for place in pot.seats])) for pot in table.pots]),
        winners=None if table.winners is None else tuple([seats[place] for place in table.winners]),
    )


def open_table(tables: Sequence[TableView], spectators: TableView) -> TableView:
    """Return what spectators see of a game that is over, with the cards that each place saw. `tables` has every place.

    A zone of a seat is taken from that seat's view.
    """
    zones = []
    for at, zone in enumerate(spectators.zones):
        seen = [table.zones[at] for table in tables]
        if zone.seat is not None:
            zones.append(seen[zone.seat])
        else:
            rows = zip(*[view.cards for view in seen], strict=True)
            zones.append(replace(zone, cards=tuple([next(filter(_is_face_up, row), row[0]) for row in rows])))
    legend = tuple(dict.fromkeys([entry for table in tables for entry in table.legend]))
    return replace(spectators, zones=tuple(zones), legend=legend)


def action_mask(count: int, numbered: Mapping[int, object]) -> tuple[bool, ...]:
    """Return which of all numbered actions are legal.

    >>> action_mask(4, {0: "fold", 2: "call"})
    (True, False, True, False)
    """
    return tuple([number in numbered for number in range(count)])


def _is_face_up(card: str | ZoneCard | None) -> bool:
    """Return whether a card of a zone is face up."""
    return (card.card if isinstance(card, ZoneCard) else card) is not None


def _at(seats: Sequence[int], place: int | None) -> int | None:
    return None if place is None else seats[place]


class Game(Protocol):
    """An immutable state of a game. A loop that plays a game matches on `turn` in each step.

    >>> from pitboss import Game, Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> game: Game = hand
    >>> game.turn, len(game.legal())
    (PlayersTurn(place=1), 4)
    """

    @property
    def turn(self) -> Turn: ...

    @property
    def offer(self) -> Any:
        """What the player to act can do."""

    def legal(self) -> tuple[Any, ...]:
        """Return the legal actions. Bets and raises have only the smallest and the largest size."""

    def act(self, action: Any, place: int | None = None) -> tuple[Self, tuple[Any, ...]]:
        """Return the state after an action, and its events. Raise an error if the action is not legal."""

    def view(self, place: int | None) -> Self:
        """Return the state as a place can see it, or as a spectator can if `place` is None."""


G = TypeVar("G", bound=Game)
A = TypeVar("A")
E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)


class Narration(Protocol[E_contra]):
    """Tells one game in sentences. It remembers earlier events, so it must receive all of them, in order."""

    def tell(self, events: Sequence[E_contra]) -> list[tuple[int, str]]:
        """Return sentences about new events, as their place may see them, each with the index of its first event."""


class GameType(Protocol[G, A, E]):
    """A type of game.

    >>> from pitboss import Chance, GameType, PokerType, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    >>> kind: GameType = PokerType("no_limit_holdem", stacks=(50, 50), stakes=stakes)
    >>> hand, events = kind.start(2, Chance(7))
    >>> kind.default_action(hand)
    Fold()
    """

    @property
    def name(self) -> str:
        """The name of the game, such as `no_limit_holdem`, `leduc` or `sting`."""

    @property
    def places(self) -> range:
        """The numbers of players that the game allows."""

    def start(self, places: int, chance: Chance) -> tuple[G, tuple[E, ...]]:
        """Return a new game and its first events. All randomness is from `chance`."""

    def write_action(self, action: A) -> bytes:
        """Return an action as JSON."""

    def read_action(self, written: bytes | str) -> A:
        """Return the action in JSON. Raise a `PitbossError` if it is invalid."""

    def write_event(self, event: E) -> bytes:
        """Return an event as JSON."""

    def read_event(self, written: bytes | str) -> E:
        """Return the event in JSON. Raise a `PitbossError` if it is invalid."""

    def view_event(self, event: E, place: int | None) -> E | None:
        """Return an event as a place can see it, or as a spectator can if `place` is None. The result may be None."""

    def table_view(self, game: G, place: int | None) -> TableView:
        """Return what a place, or a spectator if `place` is None, sees. Seats have the numbers of places."""

    def describe(self, game: G, place: int | None, names: Sequence[str] = ()) -> str:
        """Return in words what a place, or a spectator if `place` is None, sees. `names` has the name of each place."""

    def narrator(self, place: int | None, names: Sequence[str] = ()) -> "Narration[E]":
        """Return what tells one game to a place, or a spectator, in sentences."""

    def rules(self) -> str:
        """Return the rules in English."""

    @property
    def action_count(self) -> int:
        """The number of actions in the game's fixed numbering, from 0."""

    def numbered(self, game: G) -> dict[int, A]:
        """Return the legal actions by their fixed numbers; of bets and raises only those of a menu of sizes.

        It is empty unless a player has to act. A state is immutable, so it is its own copy.
        """

    @property
    def observation_size(self) -> int:
        """The number of numbers in an observation."""

    def observe(self, game: G, place: int | None) -> tuple[float, ...]:
        """Return what a place, or a spectator if `place` is None, sees, as numbers."""

    def default_action(self, game: G) -> A:
        """Return the action for a player who does not answer in time."""

    def result(self, game: G) -> tuple[int, ...]:
        """Return what each place has won or lost, in chips or points. The game must be over."""
