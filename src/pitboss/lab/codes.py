"""The engine's constants: numbers for words of a genome and for moves, and positions in lists of counts and facts."""

from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.cards import SUITS as SUIT_LETTERS
from pitboss.lab import genome

MOST_PLAYERS, MOST_CARDS = genome.MOST_PLAYERS, genome.MOST_CARDS
MOST_PHASES, MOST_WINS = genome.MOST_PHASES, genome.MOST_WINS
RANKS, SUITS = len(RANK_LETTERS), len(SUIT_LETTERS)
NO_PLAYER = -1

TURNS, ROUNDS = range(2)
NO_TRUMP, RANDOM_TRUMP = -1, -2
EFFECTS = ("none", "skip", "reverse", "draw_two", "again")
NO_EFFECT, SKIP, REVERSE, DRAW_TWO, AGAIN = range(len(EFFECTS))

# Moves. Playing, putting or discarding a card has the card's number. Each kind of phase defines the other moves.
PASS = MOST_CARDS
MOST_MOVES = 64  # maximum number of legal moves
LABELS = 256  # a number greater than every move

# Stages of a phase.
TO_ENTER, ENTERED = range(2)

# Positions in `counts`.
COUNTING = 0  # whether betting is counted
BETS, RAISES, CALLS, FOLDS = 1, 2, 3, 4  # an all-in is counted as a bet, raise or call
ALL_INS = 5  # moves that bet a player's last chip; they are also counted above
DEALS, SHOWDOWNS = 6, 7  # deals that ended, and deals that ended with several players still in
POTS, LARGEST = 8, 9  # the sum and the maximum of pots at the end of deals, without uncalled chips
STEALS = 10  # deals that ended by folds although a player who folded had better cards than the winner
TO_BEST = 11  # chips in pots that went to the best hand of all players who were dealt cards
COUNTED = 12

CERTAIN = 1000  # the certain probability, because probabilities are per mille

# What the greedy policy must compute before it rates a move. Each level includes the levels before it.
NOTHING, UNSEEN_CARDS, DRAWN_HOLDINGS, STRENGTH = range(4)

# Extra states: one for continuing the game, and one for trying a single move.
TRIAL, SPARE = 1, 2

# Positions in `work.facts`.
UNSEEN = 0  # number of unseen cards
HOLDINGS = 1  # number of sampled holdings
WIDTH = 2  # number of cards in a sampled holding
MEASURED, SHARED = 3, 4  # numbers of cards and of community cards when holdings were last measured
LIKING = 5  # whether taking tricks is good (1), bad (-1) or neither (0)
BLIND = 6  # whether players cannot see their own hands
ROWS = 7  # number of measured holdings
ROOT = 8  # number of community cards when holdings were sampled
EXACT = 9  # whether the samples are all possible holdings
VIEWER = 10  # the seat whose view is used
WHIM = 11  # whether this choice is random
BUDGET = 12  # number of iterations of the search policy
FACTS = 13
