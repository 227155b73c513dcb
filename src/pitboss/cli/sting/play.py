"""`pitboss sting play`: a run in the terminal, saved after every action; full-screen, or in plain text."""

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


@click.command(short_help="play a run at a full-screen table in the terminal")
@click.option("--seed", type=int, help="The same seed gives the same decks and opponents; else it is drawn.")
@deck_option
@difficulty_option
@narc_option
@answers_option
@cards_option
@click.option("--save", type=click.Path(path_type=Path), help="Keep the run in this file.")
@click.option("--new", is_flag=True, help="Begin a new run, and give up a saved one.")
@click.option("--plain", is_flag=True, help="Plain text, also on a terminal.")
@click.option(
    "--speed",
    type=click.Choice(["slow", "normal", "fast", "instant"]),
    default="normal",
    show_default=True,
    help="How long the full-screen table shows each turn of the opponents; any key skips it.",
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
    """Play Sting: a night of hands, for as much cash as its target asks. ? explains everything.

    The run is saved after every action; q or Ctrl-C leaves, and the next `pitboss sting play` offers to go on.
    Where there is no terminal, or no Textual (pip install 'pitboss-cards[sting]'), it is played in plain text.

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
        fail("sting play", f"{path} cannot be gone on with: {error}; begin anew with --new")
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
        playthrough.save()  # with the hints since the last action
    if playthrough.trouble is not None:
        fail("sting play", playthrough.trouble)
    if playthrough.unkept is not None:
        fail("sting play", playthrough.unkept)
    if playthrough.run is not None and not playthrough.run.over:
        option = "" if save is None else f" --save {shlex.quote(str(save))}"
        echo(f"Saved in {path}: pitboss sting play{option} goes on with it.")


def _notice(ignored: list[str]) -> str | None:
    """Which options a run that is gone on with does not heed, as it has its own."""
    if not ignored:
        return None
    return f"The saved run differs from {', '.join(ignored)}: going on with it ignores that, --new starts afresh."


def _play(playthrough: Playthrough, saved: Run | None, plain: bool, speed: Speed) -> None:
    # Textual draws on standard error.
    on_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    if plain or not on_terminal or os.environ.get("TERM") == "dumb" or find_spec("textual") is None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is no text is no answer either, and is asked again
        with suppress(KeyboardInterrupt):  # whenever it comes, the run is saved
            play_text(playthrough, saved, _ask, click.echo)
        return
    from pitboss.cli.sting.screen import StingApp  # only now: Textual is an extra, and slow to load

    app = StingApp(playthrough, saved, speed)
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


def _ask(prompt: str) -> str | None:
    """Ask on standard output; None at the end of the input, or when a key ends it."""
    echo(prompt, nl=False)
    try:
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        line = ""
    if not line:
        echo()
    return line or None
