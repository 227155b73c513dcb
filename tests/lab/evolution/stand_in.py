"""A judge that plays no games: measures are a hash of the genome, so that runs are fast."""

from hashlib import blake2b

import msgspec

from pitboss.lab.evolution.archive import GameArchive, Recipe
from pitboss.lab.evolution.breeder import without_name
from pitboss.lab.evolution.run import EvolutionRun, GameTask, Judged
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES


def judged_by_letters(task: GameTask) -> Judged:
    """Measures from 0 to 1, except length, complexity and parts; one game in ten is rejected."""
    game = msgspec.json.encode(without_name(task.genome))
    numbers = {name: blake2b(game, digest_size=4, person=name.encode()[:16]).digest() for name in NAMES}
    shares = {name: int.from_bytes(number, "big") / 2**32 for name, number in numbers.items()}
    if shares["draws"] < 0.1:
        return Judged(refused="its letters are wrong")
    shares["length"] = 8 * 50 ** shares["length"]
    shares["complexity"] = 250 * 4 ** shares["complexity"]
    shares["parts"] = 10 * shares["parts"]
    return Judged({name: Measure(share, 0.9 * share, share) for name, share in shares.items()})


def ran(recipe: Recipe) -> GameArchive:
    """The archive of a run with this judge."""
    run = EvolutionRun(GameArchive(recipe=recipe), lambda tasks: map(judged_by_letters, tasks))
    run.run()
    return run.archive
