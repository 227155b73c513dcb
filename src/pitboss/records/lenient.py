"""Replay an incomplete or odd record: mend what can be mended without changing a recorded chip, and report it."""

from msgspec import field
from msgspec.structs import replace

from pitboss.betting.events import Call, Check, Fold, Folded
from pitboss.betting.refusals import Refused
from pitboss.cards import is_known
from pitboss.hand.events import Action, Discard, Muck, Mucked, Show
from pitboss.hand.hand import pay_last, split_pots
from pitboss.records.moves import Move
from pitboss.records.record import Record
from pitboss.records.replay import Playback, Replay, ReplayError, begin, default_action

_ACTION_NAMES: dict[type[Action], str] = {Check: "check", Fold: "fold", Call: "bring-in", Discard: "standing pat"}


class LenientPlayback(Playback):
    """A replay under way, and what has been mended so far."""

    mended: list[str] = field(default_factory=list)
    early: set[int] = field(default_factory=set)  #: the places that folded before their turn, until it comes

    def play_recorded(self, number: int) -> None:
        """Play one recorded move, counted from 1, with what is missing before it put in."""
        _play_recorded(self, number)

    def finish(self) -> None:
        """Bring a record to its end where it stops early, and note where the outcome differs."""
        _finish_hand(self)

    def mend(self, number: int, sentence: str) -> None:
        """Tell what was put in or left out at an action; 0 is the end of the record."""
        self.mended.append(f"action {number}: {sentence}" if number else sentence)


