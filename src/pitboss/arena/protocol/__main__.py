"""Write the protocol page and the JSON Schema: `python -m pitboss.arena.protocol docs/`."""

import sys
from pathlib import Path

from pitboss.arena.protocol import write_documents

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) == 2 else None
    if folder is None or not folder.is_dir():
        sys.exit("name the folder to write into, such as: python -m pitboss.arena.protocol docs/")
    for path in write_documents(folder):
        print(f"wrote {path}")
