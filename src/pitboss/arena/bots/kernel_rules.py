"""Rules of the Linux kernel that a process sets for itself: Landlock for files, TCP and signals, and seccomp for system
calls.

Neither needs root. Both also apply to all child processes. They are set through `ctypes`.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 38, 22
FILTER_MODE = 2

LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION = 1
PATH_BENEATH = 1
MAKE_BLOCK = 1 << 11
"""The right to make a block device. A domain must forbid at least one right; the weak domain forbids only this one."""
SCOPES = 3
"""Refuse signals and abstract sockets to processes outside the domain. Kernels support this since Landlock 6."""
TCP = 3
"""The rights to bind and to connect, since version 4."""
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
FILE_RIGHTS_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
RIGHTS_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
"""The rights that apply to files that are not folders. The last two are truncate and ioctl."""

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x4000_0000
"""The first number of the x32 system calls, which x86-64 also accepts."""

_COLUMNS = ("x86_64", "aarch64")
_NUMBERS: dict[str, tuple[int, int | None]] = {  # name: (x86-64, AArch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chmod": (90, None),
    "chown": (92, None),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "delete_module": (176, 106),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "fcntl": (72, 25),
    "file_setattr": (469, 469),
    "finit_module": (313, 273),
    "flock": (73, 32),
    "fremovexattr": (199, 16),
    "fsconfig": (431, 431),
    "fsetxattr": (190, 7),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "futimesat": (261, None),
    "init_module": (175, 105),
    "inotify_add_watch": (254, 27),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lchown": (94, None),
    "lremovexattr": (198, 15),
    "lsetxattr": (189, 6),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "mincore": (27, 232),
    "mmap": (9, 222),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "preadv2": (327, 286),
    "prlimit64": (302, 261),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "removexattr": (197, 14),
    "removexattrat": (466, 466),
    "request_key": (249, 218),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "semget": (64, 190),
    "sendmmsg": (307, 269),
    "sendmsg": (46, 211),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "setsid": (112, 157),
    "setsockopt": (54, 208),
    "settimeofday": (164, 170),
    "setxattr": (188, 5),
    "setxattrat": (463, 463),
    "shmget": (29, 194),
    "socket": (41, 198),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "utime": (132, None),
    "utimensat": (280, 88),
    "utimes": (235, None),
}
_SPECIAL = {"clone", "clone3", "close_range", "fcntl", "flock", "mmap", "prlimit64", "setsockopt", "socket"}
UNSEEN = {"sendmmsg", "sendmsg"}
"""Calls that can keep a file open without a process that has it open. The size of such a file cannot be measured."""
METADATA = {
    "chmod", "chown", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "file_setattr", "fremovexattr",
    "fsetxattr", "futimesat", "lchown", "lremovexattr", "lsetxattr", "removexattr", "removexattrat", "setxattr",
    "setxattrat", "utime", "utimensat", "utimes",
}  # fmt: skip
"""Calls that change a file without opening it, which Landlock allows."""
REFUSED = tuple(sorted(set(_NUMBERS) - _SPECIAL - UNSEEN - METADATA))
"""The calls that always fail. They change other processes or the machine, leave the process group, allocate memory that
no limit counts, or show when another bot opens or reads a file."""

NEW_NAMESPACES = 0x7E02_0080
"""The flags of `clone` that make namespaces."""
THREAD, SHARED_FILES = 1 << 16, 1 << 10
"""The flags of `clone` that make a thread, and that share the open files with it."""
OWN_FILES = 1 << 1
"""The flag of `close_range` that gives a thread its own table of open files, which could not be measured."""
SHARED_AND_ANONYMOUS, GROWS_DOWN = 0x21, 0x100
TELLING_COMMANDS = (5, 36, 37, 38, 1024, 1026)
"""Commands of `fcntl` that show what another process does with a file: locks, leases, and changes in a folder. Two of
them, 37 and 38, make locks that every process can see in `/proc/locks`."""
SOCKET_LEVEL, BUFFER_SIZES = 1, (7, 8)
FAMILIES = (1, 2, 10, 16)
"""The kinds of sockets that a network namespace encloses: of this machine, IPv4, IPv6 and netlink."""

_LOAD, _AND, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_Step = tuple[int, int, int, int]


def refuse_calls(*, strict: bool) -> bool:
    """Make the kernel refuse system calls that no bot needs; return whether that worked.

    If `strict`, also refuse calls that namespaces would make harmless: new sockets, and changes of a file's owner, mode
    or times.
    """
    machine = os.uname().machine
    if sys.platform != "linux" or machine not in AUDIT_ARCH:
        return False
    steps = filter_program(machine, strict=strict)
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer)))
    return control_process(PR_SET_NO_NEW_PRIVS, 1) and control_process(
        PR_SET_SECCOMP, FILTER_MODE, ctypes.addressof(program)
    )


def filter_program(machine: str, *, strict: bool) -> list[_Step]:
    """Return the filter as a BPF program: each step has a code, two jumps and a number."""
    numbers = {name: row[_COLUMNS.index(machine)] for name, row in _NUMBERS.items()}
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    pretend = (_RETURN, 0, 0, _ERROR)
    allow = (_RETURN, 0, 0, _ALLOW)
    steps = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 0, 1, X32),
        refuse,
    ]

    def on(name: str, body: Sequence[_Step]) -> None:
        number = numbers[name]
        if number is not None:  # this machine has the call
            steps.append((_EQUAL, 0, len(body), number))
            steps.extend(body)

    for name in (*REFUSED, *(sorted(UNSEEN | METADATA) if strict else ())):
        on(name, [refuse])
    on("clone3", [(_RETURN, 0, 0, _ERROR | errno.ENOSYS)])  # its flags cannot be checked
    own_files = [(_ANY_BIT, 0, 2, THREAD), (_ANY_BIT, 1, 0, SHARED_FILES), refuse, allow]
    on("clone", [_argument(0), (_ANY_BIT, 0, 1, NEW_NAMESPACES), refuse, *own_files])
    on("close_range", [_argument(2), (_ANY_BIT, 0, 1, OWN_FILES), refuse, allow])
    on("prlimit64", [_argument(0), (_EQUAL, 1, 0, 0), refuse, allow])
    on(
        "mmap",
        [
            _argument(3),
            (_ANY_BIT, 2, 0, GROWS_DOWN),
            (_AND, 0, 0, SHARED_AND_ANONYMOUS),
            (_EQUAL, 0, 1, SHARED_AND_ANONYMOUS),
            refuse,
            allow,
        ],
    )
    # A bot could send messages by locks on a file that all bots can read. Honest programs only need locks between their
    # own processes.
    on("flock", [pretend])
    telling = [(_EQUAL, len(TELLING_COMMANDS) - at, 0, command) for at, command in enumerate(TELLING_COMMANDS)]
    on("fcntl", [_argument(1), *telling, allow, refuse])
    sizes = [(_EQUAL, len(BUFFER_SIZES) - at, 0, size) for at, size in enumerate(BUFFER_SIZES)]
    on("setsockopt", [_argument(1), (_EQUAL, 0, 1 + len(sizes), SOCKET_LEVEL), _argument(2), *sizes, allow, pretend])
    kinds = () if strict else FAMILIES
    known = [(_EQUAL, len(kinds) - at, 0, kind) for at, kind in enumerate(kinds)]
    on("socket", [_argument(0), *known, refuse, allow])
    return [*steps, allow]


def _argument(at: int) -> _Step:
    """Load the lower half of an argument. The kernel ignores the upper half of the arguments that the filter checks."""
    return (_LOAD, 0, 0, 16 + 8 * at)


def enter_domain(
    readable: Iterable[str] | None = None, writable: Iterable[str] = (), listable: Iterable[str] = ()
) -> bool:
    """Enter a new Landlock domain; return whether the kernel supports everything that was requested.

    Processes inside the domain cannot trace or signal processes outside. If `readable` is given, only these files, and
    files in the `readable` and `writable` folders, can be opened, and TCP connections are refused. The names in
    `listable` folders can be read.
    """
    if sys.platform != "linux":
        return False
    syscall = c_library().syscall
    version = syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(LANDLOCK_VERSION))
    if version < 1:
        return False
    strict = readable is not None
    rights = FILE_RIGHTS_OF_VERSION[min(version, 5)] if strict else MAKE_BLOCK
    handled = (ctypes.c_uint64 * 3)(rights, TCP if strict else 0, SCOPES)
    size = 24 if version >= 6 else 16 if strict and version >= 4 else 8  # older kernels know fewer fields
    ruleset = syscall(LANDLOCK_CREATE, handled, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        for path in readable or ():
            _grant(ruleset, path, rights & (EXECUTE | READ_FILE | READ_FOLDER))
        for path in listable:
            _grant(ruleset, path, rights & READ_FOLDER)
        for path in writable:
            _grant(ruleset, path, rights)
        return bool(syscall(LANDLOCK_RESTRICT, ruleset, ctypes.c_uint32(0)) == 0) and (not strict or version >= 6)
    finally:
        os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    with suppress(OSError):  # a path that does not exist needs no rule
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(path):
                rights &= RIGHTS_OF_A_FILE
            rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, handle))
            c_library().syscall(LANDLOCK_ADD, ruleset, PATH_BENEATH, rule, ctypes.c_uint32(0))
        finally:
            os.close(handle)


def c_library() -> ctypes.CDLL:
    """The C library of this process."""
    return ctypes.CDLL(None, use_errno=True)


def control_process(option: int, value: int, second: int = 0) -> bool:
    """Call `prctl` with an option; return whether the call succeeded."""
    if sys.platform != "linux":
        return False
    rest = [ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0)]
    return bool(c_library().prctl(option, ctypes.c_ulong(value), *rest) == 0)
