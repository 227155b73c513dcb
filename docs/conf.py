"""How Sphinx makes the documentation: the pages of this folder, the reference out of docstrings, the commands' help."""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS.parent / "src"), str(DOCS)]

from _reference import write_commands, write_reference  # noqa: E402  # found by the line above

project, author, copyright = "pitboss", "pitboss contributors", "pitboss contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "pitboss"
html_static_path: list[str] = []
html_show_sourcelink = False
html_copy_source = False
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
default_role = "code"  # a single backtick in a docstring is code, as in the pages
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True  # as they stand in the source, not as they print
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": False}
# Names inside annotations that are no page of ours, such as those of the standard library.
nitpicky = False
suppress_warnings = ["myst.header"]  # the protocol page has a level between left out

write_reference(DOCS / "reference")
write_commands(DOCS / "reference")
