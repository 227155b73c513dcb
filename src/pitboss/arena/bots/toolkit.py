"""Functions for all house bots: they read an `act`, and turn a decision into an answer.

Each house bot has its own random numbers, so that the same seed gives the same answers.
"""

from collections.abc import Callable
from typing import TypeAlias

from pitboss.arena.wire.answers import Answer, call, check, raise_to, safe_answer
from pitboss.arena.wire.messages import Act, PlayerFacts
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.play.decisions import GIVE_UP, LEAST, MOST, POT, SEEN
from pitboss.fast.play.flop import UNSEEN

Bot: TypeAlias = Callable[[Act], Answer]
BotMaker: TypeAlias = Callable[[Chance], Bot]

_NUMBERS = {card: number for number, card in enumerate(DECK)}


def own_player(act: Act) -> PlayerFacts:
    """Return the entry of the seat to act in the list of players."""
    return next(player for player in act.players if player.seat == act.seat)


def opponents(act: Act) -> list[PlayerFacts]:
    """Return the other players who can still win the pot."""
    return [player for player in act.players if player.seat != act.seat and not player.has_folded]


def seats_from_button(act: Act) -> list[int]:
    """Return the seats of the hand from the button's left; the button is last."""
    seats = sorted(player.seat for player in act.players)
    after = [seat for seat in seats if seat > act.table.button]
    return after + seats[: len(seats) - len(after)]


def betting_order(act: Act) -> list[int]:
    """Return the seats in the order in which they act on this street. Heads-up the button has the small blind."""
    seats = seats_from_button(act)
    if act.phase != "PRE_FLOP":
        return seats
    return seats[::-1] if len(seats) == 2 else seats[2:] + seats[:2]


def raise_total(answer: Answer) -> int | None:
    """Return the street total of an answer that raises."""
    return answer[1] if isinstance(answer, tuple) and isinstance(answer[1], int) else None


def check_or_call(act: Act) -> Answer:
    """Check if checking is free, otherwise call. Outside betting, give the safe answer."""
    if "DRAW" in act.legal or "RUNS" in act.legal:
        return safe_answer(act)
    return check() if "CHECK" in act.legal else call()


def raise_about(act: Act, total: float) -> Answer:
    """Raise to this total, or to the nearest legal one. Check or call if no raise is legal."""
    if act.min_raise_to is None or act.max_raise_to is None:
        return check_or_call(act)
    return raise_to(min(max(int(total), act.min_raise_to), act.max_raise_to))


def answer_for(act: Act, wish: int) -> Answer:
    """Return the legal answer that is nearest to the intention of a house policy."""
    if wish == GIVE_UP:
        return safe_answer(act)
    if wish == LEAST:
        return raise_about(act, 0)
    if wish == POT:
        return raise_about(act, pot_raise_total(act, 1))
    if wish == MOST and act.max_raise_to is not None:
        return raise_about(act, act.max_raise_to)
    return check_or_call(act)


def known_cards(act: Act) -> list[int]:
    """Return the hole cards and the board of a hand of hold'em in the form that the house's policies read."""
    cards = [_NUMBERS[card] for card in (*act.you.hole, *act.community)]
    return cards + [UNSEEN] * (SEEN - len(cards))


def pot_raise_total(act: Act, part: float) -> float:
    """Return the street total of a raise. Its size is this part of the pot after a call."""
    return own_player(act).committed + act.you.to_call + part * (act.pot + act.you.to_call)


def acts_last(act: Act) -> bool:
    """Return whether no opponent who can still win acts after the seat to act on later streets."""
    live = {act.seat, *(player.seat for player in opponents(act))}
    return [seat for seat in seats_from_button(act) if seat in live][-1] == act.seat
