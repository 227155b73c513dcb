"""Which players have the blinds, read off a document's array of forced bets."""

from typing import TYPE_CHECKING

from pitboss.table.rotation import Blinds, next_seat

if TYPE_CHECKING:
    from pitboss.notation.document.fields import Document


def find_blinds(document: "Document") -> Blinds | None:
    """Who has the blinds, by index; None where nobody has the big one.

    The big blind has the full size and the small one comes before it; more than the full size is a straddle. Where both
    are of one size the button tells which is which.
    """
    blinds, size, clockwise = document.blinds, document.big_blind, document.clockwise
    order = list(clockwise)
    if document.button is not None:
        first = order.index(document.button) + (sum(document.dealt_in) != 2)  # heads-up the button has the small blind
        order = order[first:] + order[:first]
    full = [player for player in order if blinds[player] == size]
    short = [player for player in order if 0 < blinds[player] < size]
    if not size or not full:
        return None
    if short:
        around = {player: at for at, player in enumerate(clockwise)}
        big = next_seat(sorted([around[player] for player in full]), around[short[0]])
        return Blinds(short[0], clockwise[big])
    return Blinds(full[0], full[1]) if len(full) > 1 else Blinds(None, full[0])


def last_blinds(document: "Document") -> Blinds | None:
    """Who has the blinds; where both are of one size, `_bigBlind` says which is the big one, or -1: he is gone."""
    found = find_blinds(document)
    big = document.rest.get("_bigBlind")
    if big == -1:
        return None
    if found is not None and found.small is not None and big == found.small:
        return Blinds(found.big, found.small)
    return found
