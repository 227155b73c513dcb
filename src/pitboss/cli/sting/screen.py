"""The full-screen table of sting: widgets, keys, and which question is on the screen. Needs Textual."""

from collections.abc import Iterable, Sequence
from textwrap import fill, indent
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from pitboss.betting.refusals import Refused
from pitboss.cli.sting import draw
from pitboss.cli.sting.playthrough import Playthrough
from pitboss.sting.actions import Continue, StingCheck, StingFold, StingRaise
from pitboss.sting.events import Flipped, Insured, Resolved
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER
from pitboss.sting.run import HandBegun, NextHand, Run, RunAction, RunEnded, RunEvent
from pitboss.sting.words import format_event, listed, rules

GO_ON, NEW = "go on", "new"
STYLES: dict[type, str] = {
    HandBegun: "bold",
    Flipped: "bright_yellow",
    Insured: "bold bright_magenta",
    Resolved: "bold",
    RunEnded: "bold bright_red",
}


class Choice(ModalScreen[str | None]):
    """One of several things to choose, with the arrows and Enter or by number; None to leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,ctrl+c", "dismiss", "leave", priority=True),
        *(Binding(str(number), f"pick({number - 1})", show=False) for number in range(1, 10)),
    ]

    def __init__(self, question: str, options: Sequence[tuple[str, str]], note: str | None = None) -> None:
        super().__init__()
        self.question, self.options, self.note = question, options, note

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = self.question
            numbered = enumerate(self.options, 1)
            yield OptionList(*(Option(Text(f"{number}  {label}"), id=value) for number, (value, label) in numbered))
            if self.note is not None:
                yield Static(self.note, id="note", markup=False)
            yield Static(" ↑ ↓ or a number to choose, enter to take it, q to leave", classes="hint")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_pick(self, index: int) -> None:
        if index < len(self.options):
            self.dismiss(self.options[index][0])


class RulesScreen(ModalScreen[None]):
    """The rules; any key closes them, but for those that scroll where they do not fit."""

    def __init__(self, paragraphs: Sequence[str]) -> None:
        super().__init__()
        self.paragraphs = paragraphs

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box") as box:
            box.border_title = "The rules"
            box.border_subtitle = "any key closes this"
            yield Static("\n\n".join(self.paragraphs), markup=False)

    def on_key(self, event: Key) -> None:
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end"):
            event.stop()
            self.dismiss()


class StingApp(App[None]):
    """A run at a table; all that happens is the playthrough's doing."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #header, #keys { height: 1; background: $panel; }
    #seats { height: 25%; min-height: 5; max-height: 10; }
    .seat, #scale, #cards { border: round $primary; border-title-color: $text; padding: 0 1; }
    .seat { width: 1fr; height: 100%; border-subtitle-color: $warning; border-subtitle-style: bold; }
    .turn, #cards.over { border: heavy $warning; border-title-style: bold; }
    #cards { height: 5; }
    #scale { height: 6; border: round $success; }
    #scale.bust { border: round $error; }
    #log { height: 1fr; padding: 0 1; background: $background; scrollbar-size-vertical: 0; }
    #small, Screen.small > * { display: none; }
    Screen.small > #small { display: block; }
    Question, Rules { align: center middle; }
    .box { width: 100%; max-width: 90; height: auto; max-height: 100%; }
    .box { border: round $warning; border-title-style: bold; padding: 0 2; background: $surface; }
    .box OptionList { height: auto; border: none; background: $surface; padding: 1 0; }
    .hint { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"raise({number - 1})", show=False) for number in range(1, 10)),
        Binding("c,space", "check", "check"),
        Binding("enter", "go_on", "continue"),
        Binding("f", "fold", "fold"),
        Binding("escape", "stay", "stay", show=False),
        Binding("n", "new", "new run"),
        Binding("question_mark,h", "rules", "rules"),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
        Binding("q,ctrl+c", "leave", "leave", priority=True),
    ]

    def __init__(self, playthrough: Playthrough, saved: Run | None) -> None:
        super().__init__()
        self.playthrough, self.saved = playthrough, saved
        self.folding = False

    def compose(self) -> ComposeResult:
        yield Static(id="header")
        with Horizontal(id="seats"):
            for place in (NARC, CUSTOMER, PLAYER):
                yield Static(id=f"seat{place}", classes="seat")
        yield Static(id="scale")
        yield Static(id="cards")
        log = RichLog(id="log", wrap=True, min_width=20)
        log.can_focus = False
        yield log
        yield Static(id="keys")
        yield Static(id="small", markup=False)

    def on_mount(self) -> None:
        if self.saved is None:
            self.begin()
            return
        saved = self.saved
        standing = f"hand {saved.number}, Heat {saved.current_heat}, cash {saved.cash}"
        options = ((GO_ON, f"Go on with it: {standing}"), (NEW, "Begin a new run, and give that one up"))
        self.push_screen(Choice("A run was left unfinished", options, self.playthrough.notice), self.resume)

    def on_resize(self) -> None:
        if self.playthrough.run is not None:
            self.call_after_refresh(self.draw)

    # --- questions

    def resume(self, answer: str | None) -> None:
        if answer is None:
            self.exit()
        elif answer == GO_ON and self.saved is not None:
            self.playthrough.go_on(self.saved)
            self.write_log([Text("You go on where you left.", "dim")])
            self.draw()
        else:
            self.begin()

    def begin(self) -> None:
        """Deal a new run, once the deck is chosen."""
        if "player" in self.playthrough.decks:
            self.deal(self.playthrough.decks["player"])
            return
        decks = self.playthrough.cards.decks["player"]
        options = [(name, f"{name}\n{indent(fill(listed(cards), 68), '   ')}") for name, cards in decks.items()]
        self.push_screen(Choice("Which deck do you play?", options), self.deal)

    def deal(self, deck: str | None) -> None:
        if deck is None:
            self.exit()
            return
        self.log_panel.clear()
        self.happened(self.playthrough.begin(deck))

    # --- keys

    def action_raise(self, index: int) -> None:
        held = self.playthrough.playing.hand.hands[PLAYER]
        if index < len(held):
            self.do(StingRaise(held[index]))

    def action_check(self) -> None:
        self.do(StingCheck())

    def action_go_on(self) -> None:
        self.do(NextHand() if self.playthrough.playing.hand.over else Continue())

    def action_fold(self) -> None:
        if self.folding:
            self.do(StingFold())
        elif self.playthrough.playing.hand.offer.fold:
            self.folding = True
            self.draw()

    def action_stay(self) -> None:
        self.folding = False
        self.draw()

    def action_new(self) -> None:
        if self.playthrough.playing.over:
            self.playthrough.decks.pop("player")
            self.begin()

    def action_rules(self) -> None:
        self.push_screen(RulesScreen(rules(self.playthrough.cards)))

    def action_scroll(self, pages: int) -> None:
        self.log_panel.scroll_relative(y=pages * self.log_panel.size.height, animate=False)

    def action_leave(self) -> None:
        self.exit()

    def do(self, action: RunAction) -> None:
        """Do it, and say what happened; what is not on offer just now does nothing but say so."""
        self.folding = False
        try:
            self.happened(self.playthrough.act(action))
        except Refused as refusal:
            self.draw()
            self.notify(refusal.sentence, severity="warning", timeout=3, markup=False)

    # --- what is on the screen

    def happened(self, events: Iterable[RunEvent]) -> None:
        self.write_log(line for line in map(log_line, events) if line)
        self.draw()
        if self.playthrough.trouble is not None:
            self.notify(self.playthrough.trouble, severity="error", markup=False)

    @property
    def log_panel(self) -> RichLog:
        """What has happened, to be read; the table is the lowest screen, whatever is asked above it."""
        return self.screen_stack[0].query_one("#log", RichLog)

    def panel(self, name: str) -> Static:
        """A piece of the table."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def write_log(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self.log_panel.write(line)

    def draw(self) -> None:
        """Put the run on the screen."""
        run = self.playthrough.playing
        hand = run.hand.view(PLAYER)
        self.panel("header").update(draw.header(run, self.size.width))
        for place in (NARC, CUSTOMER, PLAYER):
            seat = self.panel(f"seat{place}")
            seat.border_title = draw.seat_title(hand, place, self.size.width)
            seat.border_subtitle = draw.seat_badge(hand, place)
            seat.set_class(hand.asked == place, "turn")
            seat.update(draw.seat(hand, place))
        scale = self.panel("scale")
        scale.border_title = "Evidence against Cover"
        scale.set_class(hand.totals.margin < 0, "bust")
        scale.update(draw.scale(hand, self.size.width - 4))
        cards = self.panel("cards")
        cards.set_class(hand.over, "over")
        cards.border_title = draw.cards_title(run)
        cards.update(draw.outcome(run) if hand.over else draw.cards(hand, self.size.width - 4))
        self.panel("keys").update(draw.keys(run, self.folding, self.size.width))
        small = draw.too_small(*self.size)
        self.panel("small").update(small)
        self.screen_stack[0].set_class(bool(small), "small")


def log_line(event: RunEvent) -> Text:
    """A line of the log, the weighty ones in colour."""
    return Text(format_event(event), STYLES.get(type(event), ""))
