"""The protocol page as it is committed, and the pieces of code on it."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The pieces of one language, in their order."""
    return re.findall(rf"^```{language}\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
