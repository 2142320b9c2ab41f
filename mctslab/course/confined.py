"""Confine this process with the means of Linux, before it runs code that nobody has read.

Landlock leaves it one folder to write in and a few to read; a filter of system calls takes away the
network, other processes, and changing the owner of a file. Both work for any user, as root and
inside a container, and last until the process ends. There is a library for Landlock on PyPI, but it
handles only files; these few system calls are all we need.

macOS, Windows and old kernels have nothing like it, and `what_is_missing` says so.
"""

import ctypes
import functools
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final


def what_is_missing() -> str:
    """Why this system cannot confine a process, in half a sentence; empty if it can."""
    if sys.platform != "linux":
        return f"{platform.system()} cannot do this without further rights"
    if _landlock_version() < 1:
        return "this Linux has no Landlock (it needs kernel 5.13, and can be switched off)"
    if platform.machine() not in _FORBIDDEN or _prctl(_GET_SECCOMP) < 0:
        return "system calls cannot be filtered here"
    return ""


def confine(writable: Path, readable: Iterable[Path], names_only: Iterable[Path]) -> None:
    """Restrict this process, for good, to these files and to itself.

    Args:
        writable: the folder where it may do anything.
        readable: files and folders that it may read.
        names_only: folders of which it may see what is in them, but not read it.

    Raises:
        OSError: the kernel refuses.
    """
    if len(os.listdir("/proc/self/task")) > 1:
        raise OSError("a thread that is already running would not be confined")
    _give_up_privileges()
    _restrict_files(writable, readable, names_only)
    _restrict_calls()


