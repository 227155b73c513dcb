"""Functions for the win conditions that compare points."""

from collections.abc import Iterator
from typing import Any

from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.genome import Genome, LaySets, TrickPoints, collects_cards, has_tricks, reachable_points


def points_made(genome: Genome) -> list[int]:
    """Return the points, other than 0, of every rule that can give points."""
    return [points for points in reachable_points(genome) if points]


def no_points(field: str, genome: Genome) -> Iterator[str]:
    """Report an error if players can never make a point."""
    if not points_made(genome):
        yield f"{field}: expected a way to make points, got none; add a rule to scoring, or points to LaySets"


def without_points(genome: Genome) -> str:
    """Return the type of an aim without points, for games with betting: pots do not depend on earlier deals."""
    return "most_tricks" if has_tricks(genome) else "capture_all" if collects_cards(genome) else "best_hand"


def fair_share(genome: Genome) -> float:
    """Return the maximum number of points in a deal, divided by the number of players."""
    deck, points = genome.setup.deck, 0
    for rule in genome.scoring:
        if isinstance(rule, TrickPoints):
            points += max(0, rule.points) * genome.setup.cards_per_player
        else:
            ranks, suits = [
                len(kinds) if one == "*" else 1 for one, kinds in zip(rule.cards, (deck.ranks, deck.suits), strict=True)
            ]
            points += max(0, rule.points) * ranks * suits
    for effect in genome.effects:
        if isinstance(effect, LaySets):
            points += max(0, effect.points) * (len(deck.ranks) * len(deck.suits) // effect.size)
    return points / genome.player_count


def standing(g: Any, s: Any, win: int, p: int) -> int:
    """Return the value of p's points, including the points for tricks and cards that p has taken."""
    total = s.score[p] + g.trick_points * s.tricks[p]
    for k in range(s.won[p]):
        total += g.captured_points[s.captured[p * MOST_CARDS + k]]
    return int(g.win_point[win] * total * g.ranks)
