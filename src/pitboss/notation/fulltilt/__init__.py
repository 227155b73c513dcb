"""Full Tilt hand histories, read into records."""

from pitboss.notation.fulltilt.read import FullTiltError, recognise_fulltilt, scan_fulltilt

__all__ = ["FullTiltError", "recognise_fulltilt", "scan_fulltilt"]
