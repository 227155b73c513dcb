"""Replay a record that is incomplete or breaks the rules.

Each repair adds, ignores or replaces a move, and is reported. Recorded chips never change.
"""

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import field
from msgspec.structs import replace

from pitboss.betting.events import BettingEvent, Call, Check, Fold, Folded
from pitboss.betting.refusals import Refused
from pitboss.cards import is_known
from pitboss.hand.events import Action, Discard, Event, Muck, Mucked, Raked, Show, Won
from pitboss.hand.hand import pay_last, split_pots
from pitboss.records.moves import Move
from pitboss.records.record import Record
from pitboss.records.replay import Playback, Replay, ReplayError, default_action, start_playback

_ACTION_WORDS: dict[type[Action], str] = {
    Check: "checks",
    Fold: "folds",
    Call: "pays the bring-in",
    Discard: "stands pat",
}


class LenientPlayback(Playback):
    """A lenient replay in progress."""

    mended: list[str] = field(default_factory=list)  #: one sentence per repair
    early: set[int] = field(default_factory=set)  #: places with an early fold that is not played yet

    def play_recorded(self, number: int) -> None:
        """Play a recorded move, after adding moves that are missing before it. The first move has number 1."""
        move = self.moves[number - 1]
        while True:
            _fold_early(self)
            try:
                self.play(move)
                return
            except Refused as refusal:
                if move.verb == "sm" and move.place in self.lineup.players and _left_out(self, number, move):
                    return
                if _folds_early(self, number, move):
                    return
                if _gives_up_all_in(self, number, move) or _only_calls(self, number, move, refusal):
                    return
                if not _add_missing(self, number, move):
                    text = self.record.actions[number - 1]
                    raise ReplayError(f"{text!r}: {self.format_refusal(refusal)}", number) from None

    def finish(self) -> None:
        """Add the moves that are missing at the end, and report differences from the recorded outcome."""
        _fold_early(self)
        self.fold_absent(None)
        _finish(self)
        for difference in self.differences():
            self.mend(0, difference)

    def mend(self, number: int, sentence: str) -> None:
        """Add a repair to the report. `number` is that of the action, or 0 at the end of the record."""
        self.mended.append(f"action {number}: {sentence}" if number else sentence)


