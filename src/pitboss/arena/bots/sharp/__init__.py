"""Opens by position, reads its opponents' bets, weighs every bet against the hands they leave, and bluffs a little.

It remembers how each seat has played, in the hand and over all hands, and pushes or folds with a short stack:

    ranges    which two cards are better before the flop
    story     what the others did since its last turn
    habits    what each seat does how often
    beliefs   which hands that leaves them
    opening   its play before the flop
    worth     what a bet is worth against those hands
    bot       all of it together
"""

from pitboss.arena.bots.sharp.bot import make

__all__ = ["make"]
