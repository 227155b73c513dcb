"""`pitboss sting play`: a run in the terminal, full-screen or in plain text."""

import os
import secrets
import shlex
import sys
from contextlib import suppress
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path

import click

from pitboss.cli.output import echo, fail
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
from pitboss.cli.sting.text import play_text
from pitboss.sting.cards import CardsError, Role
from pitboss.sting.run import Run
from pitboss.sting.saves import SaveError


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
    """
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
    if playthrough.run is not None and not playthrough.run.over:
        playthrough.save()  # includes the hints since the last action
    if playthrough.trouble is not None:
        fail("sting play", playthrough.trouble)
    if playthrough.unkept is not None:
        fail("sting play", playthrough.unkept)
    if playthrough.run is not None and not playthrough.run.over:
        option = "" if save is None else f" --save {shlex.quote(str(save))}"
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
            sys.stdin.reconfigure(errors="replace")  # invalid text is then refused like any other answer
        with suppress(KeyboardInterrupt):  # the run is already saved
            play_text(playthrough, saved, _ask, click.echo)
        return
    from pitboss.cli.sting.screen import StingApp  # Textual is an extra and slow to load

    app = StingApp(playthrough, saved, speed)
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


def _ask(prompt: str) -> str | None:
    """Prompt on standard output and return the answer; None at the end of the input or on Ctrl-C."""
    echo(prompt, nl=False)
    try:
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        line = ""
    if not line:
        echo()
    return line or None
