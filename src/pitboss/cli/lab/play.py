"""`pitboss lab play`: any game of the lab in the terminal, line by line, against policies."""

import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path

import click

from pitboss.chance import Chance
from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.cli.lab.text import GameText, matching
from pitboss.cli.output import echo, fail
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.english import capital, listed, title
from pitboss.lab.events import DealEnded
from pitboss.lab.game import LabGame, WithRemarks, view_event
from pitboss.lab.genome import Genome
from pitboss.lab.policies.games import NAMES, decide
from pitboss.lab.policies.knowledge import plain_work
from pitboss.lab.policies.simulate import PlayersError, seat_players
from pitboss.lab.ratings import BEST, WORST, Rating, RatingError, run_of
from pitboss.lab.ratings import rate as keep_rating
from pitboss.lab.rulebook import rulebook

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Asks with a prompt; None at the end of the input."""

WIDEST = 100
HELP, QUIT = ("help", "h", "?"), ("quit", "q", "exit")
ANSWERS = "type a move, its number or its card; rules for the rules, quit to leave"


class _Left(Exception):
    """The person wants to leave."""


@click.command(short_help="play a game in the terminal against the policies of the lab")
@genome_argument
@click.option("--seat", default=0, show_default=True, type=click.IntRange(0), help="Your seat, counted from 0.")
@click.option("--against", default="greedy", show_default=True, metavar="NAME,…", help=f"Of {', '.join(NAMES)}.")
@click.option("--seed", type=int, help="The same seed gives the same cards and opponents; else it is drawn.")
@click.option(
    "--rate/--no-rate",
    default=None,
    help="Ask for a rating after the game; by default in a terminal, where the game belongs to a run.",
)
def play(genome: str, seat: int, against: str, seed: int | None, rate: bool | None) -> None:
    """Play a game in plain text; names of opponents go round the other seats.

    GENOME is the name of a known game, or a file. Answer with a move, such as "call" or "play 8h", or with its number;
    a card alone will do where only one move has it. `rules` shows the rules, `quit`, Ctrl-C or the end of the input
    leaves.

    A game of a run (DIR/games/cell_R_C.json) can be rated from 1 to 5 afterwards, with a word; Enter skips. The rating
    stays in DIR, and `pitboss lab evolve --learn` heeds it.

    \b
    Examples:
      pitboss lab play leduc
      pitboss lab play crazy_eights --against random --seed 7
      pitboss lab play mine.json --seat 1 --against greedy,search
    """
    if genome == "-":
        fail("lab play", "standard input is for your moves; name a known game or a file")
    game = read_game("play", genome)
    if seat >= game.player_count:
        fail("lab play", f"there is no seat {seat}: {game.name} has the seats 0 to {game.player_count - 1}")
    try:
        others = seat_players(against, game.player_count - 1)
    except PlayersError as error:
        fail("lab play", error)
    run = run_of(Path(genome))
    if rate and run is None:
        fail(
            "lab play", f"{genome} is no game of a run, which a rating could be kept with: play DIR/games/cell_R_C.json"
        )
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # input that is not text is not an answer, so the question is repeated
    drawn = secrets.randbits(32) if seed is None else seed
    width = min(WIDEST, shutil.get_terminal_size().columns)
    try:
        table = TerminalGame(game, seat, [*others[:seat], "you", *others[seat:]], drawn, width)
        if not table.play(typed, click.echo) or run is None:
            return
        if rate or (rate is None and sys.stdin.isatty() and sys.stdout.isatty()):
            when = datetime.now(UTC).isoformat(timespec="seconds")
            ask_rating(run, game.name, when, typed, click.echo)
    except (NotInstalled, RatingError) as error:
        fail("lab play", error)


def ask_rating(run: Path, name: str, when: str, ask: Ask, say: Say) -> None:
    """Ask what the person thought of the game, and add it to the ratings of its run; an empty answer skips."""
    question = f"How was it, from {WORST} (never again) to {BEST} (again, now)? Enter skips: "
    while answer := (ask(question) or "").strip():
        if answer.isascii() and answer.isdigit() and WORST <= int(answer) <= BEST:
            word = (ask("A word about it? Enter skips: ") or "").strip()
            keep_rating(run, Rating(name, int(answer), word, when))
            say("Thank you.")
            return
        say(f"{answer!r} is no number from {WORST} to {BEST}.")


def typed(prompt: str) -> str | None:
    """Ask on standard output; None at the end of the input, or when a key ends it."""
    echo(prompt, nl=False)
    try:
        line = sys.stdin.readline() if sys.stdin else ""
    except KeyboardInterrupt:
        line = ""
    if not line or not sys.stdin.isatty():
        echo()  # the user has not ended the line
    return line or None


class TerminalGame:
    """One person and the policies of the lab at a game."""

    def __init__(self, genome: Genome, seat: int, players: Sequence[str], seed: int, width: int) -> None:
        self.genome, self.seat, self.seed = genome, seat, seed
        self.kinds = [NAMES.index(name) if name in NAMES else 0 for name in players]
        self.formatter = GameText(genome, seat, players, width)
        self.work, self.stream = plain_work(), Chance(seed).fork(1).state
        self.deals: list[tuple[int, ...]] = []  #: who has won each deal so far

    def play(self, ask: Ask, say: Say) -> bool:
        """Play until the game is over or the person leaves; returns whether it was played to its end."""
        heading = f"{title(self.genome.name)}, {self.genome.player_count} players, seed {self.seed}."
        say(self.formatter.wrapped(f"{heading} You have seat {self.seat}. {capital(ANSWERS)}."))
        try:
            self._tell(LabGame.start_with_remarks(self.genome, self.seed), say)
            if self.game.over:
                say("There was nothing to decide: the cards have played themselves.")
            while (asked := self.game.player) is not None:
                move = self._answer(ask, say) if asked == self.seat else self._choice()
                self._tell(self.game.act_with_remarks(move), say)
        except (_Left, KeyboardInterrupt):
            say("You have left the game.")
            return False
        for line in self.formatter.result(self.game, self.deals):
            say(line)
        return True

    # --- moves

    def _choice(self) -> str:
        """What the player that is asked does."""
        game, numbers = self.game, self.game.numbers
        moves = [*numbers, *[0] * (len(self.work.moves[0]) - len(numbers))]
        self.work.states[0] = game.state
        program, kind = game.program, self.kinds[game.state.asked]
        move, self.stream = decide(
            kind, program.games[0], program.rules, game.state, moves, len(numbers), self.work, self.stream
        )
        return game.moves[numbers.index(move)]

    def _answer(self, ask: Ask, say: Say) -> str:
        """Ask the person until a move is understood."""
        seen = self.game.view(self.seat)
        table = "\n".join(self.formatter.table(seen))
        say(table)
        moves = self.formatter.ordered(seen.moves)
        while True:
            say(self.formatter.choices(moves))
            answer = (ask("> ") or QUIT[0]).strip()
            if answer.lower() in QUIT:
                raise _Left
            if answer.lower() == "rules":
                say(rulebook(self.genome))
                say(table)
            elif answer.lower() in HELP:
                say(self.formatter.wrapped(f"{capital(ANSWERS)}."))
            elif len(found := matching(answer, moves)) == 1:
                return found[0]
            elif found:
                say(self.formatter.wrapped(f"{answer!r} could be {listed(found, 'or')}."))
            elif answer:
                say(self.formatter.wrapped(f"{answer!r} is none of the moves: {ANSWERS}."))

    def _tell(self, step: WithRemarks, say: Say) -> None:
        """Say all that a move or the start led to, as far as the person sees it."""
        self.game, events, remarks = step
        self.deals += [event.winners for event in events if isinstance(event, DealEnded)]
        for line in self.formatter.happened([view_event(event, self.seat) for event in events], remarks):
            say(line)
