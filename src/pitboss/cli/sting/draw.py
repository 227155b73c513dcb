"""The parts of the full-screen table as text that fits the screen: cards, seats, scale, shop, prompts and keys."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich.style import Style
from rich.text import Text

from pitboss.sting.cards import HIDDEN, Kind, StingCard, Totals
from pitboss.sting.hand import NARC, PLAYER, StingHand
from pitboss.sting.opponents import customer_raises, narc_raises
from pitboss.sting.run import Run
from pitboss.sting.text import (
    ENDINGS,
    NAMES,
    OUTCOMES,
    Effect,
    amount,
    bust_words,
    effects,
    fold_words,
    margin_words,
    numbers_to,
    preview,
    raises_left,
    signed,
    unsold_words,
)

COLOURS: dict[Kind, str] = {
    "product": "bright_green",
    "location": "bright_cyan",
    "evidence": "bright_red",
    "cover": "bright_blue",
    "deal": "bright_yellow",
    "insurance": "bright_magenta",
    "conviction": "red",
}
TOUCHED: dict[str, str] = {
    "price": "bright_green",
    "evidence": "bright_red",
    "cover": "bright_blue",
    "heat": "orange1",
    "insurance": "bright_magenta",
    "conviction": "red",
}
KEY = Style(color="black", bgcolor="grey78", bold=True)
DIM = Style(dim=True)
IDLE = "does nothing"
NARROWEST_BOX = 17
BACK = "▒▒"
PLAIN_SCALE = 5
"""Rows of the scale without a frame."""
SHOP_BOX = 24
"""The minimum width of a box for a card that is for sale."""
SMALLEST_SCREEN = (60, 20)
"""The smallest supported screen."""
GOOD, BAD, WARM = "bold bright_green", "bold bright_red", "bold bright_yellow"


def coloured(card: StingCard) -> str:
    """Return the colour of a card's kind."""
    return COLOURS[card.kind]


def effects_line(card: StingCard, width: int, lawyer: int, *, brief: bool = False) -> Text:
    """Return what a card does in one line, in words if they fit the width."""
    done = effects(card, lawyer)
    if not done:
        return Text(IDLE, DIM)
    words = _joined(done, ", ", "words")
    if not brief and words.cell_len <= width:
        return words
    return _joined(done, " ", "brief")


def _joined(done: Sequence[Effect], between: str, form: str) -> Text:
    return Text(between).join(Text(getattr(effect, form), TOUCHED[effect.touches]) for effect in done)


def card_lines(card: StingCard, width: int, rows: int, lawyer: int) -> list[Text]:
    """Return what a card does in at most `rows` lines, in words if they fit."""
    done = effects(card, lawyer)
    if not done:
        return [Text(IDLE, DIM)]
    lines = packed([Text(effect.words, TOUCHED[effect.touches]) for effect in done], width)
    if len(lines) > rows:
        lines = packed([Text(effect.brief, TOUCHED[effect.touches]) for effect in done], width)
    return lines if len(lines) <= rows else [*lines[: rows - 1], _joined(done[rows - 1 :], " ", "brief")]


