"""The public names of `pitboss.lab` and the modules they come from: the only list of them."""

from pitboss.lab.files import (
    known_games as known_games,
    load as load,
    read_genome as read_genome,
    write_genome as write_genome,
)
from pitboss.lab.genome import Genome as Genome, GenomeError as GenomeError
from pitboss.lab.solver.solver import Solution as Solution, solve as solve
from pitboss.lab.solver.tree import SolverError as SolverError

__all__: list[str]
_HOME: dict[str, str]
