"""Plays the same games plainly and compiled, and compares every column of every game."""

from collections import Counter
from collections.abc import Iterable

from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome
from pitboss.lab.policies.simulate import SeatedGame, seat_players
from tests.support.lab.genomes import some_genome
from tests.support.laws.laws import holds


def compare(genome: Genome, players: str, seed: int, numbers: range) -> Counter[str]:
    """Play the games of these numbers both ways: the same winners, turns, decisions, choices and chips."""
    seated = seat_players(players, genome.player_count)
    plain, compiled = [SeatedGame(genome, seated, seed, compiled=how).play(numbers).tolist() for how in (False, True)]
    for number, one, other in zip(numbers, plain, compiled, strict=True):
        holds("plain and compiled games are the same", one == other, f"game {number}", players, one, other, genome)
    return Counter({"games": len(numbers), "genomes": 1, "columns": sum(map(len, plain))})


def compare_all(genomes: Iterable[Genome], players: str, seed: int, games: int) -> Counter[str]:
    """Compare some games of each."""
    return sum([compare(genome, players, seed, range(games)) for genome in genomes], Counter[str]())


def known() -> list[Genome]:
    """All known games."""
    return [load(name) for name in known_games()]


def drawn(seed: int, count: int) -> list[Genome]:
    """Draw some genomes."""
    return [some_genome(seed, number) for number in range(count)]
