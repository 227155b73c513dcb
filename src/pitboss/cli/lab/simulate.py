"""`pitboss lab simulate`: many games of a genome between policies, and their results."""

from math import isfinite
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.lab.options import genome_argument, read_game
from pitboss.cli.output import count, echo, fail
from pitboss.cli.progress import progress, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.policies.choice import NAMES
from pitboss.lab.policies.simulate import Averaged, BettingFigures, PlayersError, Simulated
from pitboss.lab.policies.simulate import simulate as play_all

WIDEST = 1000
"""A width that no table exceeds, for measuring how wide a table is."""


@click.command(short_help="play many games between policies, and print the results")
@genome_argument
@click.option("--games", required=True, type=click.IntRange(1, 10**9), help="Games to play.")
@click.option("--players", default="random", show_default=True, metavar="NAME,…", help=f"Policies: {', '.join(NAMES)}.")
@click.option("--swap", is_flag=True, help="Play each game once in every seating; print results by player.")
@click.option("--seed", default=0, show_default=True, type=int, help="The same seed gives the same games.")
@click.option(
    "--cores", type=click.IntRange(1, 4096), help="Cores to use (default: all). They do not change the result."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(genome: str, games: int, players: str, swap: bool, seed: int, cores: int | None, as_json: bool) -> None:
    """Play a game many times. The policies are assigned to the seats in turn.

    GENOME is the name of a known game, a file, or - for standard input. A game that reaches its turn limit is decided
    by the current position and counted as stopped. Small runs use plain Python and large runs use compiled code. The
    result is the same.

    Some seats may be better than others. With --swap each game is played once per seat, and the policies move one seat
    each time, so that only the difference between policies is left.

    \b
    Examples:
      pitboss lab simulate betting_war --games 100000
      pitboss lab simulate leduc --games 20000 --players greedy,random --seed 7 --json
      pitboss lab simulate draw_poker --games 1000 --players greedy,random,random --swap
      pitboss lab simulate mine.json --games 1000 --cores 1
    """
    game = read_game("simulate", genome)
    try:
        with progress("playing", total=games) as advance:
            done = 0

            def tell(now: int, _: int) -> None:
                nonlocal done
                advance(now - done)
                done = now

            played = play_all(game, games=games, players=players, seed=seed, cores=cores, swap=swap, progress=tell)
    except (PlayersError, NotInstalled) as error:
        fail("lab simulate", error)
    if as_json:
        echo(msgspec.json.encode(_as_json(played, game.name, seed)))
    else:
        _print(played, game.name, chips=game.setup.starting_chips > 0)


def _as_json(played: Simulated, name: str, seed: int) -> dict[str, Any]:
    return {
        "game": name,
        "games": played.games,
        "finished": played.finished,
        "stopped": played.stopped,
        "illegal": played.illegal,
        "wins": played.wins,
        "draws": played.draws,
        "chips_start": played.chips_start,
        "chips_end": played.chips_end,
        "chips_won": [_averaged(won) for won in played.chips_won],
        "betting": _betting(played.betting) if played.betting else None,
        "turns": _averaged(played.turns),
        "decisions": _averaged(played.decisions),
        "choices": played.choices,
        "players": played.players,
        "swapped": played.swapped,
        "seed": seed,
        "seconds": round(played.seconds, 6),
        "cores": played.cores,
        "compiled": played.compiled,
    }


def _betting(betting: BettingFigures) -> dict[str, Any]:
    """Every figure with its interval; `deals` and `largest_pot` are counted."""
    figures = {name: getattr(betting, name) for name in BettingFigures.__struct_fields__}
    return {name: _averaged(figure) if isinstance(figure, Averaged) else figure for name, figure in figures.items()}


def _averaged(averaged: Averaged) -> dict[str, float | None]:
    """A mean and its interval, which is null for a single game."""
    low, high = averaged.interval
    sure = isfinite(high - low)
    return {"mean": averaged.mean, "low": low if sure else None, "high": high if sure else None}


def _print(played: Simulated, name: str, *, chips: bool) -> None:
    how = f"{played.games / max(played.seconds, 1e-9):,.0f} per second on {count(played.cores, 'core')}"
    how += "" if played.compiled else ", in plain Python"
    parts: list[str | Table] = [f"{count(played.games, 'game')} of {name} in {played.seconds:.2f} s: {how}"]
    if played.swapped:
        parts.append(f"every player played each of the {len(played.players)} seats equally often, with the same cards")
    console, table = screen(0), _by_seat(played, chips)
    fits = screen(WIDEST).measure(table).maximum <= console.width
    parts += [table] if fits else ["", *_seat_lines(played, chips), ""]
    parts.append(f"{played.draws:,} with several winners; {played.stopped:,} decided at the turn limit")
    parts.append(
        f"turns per game: {_figure(played.turns)}; decisions: {_figure(played.decisions)},"
        f" with {played.choices:.1f} moves each"
    )
    if played.betting:
        parts += _betting_lines(played.betting)
    if chips:
        parts.append(f"{played.chips_start:,} chips at the start, {played.chips_end:,} at the end")
    if played.illegal:
        parts.append(f"illegal moves: {played.illegal:,}")
    for part in parts:
        console.print(part)


def _betting_lines(betting: BettingFigures) -> list[str]:
    """The betting figures in four lines."""
    moves = ("bets", "raises", "calls", "folds", "all_ins")
    counted = ", ".join([f"{_figure(getattr(betting, name))} {name.replace('_', '-')}" for name in moves])
    pots = f"pots: {_figure(betting.pot)} chips per deal, the largest {betting.largest_pot:,}"
    return [
        f"betting per game: {counted}",
        f"{pots}; {_share(betting.showdowns)} of {count(betting.deals, 'deal')} reached a showdown",
        f"{_share(betting.steals)} of the pots were won by folds against better cards",
        f"{_share(betting.to_best)} of the chips in pots went to the best cards of all players dealt in",
    ]


def _share(averaged: Averaged) -> str:
    """A share in percent, with its interval if it has one."""
    low, high = averaged.interval
    text = f"{100 * averaged.mean:.1f} %"
    return text + (f" ({100 * max(0.0, low):.1f} to {100 * min(1.0, high):.1f})" if isfinite(high - low) else "")


def _by_seat(played: Simulated, chips: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (_who(played), "policy"):
        table.add_column(heading, no_wrap=True)
    for heading in ("won alone", "%", *(("chips per game", "from", "to") if chips else ())):
        table.add_column(heading, justify="right")
    for seat, (policy, wins, won) in enumerate(zip(played.players, played.wins, played.chips_won, strict=True)):
        cells = [str(seat), policy, f"{wins:,}", f"{100 * wins / played.games:.1f}"]
        if chips:
            cells += [f"{figure:+,.2f}" if isfinite(figure) else "–" for figure in (won.mean, *won.interval)]
        table.add_row(*cells)
    return table


def _who(played: Simulated) -> str:
    return "player" if played.swapped else "seat"


def _seat_lines(played: Simulated, chips: bool) -> list[str]:
    """Return one line per row of the table, for windows that are too narrow for the table."""
    lines = []
    for seat, (policy, wins, won) in enumerate(zip(played.players, played.wins, played.chips_won, strict=True)):
        text = f"{_who(played)} {seat}, {policy}: won {wins:,} alone, {100 * wins / played.games:.1f} %"
        lines.append(f"{text}; {_figure(won, '+,.2f')} chips per game" if chips else text)
    return lines


def _figure(averaged: Averaged, form: str = ",.1f") -> str:
    """A mean with its 95 % interval if it has one; the interval of a count begins at 0 or above."""
    low, high = averaged.interval
    if "+" not in form:
        low = max(0.0, low)
    return f"{averaged.mean:{form}}" + (f" ({low:{form}} to {high:{form}})" if isfinite(high - low) else "")