def replay_leniently(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end, and repair missing or illegal moves. `cap` limits the raises in a round.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6"))
    >>> replay_leniently(record).mended
    ('the record stops early, so p1 folds',)
    """
    playback = start_lenient_playback(record, cap)
    playback.play_all()
    return playback.outcome(playback.mended)


def start_lenient_playback(record: Record, cap: int | None = None) -> LenientPlayback:
    """Start the hand of a record for lenient replay, and post its forced bets."""
    start = start_playback(record, cap)
    return LenientPlayback(start.record, start.moves, start.unit, start.lineup, start.hand, start.events)


def _left_out(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Ignore a show or muck that cannot change the outcome. Return whether the move was ignored."""
    hand, place = playback.hand, playback.lineup.place(move.place or 0)
    verb = "mucks" if move.muck else "shows"
    if hand.over:
        playback.mend(number, f"{playback.name(place)} {verb} after the end of the hand; the move is ignored")
    elif place in hand.shown or any(isinstance(event, Mucked) and event.place == place for event in playback.events):
        playback.mend(number, f"{playback.name(place)} shows or mucks a second time; the move is ignored")
    elif place not in hand.round.live:
        playback.mend(number, f"{playback.name(place)} {verb} after folding; the move is ignored")
    elif hand.betting_is_over and not all(map(is_known, move.cards or hand.holes[place])):
        playback.mend(number, f"{playback.name(place)} shows cards that are not recorded; the move is ignored")
    elif hand.phase == "show" and not all(map(is_known, hand.board)):
        playback.mend(number, f"{playback.name(place)} shows, but the board is not known; the move is ignored")
    else:
        return False
    return True


def _gives_up_all_in(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Play the fold of an all-in player; the player's chips stay in the pot. Return whether the move was played.

    Some sites record such a fold for a player who sits out.
    """
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
    playback.mend(number, f"{playback.name(place)} is all-in but folds and leaves the hand")
    return True


def _folds_early(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Keep a fold before the player's turn, to play it at their turn. Return whether the fold was kept.

    The player to act must have a later move on this street, before the next move of the player who folds.
    """
    to_act, players = playback.to_act, playback.lineup.players
    if move.verb != "f" or to_act is None or move.place not in players or playback.is_answer(move, to_act):
        return False
    place = playback.lineup.place(move.place)
    if place in playback.early or place not in playback.hand.round.live or not playback.hand.stacks[place]:
        return False
    for later in playback.moves[number:]:
        if later.verb in ("db", "dh") or later.place == move.place:
            return False
        if playback.is_answer(later, to_act):
            playback.early.add(place)
            playback.mend(number, f"{playback.name(place)} folds early; the fold is played at their turn")
            return True
    return False


def _fold_early(playback: LenientPlayback) -> None:
    """Play the early fold of the player to act, and of those after them."""
    while (place := playback.to_act) is not None and place in playback.early:
        playback.early.discard(place)
        playback.take(Fold(), place)


def _only_calls(playback: LenientPlayback, number: int, move: Move, refusal: Refused) -> bool:
    """Play a raise as a call if no other player can call it. Return whether the move was played.

    The chips are the same, because an uncalled raise is returned.
    """
    place = playback.to_act
    if move.verb != "cbr" or refusal.rule != "unanswerable" or place is None:
        return False
    playback.take(Call(), place)
    playback.mend(number, f"{playback.name(place)} raises, but no other player can call; this is played as a call")
    return True


def _add_missing(playback: LenientPlayback, number: int, move: Move) -> bool:
    """Act for the player to act if the next move is not theirs. Return whether an action was added."""
    place = playback.to_act
    if place is None or playback.is_answer(move, place):
        return False
    _act_for(playback, number, place, f"the record has no action of {playback.name(place)} here")
    return True


def _act_for(playback: LenientPlayback, number: int, place: int, why: str) -> None:
    action = Check() if playback.hand.offer.check else default_action(playback.hand)
    playback.take(action, place)
    playback.mend(number, f"{why}, so {playback.name(place)} {_ACTION_WORDS[type(action)]}")


def _finish(playback: LenientPlayback) -> None:
    while (place := playback.to_act) is not None:
        _act_for(playback, 0, place, "the record stops early")
    if playback.hand.over:
        return
    if playback.hand.phase in ("deal", "draw"):
        raise ReplayError("the record stops before all cards are dealt")
    live = playback.hand.round.live
    known = [p for p in live if all(map(is_known, playback.hand.holes[p]))]
    if not known or not all(map(is_known, playback.hand.board)):
        playback.hand, happened = split_pots(playback.hand)
        playback.events += happened
        playback.mend(0, "the cards at the showdown are not known, so the pots are split evenly")
        return
    for place in live:
        if place not in known:
            playback.take(Muck(), place)
            playback.mend(0, f"the cards of {playback.name(place)} are not known, so {playback.name(place)} mucks")
    for place in known:
        if not playback.hand.over and place not in playback.hand.shown:
            playback.take(Show(), place)
            playback.mend(0, f"the record has no showdown for {playback.name(place)}, so {playback.name(place)} shows")


def roundtrip_difference(played: Replay, again: Record) -> str | None:
    """Return the first difference in chips after writing a record in another format and reading it again.

    `played` is the replay of the original, and `again` the record that was read. The result is None if the same chips
    move in both.
    """
    try:
        read = replay_leniently(again)
    except ReplayError as error:
        return f"read again, {error}"
    for before, after in zip_longest(_chips_moved(played), _chips_moved(read)):
        if before != after:
            return f"{before} would be read as {after}"
    return None


def _chips_moved(played: Replay) -> Iterator[Event]:
    """Yield the events that move chips, in the record's money. The ranks of winning hands are removed."""
    for event in played.events:
        if isinstance(event, Won):
            yield replace(event, order=None)
        elif isinstance(event, BettingEvent | Raked):
            yield event
