"""The players of the house: each sees what its place may see, draws on the chance it is given, and answers."""

from collections.abc import Callable
from typing import TypeAlias

from pitboss.arena.bots import calling, folding, random_, tight
from pitboss.betting.actions import BettingAction
from pitboss.chance import Chance
from pitboss.hand.hand import Hand

Bot: TypeAlias = Callable[[Hand, Chance], BettingAction]

HOUSE: dict[str, Bot] = {
    "tight": tight.decide,
    "calling": calling.decide,
    "random": random_.decide,
    "folding": folding.decide,
}
