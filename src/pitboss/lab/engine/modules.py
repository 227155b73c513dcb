"""The modules whose functions compiled games call; code that compiles the engine registers them.

Compiled code does not call the other functions and methods in these modules, so they are not compiled.
"""

from pitboss import chance
from pitboss.betting import core, rules
from pitboss.fast import payout
from pitboss.lab import codes, piles
from pitboss.lab.engine import sight, steps
from pitboss.lab.phases import change
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins
from pitboss.lab.wins import promise, scores

KERNEL = (chance, core, rules, payout, wins, phases)
"""Small functions that are called often; they are compiled into their callers."""
ENGINE = (*(codes, piles, scores, promise, change), *(*wins.MODULES, *phases.MODULES, sight, steps))
