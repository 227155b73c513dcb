"""The list of phase kinds, and functions that call the module of the current phase.

To add a kind, add its module and one line in this list. The index of a kind in the list is its number in a program.
`__init__.py` describes the functions of a module.
"""

from types import ModuleType
from typing import Any

from pitboss.lab.dispatch import Dispatch
from pitboss.lab.genome import Deck, Phase, WinCondition
from pitboss.lab.phases import betting, claim, community, discard, draw, play, trick

KINDS: dict[type[Phase], ModuleType] = {
    draw.DrawPhase: draw,
    play.PlayPhase: play,
    discard.DiscardPhase: discard,
    trick.TrickPhase: trick,
    claim.ClaimPhase: claim,
    community.CommunityPhase: community,
    betting.BettingPhase: betting,
}

TYPES = tuple(KINDS)
MODULES = tuple(KINDS.values())
STATE = {name: text for module in MODULES for name, text in getattr(module, "STATE", {}).items()}
"""The values that the kinds store in the state, with their meanings."""

BETTING = betting.BettingPhase
BY_NAME = {kind.__name__: kind for kind in TYPES}

_ask = Dispatch(__name__, MODULES, "g.kind[s.phase]")

deal: Any = _ask.all("deal", "g, s")
begin: Any = _ask.one("begin", "g, rules, s")
waiting: Any = _ask.one("waiting", "g, s", otherwise="False")
under_way: Any = _ask.one("under_way", "g, s", otherwise="False")
legal: Any = _ask.one("legal", "g, rules, s, moves", otherwise="0")
act: Any = _ask.one("act", "g, rules, s, move")
end: Any = _ask.one("end", "g, s")
face_down: Any = _ask.one("face_down", "g, s", otherwise="False")
own_secrets: Any = _ask.one("own_secrets", "g, s, p", otherwise="0")
revealed: Any = _ask.one("revealed", "g, s, move", otherwise="0")
rate: Any = _ask.one("rate", "g, rules, s, move, rows, work", otherwise="0")
coming: Any = _ask.one("coming", "g, s", otherwise="0")
whim: Any = _ask.one("whim", "g, s", otherwise="0")
guessed: Any = _ask.one("guessed", "g, s", otherwise="False")
likely: Any = _ask.one("likely", "g, s, p", otherwise="1000")
level: Any = _ask.one("level", "g, s", otherwise="0")

_ask_at = Dispatch(__name__, MODULES, "g.kind[at]")

refills: Any = _ask_at.one("refills", "g, s, at", otherwise="False")


def plain_phases(aim: WinCondition) -> tuple[Phase, ...]:
    """Return the simplest phases for an aim."""
    return tuple([_built(**step) for step in aim.plain_steps])


def _built(type: str, **fields: object) -> Phase:
    return BY_NAME[type](**fields)


def plainest(chips: int) -> Phase:
    """Return a phase for a game without phases: a bet of at most this many chips or, if it is 0, playing a card."""
    bet = betting.BettingPhase()
    return play.PlayPhase() if chips <= 0 else betting.BettingPhase(min_bet=min(bet.min_bet, chips))


def number(kind: type[Phase]) -> int:
    """Return the number by which a compiled program identifies this kind of phase."""
    return TYPES.index(kind)


def move_word(deck: Deck, kind: int, move: int) -> str:
    """Return a move in a phase of this kind, in words.

    >>> from pitboss.batch import core
    >>> move_word(Deck(), number(betting.BettingPhase), betting.VERBS + core.CALL)
    'call'
    """
    return TYPES[kind].word(deck, move)
