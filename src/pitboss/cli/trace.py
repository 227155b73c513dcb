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
from pitboss.hand.game_file import GameFileError
from pitboss.hand.games import NoSuchStructure, find_game
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
    """The input does not describe a hand or a betting round."""


class Scenario(Struct, frozen=True):
    """The start of a hand or round, the seat of each place, the number of seats, and the actions to try."""

    state: Hand | Round
    events: tuple[Event, ...]
    seats: tuple[int, ...]
    seat_count: int
    actions: tuple[str, ...]


def read_scenario(text: str, game: str | None = None) -> Scenario:
    """Return the scenario that the JSON input describes. `game` is the game if the input does not name one.

    Raises `InputError` with one sentence.
    """
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"the input is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise InputError("the input cannot be read: a number is too long, or its JSON is nested too deeply") from None
    if not isinstance(given, dict):
        raise InputError(f"input: expected one JSON object, got {_shown(given)}")
    _only(given, _FIELDS, "")
    betting = given.get("betting")
    if not isinstance(betting, dict):
        raise InputError(
            'betting: expected an object such as {"system": "no_limit", "small_blind": 10, "big_blind": 20}, '
            f"got {_shown(betting)}"
        )
    try:
        structure = _game(given, game)
        system = _system(betting, structure)
        if structure is None:
            structure = find_game(system) if system in _POKER else None
        _only(betting, _betting_fields(system, structure) | {"system"}, "betting.")
        return _round(given, betting, system) if structure is None else _hand(given, betting, structure)
    except (SetupError, RotationError, CardError, RulesError, NoSuchStructure, GameFileError) as error:
        raise InputError(str(error)) from None


def _game(given: Mapping[str, Any], asked: str | None) -> Structure | None:
    """Return the game by its name. None: the betting system selects hold'em or a single round."""
    named = given.get("game", asked)
    if named is None and "game" not in given:
        return None
    if not isinstance(named, str):
        raise InputError(f"game: expected a name such as razz, got {_shown(named)}")
    structure = find_game(named)
    if asked is not None and find_game(asked) != structure:
        raise InputError(f"game: --game names {_shown(asked)}, but the input names {_shown(named)}")
    return structure


def _system(betting: Mapping[str, Any], structure: Structure | None) -> str:
    """Return the betting system of the game, or of the input if no game is named."""
    own = None
    if structure is not None:
        own = "fixed_limit" if structure.betting.exact else "pot_limit" if structure.betting.ceiling else "no_limit"
    system = betting.get("system", own)
    if not isinstance(system, str) or system not in PRESETS:
        raise InputError(f"betting.system: expected one of {', '.join(PRESETS)}; got {_shown(system)}")
    if structure is not None and system != own:
        raise InputError(f"betting.system: expected {own}, the system of {structure.name}, got {system}")
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
    """Return the smallest bet and the posts. In a bomb pot the blinds are not posted."""
    small, big = _chips(betting, "small_blind", None, "betting."), _chips(betting, "big_blind", None, "betting.")
    if not 0 < big >= small:
        raise InputError(f"blinds: expected a big blind of at least 1, and a small one up to it, got {small} and {big}")
    posted = () if _bomb(given) else blinds(len(seats), small, big)
    posts = (*posted, *_straddles(given, seats, seat_count, big), *_posts(given, seats))
    return {"min_bet": _positive(betting, "small_bet", big), "posts": posts}


