"""PokerStars hand histories of every game, cash games and tournaments, read into records and written from them."""

from pitboss.errors import show_by_public_name
from pitboss.notation.pokerstars.read import decode_pokerstars, read_pokerstars, scan_pokerstars
from pitboss.notation.pokerstars.text import PokerStarsError
from pitboss.notation.pokerstars.write import write_pokerstars

__all__ = ["PokerStarsError", "decode_pokerstars", "read_pokerstars", "scan_pokerstars", "write_pokerstars"]

show_by_public_name(__name__, globals(), __all__)
