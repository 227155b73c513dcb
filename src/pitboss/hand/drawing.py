"""Changing cards: who is asked, which cards go, and where the new ones come from when the deck runs out."""

from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, Card, is_known, write_cards
from pitboss.hand.dealing import with_hole
from pitboss.hand.events import Discarded, Event, HoleDealt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitboss.hand.actions import Discard
    from pitboss.hand.hand import Hand, Step


class Draw(Struct, frozen=True):
    """What a game in which cards are changed has beside the others."""

    waiting: tuple[int, ...] = ()  #: who has not spoken in the present draw, in order
    discards: tuple[Card, ...] = ()  #: cards given away and not dealt again
    order: bytes | None = None  #: what decides how discards are shuffled; None: nothing is, or it is not ours to know

    def hidden(self) -> "Draw":
        """What everybody may see of it."""
        return Draw(self.waiting, (UNKNOWN,) * len(self.discards))


def start_draws(deck: "Sequence[Card] | None") -> Draw:
    """The draw of a hand that begins; the whole deck's order decides how discards are shuffled."""
    if deck is None:
        return Draw()
    return Draw(order=_hash("".join(deck)))


def discard(hand: "Hand", action: "Discard", place: int | None) -> "Step":
    """Give away cards and, where there is a deck, get as many."""
    if hand.phase != "draw" or hand.draw is None or not hand.draw.waiting:
        raise Refused("no_draw", "no cards are changed now")
    draw, asked = hand.draw, hand.draw.waiting[0]
    if place is not None and place != asked:
        raise Refused("out_of_turn", "{place} is not asked, {turn} is", places={"place": place, "turn": asked})
    if not isinstance(action.cards, tuple | list):
        raise Refused("not_held", f"the cards to change are a list of cards, not {action.cards!r:.40}")
    cards = tuple(action.cards)
    staying = _without(hand.holes[asked], cards, asked)
    hand = replace(hand, draw=Draw(draw.waiting[1:], draw.discards + cards, draw.order))
    events: tuple[Event, ...] = (Discarded(asked, cards),)
    if hand.deck is None or not cards:
        return replace(hand, holes=with_hole(hand, asked, staying)), events
    given, deck, left = replacements(hand.deck, draw, len(cards))
    return replace(
        hand,
        holes=with_hole(hand, asked, staying + given),
        deck=deck,
        draw=Draw(draw.waiting[1:], left.discards + cards, left.order),
    ), (*events, HoleDealt(asked, given))


def replacements(deck: tuple[Card, ...], draw: Draw, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...], Draw]:
    """So many cards from the deck and, when it runs out, from earlier discards shuffled; the deck and what is left."""
    if len(deck) < count:
        assert draw.order is not None, "a deck decides how its discards are shuffled"
        deck += shuffled_back(draw.discards, draw.order)
        draw = Draw(draw.waiting, (), _hash("", draw.order))
    return deck[:count], deck[count:], draw


def shuffled_back(discards: "Iterable[Card]", order: bytes) -> tuple[Card, ...]:
    """Cards that were given away, in the order that this decides."""
    return tuple(sorted(discards, key=lambda card: _hash(card, order)))


def _hash(text: str, order: bytes = b"") -> bytes:
    return blake2b(text.encode(), key=order, digest_size=32).digest()


def _without(held: tuple[Card, ...], cards: tuple[Card, ...], place: int) -> tuple[Card, ...]:
    """What is left of somebody's cards; a card may have been one that nobody recorded."""
    at = {"place": place}
    if len(cards) > len(held):
        raise Refused("too_many_cards", f"{{place}} holds {len(held)} cards and cannot change {len(cards)}", places=at)
    left = list(held)
    for number, card in enumerate(cards):
        if is_known(card) and card in cards[:number]:
            raise Refused("card_twice", f"card {card} stands twice")
        if card in left:
            left.remove(card)
        elif UNKNOWN in left:
            left.remove(UNKNOWN)
        else:
            sentence = f"{{place}} does not hold {card!s:.20}, but {write_cards(held)}"
            raise Refused("not_held", sentence, places=at)
    return tuple(left)
