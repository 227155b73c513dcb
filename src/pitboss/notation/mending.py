"""Replaying an incomplete or odd record: what can be mended without changing a recorded chip, and how it is told."""

from msgspec import Struct

from pitboss.betting.actions import Check, Fold
from pitboss.betting.refusals import Refused
from pitboss.cards import is_known
from pitboss.game import PlayersTurn
from pitboss.hand.actions import Action, Muck, Show
from pitboss.hand.events import Event
from pitboss.hand.hand import Hand, split_pots
from pitboss.notation.chips import Unit
from pitboss.notation.moves import Move
from pitboss.notation.record import Record
from pitboss.notation.replay import Replay, ReplayError, find_unit, finishing_stacks, read_moves, start, to_action


class _Course(Struct):
    """A replay under way."""

    hand: Hand
    unit: Unit
    events: list[Event]
    mended: list[str]

    def take(self, action: Action, place: int | None) -> None:
        self.hand, happened = self.hand.act(action, place)
        self.events += happened

    def mend(self, number: int, sentence: str) -> None:
        self.mended.append(f"action {number}: {sentence}" if number else sentence)


def replay_leniently(record: Record) -> Replay:
    """Play a record to its end, mending what is missing or odd.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6"))
    >>> replay_leniently(record).mended
    ('the record stops: fold of p1 put in',)
    """
    moves = read_moves(record)
    unit = find_unit(record, moves)
    hand, events = start(record, unit)
    course = _Course(hand, unit, list(events), [])
    for number, (move, text) in enumerate(zip(moves, record.actions, strict=True), 1):
        if move.verb != "note":
            _play(course, number, move, text)
    _finish(course)
    stacks = finishing_stacks(record, course.hand, unit)
    return Replay(course.hand, tuple(course.events), stacks, tuple(course.mended))


def _play(course: _Course, number: int, move: Move, text: str) -> None:
    while True:
        try:
            course.take(to_action(course.hand, move, course.unit), move.place)
            return
        except Refused as refusal:
            if move.verb == "sm" and _passed_over(course, number, move):
                return
            if not _put_in_missing(course, number, move):
                raise ReplayError(f"{text!r}: {refusal}", number) from None


def _passed_over(course: _Course, number: int, move: Move) -> bool:
    """Whether a show or muck can be left out: it changes nothing, or says nothing."""
    place = move.place or 0
    if course.hand.over:
        course.mend(number, f"p{place + 1} shows when the hand is over already; left out")
    elif place in course.hand.shown or place not in course.hand.round.live:
        course.mend(number, f"p{place + 1} shows or mucks a second time; left out")
    elif course.hand.betting_is_over and not all(map(is_known, move.cards or course.hand.holes[place])):
        course.mend(number, f"p{place + 1} shows cards that nobody recorded; left out")
    else:
        return False
    return True


def _put_in_missing(course: _Course, number: int, move: Move) -> bool:
    """Act for whoever is asked when the record goes on with something else."""
    match course.hand.turn:
        case PlayersTurn(place=place) if course.hand.phase == "bet" and (
            place != move.place or move.verb not in ("f", "cc", "cbr")
        ):
            _act_for(course, number, place, "the record goes on without him")
            return True
    return False


def _act_for(course: _Course, number: int, place: int, why: str) -> None:
    action = Check() if course.hand.offer.check else Fold()
    course.take(action, place)
    course.mend(number, f"{why}: {'check' if isinstance(action, Check) else 'fold'} of p{place + 1} put in")


def _finish(course: _Course) -> None:
    """Bring a record that stops early to its end."""
    while course.hand.phase == "bet":
        _act_for(course, 0, course.hand.round.turn, "the record stops")
    if course.hand.over:
        return
    if course.hand.phase == "deal":
        raise ReplayError("the record stops before all cards are dealt")
    live = course.hand.round.live
    known = [p for p in live if all(map(is_known, course.hand.holes[p]))]
    if not known or not all(map(is_known, course.hand.board)):
        course.hand, happened = split_pots(course.hand)
        course.events += happened
        course.mend(0, "no cards to compare at the showdown: pots split evenly")
        return
    for place in live:
        if place not in known:
            course.take(Muck(), place)
            course.mend(0, f"the cards of p{place + 1} are not known: taken as mucked")
    for place in known:
        if not course.hand.over and place not in course.hand.shown:
            course.take(Show(), place)
            course.mend(0, f"no showdown recorded for p{place + 1}: cards taken as shown")
