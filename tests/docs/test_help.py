"""`help()` begins with a short signature, and every public name has an example that runs."""

import inspect
import pydoc
import re
from importlib import import_module
from typing import Any

import pytest

import pitboss
from pitboss import Hand, Table
from pitboss.arena.protocol.page import example_of
from tests.docs.test_homes import HOMES, ROOT
from tests.support.for_each import for_each

LONGEST = 100
MESSAGES = "pitboss.arena.wire.messages"
"""The messages of the protocol. The reference of `pitboss.client` shows each of them as JSON."""
BRIEF: dict[str, Any] = {
    "equity": pitboss.equity,
    "equity_of": pitboss.equity_of,
    "evaluate": pitboss.evaluate,
    "simulate": pitboss.simulate,
    "Batch": pitboss.Batch,
    "Table": Table,
    "Table.open": Table.open,
    "Hand.deal": Hand.deal,
}


def first_line(value: Any) -> str:
    """Return the first line of help, which shows how a name is called."""
    shown = pydoc.plain(pydoc.render_doc(value)).splitlines()[2:5]
    line = shown[1].removeprefix(" |  ") if shown[0].startswith("class ") else shown[0]
    return line.partition(" method of ")[0]


@for_each("name", BRIEF)
def test_help_begins_with_a_short_signature(name: str) -> None:
    line = first_line(BRIEF[name])
    assert line.endswith(", **options)")
    assert len(line) <= LONGEST
    assert "|" not in line
    assert ":" not in line, "no types"


@for_each("name", sorted(BRIEF.keys() - {"Table"}))
def test_arguments_that_the_signature_leaves_out_are_in_the_docstring(name: str) -> None:
    value = BRIEF[name]
    function = value.__init__ if inspect.isclass(value) else getattr(value, "__func__", value)
    code = function.__code__
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    hidden = set(given) - set(inspect.signature(function).parameters)
    assert hidden
    assert [argument for argument in sorted(hidden) if not re.search(rf"\b{argument}\b", value.__doc__ or "")] == []


def test_a_short_signature_accepts_all_arguments() -> None:
    assert inspect.signature(pitboss.equity).bind("AA", "KK", samples=10).kwargs == {"samples": 10}
    assert inspect.signature(pitboss.Batch).bind(3, stacks=500).args == (3,)
    with pytest.raises(TypeError, match="nonsense"):
        pitboss.equity("AA", "KK", nonsense=1)  # type: ignore[call-arg]  # wrong on purpose


@for_each("home", HOMES)
def test_every_public_function_and_class_has_an_example(home: str) -> None:
    module = import_module(home)
    named = {name: getattr(module, name) for name in module.__all__}
    ours: dict[str, Any] = {
        name: value
        for name, value in named.items()
        if (inspect.isclass(value) or inspect.isroutine(value)) and value.__module__.startswith("pitboss")
    }
    assert len(ours) > 5
    without = [name for name, value in ours.items() if ">>>" not in (value.__doc__ or "")]
    assert [name for name in without if ours[name].__module__ != MESSAGES] == []
    reference = (ROOT / "docs" / "reference" / "client.md").read_text(encoding="utf-8")
    for name in without:
        message: Any = ours[name]
        assert example_of(message) is not None, name
        section = reference.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert "As JSON:" in section, name
