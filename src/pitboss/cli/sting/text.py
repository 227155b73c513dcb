"""Sting in plain text, line by line: for pipes, screen readers and terminals without the full-screen table."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from textwrap import fill

from pitboss.betting.refusals import Refused
from pitboss.cli.sting.playthrough import Playthrough
from pitboss.sting.cards import HIDDEN
from pitboss.sting.events import Buy, Continue, NextHand, RunAction, RunEvent, StingCheck, StingFold, StingRaise
from pitboss.sting.guide import (
    Section,
    bust_words,
    deck_note,
    difficulty_note,
    fold_words,
    guide,
    hint_lines,
    on_table,
    primer,
    unsold_words,
)
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, StingHand
from pitboss.sting.opponents import customer_raises, narc_raises
from pitboss.sting.run import Run
from pitboss.sting.words import (
    NAMES,
    amount,
    chosen,
    describe,
    format_event,
    numbers_to,
    previewed,
    raises_left,
    safety,
    signed,
    to_player,
)

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Prompts for an answer; None at the end of the input."""

HELP, HINT, FOLD = ("?", "help"), ("h", "hint"), ("f", "fold")
WIDTH = 80
_SHORT: dict[str, RunAction] = {
    "check": StingCheck(),
    "f": StingFold(),
    "fold": StingFold(),
    "g": Continue(),
    "go": Continue(),
    "continue": Continue(),
    "n": NextHand(),
    "next": NextHand(),
}


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
            _tell_end(playthrough, say)
            if not _yes(ask, "Another run? [y/n] "):
                return
            playthrough.forget()
            _begin(playthrough, ask, say)
    except _PlayerLeft:
        return


def _go_on(saved: Run, ask: Ask) -> bool:
    state = f"hand {saved.number}, Heat {saved.current_heat}, cash {amount(saved.cash)}"
    return _yes(ask, f"There is a saved run: {state}. Continue it? [y/n] ")


def _yes(ask: Ask, question: str) -> bool:
    while (answer := _answer(ask, question)) not in ("y", "yes", "n", "no"):
        question = "Please answer y or n: "
    return answer in ("y", "yes")


def _answer(ask: Ask, question: str) -> str:
    line = ask(question)
    if line is None or line.strip().lower() in ("q", "quit"):
        raise _PlayerLeft
    return line.strip().lower()


# --- before a run


def _begin(playthrough: Playthrough, ask: Ask, say: Say) -> None:
    cards = playthrough.cards
    if playthrough.open_questions:
        _write(primer(cards, playthrough.chosen_difficulty), say)
        if best := playthrough.best_words():
            say(best)
    if "difficulty" in playthrough.open_questions:
        notes = {name: difficulty_note(difficulty) for name, difficulty in cards.difficulties.items()}
        usual = playthrough.chosen_difficulty.name
        playthrough.difficulty = _choose(playthrough, "difficulty", notes, usual, ask, say)
    if "deck" in playthrough.open_questions:
        notes = {name: deck_note(cards, name) for name in cards.decks["player"]}
        playthrough.decks["player"] = _choose(playthrough, "deck", notes, None, ask, say)
    _tell(playthrough, playthrough.begin(), say)


def _choose(playthrough: Playthrough, what: str, notes: dict[str, str], usual: str | None, ask: Ask, say: Say) -> str:
    """Ask for one of several options by number or name; an empty answer takes the usual one, if there is one."""
    for number, (name, note) in enumerate(notes.items(), 1):
        say(fill(f"{number}  {name}: {note}", WIDTH, initial_indent="  ", subsequent_indent="     "))
    default = f" [{usual}]" if usual else ""
    while True:
        answer = _answer(ask, f"Which {what}?{default} ")
        if not answer and usual is not None:
            return usual
        found = chosen(answer, list(notes))
        if found is not None:
            return found
        if answer in HELP:
            _help(playthrough, say)
        say(f"Enter the number or name of a {what}, help or quit. You keep the {what} for the whole run.")


# --- a run


def _play_run(playthrough: Playthrough, ask: Ask, say: Say) -> None:
    """Prompt for actions until the run is over."""
    while not playthrough.playing.over:
        for line in state(playthrough.playing):
            say(line)
        answer = _answer(ask, f"{options(playthrough.playing)} > ")
        if answer in FOLD and playthrough.playing.offer.fold:
            answer = _answer(ask, f"Fold ({fold_words(playthrough.playing)})? f again to fold > ")
            if not answer:
                continue
        if answer in HELP:
            _help(playthrough, say)
            continue
        if answer in HINT:
            say("Trying every action …")
            for line in hint_lines(playthrough.hint()):
                say(line)
            continue
        try:
            _tell(playthrough, playthrough.act(read_answer(answer, playthrough.playing)), say)
        except Refused as refusal:
            say(f"{to_player(refusal)}.")


def _help(playthrough: Playthrough, say: Say) -> None:
    run = playthrough.run
    difficulty = playthrough.chosen_difficulty if run is None else run.difficulty
    _write(guide(playthrough.cards if run is None else run.cards, difficulty, run), say)


