"""The full-screen table of Sting: widgets, dialogs, keys and timing. Needs Textual."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeVar

from msgspec import Struct
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import OptionList, RichLog, Static
from textual.widgets.option_list import Option

from pitboss.betting.refusals import Refused
from pitboss.cli.sting import draw
from pitboss.cli.sting.draw import DIM, KEY, too_small
from pitboss.cli.sting.playthrough import Playthrough, Speed
from pitboss.sting.events import (
    Bought,
    Buy,
    Continue,
    Flipped,
    Grown,
    HandBegun,
    Insured,
    NextHand,
    Pressed,
    Resolved,
    RunAction,
    RunEnded,
    RunEvent,
    StingCheck,
    StingChecked,
    StingFold,
    StingFolded,
    StingRaise,
    StingRaised,
)
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, StingHand
from pitboss.sting.run import Moment, Run, list_moments
from pitboss.sting.text import (
    ENDINGS,
    Section,
    amount,
    deck_note,
    difficulty_note,
    explain_refusal,
    format_event,
    guide,
    hint_lines,
    primer,
)

BANNER = """\
╔═╗╔╦╗╦╔╗╔╔═╗
╚═╗ ║ ║║║║║ ╦
╚═╝ ╩ ╩╝╚╝╚═╝"""
LEAVE = Binding("q,escape,ctrl+c", "dismiss", "leave", priority=True)
HELP = Binding("question_mark", "app.help", "help")
SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")
PACE: dict[Speed, float] = {"slow": 2.0, "normal": 1.0, "fast": 0.4, "instant": 0.0}
GO_ON, NEW = "go on", "new"
STYLES: dict[type, str] = {
    HandBegun: "bold underline",
    Flipped: "bright_yellow",
    Insured: "bold bright_magenta",
    Resolved: "bold",
    Bought: "bright_green",
    Pressed: "orange1",
    Grown: "bright_red",
    RunEnded: "bold bright_red",
}


class LogView(RichLog):
    """A log that wraps again when the width changes, and scrolls to new lines."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="log", wrap=True, min_width=20)
        self.story: list[Text] = []

    def tell(self, lines: Iterable[Text]) -> None:
        """Add lines."""
        for line in lines:
            if line:
                self.story.append(line)
                self.write(line)

    def begin(self, lines: Iterable[Text] = ()) -> None:
        """Replace all lines."""
        self.story = [line for line in lines if line]
        self.rewrite()

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        event.prevent_default()
        self.call_after_refresh(self.rewrite)

    def rewrite(self) -> None:
        """Write all lines at the current width, and scroll to the end."""
        self.clear()
        for line in self.story:
            self.write(line)
        self.scroll_end(animate=False, immediate=True)


Answer = TypeVar("Answer")


def written(sections: Sequence[Section], between: str = "\n\n") -> Text:
    """Format sections with highlighted titles."""
    parts = []
    for section in sections:
        part = Text(section.title, "bold bright_yellow")
        for paragraph in section.paragraphs:
            part.append("\n" + paragraph, "not bold default")
        parts.append(part)
    return Text(between).join(parts)


class Dialog(ModalScreen[Answer]):
    """A dialog in front of the table; a screen that is too small shows a message instead."""

    def on_resize(self) -> None:
        small = too_small(*self.app.size)
        self.set_class(bool(small), "small")
        if small:
            self.query_one("#small", Static).update(small)


class Alternative(Struct, frozen=True):
    """An option to choose: its value, its name and a note about it."""

    value: str
    label: str
    note: str = ""


