"""The modules whose functions a compiled game calls: what compiles the engine registers these.

The plain methods and helpers that stand in them beside are never called from compiled code, and so never compiled.
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
"""Small and called often, so that they are compiled into their callers."""
ENGINE = (
    *(codes, piles, scores, promise, change),
    *(*wins.MODULES, *phases.MODULES, sight, steps),
)
