"""How cards come to the table: from the deck, or one deal after the other by chance where there is none."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.cards import Card, check_distinct, is_known
from pitboss.hand.events import BoardDealt, Event, HoleDealt, UpDealt

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand, Step

BURNS = 4
"""How many cards a dealer may have burnt, of which records say nothing."""


def all_dealt(hand: "Hand") -> bool:
    """Whether the present street's cards are on the table."""
    common, own = hand.structure.common_by[hand.street], hand.structure.own_by[hand.street]
    if len(hand.board) != common:
        return len(hand.board) > common  # one for all was dealt instead of the last of everybody
    holes = hand.holes
    return all(len(holes[place]) == own for place in hand.round.live)


def own_due(hand: "Hand", place: int) -> int:
    """How many cards a place is still to get on this street; none where one for all was dealt instead."""
    if len(hand.board) > hand.structure.common_by[hand.street]:
        return 0
    return hand.structure.own_by[hand.street] - len(hand.holes[place])


def deal_street(hand: "Hand") -> "Step":
    """Deal one street: cards one at a time from the button's left, then the board; nothing is burnt.

    Where the deck is too short for the last card of everybody, one for all is dealt instead.
    """
    street, deck = hand.structure.streets[hand.street], hand.deck or ()
    own = street.hole + street.up
    if not own:
        return _deal_common(hand, street.board)
    places, held = hand.round.live, list(hand.holes)
    n = len(places)
    if own * n > len(deck):
        return _deal_common(hand, street.board + own)
    events: list[Event] = []
    at = 0
    for kind, each in ((HoleDealt, street.hole), (UpDealt, street.up)):
        if each:
            end = at + each * n
            for p in places:
                cards = deck[at:end:n]
                at += 1
                held[p] += cards
                events.append(kind(p, cards))
            at = end
    deck = deck[at:]
    hand = replace(hand, holes=tuple(held), deck=deck)
    if not street.board:
        return hand, tuple(events)
    hand, common = _deal_common(hand, street.board)
    return hand, (*events, *common)


def deal_rest(hand: "Hand") -> tuple["Hand", list[Event]]:
    """Deal all that is still to come to the middle, street by street, where nobody bets any more."""
    deck, streets = hand.deck or (), hand.structure.streets
    events: list[Event] = []
    dealt = 0
    for street in streets[hand.street + 1 :]:
        if street.board:
            before, dealt = dealt, dealt + street.board
            events.append(BoardDealt(street.name, deck[before:dealt]))
    board = hand.board + deck[:dealt]
    return replace(hand, phase="deal", street=len(streets) - 1, board=board, deck=deck[dealt:]), events


def _deal_common(hand: "Hand", count: int) -> "Step":
    """Put so many cards of the deck in the middle."""
    if not count:
        return hand, ()
    deck = hand.deck or ()
    cards = deck[:count]
    dealt = BoardDealt(hand.structure.streets[hand.street].name, cards)
    return replace(hand, board=hand.board + cards, deck=deck[count:]), (dealt,)


def deal_own(hand: "Hand", place: int, cards: tuple[Card, ...]) -> "Step":
    """Let chance give a place cards of its own; they lie as the street has them, or up where the hand is shown."""
    _check_deal(hand, cards)
    if place not in hand.round.live:
        raise Refused("no_such_place", "{place} is not in the hand", places={"place": place})
    due = own_due(hand, place)
    if len(cards) > due:
        raise Refused(
            "too_many_cards", f"{{place}} gets {due} more cards now, not {len(cards)}", places={"place": place}
        )
    held = hand.holes[place]
    faces = hand.structure.faces[len(held) :] or (False,) * len(cards)
    ups = [up or place in hand.shown for up in faces]
    down = tuple([card for card, up in zip(cards, ups, strict=False) if not up])
    up = tuple([card for card, up in zip(cards, ups, strict=False) if up])
    events: list[Event] = [HoleDealt(place, down)] if down else []
    if up:
        events.append(UpDealt(place, up))
    return replace(hand, holes=with_hole(hand, place, held + cards)), tuple(events)


def deal_board(hand: "Hand", cards: tuple[Card, ...]) -> "Step":
    """Let chance put cards in the middle."""
    _check_deal(hand, cards)
    street = hand.structure.streets[hand.street]
    due = hand.structure.common_by[hand.street] - len(hand.board)
    if not due and _deck_is_short(hand):
        due = street.own
    if len(cards) > due:
        raise Refused("too_many_cards", f"the board gets {due} more cards now, not {len(cards)}")
    if len(hand.shown) > 1:
        check_board_known(cards)
    return replace(hand, board=hand.board + cards), (BoardDealt(street.name, cards),)


def _deck_is_short(hand: "Hand") -> bool:
    """Whether the last card may be one for all: nobody has got one, and it cannot be seen that all could."""
    street = hand.structure.streets[hand.street]
    if not street.own or hand.street < len(hand.structure.streets) - 1:
        return False
    dealt = sum(map(len, hand.holes)) + len(hand.board)
    left = len(hand.structure.deck) - dealt - BURNS
    return all(own_due(hand, p) == street.own for p in hand.round.live) and left < street.own * len(hand.round.live)


def with_hole(hand: "Hand", place: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """Everybody's cards, with these at one place."""
    return (*hand.holes[:place], cards, *hand.holes[place + 1 :])


def _check_deal(hand: "Hand", cards: tuple[Card, ...]) -> None:
    if hand.phase not in ("deal", "draw") or hand.deck is not None:
        raise Refused("not_dealing", "no cards are dealt now")
    if not cards:
        raise Refused("no_cards", "a deal without cards")
    check_new_cards(hand, cards)


def check_board_known(cards: tuple[Card, ...]) -> None:
    """Refuse what would leave two shown hands to a board that nobody knows."""
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "the pot cannot be decided: two hands are shown and the board is not known")


def check_new_cards(hand: "Hand", cards: tuple[Card, ...], *, instead_of: int = -1) -> None:
    """Refuse cards that somebody else has, or that the deck has not; where cards are changed, thrown ones return."""
    gone = hand.round.folded if hand.structure.draws else (False,) * hand.round.n
    others = [card for p, hole in enumerate(hand.holes) if p != instead_of and not gone[p] for card in hole]
    boards = () if hand.runs is None else [card for board in hand.runs.boards for card in hand.runs.own_part(board)]
    try:
        check_distinct((*others, *hand.board, *boards, *cards))
    except ValueError as error:
        raise Refused("card_twice", str(error)) from None
    for card in cards:
        if is_known(card) and card not in hand.structure.deck:
            raise Refused("no_such_card", f"{card} is not in the deck of {hand.structure.name}")