def replay_leniently(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end, mending what is missing or odd; a cap on raises is enforced where it is given.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6"))
    >>> replay_leniently(record).mended
    ('the record stops: fold of p1 put in',)
    """
    playback = begin_leniently(record, cap)
    playback.play_all()
    return playback.outcome(playback.mended)


def begin_leniently(record: Record, cap: int | None = None) -> LenientPlayback:
    """The hand of a record after its forced bets, nothing dealt and nothing mended yet."""
    start = begin(record, cap)
    return LenientPlayback(start.record, start.moves, start.unit, start.lineup, start.hand, start.events)


def _play_recorded(playback: LenientPlayback, number: int) -> None:
    """Play one recorded move, counted from 1, with what is missing before it put in."""
    move, text = playback.moves[number - 1], playback.record.actions[number - 1]
    while True:
        _fold_early(playback)
        try:
            playback.play(move)
            return
        except Refused as refusal:
            if move.verb == "sm" and move.place in playback.lineup.players and _left_out(playback, number, move):
                return
            if _folds_early(playback, number, move):
                return
            if _gives_up_all_in(playback, number, move) or _only_calls(playback, number, move, refusal):
                return
            if not _put_in_missing(playback, number, move):
                raise ReplayError(f"{text!r}: {playback.format_refusal(refusal)}", number) from None


def _left_out(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Whether a show or muck can be left out: it changes nothing, or says nothing."""
    hand, place = playback.hand, playback.lineup.place(move.place or 0)
    verb = "mucks" if move.muck else "shows"
    if hand.over:
        playback.mend(number, f"{playback.name(place)} {verb} when the hand is over already; left out")
    elif place in hand.shown or any(isinstance(event, Mucked) and event.place == place for event in playback.events):
        playback.mend(number, f"{playback.name(place)} shows or mucks a second time; left out")
    elif place not in hand.round.live:
        playback.mend(number, f"{playback.name(place)} {verb} but has folded; left out")
    elif hand.betting_is_over and not all(map(is_known, move.cards or hand.holes[place])):
        playback.mend(number, f"{playback.name(place)} shows cards that nobody recorded; left out")
    elif hand.phase == "show" and not all(map(is_known, hand.board)):
        playback.mend(number, f"{playback.name(place)} shows, but the board is not known; left out")
    else:
        return False
    return True


def _gives_up_all_in(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Whether somebody folds who is all-in, as sites do for those who sit out: he is out, and his chips stay."""
    hand = playback.hand
    if move.verb != "f" or move.place not in playback.lineup.players:
        return False
    place = playback.lineup.place(move.place)
    live = [other for other in hand.round.live if other != place]
    betting = hand.phase == "bet"
    if place not in hand.round.live or hand.stacks[place] or hand.over or (betting and len(live) < 2):
        return False
    playback.hand = replace(hand, round=hand.round.leave(place))
    playback.events.append(Folded(place))
    if len(live) == 1:
        playback.hand, paid = pay_last(playback.hand)
        playback.events += paid
    playback.mend(number, f"{playback.name(place)} folds though all-in: out of the hand")
    return True


def _folds_early(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Whether somebody folds before others who speak later in the same round: that counts when his turn comes."""
    asked, players = playback.to_act, playback.lineup.players
    if move.verb != "f" or asked is None or move.place not in players or playback.is_answer(move, asked):
        return False
    place = playback.lineup.place(move.place)
    if place in playback.early or place not in playback.hand.round.live or not playback.hand.stacks[place]:
        return False
    for later in playback.moves[number:]:
        if later.verb in ("db", "dh") or later.place == move.place:
            return False
        if playback.is_answer(later, asked):
            playback.early.add(place)
            playback.mend(number, f"{playback.name(place)} folds before his turn: taken when it comes")
            return True
    return False


def _fold_early(playback: LenientPlayback) -> None:
    """Fold for those who did so before their turn, now that it has come."""
    while (asked := playback.to_act) is not None and asked in playback.early:
        playback.early.discard(asked)
        playback.take(Fold(), asked)


def _only_calls(playback: LenientPlayback, number: int, move: Move, refusal: Refused) -> bool:
    """Whether a raise that nobody could answer can be taken as a call: what is beyond it comes back at once."""
    asked = playback.to_act
    if move.verb != "cbr" or refusal.rule != "unanswerable" or asked is None:
        return False
    playback.take(Call(), asked)
    playback.mend(number, f"{playback.name(asked)} raises and nobody can answer: taken as a call")
    return True


def _put_in_missing(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Act for whoever is asked when the record goes on with something else."""
    asked = playback.to_act
    if asked is None or playback.is_answer(move, asked):
        return False
    _act_for(playback, number, asked, "the record goes on")
    return True


def _act_for(playback: LenientPlayback, number: int, place: int, why: str) -> None:
    action = Check() if playback.hand.offer.check else default_action(playback.hand)
    playback.take(action, place)
    playback.mend(number, f"{why}: {_ACTION_NAMES[type(action)]} of {playback.name(place)} put in")


def _finish_hand(playback: LenientPlayback) -> None:
    """Bring a record to its end where it stops early, and tell where it comes out otherwise."""
    _fold_early(playback)
    playback.fold_absent(None)
    _finish(playback)
    for difference in playback.differences():
        playback.mend(0, difference)


def _finish(playback: LenientPlayback) -> None:
    while (asked := playback.to_act) is not None:
        _act_for(playback, 0, asked, "the record stops")
    if playback.hand.over:
        return
    if playback.hand.phase in ("deal", "draw"):
        raise ReplayError("the record stops before all cards are dealt")
    live = playback.hand.round.live
    known = [p for p in live if all(map(is_known, playback.hand.holes[p]))]
    if not known or not all(map(is_known, playback.hand.board)):
        playback.hand, happened = split_pots(playback.hand)
        playback.events += happened
        playback.mend(0, "no cards to compare at the showdown: pots split evenly")
        return
    for place in live:
        if place not in known:
            playback.take(Muck(), place)
            playback.mend(0, f"the cards of {playback.name(place)} are not known: taken as mucked")
    for place in known:
        if not playback.hand.over and place not in playback.hand.shown:
            playback.take(Show(), place)
            playback.mend(0, f"no showdown recorded for {playback.name(place)}: cards taken as shown")
