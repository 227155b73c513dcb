"""What cannot be ranked."""

from pitboss.errors import PitbossError


class RankError(PitbossError, ValueError):
    """Cards too few or too many to rank, or a strength that no cards have."""
