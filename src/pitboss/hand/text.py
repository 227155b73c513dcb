"""Write a hand as words, as a text table or as an SVG picture. Read actions in words."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from html import escape
from itertools import groupby
from math import cos, pi, sin
from unicodedata import east_asian_width

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Offer
from pitboss.cards import UNKNOWN, Card, CardError, CardTwiceError, read_cards
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, ChooseRuns, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.state import BOTTOMLESS_FROM, State, boards, own_due

_WHOLE = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,40})(?:\.0{1,9})?", re.ASCII)
_HYPHEN = re.compile(r"(?<=[a-z])[-_](?=[a-z])")

_PICTURE_WIDE, _PICTURE_HIGH, _PICTURE_SEATS = 920, 600, 10
"""The size of the picture for up to ten players. The picture is larger for more players."""

_SIGNS = {
    "c": ("♣", "#15803d"),
    "d": ("♦", "#1d4ed8"),
    "h": ("♥", "#dc2626"),
    "s": ("♠", "#111827"),
    "?": ("", "#6b7280"),
}
_PANEL, _FELT, _RAIL, _SEAT, _LINE = "#1e293b", "#166534", "#78350f", "#0f172a", "#475569"
_INK, _FAINT, _GOLD, _PAPER, _SHADE, _BACK = "#f8fafc", "#cbd5e1", "#fbbf24", "#ffffff", "#d6dbe3", "#3b5b8c"
_BETS = 0.56  # the position of a bet, between the middle of the table (0) and the seat (1)
_LOOK = 'role="img" style="max-width:100%" font-family="system-ui, sans-serif"'
_SEAT_WIDE, _SEAT_HIGH, _ROW = 164, 92, 148
_WIDTHS = (("ijlI.,:;'| ", 0.38), ("frt()-/J!", 0.5), ("DGHNOQU", 0.85), ("…", 1.0), ("mwMW@%—", 1.11))
"""The widths of unusually narrow or wide letters, relative to the font size."""
_AMOUNT = r"(?P<amount>\S*\d\S*)"
_CARDS = r"(?P<cards>\S.*)"


def name(place: int) -> str:
    """Return the name of a place, such as `p1` for the place left of the button."""
    return f"p{place + 1}"


def chips(amount: int) -> str:
    """Return a number of chips as text. An unknown stack is `inf`."""
    return "inf" if amount >= BOTTOMLESS_FROM else str(amount)


def waits_for(hand: State, called: Callable[[int], str] = name, spell: Callable[[int], str] = chips) -> str:
    """Return a clause that describes the next turn, such as `p2 may check or bet 20-980`."""
    match hand.turn:
        case PlayersTurn(place):
            return f"{called(place)} may {allowed(hand, spell)}"
        case _:
            return "the hand is over" if hand.over else f"cards are to be dealt: {due(hand, called)}"


def allowed(hand: State, spell: Callable[[int], str] = chips) -> str:
    """Return the actions of the player to act, such as `fold, call 20 or raise to 40-1000`."""
    words = _words(hand, hand.offer, spell)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(hand: State, offer: Offer, spell: Callable[[int], str]) -> list[str]:
    words = []
    if offer.fold:
        words.append("fold")
    if offer.check:
        words.append("check")
    if offer.call is not None:
        words.append(f"{'bring in' if brings_in(hand) else 'call'} {spell(offer.call)}")
    for verb, bounds in (("bet", offer.bet), ("complete to" if completes(hand) else "raise to", offer.raise_)):
        if bounds is not None:
            between = " or " if hand.round.rules.exact else "-"
            words.append(f"{verb} {between.join(dict.fromkeys([spell(bounds.min_to), spell(bounds.max_to)]))}")
    if offer.draw is not None:
        words += [f"discard up to {offer.draw} cards", "stand pat"]
    if offer.discard is not None:
        words.append(f"discard {offer.discard} card{'s' if offer.discard > 1 else ''}")
    if offer.runs is not None:
        words += [f"run it {times} times" if times > 1 else "run it once" for times in range(1, offer.runs + 1)]
    if offer.show:
        words.append("show")
    if offer.muck:
        words.append("muck")
    return words


def brings_in(hand: State) -> bool:
    """Return whether the player to act must pay or complete the bring-in."""
    return hand.phase == "bet" and core.brings_in(hand.round.rules, hand.round)


def completes(hand: State) -> bool:
    """Return whether a raise completes the bring-in to a full bet."""
    round = hand.round
    return hand.phase == "bet" and round.rules.bring_in and round.price > 0 and not round.level


def due(hand: State, called: Callable[[int], str] = name) -> str:
    """Return the numbers of cards that must be dealt next, in words."""
    players = [f"{own_due(hand, p)} to {called(p)}" for p in hand.round.live if own_due(hand, p) > 0]
    full, rows = hand.structure.board_by_street[hand.street], (hand.board, *hand.more_boards)
    heads = [f"board {number}" for number in range(1, len(rows) + 1)] if hand.more_boards else ["the board"]
    missing = [(full - len(row), head) for row, head in zip(rows, heads, strict=True)]
    return ", ".join([*players, *[f"{count} to {head}" for count, head in missing if count > 0]])


def format_table(hand: State) -> str:
    """Return a text table of the hand: the game, the boards, the players, the pots and the next turn."""
    lines = [", ".join(headline(hand)), *_boards(hand), *_players(hand)]
    if len(hand.pots) > 1:
        pots = [f"{pot.amount} for {' '.join(map(name, pot.places))}" for pot in hand.pots]
        lines.append(f"pots   {', '.join(pots)}")
    return "\n".join([*lines, waits_for(hand)])


def describe(hand: State) -> str:
    """Return a short description of the hand."""
    match hand.turn:
        case PlayersTurn(place):
            turn = f"{name(place)}'s turn"
        case _:
            turn = "over" if hand.over else "cards to be dealt"
    players = len(hand.stacks)
    return f"{hand.structure.key}, {players} players, {hand.street_name}, pot {hand.pot}, {turn}"


def headline(hand: State) -> list[str]:
    """Return the first line of the text table as a list of words."""
    words = [hand.structure.name, *stakes_in_words(hand), hand.street_name]
    if hand.over:
        words.append("over")
    else:
        words.append(f"pot {chips(hand.pot)}")
    if hand.phase == "bet" and hand.round.price:
        words.append(f"price {chips(hand.round.price)}")
    return words


def stakes_in_words(hand: State, spell: Callable[[int], str] = chips) -> list[str]:
    """Return the forced bets in words. Add fixed bet sizes. Add the minimum bet if there are no blinds."""
    stakes, words = hand.stakes, []
    posts = [spell(post.amount) for post in stakes.posts if post.option]
    if posts:
        words.append(f"blinds {'/'.join(posts)}")
    if any(stakes.antes):
        words.append(f"ante {spell(max(stakes.antes))}")
    if stakes.bring_in:
        words.append(f"bring-in {spell(stakes.bring_in)}")
    if hand.structure.betting.exact and stakes.big_bet is not None:
        words.append(f"bets {spell(stakes.min_bet)}/{spell(stakes.big_bet)}")
    elif not posts:
        words.append(f"minimum bet {spell(stakes.min_bet)}")
    return words


def _boards(hand: State) -> list[str]:
    dealt = boards(hand)
    if not hand.structure.board_by_street[-1] and not hand.board:
        return []
    heads = ["board"] if len(dealt) == 1 else [f"board {number}" for number in range(1, len(dealt) + 1)]
    return [f"{head}  {' '.join(board) or '-'}" for head, board in zip(heads, dealt, strict=True)]


def _players(hand: State) -> list[str]:
    """Return one line per player. All lines have the same columns."""
    to_act = hand.turn.place if isinstance(hand.turn, PlayersTurn) else -1
    rows = [("", "", "stack", "bet", "cards", "")]
    for place, stack in enumerate(hand.stacks):
        mark, bet = ">" if place == to_act else "", hand.round.bets[place]
        rows.append((mark, name(place), chips(stack), chips(bet) if bet else "", held(hand, place), state(hand, place)))
    if not any(hand.round.bets):
        rows = [(*row[:3], "", *row[4:]) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, wide) for row in rows]


def _line(row: Sequence[str], wide: Sequence[int]) -> str:
    mark, who, stack, bet, cards, state = row
    bets = f"  {bet:>{wide[3]}}" if wide[3] else ""
    return f"{mark:1} {who:{wide[1]}}  {stack:>{wide[2]}}{bets}  {cards:{wide[4]}}  {state}".rstrip()


def held(hand: State, place: int) -> str:
    """Return a player's cards. In games with up-cards, face-down cards are in brackets."""
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
    """Return a player's state in words, such as `button, all-in`."""
    words = ["button"] if place == len(hand.stacks) - 1 else []
    if hand.round.folded[place]:
        words.append("folded")
    elif not hand.stacks[place] and not hand.over:
        words.append("all-in")
    if place in hand.shown and not hand.round.folded[place]:
        words.append("shown")
    return ", ".join(words)


