"""The numbers that stand for words of a genome, and for moves, where a game is played.

What only one kind of phase or win condition has stands in its module.
"""

from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.cards import SUITS as SUIT_LETTERS
from pitboss.lab.genome import parts

MOST_PLAYERS, MOST_CARDS, MOST_PHASES, MOST_WINS = (
    *(parts.MOST_PLAYERS, parts.MOST_CARDS, parts.MOST_PHASES, parts.MOST_WINS),
)
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
