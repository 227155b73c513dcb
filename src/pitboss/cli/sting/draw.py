"""What the full-screen table of sting looks like: pieces of text made from a run, at the width there is."""

from collections import Counter

from rich.style import Style
from rich.text import Text

from pitboss.sting.cards import HIDDEN, Kind
from pitboss.sting.hand import PLAYER, ROUNDS, StingHand
from pitboss.sting.run import Run
from pitboss.sting.words import ENDINGS, NAMES, OUTCOMES, describe, preview, raises_left, safety, signed

Keys = tuple[tuple[str, str], ...]
LEAST = (60, 20)
"""The smallest screen on which all that matters is visible."""
BACK = "▒▒"
COLOURS: dict[Kind, str] = {
    "product": "bright_green",
    "location": "bright_cyan",
    "evidence": "bright_red",
    "cover": "bright_blue",
    "deal": "bright_yellow",
    "insurance": "bright_magenta",
    "conviction": "bright_red",
}
KEY = Style(color="black", bgcolor="grey78", bold=True)
DIM = Style(dim=True)
GOOD, BAD, WARM = "bold bright_green", "bold bright_red", "bold bright_yellow"


def header(run: Run, width: int) -> Text:
    """The line at the top: where we are, the Heat and the cash."""
    hand = run.hand
    dot = "  ·  " if width >= 70 else " · "
    left = Text.assemble((" STING ", "bold reverse"), f"  hand {run.number}{dot}round {hand.number} of {ROUNDS}")
    heat, most = run.current_heat, run.cards.caught_at
    hot = BAD if 4 * heat >= 3 * most else WARM if 2 * heat >= most else GOOD
    gauge = bar(heat, most, 10, hot).append(" ") if width >= 70 else Text()
    right = Text.assemble("Heat ", gauge, (f"{heat}/{most}", hot), "   Cash ", (str(run.cash), "bold"), " ")
    left.append(" " * max(1, width - left.cell_len - right.cell_len))
    return left + right


