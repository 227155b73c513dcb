"""A recorded hand played again, move by move, by the rules.

Strict: the first impossible action is an error. `mending.py` goes on where a record is merely incomplete or odd.
"""

from decimal import Decimal

from msgspec import Struct

from pitboss.betting.actions import Bet, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Post
from pitboss.cards import is_known
from pitboss.errors import PitbossError
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand
from pitboss.hand.structure import STRUCTURES, Stakes
from pitboss.notation.chips import Amount, Unit
from pitboss.notation.lineup import Lineup, LineupError, lineup
from pitboss.notation.moves import Move, MoveError, read_move
from pitboss.notation.record import Record


class ReplayError(PitbossError, ValueError):
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


class Course(Struct):
    """A replay under way: the hand so far, and who of the record has which place in it."""

    record: Record
    moves: list[Move]
    unit: Unit
    lineup: Lineup
    hand: Hand
    events: list[Event]

    def take(self, action: Action, place: int | None = None) -> None:
        """Let the hand take an action."""
        self.hand, happened = self.hand.act(action, place)
        self.events += happened

    def play(self, move: Move) -> None:
        """Play one recorded move; raises `Refused` where the rules do."""
        if move.verb == "note":
            return
        self.fold_absent(move)
        try:
            place = None if move.place is None else self.lineup.place(move.place)
        except LineupError as error:
            raise Refused("not_dealt_in", str(error)) from None
        self.take(_action(self.hand, move, place, self.unit), place)

    def fold_absent(self, upcoming: Move | None) -> None:
        """Fold for whoever is asked but has left the table, unless the next move is still his own."""
        while self.hand.phase == "bet" and self.hand.round.turn in self.lineup.away:
            player = self.lineup.players[self.hand.round.turn]
            if upcoming is not None and upcoming.place == player and upcoming.verb in ("f", "cc", "cbr"):
                return
            self.take(Fold())
        if upcoming is None and self.hand.phase == "show":
            self.show_absent()

    def show_absent(self) -> None:
        """At the showdown, show for whoever went away all-in, who keeps his claim, and muck for the others who went."""
        for place in sorted(self.lineup.away):
            if self.hand.phase == "show" and place in self.hand.round.live and place not in self.hand.shown:
                claims = self.hand.round.stacks[place] == 0 and all(map(is_known, self.hand.holes[place]))
                self.take(Show() if claims else Muck(), place)

    def name(self, place: int) -> str:
        """The player at a place as the record calls him."""
        return f"p{self.lineup.players[place] + 1}"

    def told(self, refusal: Refused) -> str:
        """A refusal in the record's own money and names."""
        return refusal.told(self.unit.amount, self.name)

    def finishing_stacks(self) -> tuple[Amount, ...]:
        """Everybody's stack in the record's own money; one of unknown depth stays unknown."""
        stacks = list(self.record.starting_stacks)
        for place, player in enumerate(self.lineup.players):
            before = stacks[player]
            if not (isinstance(before, Decimal) and before.is_infinite()):
                stacks[player] = self.unit.amount(self.hand.stacks[place])
        return tuple(stacks)


def replay(record: Record) -> Replay:
    """Play a record to its end by the rules.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    course = play_out(record)
    if not course.hand.over:
        raise ReplayError(f"the record stops before the hand is over, with {len(record.actions)} actions")
    return Replay(course.hand, tuple(course.events), course.finishing_stacks())


def play_out(record: Record) -> Course:
    """Play all that a record has, whether or not that ends the hand."""
    course = begin(record)
    for number, (move, text) in enumerate(zip(course.moves, record.actions, strict=True), 1):
        try:
            course.play(move)
        except Refused as refusal:
            raise ReplayError(f"{text!r}: {course.told(refusal)}", number) from None
    course.fold_absent(None)
    return course


def begin(record: Record) -> Course:
    """The hand of a record after its forced bets, nothing dealt yet."""
    moves = read_moves(record)
    unit = find_unit(record, moves)
    try:
        line = lineup(record, moves)
        hand, events = _start(record, unit, line)
    except (SetupError, LineupError) as error:
        raise ReplayError(str(error)) from None
    return Course(record, moves, unit, line, hand, list(events))


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
        dead_posts(record),
    ):
        amounts += several or ()
    amounts += (record.min_bet or 0, record.small_bet or 0, record.big_bet or 0, dead_money(record))
    return Unit.finest(amounts)


def _start(record: Record, unit: Unit, line: Lineup) -> tuple[Hand, tuple[Event, ...]]:
    if record.variant not in STRUCTURES:
        raise ReplayError(f"variant {record.variant} is not built yet: it is read and written but cannot be replayed")
    least = record.min_bet if record.min_bet is not None else record.small_bet
    if least is None:
        raise ReplayError("the record says neither min_bet nor small_bet")
    stakes = Stakes(
        min_bet=unit.chips(least),
        big_bet=None if record.big_bet is None else unit.chips(record.big_bet),
        posts=_posts(record, unit, line),
        antes=tuple(unit.chips(ante) for ante in line.by_place(record.antes, len(record.starting_stacks), "antes")),
        equal_antes=bool(record.ante_trimming_status),
        dead=unit.chips(dead_money(record)),
    )
    stacks = [unit.chips(record.starting_stacks[player]) for player in line.players]
    if 0 in stacks:
        raise ReplayError(f"p{line.players[stacks.index(0)] + 1} has no chips and cannot be dealt in")
    return Hand.start(STRUCTURES[record.variant], stacks=stacks, stakes=stakes)


def _posts(record: Record, unit: Unit, line: Lineup) -> tuple[Post, ...]:
    """Blinds, straddles and posts; a negative one is a live post of somebody who came late, and does not speak last."""
    n = len(record.starting_stacks)
    amounts = line.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    posts = [Post(place, abs(unit.chips(amount)), option=amount > 0) for place, amount in enumerate(amounts) if amount]
    dead = dead_posts(record)
    posts += [
        Post(place, unit.chips(dead[player]), live=False) for place, player in enumerate(line.players) if dead[player]
    ]
    return tuple(posts)


def dead_posts(record: Record) -> tuple[Amount, ...]:
    """`_deadPosts`: what each player posts dead beside his blind, as a returning player does."""
    given, n = record.user.get("_deadPosts"), len(record.starting_stacks)
    if given is None:
        return (0,) * n
    if not isinstance(given, tuple) or len(given) != n:
        raise ReplayError(f"_deadPosts must be {n} amounts, one a player")
    return tuple(_amount(amount, "_deadPosts") for amount in given)


def dead_money(record: Record) -> Amount:
    """`_deadMoney`: chips that are in the pot before anybody posts."""
    return _amount(record.user.get("_deadMoney", 0), "_deadMoney")


def _amount(value: object, field: str) -> Amount:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not 0 <= value < Decimal("Infinity"):
        raise ReplayError(f"{field}: {value!r} is no amount")
    return value


def _action(hand: Hand, move: Move, place: int | None, unit: Unit) -> Action:
    """What a move asks of the hand at this moment."""
    match move:
        case Move(verb="dh", cards=cards) if place is not None:
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
