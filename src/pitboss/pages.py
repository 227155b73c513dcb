"""Pages that are a single HTML file and load nothing else.

A content-security policy allows only the script and the style of the page, by their hashes. Other text is escaped.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.printing import printable


class PageError(PitbossError, ValueError):
    """A script or a style that contains its own end tag."""


def page_text(text: str) -> str:
    """Escape text from any source for a page or an attribute.

    >>> page_text("<b>Al")
    '&lt;b&gt;Al'
    """
    return escape(printable(text))


def write_frame(
    title: str, body: str, *, style: str, script: str = "", data: Any = None, view: str = "", module: bool = False
) -> str:
    """Return a whole page. The script finds `data` as JSON in the element `record`. `view` is the body's `data-view`.

    >>> "default-src 'none'" in write_frame("Hello", "<p>hello</p>", style="p { color: red; }")
    True
    """
    for name, text in (("script", script), ("style", style)):
        if f"</{name}" in text.lower():
            raise PageError(f"{name}: expected text without </{name}, which ends the element")
    scripts = f"script-src '{_hash(script)}'; " if script else ""
    policy = f"default-src 'none'; {scripts}style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{page_text(title)}</title>\n<style>{style}</style>\n</head>",
        f'<body data-view="{escape(view)}">' if view else "<body>",
        body,
    ]
    if data is not None:
        parts.append(f'<script type="application/json" id="record">{_data(data)}</script>')
    if script:
        kind = ' type="module"' if module else ""
        parts.append(f"<script{kind}>{script}</script>")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _data(data: Any) -> str:
    """Return JSON without characters that could end an element."""
    text = msgspec.json.encode(data).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
