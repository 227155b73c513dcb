"""The modules whose functions compiled games call. Code that compiles the engine passes them to `compile_function`.

Other functions and methods in these modules are not called from compiled code, so they are not compiled.
"""

from pitboss import chance
from pitboss.betting import core, rules
from pitboss.fast import payout
from pitboss.lab import codes, piles
from pitboss.lab.engine import sight, steps
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import estimate, scores
from pitboss.lab.wins import kinds as wins

KERNEL = (chance, core, rules, payout, wins, phases)
"""Small functions that are called often. They are compiled into their callers."""
ENGINE = (*(codes, piles, scores, estimate), *(*wins.MODULES, *phases.MODULES, sight, steps))
