"""Logs of the Annual Computer Poker Competition: hold'em by programs, read into records and written from them."""

from pitboss.errors import show_by_public_name
from pitboss.notation.acpc.game import AcpcError, GameDefinition, read_game_definition
from pitboss.notation.acpc.read import read_acpc, recognise_acpc, scan_acpc
from pitboss.notation.acpc.write import write_acpc

__all__ = [
    "AcpcError",
    "GameDefinition",
    "read_acpc",
    "read_game_definition",
    "recognise_acpc",
    "scan_acpc",
    "write_acpc",
]

show_by_public_name(__name__, globals(), __all__)
