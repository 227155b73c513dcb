"""A certificate of 127.0.0.1, made for a test as the organiser's page says how, and trusted by nobody else."""

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
    """The command of docs/arena.md that makes a certificate, for this machine's own address."""
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
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
