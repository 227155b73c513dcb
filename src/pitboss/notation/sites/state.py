"""A hand of a site's text as far as it has been read: players, chips, cards, and what was done in which order."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

from pitboss.cards import UNKNOWN, Card
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from pitboss.notation.chips import Amount
from pitboss.notation.found import Note, ReadError
from pitboss.notation.sites.amounts import Clock, read_amount, whole

Phase = Literal["seats", "play", "show", "summary"]


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
    cashed_out: Amount = 0  #: what the house paid him for his part of the pot
    folded: bool = False
    shown: bool = False  #: at the showdown
    mucked: bool = False
    first: tuple[Card, ...] = ()  #: the cards of the first street, in games where some are changed
    own: list[Card] = field(default_factory=list)  #: his cards in the order they were dealt
    owed: int = 0  #: how many cards he is still to get for those he has changed
    dealt: bool = False  #: has a line `Dealt to`
    shows: bool = False  #: turns cards up without need


class ActionEntry(Struct):
    """One entry of the record's actions: of a player, or of the dealer, who puts cards on the board.

    Cards that are dealt from one index of a player's own on are looked up when the record is made, because a text
    may show them later.
    """

    verb: str
    player: Player | None = None
    cards: tuple[Card, ...] = ()
    total: Amount = 0
    start: int = -1


class HandSoFar(Struct):
    """A hand as far as it has been read."""

    lenient: bool = False
    line: int = 0  #: the number of the line that is being read
    notes: list[Note] = field(default_factory=list)
    # what the head says
    venue: str = ""
    structure: Structure = NO_LIMIT_HOLDEM
    number: int | str = 0
    event: str = ""  #: a tournament with its buy-in
    level: int | None = None
    clock: Clock = Clock()
    symbol: str = ""
    currency: str = ""
    small: Amount = 0  #: the small blind; in limit games the most it can be
    big: Amount = 0  #: the big blind, in limit games and studs the small bet
    big_bet: Amount = 0  #: in limit games
    marks: dict[str, str] = field(default_factory=dict)  #: what only this site says
    # the table
    table: str | None = None
    seat_count: int | None = None
    button: int = -1  #: its seat; below zero where none is named
    players: list[Player] = field(default_factory=list)
    by_name: dict[str, Player] = field(default_factory=dict)
    # the play
    phase: Phase = "seats"
    section: str = "seats"  #: as the text calls it
    street: int = -1
    entries: list[ActionEntry] = field(default_factory=list)
    boards: list[tuple[Card, ...]] = field(default_factory=lambda: [()])
    common: int = -1  #: how many cards all boards share; below zero while there is one board
    again: list[ActionEntry] = field(default_factory=list)  #: the cards of the second board and those after it
    changing: list[Player] = field(default_factory=list)  #: who has changed cards in the present draw
    drawn: int = -1  #: the last street on which cards were changed
    small_posted: bool = False
    big_posted: bool = False
    bring_in: Amount = 0
    asked: Amount = 0  #: the highest live total of this street
    pot: Amount = 0
    dropped: Amount = 0  #: what the house put into the pot
    returned: bool = False  #: whether the text says that an uncalled bet came back
    beyond: Amount = 0  #: what a bet of an earlier street had beyond the next highest
    bettor: Player | None = None  #: whose that was
    open_pair: bool = False  #: whether a pair that lies up makes bets double
    total: Amount | None = None
    rake: Amount = 0


def amount_in(hand: HandSoFar, text: str) -> Amount:
    """An amount in the hand's currency."""
    return read_amount(text, hand.symbol)


def mend(hand: HandSoFar, sentence: str) -> None:
    """Note what lenient reading passes over or puts right; strict reading refuses it."""
    if not hand.lenient:
        raise ReadError(sentence)
    hand.notes.append(Note(hand.line, sentence))


def add_player(hand: HandSoFar, seat: int, name: str, stack: Amount, *, marked: bool = False) -> Player:
    """Seat somebody; `marked` where the text says that he sits out."""
    if name in hand.by_name or any(seat == player.seat for player in hand.players):
        raise ReadError("this seat or name is there already")
    player = Player(seat, name, stack, marked=marked, left=stack)
    player.own = [UNKNOWN] * hand.structure.streets[0].own
    hand.players.append(player)
    hand.by_name[name] = player
    return player


def split_name(hand: HandSoFar, text: str, mark: str) -> tuple[Player | None, str]:
    """Whose line this is and what follows his name and the mark, where names may hold the mark themselves.

    >>> hand = HandSoFar()
    >>> split_name(hand, "a: b: folds", ": ")[1], add_player(hand, 1, "a: b", 5).name
    ('', 'a: b')
    >>> split_name(hand, "a: b: folds", ": ")[1]
    'folds'
    """
    best = ""
    at = text.find(mark)
    while at >= 0:
        if text[:at] in hand.by_name:
            best = text[:at]
        at = text.find(mark, at + 1)
    return (hand.by_name[best], text[len(best) + len(mark) :]) if best else (None, "")


def note_uncalled(hand: HandSoFar) -> None:
    """At the end of a street, remember what its highest bet had beyond the next: texts of old do not say it."""
    if hand.asked and not hand.returned and len(hand.players) > 1:
        *_, second, first = sorted(hand.players, key=lambda player: player.street)
        if first.street > second.street:
            hand.beyond, hand.bettor = first.street - second.street, first


def usual_bring_in(hand: HandSoFar) -> Amount:
    """The bring-in where nobody is seen to pay all of it: three tenths of the small bet, as on PokerStars."""
    return whole(Decimal(hand.big) * 3 / 10)


def in_play(hand: HandSoFar) -> list[Player]:
    """Who has cards and has not given them up."""
    return [player for player in hand.players if player.involved and not player.folded]


def clockwise(hand: HandSoFar) -> list[Player]:
    """Who takes part, from the button's left on."""
    playing = sorted((player for player in hand.players if player.involved), key=lambda player: player.seat)
    return [p for p in playing if p.seat > hand.button] + [p for p in playing if p.seat <= hand.button]
