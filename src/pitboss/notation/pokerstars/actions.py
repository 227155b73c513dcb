"""What players do in a PokerStars hand: the lines `NAME: posts, folds, calls, raises, shows`, and their account.

Amounts must agree with each other; whether the rules allow what is said is not asked here.
"""

import re
from collections.abc import Callable

from pitboss.notation.chips import Amount
from pitboss.notation.pokerstars.state import (
    UNKNOWN_HOLE,
    ActionEntry,
    HandSoFar,
    Player,
    amount_in,
    clockwise,
    known_cards,
    learn,
)
from pitboss.notation.pokerstars.text import ALL_IN, ROUNDS, PokerStarsError

_SEATS = 1000

# --- forced bets


def _post(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    kind, amount = found["kind"], amount_in(hand, found["amount"])
    _expect(hand, "posts", "seats")
    if kind == "the ante":
        _pay(hand, player, amount, live=False)
        player.ante += amount
    elif kind == "small & big blinds":
        live = min(amount, hand.stakes.big)
        _post_live(hand, player, live, hand.stakes.big, in_turn=False)
        _post_dead(hand, player, amount - live)
    elif kind == "small blind":
        if amount <= hand.stakes.small and _is_small_blind(hand, player):
            _post_live(hand, player, amount, hand.stakes.small, in_turn=True)
            hand.small_posted = True
        else:
            _post_dead(hand, player, amount)
    else:
        _post_live(hand, player, amount, hand.stakes.big, in_turn=kind == "straddle" or not hand.big_posted)
        hand.big_posted = True
    _check_all_in(player, found)


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
    _pay(hand, player, amount, live=True)
    due = amount if player.left else max(amount, due)
    player.blind += due if in_turn else -due
    hand.asked = max(hand.asked, due)


def _post_dead(hand: HandSoFar, player: Player, amount: Amount) -> None:
    _pay(hand, player, amount, live=False)
    player.dead += amount


def infer_blinds(hand: HandSoFar) -> None:
    """Who gave his last chips as an ante has no line for his blind, but the others have to call it."""
    around = clockwise(hand)
    if len(around) < 2:
        return
    first, second = (around[1], around[0]) if len(around) == 2 else around[:2]
    posted = [place for place, player in enumerate(around) if player.blind > 0]
    after = [around[(place + 1) % len(around)] for place in posted] or [second, first]
    big = None if hand.big_posted else next((player for player in after if _is_broke(player)), None)
    if big:
        big.blind = hand.stakes.big
        hand.asked = max(hand.asked, hand.stakes.big)
    if _is_broke(first) and (hand.big_posted or not posted):
        first.blind = hand.stakes.small


def _is_broke(player: Player) -> bool:
    return not player.left and not player.blind


# --- betting


def _fold(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    _act(hand, player)
    player.folded = True
    if found["cards"]:
        _show_freely(player, found)
    hand.entries.append(ActionEntry("f", player))


def _check(hand: HandSoFar, player: Player, _: re.Match[str]) -> None:
    _act(hand, player)
    if player.street != hand.asked:
        raise PokerStarsError(f"nobody checks while {hand.asked - player.street} are to call")
    hand.entries.append(ActionEntry("cc", player))


def _call(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    _act(hand, player)
    _pay(hand, player, amount_in(hand, found["amount"]), live=True)
    _check_all_in(player, found)
    if player.street > hand.asked or (player.street < hand.asked and player.left):
        raise PokerStarsError(f"a call makes {hand.asked} or puts in the last chip, not {player.street}")
    hand.entries.append(ActionEntry("cc", player))


def _bet(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    _act(hand, player)
    by = amount_in(hand, found["amount"])
    to = amount_in(hand, found["to"]) if found["to"] else by
    if hand.asked + by != to:
        raise PokerStarsError(f"a raise by {by} on {hand.asked} does not make {to}")
    if to <= hand.asked:
        raise PokerStarsError("a raise by nothing")
    _pay(hand, player, to - player.street, live=True)
    _check_all_in(player, found)
    hand.asked = to
    hand.entries.append(ActionEntry("cbr", player, total=to))


def _act(hand: HandSoFar, player: Player) -> None:
    _expect(hand, "bets", "HOLE CARDS", *ROUNDS)
    if player.folded or player.mucked:
        raise PokerStarsError(f"{player.name} has folded")


def _expect(hand: HandSoFar, what: str, *sections: str) -> None:
    if hand.section not in sections:
        raise PokerStarsError(f"nobody {what} in this part of the hand")


def _pay(hand: HandSoFar, player: Player, amount: Amount, *, live: bool) -> None:
    if amount > player.left:
        raise PokerStarsError(f"{player.name} has {player.left} and cannot pay {amount}")
    player.left -= amount
    hand.pot += amount
    if live:
        player.street += amount


def _check_all_in(player: Player, found: re.Match[str]) -> None:
    if found["all_in"] and player.left:
        raise PokerStarsError(f"{player.name} is not all-in with {player.left} left")


# --- cards


def _show(hand: HandSoFar, player: Player, found: re.Match[str]) -> None:
    if player.mucked or not _is_contested(hand, player):
        _show_freely(player, found)
        return
    cards = known_cards(found["cards"])
    if len(cards) != len(UNKNOWN_HOLE):
        raise PokerStarsError("two cards are shown at a showdown")
    learn(player, cards)
    if not player.shown:
        hand.entries.append(ActionEntry("sm", player, cards))
        player.shown = True


def _is_contested(hand: HandSoFar, player: Player) -> bool:
    """Whether a player and somebody else are left."""
    return not player.folded and any(p.involved and not p.folded for p in hand.players if p is not player)


def _show_freely(player: Player, found: re.Match[str]) -> None:
    learn(player, known_cards(found["cards"]))
    player.shows = True


def _muck(hand: HandSoFar, player: Player, _: re.Match[str]) -> None:
    if _is_contested(hand, player) and not player.shown and not player.mucked:
        player.mucked = True
        hand.entries.append(ActionEntry("sm", player))


def _keep(_: HandSoFar, __: Player, ___: re.Match[str]) -> None:
    """Not showing changes nothing."""


_CHIPS = rf"(?P<amount>\S+)(?P<all_in>{ALL_IN})?"
PLAYER_LINES: tuple[tuple[re.Pattern[str], Callable[[HandSoFar, Player, re.Match[str]], None]], ...] = (
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
