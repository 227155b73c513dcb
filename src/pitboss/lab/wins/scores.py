"""What the win conditions that compare points have in common."""

from collections.abc import Iterator
from typing import Any

from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.genome import Genome, LaySets, TrickPoints, collects_cards, has_tricks, reachable_points


def points_made(genome: Genome) -> list[int]:
    """The points of every rule under which some can be made, those of nothing left out."""
    return [points for points in reachable_points(genome) if points]


def no_points(field: str, genome: Genome) -> Iterator[str]:
    """The problem of a game in which nothing ever makes a point."""
    if not points_made(genome):
        yield f"{field}: nothing ever makes a point; scoring or sets that are laid must give some"


def without_points(genome: Genome) -> str:
    """The type of an aim without points: pots never go by points of earlier deals."""
    return "most_tricks" if has_tricks(genome) else "capture_all" if collects_cards(genome) else "best_hand"


def fair_share(genome: Genome) -> float:
    """The points that an average player can have of a deal, at the most."""
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
    """The points that p has, with those that what p has taken will give."""
    total = s.score[p] + g.trick_points * s.tricks[p]
    for k in range(s.won[p]):
        total += g.captured_points[s.captured[p * MOST_CARDS + k]]
    return int(g.win_point[win] * total * g.ranks)
