"""A rulebook's Markdown as pieces, for a page and for print: headings, paragraphs and lists with bold words."""

import re

from msgspec import Struct

from pitboss.pages import page_text

_ITEM = re.compile(r"(- |\d+\. )(.*)", re.DOTALL)
_BOLD = re.compile(r"\*\*(.+?)\*\*")


class Piece(Struct, frozen=True):
    """A piece of a text: "h1", "h2", "p", "ul" or "ol", and its text or items, in which ** surrounds what is bold."""

    kind: str
    items: tuple[str, ...]


def read_pieces(markdown: str) -> tuple[Piece, ...]:
    """The pieces of a rulebook.

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
    """The pieces as HTML, headings so many steps further down; the text is shown as text."""
    lines = list[str]()
    for piece in pieces:
        texts = [_BOLD.sub(r"<strong>\1</strong>", page_text(item)) for item in piece.items]
        if piece.kind in ("ul", "ol"):
            lines.append(f"<{piece.kind}>{''.join([f'<li>{text}</li>' for text in texts])}</{piece.kind}>")
        else:
            tag = f"h{int(piece.kind[1]) + down}" if piece.kind[0] == "h" else "p"
            lines.append(f"<{tag}>{texts[0]}</{tag}>")
    return "\n".join(lines)
