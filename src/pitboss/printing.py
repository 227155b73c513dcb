"""Escape characters in untrusted text that move the cursor, change colours or reverse text.

Names, messages and files may contain such characters. They are replaced by JSON escapes, so the meaning of a line of
JSON does not change.
"""

import re

_OBEYED = (
    "\x00-\x1f\x7f-\x9f"  # controls
    "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # invisible, separators, directions
    "\ud800-\udfff\U000e0000-\U000e0fff"  # surrogates, tags
)
_PART = re.compile(f"[{_OBEYED}]")
_TEXT = re.compile(f"(?!\n)[{_OBEYED}]")


def printable(part: str) -> str:
    """Escape all control characters in a part of a line, such as a name. Line breaks are escaped too.

    >>> print(printable("\\x1b[31mAl\\u202epha\\n"))
    \\u001b[31mAl\\u202epha\\u000a
    """
    return _PART.sub(_escaped, part)


def printable_text(text: str) -> str:
    """Escape all control characters in a text, except line breaks."""
    return _TEXT.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
