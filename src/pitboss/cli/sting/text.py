"""Sting in plain text, line by line: for pipes, screen readers and terminals without the full-screen table."""

from collections import Counter
from collections.abc import Callable, Iterable
from textwrap import fill

from pitboss.betting.refusals import Refused
from pitboss.cli.sting.playthrough import Playthrough
from pitboss.sting.actions import Continue, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import PLAYER, ROUNDS
from pitboss.sting.run import NextHand, Run, RunAction, RunEvent
from pitboss.sting.words import NAMES, chosen, describe, format_event, listed, previewed, raises_left, rules, safety

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Asks with a prompt; None when nobody is there any more."""


HELP, FOLD = ("?", "h", "help"), ("f", "fold")


class _PlayerLeft(Exception):
    """The Player wants to leave."""


def play_text(playthrough: Playthrough, saved: Run | None, ask: Ask, say: Say) -> None:
    """Play runs until the Player leaves."""
    try:
        if saved is not None and playthrough.notice is not None:
            say(playthrough.notice)
        if saved is not None and _go_on(saved, ask):
            playthrough.go_on(saved)
        else:
            _begin(playthrough, ask, say)
        while True:
            _play_run(playthrough, ask, say)
            if not _yes(ask, "Another run? [y/n] "):
                return
            del playthrough.decks["player"]
            _begin(playthrough, ask, say)
    except _PlayerLeft:
        return


def _go_on(saved: Run, ask: Ask) -> bool:
    standing = f"hand {saved.number}, Heat {saved.current_heat}, cash {saved.cash}"
    return _yes(ask, f"A run was left at {standing}. Go on with it? [y/n] ")


def _yes(ask: Ask, question: str) -> bool:
    while (answer := _answer(ask, question)) not in ("y", "yes", "n", "no"):
        question = "Say y or n: "
    return answer in ("y", "yes")


def _answer(ask: Ask, question: str) -> str:
    line = ask(question)
    if line is None or line.strip().lower() in ("q", "quit"):
        raise _PlayerLeft
    return line.strip().lower()


def _begin(playthrough: Playthrough, ask: Ask, say: Say) -> None:
    if "player" not in playthrough.decks:
        decks = playthrough.cards.decks["player"]
        for number, (name, cards) in enumerate(decks.items(), 1):
            say(f"  {number}  {name}: {listed(cards)}")
        deck = None
        while deck is None:
            answer = _answer(ask, "Which deck? ")
            deck = chosen(answer, list(decks))
            if answer in HELP:
                _help(playthrough, say)
            if deck is None:
                say("Say a deck's number or name: its cards are yours for the whole run. Or help, quit.")
        playthrough.decks["player"] = deck
    _tell(playthrough, playthrough.begin(), say)


def _play_run(playthrough: Playthrough, ask: Ask, say: Say) -> None:
    """Ask until the run is over; what is not understood or refused is said, and asked again."""
    while not playthrough.playing.over:
        for line in state(playthrough.playing):
            say(line)
        answer = _answer(ask, f"{options(playthrough.playing)} > ")
        if answer in FOLD and playthrough.playing.hand.offer.fold:
            answer = _answer(ask, "Fold? f again to fold > ")
            if not answer:
                continue
        if answer in HELP:
            _help(playthrough, say)
            continue
        try:
            _tell(playthrough, playthrough.act(read_answer(answer, playthrough.playing)), say)
        except Refused as refusal:
            say(refusal.sentence[:1].upper() + refusal.sentence[1:] + ".")


def _help(playthrough: Playthrough, say: Say) -> None:
    for paragraph in rules(playthrough.cards):
        say(fill(paragraph, 80))


def _tell(playthrough: Playthrough, events: Iterable[RunEvent], say: Say) -> None:
    for event in events:
        if line := format_event(event):
            say(line)
    if playthrough.trouble is not None:
        say(f"Not saved: {playthrough.trouble}.")


# --- what is said


def state(run: Run) -> list[str]:
    """Where the run stands, in a few lines."""
    hand = run.hand.view(PLAYER)
    heat = f"Heat {run.current_heat} of {run.cards.caught_at}, cash {run.cash}"
    lines = ["", f"Hand {run.number}, round {hand.number} of {ROUNDS}. {heat}."]
    if hand.over:
        return lines
    totals, held = hand.totals, hand.hands[PLAYER]
    holder = "nobody" if hand.holder is None else NAMES[hand.holder]
    down = Counter(NAMES[place] for place, _ in hand.down)
    face_down = ", ".join(f"{name} {count}" for name, count in down.items()) or "nothing"
    margin = safety(totals.margin)
    lines.append(f"Evidence {totals.evidence} against Cover {totals.cover}: {margin}. Profit {totals.profit}.")
    lines.append(f"Initiative: {holder}. Raises left: {raises_left(hand)}. Face down: {face_down}.")
    for number, name in enumerate(held, 1):
        lines.append(f"  {number}  {name}: {describe(run.cards.cards[name])} ({previewed(hand, name)})")
    return lines


def options(run: Run) -> str:
    """What may be answered."""
    hand = run.hand
    if hand.over:
        return "next, help, quit"
    if hand.offer.continue_:
        return "continue, fold, help, quit"
    return f"1-{len(hand.hands[PLAYER])} to raise, check, fold, help, quit"


# --- what is answered

_SHORT: dict[str, RunAction] = {
    "c": StingCheck(),
    "check": StingCheck(),
    "f": StingFold(),
    "fold": StingFold(),
    "g": Continue(),
    "go": Continue(),
    "continue": Continue(),
    "n": NextHand(),
    "next": NextHand(),
}


def read_answer(answer: str, run: Run) -> RunAction:
    """An action out of what was typed: a word, its first letter, or a card by number or name."""
    if not answer and (run.hand.over or run.hand.offer.continue_):
        return NextHand() if run.hand.over else Continue()
    if answer in _SHORT:
        return _SHORT[answer]
    card = chosen(answer.removeprefix("raise").strip(), run.hand.hands[PLAYER])
    if card is None:
        raise Refused("unknown_answer", f"I do not understand {answer!r}; say one of: {options(run)}")
    return StingRaise(card)
