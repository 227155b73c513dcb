"""What players do in a PokerStars hand: the lines `NAME: posts, folds, calls, raises, shows`, and their account.

Amounts must agree with each other; whether the rules allow what is told is not asked here.
"""

import re
from collections.abc import Callable

from pitboss.notation.chips import Amount
from pitboss.notation.pokerstars.text import ALL_IN, ROUNDS, PokerStarsError
from pitboss.notation.pokerstars.transcript import (
    UNKNOWN_HOLE,
    Deed,
    Player,
    Told,
    clockwise,
    learn,
    told_amount,
    told_cards,
)

_SEATS = 1000

# --- forced bets


def _post(told: Told, player: Player, found: re.Match[str]) -> None:
    kind, amount = found["kind"], told_amount(told, found["amount"])
    _expect(told, "posts", "seats")
    if kind == "the ante":
        _pay(told, player, amount, live=False)
        player.ante += amount
    elif kind == "small & big blinds":
        live = min(amount, told.stakes.big)
        _post_live(told, player, live, told.stakes.big, in_turn=False)
        _post_dead(told, player, amount - live)
    elif kind == "small blind":
        if _is_small_blind(told, player):
            _post_live(told, player, amount, told.stakes.small, in_turn=True)
            told.small_posted = True
        else:
            _post_dead(told, player, amount)
    else:
        _post_live(told, player, amount, told.stakes.big, in_turn=kind == "straddle" or not told.big_posted)
        told.big_posted = True
    _check_all_in(player, found)


def _is_small_blind(told: Told, player: Player) -> bool:
    """Whether this is the small blind itself: the first post of all, or one between button and big blind.

    Heads-up it is the other player's.
    """
    posted = [one for one in told.players if one.blind]
    if told.small_posted or not told.big_posted:
        return not posted
    big = next((one for one in posted if one.blind > 0), None)
    if big is None:
        return False
    if sum(not one.marked for one in told.players) == 2:
        return player is not big
    return 0 < (player.seat - told.button) % _SEATS < (big.seat - told.button) % _SEATS


def _post_live(told: Told, player: Player, amount: Amount, due: Amount, *, in_turn: bool) -> None:
    _pay(told, player, amount, live=True)
    due = amount if player.left else max(amount, due)
    player.blind += due if in_turn else -due
    told.asked = max(told.asked, due)


def _post_dead(told: Told, player: Player, amount: Amount) -> None:
    _pay(told, player, amount, live=False)
    player.dead += amount


def infer_blinds(told: Told) -> None:
    """Who gave his last chips as an ante has no line for his blind, but the others have to call it."""
    around = clockwise(told)
    if len(around) < 2:
        return
    first, second = (around[1], around[0]) if len(around) == 2 else around[:2]
    posted = [place for place, player in enumerate(around) if player.blind > 0]
    after = [around[(place + 1) % len(around)] for place in posted] or [second, first]
    big = None if told.big_posted else next((player for player in after if _is_broke(player)), None)
    if big:
        big.blind = told.stakes.big
        told.asked = max(told.asked, told.stakes.big)
    if _is_broke(first) and (told.big_posted or not posted):
        first.blind = told.stakes.small


def _is_broke(player: Player) -> bool:
    return not player.left and not player.blind


# --- betting


def _fold(told: Told, player: Player, found: re.Match[str]) -> None:
    _act(told, player)
    player.folded = True
    if found["cards"]:
        _show_freely(player, found)
    told.deeds.append(Deed("f", player))


def _check(told: Told, player: Player, _: re.Match[str]) -> None:
    _act(told, player)
    if player.street != told.asked:
        raise PokerStarsError(f"nobody checks while {told.asked - player.street} are to call")
    told.deeds.append(Deed("cc", player))


def _call(told: Told, player: Player, found: re.Match[str]) -> None:
    _act(told, player)
    _pay(told, player, told_amount(told, found["amount"]), live=True)
    _check_all_in(player, found)
    if player.street > told.asked or (player.street < told.asked and player.left):
        raise PokerStarsError(f"a call makes {told.asked} or puts in the last chip, not {player.street}")
    told.deeds.append(Deed("cc", player))


def _bet(told: Told, player: Player, found: re.Match[str]) -> None:
    _act(told, player)
    by = told_amount(told, found["amount"])
    to = told_amount(told, found["to"]) if found["to"] else by
    if told.asked + by != to:
        raise PokerStarsError(f"a raise by {by} on {told.asked} does not make {to}")
    if to <= told.asked:
        raise PokerStarsError("a raise by nothing")
    _pay(told, player, to - player.street, live=True)
    _check_all_in(player, found)
    told.asked = to
    told.deeds.append(Deed("cbr", player, total=to))


def _act(told: Told, player: Player) -> None:
    _expect(told, "bets", "HOLE CARDS", *ROUNDS)
    if player.folded or player.mucked:
        raise PokerStarsError(f"{player.name} has folded")


def _expect(told: Told, what: str, *sections: str) -> None:
    if told.section not in sections:
        raise PokerStarsError(f"nobody {what} in this part of the hand")


def _pay(told: Told, player: Player, amount: Amount, *, live: bool) -> None:
    if amount > player.left:
        raise PokerStarsError(f"{player.name} has {player.left} and cannot pay {amount}")
    player.left -= amount
    told.pot += amount
    if live:
        player.street += amount


def _check_all_in(player: Player, found: re.Match[str]) -> None:
    if found["all_in"] and player.left:
        raise PokerStarsError(f"{player.name} is not all-in with {player.left} left")


# --- cards


def _show(told: Told, player: Player, found: re.Match[str]) -> None:
    if player.mucked or not _is_contested(told, player):
        _show_freely(player, found)
        return
    cards = told_cards(found["cards"])
    if len(cards) != len(UNKNOWN_HOLE):
        raise PokerStarsError("two cards are shown at a showdown")
    learn(player, cards)
    if not player.shown:
        told.deeds.append(Deed("sm", player, cards))
        player.shown = True


def _is_contested(told: Told, player: Player) -> bool:
    """Whether a player and somebody else are left."""
    return not player.folded and any(p.involved and not p.folded for p in told.players if p is not player)


def _show_freely(player: Player, found: re.Match[str]) -> None:
    learn(player, told_cards(found["cards"]))
    player.shows = True


def _muck(told: Told, player: Player, _: re.Match[str]) -> None:
    if _is_contested(told, player) and not player.shown and not player.mucked:
        player.mucked = True
        told.deeds.append(Deed("sm", player))


def _keep(_: Told, __: Player, ___: re.Match[str]) -> None:
    """Not showing changes nothing."""


_CHIPS = rf"(?P<amount>\S+)(?P<all_in>{ALL_IN})?"
DEEDS: tuple[tuple[re.Pattern[str], Callable[[Told, Player, re.Match[str]], None]], ...] = (
    (
        re.compile(rf"posts (?P<kind>the ante|small blind|big blind|small & big blinds|straddle) {_CHIPS}"),
        _post,
    ),
    (re.compile(r"folds(?: \[(?P<cards>.*)\])?"), _fold),
    (re.compile(r"checks"), _check),
    (re.compile(rf"calls {_CHIPS}"), _call),
    (re.compile(rf"(?:bets|raises) (?P<amount>\S+)(?: to (?P<to>\S+))?(?P<all_in>{ALL_IN})?"), _bet),
    (re.compile(r"shows \[(?P<cards>[^\]]*)\](?: \(.*\))?"), _show),
    (re.compile(r"mucks hand"), _muck),
    (re.compile(r"doesn't show hand"), _keep),
)
