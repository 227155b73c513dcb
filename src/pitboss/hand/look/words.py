"""How what is on offer, and whose turn it is, is said in words."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pitboss.betting import core
from pitboss.game import PlayersTurn
from pitboss.hand.dealing import own_due

if TYPE_CHECKING:
    from pitboss.betting.round import Bounds, Offer
    from pitboss.hand.hand import Hand


def name(place: int) -> str:
    """What a place is called: p1 sits left of the button, the last one has it."""
    return f"p{place + 1}"


def waits_for(hand: "Hand", called: Callable[[int], str] = name) -> str:
    """Whose turn it is and what is on offer, as half a sentence."""
    match hand.turn:
        case PlayersTurn(place):
            return f"{called(place)} may {allowed(hand)}"
        case _:
            return "the hand is over" if hand.over else f"cards are to be dealt: {due(hand, called)}"


def allowed(hand: "Hand") -> str:
    """What whoever's turn it is may do: `fold, call 20 or raise to 40-1000`."""
    words = _words(hand, hand.offer)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(hand: "Hand", offer: "Offer") -> list[str]:
    words = []
    if offer.fold:
        words.append("fold")
    if offer.check:
        words.append("check")
    if offer.call is not None:
        words.append(f"{'bring in' if brings_in(hand) else 'call'} {offer.call}")
    for verb, bounds in (("bet", offer.bet), ("complete to" if completes(hand) else "raise to", offer.raise_)):
        if bounds is not None:
            words.append(f"{verb} {_bounds(bounds)}")
    if offer.draw is not None:
        words += [f"discard up to {offer.draw} cards", "stand pat"]
    if offer.show:
        words.append("show")
    if offer.muck:
        words.append("muck")
    return words


def _bounds(bounds: "Bounds") -> str:
    least, most = bounds.min_to, bounds.max_to
    return f"{least}" if least == most else f"{least}-{most}"


def brings_in(hand: "Hand") -> bool:
    """Whether whoever's turn it is pays the bring-in or completes it."""
    return hand.phase == "bet" and core.brings_in(hand.round.rules, hand.round)


def completes(hand: "Hand") -> bool:
    """Whether a raise makes the bring-in a whole bet."""
    round = hand.round
    return hand.phase == "bet" and round.rules.bring_in and round.price > 0 and not round.level


def due(hand: "Hand", called: Callable[[int], str] = name) -> str:
    """Which cards the hand waits for."""
    players = [f"{own_due(hand, p)} to {called(p)}" for p in hand.round.live if own_due(hand, p) > 0]
    board = hand.structure.common_by[hand.street] - len(hand.board)
    return ", ".join([*players, *([f"{board} to the board"] if board > 0 else [])])
