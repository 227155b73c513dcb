"""Copies of modules with a mistake in them, to see that a comparison would notice."""

import importlib.util
from pathlib import Path
from types import FunctionType, ModuleType

from pitboss.fast.compiled import Function
from pitboss.fast.play import loops
from pitboss.fast.play.backend import PLAIN, Backend, Lockstep


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


def backend_with(flop: ModuleType) -> Backend:
    """Plain play over another `flop`."""
    return PLAIN._replace(run=lambda *_: rebound(loops.run, flop=flop, settle=flop.settle))


def lockstep_of(module: ModuleType) -> Lockstep:
    """The loops of a batch as they are written, not compiled."""
    return Lockstep(*[getattr(module, name) for name in Lockstep._fields])


def rebound(function: Function, **others: object) -> Function:
    """A function for which some of its module's names mean something else."""
    assert isinstance(function, FunctionType)
    return FunctionType(function.__code__, {**function.__globals__, **others}, function.__name__)
