"""A hand as an SVG picture: the table with its seats, cards in four colours, bets, pots, the button and the turn."""

from collections.abc import Iterator, Sequence
from html import escape
from math import cos, pi, sin
from unicodedata import east_asian_width

from msgspec import Struct

from pitboss.betting.refusals import SetupError
from pitboss.cards import UNKNOWN, Card
from pitboss.game import PlayersTurn
from pitboss.hand.state import State, boards
from pitboss.hand.text import describe, name, stakes_in_words, state, waits_for

WIDE, HIGH, SEATS = 920, 600, 10
"""The picture of a table of up to ten; a larger table makes a larger picture."""

_SIGNS = {
    "c": ("♣", "#15803d"),
    "d": ("♦", "#1d4ed8"),
    "h": ("♥", "#dc2626"),
    "s": ("♠", "#111827"),
    "?": ("", "#6b7280"),
}
_PANEL, _FELT, _RAIL, _SEAT, _LINE = "#1e293b", "#166534", "#78350f", "#0f172a", "#475569"
_INK, _FAINT, _GOLD, _PAPER, _SHADE, _BACK = "#f8fafc", "#cbd5e1", "#fbbf24", "#ffffff", "#d6dbe3", "#3b5b8c"
_BETS = 0.56  # of the way from the middle to a seat
_LOOK = 'role="img" style="max-width:100%;height:auto" font-family="system-ui, sans-serif"'
_SEAT_WIDE, _SEAT_HIGH, _ROW = 164, 92, 148
_WIDTHS = (("ijlI.,:;'| ", 0.38), ("frt()-/J!", 0.5), ("DGHNOQU", 0.85), ("…", 1.0), ("mwMW@%—", 1.11))
"""How wide letters are, in their size, that are not as wide as most."""


class _Spot(Struct, frozen=True):
    """Where something stands."""

    x: float
    y: float


class _Layout(Struct, frozen=True):
    """Where everything stands at a table of so many."""

    players: int

    @property
    def size(self) -> float:
        return max(1.0, self.players / SEATS)

    @property
    def middle(self) -> _Spot:
        return _Spot(WIDE * self.size / 2, HIGH * self.size / 2)

    def around(self, place: int, share: float) -> _Spot:
        """A spot on the way from the middle to a seat; the places go clockwise, the button right of the bottom."""
        angle = pi / 2 + (place + 0.5) * 2 * pi / self.players
        wide, high = 366 * self.size * share, 222 * self.size * share
        return _Spot(self.middle.x + wide * cos(angle), self.middle.y + high * sin(angle))


def draw_svg(hand: State, *, names: Sequence[str] = ()) -> str:
    """The position as an SVG, which notebooks show of themselves; `names` are the players', by place, if not p1, p2 …

    Whatever the hand holds is drawn: draw a view to show what one player may see. The deck is never in it.

    >>> from pitboss.hand.hand import Hand
    >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> "Bob &lt;b&gt;" in draw_svg(hand, names=("Ada", "Bob <b>"))
    True
    """
    if not isinstance(hand, State):
        raise SetupError(f"a picture is of a hand, not of {hand!r:.40}")
    players = len(hand.stacks)
    if names and len(names) != players:
        raise SetupError(f"{len(names)} names for {players} players")
    called = [*names] or [name(place) for place in range(players)]
    layout = _Layout(players)
    wide, high = WIDE * layout.size, HIGH * layout.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" {_LOOK}>',
        f"<title>{escape(describe(hand))}</title>",
        *_table(layout, wide, high),
        *_middle(hand, layout, called),
    ]
    for place in range(players):
        parts += _seat(hand, layout, place, called[place])
        parts += _bet(hand, layout, place)
    return "".join([*parts, *_captions(hand, high, called), "</svg>"])


# --- pieces


def _wide(text: str, size: float) -> float:
    """About how wide a text is in bold letters of this size, rather too wide than too narrow."""
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    for letters, wide in _WIDTHS:
        if letter in letters:
            return wide
    if east_asian_width(letter) in "WF":
        return 1.3
    return 0.8 if letter.isupper() else 0.7


