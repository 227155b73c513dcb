"""Replaying an incomplete or odd record: what can be mended without changing a recorded chip, and how it is told."""

from pitboss.betting.actions import Check, Fold
from pitboss.betting.refusals import Refused
from pitboss.cards import is_known
from pitboss.hand.actions import Muck, Show
from pitboss.hand.events import Mucked
from pitboss.hand.hand import split_pots
from pitboss.notation.moves import Move
from pitboss.notation.record import Record
from pitboss.notation.replay import Course, Replay, ReplayError, begin


class _Course(Course):
    """A replay under way, and what has been mended so far."""

    mended: list[str]

    def mend(self, number: int, sentence: str) -> None:
        """Tell what was put in or left out at an action; 0 is the end of the record."""
        self.mended.append(f"action {number}: {sentence}" if number else sentence)


def replay_leniently(record: Record) -> Replay:
    """Play a record to its end, mending what is missing or odd.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6"))
    >>> replay_leniently(record).mended
    ('the record stops: fold of p1 put in',)
    """
    start = begin(record)
    course = _Course(start.record, start.moves, start.unit, start.lineup, start.hand, start.events, [])
    for number, (move, text) in enumerate(zip(course.moves, record.actions, strict=True), 1):
        _play(course, number, move, text)
    course.fold_absent(None)
    _finish(course)
    return Replay(course.hand, tuple(course.events), course.finishing_stacks(), tuple(course.mended))


def _play(course: _Course, number: int, move: Move, text: str) -> None:
    while True:
        try:
            course.play(move)
            return
        except Refused as refusal:
            if move.verb == "sm" and move.place in course.lineup.players and _left_out(course, number, move):
                return
            if not _put_in_missing(course, number, move):
                raise ReplayError(f"{text!r}: {course.told(refusal)}", number) from None


def _left_out(course: _Course, number: int, move: Move) -> bool:
    """Whether a show or muck can be left out: it changes nothing, or says nothing."""
    hand, place = course.hand, course.lineup.place(move.place or 0)
    deed = "mucks" if move.muck else "shows"
    if hand.over:
        course.mend(number, f"{course.name(place)} {deed} when the hand is over already; left out")
    elif place in hand.shown or any(isinstance(event, Mucked) and event.place == place for event in course.events):
        course.mend(number, f"{course.name(place)} shows or mucks a second time; left out")
    elif place not in hand.round.live:
        course.mend(number, f"{course.name(place)} {deed} but has folded; left out")
    elif hand.betting_is_over and not all(map(is_known, move.cards or hand.holes[place])):
        course.mend(number, f"{course.name(place)} shows cards that nobody recorded; left out")
    elif hand.phase == "show" and not all(map(is_known, hand.board)):
        course.mend(number, f"{course.name(place)} shows, but the board is not known; left out")
    else:
        return False
    return True


def _put_in_missing(course: _Course, number: int, move: Move) -> bool:
    """Act for whoever is asked when the record goes on with something else."""
    if course.hand.phase != "bet":
        return False
    asked = course.hand.round.turn
    if move.place == course.lineup.players[asked] and move.verb in ("f", "cc", "cbr"):
        return False
    _act_for(course, number, asked, "the record goes on")
    return True


def _act_for(course: _Course, number: int, place: int, why: str) -> None:
    action = Check() if course.hand.offer.check else Fold()
    course.take(action, place)
    course.mend(number, f"{why}: {'check' if isinstance(action, Check) else 'fold'} of {course.name(place)} put in")


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
            course.mend(0, f"the cards of {course.name(place)} are not known: taken as mucked")
    for place in known:
        if not course.hand.over and place not in course.hand.shown:
            course.take(Show(), place)
            course.mend(0, f"no showdown recorded for {course.name(place)}: cards taken as shown")
