"""The command that installs an extra of pitboss. It depends on how pitboss was installed."""

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

DISTRIBUTION = "pitboss-cards"
"""The name of the project on the package index. The project `pitboss` there is unrelated."""
_CHECKOUT = Path(__file__).parents[2]


def install_command(extra: str) -> str:
    """Return the command that installs an extra, such as `pip install 'pitboss-cards[fast]'`."""
    return shlex.join([*_pip(), "install", *_requirement(extra, _direct_url())])


def _pip() -> list[str]:
    """Return `pip` if the shell runs the pip of this Python, otherwise `-m pip` with this Python."""
    python = Path(sys.executable)
    found = shutil.which("pip")
    if found is not None and Path(found).parent == python.parent:
        return ["pip"]
    here = Path.cwd()
    return [str(python.relative_to(here) if python.is_relative_to(here) else python), "-m", "pip"]


def _requirement(extra: str, origin: dict[str, Any]) -> list[str]:
    """Return the arguments for pip. `origin` is the content of `direct_url.json` (PEP 610)."""
    from urllib.parse import urlsplit  # imported here because it is slow, and only error messages need it
    from urllib.request import url2pathname

    url = origin.get("url", "")
    path = Path(url2pathname(urlsplit(url).path)) if url.startswith("file:") else None
    if path is not None and path.is_dir():
        target = f"{'.' if path == Path.cwd() else path}[{extra}]"
        return ["-e", target] if origin.get("dir_info", {}).get("editable") else [target]
    if path is not None and path.is_file():
        return [f"{path}[{extra}]"]
    if url and path is None:
        vcs = origin.get("vcs_info", {}).get("vcs")
        return [f"{DISTRIBUTION}[{extra}] @ {f'{vcs}+' if vcs else ''}{url}"]
    return [f"{DISTRIBUTION}[{extra}]"]


def _direct_url() -> dict[str, Any]:
    """Return the address from which pip installed pitboss. It is empty for a package index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:  # not installed with pip, for example a checkout on PYTHONPATH
        is_checkout = (_CHECKOUT / "pyproject.toml").is_file()
        return {"url": _CHECKOUT.as_uri(), "dir_info": {"editable": True}} if is_checkout else {}
    return dict(json.loads(text)) if text else {}
