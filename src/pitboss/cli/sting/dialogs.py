"""What stands in front of the full-screen table: the first screen, choices, the help and the end. Needs Textual."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from msgspec import Struct
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from pitboss.cli.sting.cardboxes import DIM, KEY
from pitboss.cli.sting.draw import too_small
from pitboss.sting.guide import Section

BANNER = """\
╔═╗╔╦╗╦╔╗╔╔═╗
╚═╗ ║ ║║║║║ ╦
╚═╝ ╩ ╩╝╚╝╚═╝"""
LEAVE = Binding("q,escape,ctrl+c", "dismiss", "leave", priority=True)
HELP = Binding("question_mark", "app.help", "help")
Answer = TypeVar("Answer")
SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")


def written(sections: Sequence[Section], between: str = "\n\n") -> Text:
    """Sections one under the other, their titles set off."""
    parts = []
    for section in sections:
        part = Text(section.title, "bold bright_yellow")
        for paragraph in section.paragraphs:
            part.append("\n" + paragraph, "not bold default")
        parts.append(part)
    return Text(between).join(parts)


def key_line(keys: Sequence[tuple[str, str]]) -> Text:
    """Which keys do what."""
    return Text("   ").join(Text.assemble((f" {key} ", KEY), f" {what}") for key, what in keys)


class Dialog(ModalScreen[Answer]):
    """Something in front of the table; on a screen that is too small, the sentence that says so."""

    def on_resize(self) -> None:
        small = too_small(*self.app.size)
        self.set_class(bool(small), "small")
        if small:
            self.query_one("#small", Static).update(small)


class Alternative(Struct, frozen=True):
    """Something to choose: what is meant, what it is called, and what it is good for."""

    value: str
    label: str
    note: str = ""


class Choice(Dialog[str | None]):
    """One of several things to choose, with the arrows and Enter or by number; None to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        LEAVE,
        HELP,
        *(Binding(str(number), f"pick({number - 1})", show=False) for number in range(1, 10)),
    ]

    def __init__(
        self, question: str, alternatives: Sequence[Alternative], note: str | None = None, *, first: int = 0
    ) -> None:
        super().__init__()
        self.question, self.alternatives, self.note, self.first = question, alternatives, note, first

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        with Vertical(classes="box") as box:
            box.border_title = self.question
            options = OptionList(
                *(
                    Option(
                        Text.assemble((f" {number} ", KEY), (f" {one.label}", "bold"), (f"\n{one.note}", DIM)),
                        id=one.value,
                    )
                    for number, one in enumerate(self.alternatives, 1)
                )
            )
            options.highlighted = self.first
            yield options
            if self.note is not None:
                yield Static(self.note, id="note", markup=False)
            yield Static("↑ ↓ or a number, enter takes it · ? help · q leaves", classes="hint", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_pick(self, index: int) -> None:
        if index < len(self.alternatives):
            self.dismiss(self.alternatives[index].value)


class FirstScreen(Dialog[bool | None]):
    """The game in a minute, and the best score; Enter begins, None leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        LEAVE,
        HELP,
        Binding("enter,space", "begin", "begin"),
    ]

    def __init__(self, primer: Sequence[Section], best: str) -> None:
        super().__init__()
        self.primer, self.best = primer, best

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        roomy = self.app.size.height >= 24
        with VerticalScroll(classes="box", can_focus=False):
            if roomy:
                yield Static(Text(BANNER, "bold bright_red"), classes="banner")
            yield Static(Text("A deal goes down, and somebody at the table is a Narc.", "italic"), classes="banner")
            yield Static(written(self.primer, "\n\n" if roomy else "\n"), id="primer")
            if self.best:
                yield Static(Text(self.best, "bold bright_green"), id="best")
            yield Static(key_line((("enter", "play"), ("?", "help"), ("q", "leave"))), classes="keys")

    def action_begin(self) -> None:
        self.dismiss(True)


class HelpScreen(Dialog[None]):
    """All there is to look up; any key closes it, but for those that scroll."""

    def __init__(self, sections: Sequence[Section]) -> None:
        super().__init__()
        self.sections = sections

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        with VerticalScroll(classes="box") as box:
            box.border_title = "Help"
            box.border_subtitle = "↑ ↓ page up, page down scroll · any other key closes"
            yield Static(written(self.sections))

    def on_key(self, event: Key) -> None:
        if event.key not in SCROLLING:
            event.stop()
            self.dismiss()


class EndScreen(Dialog[str | None]):
    """How the run went, hand by hand, and what it is worth; n begins another, Escape looks at the table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        HELP,
        Binding("n,enter", "dismiss('new')", "new run"),
        Binding("escape,s", "dismiss(None)", "the table"),
        Binding("q,ctrl+c", "dismiss('leave')", "leave", priority=True),
    ]

    def __init__(self, title: str, won: bool, hands: Sequence[str], result: Sequence[str]) -> None:
        super().__init__()
        self.words, self.won, self.hands, self.result = title, won, hands, result

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        with Vertical(classes="box") as box:
            box.border_title = "The run is over"
            yield Static(Text(self.words, "bold bright_green" if self.won else "bold bright_red"))
            with VerticalScroll(classes="hands") as hands:
                hands.styles.max_height = min(14, self.app.size.height - 10)  # the score and the keys stay in sight
                yield Static(Text("\n".join(self.hands)))
            yield Static(Text("\n".join(self.result), "bold"))
            yield Static(key_line((("n", "new run"), ("esc", "the table"), ("?", "help"), ("q", "leave"))))
