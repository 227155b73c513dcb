"""Plays, explains, varies, measures and evolves games of the toy phase and the toy aim, in a tree that has both.

`python -m tests.support.lab.toy_game` prints the results as one JSON object; `tests/lab/test_kinds.py` makes the
tree.
"""

import json

from pitboss.chance import Chance
from pitboss.lab.evolution.archive import GameArchive, Recipe
from pitboss.lab.evolution.constraints import parts
from pitboss.lab.files import read_genome, write_genome
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome, problems
from pitboss.lab.measures.figures import Figures
from pitboss.lab.measures.measure import check_rules
from pitboss.lab.measures.moments import MIXED
from pitboss.lab.measures.watch import Watcher
from pitboss.lab.policies.simulate import TURNS, WINNERS, SeatedGame, seat_players
from pitboss.lab.rulebook import rulebook
from pitboss.lab.variation.edits import CARD_PHASES, WINS
from pitboss.lab.variation.mutations import OPERATORS, random_genome
from pitboss.lab.variation.tidy import tidy
from tests.lab.evolution.stand_in import ran

GENOME = """{"name": "toy", "setup": {"cards_per_player": 3},
  "turn_structure": {"phases": [{"type": "ToyPhase", "count": %d}], "order": "rounds", "rounds": 2},
  "win_conditions": [{"type": "toy_win"}]}"""


def evolve() -> list[Genome]:
    """The games that a short run finds with both pinned."""
    recipe = Recipe(population=40, generations=3, games=1, seed=5, pins=("ToyPhase", "toy_win"))
    archive: GameArchive = ran(recipe)
    return [cell.genome for cell in archive.cells]


def main() -> None:
    """Use everything once."""
    genome = read_genome(GENOME % 2)
    game = LabGame.dealt(genome, seed=1)
    first = game.moves
    rows = {
        players: SeatedGame(genome, seat_players(players, 2), 1, compiled=False).play(range(20)).tolist()
        for players in ("random", "greedy,random", "search,greedy")
    }
    drawn = [random_genome(Chance(5).fork(number)) for number in range(60)]
    watched = Watcher(genome, 1, compiled=False).watch([MIXED] * 2, range(12), closely=4, budget=2000)
    figures = Figures(genome, watched)
    evolved = evolve()
    counts = {
        phase.numbers(game, 0) for game in evolved for phase in game.turn_structure.phases if phase.label == "Toy"
    }
    changed = OPERATORS["MutateToyPhase"](genome, Chance(1))
    found = {
        "reads back": read_genome(write_genome(genome)) == genome,
        "problems": problems(read_genome(GENOME % 9)),
        "words": [word.split()[0] for word in first],
        "winners": {players: all(row[WINNERS] for row in played) for players, played in rows.items()},
        "turns": {players: sorted({row[TURNS] for row in played}) for players, played in rows.items()},
        "rulebook": "Give 2 of your cards" in rulebook(genome) and "Hold the lowest card." in rulebook(genome),
        "changed": changed is not None and changed.turn_structure.phases[0] != genome.turn_structure.phases[0],
        "drawn phases": any(type(p).__name__ == "ToyPhase" for g in drawn for p in g.turn_structure.phases),
        "drawn wins": any(type(w).__name__ == "ToyWin" for g in drawn for w in g.win_conditions),
        "tidy": parts(tidy(genome)) == {"ToyPhase", "toy_win"},
        "gates": [reason for reason in check_rules(tidy(genome)) if "Toy" in reason],
        "measured": figures.play()["decisions"].mean > 0 and figures.rules()["0 ToyPhase"].mean == 1,
        "evolved": all({"ToyPhase", "toy_win"} <= parts(game) for game in evolved) and len(evolved) > 3,
        "evolved counts": len(counts) > 1,
        "evolved games": sum(LabGame.dealt(game, seed=1).player is not None for game in evolved) > 3,
        "kinds": [len(CARD_PHASES), len(WINS)],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
