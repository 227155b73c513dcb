"""A PokerStars hand as far as it has been read: the players, their chips and cards, what was done in which order."""

from msgspec import Struct, field

from pitboss.cards import Card, CardError, check_distinct, is_known, read_cards
from pitboss.notation.chips import Amount
from pitboss.notation.pokerstars.text import HandHeader, PokerStarsError, PrintedStakes, read_amount

UNKNOWN_HOLE = ("??", "??")


class Player(Struct, eq=False):
    """Somebody in a seat, and all that has been read of him."""

    seat: int
    name: str
    start: Amount
    marked: bool = False  #: said to sit out
    involved: bool = False  #: posts, is dealt cards, acts or wins
    ante: Amount = 0
    blind: Amount = 0  #: as the stakes have it, even where he could not pay it all; below zero: out of turn
    dead: Amount = 0
    left: Amount = 0
    street: Amount = 0  #: live chips of this street
    won: Amount = 0
    folded: bool = False
    shown: bool = False  #: at the showdown
    mucked: bool = False
    hole: tuple[Card, ...] = UNKNOWN_HOLE
    dealt: bool = False  #: has a line `Dealt to`
    shows: bool = False  #: turns cards up without need


class ActionEntry(Struct):
    """One entry of the record's actions: of a player, or of the dealer, who puts cards on the board."""

    verb: str
    player: Player | None = None
    cards: tuple[Card, ...] = ()
    total: Amount = 0


class HandSoFar(Struct):
    """A hand as far as it has been read."""

    head: HandHeader
    stakes: PrintedStakes
    table: str | None = None
    seat_count: int | None = None
    money: str = ""
    button: int = -1
    players: list[Player] = field(default_factory=list)
    names: list[tuple[str, Player]] = field(default_factory=list)  #: the longest first
    entries: list[ActionEntry] = field(default_factory=list)
    board: tuple[Card, ...] = ()
    section: str = "seats"
    small_posted: bool = False
    big_posted: bool = False
    asked: Amount = 0  #: the highest live total of this street
    pot: Amount = 0
    total: Amount | None = None
    rake: Amount = 0


def clockwise(hand: HandSoFar) -> list[Player]:
    """Who takes part, from the button's left on."""
    playing = sorted((player for player in hand.players if player.involved), key=lambda player: player.seat)
    return [p for p in playing if p.seat > hand.button] + [p for p in playing if p.seat <= hand.button]


def amount_in(hand: HandSoFar, text: str) -> Amount:
    """An amount in the hand's currency."""
    return read_amount(text, hand.stakes.symbol)


def learn(player: Player, cards: tuple[Card, ...]) -> None:
    """Take cards for a player's own; they must agree with what was known of them."""
    known = [card for card in player.hole if is_known(card)]
    if not 0 < len(cards) <= len(player.hole):
        raise PokerStarsError(f"{len(cards)} cards are no hole cards")
    fewer, more = sorted((known, list(cards)), key=len)
    if not set(fewer) <= set(more):
        raise PokerStarsError(f"{player.name} had {' '.join(known)} before")
    if len(cards) > len(known):
        player.hole = (*cards, *UNKNOWN_HOLE)[: len(UNKNOWN_HOLE)]


def known_cards(text: str) -> tuple[Card, ...]:
    """Known cards, none of them twice."""
    try:
        cards = read_cards(text)
        check_distinct(cards)
    except CardError as error:
        raise PokerStarsError(str(error)) from None
    if not all(map(is_known, cards)):
        raise PokerStarsError("half a card")
    return cards
