"""`pitboss trace`: one hand or betting round, action by action, as JSON for people and other languages."""

import json
import re
import reprlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

import click
import msgspec
from msgspec import Struct

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Bounds, Post, Round
from pitboss.betting.rules import PRESETS, Answers, Reopening, Rules, RulesError
from pitboss.cards import CardError, check_distinct, read_cards
from pitboss.chance import Chance
from pitboss.cli.output import echo
from pitboss.errors import PitbossError
from pitboss.game import PlayersTurn
from pitboss.hand.events import Discard, Event
from pitboss.hand.games import NoSuchStructure, find_structure
from pitboss.hand.hand import Hand
from pitboss.hand.state import boards
from pitboss.hand.structure import Stakes, Structure, blinds
from pitboss.table.rotation import RotationError, order_of_play

_FIELDS = {
    "game",
    "betting",
    "stacks",
    "button",
    "antes",
    "deck",
    "seed",
    "straddles",
    "posts",
    "actions",
    "runs",
    "bomb",
}
_POKER = ("no_limit", "pot_limit", "fixed_limit")
_BETTING = {
    "no_limit": {"small_blind", "big_blind", "reopening"},
    "pot_limit": {"small_blind", "big_blind", "reopening"},
    "fixed_limit": {"small_blind", "big_blind", "small_bet", "big_bet", "cap"},
    "fixed_step": {"min_bet", "max_raises", "start"},
    "initiative": {"cap", "answers", "start"},
}

_WORDS: dict[str, BettingAction] = {"fold": Fold(), "check": Check(), "call": Call(), "all_in": AllIn()}
_SIZED: dict[str, Callable[[int], BettingAction]] = {"bet": Bet, "raise": Raise, "raise_to": Raise, "raise_by": RaiseBy}


class InputError(PitbossError, ValueError):
    """Input that describes nothing to follow."""


class Scenario(Struct, frozen=True):
    """What to follow: the start, which seat each place is, how many seats there are, and the actions to try."""

    state: Hand | Round
    events: tuple[Event, ...]
    seats: tuple[int, ...]
    seat_count: int
    actions: tuple[str, ...]


def read_scenario(text: str, game: str | None = None) -> Scenario:
    """Read what to follow, of this game where one is named; raises `InputError` with one sentence."""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"the input is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise InputError("the input is not JSON anybody could mean: a number too long, or nesting too deep") from None
    if not isinstance(given, dict):
        raise InputError("the input must be one JSON object")
    _only(given, _FIELDS, "")
    betting = given.get("betting")
    if not isinstance(betting, dict):
        raise InputError('betting must be an object such as {"system": "no_limit", "small_blind": 10, "big_blind": 20}')
    try:
        structure = _game(given, game)
        system = _system(betting, structure)
        if structure is None:
            structure = find_structure(system) if system in _POKER else None
        _only(betting, _betting_fields(system, structure) | {"system"}, "betting.")
        return _round(given, betting, system) if structure is None else _hand(given, betting, structure)
    except (SetupError, RotationError, CardError, RulesError, NoSuchStructure) as error:
        raise InputError(str(error)) from None


def _game(given: Mapping[str, Any], asked: str | None) -> Structure | None:
    """The game that is named; None where it is hold'em or a single round, as the betting system says."""
    named = given.get("game", asked)
    if named is None and "game" not in given:
        return None
    if not isinstance(named, str):
        raise InputError(f"game must be a name such as razz, not {_shown(named)}")
    structure = find_structure(named)
    if asked is not None and find_structure(asked) is not structure:
        raise InputError(f"the game is {_shown(asked)} by --game and {_shown(named)} by the input")
    return structure


def _system(betting: Mapping[str, Any], structure: Structure | None) -> str:
    """The betting system: the game's own or, where none is named, the one that is given."""
    own = None
    if structure is not None:
        own = "fixed_limit" if structure.betting.exact else "pot_limit" if structure.betting.ceiling else "no_limit"
    system = betting.get("system", own)
    if not isinstance(system, str) or system not in PRESETS:
        raise InputError(f"betting.system must be one of {', '.join(PRESETS)}, not {_shown(system)}")
    if structure is not None and system != own:
        raise InputError(f"betting.system is {system}, but {structure.name} is played {own}")
    return system


def _betting_fields(system: str, structure: Structure | None) -> set[str]:
    if structure is None or not structure.betting.bring_in:
        return _BETTING[system]
    return (_BETTING[system] - {"small_blind", "big_blind"}) | {"bring_in", "small_bet"}


# --- a hand of poker


