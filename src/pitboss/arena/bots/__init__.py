"""The house bots by name, the strongest first, each made anew for every seat with a chance of its own."""

from pitboss.arena.bots import calling, equity, folding, random_, sharp, tight
from pitboss.arena.bots.reading import Bot, Maker
from pitboss.cards import DECK
from pitboss.hand.structure import Structure

__all__ = ["ABOUT", "HOUSE", "Bot", "Maker", "why_not"]

_MODULES = {"sharp": sharp, "equity": equity, "tight": tight, "calling": calling, "random": random_, "folding": folding}

HOUSE: dict[str, Maker] = {name: module.make for name, module in _MODULES.items()}
ABOUT: dict[str, str] = {name: (module.__doc__ or "").partition("\n")[0] for name, module in _MODULES.items()}
"""What each does, in a sentence."""

_ANY_POKER = ("calling", "random", "folding")
"""Those that do not look at their cards."""


def why_not(bot: str, structure: Structure | None) -> str | None:
    """Why a house bot cannot play a structure, or for None a game that is no poker, in a sentence; None where it can.

    >>> from pitboss.hand.games import OMAHA
    >>> why_not("tight", OMAHA)
    "the house bot tight plays hold'em with the full deck only: take calling, random or folding"
    """
    if structure is None:
        return None if bot == "random" else f"the house bot {bot} plays poker only: take random"
    hold_em = structure.deck == DECK and structure.own_by[-1] == 2
    if hold_em or bot in _ANY_POKER:
        return None
    return f"the house bot {bot} plays hold'em with the full deck only: take calling, random or folding"
