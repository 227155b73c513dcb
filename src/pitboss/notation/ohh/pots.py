"""The pots of an Open Hand History: who was paid what, what the house took, and whether that is what was put in."""

from collections.abc import Mapping
from typing import Any

from pitboss.notation.ohh.hand import HandRead
from pitboss.notation.ohh.objects import OhhError, get_amount, get_list

_BESIDE = ("cashout_amount", "cashout_fee", "bonus_amount")


def pay_pots(hand: HandRead, pots: list[dict[str, Any]]) -> None:
    """Pay what the pots say; the uncalled part of a bet goes back, whether or not they count it."""
    if not pots:
        hand.mend("there are no pots, so nobody knows who won what")
        return
    total = sum([get_amount(pot, "amount") for pot in pots])
    hand.jackpot = sum([get_amount(pot, "jackpot") for pot in pots])
    hand.rake = sum([get_amount(pot, "rake") for pot in pots]) + hand.jackpot
    for pot in pots:
        for win in get_list(pot, "player_wins"):
            hand.player(win).won += get_amount(win, "win_amount")
            _keep_beside(hand, win)
    won = sum([player.won for player in hand.players])
    if won + hand.rake != total:
        raise OhhError(f"the pots hold {total}, but {won} are won and {hand.rake} taken by the house")
    _return_uncalled(hand, total)
    for player in hand.players:
        player.left += player.won
    hand.paid = True


def _return_uncalled(hand: HandRead, total: Any) -> None:
    owner, over = hand.uncalled or (None, 0)
    if total not in (hand.pot, hand.pot - over):
        raise OhhError(f"the pots hold {total}, but {hand.pot - over} were put in")
    if owner is None:
        return
    if total == hand.pot:
        if owner.won < over:
            raise OhhError(f"{owner.name!r} is not paid back the {over} that nobody called")
        owner.won -= over
    owner.left += over


def _keep_beside(hand: HandRead, win: Mapping[str, Any]) -> None:
    """Keep what a player was paid beside the pot."""
    beside = {name: get_amount(win, name, negative=True) for name in _BESIDE}
    if any(beside.values()):
        hand.wins.append(
            {"player": hand.player(win).spelled} | {name: amount for name, amount in beside.items() if amount}
        )
