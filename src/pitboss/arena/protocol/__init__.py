"""The protocol page and its JSON Schema, two files in `docs/` that are made from the wire types.

`python -m pitboss.arena.protocol docs/` writes both; a test fails where the files differ from what the code says.
"""

from pathlib import Path

from pitboss.arena.protocol.page import page
from pitboss.arena.protocol.schema import schema_text


def documents() -> dict[str, str]:
    """The text of each file, by its name."""
    return {"protocol.md": page(), "protocol.schema.json": schema_text()}


def write_documents(folder: Path) -> list[Path]:
    """Write both files into a folder and tell where they are."""
    paths = []
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        paths.append(folder / name)
    return paths
