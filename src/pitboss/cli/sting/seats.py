"""The three seats of the full-screen table: who is there, whose turn it is, and every card played, explained."""

from collections import Counter

from rich.text import Text

from pitboss.cli.sting.cardboxes import DIM, IDLE, NARROWEST_BOX, beside, box, card_lines, coloured, effects_line
from pitboss.sting.cards import HIDDEN, StingCard
from pitboss.sting.hand import NARC, PLAYER, StingHand
from pitboss.sting.run import Run
from pitboss.sting.ways import customer_raises, narc_raises
from pitboss.sting.words import NAMES

BACK = "▒▒"


def seat_title(hand: StingHand, place: int) -> str:
    """Whose seat it is, his cards as so many strokes, and whether it is his turn."""
    name = NAMES[place] if place == PLAYER else f"{NAMES[place]} {'▮' * len(hand.hands[place])}"
    return f"▶ {name}" if hand.asked == place else name


def seat_badge(run: Run, hand: StingHand, place: int, width: int) -> str:
    """What is special about a seat: the initiative, how likely he raises, all-in, folded."""
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
        badges.append(f"plays {often} %")
    return (" · " if width >= 24 else " ").join(badges)


def seat(hand: StingHand, place: int, width: int, rows: int) -> Text:
    """The cards somebody has played, newest first, in the finest way for which there is room."""
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
"""A card, how often, and whether it counts."""


def _down(hand: StingHand, place: int) -> list[Text]:
    """What lies face down: the Player knows his own."""
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
    """Two or more boxes beside each other; None where that is too narrow."""
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
    """A line for each name and one for what it does; both in one where they fit."""
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
    """One line each, but two for those that would be cut most, as far as there are rows."""
    pairs = [_pairs([one], width, lawyer) for one in played]
    longest = sorted(range(len(played)), key=lambda at: -sum(line.cell_len for line in pairs[at]))
    two = [at for at in longest if len(pairs[at]) > 1][: max(0, rows - len(played))]
    shown = [pairs[at] if at in two else _singles([one], width, lawyer) for at, one in enumerate(played)]
    return [line for lines in shown for line in lines]


def _singles(played: list[Shown], width: int, lawyer: int) -> list[Text]:
    """One line each: the name gives way to what the card does."""
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
