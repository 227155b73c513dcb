"""What a process gives up, step by step, without giving it up here: only the calls to the kernel are checked.

`test_processes` checks from outside that the kernel does what is asked.
"""

import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pitboss.arena.bots import kernel_rules, sandbox
from pitboss.arena.bots.kernel_rules import enter_domain
from pitboss.arena.bots.sandbox import (
    BotLimits,
    Confinement,
    confine,
    drop_capabilities,
    forbid_new_privileges,
    hide_memory,
)

LIMITS = Confinement(limits=BotLimits(memory=1000, file=200))


class Kernel:
    """Records the calls it receives, and answers what a test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, landlock: int = 6) -> None:
        self.limits: dict[int, tuple[int, int]] = {}
        self.hard = resource.RLIM_INFINITY
        self.asked: list[tuple[int, ...]] = []
        self.refused: set[int] = set()
        self.landlock = landlock
        self.closed: list[int] = []
        monkeypatch.setattr(resource, "getrlimit", lambda kind: (7, self.hard))
        monkeypatch.setattr(resource, "setrlimit", self.limits.__setitem__)
        monkeypatch.setattr(os, "close", self.closed.append)
        monkeypatch.setattr(sandbox, "c_library", lambda: self)
        monkeypatch.setattr(kernel_rules, "c_library", lambda: self)
        monkeypatch.setattr(sys, "platform", "linux")

    def prctl(self, option: int, value: Any, *rest: Any) -> int:
        assert [each.value for each in rest] == [0, 0, 0]
        self.asked.append((option, value.value))
        return -1 if option in self.refused else 0

    def syscall(self, number: int, *given: Any) -> int:
        """Create a ruleset 44, and do the rest."""
        plain = [getattr(each, "value", each) for each in given]
        if number == kernel_rules.LANDLOCK_CREATE and plain[0] is None:
            assert plain[1:] == [0, 1]
            return self.landlock
        if number in self.refused:
            return -1
        flat = [tuple(each) if hasattr(each, "__len__") else (each,) for each in plain]
        self.asked.append((number, *[int(part) for parts in flat for part in parts]))
        return 44 if number == kernel_rules.LANDLOCK_CREATE else 0


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """A kernel that accepts every call."""
    return Kernel(monkeypatch)


def test_all_steps_are_taken_and_hiding_is_last(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CAPSET", dict.fromkeys([os.uname().machine], 126))
    assert confine(LIMITS) == []
    assert kernel.limits == {
        resource.RLIMIT_DATA: (1000, 1000),
        resource.RLIMIT_FSIZE: (200, 200),
        resource.RLIMIT_CORE: (0, 0),
    }
    assert kernel.asked == [
        (38, 1),
        (126, 0x20080522, 0, *[0] * 6),
        (444, 1 << 11, 0, 3, 24, 0),
        (446, 44, 0),
        (1, signal.SIGKILL),
        (4, 0),
    ]
    assert kernel.closed == [44]


@pytest.mark.parametrize("hard", [resource.RLIM_INFINITY, 150, 500])
def test_a_limit_is_never_raised_above_the_one_there_is(kernel: Kernel, hard: int) -> None:
    kernel.hard = hard
    confine(LIMITS)
    least = {resource.RLIM_INFINITY: (1000, 200), 150: (150, 150), 500: (500, 200)}[hard]
    assert (kernel.limits[resource.RLIMIT_DATA][1], kernel.limits[resource.RLIMIT_FSIZE][1]) == least


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (38, "new privileges"),
        (126, "the account's capabilities"),
        (444, "access to other processes"),
        (446, "access to other processes"),
        (1, "outliving its parent"),
        (4, "being looked into"),
    ],
)
def test_steps_refused_by_the_kernel_are_reported(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, refused: int, words: str
) -> None:
    monkeypatch.setattr(sandbox, "CAPSET", dict.fromkeys([os.uname().machine], 126))
    kernel.refused = {refused}
    assert confine(LIMITS) == [words]


@pytest.mark.parametrize(("version", "size"), [(1, 8), (5, 8), (6, 24), (7, 24)])
def test_kernel_gets_only_requests_of_its_version(kernel: Kernel, version: int, size: int) -> None:
    kernel.landlock = version
    assert "access to other processes" not in confine(LIMITS)
    assert [asked[4] for asked in kernel.asked if asked[0] == 444] == [size]


@pytest.mark.parametrize("version", [0, -1])
def test_kernel_without_domains_gets_no_domain_request(kernel: Kernel, version: int) -> None:
    kernel.landlock = version
    assert "access to other processes" in confine(LIMITS)
    assert [asked for asked in kernel.asked if asked[0] in (444, 446)] == []


@pytest.mark.parametrize("step", [hide_memory, forbid_new_privileges, drop_capabilities, enter_domain])
def test_other_systems_than_linux_get_no_requests(
    kernel: Kernel, monkeypatch: pytest.MonkeyPatch, step: Callable[[], bool]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not step()
    assert kernel.asked == []


def test_unknown_machine_keeps_its_capabilities(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CAPSET", {})
    assert not drop_capabilities()
    assert kernel.asked == []