def bar(amount: int, most: int, width: int, style: str) -> Text:
    """An amount as a bar of this width; what there is shows, however little, and never more than the whole."""
    filled = min(width, max(0, -(-amount * width // max(1, most))))
    return Text.assemble(("█" * filled, style), ("░" * (width - filled), DIM))


# --- the three seats


def seat_title(hand: StingHand, place: int, width: int) -> str:
    """Whose seat it is, how many cards he holds, and whether it is his turn; on a screen of this width."""
    held = f"{len(hand.hands[place])} in hand" if width >= 80 else f"{len(hand.hands[place])}"
    name = NAMES[place] if place == PLAYER else f"{NAMES[place]} · {held}"
    return f"▶ {name}" if hand.asked == place else name


def seat_badge(hand: StingHand, place: int) -> str:
    """What is special about a seat: the initiative, all-in, folded."""
    badges = []
    if hand.holder == place:
        badges.append("★ initiative")
    if place in hand.out:
        badges.append("folded")
    elif hand.state == "Betting" and not hand.hands[place]:
        badges.append("all-in")
    return ", ".join(badges)


def seat(hand: StingHand, place: int) -> Text:
    """The cards somebody has played, newest first, struck out where another counts; the hand is the Player's view."""
    lines = []
    hidden = sum(p == place and card == HIDDEN for p, card in hand.down)
    if hidden:
        lines.append(Text.assemble((" ".join([BACK] * hidden), "bold white"), (" face down", DIM)))
    own = [card for p, card in reversed(hand.down) if p == place and card != HIDDEN]
    lines += [Text.assemble((BACK, "bold white"), " ", _name(hand, card)) for card in own]
    counting = {hand.cards.cards[card].kind: card for _, card in hand.table}  # of a kind, the last one
    for name, count in Counter(card for p, card in reversed(hand.table) if p == place).items():
        line = _name(hand, name, f" ×{count}" if count > 1 else "")
        kind = hand.cards.cards[name].kind
        if kind in ("product", "location") and counting[kind] != name:
            line.stylize("dim strike")
        lines.append(line)
    return Text("\n").join(lines or [Text("nothing played", DIM)])


def _name(hand: StingHand, card: str, more: str = "") -> Text:
    return Text(card + more, COLOURS[hand.cards.cards[card].kind])


# --- Evidence against Cover


def scale(hand: StingHand, width: int) -> Text:
    """Evidence and Cover as two bars under each other, and what else is at stake; the hand is the Player's view."""
    totals = hand.totals
    known = hand.cards.totals([card for _, card in hand.table + hand.down if card != HIDDEN])
    digits = max(4, len(str(totals.evidence)), len(str(totals.cover)))
    long = max(10, width - digits - 12)
    most = max(60, totals.evidence, totals.cover, known.evidence, known.cover)
    lines = []
    for name, now, then, style in (
        ("Evidence", totals.evidence, known.evidence, "bright_red"),
        ("Cover", totals.cover, known.cover, "bright_blue"),
    ):
        solid, ghost = long * max(0, now) // most, long * max(0, then) // most
        line = Text.assemble((f"{name:<9}", "bold"), (f"{now:>{digits}}  ", style), ("█" * solid, style))
        lines.append(line.append("▒" * (ghost - solid), style))
    return Text("\n").join([*lines, _margin(hand, known.margin), _stakes(hand)])


def _margin(hand: StingHand, known: int) -> Text:
    """The safety margin, also with the Player's own face-down cards."""
    totals = hand.totals
    line = Text.assemble(
        ("Margin   ", "bold"), (f"{signed(totals.margin):>4}  {safety(totals.margin)}", _good(totals.margin))
    )
    if known != totals.margin:
        line.append(f" (face-down: {signed(known)})", _good(known))
    return line


def _stakes(hand: StingHand) -> Text:
    """The profit, the Heat and the raises left: a line of their own, which nothing pushes off a narrow screen."""
    totals, left = hand.totals, raises_left(hand)
    pips = "●" * left + "○" * (hand.round.rules.cap - left)
    return Text.assemble(
        ("Profit ", "bold"),
        (str(totals.profit), _good(totals.profit) if totals.profit else ""),
        ("  Heat ", "bold"),
        signed(totals.heat),
        ("  Raises left ", "bold"),
        (pips, "bright_yellow"),
    )


def _good(number: int) -> str:
    return GOOD if number >= 0 else BAD


# --- the Player's cards


def cards_title(run: Run) -> str:
    """What the Player is asked."""
    if run.hand.state == "DecisionPoint":
        return f"Round {run.hand.number} is over: continue or fold?"
    return "Run over" if run.over else "Hand over" if run.hand.over else "Your cards"


def cards(hand: StingHand, width: int) -> Text:
    """The Player's cards with their keys: what each does, and what it would change."""
    lines = []
    for number, name in enumerate(hand.hands[PLAYER], 1):
        card = hand.cards.cards[name]
        line = Text.assemble((f" {number} ", KEY), " ", (f"{name:<13}", f"bold {COLOURS[card.kind]}"))
        line.append(describe(card))
        change = _change(hand, name)
        line.truncate(max(10, width - change.cell_len - 1), overflow="ellipsis")
        line.append(" " * max(1, width - line.cell_len - change.cell_len))
        lines.append(line + change)
    return Text("\n").join(lines or [Text("no cards", DIM)])


def _change(hand: StingHand, name: str) -> Text:
    now, then = preview(hand, name)
    parts = []
    if then.margin != now.margin:
        parts.append((f"→ {safety(then.margin)}", GOOD if then.margin >= 0 else BAD))
    if then.profit != now.profit:
        parts.append((f"→ profit {then.profit}", GOOD if then.profit > now.profit else BAD))
    return Text(" ").join(Text(text, style) for text, style in parts)


def outcome(run: Run) -> Text:
    """How the hand came out, and the run where it is over."""
    hand, totals, how = run.hand, run.hand.totals, run.hand.outcome
    assert how is not None
    first = Text(OUTCOMES[how], GOOD if how == "success" else BAD if how == "bust" else WARM)
    heat = f"Heat {signed(totals.heat)}, now {run.heat} of {run.cards.caught_at}"
    second = Text(f"Profit {signed(totals.profit)}, cash {run.cash}.  {heat}.")
    if run.ending is None:
        return Text("\n").join([first, second])
    hands = "1 hand" if run.number == 1 else f"{run.number} hands"
    third = Text(f"{ENDINGS[run.ending]} You banked {run.cash} in {hands}.  (seed {run.seed})", BAD)
    return Text("\n").join([first, second, third]) if hand.over else third


# --- the keys


def keys(run: Run, folding: bool, width: int) -> Text:
    """Which keys do what now, closer together where there is little room."""
    wide = _keys(_does(run, folding), "   ")
    return wide if wide.cell_len <= width else _keys(_does(run, folding), " ")


def _does(run: Run, folding: bool) -> Keys:
    offer = run.hand.offer
    if folding:
        lost = run.hand.totals.profit
        return ("f", f"fold, and lose a profit of {lost}" if lost > 0 else "fold"), ("esc", "stay")
    if run.over:
        return ("n", "new run"), ("?", "rules"), ("q", "leave")
    if run.hand.over:
        return ("enter", "next hand"), ("?", "rules"), ("q", "save and leave")
    if offer.continue_:
        return ("enter", "continue"), ("f", "fold"), ("?", "rules"), ("q", "save and leave")
    count = len(run.hand.hands[PLAYER])
    raising = "1" if count == 1 else f"1-{count}"
    return (raising, "raise"), ("c", "check"), ("f", "fold"), ("?", "rules"), ("q", "save and leave")


def _keys(shown: Keys, gap: str) -> Text:
    return Text(" ") + Text(gap).join(Text.assemble((f" {key} ", KEY), f" {what}") for key, what in shown)


def too_small(width: int, height: int) -> str:
    """What stands on a screen that has no room for the table, empty where it has."""
    if width >= LEAST[0] and height >= LEAST[1]:
        return ""
    return f"Too small: the table needs {LEAST[0]}×{LEAST[1]}, this is {width}×{height}. q saves and leaves."
