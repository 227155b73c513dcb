"""The engine's constants: numbers for a genome's words and for moves, and positions in rows of counts and facts."""

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

# Moves. A card's own number plays, puts or discards it; each kind of phase defines the meaning of the others.
PASS = MOST_CARDS
MOST_MOVES = 64  # legal at the same time
LABELS = 256  # greater than every move

# Stages of a phase.
TO_ENTER, ENTERED = range(2)

# `counts`.
COUNTING = 0  # whether betting is counted at all
BETS, RAISES, CALLS, FOLDS = 1, 2, 3, 4  # an all-in is counted as a bet, raise or call
ALL_INS = 5  # moves that put in a player's last chip; also counted above
DEALS, SHOWDOWNS = 6, 7  # deals that ended, and those that ended with several players still in
POTS, LARGEST = 8, 9  # chips in the pot at the ends of deals, without uncalled chips: the sum and the maximum
STEALS = 10  # deals that ended by folds although a player who folded had better cards than the winner
TO_BEST = 11  # chips of the pots that went to the best hand of all players dealt in
COUNTED = 12

CERTAIN = 1000  # probabilities are per mille

# What the greedy policy must compute before it rates a move; each level includes those before it.
NOTHING, UNSEEN_CARDS, DRAWN_HOLDINGS, STRENGTH = range(4)

# Extra states next to the game's own: one to play ahead on, one to try single moves on.
TRIAL, SPARE = 1, 2

# `work.facts`.
UNSEEN = 0  # number of unseen cards
HOLDINGS = 1  # number of sampled holdings
WIDTH = 2  # cards in each of them
MEASURED, SHARED = 3, 4  # number of cards and of community cards when they were last measured
LIKING = 5  # whether taking tricks is good (1), bad (-1) or neither (0)
BLIND = 6  # whether players cannot see their own hands
ROWS = 7  # number of measured holdings
ROOT = 8  # number of community cards when they were sampled
EXACT = 9  # whether they are all possible holdings
VIEWER = 10  # the seat whose view is used
WHIM = 11  # whether this choice is random on purpose
BUDGET = 12  # iterations of the search policy
FACTS = 13
