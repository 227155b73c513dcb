"""Where policies that think write down what they know: places in the rows of `work.py`, plain and packed."""

# What a kind of phase asks a policy to know before it rates a move, each with all before it.
NOTHING, UNSEEN_CARDS, DRAWN_HOLDINGS, STRENGTH = range(4)

# The states beside the game's own: one that is played on to see what happens, one to lay cards out in.
TRIAL, SPARE = 1, 2

# `work.facts`.
UNSEEN = 0  # how many cards are unseen
HOLDINGS = 1  # how many holdings are drawn
WIDTH = 2  # of how many cards each
MEASURED, SHARED = 3, 4  # for how many cards and community cards they were last measured
LIKING = 5  # whether taking tricks is good (1) or bad (-1)
BLIND = 6  # whether one's own hand is unseen
ROWS = 7  # how many holdings were measured
ROOT = 8  # the community cards there were when they were drawn
EXACT = 9  # whether all there are were drawn
VIEWER = 10  # who looks
WHIM = 11  # whether a choice is made on a whim
BUDGET = 12  # how many iterations the searching policy has
FACTS = 13
