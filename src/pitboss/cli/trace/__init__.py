"""`pitboss trace`: one hand or betting round, action by action, as JSON for people and other languages."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
import msgspec

from pitboss.betting.actions import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Bounds, Round
from pitboss.cards import CardError, read_cards
from pitboss.cli.echo import echo
from pitboss.cli.trace.scenario import InputError, Scenario, read_scenario
from pitboss.game import PlayersTurn
from pitboss.hand.actions import Discard
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.hand.showing import boards


@click.command()
@click.option("--game", metavar="NAME", help="The game, such as razz or FR, where the input does not name it.")
def trace(game: str | None) -> None:
    """Read one JSON object on standard input and print one a line: the start, then each action with the state after it.

    A refused action prints "ok": false with the rule it broke, leaves the state alone, and the next one is tried.
    Bad input exits with 2.

    \b
    Examples:
      echo '{"betting": {"system": "no_limit", "small_blind": 10, "big_blind": 20},
             "stacks": [1000, 1000, 30], "button": 0,
             "actions": ["call", "raise_to 60", "fold"]}' | pitboss trace
      echo '{"betting": {"system": "initiative", "cap": 3, "answers": "following"},
             "stacks": [3, 3, 3], "actions": ["check", "raise", "check"]}' | pitboss trace
      echo '{"betting": {"bring_in": 5, "small_bet": 10}, "antes": [2, 2, 2],
             "stacks": [200, 200, 200], "actions": ["call", "raise", "fold"]}' | pitboss trace --game razz
    \b
    Actions: fold, check, call, all_in, bet N and raise_to N (street totals), raise_by N (chips added);
    where the size is fixed, bet and raise need no number. The first to speak in stud calls the bring-in
    or raises: completes it. discard 2c3d changes cards, discard alone none. Place and turn are seats of
    the input.
    Every field of the input and of the output: docs/trace.md.
    """
    try:
        scenario = read_scenario(sys.stdin.read() if sys.stdin else "", game)
    except (InputError, UnicodeDecodeError) as error:
        echo(f"pitboss trace: {error}", err=True)
        sys.exit(2)
    for line in follow(scenario):
        echo(msgspec.json.encode(line))


def follow(scenario: Scenario) -> Iterable[dict[str, Any]]:
    """The start and every action, each with the state after it."""
    state = scenario.state
    yield _line(scenario, state, None, None, scenario.events, None)
    for text in scenario.actions:
        seat = _turn(scenario, state)
        events: tuple[Event, ...] = ()
        error = None
        try:
            state, events = _act(state, text)
        except Refused as refusal:
            error = refusal.format(name=lambda place: f"place {scenario.seats[place]}")
        yield _line(scenario, state, text, seat, events, error)


def _act(state: Hand | Round, text: str) -> tuple[Hand | Round, tuple[Event, ...]]:
    """The state after an action that is said in a word; `discard` is one where cards are changed."""
    word, _, cards = text.strip().partition(" ")
    if not isinstance(state, Hand) or not state.structure.draws:
        return state.act(_read_bet(text, (*_WORDS, *_SIZED)))
    return state.act(_read_discard(cards) if word == "discard" else _read_bet(text, (*_WORDS, *_SIZED, "discard")))


_WORDS: dict[str, BettingAction] = {"fold": Fold(), "check": Check(), "call": Call(), "all_in": AllIn()}
_SIZED: dict[str, Callable[[int], BettingAction]] = {"bet": Bet, "raise": Raise, "raise_to": Raise, "raise_by": RaiseBy}


def _read_bet(text: str, known: Iterable[str]) -> BettingAction:
    word, _, number = text.strip().partition(" ")
    if word in _WORDS and not number:
        return _WORDS[word]
    if word in _SIZED and re.fullmatch(r" *[0-9]{1,40}", number):
        return _SIZED[word](int(number))
    if word in ("bet", "raise") and not number:
        return Bet() if word == "bet" else Raise()
    if word in _SIZED:
        raise Refused("whole_chips", f"{text!r} needs a whole number of chips, such as {word} 60")
    raise Refused("unknown_action", f"{text!r}: say one of {', '.join(known)}")


def _read_discard(cards: str) -> Discard:
    try:
        return Discard(read_cards(cards.replace(" ", "")))
    except CardError as error:
        raise Refused("no_such_card", str(error)) from None


# --- what is printed


def _turn(scenario: Scenario, state: Hand | Round) -> int | None:
    if isinstance(state, Hand):
        return scenario.seats[state.turn.place] if isinstance(state.turn, PlayersTurn) else None
    return scenario.seats[state.turn] if state.turn >= 0 else None


def _round(state: Hand | Round) -> Round:
    return state.round if isinstance(state, Hand) else state


def _pots(state: Hand | Round) -> Sequence[Pot]:
    """The pots of a hand; a single round leaves one, for the game around it to cut."""
    if isinstance(state, Hand):
        return state.pots
    return (Pot(state.chips_in_middle, state.live),) if state.chips_in_middle else ()


def _line(
    scenario: Scenario,
    state: Hand | Round,
    action: str | None,
    seat: int | None,
    events: Iterable[Event],
    error: str | None,
) -> dict[str, Any]:
    return {
        "action": action,
        "place": seat,
        "ok": error is None,
        "error": error,
        "events": [_seated(scenario, msgspec.to_builtins(event)) for event in events],
        "state": _state(scenario, state),
    }


def _seated(scenario: Scenario, event: dict[str, Any]) -> dict[str, Any]:
    if "place" in event:
        event["place"] = scenario.seats[event["place"]]
    return event


def _state(scenario: Scenario, state: Hand | Round) -> dict[str, Any]:
    round = _round(state)
    shown: dict[str, Any] = {
        "street": state.street_name if isinstance(state, Hand) else "BETTING",
        "turn": _turn(scenario, state),
        "price": round.price,
        "last_raise_size": round.step,
        "pot": round.chips_in_middle,
        "players": [_player(scenario, state, seat) for seat in range(scenario.seat_count)],
        "board": list(state.board) if isinstance(state, Hand) else [],
        "offer": _offer(state),
        "pots": [
            {"amount": pot.amount, "places": sorted(scenario.seats[place] for place in pot.places)}
            for pot in _pots(state)
        ],
        "raises": round.raises,
        "initiative": scenario.seats[round.holder] if round.holder >= 0 else None,
        "done": state.over if isinstance(state, Hand) else round.turn < 0,
    }
    if isinstance(state, Hand) and state.stakes.runs > 1:
        shown["boards"] = [list(board) for board in boards(state)]
    return shown


def _player(scenario: Scenario, state: Hand | Round, seat: int) -> dict[str, Any]:
    """A seat's chips and, in games that have some, its up-cards."""
    has_up_cards = isinstance(state, Hand) and bool(state.structure.faces)
    if seat not in scenario.seats:
        empty = {"stack": 0, "bet": 0, "acted": False, "folded": True, "all_in": False}
        return {**empty, "up": []} if has_up_cards else empty
    p, round = scenario.seats.index(seat), _round(state)
    shown = {
        "stack": round.stacks[p],
        "bet": round.bets[p],
        "acted": round.acted[p],
        "folded": round.folded[p],
        "all_in": round.stacks[p] == 0 and not round.folded[p],
    }
    return {**shown, "up": list(state.up_cards(p))} if isinstance(state, Hand) and has_up_cards else shown


def _offer(state: Hand | Round) -> dict[str, Any]:
    offer = state.offer
    shown = {
        "fold": offer.fold,
        "check": offer.check,
        "call": offer.call,
        "bet": None if offer.bet is None else {"min_to": offer.bet.min_to, "max_to": offer.bet.max_to},
        "raise": _bounds(offer.raise_),
        "all_in": offer.all_in,
    }
    return {**shown, "draw": offer.draw} if isinstance(state, Hand) and state.structure.draws else shown


def _bounds(bounds: Bounds | None) -> dict[str, int] | None:
    return None if bounds is None else msgspec.to_builtins(bounds)
