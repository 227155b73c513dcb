"""Two commands do all the set-up: what `make run` installs is enough for every command of the README."""

import ast
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pitboss.cli.main import EXTRAS
from tests.support.arena.servers import BOUND, first_line, port_in
from tests.support.cli.runs import clean
from tests.support.environments import ROOT, environment, locked

pytestmark = pytest.mark.check

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_IN_MAKE_RUN = {"mcp", "psycopg", "ray", "uvicorn"}
"""Modules of extras that `make run` leaves out: PostgreSQL, many machines, and MCP."""
OTHER_NAMES = {"fpdf": "fpdf2"}
"""Modules whose package is called otherwise."""

RECORDED = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [50, 50]
players = ["Ada", "Ben"]
actions = ["d dh p1 AsAh", "d dh p2 7c2d", "p2 cbr 6", "p1 cbr 20", "p2 f"]
"""
TABLE = """{"players": ["Ada", "Ben", "Cy"], "startingStacks": [100, 100, 100], "blindsOrStraddles": [1, 2, 0],
"antes": [0, 0, 0], "actions": [], "finishingStacks": [99, 101, 100], "hand": 1, "seatCount": 6, "_inactive": [0, 0, 0],
"_intents": [0, 0, 0], "_deadBlinds": [0, 0, 0]}"""


def commands() -> list[str]:
    """Every command of the README's shell blocks, without the remarks behind them."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    lines = [re.sub(r"\s+# .*", "", line) for block in blocks for line in re.split(r"\n(?! )", block)]
    return [line for line in lines if re.search(r"(^|\| )pitboss ", line)]


def bot() -> str:
    """The README's bot, without the line that it says to leave out."""
    [code] = [code for code in re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL) if "Act" in code]
    return str(code).partition("\n\nif __name__")[0] + "\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of an environment as `make run` makes it."""
    return environment(tmp_path_factory.mktemp("run") / "venv", "run")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files that the README speaks of."""
    (tmp_path / "hands.phhs").write_text(f"[1]\n{RECORDED}", encoding="utf-8")
    (tmp_path / "table.json").write_text(TABLE, encoding="utf-8")
    (tmp_path / "pairs.py").write_text(bot(), encoding="utf-8")
    scenario = re.search(r"echo '(.*?)'", README, re.DOTALL)
    assert scenario
    (tmp_path / "scenario.json").write_text(scenario[1], encoding="utf-8")
    return tmp_path


def shell(programs: Path, folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader does with `.venv/bin` on the path, without input."""
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=with_programs(programs),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=10 * BOUND,  # compiling takes a minute, several on a busy machine
        check=False,
    )


def with_programs(programs: Path) -> dict[str, str]:
    """The environment's variables."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {name: value for name, value in clean().items() if not name.startswith("PYTHON")} | {"PATH": path}


def of_its_own(command: str) -> bool:
    """Whether a command has its own test, because it runs until it is stopped or needs a server."""
    return command.startswith(("pitboss arena serve", "pitboss arena join", "pitboss arena verify"))


def test_the_readme_has_commands() -> None:
    assert len(commands()) >= 15
    assert sum(map(of_its_own, commands())) == 3


@pytest.mark.parametrize("command", [command for command in commands() if not of_its_own(command)])
def test_after_make_run_every_command_of_the_readme_works(programs: Path, folder: Path, command: str) -> None:
    if "session.txt" in command:
        assert shell(programs, folder, "pitboss convert hands.phhs session.txt").returncode == 0
    done = shell(programs, folder, command)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout or "convert" in command or "--html" in command


def test_after_make_run_the_arena_of_the_readme_serves_a_bot_and_is_verified(programs: Path, folder: Path) -> None:
    [serve, join, verify] = [
        next(command for command in commands() if command.startswith(f"pitboss arena {name}"))
        for name in ("serve", "join", "verify")
    ]
    server = subprocess.Popen(
        [*serve.split(), "--port", "0", "--house-think-ms", "0", "--max-hands", "20", "--start-at", "3"],
        cwd=folder,
        env=with_programs(programs),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        port = port_in(first_line(server.stdout, BOUND))
        joined = shell(programs, folder, re.sub(r"(?<=:)\d+(?=/ws)", str(port), join))
        assert joined.returncode == 0, joined.stderr
        server.send_signal(signal.SIGINT)
        assert server.wait(BOUND) == 0
    finally:
        server.kill()
        server.communicate()
    verified = shell(programs, folder, verify)
    assert (verified.returncode, verified.stderr) == (0, "")


# --- what is installed


def imported() -> set[str]:
    """Every third-party module that pitboss imports, anywhere in its sources."""
    names: set[str] = set()
    for path in (ROOT / "src" / "pitboss").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Call) and re.fullmatch(r"import_module\('[^']*'\)", ast.unparse(node)):
                names.add(ast.literal_eval(node.args[0]).partition(".")[0])
    return names - sys.stdlib_module_names - {"pitboss"}


def test_requirements_of_make_run_cover_all_imports() -> None:
    assert {OTHER_NAMES.get(name, name) for name in imported() - NOT_IN_MAKE_RUN} <= set(locked("run"))
    assert {"aiohttp", "msgspec", "textual"} <= imported()


def test_requirements_of_make_test_include_those_of_make_run() -> None:
    assert locked("run").items() <= locked("dev").items()


# --- what is not installed


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of an environment with pitboss and without any extra."""
    return environment(tmp_path_factory.mktemp("bare") / "venv", None)


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("simulate --hands 1000000", "fast"),
        ("lab simulate leduc --games 50", "fast"),
        ("lab simulate leduc --games 5000", "fast"),
        ("lab evolve --out found --generations 1 --population 4 --games 10 --seed 1", "lab"),
        ("equity --preflop-table", "fast"),
        ("warmup", "fast"),
        ("arena serve --house tight", "arena"),
        ("arena doctor pairs.py", "arena"),
        ("arena join pairs.py ws://arena.example/ws", "arena"),
        ("arena serve --db postgresql://arena.example/x", "arena"),
    ],
)
def test_missing_extra_is_one_sentence_with_the_install_command(
    bare: Path, folder: Path, command: str, extra: str
) -> None:
    done = shell(bare, folder, f"pitboss {command}")
    assert done.returncode == 1
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("pitboss")
    assert " -m pip install " in sentence
    assert sentence.endswith(f"[{extra}]'")


def test_a_missing_package_is_named_with_the_extra_that_installs_it() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for package, extra in EXTRAS.items():
        assert any(requirement.startswith(package) for requirement in extras[extra])
    alone = {"uvloop"}  # used where it is there
    always = {"click", "msgspec", "rich"}
    assert imported() - always - alone == set(EXTRAS)


def test_a_command_that_needs_no_extra_works_without_any(bare: Path, folder: Path) -> None:
    for command in ("simulate --hands 100", "lab solve kuhn", "arena play pairs.py tight --hands 5", "sting play"):
        done = shell(bare, folder, f"pitboss {command}")
        assert done.returncode == 0, done.stderr
