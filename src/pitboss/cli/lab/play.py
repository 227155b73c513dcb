"""`pitboss lab play`: play any game of the lab against policies, in plain text in the terminal."""

import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path

import click

from pitboss.chance import Chance
from pitboss.cli.browser import play_in_browser
from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.cli.output import ask_user, fail
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.english import capital, listed, title
from pitboss.lab.events import DealEnded
from pitboss.lab.game import LabGame, WithRemarks, view_event
from pitboss.lab.genome import Genome
from pitboss.lab.policies.choice import NAMES, decide
from pitboss.lab.policies.knowledge import plain_work
from pitboss.lab.policies.simulate import PlayersError, seat_players
from pitboss.lab.ratings import BEST, WORST, Rating, RatingError, add_rating, run_of
from pitboss.lab.rulebook import rulebook
from pitboss.lab.text import GameText, matching

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Asks with a prompt; None at the end of the input."""

WIDEST = 100
HELP, QUIT = ("help", "h", "?"), ("quit", "q", "exit")
ANSWERS = "type a move, its number or its card; rules for the rules, quit to leave"


class _Left(Exception):
    """The user leaves."""


@click.command(short_help="play a game in the terminal against the policies of the lab")
@genome_argument
@click.option("--seat", default=0, show_default=True, type=click.IntRange(0), help="Your seat, from 0.")
@click.option(
    "--against", default="greedy", show_default=True, metavar="NAME,…", help=f"Opponents: {', '.join(NAMES)}."
)
@click.option("--seed", type=int, help="Seed of the cards and opponents (default: random).")
@click.option(
    "--rate/--no-rate",
    default=None,
    help="Ask for a rating after the game (default: in a terminal or the browser, if the game belongs to a run).",
)
@click.option("--browser", is_flag=True, help="Play on a page in the browser, on a server of its own, until Ctrl-C.")
def play(genome: str, seat: int, against: str, seed: int | None, rate: bool | None, browser: bool) -> None:
    """Play a game in plain text; the opponents fill the other seats in turn.

    GENOME is the name of a known game, or a file. Answer with a move such as "call" or "play 8h", with its number, or
    with a card that only one move has. `rules` prints the rules. `quit`, Ctrl-C or the end of the input leaves.

    A game of a run (DIR/games/cell_R_C.json) can be rated from 1 to 5 afterwards, with a comment; Enter skips. The
    rating is stored in DIR, and `pitboss lab evolve --learn` uses it.

    \b
    Examples:
      pitboss lab play leduc
      pitboss lab play crazy_eights --against random --seed 7
      pitboss lab play hearts --browser
      pitboss lab play mine.json --seat 1 --against greedy,search
    """
    if genome == "-":
        fail("lab play", "GENOME: expected a known game or a file, got standard input, which is for your moves")
    game = read_game("play", genome)
    if seat >= game.player_count:
        fail("lab play", f"--seat: expected 0 to {game.player_count - 1} for {game.name}, got {seat}")
    try:
        others = seat_players(against, game.player_count - 1)
    except PlayersError as error:
        fail("lab play", error)
    run = run_of(Path(genome))
    if rate and run is None:
        fail("lab play", f"--rate: expected a game of a run, DIR/games/cell_R_C.json, got {genome}")
    if browser:
        asks = () if rate is None else ("--rate",) if rate else ("--no-rate",)
        play_in_browser("lab play", genome, list(others), game.player_count, *asks)
        return
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # input that is not text is not an answer, so the question is repeated
    drawn = secrets.randbits(32) if seed is None else seed
    width = min(WIDEST, shutil.get_terminal_size().columns)
    try:
        table = TerminalGame(game, seat, [*others[:seat], "you", *others[seat:]], drawn, width)
        if not table.play(ask_user, click.echo) or run is None:
            return
        if rate or (rate is None and sys.stdin.isatty() and sys.stdout.isatty()):
            when = datetime.now(UTC).isoformat(timespec="seconds")
            ask_rating(run, game.name, when, ask_user, click.echo)
    except (NotInstalled, RatingError) as error:
        fail("lab play", error)


def ask_rating(run: Path, name: str, when: str, ask: Ask, say: Say) -> None:
    """Ask for a rating, and add it to the ratings of the run; an empty answer skips."""
    question = f"How good was it, from {WORST} (bad) to {BEST} (very good)? Enter skips: "
    while answer := (ask(question) or "").strip():
        if answer.isascii() and answer.isdigit() and WORST <= int(answer) <= BEST:
            word = (ask("A comment? Enter skips: ") or "").strip()
            add_rating(run, Rating(name, int(answer), word, when))
            say("Thank you.")
            return
        say(f"Expected a number from {WORST} to {BEST}, got {answer!r}.")


class TerminalGame:
    """A game between the user and policies of the lab."""

    def __init__(self, genome: Genome, seat: int, players: Sequence[str], seed: int, width: int) -> None:
        self.genome, self.seat, self.seed = genome, seat, seed
        self.kinds = [NAMES.index(name) if name in NAMES else 0 for name in players]
        self.formatter = GameText(genome, seat, players, width)
        self.work, self.stream = plain_work(), Chance(seed).fork(1).state
        self.deals: list[tuple[int, ...]] = []  #: the winners of each deal so far

    def play(self, ask: Ask, say: Say) -> bool:
        """Play until the game is over or the user leaves; returns whether it is over."""
        heading = f"{title(self.genome.name)}, {self.genome.player_count} players, seed {self.seed}."
        say(self.formatter.wrapped(f"{heading} You have seat {self.seat}. {capital(ANSWERS)}."))
        try:
            self._tell(LabGame.start_with_remarks(self.genome, self.seed), say)
            if self.game.over:
                say("The game is over: you had nothing to decide.")
            while (to_act := self.game.player) is not None:
                move = self._answer(ask, say) if to_act == self.seat else self._choice()
                self._tell(self.game.act_with_remarks(move), say)
        except (_Left, KeyboardInterrupt):
            say("You have left the game.")
            return False
        for line in self.formatter.result(self.game, self.deals):
            say(line)
        return True

    # --- moves

    def _choice(self) -> str:
        """The move of the policy to act."""
        game, numbers = self.game, self.game.numbers
        moves = [*numbers, *[0] * (len(self.work.moves[0]) - len(numbers))]
        self.work.states[0] = game.state
        program, kind = game.program, self.kinds[game.state.to_act]
        move, self.stream = decide(
            kind, program.games[0], program.rules, game.state, moves, len(numbers), self.work, self.stream
        )
        return game.moves[numbers.index(move)]

    def _answer(self, ask: Ask, say: Say) -> str:
        """Ask the user until the answer is a move."""
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
                say(self.formatter.wrapped(f"{answer!r} is not a move: {ANSWERS}."))

    def _tell(self, step: WithRemarks, say: Say) -> None:
        """Print the consequences of a move or of the start, as the user sees them."""
        self.game, events, remarks = step
        self.deals += [event.winners for event in events if isinstance(event, DealEnded)]
        for line in self.formatter.happened([view_event(event, self.seat) for event in events], remarks):
            say(line)
