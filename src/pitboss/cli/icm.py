"""`pitboss icm`: the prize money that tournament stacks are worth."""

import sys
from itertools import pairwise

import click
import msgspec
from rich import box
from rich.table import Table

from pitboss.cli.output import echo
from pitboss.cli.progress import print_table, screen
from pitboss.errors import PitbossError
from pitboss.fast.equity.icm import Icm, IcmError
from pitboss.fast.equity.icm import icm as compute_icm

PLACES = 6


class IcmCommand(click.Command):
    """A command that refuses `5000 3000 --payouts 50 30`, because 30 would become a stack."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--payouts" in args:
            at = args.index("--payouts")
            stacks = args[at - 1 : at] if not args[max(at - 2, 0)].startswith("--") else []
            prize, after = args[at + 1 : at + 2], args[at + 2 : at + 3]
            if all(text and text[0].rstrip(",").isdigit() for text in (stacks, prize, after)):
                raise click.UsageError("write prizes with commas and without spaces, as in --payouts 50,30,20", ctx)
        return super().parse_args(ctx, args)


@click.command(cls=IcmCommand)
@click.argument("chips", nargs=-1, metavar="[CHIPS…]")
@click.option("--stacks", default="", metavar="CHIPS,…", help="The stacks, instead of CHIPS.")
@click.option("--payouts", required=True, metavar="PRIZE,…", help="The prizes, first place first.")
@click.option("--exact", is_flag=True, help="Count every finishing order, or fail if there are too many.")
@click.option(
    "--samples",
    type=click.IntRange(2, 10**9),
    help="Draw this many finishing orders at random instead of counting all.",
)
@click.option("--seed", default=0, show_default=True, type=int, help="Seed of the random finishing orders.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def icm(
    chips: tuple[str, ...], stacks: str, payouts: str, exact: bool, samples: int | None, seed: int, as_json: bool
) -> None:
    """Compute the prize money that each stack is worth in a tournament (Malmuth and Harville).

    A player's chance of first place is their share of the chips. Second place follows from the shares of the other
    players, and so on. All finishing orders are counted if that takes about a second at most. Otherwise random orders
    give a 95 % interval.

    Write numbers without commas: 5000, not 5,000.

    \b
    Examples:
      pitboss icm 5000 3000 2000 --payouts 50,30,20
      pitboss icm --stacks 5000,3000,2000 --payouts 50,30,20
      pitboss icm --stacks 12000,9000,4000,800 --payouts 60,40 --json
    """
    if chips and stacks:
        raise click.UsageError("give the stacks once, as CHIPS or with --stacks")
    try:
        players = _numbers(stacks or " ".join(chips))
        prizes = _numbers(payouts)
        answer = compute_icm(players, prizes, exact=exact or None, samples=samples, seed=seed)
    except PitbossError as error:
        echo(f"pitboss icm: {error}", err=True)
        sys.exit(1)
    if any(float(less) < float(more) for less, more in pairwise(prizes)):
        echo(
            "pitboss icm: warning: --payouts: a later place gets more than an earlier one; give the first place first",
            err=True,
        )
    if as_json:
        echo(msgspec.json.encode(_as_json(answer)))
    else:
        _print(players, answer)


def _numbers(text: str) -> list[str]:
    """Split numbers at commas or at spaces; a mixture is refused as ambiguous."""
    parts = [part.strip() for part in text.strip(", ").split(",")]
    if len(parts) > 1 and any(" " in part for part in parts):
        raise IcmError(f"{text!r} has numbers between commas and between spaces: write 5000,3000 or '5000 3000'")
    return " ".join(parts).split()


def _as_json(answer: Icm) -> dict[str, object]:
    fields: dict[str, object] = {
        "equity": [round(worth, PLACES) for worth in answer.equity],
        "exact": answer.exact,
    }
    if answer.interval is not None:
        fields |= {
            "samples": answer.samples,
            "interval": [[round(end, PLACES) for end in ends] for ends in answer.interval],
        }
    return fields


def _print(chips: list[str], answer: Icm) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("stack", "worth", *(["from – to"] if answer.interval else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, stack in enumerate(chips):
        row = [stack, f"{answer.equity[place]:.4f}"]
        if answer.interval is not None:
            row.append(" – ".join([f"{end:.4f}" for end in answer.interval[place]]))
        table.add_row(*row)
    if answer.exact:
        caption = "exact: every finishing order counted"
    else:
        caption = f"{answer.samples:,} finishing orders drawn, with 95 % intervals"
    print_table(table)
    screen(0).print(caption)
