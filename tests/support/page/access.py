"""An automated check of a page's access: names, headings, lists, ids, and the contrast of all that can be read."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMED = frozenset(
    ("button", "link", "textbox", "searchbox", "combobox", "slider", "spinbutton", "checkbox", "img", "image")
)
"""Roles that say nothing without a name."""
LOOK = Path(__file__).with_name("access.js").read_text(encoding="utf-8")


def complaints_of(page: "Page") -> list[str]:
    """All that a careful reader by keyboard, by ear or with weak eyes would complain of."""
    found: list[str] = page.evaluate(LOOK)
    return [*found, *unnamed(page)]


def unnamed(page: "Page") -> list[str]:
    """What the browser's own tree of access has no name for."""
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    roles = [node.get("role", {}).get("value") for node in nodes if not node.get("ignored") and not _name(node)]
    return [f"a {role} has no name" for role in roles if role in NAMED]


def _name(node: dict[str, Any]) -> str:
    name: str = node.get("name", {}).get("value", "")
    return name
