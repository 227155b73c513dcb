"""The protocol page and its JSON Schema, two files in `docs/` that are made from the wire types.

`python -m pitboss.arena.protocol docs/` writes both; a test fails if the files differ from the types.
"""

from pathlib import Path

from pitboss.arena.protocol.page import page
from pitboss.arena.protocol.schema import schema_text


def documents() -> dict[str, str]:
    """Return the text of each file by name."""
    return {"protocol.md": page(), "protocol.schema.json": schema_text()}


def write_documents(folder: Path) -> list[Path]:
    """Write both files into a folder and print their paths."""
    paths = []
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        paths.append(folder / name)
    return paths