def packed(parts: Iterable[Text], width: int) -> list[Text]:
    """Put as many parts on each line as fit; a part that is too long is wrapped."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 2 + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], ", ", part)
        else:
            lines += wrapped(part, width)
    return lines


def wrapped(text: Text, width: int) -> list[Text]:
    """Wrap a text between words."""
    lines, style = [Text("", text.style)], text.style
    for word in text.plain.split(" "):
        if lines[-1].cell_len and lines[-1].cell_len + 1 + len(word) > width:
            lines.append(Text("", style))
        lines[-1].append(f" {word}" if lines[-1].cell_len else word)
    return lines


def box(title: Text, lines: Sequence[Text], width: int, rows: int, style: str, *, heavy: bool = False) -> list[Text]:
    """Draw a frame around `rows` lines, with the title in its upper edge."""
    left_top, right_top, left_low, right_low, across, upright = "┏┓┗┛━┃" if heavy else "╭╮╰╯─│"
    title = title.copy()
    title.truncate(width - 2, overflow="ellipsis")
    drawn = [Text.assemble((left_top, style), title, (across * (width - 2 - title.cell_len) + right_top, style))]
    for row in range(rows):
        line = lines[row].copy() if row < len(lines) else Text()
        line.truncate(width - 2, overflow="ellipsis", pad=True)
        drawn.append(Text.assemble((upright, style), line, (upright, style)))
    return [*drawn, Text(left_low + across * (width - 2) + right_low, style)]


def beside(boxes: Sequence[Sequence[Text]]) -> list[Text]:
    """Join boxes of the same height side by side."""
    return [Text().join(rows) for rows in zip(*boxes, strict=True)]


def seat_title(hand: StingHand, place: int) -> str:
    """Return the seat's name, a mark if it is their turn, and a stroke for each card in hand."""
    name = NAMES[place] if place == PLAYER else f"{NAMES[place]} {'▮' * len(hand.hands[place])}"
    return f"▶ {name}" if hand.to_act == place else name


def seat_badge(run: Run, hand: StingHand, place: int, width: int) -> str:
    """Return the seat's state: initiative, folded, all-in, or the chance to raise."""
    badges = []
    if hand.holder == place:
        badges.append("★ initiative" if width >= 36 or place == PLAYER or hand.state != "Betting" else "★")
    if place in hand.out:
        badges.append("folded")
    elif hand.state == "Betting" and not hand.hands[place]:
        badges.append("all-in")
    elif hand.state == "Betting" and place != PLAYER:
        ways = run.difficulty
        often = narc_raises(ways.narc, hand) if place == NARC else customer_raises(ways.customer, hand)
        badges.append(f"raises {often} %")
    return (" · " if width >= 24 else " ").join(badges)


def seat(hand: StingHand, place: int, width: int, rows: int) -> Text:
    """Draw the cards of a seat, newest first, with as much detail as fits."""
    down, played, lawyer = _down(hand, place), _played(hand, place), hand.variation.lawyer
    if not down and not played:
        return Text("nothing played", DIM)
    room = rows - len(down)
    for lines in (_boxes(played, width, lawyer), _pairs(played, width, lawyer), _mixed(played, width, lawyer, room)):
        if lines is not None and len(down) + len(lines) <= rows:
            return Text("\n").join([*down, *lines])
    lines = [*down, *_singles(played, width, lawyer)]
    hidden = len(lines) - rows + 1
    return Text("\n").join([*lines[: rows - 1], Text(f"… {hidden} more: see ?", DIM)])


Shown = tuple[StingCard, str, bool]
"""A card, how often it was played, and whether it counts."""


def _down(hand: StingHand, place: int) -> list[Text]:
    """Draw face-down cards; the Player's own have names."""
    lines = []
    hidden = sum(p == place and card == HIDDEN for p, card in hand.down)
    if hidden:
        lines.append(Text.assemble((" ".join([BACK] * hidden), "bold white"), (" face down", DIM)))
    own = [hand.cards.cards[card] for p, card in reversed(hand.down) if p == place and card != HIDDEN]
    return lines + [Text.assemble((BACK, "bold white"), " ", (card.name, coloured(card))) for card in own]


def _played(hand: StingHand, place: int) -> list[Shown]:
    counting = {hand.cards.cards[card].kind: card for _, card in hand.table}  # of a kind, the last one
    shown = []
    for name, count in Counter(card for p, card in reversed(hand.table) if p == place).items():
        card = hand.cards.cards[name]
        counts = card.kind not in ("product", "location") or counting[card.kind] == name
        shown.append((card, f" ×{count}" if count > 1 else "", counts))
    return shown


