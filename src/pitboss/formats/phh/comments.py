"""Find the comments of a PHH text, and the place where an unfinished array or string of it ends.

Comments are searched only in text that the TOML reader has accepted, so nothing is refused here.
"""

import re
import tomllib
from typing import Any

from pitboss.records.record import Anchor, Comments

KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEYS = rf"{KEY}(?:[ \t]*\.[ \t]*{KEY})*"
_BLANK = re.compile(r"[ \t]*\n|[ \t]+\Z")
_COMMENT = re.compile(r"[ \t]*#([^\n]*)\n?")
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*({_KEYS})[ \t]*\]\]?")
_FIELD = re.compile(rf"[ \t]*({_KEYS})[ \t]*=[ \t]*")
_TOKEN = re.compile(
    r'''
    (?P<string> """(?:[^"\\]++|\\.|"(?!""))*+"{3,5} | \'\'\'(?:[^']++|'(?!\'\'))*+'{3,5}
              | "(?!"")(?:[^"\\\n]++|\\[^\n])*+" | '(?!\'\')[^'\n]*+' )
    | \#(?P<comment>[^\n]*) | (?P<mark>[][{},=\n]) | (?P<broken>["']) | (?P<word>[^][{},=\n\#"'\ \t]+) | [ \t]+
    ''',
    re.VERBOSE | re.DOTALL,
)
NEVER, UNFINISHED = -1, -2
"""Nothing can close what a text opens; or more text might."""


def find_comments(text: str, *, inside_table: bool) -> Comments:
    """Return every comment of a hand's TOML text, by anchor; ``inside_table`` if the text begins with ``[name]``."""
    return _Finder(text, inside_table).run() if "#" in text else {}


def closed_at(text: str, start: int) -> int:
    """Return how far to read from a line's start until the array or long string it opens is closed.

    The result is the end of the first line at which nothing is open, `NEVER` or `UNFINISHED`.

    >>> closed_at("a = [\\n[1],\\n]\\nb = 2\\n", 0)
    13
    """
    opened: list[str] = []
    position = start
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None or token["broken"]:
            return UNFINISHED if text[position : position + 3] in ("'''", '"""') else NEVER
        position = token.end()
        match token["mark"]:
            case "[" | "{" as mark:
                opened.append(mark)
            case "]" | "}":
                del opened[-1:]
            case "=" if opened[-1:] == ["["]:
                return NEVER
            case "\n" if opened[-1:] == ["{"]:
                return NEVER
            case "\n" if not opened:
                return position
    return UNFINISHED if opened else position


def _keys(dotted: str) -> list[str]:
    if _BARE.fullmatch(dotted):
        return [dotted]
    table: Any = tomllib.loads(f"{dotted} = 0")
    keys = []
    while isinstance(table, dict):
        key, table = next(iter(table.items()))
        keys.append(key)
    return keys


def _spoken(comment: str) -> str:
    return comment.removeprefix(" ")


class _Finder:
    """Walks through a table line by line and array entry by entry, holding comments until what follows is known."""

    def __init__(self, text: str, inside_table: bool) -> None:
        self.text = text
        self.depth = int(inside_table)
        self.position = 0
        self.found: dict[Anchor, list[str]] = {}
        self.waiting: list[str] = []
        # The annotator's field whose table, with its own header, is being read.
        self.owner = ""
        self.begun = False

    def run(self) -> Comments:
        while self.position < len(self.text):
            self.line()
        self.put(Anchor("end"))
        return {anchor: tuple(lines) for anchor, lines in self.found.items()}

    def put(self, anchor: Anchor) -> None:
        if self.waiting:
            self.found.setdefault(anchor, []).extend(self.waiting)
            self.waiting = []

    def line(self) -> None:
        if blank := _BLANK.match(self.text, self.position):
            self.position = blank.end()
            if not self.begun:
                self.put(Anchor("top"))
        elif comment := _COMMENT.match(self.text, self.position):
            self.position = comment.end()
            self.waiting.append(_spoken(comment[1]))
        elif header := _HEADER.match(self.text, self.position):
            self.position = header.end()
            self.header(_keys(header[1])[self.depth :])
        elif field := _FIELD.match(self.text, self.position):
            self.position = field.end()
            self.begun = True
            self.field(_keys(field[1]))
        else:
            # The TOML reader refuses this; if it did not, the comments would go to what follows.
            self.value("")

    def header(self, path: list[str]) -> None:
        self.value("")
        if path:
            self.owner = path[0]
            self.begun = True
            self.put(Anchor("before", self.owner))
        else:
            self.put(Anchor("top"))

    def field(self, path: list[str]) -> None:
        name = self.owner or path[0]
        self.put(Anchor("before", name))
        if self.owner or len(path) > 1:
            self.value("")
            self.put(Anchor("before", name))
        elif self.text.startswith("[", self.position):
            self.position += 1
            self.array(name)
            self.value(name)
        else:
            self.value(name)

    def value(self, name: str) -> None:
        """Read to the end of the statement; its comments wait, or belong to the field if one is given."""
        depth = 0
        while token := _TOKEN.match(self.text, self.position):
            self.position = token.end()
            mark, comment = token["mark"], token["comment"]
            if comment is not None:
                self.waiting.append(_spoken(comment))
                if name:
                    self.put(Anchor("before" if depth else "beside", name))
            elif mark == "\n" and not depth:
                break
            elif mark:
                depth += (mark in "[{") - (mark in "]}")

    def array(self, name: str) -> None:
        """Read an array to its closing bracket, counting entries by its own commas."""
        depth, item, filled, fresh = 1, 0, False, True
        while depth and (token := _TOKEN.match(self.text, self.position)):
            self.position = token.end()
            mark, comment = token["mark"], token["comment"]
            if comment is not None:
                self.waiting.append(_spoken(comment))
                beside = Anchor("beside", name, item if filled else item - 1)
                if depth > 1:
                    self.put(Anchor("before", name, item))
                elif not fresh and beside not in self.found and len(self.waiting) == 1:
                    self.put(beside)
            elif mark == "\n":
                fresh = True
            elif mark == "," and depth == 1:
                item, filled, fresh = item + 1, False, False
            elif mark == "]" and depth == 1:
                depth = 0
                self.put(Anchor("end", name))
            elif not token[0].isspace():
                if not filled:
                    self.put(Anchor("before", name, item))
                filled, fresh = True, False
                depth += (mark in ("[", "{")) - (mark in ("]", "}"))
