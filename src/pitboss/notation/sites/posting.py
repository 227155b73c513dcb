"""Forced bets of a hand that is being read: antes, blinds, straddles, and what is posted late or dead."""

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.betting import pay
from pitboss.notation.sites.state import HandSoFar, Player, clockwise

_SEATS = 1000


def post_ante(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """Everybody's dead money."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.ante += amount


def post_small(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """The small blind, or one that is made up for and so is dead."""
    _check_phase(hand)
    if amount <= hand.small and _is_small_blind(hand, player):
        _post_live(hand, player, amount, amount if hand.structure.betting.exact else hand.small, in_turn=True)
        hand.small_posted = True
    else:
        post_dead(hand, player, amount)


def post_big(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """The big blind, or one out of turn."""
    _check_phase(hand)
    _post_live(hand, player, amount, hand.big, in_turn=not hand.big_posted)
    hand.big_posted = True


def post_both(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """A big blind out of turn and a dead small one."""
    _check_phase(hand)
    live = min(amount, hand.big)
    _post_live(hand, player, live, hand.big, in_turn=False)
    post_dead(hand, player, amount - live)


def post_straddle(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """A blind beyond the others, or the only one, as the button's in short-deck games."""
    _check_phase(hand)
    _post_live(hand, player, amount, amount, in_turn=True)
    hand.big_posted = True


def post_dead(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """What does not count toward a call."""
    _check_phase(hand)
    pay(hand, player, amount, live=False)
    player.dead += amount


def drop_money(hand: HandSoFar, amount: Amount) -> None:
    """What the house puts into the pot."""
    hand.pot += amount
    hand.dropped += amount


def _check_phase(hand: HandSoFar) -> None:
    if hand.phase != "seats":
        raise ReadError("nobody posts in this part of the hand")


def _is_small_blind(hand: HandSoFar, player: Player) -> bool:
    """Whether this is the small blind itself: the first post of all, or one between button and big blind.

    Heads-up it is the other player's.
    """
    posted = [one for one in hand.players if one.blind]
    if hand.small_posted or not hand.big_posted:
        return not posted
    big = next((one for one in posted if one.blind > 0), None)
    if big is None:
        return False
    if sum(not one.marked for one in hand.players) == 2:
        return player is not big
    return 0 < (player.seat - hand.button) % _SEATS < (big.seat - hand.button) % _SEATS


def _post_live(hand: HandSoFar, player: Player, amount: Amount, due: Amount, *, in_turn: bool) -> None:
    pay(hand, player, amount, live=True)
    due = amount if player.left else max(amount, due)
    player.blind += due if in_turn else -due
    hand.asked = max(hand.asked, due)


def infer_blinds(hand: HandSoFar) -> None:
    """Who gave his last chips as an ante has no line for his blind, but the others have to call it."""
    around = clockwise(hand)
    if len(around) < 2 or hand.structure.betting.bring_in:
        return
    first, second = (around[1], around[0]) if len(around) == 2 else around[:2]
    posted = [place for place, player in enumerate(around) if player.blind > 0]
    after = [around[(place + 1) % len(around)] for place in posted] or [second, first]
    big = None if hand.big_posted else next((player for player in after if _is_broke(player)), None)
    if big:
        big.blind = hand.big
        hand.asked = max(hand.asked, hand.big)
    if _is_broke(first) and (hand.big_posted or not posted):
        first.blind = hand.small


def _is_broke(player: Player) -> bool:
    return not player.left and not player.blind
