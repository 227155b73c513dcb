"""`pitboss equity`: the share of the pot that hands and ranges win, and the table of all starting hands."""

import sys
from typing import Any

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.output import echo
from pitboss.cli.progress import move_bar, print_table, progress, screen
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.equity.equity import ComboEquity, Equity
from pitboss.fast.equity.equity import equity as compute_equity
from pitboss.fast.equity.ranges import GRID, HAND_CLASSES

PLACES = 6  # decimal places of shares in JSON
WHOLE = 100  # steps of the progress bar
MOST_SAMPLES = 10**10


@click.command()
@click.argument("players", nargs=-1, metavar="[PLAYER PLAYER…]")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game, or a game file; docs/games.md lists games.",
)
@click.option("--board", default="", metavar="CARDS", help="Three to five board cards.")
@click.option("--dead", default="", metavar="CARDS", help="Cards that cannot be dealt.")
@click.option("--each", is_flag=True, help="Also print the equity of every single hand of each player.")
@click.option("--exact", is_flag=True, help="Count every deal, even if that takes long.")
@click.option(
    "--samples",
    type=click.IntRange(1, MOST_SAMPLES),
    help="Deal this many hands at random instead of counting all deals.",
)
@click.option("--seed", default=0, show_default=True, type=int, help="Seed of the random deals.")
@click.option("--cores", type=click.IntRange(1, 4096), help="Cores to use; default all. Does not change the result.")
@click.option("--preflop-table", is_flag=True, help="Print the equities of all 169 starting hands.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def equity(
    players: tuple[str, ...],
    game: str,
    board: str,
    dead: str,
    each: bool,
    exact: bool,
    samples: int | None,
    seed: int,
    cores: int | None,
    preflop_table: bool,
    as_json: bool,
) -> None:
    """Compute the share of the pot that each of two to ten players wins on average.

    A PLAYER is a hand (AhAd) or a range in the usual notation, in quotes if it has spaces: QQ+, AKs, AKo, AK, TT-77,
    A5s+, A5s-A2s, 76s+ (both ranks go up), AcXc, random, 15%, 5%-15%, AKs:0.5 or [50]AKs[/50] (half as often),
    !AhAs (removed).

    In other games (omaha, omaha_hi_lo, plo5, short_deck, stud, razz, badugi, triple_draw …) a PLAYER is the known
    cards, or ranks such as AAKK. In draw games it is the cards that the player keeps and, after a slash, the cards that
    they discard: 2c3d4h7s/Kd.

    All deals are counted if that takes at most about a second. Otherwise random deals give a 95 % interval.
    --preflop-table counts all boards of all starting hands once and saves the table in your cache folder.

    \b
    Examples:
      pitboss equity AhAd KsKc
      pitboss equity "QQ+, AKs" "76s+, 22-55" --board 8h5c2c
      pitboss equity AA random random --samples 5000000 --seed 7 --json
      pitboss equity --game omaha AhAdKhKd 7c7d8c9c
      pitboss equity --game razz As2d3c5h 2s3s4d6d
      pitboss equity --preflop-table --json > table.json
    """
    try:
        if preflop_table:
            if players:
                raise click.UsageError("--preflop-table covers all starting hands: leave out the players")
            _print_preflop_table(cores, as_json)
            return
        with progress("drawing" if samples else "counting", total=WHOLE) as advance:
            answer = compute_equity(
                *players,
                structure=game,
                board=board,
                dead=dead,
                each=each,
                exact=exact or None,
                samples=samples,
                seed=seed,
                cores=cores,
                progress=move_bar(advance, WHOLE),
            )
    except (ValueError, NotInstalled) as error:
        echo(f"pitboss equity: {error}", err=True)
        sys.exit(1)
    if as_json:
        echo(msgspec.json.encode(_as_json(answer)))
    else:
        _print(players, answer)


def _as_json(answer: Equity) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: [round(share, PLACES) for share in getattr(answer, name)] for name in ("equity", "win", "tie")
    }
    fields |= {"exact": answer.exact, "boards": answer.boards}
    if answer.interval is not None:
        fields["interval"] = [[round(end, PLACES) for end in ends] for ends in answer.interval]
    if answer.parts is not None:
        fields["parts"] = {order: [round(share, PLACES) for share in row] for order, row in answer.parts.items()}
    if answer.combos is not None:
        fields["combos"] = [[_combo_json(combo) for combo in rows] for rows in answer.combos]
    return fields


def _combo_json(combo: ComboEquity) -> dict[str, Any]:
    fields: dict[str, Any] = {"hand": combo.hand, "weight": round(combo.weight, PLACES)}
    fields |= {name: round(getattr(combo, name), PLACES) for name in ("equity", "win", "tie")}
    if combo.interval is not None:
        fields["interval"] = [round(end, PLACES) for end in combo.interval]
    return fields


def _print(players: tuple[str, ...], answer: Equity) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("player", overflow="fold")
    for heading in ("equity %", "win %", "tie %"):
        table.add_column(heading, justify="right", no_wrap=True)
    parts = answer.parts or {}
    for order in parts:
        table.add_column(f"{order} %", justify="right", no_wrap=True)
    if answer.interval is not None:
        table.add_column("equity from – to", justify="right", no_wrap=True)
    for place, player in enumerate(players):
        columns = (answer.equity, answer.win, answer.tie, *parts.values())
        row = [f"{100 * shares[place]:.3f}" for shares in columns]
        if answer.interval is not None:
            row.append(" – ".join([f"{100 * end:.3f}" for end in answer.interval[place]]))
        table.add_row(player, *row)
    if answer.exact:
        caption = f"exact: all {answer.boards:,} deals counted in {answer.seconds:.3f} s"
    else:
        caption = f"{answer.boards:,} deals drawn in {answer.seconds:.3f} s, with 95 % intervals"
    print_table(table)
    screen(0).print(caption)
    for hands in _hand_by_hand(players, answer):
        print_table(hands)


def _hand_by_hand(players: tuple[str, ...], answer: Equity) -> list[Table]:
    """Return a table for each player with the equity of each of their hands, the best first."""
    tables = []
    for player, rows in zip(players, answer.combos or (), strict=False):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in (player, "weight", "equity %", "win %", "tie %"):
            table.add_column(heading, justify="right", no_wrap=True)
        for combo in sorted(rows, key=lambda combo: -combo.equity):
            shares = [f"{100 * share:.3f}" for share in (combo.equity, combo.win, combo.tie)]
            table.add_row(combo.hand, f"{combo.weight:g}", *shares)
        tables.append(table)
    return tables


# --- all starting hands


def _print_preflop_table(cores: int | None, as_json: bool) -> None:
    from pitboss.fast.equity.preflop import against_random, counts_file, preflop_table

    with progress("counting", total=WHOLE) as advance:
        shares = preflop_table(move_bar(advance, WHOLE), cores)
    if as_json:
        rows = [[round(share, PLACES) for share in row] for row in shares.tolist()]
        echo(msgspec.json.encode({"classes": HAND_CLASSES, "equity": rows}))
        return
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1), show_header=False)
    percents = [f"{name} {100 * share:.1f}" for name, share in zip(HAND_CLASSES, against_random(), strict=True)]
    for start in range(0, len(HAND_CLASSES), len(GRID)):
        table.add_row(*percents[start : start + len(GRID)])
    wide = screen(0, piped=160)
    for part in ("equity % against two random cards", table, f"--json prints all 169 × 169; saved in {counts_file()}"):
        wide.print(part)
