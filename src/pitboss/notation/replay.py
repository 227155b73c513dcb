"""A recorded hand played again, move by move, by the rules.

Strict: the first impossible action is an error. `mending.py` goes on where a record is merely incomplete or odd.
"""

from decimal import Decimal

from msgspec import Struct

from pitboss.betting.actions import Bet, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Post
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand, SetupError
from pitboss.hand.structure import STRUCTURES, Stakes
from pitboss.notation.chips import Amount, Unit
from pitboss.notation.moves import Move, MoveError, read_move
from pitboss.notation.record import Record


class ReplayError(ValueError):
    """A record that cannot be played; `action` counts from 1, 0 is the setup."""

    def __init__(self, sentence: str, action: int = 0) -> None:
        super().__init__(f"action {action}: {sentence}" if action else sentence)
        self.action = action


class Replay(Struct, frozen=True):
    """How a recorded hand ended when played again."""

    hand: Hand
    events: tuple[Event, ...]
    finishing_stacks: tuple[Amount, ...]
    mended: tuple[str, ...] = ()


def replay(record: Record) -> Replay:
    """Play a record to its end by the rules.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    moves = read_moves(record)
    unit = find_unit(record, moves)
    hand, events = start(record, unit)
    for number, (move, text) in enumerate(zip(moves, record.actions, strict=True), 1):
        if move.verb == "note":
            continue
        try:
            hand, happened = hand.act(to_action(hand, move, unit), move.place)
        except Refused as refusal:
            raise ReplayError(f"{text!r}: {refusal}", number) from None
        events += happened
    if not hand.over:
        raise ReplayError(f"the record stops before the hand is over, with {len(record.actions)} actions")
    return Replay(hand, events, finishing_stacks(record, hand, unit))


def read_moves(record: Record) -> list[Move]:
    """Every action of a record as a move."""
    moves = []
    for number, text in enumerate(record.actions, 1):
        try:
            moves.append(read_move(text, len(record.starting_stacks)))
        except MoveError as error:
            raise ReplayError(str(error), number) from None
    return moves


def find_unit(record: Record, moves: list[Move]) -> Unit:
    """The finest unit the record uses anywhere, so that a recorded split of an odd chip comes out as recorded."""
    amounts = [move.amount for move in moves if move.amount is not None]
    for several in (
        record.antes,
        record.starting_stacks,
        record.blinds_or_straddles,
        record.finishing_stacks,
        record.winnings,
    ):
        amounts += several or ()
    amounts += [one for one in (record.min_bet, record.small_bet, record.big_bet) if one is not None]
    return Unit.finest(amounts)


def start(record: Record, unit: Unit) -> tuple[Hand, tuple[Event, ...]]:
    """The hand of a record after its forced bets, nothing dealt yet."""
    if record.variant not in STRUCTURES:
        raise ReplayError(f"variant {record.variant} is not built yet: it is read and written but cannot be replayed")
    structure = STRUCTURES[record.variant]
    least = record.min_bet if record.min_bet is not None else record.small_bet
    if least is None:
        raise ReplayError("the record says neither min_bet nor small_bet")
    stacks = [unit.chips(stack) for stack in record.starting_stacks]
    stakes = Stakes(
        min_bet=unit.chips(least),
        big_bet=None if record.big_bet is None else unit.chips(record.big_bet),
        posts=_posts(record, unit),
        antes=tuple(unit.chips(ante) for ante in _by_place(record.antes)),
        equal_antes=bool(record.ante_trimming_status),
    )
    try:
        return Hand.start(structure, stacks=stacks, stakes=stakes)
    except SetupError as error:
        raise ReplayError(str(error)) from None


def _by_place(amounts: tuple[Amount, ...]) -> tuple[Amount, ...]:
    """PHH lists forced bets in the order they are posted, and heads-up the button, who is p2, posts first."""
    return amounts[::-1] if len(amounts) == 2 else amounts


def _posts(record: Record, unit: Unit) -> tuple[Post, ...]:
    """Blinds and straddles; a negative one is a live post of somebody who came late, and does not speak last."""
    amounts = _by_place(record.blinds_or_straddles or ())
    return tuple(
        Post(place, abs(unit.chips(amount)), option=amount > 0) for place, amount in enumerate(amounts) if amount
    )


def to_action(hand: Hand, move: Move, unit: Unit) -> Action:
    """What a move asks of the hand at this moment."""
    match move:
        case Move(verb="dh", place=int(place), cards=cards):
            return DealHole(place, cards)
        case Move(verb="db", cards=cards):
            return DealBoard(cards)
        case Move(verb="f"):
            return Fold()
        case Move(verb="cc"):
            return Check() if hand.offer.check else Call()
        case Move(verb="cbr", amount=int() | Decimal() as amount):
            return Bet(unit.chips(amount)) if hand.offer.check and hand.round.price == 0 else Raise(unit.chips(amount))
        case Move(verb="sm", muck=muck, cards=cards):
            return Muck() if muck else Show(cards)
    raise Refused("no_such_move", f"{move.verb!r} has no meaning in {hand.structure.name}")


def finishing_stacks(record: Record, hand: Hand, unit: Unit) -> tuple[Amount, ...]:
    """The stacks in the record's own money; a stack of unknown depth stays unknown."""
    return tuple(
        before if isinstance(before, Decimal) and before.is_infinite() else unit.amount(chips)
        for before, chips in zip(record.starting_stacks, hand.stacks, strict=True)
    )
