"""Cards as the full-screen table draws them: boxes in the colour of their kind, or lines where there is less room."""

from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text

from pitboss.sting.cards import Kind, StingCard
from pitboss.sting.words import Effect, effects

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


def coloured(card: StingCard) -> str:
    """The colour of a card's kind."""
    return COLOURS[card.kind]


def effects_line(card: StingCard, width: int, lawyer: int, *, brief: bool = False) -> Text:
    """What a card does in one line, in words where they fit this width."""
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
    """What a card does in at most so many rows: each effect in words, or as few signs as will do."""
    done = effects(card, lawyer)
    if not done:
        return [Text(IDLE, DIM)]
    lines = packed([Text(effect.words, TOUCHED[effect.touches]) for effect in done], width)
    if len(lines) > rows:
        lines = packed([Text(effect.brief, TOUCHED[effect.touches]) for effect in done], width)
    return lines if len(lines) <= rows else [*lines[: rows - 1], _joined(done[rows - 1 :], " ", "brief")]


def packed(parts: Iterable[Text], width: int) -> list[Text]:
    """Parts one after the other, as many to a line as fit; one too long for a line is wrapped."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 2 + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], ", ", part)
        else:
            lines += wrapped(part, width)
    return lines


def wrapped(text: Text, width: int) -> list[Text]:
    """A text in lines of at most this width, broken between words."""
    lines, style = [Text("", text.style)], text.style
    for word in text.plain.split(" "):
        if lines[-1].cell_len and lines[-1].cell_len + 1 + len(word) > width:
            lines.append(Text("", style))
        lines[-1].append(f" {word}" if lines[-1].cell_len else word)
    return lines


def box(title: Text, lines: Sequence[Text], width: int, rows: int, style: str, *, heavy: bool = False) -> list[Text]:
    """A frame of this width around so many rows, its title in the upper edge."""
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
    """Boxes of one height next to each other."""
    return [Text().join(rows) for rows in zip(*boxes, strict=True)]