def read_spoken(hand: State, text: str) -> Action:
    """Return the action that a text describes. Raise `Refused` if no such action is possible now."""
    said = " ".join(_HYPHEN.sub(" ", text.lower()).split())
    for pattern, make in _PHRASES:
        found = pattern.fullmatch(said)
        if found:
            return make(hand, found)
    raise _not_understood(hand, text)


def _not_understood(hand: State, text: str) -> Refused:
    return Refused("unknown_action", f"{text[:60]!r} is not possible now: {waits_for(hand)}")


def _size(hand: State, to: int) -> Action:
    """Return a bet or a raise to the total `to`."""
    return Bet(to) if _opens(hand) else Raise(to)


def _opens(hand: State) -> bool:
    return hand.phase == "bet" and hand.round.price == 0


def _amount(found: re.Match[str]) -> int:
    """Return the amount as a whole number of chips. Thousands can have commas."""
    whole = _WHOLE.fullmatch(found["amount"])
    if whole is None:
        raise Refused("whole_chips", f"expected a whole number of chips, got {found['amount'][:40]!r}")
    return int(whole[1].replace(",", ""))


def _sized(hand: State, found: re.Match[str]) -> Action:
    return _size(hand, _amount(found))


def _call(hand: State, found: re.Match[str]) -> Action:
    """Return a call. An amount in the text must be the amount to call."""
    if found["amount"] is not None and hand.offer.call not in (None, _amount(found)):
        raise Refused("other_amount", f"expected {hand.offer.call}, got {found['amount'][:40]}: {waits_for(hand)}")
    return Call()


