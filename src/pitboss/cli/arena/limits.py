"""What a bot's process may use, as the commands that start one are told."""

import click

from pitboss.arena.bots.confine import BotLimits

DEFAULT = BotLimits()
MIB = 1 << 20

memory_option = click.option(
    "--memory-mib",
    default=DEFAULT.memory // MIB,
    show_default=True,
    type=click.IntRange(64, 1 << 30),
    help="Memory of a bot's process, in MiB.",
)


def bot_limits(memory_mib: int) -> BotLimits:
    """The limits with so much memory."""
    return BotLimits(memory=memory_mib * MIB, file=DEFAULT.file)
