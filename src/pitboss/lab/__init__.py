"""Card games with betting, described as data. One engine plays, searches, solves, varies and evolves all of them.

The public names load a game and solve it; the commands `pitboss lab` do the rest.

>>> from pitboss.lab import load, solve
>>> kuhn = solve(load("kuhn"), 100)
>>> kuhn.uniform_value, kuhn.information_sets
(Fraction(1, 8), 12)

Every name is imported when it is first used.
"""

from pitboss.homes import load_later, read_homes

_HOME = read_homes(__path__[0])
"""The module of each public name."""

__all__ = [*_HOME]  # noqa: PLE0604  # all items are strings
__getattr__, __dir__ = load_later(__name__, _HOME, globals())
