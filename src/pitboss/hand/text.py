"""A hand as text: the printed table, what is on offer in words, and actions read from words."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from pitboss.betting import core
from pitboss.betting.actions import AllIn, Bet, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Bounds, Offer
from pitboss.cards import Card, CardError, CardTwiceError, read_cards
from pitboss.game import PlayersTurn
from pitboss.hand.actions import Action, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.state import State, boards, own_due


def name(place: int) -> str:
    """What a place is called: p1 sits left of the button, the last one has it."""
    return f"p{place + 1}"


def waits_for(hand: State, called: Callable[[int], str] = name) -> str:
    """Whose turn it is and what is on offer, as half a sentence."""
    match hand.turn:
        case PlayersTurn(place):
            return f"{called(place)} may {allowed(hand)}"
        case _:
            return "the hand is over" if hand.over else f"cards are to be dealt: {due(hand, called)}"


def allowed(hand: State) -> str:
    """What whoever's turn it is may do: `fold, call 20 or raise to 40-1000`."""
    words = _words(hand, hand.offer)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(hand: State, offer: Offer) -> list[str]:
    words = []
    if offer.fold:
        words.append("fold")
    if offer.check:
        words.append("check")
    if offer.call is not None:
        words.append(f"{'bring in' if brings_in(hand) else 'call'} {offer.call}")
    for verb, bounds in (("bet", offer.bet), ("complete to" if completes(hand) else "raise to", offer.raise_)):
        if bounds is not None:
            words.append(f"{verb} {_bounds(bounds)}")
    if offer.draw is not None:
        words += [f"discard up to {offer.draw} cards", "stand pat"]
    if offer.show:
        words.append("show")
    if offer.muck:
        words.append("muck")
    return words


def _bounds(bounds: Bounds) -> str:
    least, most = bounds.min_to, bounds.max_to
    return f"{least}" if least == most else f"{least}-{most}"


def brings_in(hand: State) -> bool:
    """Whether whoever's turn it is pays the bring-in or completes it."""
    return hand.phase == "bet" and core.brings_in(hand.round.rules, hand.round)


def completes(hand: State) -> bool:
    """Whether a raise makes the bring-in a whole bet."""
    round = hand.round
    return hand.phase == "bet" and round.rules.bring_in and round.price > 0 and not round.level


def due(hand: State, called: Callable[[int], str] = name) -> str:
    """Which cards the hand waits for."""
    players = [f"{own_due(hand, p)} to {called(p)}" for p in hand.round.live if own_due(hand, p) > 0]
    board = hand.structure.board_by_street[hand.street] - len(hand.board)
    return ", ".join([*players, *([f"{board} to the board"] if board > 0 else [])])


def format_table(hand: State) -> str:
    """The whole table: the game, the board or boards, a line for each player, the pots, and whose turn it is."""
    lines = [", ".join(headline(hand)), *_boards(hand), *_players(hand)]
    if len(hand.pots) > 1:
        pots = [f"{pot.amount} for {' '.join(map(name, pot.places))}" for pot in hand.pots]
        lines.append(f"pots   {', '.join(pots)}")
    return "\n".join([*lines, waits_for(hand)])


def describe(hand: State) -> str:
    """A hand in a few words: its game, street, pot, and whose turn it is."""
    match hand.turn:
        case PlayersTurn(place):
            turn = f"{name(place)}'s turn"
        case _:
            turn = "over" if hand.over else "cards to be dealt"
    players = len(hand.stacks)
    return f"{hand.structure.key}, {players} players, {hand.street_name}, pot {hand.pot}, {turn}"


def headline(hand: State) -> list[str]:
    """The game, its stakes, the street and what is in the middle."""
    words = [hand.structure.name, *stakes_in_words(hand), hand.street_name]
    if hand.over:
        words.append("over")
    else:
        words.append(f"pot {hand.pot}")
    if hand.phase == "bet" and hand.round.price:
        words.append(f"price {hand.round.price}")
    return words


def stakes_in_words(hand: State) -> list[str]:
    """The forced money and, where there are no blinds or bets are fixed, the sizes."""
    stakes, words = hand.stakes, []
    posts = [str(post.amount) for post in stakes.posts if post.option]
    if posts:
        words.append(f"blinds {'/'.join(posts)}")
    if any(stakes.antes):
        words.append(f"ante {max(stakes.antes)}")
    if stakes.bring_in:
        words.append(f"bring-in {stakes.bring_in}")
    if hand.structure.betting.exact and stakes.big_bet is not None:
        words.append(f"bets {stakes.min_bet}/{stakes.big_bet}")
    elif not posts:
        words.append(f"least bet {stakes.min_bet}")
    return words


def _boards(hand: State) -> list[str]:
    dealt = boards(hand)
    if not hand.structure.board_by_street[-1] and not hand.board:
        return []
    heads = ["board"] if len(dealt) == 1 else [f"board {number}" for number in range(1, len(dealt) + 1)]
    return [f"{head}  {' '.join(board) or '-'}" for head, board in zip(heads, dealt, strict=True)]


def _players(hand: State) -> list[str]:
    """A line for each player, in columns."""
    asked = hand.turn.place if isinstance(hand.turn, PlayersTurn) else -1
    rows = [("", "", "stack", "bet", "cards", "")]
    for place, stack in enumerate(hand.stacks):
        mark, bet = ">" if place == asked else "", hand.round.bets[place]
        rows.append((mark, name(place), str(stack), str(bet or ""), held(hand, place), state(hand, place)))
    if not any(hand.round.bets):
        rows = [(*row[:3], "", *row[4:]) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, wide) for row in rows]


