"""Which cards of a deck are due in a hand whose cards are dealt by actions, and to whom."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import Called, Checked, Folded, Raised
from pitboss.cards import UNKNOWN, Card, is_known
from pitboss.hand.dealing import own_due
from pitboss.hand.drawing import replacements, start_draws
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, UpDealt
from pitboss.hand.hand import Hand
from pitboss.notation.document.fields import DocumentError


def cards_due(
    hand: Hand, events: Iterable[Event], deck: Sequence[Card]
) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """What everybody gets, by place, and what the board gets; nothing where nothing is due.

    `events` are all that happened in the hand.
    """
    if hand.phase not in ("deal", "draw"):
        return {}, ()
    due = {place: own_due(hand, place) for place in hand.round.live if own_due(hand, place) > 0}
    if hand.phase == "draw":
        return _replacements(hand, events, deck, due), ()
    pile, street, n = _pile(hand, deck), hand.structure.streets[hand.street], len(due)
    common = hand.structure.common_by[hand.street] - len(hand.board)
    total = sum(due.values()) + common
    last = hand.street == len(hand.structure.streets) - 1
    if len(pile) < total and last and street.own and not common and len(pile) >= street.own:
        return {}, tuple(pile[: street.own])  # one for all
    if len(pile) < total:
        raise DocumentError(f"{total} cards are due, and the deck has {len(pile)} more")
    if len(set(due.values())) > 1 or (due and min(due.values()) < street.own):
        raise DocumentError("some have been dealt this street's cards and others not: say who gets which")
    down, up = street.hole * n, street.own * n
    own = {place: tuple(pile[k:down:n] + pile[down + k : up : n]) for k, place in enumerate(due)}
    return own, tuple(pile[up if due else 0 :][:common])


def _pile(hand: Hand, deck: Sequence[Card]) -> list[Card]:
    """The deck without what was dealt from it."""
    gone = [card for cards in (*hand.holes, hand.board) for card in cards]
    return [card for card in deck if card not in gone][gone.count(UNKNOWN) :]


class _Change(Struct):
    """Cards that were dealt: to a place for those it gave away in a draw, or, where place is -1, to anybody else."""

    draw: int = 0  #: which draw of the hand it is
    place: int = -1
    given_away: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()


def _changes(events: Iterable[Event]) -> list[_Change]:
    """All that was dealt, and in each draw everybody's new cards with those that he gave away, whenever they came."""
    changes, draw, drawing = [_Change()], 0, dict[int, _Change]()
    for event in events:
        if isinstance(event, Discarded):
            if not drawing or event.place in drawing:
                draw, drawing = draw + 1, {}
            drawing[event.place] = _Change(draw, event.place, event.cards)
            changes.append(drawing[event.place])
        elif isinstance(event, HoleDealt | UpDealt | BoardDealt):
            place = -1 if isinstance(event, BoardDealt) else event.place
            drawing.get(place, changes[0]).dealt += event.cards
        elif isinstance(event, Called | Checked | Folded | Raised):
            drawing = {}
    return changes


def _replacements(
    hand: Hand, events: Iterable[Event], deck: Sequence[Card], due: dict[int, int]
) -> dict[int, tuple[Card, ...]]:
    """New cards for those given away, the same as where everybody gets his at once.

    Where the deck runs out, what was given away before is shuffled: never one's own of that draw.
    """
    changes, held = _changes(events), {card for cards in hand.holes for card in cards}
    pile, draw, unknown, new = tuple(deck), start_draws(deck), 0, dict[int, tuple[Card, ...]]()
    for change in changes:
        if any(card in draw.discards for card in change.dealt):
            pile, rest, draw = replacements(pile[unknown:], draw, len(pile) + 1)  # more than there were: shuffled then
            pile, unknown = pile + rest, 0
        pile = tuple([card for card in pile if card not in change.dealt])
        unknown += change.dealt.count(UNKNOWN)
        if change.draw == changes[-1].draw and change.place in due:
            count, free = due[change.place], [card for card in draw.discards if card not in held]
            pile = tuple([card for card in pile[unknown:] if card not in held])
            new[change.place], pile, draw = replacements(pile, replace(draw, discards=tuple(free)), count)
            unknown = 0
            if len(new[change.place]) < count:
                raise DocumentError(f"{count} cards are due, and the deck has {len(new[change.place])} more")
        known = [card for card in change.given_away if is_known(card) and card not in draw.discards]
        draw = replace(draw, discards=(*draw.discards, *known))
    return new
