"""A certificate of 127.0.0.1 and localhost, made for a test and trusted by nobody else."""

import subprocess
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import mkdtemp

import pytest

CONFIG = """[req]
distinguished_name = name
x509_extensions = more
prompt = no
[name]
CN = localhost
[more]
subjectAltName = IP:127.0.0.1, DNS:localhost
basicConstraints = critical, CA:TRUE
"""


@cache
def certificate() -> tuple[Path, Path]:
    """A certificate that signs itself, and its key, both in PEM; made once."""
    if which("openssl") is None:
        pytest.skip("no openssl: no certificate can be made")
    folder = Path(mkdtemp(prefix="pitboss-certificate-"))
    (folder / "config").write_text(CONFIG, encoding="utf-8")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-config", "config", "-keyout", "key.pem", "-out", "cert.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return folder / "cert.pem", folder / "key.pem"