def _hand(given: Mapping[str, Any], betting: Mapping[str, Any], structure: Structure) -> Scenario:
    stacks = _stacks(given)
    seats = order_of_play([stack > 0 for stack in stacks], _chips(given, "button", 0))
    settings: dict[str, Any] = {}
    if "reopening" in betting:
        settings["reopening"] = _choice(betting, "reopening", Reopening)
    if "cap" in betting:
        settings["cap"] = _chips(betting, "cap", None, "betting.")
    structure = structure.with_betting(**settings)
    forced = _bring_in(given, betting) if structure.betting.bring_in else _blinds(given, betting, seats, len(stacks))
    usual = structure.usual_big_bet(forced["min_bet"])
    if usual is not None:
        forced["big_bet"] = _positive(betting, "big_bet", usual)
    antes = _antes(given, seats, len(stacks))
    stakes = Stakes(
        **forced, antes=antes, equal_antes=len(set(antes)) <= 1, runs=_chips(given, "runs", 1), bomb=_bomb(given)
    )
    deck = _deck(given, structure.deck)
    hand, events = Hand.start(structure, stacks=[stacks[seat] for seat in seats], stakes=stakes, deck=deck)
    return Scenario(hand, events, seats, len(stacks), _actions(given))


def _blinds(
    given: Mapping[str, Any], betting: Mapping[str, Any], seats: tuple[int, ...], seat_count: int
) -> dict[str, Any]:
    """The least bet and what is posted; in a bomb pot nothing is."""
    small, big = _chips(betting, "small_blind", None, "betting."), _chips(betting, "big_blind", None, "betting.")
    if not 0 < big >= small:
        raise InputError(f"the big blind must be at least one chip and the small blind no more, not {small} and {big}")
    posted = () if _bomb(given) else blinds(len(seats), small, big)
    posts = (*posted, *_straddles(given, seats, seat_count, big), *_posts(given, seats))
    return {"min_bet": _positive(betting, "small_bet", big), "posts": posts}


