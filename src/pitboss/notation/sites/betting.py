"""Betting of a hand that is being read, and its account: amounts must agree with each other.

Whether the rules allow what is said is not asked here.
"""

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError
from pitboss.notation.sites.dealing import deal_owed
from pitboss.notation.sites.state import ActionEntry, HandSoFar, Player, mend, usual_bring_in


def fold(hand: HandSoFar, player: Player) -> None:
    """Give up the hand."""
    _act(hand, player)
    player.folded = True
    hand.entries.append(ActionEntry("f", player))


def check(hand: HandSoFar, player: Player) -> None:
    """Stay for nothing."""
    _act(hand, player)
    if player.street != hand.asked:
        raise ReadError(f"nobody checks while {hand.asked - player.street} are to call")
    hand.entries.append(ActionEntry("cc", player))


def call(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """Put in what is asked, or the last chip."""
    _act(hand, player)
    if _shows_post_live(hand, player, amount):
        player.blind, player.street, player.dead = -player.dead, player.dead, 0
    pay(hand, player, amount, live=True)
    if player.street > hand.asked or (
        player.street < hand.asked and player.left and player.street != _top(hand, player)
    ):
        raise ReadError(f"a call makes {hand.asked} or puts in the last chip, not {player.street}")
    hand.entries.append(ActionEntry("cc", player))


def _shows_post_live(hand: HandSoFar, player: Player, amount: Amount) -> bool:
    """Whether a call says that a post thought dead counted after all: it falls short by just that, with chips left.

    A last chip that falls short says nothing: it may do so by any amount.
    """
    first = hand.street == 0 and player.street == 0
    return first and player.dead > 0 and player.dead + amount == hand.asked and player.left > amount


def raise_to(hand: HandSoFar, player: Player, to: Amount, by: Amount | None = None) -> None:
    """Bet or raise to so much on this street; `by` is said by some, of whom a few mean what is put in."""
    _act(hand, player)
    if by is not None and to - by not in (hand.asked, 0, player.street, _top(hand, player)):
        mend(hand, f"a raise by {by} on {hand.asked} does not make {to}")
    if to <= hand.asked:
        raise ReadError("a raise by nothing")
    pay(hand, player, to - player.street, live=True)
    hand.asked = to
    hand.entries.append(ActionEntry("cbr", player, total=to))


def _top(hand: HandSoFar, player: Player) -> Amount:
    """The most that anybody else has put in on this street, which a short blind may leave below what it should be."""
    return max([other.street for other in hand.players if other is not player], default=0)


def bring_in(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """Pay what the worst up-card has to."""
    _act(hand, player)
    if hand.asked or not hand.structure.betting.bring_in:
        raise ReadError("there is no bring-in to pay")
    pay(hand, player, amount, live=True)
    hand.asked = hand.bring_in = amount if player.left else max(amount, usual_bring_in(hand))
    hand.entries.append(ActionEntry("pb", player))


def _act(hand: HandSoFar, player: Player) -> None:
    if hand.phase != "play":
        raise ReadError("nobody bets in this part of the hand")
    if player.folded or player.mucked:
        raise ReadError(f"{player.name} has folded")
    if hand.changing:
        deal_owed(hand)


def pay(hand: HandSoFar, player: Player, amount: Amount, *, live: bool) -> None:
    """Move chips from a stack to the pot."""
    if amount > player.left:
        raise ReadError(f"{player.name} has {player.left} and cannot pay {amount}")
    player.left -= amount
    hand.pot += amount
    player.involved = True
    if live:
        player.street += amount


def check_all_in(hand: HandSoFar, player: Player) -> None:
    """Hold a player who is said to be all-in to it."""
    if player.left:
        mend(hand, f"{player.name} is not all-in with {player.left} left")


# --- what comes back


def return_uncalled(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """Give back what nobody called."""
    if amount > hand.pot:
        raise ReadError("more is returned than was put in")
    player.left += amount
    hand.pot -= amount
    player.street = max(player.street - amount, 0)
    hand.returned = True


def collect(hand: HandSoFar, player: Player, amount: Amount) -> None:
    """Win a pot or a part of one."""
    player.left += amount
    player.won += amount
    player.involved = True


def cash_out(player: Player, amount: Amount) -> None:
    """Take the house's money for one's part of the pot; the hand's own chips go as the cards decide."""
    player.cashed_out += amount
