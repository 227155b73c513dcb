"""A certificate of 127.0.0.1, made for a test with the command that the guide prints."""

import atexit
import re
import subprocess
from functools import cache
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp

import pytest

from tests.support.environments import ROOT


def recipe() -> str:
    """Return the command of docs/class-contest.md that makes a certificate, with this machine's own address."""
    page = (ROOT / "docs" / "class-contest.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ *(openssl req .*?cert\.pem)$", page, re.MULTILINE | re.DOTALL)
    return str(command).replace("192.168.1.20", "127.0.0.1")


@cache
def certificate() -> tuple[Path, Path]:
    """A certificate that signs itself, and its key, both in PEM; made once."""
    if which("openssl") is None:
        pytest.skip("no openssl: no certificate can be made")
    folder = Path(mkdtemp(prefix="pitboss-certificate-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    subprocess.run(["sh", "-c", recipe()], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder / "cert.pem", folder / "key.pem"