def _unsized(hand: State, found: re.Match[str]) -> Action:
    """Return a bet or a raise without an amount. This requires fixed bet sizes."""
    if hand.phase == "bet" and not hand.round.rules.exact:
        raise Refused("amount_missing", f"expected an amount, such as {found[0]} 60: {waits_for(hand)}")
    return Bet() if _opens(hand) else Raise()


def _raise_by(hand: State, found: re.Match[str]) -> Action:
    return RaiseBy(_amount(found))


def _part_of_pot(hand: State, found: re.Match[str]) -> Action:
    """Return a bet or a raise of the pot, or of half the pot. A smaller stack is all-in."""
    bounds = hand.offer.bet or hand.offer.raise_
    if bounds is None:
        raise Refused("unknown_action", f"no bet or raise is possible now: {waits_for(hand)}")
    price = hand.round.price
    by = hand.round.pot_raise - price
    return _size(hand, min(price + (by // 2 if found["half"] else by), bounds.max_to))


def _bring_in(hand: State, found: re.Match[str]) -> Action:
    if not brings_in(hand):
        raise Refused("unknown_action", f"no bring-in is due now: {waits_for(hand)}")
    return _call(hand, found)


def _complete(hand: State, found: re.Match[str]) -> Action:
    bounds = hand.offer.raise_
    if bounds is None or not completes(hand):
        raise Refused("unknown_action", f"no bring-in can be completed now: {waits_for(hand)}")
    return Raise(bounds.min_to if found["amount"] is None else _amount(found))


def _discard(hand: State, found: re.Match[str]) -> Action:
    if found["cards"] is None and hand.phase == "draw":
        raise Refused("cards_missing", f"expected cards, such as discard 9d, or stand pat: {waits_for(hand)}")
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
        ("run it once", _plain(ChooseRuns(1))),
        ("run it twice", _plain(ChooseRuns(2))),
        (r"run it (?P<runs>[1-9]) times?", lambda hand, found: ChooseRuns(int(found["runs"]))),
        ("show", _plain(Show())),
        (rf"show {_CARDS}", _show),
        ("muck", _plain(Muck())),
        (rf"deal (?:p(?P<place>[1-9]\d?)|board) {_CARDS}", _deal),
    )
)
"""The patterns of actions in words. The first pattern that matches is used."""


class _Spot(Struct, frozen=True):
    """A point in the picture."""

    x: float
    y: float


class _Layout(Struct, frozen=True):
    """The positions of the middle and the seats in the picture."""

    players: int

    @property
    def size(self) -> float:
        return max(1.0, self.players / _PICTURE_SEATS)

    @property
    def middle(self) -> _Spot:
        return _Spot(_PICTURE_WIDE * self.size / 2, _PICTURE_HIGH * self.size / 2)

    def around(self, place: int, share: float) -> _Spot:
        """Return a point between the middle (`share` 0) and a seat (`share` 1).

        Places go clockwise. The button is at the lower right.
        """
        angle = pi / 2 + (place + 0.5) * 2 * pi / self.players
        wide, high = 366 * self.size * share, 222 * self.size * share
        return _Spot(self.middle.x + wide * cos(angle), self.middle.y + high * sin(angle))


def draw_svg(hand: State, *, names: Sequence[str] = (), money: Callable[[int], int | Decimal] | None = None) -> str:
    """Return the hand as an SVG picture.

    `names` has the name of each place. By default the names are p1, p2 and so on. The picture shows every card that the
    hand contains, except the deck. To show what one player may see, draw `hand.view(place)`.

    `money` converts chips to the amounts in the picture. For example, `replay(record).unit.amount` returns amounts in
    the money of the record.

    >>> from pitboss import Hand
    >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> "Bob &lt;b&gt;" in draw_svg(hand, names=("Ada", "Bob <b>"))
    True
    """
    if not isinstance(hand, State):
        raise SetupError(f"hand: expected a Hand, got {hand!r:.40}")
    players = len(hand.stacks)
    if names and len(names) != players:
        raise SetupError(f"names: expected {players}, one per player, got {len(names)}")
    called = [*names] or [name(place) for place in range(players)]
    layout = _Layout(players)

    def spell(amount: int) -> str:
        return chips(amount) if amount >= BOTTOMLESS_FROM else f"{amount if money is None else money(amount):,}"

    wide, high = _PICTURE_WIDE * layout.size, _PICTURE_HIGH * layout.size
    size = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_LOOK}>',
        f"<title>{escape(describe(hand))}</title>",
        *_table(layout, wide, high),
        *_middle(hand, layout, called, spell),
    ]
    for place in range(players):
        parts += _seat(hand, layout, place, called[place], spell)
        parts += _bet(hand, layout, place, spell)
    return "".join([*parts, *_captions(hand, high, called, spell), "</svg>"])


