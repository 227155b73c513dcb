"""The ways to play there are, and which of them plays what."""

from pitboss.fast.play.interface import Backend
from pitboss.fast.play.packed import PACKED, is_loaded
from pitboss.fast.play.plain import PLAIN
from pitboss.fast.play.setup import RunSetup, Team

SMALL = 20_000
"""Up to so many easy hands are played plain: that takes about as long as loading what was compiled."""


def backend_for_hands(hands: int, team: Team, setup: RunSetup) -> Backend:
    """What plays so many hands between these policies at this table."""
    return PACKED if hands * team.weight > SMALL or is_loaded(team, setup) else PLAIN


def backend_for_batches() -> Backend:
    """What plays hands in lockstep, whose observations are arrays."""
    return PACKED