def _line(row: Sequence[str], wide: Sequence[int]) -> str:
    mark, who, stack, bet, cards, state = row
    bets = f"  {bet:>{wide[3]}}" if wide[3] else ""
    return f"{mark:1} {who:{wide[1]}}  {stack:>{wide[2]}}{bets}  {cards:{wide[4]}}  {state}".rstrip()


def held(hand: State, place: int) -> str:
    """A player's cards, those face down in brackets where others lie face up."""
    cards, faces = hand.holes[place], hand.structure.faces
    if not faces:
        return _spaced(cards)
    down = [not up for up in faces] + [False] * len(cards)
    groups = groupby(zip(cards, down, strict=False), key=lambda dealt: dealt[1])
    return " ".join(
        f"({_spaced(c for c, _ in group)})" if lies_down else _spaced(c for c, _ in group)
        for lies_down, group in groups
    )


def _spaced(cards: Iterable[Card]) -> str:
    return " ".join(cards)


def state(hand: State, place: int) -> str:
    """What is to be said of a player beside chips and cards."""
    words = ["button"] if place == len(hand.stacks) - 1 else []
    if hand.round.folded[place]:
        words.append("folded")
    elif not hand.stacks[place] and not hand.over:
        words.append("all-in")
    if place in hand.shown and not hand.round.folded[place]:
        words.append("shown")
    return ", ".join(words)


_AMOUNT = r"(?P<amount>\S*\d\S*)"
_WHOLE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,40})(?:\.0{1,9})?", re.ASCII)
_HYPHEN = re.compile(r"(?<=[a-z])[-_](?=[a-z])")
_CARDS = r"(?P<cards>\S.*)"


def read_spoken(hand: State, text: str) -> Action:
    """The action that a text stands for at this moment; raises `Refused`, saying what may be done."""
    said = " ".join(_HYPHEN.sub(" ", text.lower()).split())
    for pattern, make in _PHRASES:
        found = pattern.fullmatch(said)
        if found:
            return make(hand, found)
    raise _not_understood(hand, text)


def _not_understood(hand: State, text: str) -> Refused:
    return Refused("unknown_action", f"{text[:60]!r} is nothing to do now: {waits_for(hand)}")


def _size(hand: State, to: int) -> Action:
    """A street total as a bet or a raise, whichever it is now."""
    return Bet(to) if _opens(hand) else Raise(to)


def _opens(hand: State) -> bool:
    return hand.phase == "bet" and hand.round.price == 0


def _amount(found: re.Match[str]) -> int:
    """Whole chips, with commas between thousands or not."""
    whole = _WHOLE.fullmatch(found["amount"])
    if whole is None:
        raise Refused("whole_chips", f"an amount is a whole number of chips, not {found['amount'][:40]!r}")
    return int(whole[1].replace(",", ""))


def _sized(hand: State, found: re.Match[str]) -> Action:
    return _size(hand, _amount(found))


def _call(hand: State, found: re.Match[str]) -> Action:
    """A call, whose size is known: one that is said has to be that."""
    if found["amount"] is not None and hand.offer.call not in (None, _amount(found)):
        raise Refused("other_amount", f"a call is {hand.offer.call} now, not {found['amount'][:40]}: {waits_for(hand)}")
    return Call()


def _unsized(hand: State, found: re.Match[str]) -> Action:
    """A bet or raise without a number, as where the size is fixed."""
    if hand.phase == "bet" and not hand.round.rules.exact:
        raise Refused("amount_missing", f"say how much, such as {found[0]} 60: {waits_for(hand)}")
    return Bet() if _opens(hand) else Raise()


def _raise_by(hand: State, found: re.Match[str]) -> Action:
    return RaiseBy(_amount(found))


def _part_of_pot(hand: State, found: re.Match[str]) -> Action:
    """A raise by the pot, or half of it, once the price is called; all one has where that is less."""
    bounds = hand.offer.bet or hand.offer.raise_
    if bounds is None:
        raise Refused("unknown_action", f"no bet or raise can be made now: {waits_for(hand)}")
    price = hand.round.price
    by = hand.round.pot_raise - price
    return _size(hand, min(price + (by // 2 if found["half"] else by), bounds.max_to))


def _bring_in(hand: State, found: re.Match[str]) -> Action:
    if not brings_in(hand):
        raise Refused("unknown_action", f"there is no bring-in to pay now: {waits_for(hand)}")
    return _call(hand, found)


def _complete(hand: State, found: re.Match[str]) -> Action:
    bounds = hand.offer.raise_
    if bounds is None or not completes(hand):
        raise Refused("unknown_action", f"there is no bring-in to complete now: {waits_for(hand)}")
    return Raise(bounds.min_to if found["amount"] is None else _amount(found))


def _discard(hand: State, found: re.Match[str]) -> Action:
    if found["cards"] is None and hand.phase == "draw":
        raise Refused("cards_missing", f"say which cards, such as discard 9d, or stand pat: {waits_for(hand)}")
    if found["cards"] is None:
        return Discard()
    return Discard(_cards(found))


def _show(hand: State, found: re.Match[str]) -> Action:
    return Show(_cards(found))


def _deal(hand: State, found: re.Match[str]) -> Action:
    cards = _cards(found)
    return DealBoard(cards) if found["place"] is None else DealHole(int(found["place"]) - 1, cards)


def _cards(found: re.Match[str]) -> tuple[Card, ...]:
    try:
        return read_cards(found["cards"])
    except CardTwiceError as error:
        raise Refused("card_twice", str(error)) from None
    except CardError as error:
        raise Refused("no_such_card", str(error)) from None


def _plain(action: Action) -> Callable[[State, re.Match[str]], Action]:
    return lambda hand, found: action


_PHRASES: tuple[tuple[re.Pattern[str], Callable[[State, re.Match[str]], Action]], ...] = tuple(
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
