"""A table's own fields are named by the table document and by records, and in no format."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "pitboss"
DOCUMENTS = sorted((SOURCE / "documents").glob("*.py"))
NAMED = SOURCE / "records" / "table_fields.py"
OUTSIDE = [
    path
    for folder in ("records", "formats", "table")
    for path in sorted((SOURCE / folder).rglob("*.py"))
    if path != NAMED
]
FIELDS = (
    *("_inactive", "_intents", "_deadBlinds", "_deadMoney", "_deadPosts", "_button", "_smallBlind", "_smallSeat"),
    *("_smallAfter", "_bigBlind", "_ante", "_left", "_reopening", "_unposted", "_charged", "_undealt", "_unit"),
    *("seatCount", "startingStacks"),
)


def texts(source: str) -> Iterator[str]:
    """Every text of a module except its docstrings."""
    for node in ast.walk(ast.parse(source)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant) and isinstance(child.value, str) and not isinstance(node, ast.Expr):
                yield child.value


def named(*paths: Path) -> set[str]:
    """The fields of tables that modules name."""
    found = "\n".join(text for path in paths for text in texts(path.read_text(encoding="utf-8")))
    return {field for field in FIELDS if re.search(rf"(?<!\w){field}\b", found)}


def test_no_field_of_a_table_is_named_outside_documents_and_records() -> None:
    assert {path.name: fields for path in OUTSIDE if (fields := named(path))} == {}


def test_documents_and_records_name_all_of_them() -> None:
    assert named(*DOCUMENTS, NAMED) == set(FIELDS) - {"_unposted"}


def test_reading_and_replaying_phh_loads_no_table_document(tmp_path: Path) -> None:
    """Nor does any other format, nor the functions of `pitboss` that read files and replay records."""
    code = """
import sys
import pitboss.formats.acpc, pitboss.formats.ohh, pitboss.formats.phh, pitboss.formats.sites.pokerstars_writer
import pitboss.histories
text = pitboss.write_phh(pitboss.Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2,
    starting_stacks=(9, 9), actions=("d dh p1 ????", "d dh p2 ????", "p2 f")))
file = sys.argv[1] + "/x.phh"
open(file, "w").write(text)
(record,) = pitboss.read(file)
pitboss.replay(record), pitboss.replay_leniently(record), list(pitboss.replay_steps(record)), pitboss.read_phh(text)
print([name for name in sys.modules if name.startswith("pitboss.documents")])
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
