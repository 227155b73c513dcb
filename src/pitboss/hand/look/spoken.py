"""Actions from text: `raise 60` is a raise to 60 or, where nothing has been bet, a bet of 60."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pitboss.betting.actions import AllIn, Bet, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused
from pitboss.cards import Card, CardError, CardTwiceError, read_cards
from pitboss.hand.actions import Action, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.look.words import brings_in, completes, waits_for

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand

_AMOUNT = r"(?P<amount>\S*\d\S*)"
_WHOLE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,40})(?:\.0{1,9})?", re.ASCII)
_HYPHEN = re.compile(r"(?<=[a-z])[-_](?=[a-z])")
_CARDS = r"(?P<cards>\S.*)"


def read_spoken(hand: "Hand", text: str) -> Action:
    """The action that a text stands for at this moment; raises `Refused`, saying what may be done."""
    said = " ".join(_HYPHEN.sub(" ", text.lower()).split())
    for pattern, make in _PHRASES:
        found = pattern.fullmatch(said)
        if found:
            return make(hand, found)
    raise _not_understood(hand, text)


def _not_understood(hand: "Hand", text: str) -> Refused:
    return Refused("unknown_action", f"{text[:60]!r} is nothing to do now: {waits_for(hand)}")


def _size(hand: "Hand", to: int) -> Action:
    """A street total as a bet or a raise, whichever it is now."""
    return Bet(to) if _opens(hand) else Raise(to)


def _opens(hand: "Hand") -> bool:
    return hand.phase == "bet" and hand.round.price == 0


def _amount(found: re.Match[str]) -> int:
    """Whole chips, with commas between thousands or not."""
    whole = _WHOLE.fullmatch(found["amount"])
    if whole is None:
        raise Refused("whole_chips", f"an amount is a whole number of chips, not {found['amount'][:40]!r}")
    return int(whole[1].replace(",", ""))


def _sized(hand: "Hand", found: re.Match[str]) -> Action:
    return _size(hand, _amount(found))


def _call(hand: "Hand", found: re.Match[str]) -> Action:
    """A call, whose size is known: one that is said has to be that."""
    if found["amount"] is not None and hand.offer.call not in (None, _amount(found)):
        raise Refused("other_amount", f"a call is {hand.offer.call} now, not {found['amount'][:40]}: {waits_for(hand)}")
    return Call()


def _unsized(hand: "Hand", found: re.Match[str]) -> Action:
    """A bet or raise without a number, as where the size is fixed."""
    if hand.phase == "bet" and not hand.round.rules.exact:
        raise Refused("amount_missing", f"say how much, such as {found[0]} 60: {waits_for(hand)}")
    return Bet() if _opens(hand) else Raise()


def _raise_by(hand: "Hand", found: re.Match[str]) -> Action:
    return RaiseBy(_amount(found))


def _part_of_pot(hand: "Hand", found: re.Match[str]) -> Action:
    """A raise by the pot, or half of it, once the price is called; all one has where that is less."""
    bounds = hand.offer.bet or hand.offer.raise_
    if bounds is None:
        raise Refused("unknown_action", f"no bet or raise can be made now: {waits_for(hand)}")
    price = hand.round.price
    by = hand.round.pot_raise - price
    return _size(hand, min(price + (by // 2 if found["half"] else by), bounds.max_to))


def _bring_in(hand: "Hand", found: re.Match[str]) -> Action:
    if not brings_in(hand):
        raise Refused("unknown_action", f"there is no bring-in to pay now: {waits_for(hand)}")
    return _call(hand, found)


def _complete(hand: "Hand", found: re.Match[str]) -> Action:
    bounds = hand.offer.raise_
    if bounds is None or not completes(hand):
        raise Refused("unknown_action", f"there is no bring-in to complete now: {waits_for(hand)}")
    return Raise(bounds.min_to if found["amount"] is None else _amount(found))


def _discard(hand: "Hand", found: re.Match[str]) -> Action:
    if found["cards"] is None and hand.phase == "draw":
        raise Refused("cards_missing", f"say which cards, such as discard 9d, or stand pat: {waits_for(hand)}")
    if found["cards"] is None:
        return Discard()
    return Discard(_cards(found))


def _show(hand: "Hand", found: re.Match[str]) -> Action:
    return Show(_cards(found))


def _deal(hand: "Hand", found: re.Match[str]) -> Action:
    cards = _cards(found)
    return DealBoard(cards) if found["place"] is None else DealHole(int(found["place"]) - 1, cards)


def _cards(found: re.Match[str]) -> tuple[Card, ...]:
    try:
        return read_cards(found["cards"])
    except CardTwiceError as error:
        raise Refused("card_twice", str(error)) from None
    except CardError as error:
        raise Refused("no_such_card", str(error)) from None


def _plain(action: Action) -> "Callable[[Hand, re.Match[str]], Action]":
    return lambda hand, found: action


_PHRASES: tuple[tuple[re.Pattern[str], "Callable[[Hand, re.Match[str]], Action]"], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        ("fold|f", _plain(Fold())),
        ("check|x", _plain(Check())),
        (rf"call(?: {_AMOUNT})?", _call),
        ("all ?in|shove", _plain(AllIn())),
        (rf"(?:bet|raise)(?: to)? {_AMOUNT}", _sized),
        ("bet|raise", _unsized),
        (rf"raise by {_AMOUNT}", _raise_by),
        (r"(?:bet |raise )?(?:the )?(?P<half>half )?(?:the )?pot", _part_of_pot),
        (rf"bring in(?: {_AMOUNT})?", _bring_in),
        (rf"complete(?:(?: to)? {_AMOUNT})?", _complete),
        ("(?:stand )?pat|discard (?:none|nothing)", _plain(Discard())),
        (rf"(?:discard|draw)(?: {_CARDS})?", _discard),
        ("show", _plain(Show())),
        (rf"show {_CARDS}", _show),
        ("muck", _plain(Muck())),
        (rf"deal (?:p(?P<place>[1-9]\d?)|board) {_CARDS}", _deal),
    )
)
"""What may be said, the plainer before the wider."""