def all_but(folder: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """The parts of a folder without the hidden ones: the folder itself if it contains none of
    them."""
    if folder in hidden:
        return
    if not any(folder in each.parents for each in hidden):
        yield folder
        return
    for below in sorted(folder.iterdir()):
        yield from all_but(below, hidden)


# The kernel

_SET_DEATH_SIGNAL: Final = 1
_GET_SECCOMP: Final = 21
_SET_SECCOMP: Final = 22
_DROP_BOUND: Final = 24
_NO_NEW_PRIVILEGES: Final = 38


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _syscall(number: int, *arguments: Any) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(_libc().syscall(ctypes.c_long(number), *words))


def _prctl(*arguments: Any) -> int:
    words = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    return int(_libc().prctl(*words, *[ctypes.c_ulong(0)] * (5 - len(words))))


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def die_with_parent() -> None:
    """Let this process end when the one that started it ends, for whatever reason."""
    if sys.platform == "linux":
        _prctl(_SET_DEATH_SIGNAL, 9)


def _give_up_privileges() -> None:
    """Whatever root may do besides reading and writing files, such as mounting and shutting
    down."""
    _check(_prctl(_NO_NEW_PRIVILEGES, 1), "no new privileges")
    kept = 1 << _ANY_FILE
    for number in range(64):
        if number != _ANY_FILE:
            _prctl(_DROP_BOUND, number)
    if os.geteuid() == 0:
        header = struct.pack("Ii", 0x20080522, 0)
        _check(_libc().capset(header, struct.pack("6I", kept, kept, 0, 0, 0, 0)), "capset")


_ANY_FILE: Final = 1
"""The capability to open files whatever their mode: Landlock says which."""


# Files

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _USE_DEVICE = 1 << 14, 1 << 15
_OF_FILES: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _USE_DEVICE
_SPECIAL: Final = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11
"""Devices, sockets and pipes, which nobody may make."""
_RIGHTS: Final = (13, 13, 14, 15, 15, 16)
"""How many file rights each version of Landlock has, from 1 on."""
_NETWORK: Final = 3
_SCOPES: Final = 3


def _landlock_version() -> int:
    return _syscall(_CREATE_RULESET, None, 0, 1)


def _restrict_files(writable: Path, readable: Iterable[Path], names_only: Iterable[Path]) -> None:
    version = _landlock_version()
    every = (1 << _RIGHTS[min(version, len(_RIGHTS)) - 1]) - 1
    attributes = struct.pack("QQQ", every, _NETWORK, _SCOPES)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _check(_syscall(_CREATE_RULESET, attributes, size, 0), "Landlock")
    _allow(rules, writable, every & ~_SPECIAL)
    for path in readable:
        _allow(rules, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in names_only:
        _allow(rules, path, _READ_DIR)
    for name in ("null", "zero", "urandom", "random"):
        _allow(rules, Path("/dev", name), (_READ_FILE | _WRITE_FILE) & every)
    _check(_syscall(_RESTRICT_SELF, rules, 0), "Landlock")
    os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    """Allow something below a path, if there is one."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not path.is_dir():
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, opened)
        _check(_syscall(_ADD_RULE, rules, 1, rule, 0), f"Landlock for {path}")
    finally:
        os.close(opened)


# System calls: processes and signals, the network, what outlives a process, owners of files

_FORBIDDEN: Final[Mapping[str, tuple[int, Sequence[int]]]] = {
    "x86_64": (
        0xC000003E,
        (
            *(41, 57, 58, 59, 322, 62, 200, 101, 310, 311, 141, 272, 308, 304),
            *(29, 64, 68, 240, 425, 321, 298, 323, 248, 249, 250, 76),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(198, 221, 281, 129, 130, 117, 270, 271, 140, 97, 268, 265),
            *(194, 190, 186, 180, 425, 280, 241, 282, 217, 218, 219, 45),
        ),
    ),
}
"""For each machine its name in the kernel, and the numbers of the calls that are refused."""
_EVERYWHERE: Final = (424, 434, 438)
"""Signals to other processes, and their files, by a descriptor."""
_WITHOUT_EFFECT: Final[Mapping[str, Sequence[int]]] = {
    "x86_64": (
        *(90, 91, 92, 93, 94, 132, 235, 261, 260, 268, 280, 452),
        *(188, 189, 190, 197, 198, 199),
    ),
    "aarch64": (52, 53, 54, 55, 88, 452, 5, 6, 7, 14, 15, 16),
}
"""Permissions and times of a file: copying a file ends with these."""
_CLONE: Final[Mapping[str, int]] = {"x86_64": 56, "aarch64": 220}
_SIGNAL_A_THREAD: Final[Mapping[str, int]] = {"x86_64": 234, "aarch64": 131}
_SET_LIMITS: Final[Mapping[str, int]] = {"x86_64": 302, "aarch64": 261}
_NEWER_CLONE: Final = 435
_MAKES_A_THREAD: Final = 0x10000
_ALLOW, _DO_NOTHING, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000, 0x00050001, 0x00050026
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


def _restrict_calls() -> None:
    machine = platform.machine()
    name, numbers = _FORBIDDEN[machine]
    own = os.getpid()
    steps = [
        (_LOAD, 0, 0, 4),
        (_IF_EQUAL, 1, 0, name),
        (_RETURN, 0, 0, _REFUSE),  # a call in the way of another machine
        (_LOAD, 0, 0, 0),
        (_IF_AT_LEAST, 0, 1, 0x40000000),
        (_RETURN, 0, 0, _REFUSE),
        (_IF_EQUAL, 0, 1, _NEWER_CLONE),
        (_RETURN, 0, 0, _UNKNOWN),  # then threads are made by the older call
        (_IF_EQUAL, 0, 4, _CLONE[machine]),
        (_LOAD, 0, 0, 16),
        (_IF_ANY_BIT, 1, 0, _MAKES_A_THREAD),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
        *_only_on(_SIGNAL_A_THREAD[machine], own),
        *_only_on(_SET_LIMITS[machine], 0),
    ]
    for number in (*numbers, *_EVERYWHERE):
        steps += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    for number in _WITHOUT_EFFECT[machine]:
        steps += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _DO_NOTHING)]
    steps.append((_RETURN, 0, 0, _ALLOW))
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    described = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(program))
    _check(_prctl(_SET_SECCOMP, 2, described), "seccomp")


def _only_on(number: int, process: int) -> list[tuple[int, int, int, int]]:
    """The steps that allow a call only where its first argument is this process."""
    return [
        (_IF_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, 16),
        (_IF_EQUAL, 1, 0, process),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
