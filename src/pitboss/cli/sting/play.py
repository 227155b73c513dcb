"""`pitboss sting play`: the command, and the game in plain text.

Plain text is for pipes, screen readers and terminals without the full-screen table.
"""

import os
import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from textwrap import fill

import click

from pitboss.betting.refusals import Refused
from pitboss.cli.browser import play_in_browser
from pitboss.cli.output import ask_user, echo, fail
from pitboss.cli.sting.options import (
    answers_option,
    cards_option,
    deck_option,
    difficulty_option,
    narc_option,
    read_answers,
    read_cards,
)
from pitboss.cli.sting.playthrough import SAVE, Playthrough, Speed, home
from pitboss.sting.cards import HIDDEN, CardsError, Role
from pitboss.sting.events import Buy, Continue, NextHand, RunAction, RunEvent, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, StingHand
from pitboss.sting.opponents import customer_raises, narc_raises
from pitboss.sting.run import Run
from pitboss.sting.saves import SaveError
from pitboss.sting.text import (
    NAMES,
    Section,
    amount,
    bust_words,
    deck_note,
    describe_card,
    difficulty_note,
    explain_refusal,
    find_item,
    fold_words,
    format_event,
    guide,
    hint_lines,
    margin_words,
    numbers_to,
    on_table,
    preview_changes,
    primer,
    raises_left,
    signed,
    unsold_words,
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


@click.command(short_help="play a run in the terminal")
@click.option("--seed", type=int, help="Play the decks and opponents of this seed; the default is random.")
@deck_option
@difficulty_option
@narc_option
@answers_option
@cards_option
@click.option("--save", type=click.Path(path_type=Path), help="Save the run in this file.")
@click.option("--new", is_flag=True, help="Start a new run and discard the saved one.")
@click.option("--plain", is_flag=True, help="Play in plain text, line by line.")
@click.option(
    "--speed",
    type=click.Choice(["slow", "normal", "fast", "instant"]),
    default="normal",
    show_default=True,
    help="How long each turn of the opponents is shown.",
)
@click.option("--browser", is_flag=True, help="Play single hands on a page in the browser, at each seat in turn.")
def play(
    seed: int | None,
    deck: str | None,
    difficulty: str | None,
    narc: str | None,
    answers: str | None,
    cards_file: str | None,
    save: Path | None,
    new: bool,
    plain: bool,
    speed: Speed,
    browser: bool,
) -> None:
    """Play a run of Sting: reach the target in cash. Press ? for help.

    The run is saved after every action. Leave with q or Ctrl-C; the next `pitboss sting play` offers to continue.
    The full-screen table needs a terminal and the extra sting. Without them the game is
    played in plain text.

    \b
    Examples:
      pitboss sting play
      pitboss sting play --difficulty hard --deck kingpin --seed 7
      pitboss sting play --speed fast
      pitboss sting play --plain --save my.json
      pitboss sting play --browser
    """
    if browser:
        play_in_browser("sting play", "sting", ["opponent", "opponent"], 3)
        return
    path = save or home() / SAVE
    cards = read_cards("play", cards_file)
    given: dict[Role, str | None] = {"player": deck, "narc": narc}
    decks = {role: name for role, name in given.items() if name is not None}
    try:
        drawn = secrets.randbits(32) if seed is None else seed
        playthrough = Playthrough(
            path, cards=cards, seed=drawn, decks=decks, answers=read_answers(answers), difficulty=difficulty
        )
        saved = None if new else playthrough.saved()
    except CardsError as error:
        fail("sting play", error)
    except SaveError as error:
        fail("sting play", f"{path} cannot be continued: {error}; start a new run with --new")
    if saved is not None:
        wished = {
            "--deck": (deck, saved.decks["player"]),
            "--difficulty": (difficulty, saved.difficulty.name),
            "--narc": (narc, saved.decks["narc"]),
            "--answers": (answers, saved.answers.name.lower()),
            "--seed": (None if seed is None else playthrough.seed, saved.seed),
            "--cards": (cards_file and cards.text, saved.cards.text),
        }
        playthrough.notice = _notice([name for name, (new, old) in wished.items() if new is not None and new != old])
    _play(playthrough, saved, plain, speed)
    _leave(playthrough, path, "" if save is None else f" --save {shlex.quote(str(save))}")


def _leave(playthrough: Playthrough, path: Path, option: str) -> None:
    """Save a run that is not over, and print how to continue it. An error of an earlier save ends the command."""
    unfinished = playthrough.run is not None and not playthrough.run.over
    if unfinished:
        playthrough.save()  # includes the hints since the last action
    if playthrough.trouble is not None:
        fail("sting play", playthrough.trouble)
    if playthrough.unkept is not None:
        fail("sting play", playthrough.unkept)
    if unfinished:
        echo(f"Saved in {path}. Continue with: pitboss sting play{option}")


def _notice(ignored: list[str]) -> str | None:
    """Return which options a continued run ignores."""
    if not ignored:
        return None
    return f"The saved run ignores {', '.join(ignored)}, because it keeps its own options. --new starts a new run."


def _play(playthrough: Playthrough, saved: Run | None, plain: bool, speed: Speed) -> None:
    # Textual draws on standard error.
    on_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if plain or not on_terminal or os.environ.get("TERM") == "dumb" or find_spec("textual") is None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # an answer with invalid bytes is then refused as an invalid answer
        with suppress(KeyboardInterrupt):  # the run is already saved
            play_text(playthrough, saved, ask_user, click.echo)
        return
    from pitboss.cli.sting.screen import StingApp  # Textual is an extra and slow to load

    app = StingApp(playthrough, saved, speed)
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


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
        found = find_item(answer, list(notes))
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
            say(f"{explain_refusal(refusal)}.")


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
    sums = f"Evidence {totals.evidence} against Cover {totals.cover}: {margin_words(totals.margin)}"
    lines = [f"{sums}. Profit {amount(totals.profit)}, Heat {signed(totals.heat)}."]
    known = hand.cards.totals([card for _, card in hand.table + hand.down if card != HIDDEN])
    if known != totals:
        figures = f"profit {amount(known.profit)}, Heat {signed(known.heat)}"
        lines.append(f"With your face-down cards: {margin_words(known.margin)}, {figures}.")
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
    lines = []
    for number, name in enumerate(hand.hands[PLAYER], 1):
        effects = describe_card(run.cards.cards[name], run.difficulty.lawyer)
        lines.append(f"  {number}  {name}: {effects} ({preview_changes(hand, name)})")
    return lines


def _shop(run: Run) -> list[str]:
    """List the cards for sale, and how many of each the deck has."""
    return [
        f"  {number}  {name} for {run.cards.shop[name]}: {describe_card(run.cards.cards[name], run.difficulty.lawyer)} "
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
    card = find_item(answer.removeprefix(word).strip(), offered)
    if card is None:
        raise Refused("unknown_answer", f"unknown answer {answer!r}: expected one of {options(run)}")
    return Buy(card) if run.between else StingRaise(card)
