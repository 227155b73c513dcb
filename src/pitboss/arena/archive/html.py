"""Hands in one HTML file that needs nothing else: the page's own viewer, its modules joined, and the hands as data.

Nothing is fetched, and a content-security policy lets nothing run but what this wrote: it names the hashes.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from pitboss.errors import PitbossError

PAGE = Path(__file__).parents[1] / "page"
ENTRY = "file.js"
STYLE = "file.css"

_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="page/([^"]+)">')
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$|\bimport\(|\bimport\.meta\b", re.MULTILINE)


class BundleError(PitbossError, ValueError):
    """Modules that cannot be joined."""


def write_html(title: str, note: str, hands: Sequence[dict[str, Any]], unit: int = 1) -> str:
    """One file in which these hands can be gone through; names stay text, whatever they look like.

    So many chips of `unit` make one of the money that is shown.
    """
    data = msgspec.json.encode({"title": title, "note": note, "unit": unit, "hands": hands}).decode()
    data = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    script = bundle(read_modules(PAGE), ENTRY)
    styles = (*_STYLE_LINK.findall((PAGE / "index.html").read_text(encoding="utf-8")), STYLE)
    style = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in styles)
    for name, text in (("script", script), ("style", style)):
        if f"</{name}" in text.lower():
            raise BundleError(f"the viewer's own {name} says </{name}")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body data-view="replay">
<main><div id="replay-view" class="view replay"></div></main>
<noscript><p>This page draws the table with JavaScript, which is switched off here.</p></noscript>
<script type="application/json" id="record">{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def read_modules(folder: Path) -> dict[str, str]:
    """The modules in a folder, by their path in it."""
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.js"))
    }


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """One script that does what a module and all it imports do, each in a function of its own.

    >>> modules = {"a.js": 'import { two as b } from "./b.js";\\nf(b);\\n', "b.js": "export const two = 2;\\n"}
    >>> print(bundle(modules, "a.js"))
    const module_0 = (() => {
    const two = 2;
    return { two };
    })();
    (() => {
    const { two: b } = module_0;
    f(b);
    })();
    """
    order: list[str] = []
    _visit(modules, entry, (), order)
    names = {name: f"module_{k}" for k, name in enumerate(order)}
    return "\n".join(_wrapped(modules[name], name, names, last=name == entry) for name in order)


def _visit(modules: Mapping[str, str], name: str, above: tuple[str, ...], order: list[str]) -> None:
    """List a module after all that it imports."""
    if name in above:
        raise BundleError(f"modules import each other in a circle: {' → '.join((*above, name))}")
    if name in order:
        return
    if name not in modules:
        raise BundleError(f"{above[-1] if above else 'somebody'} imports {name}, and there is no such module")
    for _, path in _IMPORT.findall(modules[name]):
        _visit(modules, _resolved(name, path), (*above, name), order)
    order.append(name)


def _wrapped(source: str, name: str, names: Mapping[str, str], *, last: bool) -> str:
    def imported(found: re.Match[str]) -> str:
        wanted = ", ".join(part.strip().replace(" as ", ": ") for part in found[1].split(",") if part.strip())
        return f"const {{ {wanted} }} = {names[_resolved(name, found[2])]};\n"

    exported = [word for _, word in _EXPORT.findall(source)]
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(imported, source))
    if (left := _LEFT_OVER.search(body)) is not None:
        raise BundleError(f"{name} says {left[0]!r}, which this bundler does not know")
    gives = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"{'' if last else f'const {names[name]} = '}(() => {{\n{body}{gives}}})();"


def _resolved(name: str, path: str) -> str:
    parts: list[str] = []
    for part in (*PurePosixPath(name).parent.parts, *path.split("/")):
        if part == "..":
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return "/".join(parts)


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
