"""The log of the full-screen table: what has happened, wrapped anew whenever its size changes. Needs Textual."""

from collections.abc import Iterable

from rich.text import Text
from textual.events import Resize
from textual.widgets import RichLog


class TableLog(RichLog):
    """Lines that stay readable at any width; the newest is always in sight when something is written."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log", wrap=True, min_width=20)
        self.story: list[Text] = []

    def tell(self, lines: Iterable[Text]) -> None:
        """Write more of the story."""
        for line in lines:
            if line:
                self.story.append(line)
                self.write(line)

    def begin(self, lines: Iterable[Text] = ()) -> None:
        """Begin the story anew, with these lines."""
        self.story = [line for line in lines if line]
        self.rewrite()

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        event.prevent_default()
        self.call_after_refresh(self.rewrite)

    def rewrite(self) -> None:
        """Write the whole story at the width there is, and show its end."""
        self.clear()
        for line in self.story:
            self.write(line)
        self.scroll_end(animate=False, immediate=True)