def _bring_in(given: Mapping[str, Any], betting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the smallest bet and the bring-in."""
    for field in ("straddles", "posts"):
        if field in given:
            raise InputError(f"{field}: not used in a game with a bring-in: leave it out")
    if "small_bet" not in betting:
        raise InputError("betting.small_bet is missing")
    least = _positive(betting, "small_bet", 0)
    return {"min_bet": least, "bring_in": _positive(betting, "bring_in", max(1, least // 2))}


def _bomb(given: Mapping[str, Any]) -> bool:
    bomb = given.get("bomb", False)
    if not isinstance(bomb, bool):
        raise InputError(f"bomb: expected true or false, got {_shown(bomb)}")
    return bomb


def _deck(given: Mapping[str, Any], whole: tuple[str, ...]) -> tuple[str, ...]:
    """Return the deck: first the cards of the input, then the other cards, shuffled with the seed."""
    seed, text = given.get("seed", 0), given.get("deck", "")
    if type(seed) is not int:
        raise InputError(f"seed: expected a whole number, got {_shown(seed)}")
    if not isinstance(text, str):
        raise InputError(f'deck: expected a text such as "AsKd…", in dealing order, got {_shown(text)}')
    first = read_cards(text)
    check_distinct(first)
    return first + Chance(seed).shuffled([card for card in whole if card not in first])


def _straddles(given: Mapping[str, Any], seats: tuple[int, ...], seat_count: int, big: int) -> tuple[Post, ...]:
    """Return the straddles. The input has one number per seat. A shorter list starts left of the big blind."""
    amounts = _list(given, "straddles")
    places = tuple(range(2, len(seats)))
    if len(amounts) == seat_count and seat_count > len(places):
        by_place = [(seats.index(seat), amounts[seat]) for seat in seats]
        if any(amount for seat, amount in enumerate(amounts) if seat not in seats):
            raise InputError("straddles: expected 0 for every empty seat")
    elif len(amounts) <= len(places):
        by_place = list(zip(places, amounts, strict=False))
    else:
        raise InputError(
            f"straddles: expected at most {len(places)}, because only players after the blinds straddle, "
            f"got {len(amounts)}"
        )
    posted = [(place, amount) for place, amount in sorted(by_place) if amount]
    for place, amount in posted:
        if place < 2 or amount <= big:
            raise InputError(
                f"straddles: expected a seat after the blinds, and more than the {big} before it, got {amount}"
            )
        big = amount
    return tuple(Post(place, amount, option=True) for place, amount in posted)


# --- a single round


def _round(given: Mapping[str, Any], betting: Mapping[str, Any], system: str) -> Scenario:
    stacks = _stacks(given)
    n = len(stacks)
    for field in ("button", "deck", "seed", "straddles", "runs", "bomb"):
        if field in given:
            raise InputError(f"{field}: not used in a single round of {system}: leave it out")
    opener = _chips(betting, "start", 0, "betting.")
    if opener >= n:
        raise InputError(f"betting.start: expected a seat from 0 to {n - 1}, got {opener}")
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
            raise InputError(f"unknown field {prefix}{name}; expected one of {', '.join(sorted(known))}")


def _shown(value: Any) -> str:
    """Return a value for an error message, shortened to one line."""
    return reprlib.repr(value)


def _number(value: Any, what: str) -> int:
    if type(value) is not int or value < 0:
        raise InputError(f"{what}: expected a whole number of at least 0, got {_shown(value)}")
    return value


def _chips(given: Mapping[str, Any], field: str, default: int | None, prefix: str = "") -> int:
    if field not in given and default is None:
        raise InputError(f"{prefix}{field} is missing")
    return _number(given.get(field, default), f"{prefix}{field}")


def _positive(betting: Mapping[str, Any], field: str, default: int) -> int:
    amount = _chips(betting, field, default, "betting.")
    if amount < 1:
        raise InputError(f"betting.{field}: expected at least 1, got {amount}")
    return amount


def _list(given: Mapping[str, Any], field: str) -> list[int]:
    values = given.get(field, [])
    if not isinstance(values, list):
        raise InputError(f"{field}: expected a list of chips, got {_shown(values)}")
    return [_number(value, f"{field}[{i}]") for i, value in enumerate(values)]


def _stacks(given: Mapping[str, Any]) -> list[int]:
    stacks = given.get("stacks")
    if not isinstance(stacks, list):
        raise InputError(f"stacks: expected a list of chips, one number per seat, got {_shown(stacks)}")
    if len(stacks) < 2:
        raise InputError(f"stacks: expected at least 2 numbers, got {len(stacks)}")
    return [0 if stack is None else _number(stack, f"stacks[{i}]") for i, stack in enumerate(stacks)]


def _antes(given: Mapping[str, Any], seats: tuple[int, ...], seat_count: int) -> tuple[int, ...]:
    antes = _list(given, "antes")
    if antes and len(antes) != seat_count:
        raise InputError(f"antes: expected {seat_count} numbers, one per seat, got {len(antes)}")
    return tuple(antes[seat] for seat in seats) if any(antes) else ()


def _posts(given: Mapping[str, Any], seats: tuple[int, ...]) -> tuple[Post, ...]:
    posts = given.get("posts", [])
    if not isinstance(posts, list) or not all(isinstance(post, dict) for post in posts):
        raise InputError(
            f'posts: expected a list of objects such as {{"place": 3, "amount": 20, "live": true}}, got {_shown(posts)}'
        )
    read = []
    for i, post in enumerate(posts):
        _only(post, {"place", "amount", "live"}, f"posts[{i}].")
        seat = _chips(post, "place", None, f"posts[{i}].")
        if seat not in seats:
            raise InputError(f"posts[{i}].place: expected a seat with a player who is dealt in, got {seat}")
        live = post.get("live", True)
        if not isinstance(live, bool):
            raise InputError(f"posts[{i}].live: expected true or false, got {_shown(live)}")
        read.append(Post(seats.index(seat), _chips(post, "amount", None, f"posts[{i}]."), live))
    return tuple(read)


def _choice(given: Mapping[str, Any], field: str, choices: Iterable[IntEnum]) -> IntEnum:
    names = {choice.name.lower(): choice for choice in choices}
    if not isinstance(given[field], str) or given[field] not in names:
        raise InputError(f"betting.{field}: expected one of {', '.join(names)}; got {_shown(given[field])}")
    return names[given[field]]


def _actions(given: Mapping[str, Any]) -> tuple[str, ...]:
    actions = given.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise InputError(f'actions: expected a list of texts such as ["call", "raise_to 60"], got {_shown(actions)}')
    # JSON can contain half of a surrogate pair, which cannot be encoded.
    return tuple(action.encode("utf-8", "replace").decode() for action in actions)


@click.command()
@click.option("--game", metavar="NAME|FILE", help="The game, such as razz, or a game file, if the input has none.")
def trace(game: str | None) -> None:
    """Play one hand or betting round that a JSON object on standard input describes.

    One JSON object per line is printed: first the start, then each action with the state after it. For a refused
    action, "ok" is false, "error" names the rule, and the state does not change; the next action is then tried. The
    exit code is 2 if the input is not valid.

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
    Actions:
      fold, check, call, all_in
      bet N, raise_to N    N is the total on this street; raise N means raise_to N
      raise_by N           N is the number of chips added
      bet, raise           without a number in limit games
      discard 2c3d         change these cards; discard alone changes none
    \b
    In stud the first player calls the bring-in, or completes it with raise.
    "place" and "turn" are seats of the input. docs/trace.md describes every field.
    """
    try:
        scenario = read_scenario(sys.stdin.read() if sys.stdin else "", game)
    except (InputError, UnicodeDecodeError) as error:
        echo(f"pitboss trace: {error}", err=True)
        sys.exit(2)
    for line in trace_lines(scenario):
        echo(msgspec.json.encode(line))


def trace_lines(scenario: Scenario) -> Iterable[dict[str, Any]]:
    """Yield the output for the start and for every action, each with the state after it."""
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
    """Play an action given as text; `discard` is only known in draw games."""
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
    raise Refused("unknown_action", f"expected one of {', '.join(known)}; got {text!r}")


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
    """Return the pots of a hand; a single round has one pot."""
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
    """Return a seat's chips and, in games with up-cards, its up-cards."""
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