def _fitting(text: str, size: float, room: float) -> str:
    """The text, cut where it is wider than the room there is."""
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
    """One card from its upper left corner, or its back where nobody knows it."""
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
    """Cards side by side around a spot, those that lie face down among others in a darker white."""
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


def _middle(hand: State, layout: _Layout, called: Sequence[str]) -> Iterator[str]:
    """The board or boards, and the pots under them."""
    dealt = [board for board in boards(hand) if board]
    high = 56.0 if len(dealt) < 2 else 38.0
    top = layout.middle.y - 8 - (high + 4) * len(dealt) / 2
    for number, board in enumerate(dealt):
        yield from _row(_Spot(layout.middle.x, top + (high + 4) * (number + 0.5)), board, high)
    below = _Spot(layout.middle.x, layout.middle.y + 12 + (high + 4) * len(dealt) / 2)
    yield _text(below, "paid" if hand.over else f"pot {hand.pot:,}", size=18, weight=600)
    for number, pot in enumerate(hand.pots if len(hand.pots) > 1 else (), 1):
        whose = f"{pot.amount:,} for {', '.join(called[place] for place in pot.places)}"
        at = _Spot(below.x, below.y + 3 + 15 * number)
        yield _text(at, _fitting(whose, 12, _room(hand, layout, at)), size=12, fill=_FAINT)


def _room(hand: State, layout: _Layout, line: _Spot) -> float:
    """How wide a line of small text in the middle may be beside the bets that lie at its height."""
    room = 360.0
    for place, bet in enumerate(hand.round.bets):
        at = layout.around(place, _BETS)
        if bet and abs(at.y - (line.y - 4)) < 12 + 9:
            room = min(room, 2 * (abs(at.x - line.x) - _bet_wide(bet) / 2 - 4))
    return room


def _seat(hand: State, layout: _Layout, place: int, player: str) -> Iterator[str]:
    at = layout.around(place, 1)
    corner = _Spot(at.x - _SEAT_WIDE / 2, at.y - _SEAT_HIGH / 2)
    asked = hand.turn == PlayersTurn(place)
    stroke, line = (_GOLD, 4.0) if asked else (_LINE, 1.5)
    yield _box(corner, _SEAT_WIDE, _SEAT_HIGH, _SEAT, round=12, stroke=stroke, line=line)
    yield f'<g opacity="{0.45 if hand.round.folded[place] else 1:g}">'
    cards = hand.holes[place]
    high = min(42.0, (_ROW / max(len(cards), 1) - 3) / 0.7)
    down = [not up for up in hand.structure.faces]
    yield from _row(_Spot(at.x, corner.y + 29), cards, high, down)
    stack = f"{hand.stacks[place]:,}"
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


def _bet(hand: State, layout: _Layout, place: int) -> Iterator[str]:
    bet = hand.round.bets[place]
    if not bet:
        return
    at, text, wide = layout.around(place, _BETS), f"{bet:,}", _bet_wide(bet)
    yield _box(_Spot(at.x - wide / 2, at.y - 12), wide, 24, _SEAT, round=12)
    left = at.x - wide / 2 + 12
    yield f'<circle cx="{left:.1f}" cy="{at.y:.1f}" r="7" fill="{_GOLD}" stroke="{_INK}" stroke-dasharray="3 2"/>'
    yield _text(_Spot(at.x + 9, at.y + 5), text, size=14, weight=600)


def _bet_wide(bet: int) -> float:
    return 26 + 8.5 * len(f"{bet:,}")


def _captions(hand: State, high: float, called: Sequence[str]) -> Iterator[str]:
    game = ", ".join([hand.structure.name, *stakes_in_words(hand)])
    yield _text(_Spot(16, 26), game, size=15, weight=600, anchor="start")
    yield _text(_Spot(16, 46), hand.street_name.replace("_", " ").lower(), fill=_FAINT, anchor="start")
    yield _text(_Spot(16, high - 14), waits_for(hand, called.__getitem__), fill=_FAINT, anchor="start")
