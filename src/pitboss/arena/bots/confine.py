"""What a process lets others see of itself and may itself do: memory that nobody reads, limits, no way back to more.

All of it is the kernel's doing and much of it Linux's alone: elsewhere only the limits hold. `confine` says what could
not be had, so that whoever relies on it can tell.
"""

import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

from msgspec import Struct

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITIES_VERSION = 0x20080522
LANDLOCK_CREATE, LANDLOCK_RESTRICT = 444, 446
LANDLOCK_VERSION = 1
MAKE_BLOCK = 1 << 11
"""The one right that the domain takes away, since it must take one: to make a block device. No bot makes any."""
SCOPES = 3
"""No signals and no abstract sockets out of the domain; kernels know this since version 6 of Landlock."""


class BotLimits(Struct, frozen=True, kw_only=True):
    """What a bot's process may use."""

    memory: int = 2 << 30  #: bytes of its own, what it maps of files not counted
    file: int = 256 << 20  #: bytes of the largest file that it writes


def hide_memory() -> bool:
    """Let no process of the same account read this one's memory, descriptors or environment; whether it is so.

    A debugger of the same account is shut out too, and there is no core dump.
    """
    return _prctl(PR_SET_DUMPABLE, 0)


def hide_arguments(shown: str) -> bool:
    """Let `ps` and whoever looks show these words for this process and not its arguments; whether it is so."""
    try:
        fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return False
    begin, end = int(fields[45]), int(fields[46])  # where the kernel has the arguments, as proc(5) counts: 48 and 49
    if not 0 < begin < end:
        return False
    words = shown.encode()[: end - begin - 1]
    ctypes.memset(begin, 0, end - begin)
    ctypes.memmove(begin, words, len(words))
    return True


def confine(limits: BotLimits) -> list[str]:
    """Give up, for good, what a bot does not need; returns what this system cannot take away, in words.

    Call it before the bot's first line runs and before there is a second thread.
    """
    _set(resource.RLIMIT_DATA, limits.memory)
    _set(resource.RLIMIT_FSIZE, limits.file)
    _set(resource.RLIMIT_CORE, 0)
    steps = {
        "new privileges": forbid_new_privileges(),
        "the account's capabilities": drop_capabilities(),
        "a look into other processes": _enter_domain(),
        "outliving its parent": _prctl(PR_SET_PDEATHSIG, signal.SIGKILL),
        "being looked into": hide_memory(),  # last: the steps before may undo it
    }
    return [words for words, done in steps.items() if not done]


def forbid_new_privileges() -> bool:
    """Let no program that is started from here on have more rights than this one; whether it is so."""
    return _prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> bool:
    """Be nobody special, also where the account is root's, who may look into every process; whether it is so."""
    number = CAPSET.get(os.uname().machine)
    if sys.platform != "linux" or number is None:
        return False
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    return bool(_libc().syscall(number, header, none) == 0)


def _set(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> bool:
    if sys.platform != "linux":
        return False
    rest = [ctypes.c_ulong(0)] * 3
    return bool(_libc().prctl(option, ctypes.c_ulong(value), *rest) == 0)


def _enter_domain() -> bool:
    """A Landlock domain of one's own: who is in one cannot trace or signal a process outside of it.

    So a bot cannot take hold of another that has just been started and has not yet hidden itself.
    """
    if sys.platform != "linux":
        return False
    syscall = _libc().syscall
    version = syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(LANDLOCK_VERSION))
    if version < 1:
        return False
    handled = (ctypes.c_uint64 * 3)(MAKE_BLOCK, 0, SCOPES)
    size = 24 if version >= 6 else 8  # older kernels know the first field alone
    ruleset = syscall(LANDLOCK_CREATE, handled, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        return bool(syscall(LANDLOCK_RESTRICT, ruleset, ctypes.c_uint32(0)) == 0)
    finally:
        os.close(ruleset)
