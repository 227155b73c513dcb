"""Full Tilt hand histories, read into records."""

from pitboss.errors import show_by_public_name
from pitboss.notation.fulltilt.read import FullTiltError, recognise_fulltilt, scan_fulltilt

__all__ = ["FullTiltError", "recognise_fulltilt", "scan_fulltilt"]

show_by_public_name(__name__, globals(), __all__)