def _bring_in(given: Mapping[str, Any], betting: Mapping[str, Any]) -> dict[str, Any]:
    """The least bet and the bring-in."""
    for field in ("straddles", "posts"):
        if field in given:
            raise InputError(f"{field} has no meaning where there is a bring-in")
    if "small_bet" not in betting:
        raise InputError("betting.small_bet is missing")
    least = _positive(betting, "small_bet", 0)
    return {"min_bet": least, "bring_in": _positive(betting, "bring_in", max(1, least // 2))}


def _bomb(given: Mapping[str, Any]) -> bool:
    bomb = given.get("bomb", False)
    if not isinstance(bomb, bool):
        raise InputError(f"bomb must be true or false, not {_shown(bomb)}")
    return bomb


def _deck(given: Mapping[str, Any], whole: tuple[str, ...]) -> tuple[str, ...]:
    """The cards as given; whatever they leave open follows from the seed."""
    seed, text = given.get("seed", 0), given.get("deck", "")
    if type(seed) is not int:
        raise InputError(f"seed must be a whole number, not {_shown(seed)}")
    if not isinstance(text, str):
        raise InputError('deck must be a text such as "AsKd…", in dealing order')
    first = read_cards(text)
    check_distinct(first)
    return first + Chance(seed).shuffled([card for card in whole if card not in first])


def _straddles(given: Mapping[str, Any], seats: tuple[int, ...], seat_count: int, big: int) -> tuple[Post, ...]:
    """One number a seat or, fewer, in order from the big blind's left."""
    amounts = _list(given, "straddles")
    places = tuple(range(2, len(seats)))
    if len(amounts) == seat_count and seat_count > len(places):
        by_place = [(seats.index(seat), amounts[seat]) for seat in seats]
        if any(amount for seat, amount in enumerate(amounts) if seat not in seats):
            raise InputError("straddles names an empty seat")
    elif len(amounts) <= len(places):
        by_place = list(zip(places, amounts, strict=False))
    else:
        raise InputError(f"straddles has {len(amounts)} amounts, but only {len(places)} can straddle beyond the blinds")
    posted = [(place, amount) for place, amount in sorted(by_place) if amount]
    for place, amount in posted:
        if place < 2 or amount <= big:
            raise InputError(
                f"a straddle of {amount}: it takes a seat beyond the blinds, and more than the {big} before it"
            )
        big = amount
    return tuple(Post(place, amount, option=True) for place, amount in posted)


# --- a single round


def _round(given: Mapping[str, Any], betting: Mapping[str, Any], system: str) -> Scenario:
    stacks = _stacks(given)
    n = len(stacks)
    for field in ("button", "deck", "seed", "straddles", "runs", "bomb"):
        if field in given:
            raise InputError(f"{field} has no meaning in a single round of {system}")
    opener = _chips(betting, "start", 0, "betting.")
    if opener >= n:
        raise InputError(f"betting.start is {opener}, but seats are 0 to {n - 1}")
    rules: Rules
    if system == "fixed_step":
        rules, step = (
            PRESETS[system](cap=_chips(betting, "max_raises", 3, "betting.")),
            _positive(betting, "min_bet", 10),
        )
    else:
        settings: dict[str, int] = {"cap": _chips(betting, "cap", 3, "betting.")}
        if "answers" in betting:
            settings["answers"] = _choice(betting, "answers", Answers)
        rules, step = PRESETS[system](**settings), 1
    seats = tuple(range(n))
    round, events = Round.start(
        rules,
        stacks=stacks,
        step=step,
        opener=opener,
        posts=_posts(given, seats),
        antes=_antes(given, seats, n),
        equal_antes=False,  # one pot: every ante is taken in full
    )
    return Scenario(round, events, seats, n, _actions(given))


# --- fields


def _only(given: Mapping[str, Any], known: set[str], prefix: str) -> None:
    for field in given:
        if field not in known:
            name = field if field.isidentifier() and len(field) < 40 else _shown(field)
            raise InputError(f"unknown field {prefix}{name}; known are {', '.join(sorted(known))}")


def _shown(value: Any) -> str:
    """Return a value as an error message shows it: on one line, and not too long."""
    return reprlib.repr(value)


def _number(value: Any, what: str) -> int:
    if type(value) is not int or value < 0:
        raise InputError(f"{what} must be a whole number from 0 on, not {_shown(value)}")
    return value


def _chips(given: Mapping[str, Any], field: str, default: int | None, prefix: str = "") -> int:
    if field not in given and default is None:
        raise InputError(f"{prefix}{field} is missing")
    return _number(given.get(field, default), f"{prefix}{field}")


def _positive(betting: Mapping[str, Any], field: str, default: int) -> int:
    amount = _chips(betting, field, default, "betting.")
    if amount < 1:
        raise InputError(f"betting.{field} must be at least one chip")
    return amount


def _list(given: Mapping[str, Any], field: str) -> list[int]:
    values = given.get(field, [])
    if not isinstance(values, list):
        raise InputError(f"{field} must be a list of chips")
    return [_number(value, f"{field}[{i}]") for i, value in enumerate(values)]


def _stacks(given: Mapping[str, Any]) -> list[int]:
    stacks = given.get("stacks")
    if not isinstance(stacks, list):
        raise InputError("stacks must be a list of chips, one number a seat")
    if len(stacks) < 2:
        raise InputError(f"a hand needs at least two players, not {len(stacks)}")
    return [0 if stack is None else _number(stack, f"stacks[{i}]") for i, stack in enumerate(stacks)]


def _antes(given: Mapping[str, Any], seats: tuple[int, ...], seat_count: int) -> tuple[int, ...]:
    antes = _list(given, "antes")
    if antes and len(antes) != seat_count:
        raise InputError(f"antes has {len(antes)} numbers for {seat_count} seats")
    return tuple(antes[seat] for seat in seats) if any(antes) else ()


def _posts(given: Mapping[str, Any], seats: tuple[int, ...]) -> tuple[Post, ...]:
    posts = given.get("posts", [])
    if not isinstance(posts, list) or not all(isinstance(post, dict) for post in posts):
        raise InputError('posts must be a list of objects such as {"place": 3, "amount": 20, "live": true}')
    read = []
    for i, post in enumerate(posts):
        _only(post, {"place", "amount", "live"}, f"posts[{i}].")
        seat = _chips(post, "place", None, f"posts[{i}].")
        if seat not in seats:
            raise InputError(f"posts[{i}].place is {seat}, where nobody is dealt in")
        live = post.get("live", True)
        if not isinstance(live, bool):
            raise InputError(f"posts[{i}].live must be true or false, not {_shown(live)}")
        read.append(Post(seats.index(seat), _chips(post, "amount", None, f"posts[{i}]."), live))
    return tuple(read)


def _choice(given: Mapping[str, Any], field: str, choices: Iterable[IntEnum]) -> IntEnum:
    names = {choice.name.lower(): choice for choice in choices}
    if not isinstance(given[field], str) or given[field] not in names:
        raise InputError(f"betting.{field} must be one of {', '.join(names)}, not {_shown(given[field])}")
    return names[given[field]]


def _actions(given: Mapping[str, Any]) -> tuple[str, ...]:
    actions = given.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise InputError('actions must be a list of texts such as ["call", "raise_to 60"]')
    return tuple(
        action.encode("utf-8", "replace").decode() for action in actions
    )  # JSON can spell what no text may hold


@click.command()
@click.option("--game", metavar="NAME", help="The game, such as razz, where the input does not name it.")
def trace(game: str | None) -> None:
    """Read one JSON object on standard input; print one per line: the start, then each action with the state after it.

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
    Actions: fold, check, call, all_in, bet N and raise_to N (street totals; raise N is the same as
    raise_to N), raise_by N (chips added); where the size is fixed, bet and raise need no number. The first
    to speak in stud calls the bring-in or raises: completes it. discard 2c3d changes cards, discard alone
    none. Place and turn are seats of the input.
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


def _trace_round(state: Hand | Round) -> Round:
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
    round = _trace_round(state)
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
    p, round = scenario.seats.index(seat), _trace_round(state)
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