# --- pieces


def _wide(text: str, size: float) -> float:
    """Estimate the width of a text in bold letters. For common letters the result is at least the true width."""
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    for letters, wide in _WIDTHS:
        if letter in letters:
            return wide
    if east_asian_width(letter) in "WF":
        return 1.3
    return 0.8 if letter.isupper() else 0.7


def _fitting(text: str, size: float, room: float) -> str:
    """Return the text. Shorten it if it is wider than `room`."""
    if _wide(text, size) <= room:
        return text
    while text and _wide(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _text(
    at: _Spot, text: str, *, size: float = 14, fill: str = _INK, weight: int = 400, anchor: str = "middle"
) -> str:
    return (
        f'<text x="{at.x:.1f}" y="{at.y:.1f}" font-size="{size:g}" fill="{fill}" font-weight="{weight}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )


def _box(
    at: _Spot, wide: float, high: float, fill: str, *, round: float = 4, stroke: str = "none", line: float = 1
) -> str:
    return (
        f'<rect x="{at.x:.1f}" y="{at.y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{round:g}" fill="{fill}"'
        f' stroke="{stroke}" stroke-width="{line:g}"/>'
    )


def _card(at: _Spot, card: Card, high: float, paper: str = _PAPER) -> Iterator[str]:
    """Draw one card at its upper left corner. An unknown card is drawn from the back."""
    wide = high * 0.7
    if card == UNKNOWN:
        yield _box(at, wide, high, _BACK, stroke=_INK)
        yield _text(_Spot(at.x + wide / 2, at.y + high * 0.66), "?", size=high * 0.45, fill=_FAINT)
        return
    sign, ink = _SIGNS[card[1]]
    yield _box(at, wide, high, paper, stroke=_LINE)
    yield _text(_Spot(at.x + wide / 2, at.y + high * 0.47), card[0], size=high * 0.46, fill=ink, weight=700)
    yield _text(_Spot(at.x + wide / 2, at.y + high * 0.9), sign, size=high * 0.44, fill=ink)


def _row(middle: _Spot, cards: Sequence[Card], high: float, shaded: Sequence[bool] = ()) -> Iterator[str]:
    """Draw a row of cards around a point. A shaded card has a darker background."""
    step = high * 0.7 + 3
    left = middle.x - (step * len(cards) - 3) / 2
    for number, card in enumerate(cards):
        dark = number < len(shaded) and shaded[number]
        yield from _card(_Spot(left + number * step, middle.y - high / 2), card, high, _SHADE if dark else _PAPER)


# --- the table


def _table(layout: _Layout, wide: float, high: float) -> Iterator[str]:
    yield _box(_Spot(0, 0), wide, high, _PANEL, round=16)
    rx, ry = 366 * layout.size, 222 * layout.size
    yield (
        f'<ellipse cx="{layout.middle.x:g}" cy="{layout.middle.y:g}" rx="{rx:g}" ry="{ry:g}" fill="{_FELT}"'
        f' stroke="{_RAIL}" stroke-width="14"/>'
    )


def _middle(hand: State, layout: _Layout, called: Sequence[str], spell: Callable[[int], str]) -> Iterator[str]:
    """Draw the boards, and the pots below them."""
    dealt = [board for board in boards(hand) if board]
    high = 56.0 if len(dealt) < 2 else 38.0
    top = layout.middle.y - 8 - (high + 4) * len(dealt) / 2
    for number, board in enumerate(dealt):
        yield from _row(_Spot(layout.middle.x, top + (high + 4) * (number + 0.5)), board, high)
    below = _Spot(layout.middle.x, layout.middle.y + 12 + (high + 4) * len(dealt) / 2)
    yield _text(below, "paid" if hand.over else f"pot {spell(hand.pot)}", size=18, weight=600)
    for number, pot in enumerate(hand.pots if len(hand.pots) > 1 else (), 1):
        whose = f"{spell(pot.amount)} for {', '.join(called[place] for place in pot.places)}"
        at = _Spot(below.x, below.y + 3 + 15 * number)
        yield _text(at, _fitting(whose, 12, _room(hand, layout, at, spell)), size=12, fill=_FAINT)


def _room(hand: State, layout: _Layout, line: _Spot, spell: Callable[[int], str]) -> float:
    """Return the maximum width of a line of text between the bets at its height."""
    room = 360.0
    for place, bet in enumerate(hand.round.bets):
        at = layout.around(place, _BETS)
        if bet and abs(at.y - (line.y - 4)) < 12 + 9:
            room = min(room, 2 * (abs(at.x - line.x) - _bet_wide(spell(bet)) / 2 - 4))
    return room


def _seat(hand: State, layout: _Layout, place: int, player: str, spell: Callable[[int], str]) -> Iterator[str]:
    at = layout.around(place, 1)
    corner = _Spot(at.x - _SEAT_WIDE / 2, at.y - _SEAT_HIGH / 2)
    is_turn = hand.turn == PlayersTurn(place)
    stroke, line = (_GOLD, 4.0) if is_turn else (_LINE, 1.5)
    yield _box(corner, _SEAT_WIDE, _SEAT_HIGH, _SEAT, round=12, stroke=stroke, line=line)
    yield f'<g opacity="{0.45 if hand.round.folded[place] else 1:g}">'
    cards = hand.holes[place]
    high = min(42.0, (_ROW / max(len(cards), 1) - 3) / 0.7)
    down = [not up for up in hand.structure.faces]
    yield from _row(_Spot(at.x, corner.y + 29), cards, high, down)
    stack = spell(hand.stacks[place])
    shown = _fitting(player, 14, _SEAT_WIDE - 24 - 3 - _wide(stack, 14))
    yield _text(_Spot(corner.x + 12, corner.y + 67), shown, weight=600, anchor="start")
    yield _text(_Spot(corner.x + _SEAT_WIDE - 12, corner.y + 67), stack, weight=600, anchor="end")
    said = state(hand, place)
    if said:
        yield _text(_Spot(corner.x + 12, corner.y + 83), said, size=12, fill=_FAINT, anchor="start")
    yield "</g>"
    if place == layout.players - 1:
        spot = _Spot(corner.x + _SEAT_WIDE - 2, corner.y + 2)
        yield f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="12" fill="{_INK}" stroke="{_LINE}"/>'
        yield _text(_Spot(spot.x, spot.y + 5), "D", fill=_SEAT, weight=700)


def _bet(hand: State, layout: _Layout, place: int, spell: Callable[[int], str]) -> Iterator[str]:
    bet = hand.round.bets[place]
    if not bet:
        return
    at, text, wide = layout.around(place, _BETS), spell(bet), _bet_wide(spell(bet))
    yield _box(_Spot(at.x - wide / 2, at.y - 12), wide, 24, _SEAT, round=12)
    left = at.x - wide / 2 + 12
    yield f'<circle cx="{left:.1f}" cy="{at.y:.1f}" r="7" fill="{_GOLD}" stroke="{_INK}" stroke-dasharray="3 2"/>'
    yield _text(_Spot(at.x + 9, at.y + 5), text, size=14, weight=600)


def _bet_wide(bet: str) -> float:
    return 26 + 8.5 * len(bet)


def _captions(hand: State, high: float, called: Sequence[str], spell: Callable[[int], str]) -> Iterator[str]:
    game = ", ".join([hand.structure.name, *stakes_in_words(hand, spell)])
    yield _text(_Spot(16, 26), game, size=15, weight=600, anchor="start")
    yield _text(_Spot(16, 46), hand.street_name.replace("_", " ").lower(), fill=_FAINT, anchor="start")
    yield _text(_Spot(16, high - 14), waits_for(hand, called.__getitem__, spell), fill=_FAINT, anchor="start")
