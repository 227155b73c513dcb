"""Text from others made fit to be printed: nothing in it moves the cursor, colours, rings, or turns the writing round.

Names, messages and files come from anybody. Whatever a terminal or a log would obey instead of showing is written as
the escape that JSON has for it, so that a line of JSON stays the same JSON.
"""

import re

_OBEYED = (
    "\x00-\x1f\x7f-\x9f"  # controls
    "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # unseen, separators, directions
    "\ud800-\udfff\U000e0000-\U000e0fff"  # halves of characters, tags
)
_PART = re.compile(f"[{_OBEYED}]")
_TEXT = re.compile(f"(?!\n)[{_OBEYED}]")


def printable(part: str) -> str:
    """A part of a line, such as a name, with every control character written out, line breaks among them.

    >>> print(printable("\\x1b[31mAl\\u202epha\\n"))
    \\u001b[31mAl\\u202epha\\u000a
    """
    return _PART.sub(_escaped, part)


def printable_text(text: str) -> str:
    """A text of several lines with every other control character written out."""
    return _TEXT.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