class ChoiceScreen(Dialog[str | None]):
    """A list to choose from, with the arrows and Enter or by number; None to leave."""

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
            yield Static("↑ ↓ enter, or a number: choose · ?: help · q: leave", classes="hint", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def action_pick(self, index: int) -> None:
        if index < len(self.alternatives):
            self.dismiss(self.alternatives[index].value)


class FirstScreen(Dialog[bool | None]):
    """The first page and the best score; Enter begins, None leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [LEAVE, HELP, Binding("enter,space", "begin", "begin")]

    def __init__(self, primer: Sequence[Section], best: str) -> None:
        super().__init__()
        self.primer, self.best = primer, best

    def compose(self) -> ComposeResult:
        yield Static(id="small", markup=False)
        roomy = self.app.size.height >= 24
        with VerticalScroll(classes="box", can_focus=False):
            if roomy:
                yield Static(Text(BANNER, "bold bright_red"), classes="banner")
            yield Static(Text("A deal goes down, and one of you is a Narc.", "italic"), classes="banner")
            yield Static(written(self.primer, "\n\n" if roomy else "\n"), id="primer")
            if self.best:
                yield Static(Text(self.best, "bold bright_green"), id="best")
            yield Static(draw.key_line((("enter", "play"), ("?", "help"), ("q", "leave"))), classes="keys")

    def action_begin(self) -> None:
        self.dismiss(True)


class HelpScreen(Dialog[None]):
    """The help; any key closes it, except those that scroll."""

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
    """The result of the run, hand by hand; n starts another run, Escape shows the table."""

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
                hands.styles.max_height = min(14, self.app.size.height - 10)  # leaves room for the score and the keys
                yield Static(Text("\n".join(self.hands)))
            yield Static(Text("\n".join(self.result), "bold"))
            yield Static(draw.key_line((("n", "new run"), ("esc", "the table"), ("?", "help"), ("q", "leave"))))


def pause(event: RunEvent) -> float:
    """Return how many seconds the table waits before it shows an event."""
    match event:
        case StingChecked(place=place) | StingRaised(place=place) | StingFolded(place=place):
            return 0.0 if place == PLAYER else 0.7
        case Flipped() | Resolved() | Insured():
            return 0.7
    return 0.0


class StingApp(App[None]):
    """The table of a run; the playthrough holds the game."""

    TITLE = "Sting"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #header, #keys { height: 1; background: $panel; }
    #question { height: 1; }
    .seat { width: 1fr; height: 100%; border: round $primary; border-title-color: $text; }
    .seat { border-subtitle-color: $warning; border-subtitle-style: bold; }
    .turn { border: heavy $warning; border-title-style: bold; }
    #scale { padding: 0 1; }
    #scale.framed { border: round $success; }
    #scale.framed.bust { border: round $error; }
    #log { height: 1fr; padding: 0 1; background: $background; scrollbar-size: 0 0; overflow-x: hidden; }
    #small, Screen.small > * { display: none; }
    Screen.small > #small { display: block; }
    ChoiceScreen, FirstScreen, HelpScreen, EndScreen { align: center middle; }
    ChoiceScreen, FirstScreen { background: $background; }
    .box { width: 100%; max-width: 96; height: auto; max-height: 100%; }
    .box { border: round $warning; border-title-style: bold; padding: 0 1; background: $surface; }
    .box OptionList { height: auto; max-height: 78vh; border: none; background: $surface; padding: 0; }
    .banner { text-align: center; }
    #primer, .keys { margin-top: 1; }
    .hands { height: auto; margin: 1 0; }
    .hint { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(number), f"card({number - 1})", show=False) for number in range(1, 10)),
        Binding("c,space", "check", "check"),
        Binding("enter", "go_on", "continue"),
        Binding("f", "fold", "fold"),
        Binding("escape", "stay", "stay", show=False),
        Binding("n", "new", "new run"),
        Binding("s", "summary", "how it went"),
        Binding("h", "hint", "hint"),
        Binding("question_mark", "help", "help"),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
        Binding("q,ctrl+c", "leave", "leave", priority=True),
    ]

    def __init__(self, playthrough: Playthrough, saved: Run | None, speed: Speed = "instant") -> None:
        super().__init__()
        self.playthrough, self.saved, self.pace = playthrough, saved, PACE[speed]
        self.bound = {key for each in self.BINDINGS if isinstance(each, Binding) for key in each.key.split(",")}
        self.folding = False
        self.note: Text | None = None  #: a hint or a refusal, shown instead of the question until the next key
        self.coming: deque[Moment] = deque()  #: events that are not shown yet
        self.seen: StingHand | None = None  #: the hand as shown while events are coming
        self.costs: list[Text] = []  #: the costs of a fold and a bust at the Player's last turn
        self.timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="header")
        with Horizontal(id="seats"):
            for place in (NARC, CUSTOMER, PLAYER):
                yield Static(id=f"seat{place}", classes="seat")
        yield Static(id="scale")
        yield Static(id="question")
        yield Static(id="cards")
        yield LogView()
        yield Static(id="keys")
        yield Static(id="small", markup=False)

    def on_mount(self) -> None:
        if self.saved is None:
            self.begin()
            return
        saved = self.saved
        state = f"hand {saved.number}, Heat {saved.current_heat}, cash {amount(saved.cash)}"
        options = (
            Alternative(GO_ON, "Continue it", f"{saved.difficulty.name}, {saved.decks['player']}: {state}"),
            Alternative(NEW, "Start a new run", "and discard the saved one"),
        )
        self.push_screen(ChoiceScreen("There is a saved run", options, self.playthrough.notice), self.resume)

    def on_key(self, event: Key) -> None:
        """Skip the waiting on any other key."""
        if event.key not in self.bound:
            self.skipped()

    def on_resize(self) -> None:
        if self.playthrough.run is not None:
            self.call_after_refresh(self.redraw)

    # --- dialogs

    def resume(self, answer: str | None) -> None:
        if answer is None:
            self.exit()
        elif answer == GO_ON and self.saved is not None:
            past = map(log_line, self.playthrough.go_on(self.saved))
            self.log_panel.begin([*past, Text("You continue the saved run.", "dim")])
            self.redraw()
        else:
            self.begin()

    def begin(self) -> None:
        """Start a new run; if something has to be chosen, show the first page before."""
        if {"difficulty", "deck"} & self.playthrough.open_questions:
            first = FirstScreen(
                primer(self.playthrough.cards, self.playthrough.chosen_difficulty), self.playthrough.best_words()
            )
            self.push_screen(first, self.ask_difficulty)
        else:
            self.deal()

    def ask_difficulty(self, answer: object) -> None:
        if answer is None:
            self.exit()
        elif "difficulty" in self.playthrough.open_questions:
            options = [
                Alternative(name, name, difficulty_note(difficulty))
                for name, difficulty in self.playthrough.cards.difficulties.items()
            ]
            usual = [option.value for option in options].index(self.playthrough.chosen_difficulty.name)
            self.push_screen(ChoiceScreen("Which difficulty?", options, first=usual), self.ask_deck)
        else:
            self.ask_deck("")

    def ask_deck(self, difficulty: str | None) -> None:
        if difficulty is None:
            self.exit()
            return
        if difficulty:
            self.playthrough.difficulty = difficulty
        if "deck" not in self.playthrough.open_questions:
            self.deal()
            return
        cards = self.playthrough.cards
        options = [Alternative(name, name, deck_note(cards, name)) for name in cards.decks["player"]]
        self.push_screen(ChoiceScreen("Which deck?", options), self.take_deck)

    def take_deck(self, deck: str | None) -> None:
        if deck is None:
            self.exit()
            return
        self.playthrough.decks["player"] = deck
        self.deal()

    def deal(self) -> None:
        self.log_panel.begin()
        self.happened(None, self.playthrough.begin())

    # --- keys

    def action_card(self, index: int) -> None:
        run = self.playthrough.playing
        offered = run.shop if run.between else run.hand.hands[PLAYER]
        if not self.skipped() and index < len(offered):
            self.do(Buy(offered[index]) if run.between else StingRaise(offered[index]))

    def action_check(self) -> None:
        if not self.skipped():
            self.do(Continue() if self.playthrough.playing.offer.continue_ else StingCheck())

    def action_go_on(self) -> None:
        if not self.skipped():
            self.do(NextHand() if self.playthrough.playing.hand.over else Continue())

    def action_fold(self) -> None:
        if self.skipped():
            return
        if self.folding:
            self.do(StingFold())
        elif self.playthrough.playing.hand.offer.fold:
            self.folding, self.note = True, None
            self.redraw()

    def action_stay(self) -> None:
        self.folding, self.note = False, None
        if not self.skipped():
            self.redraw()

    def action_new(self) -> None:
        if not self.skipped() and self.playthrough.playing.over:
            self.playthrough.forget()
            self.begin()

    def action_summary(self) -> None:
        if not self.skipped() and self.playthrough.playing.over:
            self.show_end()

    def action_hint(self) -> None:
        if not self.skipped() and not self.playthrough.playing.over:
            self.panel("question").update(draw.thinking(self.size.width))
            self.run_worker(self.find_hint, thread=True, exclusive=True)

    def find_hint(self) -> None:
        """Compute a hint in its own thread, so that the table stays responsive."""
        run = self.playthrough.playing
        lines = [Text(line, "bold bright_cyan") for line in hint_lines(self.playthrough.hint())]
        self.call_from_thread(self.show_hint, run, lines)

    def show_hint(self, run: Run, lines: list[Text]) -> None:
        """Show a hint, unless the Player has acted meanwhile."""
        if run is self.playthrough.playing:
            self.note = lines[0]
            self.log_panel.tell(lines)
            self.redraw()

    def action_help(self) -> None:
        run = self.playthrough.run
        difficulty = self.playthrough.chosen_difficulty if run is None else run.difficulty
        cards = self.playthrough.cards if run is None else run.cards
        self.push_screen(HelpScreen(guide(cards, difficulty, run)))

    def action_scroll(self, pages: int) -> None:
        self.log_panel.scroll_relative(y=pages * self.log_panel.size.height, animate=False)

    def action_leave(self) -> None:
        self.exit()

    def do(self, action: RunAction) -> None:
        """Act and show what happened, or why the action was refused."""
        self.folding, self.note = False, None
        before = self.playthrough.playing.hand
        try:
            self.happened(before, self.playthrough.act(action))
        except Refused as refusal:
            self.note = Text(explain_refusal(refusal), draw.BAD)
            self.redraw()

    # --- events, one after the other

    def happened(self, before: StingHand | None, events: Iterable[RunEvent]) -> None:
        """Queue events to be shown; the run itself is already past them."""
        if before is None or before.over:
            self.costs = []
        self.coming.extend(list_moments(before, events, self.playthrough.playing))
        if self.playthrough.trouble is not None:
            self.notify(self.playthrough.trouble, severity="error", markup=False)
        self.show_next()

    def show_next(self) -> None:
        """Show the next events, up to one that waits."""
        self.timer = None
        while self.coming:
            moment = self.coming.popleft()
            self.seen = moment.hand
            self.log_panel.tell([log_line(moment.event)])
            wait = self.pace * pause(self.coming[0].event) if self.coming else 0.0
            if wait:
                self.redraw()
                self.timer = self.set_timer(wait, self.show_next)
                return
        self.seen = None
        self.redraw()
        if self.playthrough.playing.over:
            self.show_end()

    def skipped(self) -> bool:
        """Show all queued events at once; return whether there were any."""
        if self.timer is None:
            return False
        self.timer.stop()
        pace, self.pace = self.pace, 0.0
        self.show_next()
        self.pace = pace
        return True

    def show_end(self) -> None:
        """Show the result of the run."""
        run = self.playthrough.playing
        assert run.ending is not None
        screen = EndScreen(ENDINGS[run.ending], run.won, self.playthrough.hand_lines(), self.playthrough.score_lines())
        self.push_screen(screen, self.after_end)

    def after_end(self, answer: str | None) -> None:
        if answer == NEW:
            self.action_new()
        elif answer is not None:
            self.exit()

    # --- drawing

    @property
    def log_panel(self) -> LogView:
        """The log of the table, which is the lowest screen, below any dialog."""
        return self.screen_stack[0].query_one(LogView)

    def panel(self, name: str) -> Static:
        """Return a panel of the table."""
        return self.screen_stack[0].query_one(f"#{name}", Static)

    def redraw(self) -> None:
        """Draw the table."""
        run, width, height = self.playthrough.playing, self.size.width, self.size.height
        small = draw.too_small(width, height)
        self.panel("small").update(small)
        self.screen_stack[0].set_class(bool(small), "small")
        hand = self.seen or run.hand.view(PLAYER)
        rows = draw.Rows.of(max(height, draw.SMALLEST_SCREEN[1]))
        self.panel("header").update(draw.header(run, hand, width))
        self.draw_seats(run, hand, rows.seats)
        self.draw_scale(run, hand, rows.scale)
        cards = self.panel("cards")
        cards.styles.height = rows.cards
        if self.seen is not None:
            self.panel("question").update(draw.waiting(hand, width))
            self.panel("keys").update(draw.skipping())
            cards.update(draw.held(hand, width, rows.cards))
        else:
            self.panel("question").update(draw.question(run, width, self.note))
            self.panel("keys").update(draw.keys(run, self.folding, width))
            cards.update(draw.shop(run, width, rows.cards) if hand.over else draw.held(hand, width, rows.cards))

    def draw_seats(self, run: Run, hand: StingHand, rows: int) -> None:
        self.screen_stack[0].query_one("#seats").styles.height = rows
        width = self.size.width // 3
        for place in (NARC, CUSTOMER, PLAYER):
            seat = self.panel(f"seat{place}")
            seat.border_title = draw.seat_title(hand, place)
            seat.border_subtitle = draw.seat_badge(run, hand, place, width)
            seat.set_class(hand.to_act == place, "turn")
            seat.update(draw.seat(hand, place, width - 2, rows - 2))

    def draw_scale(self, run: Run, hand: StingHand, rows: int) -> None:
        scale = self.panel("scale")
        scale.styles.height = rows
        framed = rows > draw.PLAIN_SCALE
        scale.set_class(framed, "framed")
        scale.set_class(hand.totals.margin < 0, "bust")
        width = self.size.width - (4 if framed else 2)
        if self.seen is None:
            self.costs = draw.stakes(run, width)
        scale.update(Text("\n").join([*draw.scale(hand, width), *self.costs]))


def log_line(event: RunEvent) -> Text:
    """Return an event as a line of the log; important events are coloured."""
    return Text(format_event(event), STYLES.get(type(event), ""))
