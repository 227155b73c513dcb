"""Which cards of a deck are due in a hand whose cards are dealt by actions, and to whom."""

from collections.abc import Sequence

from pitboss.cards import UNKNOWN, Card
from pitboss.hand.dealing import own_due
from pitboss.hand.drawing import shuffled_back, start_draws
from pitboss.hand.hand import Hand
from pitboss.notation.document.fields import DocumentError


def cards_due(hand: Hand, deck: Sequence[Card]) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """What everybody gets, by place, and what the board gets; nothing where nothing is due."""
    if hand.phase not in ("deal", "draw"):
        return {}, ()
    due = {place: own_due(hand, place) for place in hand.round.live if own_due(hand, place) > 0}
    if hand.phase == "draw":
        return _replacements(hand, deck, due), ()
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
    gone = [card for cards in (*hand.holes, hand.board, _discards(hand)) for card in cards]
    return [card for card in deck if card not in gone][gone.count(UNKNOWN) :]


def _discards(hand: Hand) -> tuple[Card, ...]:
    return () if hand.draw is None else hand.draw.discards


def _replacements(hand: Hand, deck: Sequence[Card], due: dict[int, int]) -> dict[int, tuple[Card, ...]]:
    """New cards for those given away; where the deck runs out, those that were given away before are shuffled."""
    pile, total = _pile(hand, deck), sum(due.values())
    if len(pile) < total:
        held = [card for cards in hand.holes for card in cards]
        back = [card for card in dict.fromkeys(_discards(hand)[: len(_discards(hand)) - total]) if card not in held]
        pile += shuffled_back([card for card in back if card not in pile], start_draws(deck).order or b"")
    if len(pile) < total:
        raise DocumentError(f"{total} cards are due, and the deck has {len(pile)} more")
    given, at = {}, 0
    for place, count in due.items():
        given[place] = tuple(pile[at : at + count])
        at += count
    return given
