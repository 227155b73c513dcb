"""The engine's constants: numbers for a genome's words and for moves, places in rows of counts and notes."""

from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.cards import SUITS as SUIT_LETTERS
from pitboss.lab import genome

MOST_PLAYERS, MOST_CARDS = genome.MOST_PLAYERS, genome.MOST_CARDS
MOST_PHASES, MOST_WINS = genome.MOST_PHASES, genome.MOST_WINS
RANKS, SUITS = len(RANK_LETTERS), len(SUIT_LETTERS)
NOBODY = -1

TURNS, ROUNDS = range(2)
NO_TRUMP, RANDOM_TRUMP = -1, -2
EFFECTS = ("none", "skip", "reverse", "draw_two", "again")
NO_EFFECT, SKIP, REVERSE, DRAW_TWO, AGAIN = range(len(EFFECTS))

# Moves. A card's own number plays, puts or discards it; all others mean what the kind of phase says.
PASS = MOST_CARDS
MOST_MOVES = 64  # on offer at once
LABELS = 256  # more than there are moves

# Where a phase stands.
TO_ENTER, ENTERED = range(2)


COUNTING = 0  # whether anything is counted
BETS, RAISES, CALLS, FOLDS = 1, 2, 3, 4  # moves that set a price, raise it, pay it, or give up; all-ins by what they do
ALL_INS = 5  # moves that put somebody's last chip in, also counted as what they are
DEALS, SHOWDOWNS = 6, 7  # deals that ended, and of these with several still in them
POTS, LARGEST = 8, 9  # chips in the middle at the ends of deals, what nobody called left out: together, and the most
STEALS = 10  # deals in which all others folded to somebody who would have lost, as it stood, to one of them
TO_BEST = 11  # of the pots, the chips that went to the best of all who were dealt in
COUNTED = 12


CERTAIN = 1000  # how likely what must happen is: chances are per mille

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
