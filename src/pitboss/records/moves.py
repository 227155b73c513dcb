"""Read and write the moves of a recorded hand in the PHH notation, such as `d dh p1 AsKd` or `p3 cbr 210`."""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal, assert_never

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.events import (
    Bet,
    BroughtIn,
    Call,
    Called,
    Check,
    Checked,
    Fold,
    Folded,
    Posted,
    Raise,
    Raised,
    Refunded,
)
from pitboss.betting.refusals import Refused
from pitboss.cards import Card, CardError, read_written_cards, write_cards
from pitboss.errors import PitbossError
from pitboss.hand.events import (
    Action,
    BoardDealt,
    ChooseRuns,
    DealBoard,
    DealHole,
    Discard,
    Discarded,
    Event,
    HoleDealt,
    Muck,
    Mucked,
    Raked,
    RunBegun,
    RunsChosen,
    Show,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.hand import Hand
from pitboss.records.money import Amount, Unit

_Verb = Literal["dh", "db", "f", "cc", "cbr", "sm", "sd", "pb", "runs", "note"]

LARGEST_EXPONENT = 400
"""The limit for the decimal exponent of an amount, positive or negative."""
_LONGEST_CACHED = 40  # characters; longer moves have a comment and are rarely repeated


class MoveError(PitbossError, ValueError):
    """Text that is not a valid move."""


class Move(Struct, frozen=True):
    """One recorded move. `place` is counted from 0, and is None for board cards."""

    verb: _Verb
    place: int | None = None
    cards: tuple[Card, ...] = ()
    amount: Amount | None = None
    muck: bool = False  #: whether the move is `sm` without cards
    runs: int = 0  #: with `runs`: how often the player wants the rest of the board to be dealt


def read_move(text: str, places: int) -> Move:
    """Read one move. Text after `#` is a comment and is ignored.

    >>> read_move("p3 cbr 2.50 # hopes", places=6)
    Move(verb='cbr', place=2, cards=(), amount=Decimal('2.50'), muck=False, runs=0)
    """
    return _read_short(text, places) if len(text) <= _LONGEST_CACHED else _read(text, places)


def _read(text: str, places: int) -> Move:
    match text.partition("#")[0].split():
        case []:
            return Move("note")
        case ["d", "db", cards]:
            return Move("db", cards=_cards(cards))
        case ["d", "dh", player, cards]:
            return Move("dh", _place(player, places), cards=_cards(cards))
        case [player, "f" | "cc" | "pb" as verb]:
            return Move(verb, _place(player, places))
        case [player, "cbr", amount]:
            return Move("cbr", _place(player, places), amount=_amount(amount))
        case [player, "sm"]:
            return Move("sm", _place(player, places), muck=True)
        case [player, "sm", "-"]:
            return Move("sm", _place(player, places))
        case [player, "sm" | "sd" as verb, cards]:
            return Move(verb, _place(player, places), cards=_cards(cards))
        case [player, "runs", number] if number.isascii() and number.isdigit() and len(number) < 4:
            return Move("runs", _place(player, places), runs=int(number))
        case [player, "sd"]:
            return Move("sd", _place(player, places))
    raise MoveError(f"expected a move such as 'p1 cc', got {text!r}")


_read_short = lru_cache(maxsize=4096)(_read)


def _place(player: str, places: int) -> int:
    if player[:1] != "p" or not player[1:].isascii() or not player[1:].isdigit():
        raise MoveError(f"expected a player from p1 to p{places}, got {player!r}")
    place = int(player[1:]) - 1 if len(player) < 5 else places
    if not 0 <= place < places:
        raise MoveError(f"expected a player from p1 to p{places}, got {player:.20}")
    return place


@lru_cache(maxsize=4096)
def _cards(text: str) -> tuple[Card, ...]:
    try:
        return read_written_cards(text)
    except CardError as error:
        raise MoveError(str(error)) from None


def _amount(text: str) -> Amount:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise MoveError(f"expected a number of chips from 0, got {text!r}") from None
    if not amount.is_finite() or amount < 0:
        raise MoveError(f"expected a number of chips from 0, got {text!r}")
    if abs(amount.adjusted()) > LARGEST_EXPONENT:
        raise MoveError(f"{text!r} is too large or has too many digits")
    return int(text) if text.isascii() and text.isdigit() else amount


def action_of(hand: Hand, move: Move, place: int | None, unit: Unit) -> Action:
    """Return the action that a move means in the current state of the hand."""
    match move.verb:
        case "dh" if place is not None:
            return DealHole(place, move.cards)
        case "db":
            return DealBoard(move.cards)
        case "f":
            return Fold()
        case "cc":
            return Check() if _is_free(hand) else Call()
        case "cbr" if move.amount is not None:
            chips = unit.chips(move.amount)
            return Bet(chips) if hand.round.price == 0 and _is_free(hand) else Raise(chips)
        case "sm":
            return Muck() if move.muck else Show(move.cards)
        case "pb" if hand.structure.betting.bring_in:
            if hand.phase == "bet" and not core.brings_in(hand.structure.betting, hand.round):
                raise Refused("nothing_owed", "the bring-in is already paid; call instead")
            return Call()
        case "sd" if hand.draw is not None:
            return Discard(move.cards)
        case "runs" if hand.structure.most_runs > 1:
            return ChooseRuns(move.runs)
    raise Refused("no_such_move", f"{hand.structure.name} has no move {move.verb!r}")


def _is_free(hand: Hand) -> bool:
    """Return whether the player to act owes nothing. This is faster than `hand.offer`."""
    return hand.phase == "bet" and core.owed(hand.round, hand.round.turn) == 0


def shows_again(hand: Hand, events: Iterable[Event], move: Move, place: int) -> bool:
    """Return whether a player shows a second time, because they were dealt more cards after the first time."""
    if move.muck or place not in hand.shown:
        return False
    before = [len(event.cards) for event in events if isinstance(event, Shown) and event.place == place]
    held = hand.holes[place]
    return len(held) > before[-1] and len(move.cards) in (0, len(held)) and set(move.cards) <= set(held)


def spell_moves(events: Iterable[Event]) -> tuple[str, ...]:
    """Return events as PHH moves, without events that follow from others, such as payments.

    All cards that a player receives on one street are one move, with face-down cards first. In a draw, the discards of
    all players come before the new cards. Other programs expect this order.

    >>> spell_moves((HoleDealt(0, ("2c", "3d")), HoleDealt(1, ("4c", "5d")), UpDealt(0, ("6h",)), UpDealt(1, ("7h",))))
    ('d dh p1 2c3d6h', 'd dh p2 4c5d7h')
    """
    return tuple([move for event in _joined(events) if (move := _move(event))])


def _joined(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events in the order of a record: a player's cards of one street are one event, after all discards."""
    dealt: dict[int, HoleDealt | UpDealt] = {}
    drawn: set[int] = set()  # places that have discarded in the current draw
    for event in events:
        if isinstance(event, Discarded):
            if not drawn or event.place in drawn:
                yield from dealt.values()
                dealt.clear()
                drawn.clear()
            drawn.add(event.place)
            yield event
        elif isinstance(event, HoleDealt | UpDealt):
            before = dealt.get(event.place)
            if isinstance(before, HoleDealt) and isinstance(event, UpDealt):
                dealt[event.place] = UpDealt(event.place, before.cards + event.cards)
                continue
            if before is not None:  # the next street has begun
                yield from dealt.values()
                dealt.clear()
            dealt[event.place] = event
        else:
            yield from dealt.values()
            dealt.clear()
            drawn.clear()
            yield event
    yield from dealt.values()


def _move(event: Event) -> str | None:
    match event:
        case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
            return f"d dh p{place + 1} {write_cards(cards)}"
        case BoardDealt(cards=cards):
            return f"d db {write_cards(cards)}"
        case Discarded(place=place, cards=cards):
            return f"p{place + 1} sd {write_cards(cards)}".rstrip()
        case RunsChosen(place=place, runs=runs):
            return f"p{place + 1} runs {runs}"
        case BroughtIn(place=place):
            return f"p{place + 1} pb"
        case Folded(place=place):
            return f"p{place + 1} f"
        case Checked(place=place) | Called(place=place):
            return f"p{place + 1} cc"
        case Raised(place=place, to=to):
            return f"p{place + 1} cbr {to}"
        case Shown(place=place, cards=cards):
            return f"p{place + 1} sm {write_cards(cards)}"
        case Mucked(place=place):
            return f"p{place + 1} sm"
        case Posted() | Refunded() | Raked() | RunBegun() | Won():
            return None
        case _:
            assert_never(event)
