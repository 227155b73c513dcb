"""Which team names are allowed, so that no two names at a table look alike.

Any script is allowed. A name has no invisible characters, each word uses one script, and at one table no two names
differ only by case, spaces, encoding, or letters that look the same.
"""

import re
from unicodedata import category, name, normalize

UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
"""Categories of characters that are invisible or look different on every machine; the plain space is allowed."""
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Letters, marks and symbols that are invisible, including variation selectors."""
HOUSE = "(house)"
"""The end of the names of house bots. Other names must not end with it."""
MARKS = 3
"""The maximum number of marks on one letter."""
EAST_ASIA = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"}
"""Scripts that may be mixed in one word."""

_ALIKE = {
    # Cyrillic, large and small; Greek, large and small; others
    "АВЕЗКМНОРСТУХІЈЅҮҺ": "ABE3KMHOPCTYXlJSYh",
    "аеорсухіјѕкһӏԁԛԝѵ": "aeopcyxijskhldqwv",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "ABEZHlKMNOPTYX",
    "αγικνορυ": "ayikvopu",
    "ıɩɑɡ0I1|": "iiagOlll",
}
_LOOKS = str.maketrans("".join(_ALIKE), "".join(_ALIKE.values()))
_WORD = re.compile(r"[^\W_]+")


def fault_of(team: str) -> str | None:
    """Return the fault of a name as the second part of a sentence, after the name. Return None if the name is allowed.

    >>> fault_of("Команда 7"), fault_of("Al\\u200bpha"), fault_of("Аlpha")
    (None, 'has an invisible character: U+200B', 'mixes letters of two scripts in one word: CYRILLIC, LATIN')
    """
    for char in team:
        if (category(char) in UNSEEN and char != " ") or char in FILLERS or "VARIATION SELECTOR" in name(char, ""):
            return f"has an invisible character: U+{ord(char):04X}"
    if not team.strip():
        return "is only spaces"
    if HOUSE in (_folded(team)[-len(HOUSE) :], _look(team)[-len(HOUSE) :]):
        return f"ends with {HOUSE}, which is reserved for house bots"
    plain = normalize("NFKC", team)
    marks = "".join("M" if category(char).startswith("M") else "." for char in plain)
    if marks.startswith("M") or "M" * (MARKS + 1) in marks:
        return "has a mark without a letter, or too many on one"
    for word in _WORD.findall("".join(char for char in plain if not category(char).startswith("M"))):
        scripts = {_script(char) for char in word if category(char) in ("Lu", "Ll", "Lt", "Lo")}
        if len(scripts) > 1:
            return f"mixes letters of two scripts in one word: {', '.join(sorted(scripts))}"
    return None


def are_alike(one: str, other: str) -> bool:
    """Return whether two names could be mistaken for each other.

    >>> are_alike("Alpha", "ALPHA "), are_alike("АВС", "ABC"), are_alike("Alpha", "Alphα"), are_alike("Jörg", "Jorg")
    (True, True, True, False)
    """
    return _folded(one) == _folded(other) or _look(one) == _look(other)


def _script(char: str) -> str:
    first = name(char, "UNNAMED").partition(" ")[0]
    return "EAST ASIA" if first in EAST_ASIA else first


def _folded(text: str) -> str:
    """Return a name without differences of case, spaces and encoding."""
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    return "".join("-" if category(char) == "Pd" else char for char in folded if not char.isspace())


def _look(text: str) -> str:
    """Return the name with each letter replaced by one of the same shape, so that names that look alike are equal."""
    return _folded(normalize("NFKC", text).translate(_LOOKS))
