"""A kind of phase, and a kind of win condition, is one module and one line; its columns and state bear its name."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pitboss
from pitboss.lab.engine import program, state
from pitboss.lab.genome import Part
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins
from tests.support.for_each import for_each

SOURCE = Path(pitboss.__file__).parent
LAB = SOURCE / "lab"
SUPPORT = Path(__file__).parent.parent / "support" / "lab"
ROOT = Path(__file__).parent.parent.parent


def listed(path: Path, module: str, struct: str, last: str) -> None:
    """Put a line for a kind at the end of a list of kinds, and import its module."""
    text = path.read_text(encoding="utf-8")
    line = f"    {last},\n}}\n"
    assert text.count(line) == 1
    text = text.replace(line, f"    {last},\n    {module}.{struct}: {module},\n}}\n")
    package = f"pitboss.lab.{path.parent.name}"
    text = text.replace("KINDS: dict", f"from {package} import {module}\n\nKINDS: dict", 1)
    path.write_text(text, encoding="utf-8")


@pytest.mark.check
def test_a_new_kind_is_one_module_and_one_line(tmp_path: Path) -> None:
    """Everything works with it: reading, checks, play, the policies, the rulebook, measures, variation, evolution."""
    shutil.copytree(SOURCE, tmp_path / "pitboss", ignore=shutil.ignore_patterns("__pycache__"))
    lab = tmp_path / "pitboss" / "lab"
    shutil.copy(SUPPORT / "toy_phase.py", lab / "phases" / "toy.py")
    shutil.copy(SUPPORT / "toy_win.py", lab / "wins" / "toy.py")
    listed(lab / "phases" / "kinds.py", "toy", "ToyPhase", "betting.BettingPhase: betting")
    listed(lab / "wins" / "kinds.py", "toy", "ToyWin", "least_deadwood.LeastDeadwood: least_deadwood")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    command = [sys.executable, "-m", "tests.support.lab.toy_game"]
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "reads back": True,
        "problems": ["turn_structure.phases[0].count: expected 1 to 3, got 9"],
        "words": ["give", "give", "give"],
        "winners": {"random": True, "greedy,random": True, "search,greedy": True},
        "turns": {"random": [8], "greedy,random": [8], "search,greedy": [8]},
        "rulebook": True,
        "changed": True,
        "drawn phases": True,
        "drawn wins": True,
        "tidy": True,
        "gates": [],
        "measured": True,
        "evolved": True,
        "evolved counts": True,
        "evolved games": True,
        "kinds": [len(phases.TYPES), len(wins.TYPES) + 1],
    }


KINDS: list[tuple[type[Part], ModuleType]] = [
    (kind, module) for kinds in (phases.KINDS, wins.KINDS) for kind, module in kinds.items()
]


@for_each("kind, module", KINDS, ids=lambda thing: thing.__name__.split(".")[-1])
def test_a_column_bears_the_name_of_its_kind(kind: type[Part], module: ModuleType) -> None:
    name = module.__name__.split(".")[-1]
    assert [column for column in kind.columns if not column.startswith(f"{name}_")] == []


def indexed(path: Path) -> set[str]:
    """The attributes of anything that a module reads at a place, such as `kind` in `g.kind[s.phase]`."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [node.value for node in nodes if isinstance(node, ast.Subscript)]
    return {node.attr for node in found if isinstance(node, ast.Attribute)}


def test_no_module_reads_the_columns_of_another_kind() -> None:
    """In a discard phase a bet has no size, and in a betting phase nothing is discarded."""
    owners = {column: Path(str(module.__file__)) for kind, module in KINDS for column in kind.columns}
    assert len(owners) == sum(len(kind.columns) for kind, _ in KINDS) > 20
    read = {(path, name) for path in LAB.rglob("*.py") for name in indexed(path)}
    assert {name for _, name in read} >= owners.keys(), "a column that nobody reads"
    assert [f"{path.name}: {name}" for path, name in read if owners.get(name, path) != path] == []


@pytest.mark.parametrize("room", ["phases", "wins"])
def test_kinds_are_not_type_tested_outside_their_package(room: str) -> None:
    """Every function that a chain calls is explained where the room begins."""
    explained = (LAB / room / "__init__.py").read_text(encoding="utf-8")
    text = (LAB / room / "kinds.py").read_text(encoding="utf-8")
    asked = [line.split(":")[0] for line in text.splitlines() if "= _ask." in line]
    assert len(asked) > 5
    assert [name for name in asked if f"`{name}(" not in explained] == []


def mentions(tree: ast.AST, names: set[str]) -> set[str]:
    """The kinds that a tree names, as a class or as a word that something is compared with."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.match_case):
            words = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            found |= {word for word in words if isinstance(word, str)}
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("startswith", "endswith")
        ):
            found |= {str(one.value) for one in node.args if isinstance(one, ast.Constant)}
    return found & names


def test_each_kind_answers_for_itself() -> None:
    """Outside their two packages no module names a kind: none tests for it, none compares with its name."""
    names = {kind.__name__ for kind, _ in KINDS}
    inside = {LAB / "phases", LAB / "wins"}
    others = [path for path in SOURCE.rglob("*.py") if path.parent not in inside]
    assert len(others) > 200
    found = {path.name: mentions(ast.parse(path.read_text(encoding="utf-8")), names) for path in others}
    assert {name: kinds for name, kinds in found.items() if kinds} == {}
    for test in ("isinstance(p, DrawPhase)", "x.kind == 'DrawPhase'", "f(draw.DrawPhase)", "p in (DrawPhase, None)"):
        assert mentions(ast.parse(test), names) == {"DrawPhase"}
    assert mentions(ast.parse("match p:\n    case DrawPhase(): pass"), names) == {"DrawPhase"}


def test_every_field_of_the_state_has_its_line() -> None:
    groups = (state.FIELDS, state.FLAGS, state.BY_PLAYER, state.PILES, state.PLAYERS_PILES)
    lines = {name: text for group in groups for name, text in group.items()}
    lines |= {name: text for name, (text, _) in state.SCRATCH.items()}
    assert {*lines, "chance"} == set(state.GameState.__slots__)
    assert [name for name, text in lines.items() if len(text.split()) < 2] == []
    assert len(set(lines.values())) >= len(lines) - 1  # a holding is compared by two rows


def test_every_number_of_a_program_has_its_line() -> None:
    groups = (program.NUMBERS, program.BY_PHASE, program.BY_WIN, program.BY_RANK, program.BY_CARD)
    lines = {name: text for group in groups for name, text in group.items()}
    columns = {column for kind, _ in KINDS for column in kind.columns}
    assert {*lines, *columns} == set(program.PlainProgram.__slots__)
    assert [name for name, text in lines.items() if len(text.split()) < 2] == []
