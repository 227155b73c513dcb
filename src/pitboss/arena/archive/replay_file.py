"""Write hands as one HTML file that needs nothing else: the page's own viewer, its modules joined, and the hands as
data.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from pitboss.errors import PitbossError
from pitboss.pages import write_frame

PAGE = Path(__file__).parents[1] / "page"
ENTRY = "file.js"
STYLE = "file.css"

_STYLE_LINK = re.compile(r'<link rel="stylesheet" href="page/([^"]+)">')
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$|\bimport\(|\bimport\.meta\b", re.MULTILINE)

_BODY = """<main><div id="replay-view" class="view replay"></div></main>
<noscript><p>This page draws the table with JavaScript, which is switched off here.</p></noscript>"""


class BundleError(PitbossError, ValueError):
    """Modules that cannot be joined."""


def write_html(title: str, note: str, hands: Sequence[dict[str, Any]], unit: int = 1) -> str:
    """One file in which these hands can be gone through; names stay text, whatever they look like.

    So many chips of `unit` make one of the money that is shown.
    """
    script = bundle(read_modules(PAGE), ENTRY)
    styles = (*_STYLE_LINK.findall((PAGE / "index.html").read_text(encoding="utf-8")), STYLE)
    style = "\n".join((PAGE / name).read_text(encoding="utf-8") for name in styles)
    data = {"title": title, "note": note, "unit": unit, "hands": hands}
    return write_frame(title, _BODY, style=style, script=script, data=data, view="replay", module=True)


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
