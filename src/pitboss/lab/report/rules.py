"""Single rules of a game in words, without what a rulebook says around them."""

from pitboss.lab.base.english import RANK_NAMES, capital, plural, points
from pitboss.lab.genome.parts import Effect, Genome, LaySets, Scoring
from pitboss.lab.rulebook.extras import effect_sentence, scored_thing, set_sentence


def plain(step: str) -> str:
    """A step of the rulebook without its marks, and without words about where else to look.

    >>> plain("**Bet.** A round of betting, as told below: a bet is 1 chip, and nobody may raise it.")
    'Bet. A round of betting: a bet is 1 chip, and nobody may raise it.'
    """
    return step.replace("**", "").replace(", as told below", "")


def heading(step: str) -> str:
    """The bold word of a step.

    >>> heading("**Play a trick.** Everybody turns up a card.")
    'Play a trick'
    """
    return step.partition("**")[2].partition("**")[0].rstrip(".")


def effect_words(effect: Effect, genome: Genome) -> str:
    """What an effect does; nothing where it cannot matter."""
    if isinstance(effect, LaySets):
        return set_sentence(effect)
    text = effect_sentence(effect, genome)
    return f"{capital(plural(RANK_NAMES[effect.rank]))}: {text}" if text else ""


def scoring_words(rule: Scoring) -> str:
    """What gives how many points."""
    return f"{capital(scored_thing(rule))}: {points(rule.points)}."
