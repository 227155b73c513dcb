"""The house bots by name, the strongest first, each made anew for every seat with a chance of its own."""

from pitboss.arena.bots import calling, equity, folding, random_, sharp, tight
from pitboss.arena.bots.reading import Bot, Maker

__all__ = ["ABOUT", "HOUSE", "Bot", "Maker"]

_MODULES = {"sharp": sharp, "equity": equity, "tight": tight, "calling": calling, "random": random_, "folding": folding}

HOUSE: dict[str, Maker] = {name: module.make for name, module in _MODULES.items()}
ABOUT: dict[str, str] = {name: (module.__doc__ or "").partition("\n")[0] for name, module in _MODULES.items()}
"""What each does, in a sentence."""
