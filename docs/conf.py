"""How Sphinx builds the documentation. `_reference.py` writes the pages of the reference."""

project, author, copyright = "pitboss", "pitboss contributors", "pitboss contributors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "pitboss"
html_static_path: list[str] = []
html_show_sourcelink = False
html_copy_source = False
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # the protocol page has a level between left out
