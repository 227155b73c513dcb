"""Where PokerKit, which defines the meaning of a PHH file, plays a hand differently from pitboss.

In PokerKit a call costs what was really put in, also if the big blind is short; here it costs the full big blind. And
in PokerKit a side pot needs a player who shows for it.
"""

from pitboss.betting import core
from pitboss.betting.refusals import Refused
from pitboss.hand.events import Mucked
from pitboss.hand.hand import Hand
from pitboss.records.moves import Move
from pitboss.records.record import Record
from pitboss.records.replay import Playback, ReplayError, begin

SHORT_BIG_BLIND = "the big blind is short and costs the others its full size, which PHH cannot express"
_MUCKED_SIDE_POT = "all players with a claim on a side pot muck, and PHH cannot express who gets it"


def find_difference(record: Record) -> str | None:
    """Return how the hand would differ in other programs, in a sentence; None if it would not, or cannot be played."""
    try:
        playback = begin(record)
    except ReplayError:
        return None
    short = _is_short(playback.hand)
    if not short and not any(move.muck for move in playback.moves):
        return None
    least, street = 0, playback.hand.street
    for move in playback.moves:
        before = playback.hand
        try:
            playback.play(move)
        except Refused:
            return None
        if before.street != street:
            least, street = 0, before.street
        if before.phase == "bet" and move.verb in ("f", "cc", "cbr"):
            if _differs(before, move, playback.hand, least):
                return SHORT_BIG_BLIND
            if _is_short(before):
                least = max(playback.hand.round.bets) - max(before.round.bets)
    return _MUCKED_SIDE_POT if _mucked_away(playback) else None


def _differs(before: Hand, move: Move, after: Hand, least: int) -> bool:
    """Return whether an action costs another amount, or is not allowed, if the price is the highest bet.

    `least` is the raise over a short blind; it is larger there, and so is the minimum of the next raise.
    """
    betting, place = before.round, before.round.turn
    own, stack, highest = betting.bets[place], betting.stacks[place], max(betting.bets)
    if move.verb == "cc":
        return (before.offer.call or 0) != min(stack, highest - own)
    if move.verb == "f":
        others = [other for other in betting.live if other != place and betting.stacks[other]]
        return _is_short(before) and own == highest and not others
    if _is_short(before) and before.structure.betting.exact:
        return True
    return after.round.stacks[place] > 0 and after.round.bets[place] - highest < least


def _is_short(hand: Hand) -> bool:
    """Return whether staying costs more than any player has put in, although the forced bets are paid."""
    if core.brings_in(hand.structure.betting, hand.round):
        return False
    return hand.round.price != max(hand.round.bets)


def _mucked_away(playback: Playback) -> bool:
    """Return whether a player mucks who has paid more than every player who shows."""
    hand = playback.hand
    mucked = {event.place for event in playback.events if isinstance(event, Mucked)}
    showing = [hand.round.paid[place] for place in hand.round.live if place not in mucked]
    return hand.over and any(hand.round.paid[place] > max(showing, default=0) for place in mucked)
