"""What a run's games must have or must not have."""

from msgspec import Struct
from msgspec.inspect import type_info

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, TrickPoints
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

BETTING = ("require", "allow", "forbid")
BY_POINTS: tuple[type[Struct], ...] = (*[kind for kind in wins.TYPES if kind.point], CardPoints, TrickPoints)
"""Parts that no game with betting has, for pots never go by points."""
RULES: tuple[type[Struct], ...] = (CardEffect, LaySets, CardPoints, TrickPoints)


def _tag(kind: type[Struct]) -> str:
    """How a part of this kind is called in a file."""
    return str(getattr(type_info(kind), "tag", kind.__name__))


TYPES: dict[str, type[Struct]] = {_tag(kind): kind for kind in (*phases.TYPES, *wins.TYPES, *RULES)}
"""Every kind of part by the name it has in a file."""


class Constraints(Struct, frozen=True, kw_only=True):
    """What every game of a run must and must not have; `EvolutionError` where nothing can be both."""

    betting: str = "allow"
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.betting not in BETTING:
            raise EvolutionError(f"betting is one of {', '.join(BETTING)}, not {self.betting!r}")
        for name in (*self.pins, *self.bans):
            if name not in TYPES:
                raise EvolutionError(f"there is no part of type {name!r}: there are {', '.join(TYPES)}")
        for name in self.pins:
            if name in self.bans:
                raise EvolutionError(f"{name} is pinned and banned: take one of the two back")
        betting = _tag(phases.BETTING)
        if betting in self.pins and self.betting == "forbid":
            raise EvolutionError(f"{betting} is pinned, but betting is forbidden: take one of the two back")
        if betting in self.bans and self.betting == "require":
            raise EvolutionError(f"{betting} is banned, but betting is required: take one of the two back")
        if self.must_bet and (points := self._by_points):
            asked = "betting is required" if self.betting == "require" else f"so is {betting}"
            raise EvolutionError(f"{points} is pinned, but {asked}, and pots never go by points: take one back")
        aims = [name for name in self.pins if TYPES[name] in wins.TYPES]
        if len(aims) > 1:
            raise EvolutionError(f"{' and '.join(aims)} are both pinned, but a game has one aim: pin one of them")
        if all(_tag(kind) in self.bans for kind in wins.TYPES):
            raise EvolutionError("every win condition is banned, so that no game could be won")

    @property
    def may_bet(self) -> bool:
        """Whether games may have betting."""
        return self.betting != "forbid" and _tag(phases.BETTING) not in self.bans and not self._by_points

    @property
    def must_bet(self) -> bool:
        """Whether all games have betting."""
        return self.betting == "require" or _tag(phases.BETTING) in self.pins

    @property
    def _by_points(self) -> str:
        """A pinned part that leaves no room for betting; empty where there is none."""
        return next((name for name in self.pins if TYPES[name] in BY_POINTS), "")

    @property
    def words(self) -> str:
        """The constraints in words, after "a game with".

        >>> Constraints(betting="require", pins=("ClaimPhase", "best_hand"), bans=("DrawPhase",)).words
        'betting required, ClaimPhase and best_hand pinned, DrawPhase banned'
        """
        betting = {"require": "required", "allow": "allowed", "forbid": "forbidden"}[self.betting]
        asked = {betting: ("betting",), "pinned": self.pins, "banned": self.bans}
        return ", ".join([f"{' and '.join(names)} {how}" for how, names in asked.items() if names])

    def missing(self, genome: Genome) -> tuple[str, ...]:
        """The pinned parts that a game has not."""
        return tuple([name for name in self.pins if name not in parts(genome)])

    def met(self, genome: Genome) -> bool:
        """Whether a game has all it must have and nothing that it must not."""
        found = parts(genome)
        bets = bool(genome.betting_phases)
        if (bets and not self.may_bet) or (not bets and self.must_bet):
            return False
        return all(name in found for name in self.pins) and not any(name in found for name in self.bans)


def parts(genome: Genome) -> frozenset[str]:
    """The types of a game's parts.

    >>> from pitboss.lab.files import load
    >>> sorted(parts(load("kuhn")))
    ['BettingPhase', 'high_card']
    """
    structure = genome.turn_structure.phases, genome.win_conditions, genome.effects, genome.scoring
    return frozenset([_tag(type(part)) for some in structure for part in some])
