"""The folder in which compiled modules are kept, for all processes of this computer."""

import contextlib
import functools
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CACHE_VARIABLE: Final = "MCTSLAB_CACHE"
"""The environment variable that names another folder for compiled modules."""

_LONGEST_WAIT: Final = 60.0
"""Seconds to wait for another process that compiles the same module."""


@functools.cache
def cache_folder() -> Path:
    """The folder of compiled modules: the first of these that can be written to.

    The folder named by the environment variable MCTSLAB_CACHE; one inside the virtual environment;
    the user's folder for caches; a temporary one, with which everything works but every process
    compiles again.
    """
    from platformdirs import user_cache_path

    candidates = [user_cache_path("mctslab", appauthor=False) / "compiled"]
    if sys.prefix != sys.base_prefix or "CONDA_PREFIX" in os.environ:
        candidates.insert(0, Path(sys.prefix) / "var" / "mctslab")
    if named := os.environ.get(CACHE_VARIABLE):
        candidates.insert(0, Path(named).expanduser())
    for folder in candidates:
        if _can_write(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="mctslab-"))


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def write(file: Path, source: str) -> None:
    """Write `source` into `file`, whole or not at all; a file with this text is not touched."""
    if not file.exists() or file.read_bytes() != source.encode():
        beside = file.with_suffix(f".{os.getpid()}.new")
        beside.write_bytes(source.encode())
        os.replace(beside, file)


def forget(file: Path) -> None:
    """Delete a generated module and what Numba compiled from it."""
    for kept in (file, *file.parent.glob(f"__pycache__/{file.stem}*")):
        with contextlib.suppress(OSError):
            kept.unlink()


@contextlib.contextmanager
def only_one(file: Path) -> Iterator[None]:
    """Hold the lock of a generated module: one process compiles it, and all others load it."""
    from filelock import FileLock

    lock = FileLock(file.with_suffix(".lock"))
    held = False
    with contextlib.suppress(OSError, TimeoutError, NotImplementedError):
        lock.acquire(timeout=_LONGEST_WAIT)
        held = True
    try:
        yield
    finally:
        if held:
            lock.release()
