"""The numbers that stand for words of a genome, and for moves, where a game is played."""

MOST_PLAYERS, MOST_CARDS, MOST_PHASES, MOST_WINS = 6, 52, 12, 4
RANKS, SUITS = 13, 4
NOBODY = -1

# Phases, and which column of a phase's arguments says what.
DRAW, PLAY, DISCARD, TRICK, CLAIM, COMMUNITY, BETTING = range(7)
ARGUMENTS = 7
DRAW_SOURCE, DRAW_COUNT, DRAW_OPTIONAL, DRAW_STUCK = range(
    4
)  # the last: the play phase one must be stuck in, or NOBODY
PLAY_TARGET, PLAY_MATCH, PLAY_WILD, PLAY_MOST, PLAY_OPTIONAL, PLAY_CLEAR, PLAY_CAPTURE = range(7)
DISCARD_COUNT, DISCARD_OPTIONAL, DISCARD_REPLACE = range(3)
TRICK_FOLLOW, TRICK_BLIND, TRICK_TO_HAND, TRICK_STAY = range(4)
CLAIM_MOST = 0
COMMUNITY_COUNT = 0
BETTING_STEP = 0

FROM_DECK, FROM_DISCARD, FROM_EITHER, FROM_OPPONENT, BY_ASKING = range(5)
ON_DISCARD, ON_TABLEAU = range(2)
MATCH_ANY, MATCH_SUIT, MATCH_RANK, MATCH_HIGHER, MATCH_HIGHER_OR_EQUAL = 1, 2, 4, 8, 16
NO_CAPTURE, BY_RANK, BY_SUM = range(3)

TURNS, ROUNDS = range(2)
NO_TRUMP, RANDOM_TRUMP = -1, -2
NO_EFFECT, SKIP, REVERSE, DRAW_TWO, AGAIN = range(5)

# Win conditions.
BEST_HAND, BEST_POINTS, HIGH_CARD, HIGH_SCORE, LOW_SCORE, FIRST_TO_SCORE = range(6)
EMPTY_HAND, CAPTURE_ALL, MOST_TRICKS, LEAST_DEADWOOD = range(6, 10)

# Moves. A card's own number plays, puts or discards it.
PASS, TAKE, TAKE_DISCARD, DOUBT, BELIEVE = range(MOST_CARDS, MOST_CARDS + 5)
VERBS = 60  # plus a verb of the betting core
ASKS = 70  # plus a rank
SETS = 100  # plus four times a rank, plus how many cards beyond the first
MOST_MOVES = 64

# Where a phase stands.
TO_ENTER, ENTERED = range(2)
PUTTING, DOUBTING = range(2)
