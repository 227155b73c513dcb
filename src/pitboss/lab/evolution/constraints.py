"""The parts that the games of a run must have or must not have."""

from msgspec import Struct
from msgspec.inspect import type_info

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.genome import CardEffect, CardPoints, Genome, LaySets, TrickPoints
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

BETTING = ("require", "allow", "forbid")
BY_POINTS: tuple[type[Struct], ...] = (*[kind for kind in wins.TYPES if kind.point], CardPoints, TrickPoints)
"""Parts that a game with betting cannot have, because points never win pots."""
RULES: tuple[type[Struct], ...] = (CardEffect, LaySets, CardPoints, TrickPoints)


def _tag(kind: type[Struct]) -> str:
    """Return the name of this kind of part in a file."""
    return str(getattr(type_info(kind), "tag", kind.__name__))


TYPES: dict[str, type[Struct]] = {_tag(kind): kind for kind in (*phases.TYPES, *wins.TYPES, *RULES)}
"""Every kind of part, by its name in a file."""


class Constraints(Struct, frozen=True, kw_only=True):
    """What every game of a run must have and must not have. Raises `EvolutionError` if this is contradictory."""

    betting: str = "allow"
    pins: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.betting not in BETTING:
            raise EvolutionError(f"betting: expected one of {', '.join(BETTING)}, got {self.betting!r}")
        for name in (*self.pins, *self.bans):
            if name not in TYPES:
                raise EvolutionError(f"pins and bans: expected types among {', '.join(TYPES)}, got {name!r}")
        for name in self.pins:
            if name in self.bans:
                raise EvolutionError(f"{name} is both pinned and banned: remove one of the two")
        betting = _tag(phases.BETTING)
        if betting in self.pins and self.betting == "forbid":
            raise EvolutionError(f"{betting} is pinned, but betting is forbidden: remove one of the two")
        if betting in self.bans and self.betting == "require":
            raise EvolutionError(f"{betting} is banned, but betting is required: remove one of the two")
        if self.must_bet and (points := self._by_points):
            other = "betting is required" if self.betting == "require" else f"so is {betting}"
            raise EvolutionError(f"{points} is pinned, but {other}, and points never win pots: remove one of the two")
        aims = [name for name in self.pins if TYPES[name] in wins.TYPES]
        if len(aims) > 1:
            raise EvolutionError(f"{' and '.join(aims)} are pinned, but a game has one aim: pin only one of them")
        if all(_tag(kind) in self.bans for kind in wins.TYPES):
            raise EvolutionError("every win condition is banned: allow at least one")

    @property
    def may_bet(self) -> bool:
        """Whether games may have betting."""
        return self.betting != "forbid" and _tag(phases.BETTING) not in self.bans and not self._by_points

    @property
    def must_bet(self) -> bool:
        """Whether all games must have betting."""
        return self.betting == "require" or _tag(phases.BETTING) in self.pins

    @property
    def _by_points(self) -> str:
        """The name of a pinned part that excludes betting, or an empty text."""
        return next((name for name in self.pins if TYPES[name] in BY_POINTS), "")

    @property
    def words(self) -> str:
        """The constraints in words that can follow "a game with".

        >>> Constraints(betting="require", pins=("ClaimPhase", "best_hand"), bans=("DrawPhase",)).words
        'betting required, ClaimPhase and best_hand pinned, DrawPhase banned'
        """
        betting = {"require": "required", "allow": "allowed", "forbid": "forbidden"}[self.betting]
        wanted = {betting: ("betting",), "pinned": self.pins, "banned": self.bans}
        return ", ".join([f"{' and '.join(names)} {how}" for how, names in wanted.items() if names])

    def missing(self, genome: Genome) -> tuple[str, ...]:
        """Return the pinned parts that a game does not have."""
        return tuple([name for name in self.pins if name not in parts(genome)])

    def met(self, genome: Genome) -> bool:
        """Return whether a game has everything that it must have and nothing that it must not have."""
        found = parts(genome)
        bets = bool(genome.betting_phases)
        if (bets and not self.may_bet) or (not bets and self.must_bet):
            return False
        return all(name in found for name in self.pins) and not any(name in found for name in self.bans)


def parts(genome: Genome) -> frozenset[str]:
    """Return the types of a game's parts.

    >>> from pitboss.lab import load
    >>> sorted(parts(load("kuhn")))
    ['BettingPhase', 'high_card']
    """
    structure = genome.turn_structure.phases, genome.win_conditions, genome.effects, genome.scoring
    return frozenset([_tag(type(part)) for some in structure for part in some])
