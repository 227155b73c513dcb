"""Copies of modules with a mistake in them, to see that a comparison would notice."""

import importlib.util
from pathlib import Path
from types import FunctionType, ModuleType

from pitboss.fast.compiled import Function
from pitboss.fast.play import lockstep, run
from pitboss.fast.play.batch import Doors
from pitboss.fast.play.loops import Loop, plain_loop
from tests.fast.twins import RANDOM


def mistaken(module: ModuleType, right: str, wrong: str) -> ModuleType:
    """A copy of a module in which one piece of the source is another."""
    path = Path(str(module.__file__))
    source = path.read_text(encoding="utf-8")
    assert source.count(right) == 1, f"{path.name} has {right!r} {source.count(right)} times"
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_mistaken", path)
    assert spec
    copy = importlib.util.module_from_spec(spec)
    exec(compile(source.replace(right, wrong), path, "exec"), copy.__dict__)
    return copy


def loop_with(holdem: ModuleType) -> Loop:
    """The plain loop over another `holdem`."""
    return plain_loop(RANDOM)._replace(door=rebound(run.run, holdem=holdem))


def doors_of(module: ModuleType = lockstep) -> Doors:
    """The loops of a batch as they are written, not compiled."""
    return Doors(*[getattr(module, name) for name in Doors._fields])


def rebound(function: Function, **others: object) -> Function:
    """A function for which some of its module's names mean something else."""
    assert isinstance(function, FunctionType)
    return FunctionType(function.__code__, {**function.__globals__, **others}, function.__name__)