def _write(sections: Sequence[Section], say: Say) -> None:
    for section in sections:
        say(f"\n{section.title}")
        for paragraph in section.paragraphs:
            say(fill(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  "))
    say("")


def _tell(playthrough: Playthrough, events: Iterable[RunEvent], say: Say) -> None:
    for event in events:
        if line := format_event(event):
            say(line)
    if playthrough.trouble is not None:
        say(f"Not saved: {playthrough.trouble}.")


def _tell_end(playthrough: Playthrough, say: Say) -> None:
    say("")
    for line in [*playthrough.hand_lines(), *playthrough.score_lines()]:
        say(line)


# --- output


def state(run: Run) -> list[str]:
    """Describe the run in a few lines."""
    hand, difficulty = run.hand.view(PLAYER), run.difficulty
    of = f" of {difficulty.hands}" if difficulty.hands else ""
    least = f" (minimum {run.least_heat})" if run.least_heat else ""
    target = f" of {difficulty.target}" if difficulty.target else ""
    heat = f"Heat {run.current_heat} of {run.cards.caught_at}{least}, cash {amount(run.cash)}{target}"
    if run.between:
        return ["", f"Hand {run.number}{of} is over. {heat}.", *_shop(run)]
    over = " is over" if run.offer.continue_ else ""
    return [
        "",
        f"Hand {run.number}{of}, round {hand.number} of {hand.variation.rounds}{over}. {heat}.",
        *[f"  {line}" for line in on_table(run)],
        *_standing(run, hand),
        *_held(run, hand),
    ]


def _standing(run: Run, hand: StingHand) -> list[str]:
    totals = hand.totals
    sums = f"Evidence {totals.evidence} against Cover {totals.cover}: {safety(totals.margin)}"
    lines = [f"{sums}. Profit {amount(totals.profit)}, Heat {signed(totals.heat)}."]
    known = hand.cards.totals([card for _, card in hand.table + hand.down if card != HIDDEN])
    if known != totals:
        figures = f"profit {amount(known.profit)}, Heat {signed(known.heat)}"
        lines.append(f"With your face-down cards: {safety(known.margin)}, {figures}.")
    if hand.state == "Betting":
        holder = "none" if hand.holder is None else NAMES[hand.holder]
        down = Counter(NAMES[place] for place, _ in hand.down)
        face_down = ", ".join(f"{name} {count}" for name, count in down.items()) or "none"
        narc, customer = narc_raises(run.difficulty.narc, hand), customer_raises(run.difficulty.customer, hand)
        lines.append(f"Initiative: {holder}. Raises left: {raises_left(hand)}. Face down: {face_down}.")
        chances = [
            f"{NAMES[place]} {often} %"
            for place, often in ((NARC, narc), (CUSTOMER, customer))
            if place not in hand.out
        ]
        lines.append(f"Chance to raise now: {', '.join(chances)}." if chances else "Both opponents have folded.")
    unsold = f" Without a sale: {words}." if (words := unsold_words(run)) else ""
    return [*lines, f"A fold: {fold_words(run)}.{unsold} A bust: {bust_words(run)}."]


def _held(run: Run, hand: StingHand) -> list[str]:
    return [
        f"  {number}  {name}: {describe(run.cards.cards[name], run.difficulty.lawyer)} ({previewed(hand, name)})"
        for number, name in enumerate(hand.hands[PLAYER], 1)
    ]


def _shop(run: Run) -> list[str]:
    """List the cards for sale, and how many of each the deck has."""
    return [
        f"  {number}  {name} for {run.cards.shop[name]}: {describe(run.cards.cards[name], run.difficulty.lawyer)} "
        f"(you have {run.listed[PLAYER].count(name)})"
        for number, name in enumerate(run.shop, 1)
    ]


def options(run: Run) -> str:
    """Return the possible answers."""
    hand = run.hand
    if hand.over:
        buying = f"{numbers_to(len(run.shop))} to buy, " if run.shop else ""
        return f"{buying}next, hint, help, quit"
    if hand.offer.continue_:
        return "continue, fold, hint, help, quit"
    return f"{numbers_to(len(hand.hands[PLAYER]))} to raise, check, fold, hint, help, quit"


# --- answers


def read_answer(answer: str, run: Run) -> RunAction:
    """Read an action: a word, its first letter, or a card by number or name."""
    if not answer and (run.hand.over or run.hand.offer.continue_):
        return NextHand() if run.hand.over else Continue()
    if answer == "c":
        return Continue() if run.offer.continue_ else StingCheck()
    if answer in _SHORT:
        return _SHORT[answer]
    word, offered = ("buy", run.shop) if run.between else ("raise", run.hand.hands[PLAYER])
    card = chosen(answer.removeprefix(word).strip(), offered)
    if card is None:
        raise Refused("unknown_answer", f"unknown answer {answer!r}: expected one of {options(run)}")
    return Buy(card) if run.between else StingRaise(card)
