"""Formats of recorded hands: PHH, Open Hand History, ACPC logs, and the texts of poker sites.

`pitboss.read(path)` and `pitboss.write(path, records)` read and write files of all formats. The functions here read and
write text of a single format.

>>> from pitboss.formats import read_phh, write_phh
>>> record = read_phh('''
... variant = "NT"
... antes = [0, 0]
... blinds_or_straddles = [1, 2]
... min_bet = 2
... starting_stacks = [50, 50]
... actions = ["d dh p1 AsAh", "d dh p2 ????", "p2 f"]
... ''')
>>> read_phh(write_phh(record)) == record
True

Every name is imported when it is first used.
"""

from pitboss.homes import load_later, read_homes

_HOME = read_homes(__path__[0])
"""The module of each public name."""

__all__ = [*_HOME]  # noqa: PLE0604  # all items are strings
__getattr__, __dir__ = load_later(__name__, _HOME, globals())
