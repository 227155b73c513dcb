"""The C++ reference of compiled play and exact equity: built on the spot, where there is a compiler."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from ctypes import CDLL, Array, Structure, byref, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, cast
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from pitboss.betting.rules import Rules
from pitboss.fast.lookup import Ranks, plain_ranks
from pitboss.fast.play.backend import FLAGS, NUMBERS, ROWS, plain_table
from pitboss.fast.play.setup import MOST_SEATS, setup
from pitboss.fast.play.simulate import BLOCK
from pitboss.stats import Mean

SOURCES = [Path(__file__).with_name(name) for name in ("reference.cpp", "reference_equity.cpp")]
OPTIONS = ("-std=c++17", "-O3", "-shared", "-fPIC")
OWN = "-march=native"
"""For this very processor, as Numba compiles too; some compilers have no such word."""


class NoReference(Exception):
    """It could not be built."""


class NoCompiler(NoReference):
    """There is nothing to build it with."""


class Played(Struct, frozen=True):
    """The result of some hands."""

    actions: int
    sums: tuple[int, ...]  #: winnings by seat
    squares: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]  #: by hand and seat; empty unless requested

    def winnings(self, hands: int) -> tuple[Mean, ...]:
        """By seat, with its variance, as `simulate` adds it up."""
        return tuple([Mean.of_sums(hands, *both) for both in zip(self.sums, self.squares, strict=True)])


class Reference:
    """The compiled reference."""

    def __init__(self, library: Path, compiler: str) -> None:
        self.compiler = compiler
        self._library = CDLL(str(library))
        self._library.simulate.restype = c_int64

    @classmethod
    def build(cls, folder: Path) -> "Reference":
        """Compile into a folder."""
        command = next(filter(None, map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))), None)
        if command is None:
            raise NoCompiler("there is no C++ compiler: install one, or name it in CXX")
        library = folder / "reference.so"
        for options in ([OWN], []):
            done = _run(command, *options, *OPTIONS, "-o", str(library), *map(str, SOURCES))
            if not done.returncode:
                return cls(library, _run(command, "--version").stdout.partition("\n")[0])
        raise NoReference(f"{command} did not compile the reference: {done.stderr.strip()}")

    def simulate(self, hands: int, seats: int, seed: int, *, keep: bool = False) -> Played:
        """Play what `simulate(hands, seats=seats, seed=seed, cores=1)` plays; with `keep` in one block."""
        settings = setup(seats)
        table = plain_table(settings)
        rules = _Rules(*[int(getattr(table.rules[0], name)) for name in Rules.__struct_fields__])
        templates = (_State * len(table.templates))(*map(_state, table.templates))
        block = hands if keep else min(BLOCK, hands)
        stacks, sums, squares = (c_int64 * (block * seats))(), (c_int64 * seats)(), (c_int64 * seats)()
        actions = self._library.simulate(
            byref(rules),
            templates,
            c_int64(len(templates)),
            _row(table.seats),
            _row(settings.steps),
            byref(_ranks()[0]),
            c_uint64(seed),
            c_int64(hands),
            c_int64(block),
            stacks,
            _row(settings.stacks),
            sums,
            squares,
        )
        finishing = [tuple(stacks[at : at + seats]) for at in range(0, hands * seats, seats)] if keep else []
        return Played(actions, tuple(sums), tuple(squares), tuple(finishing))

    def dealt(self, deal: Sequence[int]) -> tuple[int, ...]:
        """How many boards each of two hands wins alone (entries 0 and 2) and shares (1 and 3), every board dealt."""
        return self._counts(self._library.deal_boards, deal)

    def counted(self, deal: Sequence[int]) -> tuple[int, ...]:
        """The same by the algorithm of `pitboss.fast.equity.holdem_loops`."""
        return self._counts(self._library.count_deal, deal)

    def _counts(self, function: Any, deal: Sequence[int]) -> tuple[int, ...]:
        counts = (c_int64 * 4)()
        function(byref(_ranks()[0]), bytes(deal), counts)
        return tuple(counts)


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


class _Rules(Structure):
    """A betting system's settings, as reference.cpp reads them."""

    _fields_ = [(name, c_int64) for name in Rules.__struct_fields__]


class _State(Structure):
    """One hand's numbers."""

    _fields_ = [
        *[(name, c_int64) for name in NUMBERS],
        *[(name, c_int64 * MOST_SEATS) for name in ROWS],
        *[(name, c_uint8 * MOST_SEATS) for name in FLAGS],
    ]


class _Ranks(Structure):
    """Where the lookup tables lie."""

    _fields_ = [(name, c_void_p) for name in Ranks._fields]


def _state(template: Any) -> _State:
    rows = [tuple(map(int, getattr(template, name))) for name in ROWS + FLAGS]
    return _State(*[int(getattr(template, name)) for name in NUMBERS], *rows)


def _row(numbers: Any) -> Array[c_int64]:
    return (c_int64 * len(numbers))(*map(int, numbers))


@cache
def _ranks() -> tuple[_Ranks, list[Array[Any]]]:
    """The addresses, and what must stay alive for them."""
    kinds: tuple[Any, ...] = (c_int64, c_int64, c_uint32, c_uint16, c_uint16, c_uint16)
    tables = [(kind * len(table))(*table) for kind, table in zip(kinds, plain_ranks(), strict=True)]
    return _Ranks(*[cast(table, c_void_p) for table in tables]), tables