def _boxes(played: list[Shown], width: int, lawyer: int) -> list[Text] | None:
    """Draw boxes side by side; None if fewer than two fit."""
    across = width // (NARROWEST_BOX + 1)
    if across < 2:
        return None
    wide, lines = width // across, list[Text]()
    for first in range(0, len(played), across):
        row = played[first : first + across]
        inside = [card_lines(card, wide - 2, 3, lawyer) for card, _, _ in row]
        rows = max(map(len, inside))
        drawn = []
        for (card, many, counts), does in zip(row, inside, strict=True):
            colour = coloured(card) if counts else "grey50"
            drawn.append(box(_name(card, many, counts), does, wide, rows, colour))
        lines += beside(drawn)
    return lines


def _pairs(played: list[Shown], width: int, lawyer: int) -> list[Text]:
    """Draw each card in two lines, name and effects, or in one if they fit."""
    lines = []
    for card, many, counts in played:
        name, does = _name(card, many, counts), effects_line(card, width - 1, lawyer)
        short = effects_line(card, width, lawyer, brief=True)
        if name.cell_len + 1 + short.cell_len <= width:
            lines.append(Text.assemble(name, " ", short))
        else:
            does.truncate(width - 1, overflow="ellipsis")
            adds = many and card.kind not in ("product", "location") and does.plain != IDLE
            each = " each" if adds and does.cell_len + 6 <= width else ""
            lines += [name, Text.assemble(" ", does, (each, DIM))]
    return lines


def _mixed(played: list[Shown], width: int, lawyer: int, rows: int) -> list[Text]:
    """Draw one line per card, and two for those that would be cut most while rows are left."""
    pairs = [_pairs([one], width, lawyer) for one in played]
    longest = sorted(range(len(played)), key=lambda at: -sum(line.cell_len for line in pairs[at]))
    two = [at for at in longest if len(pairs[at]) > 1][: max(0, rows - len(played))]
    shown = [pairs[at] if at in two else _singles([one], width, lawyer) for at, one in enumerate(played)]
    return [line for lines in shown for line in lines]


def _singles(played: list[Shown], width: int, lawyer: int) -> list[Text]:
    """Draw one line per card. If a line is too long, the name of the card is shortened."""
    lines = []
    for card, many, counts in played:
        name, does = _name(card, many, counts), effects_line(card, width, lawyer, brief=True)
        name.truncate(max(2, width - does.cell_len - 1), overflow="ellipsis")
        line = Text.assemble(name, " ", does)
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    return lines


def _name(card: StingCard, many: str, counts: bool) -> Text:
    return Text(card.name + many, coloured(card) if counts else "dim strike")


Keys = tuple[tuple[str, str], ...]


class Rows(Struct, frozen=True):
    """The rows of each part of the table."""

    seats: int
    scale: int
    cards: int
    log: int

    @classmethod
    def of(cls, height: int) -> "Rows":
        """Divide a screen of this height; the header, the question and the keys always get one row each."""
        cards = 4 if height < 22 else 5 if height < 30 else 6
        scale = PLAIN_SCALE if height < 30 else PLAIN_SCALE + 2
        log = 2 if height < 22 else 4 if height < 30 else 8
        seats = min(14, height - 3 - cards - scale - log)
        return cls(seats, scale, cards, height - 3 - cards - scale - seats)


# --- the line at the top


def header(run: Run, hand: StingHand, width: int) -> Text:
    """Draw hand and round, Heat and its minimum, cash and target, with as much detail as fits."""
    for long, gauge, name in ((True, True, True), (False, True, True), (False, False, True), (False, False, False)):
        left = Text.assemble((" STING " if name else "", "bold reverse"), _where(run, hand, long))
        right = _purse(run, hand, gauge, long and width >= 110)
        if left.cell_len + 1 + right.cell_len <= width:
            break
    left.append(" " * max(1, width - left.cell_len - right.cell_len))
    return left + right


def _where(run: Run, hand: StingHand, long: bool) -> str:
    of, rounds = run.difficulty.hands, hand.variation.rounds
    if long:
        return f"  hand {run.number}{f' of {of}' if of else ''}  ·  round {hand.number} of {rounds}"
    return f" hand {run.number}{f'/{of}' if of else ''} · round {hand.number}/{rounds}"


