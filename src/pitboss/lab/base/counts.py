"""What is counted of the betting in a game, where somebody asks for it: places in the state's row `counts`.

Whoever wants them sets `s.counts[COUNTING]` before the game; the engine counts and never reads them.
"""

COUNTING = 0  # whether anything is counted
BETS, RAISES, CALLS, FOLDS = 1, 2, 3, 4  # moves that set a price, raise it, pay it, or give up; all-ins by what they do
ALL_INS = 5  # moves that put somebody's last chip in, also counted as what they are
DEALS, SHOWDOWNS = 6, 7  # deals that ended, and of these with several still in them
POTS, LARGEST = 8, 9  # chips in the middle at the ends of deals, what nobody called left out: together, and the most
STEALS = 10  # deals in which all others folded to somebody who would have lost, as it stood, to one of them
TO_BEST = 11  # of the pots, the chips that went to the best of all who were dealt in
COUNTED = 12
