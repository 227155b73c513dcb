"""How to install an extra of pitboss, depending on where this copy was installed from."""

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

DISTRIBUTION = "pitboss-cards"
"""The name on the package index, where an unrelated project is called pitboss."""
_CHECKOUT = Path(__file__).parents[2]


def install_command(extra: str) -> str:
    """Return the command that adds an extra, such as `pip install 'pitboss-cards[fast]'`."""
    return shlex.join([*_pip(), "install", *_requirement(extra, _direct_url())])


def _pip() -> list[str]:
    """Return `pip` if the shell finds the pip of this Python, else this Python with `-m pip`."""
    python = Path(sys.executable)
    found = shutil.which("pip")
    if found is not None and Path(found).parent == python.parent:
        return ["pip"]
    here = Path.cwd()
    return [str(python.relative_to(here) if python.is_relative_to(here) else python), "-m", "pip"]


def _requirement(extra: str, origin: dict[str, Any]) -> list[str]:
    """Return what to install, given the contents of a `direct_url.json` (PEP 610)."""
    from urllib.parse import urlsplit  # slow to import, and only errors need it
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
    """Return where pip got pitboss from; empty if from an index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:  # not installed, for example a checkout on PYTHONPATH
        is_checkout = (_CHECKOUT / "pyproject.toml").is_file()
        return {"url": _CHECKOUT.as_uri(), "dir_info": {"editable": True}} if is_checkout else {}
    return dict(json.loads(text)) if text else {}
