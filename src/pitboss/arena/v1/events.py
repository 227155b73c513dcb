"""What happened in a hand, one message an event: every `ev` of protocol v1, with the cards that it opens."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from pitboss.arena.v1.base import Card, Chips, Count, Envelope, Hash, Id, Seat


def _event() -> Literal["event"]:
    return "event"


class Opening(Struct, frozen=True, kw_only=True):
    """One card opened against `commit`: its place in the deck, its salt, and the hashes beside its way to the root."""

    card: Card
    at: Annotated[int, Meta(ge=0, le=51)]
    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    path: tuple[Hash, ...]


class EventMessage(Envelope, frozen=True, kw_only=True, tag_field="ev"):
    """What happened; `ev` says what, and each has its own fields."""

    type: Literal["event"] = field(default_factory=_event)
    hand_id: Id
    seq: Count


class PostBlinds(EventMessage, frozen=True, kw_only=True, tag="POST_BLINDS"):
    """The blinds are in; the posted amounts are less than the blinds where a stack is short."""

    sb_seat: Seat
    bb_seat: Seat
    sb: Chips
    bb: Chips
    sb_posted: Chips
    bb_posted: Chips


class PaidAnte(Struct, frozen=True, kw_only=True):
    """What one seat has paid as its ante."""

    seat: Seat
    amount: Chips


class PostAntes(EventMessage, frozen=True, kw_only=True, tag="POST_ANTES"):
    """The antes are in, each less than `ante` where a stack is short."""

    ante: Chips
    posted: tuple[PaidAnte, ...]  #: what each seat really paid, from the button's left


class BringIn(EventMessage, frozen=True, kw_only=True, tag="BRING_IN"):
    """A seat brings it in: the forced first bet of stud, of `amount` chips moved now."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: the seat's time was up


class UpCard(EventMessage, frozen=True, kw_only=True, tag="UP_CARD"):
    """A seat is dealt a card face up."""

    seat: Seat
    card: Card
    opened: tuple[Opening, ...]


class DownCard(EventMessage, frozen=True, kw_only=True, tag="DOWN_CARD"):
    """In stud a seat is dealt its last card, face down: seventh street begins. Which one, only the seat is told."""

    seat: Seat


class CommunityCard(EventMessage, frozen=True, kw_only=True, tag="COMMUNITY_CARD"):
    """In stud, the deck is too short for everybody's last card: one is dealt to the middle and is everybody's."""

    card: Card
    opened: tuple[Opening, ...]


class DrawMessage(EventMessage, frozen=True, kw_only=True, tag="DRAW"):
    """A seat changes `count` cards; 0 is standing pat. Which ones, only the seat knows."""

    seat: Seat
    count: Annotated[int, Meta(ge=0, le=52)]
    auto: bool = False  #: the seat's time was up


class BetMessage(EventMessage, frozen=True, kw_only=True, tag="BET"):
    """A bet or raise: `amount` chips moved now, `to` the seat's total on this street."""

    seat: Seat
    amount: Chips
    to: Chips


class CallMessage(EventMessage, frozen=True, kw_only=True, tag="CALL"):
    """A call, of `amount` chips moved now."""

    seat: Seat
    amount: Chips
    auto: bool = False  #: the seat's time was up


class CheckMessage(EventMessage, frozen=True, kw_only=True, tag="CHECK"):
    """A check."""

    seat: Seat
    auto: bool = False  #: the seat's time was up


class FoldMessage(EventMessage, frozen=True, kw_only=True, tag="FOLD"):
    """A fold."""

    seat: Seat
    auto: bool = False  #: the seat's time was up


class Flop(EventMessage, frozen=True, kw_only=True, tag="FLOP"):
    """The first three cards in the middle."""

    cards: tuple[Card, ...]
    opened: tuple[Opening, ...]


class TurnCard(EventMessage, frozen=True, kw_only=True, tag="TURN"):
    """The fourth card."""

    card: Card
    opened: tuple[Opening, ...]


class RiverCard(EventMessage, frozen=True, kw_only=True, tag="RIVER"):
    """The fifth card."""

    card: Card
    opened: tuple[Opening, ...]


class Showdown(EventMessage, frozen=True, kw_only=True, tag="SHOWDOWN"):
    """A seat shows its cards; `rank` is what they make with the board, in words."""

    seat: Seat
    hand: tuple[Card, ...]
    board: tuple[Card, ...]
    rank: str
    opened: tuple[Opening, ...]


class Refund(EventMessage, frozen=True, kw_only=True, tag="REFUND"):
    """The uncalled part of a bet goes back to its owner."""

    seat: Seat
    amount: Chips


class PotAward(EventMessage, frozen=True, kw_only=True, tag="POT_AWARD"):
    """A seat wins chips of one pot; 0 is the main pot."""

    seat: Seat
    amount: Chips
    pot: Count
    half: Literal["high", "low"] | None = None  #: which half of it, where a pot is split between high and low


class Eliminated(EventMessage, frozen=True, kw_only=True, tag="ELIMINATED"):
    """A seat has lost its last chip."""

    seat: Seat


class VoidMessage(EventMessage, frozen=True, kw_only=True, tag="HAND_VOIDED"):
    """The hand is taken back and everybody has the chips it began with: its record was damaged."""

    reason: str


class Happened(EventMessage, frozen=True, kw_only=True, tag="HAPPENED"):
    """Something happened in a game that is no poker, as everybody may see it."""

    event: Any