def _purse(run: Run, hand: StingHand, gauge: bool, long: bool) -> Text:
    heat, most, least = run.heat if hand.over else max(run.least_heat, hand.heat), run.cards.caught_at, run.least_heat
    hot = BAD if 4 * heat >= 3 * most else WARM if 2 * heat >= most else GOOD
    minimum = f" (minimum {least})" if long else f" (≥{least})"
    cash, target = run.cash if hand.over else hand.cash, run.difficulty.target
    return Text.assemble(
        "Heat ",
        bar(heat, most, 10, hot).append(" ") if gauge else "",
        (f"{heat}/{most}", hot),
        (minimum if least else "", DIM),
        "  Cash ",
        (amount(cash), "bold"),
        f"/{target} " if target else " ",
    )


def bar(amount: int, most: int, width: int, style: str) -> Text:
    """Draw an amount as a bar of this width; any amount above 0 shows, and more than the maximum is full."""
    filled = min(width, max(0, -(-amount * width // max(1, most))))
    return Text.assemble(("█" * filled, style), ("░" * (width - filled), DIM))


# --- Evidence against Cover


def scale(hand: StingHand, width: int) -> list[Text]:
    """Draw Evidence and Cover as two bars, and the margin; the hand is the Player's view."""
    totals = hand.totals
    known = totals
    if not hand.over:
        known = hand.cards.totals([card for _, card in hand.table + hand.down if card != HIDDEN])
    digits = max(4, len(str(totals.evidence)), len(str(totals.cover)))
    long = max(10, width - digits - 12)
    most = max(60, totals.evidence, totals.cover, known.evidence, known.cover)
    lines = []
    for name, now, then, style in (
        ("Evidence", totals.evidence, known.evidence, "bright_red"),
        ("Cover", totals.cover, known.cover, "bright_blue"),
    ):
        solid, ghost = long * max(0, now) // most, long * max(0, then) // most
        line = Text.assemble((f"{name:<9}", f"bold {style}"), (f"{now:>{digits}}  ", style), ("█" * solid, style))
        lines.append(line.append("▒" * (ghost - solid), style))
    return [*lines, _figures(hand, totals, known, width)]


def _figures(hand: StingHand, now: Totals, then: Totals, width: int) -> Text:
    """Draw margin, profit, Heat and raises left; values after an arrow include the Player's face-down cards."""
    left = raises_left(hand)
    line = Text.assemble(("Margin ", "bold"), (signed(now.margin), _good(now.margin)))
    if then.margin != now.margin:
        line.append(" → ", DIM).append(signed(then.margin), _good(then.margin))
    if width >= 76:
        line.append(f" ({margin_words(then.margin)})", _good(then.margin))
    line.append("  Profit ", "bold").append(amount(now.profit), _good(now.profit) if now.profit else "")
    if then.profit != now.profit:
        line.append(" → ", DIM).append(amount(then.profit), _good(then.profit))
    line.append("  Heat ", "bold").append(signed(now.heat), "orange1" if now.heat > 0 else "")
    if then.heat != now.heat:
        line.append(" → ", DIM).append(signed(then.heat), "orange1" if then.heat > 0 else "")
    if hand.over:
        return line
    pips = "●" * left + "○" * (hand.round.rules.cap - left)
    room = width - line.cell_len - len(pips)
    label = next(label for label in ("  Raises left ", "  Raises ", "  ") if len(label) <= room or not label.strip())
    return line.append(label, "bold").append(pips, "bright_yellow")


def _good(number: int) -> str:
    return GOOD if number >= 0 else BAD


def stakes(run: Run, width: int) -> list[Text]:
    """Draw what a fold and a bust would cost now or, after the hand, its result."""
    if run.hand.over:
        return _outcome(run)
    long, brief = _costs(run, brief=False), _costs(run, brief=True)
    lines = [one if one.cell_len <= width else other for one, other in zip(long, brief, strict=True)]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _costs(run: Run, *, brief: bool) -> list[Text]:
    without = "  no sale: " if brief else "  without a sale: "
    unsold = ((without, "bold"), words) if (words := unsold_words(run)) else ()
    return [
        Text.assemble((" f ", KEY), (" fold: ", "bold"), fold_words(run, brief=brief), *unsold),
        Text.assemble((" ! ", "bold white on red"), (" bust: ", "bold"), bust_words(run, brief=brief)),
    ]


def _outcome(run: Run) -> list[Text]:
    hand, totals, how = run.hand, run.hand.totals, run.hand.outcome
    assert how is not None
    first = Text(OUTCOMES[how], GOOD if how == "success" else BAD if how == "bust" else WARM)
    if run.ending is not None:
        return [first, Text(ENDINGS[run.ending], GOOD if run.won else BAD)]
    left = run.difficulty.hands - run.number
    more = f"  {left} {'hand' if left == 1 else 'hands'} left." if run.difficulty.hands else ""
    changed = f"cash {signed(run.cash - hand.cash)}, Heat {signed(run.heat - hand.heat_before)}"
    return [first, Text(f"This hand: profit {signed(totals.profit)}, {changed}.{more}")]


# --- the Player's cards, and cards for sale


def question(run: Run, width: int, note: Text | None = None) -> Text:
    """Draw the question to the Player, or a note instead, as a line across the table."""
    hand = run.hand
    if note is not None:
        return _rule(note.plain, width, str(note.style))
    if run.over:
        question = "The run is over"
    elif run.between:
        question = "The shop: buy by number, or go on" if run.shop else "The hand is over"
    elif hand.state == "DecisionPoint":
        question = f"Round {hand.number} is over: continue or fold?"
    else:
        question = "Your turn: play a card face down, check, or fold"
    return _rule(question, width, "bold bright_yellow")


def waiting(hand: StingHand, width: int) -> Text:
    """Draw whose turn it is while opponents act."""
    to_act = hand.to_act
    return _rule(
        "…" if to_act < 0 else "Your turn" if to_act == PLAYER else f"{NAMES[to_act]} is thinking", width, "dim"
    )


def thinking(width: int) -> Text:
    """Draw that a hint is being computed."""
    return _rule("Trying every action …", width, "dim")


def _rule(words: str, width: int, style: str) -> Text:
    line = Text.assemble(("── ", DIM), (words, style), (" " + "─" * max(0, width - len(words) - 4), DIM))
    line.truncate(width, overflow="ellipsis")
    return line


def held(hand: StingHand, width: int, rows: int) -> Text:
    """Draw the Player's cards with their keys: what each does and what it would change."""
    names = hand.hands[PLAYER]
    if not names:
        return Text("You hold no cards.", DIM)
    wide, inner = _widths(width, len(names)), rows - 2
    boxes = []
    for number, (name, each) in enumerate(zip(names, wide, strict=True), 1):
        card = hand.cards.cards[name]
        colour = coloured(card)
        lines = card_lines(card, each - 2, max(1, inner - 1), hand.variation.lawyer)
        lines += [Text()] * (inner - 1 - len(lines)) + [_change(hand, name)]
        title = _numbered(number, name, colour).append(f"{card.kind} " if each >= 30 else "", DIM)
        boxes.append(box(title, lines, each, inner, colour))
    return Text("\n").join(beside(boxes))


def _widths(width: int, count: int) -> list[int]:
    """Return the widths of boxes: a third of the screen each, or less if there are more than three."""
    most = min(40, width // max(3, count))
    return [most] * count


def _change(hand: StingHand, name: str) -> Text:
    now, then = preview(hand, name)
    parts = []
    if then.margin != now.margin:
        parts.append((margin_words(then.margin), GOOD if then.margin >= 0 else BAD))
    if then.profit != now.profit:
        parts.append((f"profit {amount(then.profit)}", GOOD if then.profit > now.profit else BAD))
    if not parts:
        heat = then.heat - now.heat
        return Text(f"→ only Heat {signed(heat)}" if heat else "→ no change", DIM)
    return Text.assemble(("→ ", DIM), Text(", ").join(Text(text, style) for text, style in parts))


def shop(run: Run, width: int, rows: int) -> Text:
    """Draw the cards for sale as boxes, or as lines if the window is too small."""
    if width < SHOP_BOX * max(3, len(run.shop)):
        return Text("\n").join(_sale_line(run, number, name, width) for number, name in enumerate(run.shop, 1))
    wide, inner = _widths(width, len(run.shop)), rows - 2
    boxes = []
    for number, (name, each) in enumerate(zip(run.shop, wide, strict=True), 1):
        card, have = run.cards.cards[name], run.listed[PLAYER].count(name)
        colour, price = _sale(run, name)
        lines = card_lines(card, each - 2, max(1, inner - 1), run.difficulty.lawyer)
        lines += [Text()] * (inner - 1 - len(lines)) + [price.append(f" · you have {have}", "not bold dim")]
        boxes.append(box(_numbered(number, name, colour), lines, each, inner, colour))
    return Text("\n").join(beside(boxes))


def _sale(run: Run, name: str) -> tuple[str, Text]:
    """Return the colour of a card for sale and its price; a card that is too expensive is grey, its price red."""
    price = run.cards.shop[name]
    can = price <= run.cash
    return coloured(run.cards.cards[name]) if can else "grey50", Text(f"{price} cash", GOOD if can else BAD)


def _sale_line(run: Run, number: int, name: str, width: int) -> Text:
    colour, price = _sale(run, name)
    card, have = run.cards.cards[name], run.listed[PLAYER].count(name)
    line = Text.assemble(
        _numbered(number, f"{name:<12}", colour), price, "  ", effects_line(card, width // 3, run.difficulty.lawyer)
    )
    line.append(f"  have {have}", DIM)
    line.truncate(width, overflow="ellipsis")
    return line


def _numbered(number: int, name: str, colour: str) -> Text:
    return Text.assemble((f" {number} ", KEY), (f" {name} ", f"bold {colour}"))


# --- the keys


def keys(run: Run, folding: bool, width: int) -> Text:
    """Draw the keys, with less space if there is little room."""
    does = _does(run, folding)
    lines = key_line(does), key_line(does, " "), key_line(_does(run, folding, brief=True), " ")
    return next((line for line in lines if line.cell_len <= width), lines[-1])


def _does(run: Run, folding: bool, *, brief: bool = False) -> Keys:
    offer = run.offer
    if folding:
        return ("f", "fold at the price above" if brief else f"fold: {fold_words(run)}"), ("esc", "stay")
    ends: Keys = (("h", "hint"), ("?", "help"), ("q", "leave"))
    if run.over:
        return ("n", "new run"), ("s", "how it went"), ("?", "help"), ("q", "leave")
    if run.between:
        buying: Keys = ((numbers_to(len(run.shop)), "buy"),) if run.shop else ()
        return *buying, ("enter", "next hand"), *ends
    if offer.continue_:
        return ("enter", "continue"), ("f", "fold"), *ends
    return (numbers_to(len(run.hand.hands[PLAYER])), "play"), ("c", "check"), ("f", "fold"), *ends


def skipping() -> Text:
    """Draw the keys while opponents act."""
    return key_line((("any key", "skip"), ("?", "help"), ("q", "leave")))


def key_line(shown: Keys, gap: str = "   ") -> Text:
    """Draw keys and what they do."""
    return Text(" ") + Text(gap).join(Text.assemble((f" {key} ", KEY), f" {what}") for key, what in shown)


def too_small(width: int, height: int) -> str:
    """Return the message for a screen that is too small, or an empty text."""
    least_width, least_height = SMALLEST_SCREEN
    if width >= least_width and height >= least_height:
        return ""
    return f"Too small: expected at least {least_width}×{least_height}, got {width}×{height}. q saves and leaves."
