"""A rulebook as HTML and as a PDF to print. Both are made from its Markdown."""

import re
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss.extras import install_command
from pitboss.lab.english import RANK_NAMES, SUIT_NAMES, capital, chips, listed, title
from pitboss.lab.genome import Genome
from pitboss.lab.report.differences import effect_words, scoring_words, strip_markdown
from pitboss.lab.rulebook import game, pot, rulebook, runs_short, scoring_rules, winner
from pitboss.pages import page_text

_ITEM = re.compile(r"(- |\d+\. )(.*)", re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*")
FONT, MARGIN = "Helvetica", 14
LARGEST, SMALLEST, STEP = 10.5, 4.0, 0.5
"""The text sizes that are tried until the text fits on its page."""
INK, ACCENT = (28, 33, 38), (20, 92, 66)
REPLACED = {
    "\N{MINUS SIGN}": "-",
    "…": "...",
    "“": '"',
    "”": '"',
    "’": "'",
    "–": "-",
    "♣": " of clubs",
    "♦": " of diamonds",
    "♥": " of hearts",
    "♠": " of spades",
}


class Piece(Struct, frozen=True):
    """A part of a text: its kind ("h1", "h2", "p", "ul" or "ol"), and its text or items. Bold words are between **."""

    kind: str
    items: tuple[str, ...]


def read_pieces(markdown: str) -> tuple[Piece, ...]:
    """Return the parts of a rulebook.

    >>> [piece.kind for piece in read_pieces("# War\\n\\nWin.\\n\\n- one\\n- two\\n  more\\n")]
    ['h1', 'p', 'ul']
    """
    pieces = list[Piece]()
    for block in re.split(r"\n{2,}", markdown.strip()):
        if block.startswith("## "):
            pieces.append(Piece("h2", (block[3:],)))
        elif block.startswith("# "):
            pieces.append(Piece("h1", (block[2:],)))
        elif _ITEM.match(block):
            items = [" ".join(item.split()) for item in re.split(r"\n(?=- |\d+\. )", block)]
            kind = "ul" if block.startswith("- ") else "ol"
            pieces.append(Piece(kind, tuple([item.partition(" ")[2] for item in items])))
        else:
            pieces.append(Piece("p", (" ".join(block.split()),)))
    return tuple(pieces)


def write_html(pieces: tuple[Piece, ...], *, down: int = 1) -> str:
    """Return the parts as HTML. Headings are `down` levels lower, and the text is escaped."""
    lines = list[str]()
    for piece in pieces:
        texts = [_BOLD.sub(r"<strong>\1</strong>", page_text(item)) for item in piece.items]
        if piece.kind in ("ul", "ol"):
            lines.append(f"<{piece.kind}>{''.join([f'<li>{text}</li>' for text in texts])}</{piece.kind}>")
        else:
            tag = f"h{int(piece.kind[1]) + down}" if piece.kind[0] == "h" else "p"
            lines.append(f"<{tag}>{texts[0]}</{tag}>")
    return "\n".join(lines)


class PrintError(PitbossError, ImportError):
    """A PDF was requested, but fpdf2 is not installed."""


@cache
def _fpdf() -> Any:
    try:
        return import_module("fpdf")
    except ImportError:
        raise PrintError(f"printed rulebooks need fpdf2: {install_command('lab')}") from None


def write_pdf(genome: Genome) -> bytes:
    """Return the rulebook and the reference card on two A4 pages. The same genome gives the same bytes."""
    sizes = [LARGEST - STEP * k for k in range(int((LARGEST - SMALLEST) / STEP) + 1)]
    pages = (read_pieces(rulebook(genome)), card(genome))
    fitting = [next((size for size in sizes if _pages_of(one, size) == 1), SMALLEST) for one in pages]
    pdf = _empty(genome)
    for one, size in zip(pages, fitting, strict=True):
        pdf.add_page()
        _write(pdf, one, size)
    return bytes(pdf.output())


def _pages_of(pieces: tuple[Piece, ...], size: float) -> int:
    pdf = _empty(None)
    pdf.add_page()
    _write(pdf, pieces, size)
    return int(pdf.page_no())


def _empty(genome: Genome | None) -> Any:
    from datetime import UTC, datetime

    pdf = _fpdf().FPDF(format="A4")
    pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    pdf.set_margin(MARGIN)
    pdf.set_auto_page_break(True, margin=MARGIN)
    if genome is not None:
        pdf.set_title(_latin(title(genome.name)))
    return pdf


def _write(pdf: Any, pieces: tuple[Piece, ...], size: float) -> None:
    high = size * 0.46  # height of a line in millimetres
    for piece in pieces:
        if piece.kind in ("h1", "h2"):
            pdf.ln(high * (0.2 if piece.kind == "h1" else 0.5))
            pdf.set_font(FONT, "B", size * (1.8 if piece.kind == "h1" else 1.15))
            pdf.set_text_color(*ACCENT)
            pdf.multi_cell(0, high * (1.9 if piece.kind == "h1" else 1.25), _latin(piece.items[0]), **_next_line())
            continue
        pdf.set_font(FONT, "", size)
        pdf.set_text_color(*INK)
        for number, item in enumerate(piece.items, 1):
            mark = {"ul": "-", "ol": f"{number}."}.get(piece.kind, "")
            if mark:
                pdf.set_x(MARGIN + 1)
                pdf.cell(5, high, mark)
                pdf.multi_cell(0, high, _latin(item), markdown=True, align="L", **_next_line())
            else:
                pdf.multi_cell(0, high, _latin(item), markdown=True, align="L", **_next_line())
        pdf.ln(high * 0.4)


def _next_line() -> dict[str, str]:
    return {"new_x": "LMARGIN", "new_y": "NEXT"}


def _latin(text: str) -> str:
    """Return the text in Latin-1. Every PDF reader has a font for it."""
    for sign, plain_sign in REPLACED.items():
        text = text.replace(sign, plain_sign)
    return text.encode("latin-1", "replace").decode("latin-1")


# --- the reference card


def card(genome: Genome) -> tuple[Piece, ...]:
    """Return what players look up during play: steps, moves, ranks, points and payouts."""
    setup, turns = genome.setup, genome.turn_structure
    pieces = [Piece("h1", (f"{title(genome.name)}: reference card",)), Piece("p", (_at_a_glance(genome),))]
    steps = [f"**{_heading(step)}** {_rest(step)}" for step in _steps(genome)]
    pieces += [Piece("h2", ("A turn" if turns.order == "turns" else "A round",)), Piece("ol", tuple(steps))]
    if genome.betting_phases:
        pieces += [Piece("h2", ("Bets",)), Piece("ul", _bets(genome))]
    pieces += [Piece("h2", ("Ranks, from low to high",)), Piece("p", (_ranks(genome),))]
    special = [words for effect in genome.effects if (words := effect_words(effect, genome))]
    pieces += [Piece("h2", ("Special cards",)), Piece("ul", tuple(special))] if special else []
    scored = [scoring_words(rule) for rule in scoring_rules(genome)]
    pieces += [Piece("h2", ("Points",)), Piece("ul", tuple(scored))] if scored else []
    pieces += [Piece("h2", ("Who wins a deal",)), *[Piece("p", (text,)) for text in winner(genome)]]
    if setup.starting_chips:
        pieces += [Piece("h2", ("The pot",)), *[Piece("p", (text,)) for text in pot(genome)]]
    return (*pieces, Piece("h2", ("The game",)), Piece("p", (game(genome)[0],)))


def _at_a_glance(genome: Genome) -> str:
    setup = genome.setup
    parts = [f"{genome.player_count} players", f"{setup.cards_per_player} cards each"]
    parts += [f"{chips(setup.starting_chips)} each"] if setup.starting_chips else []
    parts += [f"ante {chips(setup.ante)}"] if setup.ante else []
    parts.append("a single deal" if setup.deals == 1 else f"{setup.deals} deals")
    return f"{', '.join(parts)}."


def _steps(genome: Genome) -> list[str]:
    return [phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases)]


def _heading(step: str) -> str:
    return step.partition("**")[2].partition("**")[0]


def _rest(step: str) -> str:
    return strip_markdown(step.partition("**")[2].partition("**")[2]).strip()


def _bets(genome: Genome) -> tuple[str, ...]:
    lines = ["**check**: pay nothing", "**bet**: pay one bet", "**call**: pay the difference to the highest bet"]
    if any(bet.max_raises for bet in genome.betting_phases):
        lines.append("**raise**: call, and pay one bet more")
    lines += ["**all-in**: pay all your chips, if you have too few for a bet or a call"] if runs_short(genome) else []
    return (*lines, "**fold**: leave the deal")


def _ranks(genome: Genome) -> str:
    deck = genome.setup.deck
    names = [RANK_NAMES[rank] for rank in deck.ranks]
    suits = listed([SUIT_NAMES[suit] for suit in deck.suits])
    return f"{capital(', '.join(names))}. Suits: {suits}."
