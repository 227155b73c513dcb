"""How the tests run the command: inside this process, or as another process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner, Result

from pitboss.cli.main import cli

COMMAND = (sys.executable, "-c", "from pitboss.cli.main import main; main()")


def run(*arguments: str, given: str | bytes = "") -> Result:
    """Run the command here; anything but an exit is shown as the error it is."""
    result = CliRunner().invoke(cli, arguments, input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def run_apart(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command as another process."""
    return subprocess.run(
        [*COMMAND, *arguments], input=given, capture_output=True, check=False, timeout=120, env=clean(environment)
    )


def clean(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment in which nothing asks for colours."""
    given = {name: value for name, value in os.environ.items() if "COLOR" not in name and not name.startswith("TTY_")}
    return {**given, "PYTHONUTF8": "1", **(environment or {})}


def lines(output: str) -> list[dict[str, Any]]:
    """Standard output as JSON, one object a line and nothing else."""
    assert output.endswith("\n") or output == ""
    found = [json.loads(line) for line in output.split("\n")[:-1]]
    assert all(type(line) is dict for line in found)
    return found


def dumped(value: object) -> str:
    """JSON for standard input."""
    return json.dumps(value)
