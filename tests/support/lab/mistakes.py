"""Puts a mistake into the plain engine, to see that a law or a comparison would notice."""

from types import FunctionType, ModuleType

import pytest

from tests.support.fast.mistakes import mistaken


def make_mistake(monkeypatch: pytest.MonkeyPatch, module: ModuleType, right: str, wrong: str) -> None:
    """Let a module's functions be those of a copy in which one piece of the source is another."""
    copy = mistaken(module, right, wrong)
    for name, function in vars(copy).items():
        if isinstance(function, FunctionType) and function.__module__ == copy.__name__:
            monkeypatch.setattr(module, name, function)
