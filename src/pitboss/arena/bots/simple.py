"""The simple house bots. Each is a function of its random numbers that returns the bot."""

from pitboss.arena.bots.toolkit import Bot, answer_for, check_or_call, known_cards, pot_raise_total
from pitboss.arena.wire.answers import Answer, draw, runs, safe_answer
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import decisions

DEALS = 120
"""The number of deals. A simulation uses fewer, because it has to be fast. The thresholds are the same."""


def folding(chance: Chance) -> Bot:
    """Checks if checking is free, and folds if not."""
    return safe_answer


def calling(chance: Chance) -> Bot:
    """Stays in every hand, never raises, and stands pat."""
    return check_or_call


def random(chance: Chance) -> Bot:
    """Chooses blindly among five: fold to a bet, check or call, the least raise, a pot-sized raise, everything.

    In a draw, it discards each of its cards with probability one half. It runs the board any number of times.
    """

    def decide(act: Act) -> Answer:
        if "DRAW" in act.legal:
            if act.must_discard:
                return draw(chance.shuffled(act.you.hole, act.must_discard))
            return draw([card for card in act.you.hole if chance.below(2)])
        if act.most_runs:
            return runs(1 + chance.below(act.most_runs))
        raises = 0
        if act.min_raise_to is not None and act.max_raise_to is not None:
            raises = decisions.sizes(act.min_raise_to, int(pot_raise_total(act, 1)), act.max_raise_to)
        chance.state, wish = decisions.random(act.you.to_call, raises, chance.state)
        return answer_for(act, wish)

    return decide


def tight(chance: Chance) -> Bot:
    """Waits for good cards and then bets them hard: sound play for a beginner."""

    def decide(act: Act) -> Answer:
        return answer_for(act, decisions.tight(known_cards(act), plain_ranks(), act.you.to_call, act.pot))

    return decide


def equity(chance: Chance) -> Bot:
    """Deals the unseen cards 120 times, compares the share that it wins with the price, and bets if it is ahead.

    It assumes that its opponents have random hands. For an opponent who has bet, it draws several hands and takes the
    best: the larger the bet, the more hands. It bets the pot if it expects more than an equal share, and calls if its
    share is worth the price.
    """

    def decide(act: Act) -> Answer:
        chance.state, wish = decisions.equity(
            known_cards(act), plain_ranks(), rivals(act), act.you.to_call, act.pot, DEALS, chance.state
        )
        return answer_for(act, wish)

    return decide


def rivals(act: Act) -> int:
    """Return the number of opponents that the bot expects not to fold."""
    players = act.players
    bets, folded = [player.committed for player in players], [player.has_folded for player in players]
    at = [player.seat for player in players].index(act.seat)
    return decisions.rivals(bets, folded, len(players), at, act.you.to_call, bool(act.community))
