"""The house bots by name, the strongest first. Each seat gets a new bot with its own random numbers."""

from collections.abc import Callable, Sequence

from pitboss.arena.bots import sharp, simple
from pitboss.arena.bots.toolkit import Bot, BotMaker
from pitboss.arena.wire.answers import Answer, GameAnswer, Question
from pitboss.arena.wire.messages import Ask
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.hand.structure import Structure

__all__ = ["ABOUT", "GAME_BOTS", "HOUSE", "Bot", "BotMaker", "of_any_game", "why_not"]

HOUSE: dict[str, BotMaker] = {
    "sharp": sharp.make,
    "equity": simple.equity,
    "tight": simple.tight,
    "calling": simple.calling,
    "random": simple.random,
    "folding": simple.folding,
}
ABOUT: dict[str, str] = {name: " ".join((make.__doc__ or "").split("\n\n")[0].split()) for name, make in HOUSE.items()}
"""A sentence about each bot."""

LAB_BOTS: dict[str, str] = {
    "greedy": "takes the move that looks best now, in games of the lab",
    "search": "searches the moves that follow, in games of the lab",
}
STING_BOTS: dict[str, str] = {"opponent": "plays as in `pitboss sting play`, at any seat"}
GAME_BOTS: dict[str, str] = LAB_BOTS | STING_BOTS
"""The bots for games other than poker, besides `random`, with a sentence about each."""

_ANY_POKER = ("calling", "random", "folding")
"""The bots that do not look at their cards."""


def of_any_game(bot: Bot, chance: Chance) -> Callable[[Question], Answer | GameAnswer]:
    """Return a house bot that makes a random move where it is asked in a game other than poker."""
    return lambda question: chance.below(len(question.legal)) if isinstance(question, Ask) else bot(question)


def why_not(bot: str, structures: Sequence[Structure], game: str = "") -> str | None:
    """Return why a house bot cannot play these games, as a sentence; None if it can.

    An empty list of games means a table that does not play poker.

    >>> from pitboss import OMAHA
    >>> why_not("tight", [OMAHA])
    "the house bot tight plays hold'em with the full deck only: take calling, random or folding"
    """
    if not structures:
        others = ("random", *(STING_BOTS if game == "sting" else LAB_BOTS))
        return (
            None
            if bot in others
            else f"the house bot {bot} does not play {game}: take {', '.join(others[:-1])} or {others[-1]}"
        )
    if bot in GAME_BOTS:
        return f"the house bot {bot} does not play poker: take {', '.join(_ANY_POKER)}"
    hold_em = all(
        structure.deck == DECK and structure.hole_by_street[-1] == 2 and not structure.special_rules
        for structure in structures
    )
    if hold_em or bot in _ANY_POKER:
        return None
    return f"the house bot {bot} plays hold'em with the full deck only: take calling, random or folding"
