"""The lab's page says what a genome is: every type, field and default, every game, and examples that work."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from pitboss.lab import genome as genome_module
from pitboss.lab.files import known_games, load, read_genome
from pitboss.lab.genome import Deck, Genome, Setup, TurnStructure
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins
from tests.support.cli.runs import run
from tests.support.for_each import for_each

PAGE = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
PLAIN = (Genome, Setup, TurnStructure)


def rows(text: str) -> list[list[str]]:
    """The rows of a text's tables, without backticks, headings and rules."""
    found = [line[1:-1].split("|") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip(" `") for cell in row] for row in found]
    return [row for row in cells if row[0] not in ("field", "type", "---")]


def under(heading: str) -> str:
    """Return the text under a heading, up to the next one."""
    return PAGE.split(f"\n{heading}\n")[1].split("\n#")[0]


def defaults(kind: type[Struct]) -> dict[str, str]:
    """The default of every field of a part, as the page has it."""
    if kind in PLAIN:
        heading = {Genome: "## A genome", Setup: "### `setup`", TurnStructure: "### `turn_structure`"}[kind]
        return {row[0]: row[1] for row in rows(under(heading)) if len(row) == 3}
    stated: dict[str, str] = {}
    part = ""
    for row in rows(PAGE):
        if len(row) == 4:
            part = row[0] or part
            if part == kind.__struct_config__.tag and row[1]:
                stated[row[1]] = row[2]
    return stated


def parts() -> list[type[Struct]]:
    kinds = [kind for kind in vars(genome_module).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    mine = [kind for kind in kinds if kind.__module__ == genome_module.__name__ and kind is not Deck]
    return [*[kind for kind in mine if kind in PLAIN or kind.__struct_config__.tag], *phases.TYPES, *wins.TYPES]


@for_each("kind", parts(), ids=lambda kind: kind.__name__)
def test_the_page_has_every_field_with_its_default(kind: type[Struct]) -> None:
    stated = defaults(kind)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    assert list(stated) == list(fields)
    for name, field in fields.items():
        if field.required:
            assert stated[name] == "needed"
        elif field.default != ():
            assert stated[name] == json.dumps(msgspec.to_builtins(field.default)), name
        else:
            assert stated[name] == "none"


def test_the_page_has_every_type() -> None:
    tags = {kind.__struct_config__.tag for kind in parts()} - {None}
    assert len(tags) == 20
    assert [tag for tag in tags if f"| `{tag}` |" not in PAGE] == []


def test_the_page_lists_the_known_games_as_the_command_does() -> None:
    stated = {row[0]: row[1] for row in rows(under("## The known games"))[1:]}
    assert list(stated.items()) == list(known_games().items())


def test_the_pages_genome_is_kuhn() -> None:
    shown = re.findall(r"```json\n(.*?)```", under("## A genome"), re.DOTALL)[0]
    assert read_genome(shown) == load("kuhn")


def test_refusal_on_the_page_is_that_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = re.findall(r"```\n(pitboss lab show: .*?)```", PAGE, re.DOTALL)[0]
    game: dict[str, Any] = json.loads(run("lab", "show", "simple_poker").stdout)
    game["setup"]["starting_chips"] = 20
    game["turn_structure"]["phases"][0]["min_bet"] = 50
    monkeypatch.chdir(tmp_path)
    Path("mine.json").write_text(json.dumps(game), encoding="utf-8")
    assert run("lab", "show", "mine.json").stderr == shown
