"""What a hand in progress says about the cards: who is in and holds what, what lies open, and what nobody can get."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pitboss.cards import Card, is_known
from pitboss.fast.equity.answers import EquityError
from pitboss.fast.equity.holdings import read_known
from pitboss.hand.hand import Hand


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
