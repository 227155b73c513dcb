"""The house bots by name, the strongest first, each made anew for every seat with a chance of its own."""

from collections.abc import Sequence

from pitboss.arena.bots import calling, equity, folding, random_, sharp, tight
from pitboss.arena.bots.toolkit import Bot, BotMaker
from pitboss.cards import DECK
from pitboss.hand.structure import Structure

__all__ = ["ABOUT", "HOUSE", "Bot", "BotMaker", "why_not"]

_MODULES = {"sharp": sharp, "equity": equity, "tight": tight, "calling": calling, "random": random_, "folding": folding}

HOUSE: dict[str, BotMaker] = {name: module.make for name, module in _MODULES.items()}
ABOUT: dict[str, str] = {name: (module.__doc__ or "").partition("\n")[0] for name, module in _MODULES.items()}
"""What each does, in a sentence."""

_ANY_POKER = ("calling", "random", "folding")
"""Those that do not look at their cards."""


def why_not(bot: str, structures: Sequence[Structure]) -> str | None:
    """Why a house bot cannot play at a table of these structures, in a sentence; None if it can.

    Without games, the table does not play poker.

    >>> from pitboss.hand.games import OMAHA
    >>> why_not("tight", [OMAHA])
    "the house bot tight plays hold'em with the full deck only: take calling, random or folding"
    """
    if not structures:
        return None if bot == "random" else f"the house bot {bot} plays poker only: take random"
    hold_em = all(structure.deck == DECK and structure.hole_by_street[-1] == 2 for structure in structures)
    if hold_em or bot in _ANY_POKER:
        return None
    return f"the house bot {bot} plays hold'em with the full deck only: take calling, random or folding"
