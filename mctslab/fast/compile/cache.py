"""The folder in which compiled modules are kept, for all processes of this computer."""

import contextlib
import functools
import os
import sys
import tempfile
import warnings
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

    Warns:
        UserWarning: the folder that MCTSLAB_CACHE names cannot be written to.
    """
    from platformdirs import user_cache_path

    candidates = [user_cache_path("mctslab", appauthor=False) / "compiled"]
    if sys.prefix != sys.base_prefix or "CONDA_PREFIX" in os.environ:
        candidates.insert(0, Path(sys.prefix) / "var" / "mctslab")
    named, wanted = os.environ.get(CACHE_VARIABLE), None
    if named:
        with contextlib.suppress(RuntimeError):  # `~` and a user who does not exist
            wanted = Path(named).expanduser()
            candidates.insert(0, wanted)
    usable = next(filter(_can_write, candidates), None)
    folder = usable or Path(tempfile.mkdtemp(prefix="mctslab-"))
    if named and folder != wanted:
        warnings.warn(
            f"{CACHE_VARIABLE}={named} is not a folder that can be written to, so compiled "
            f"searches are kept in {folder}.",
            stacklevel=2,
        )
    return folder


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def forget(file: Path) -> None:
    """Delete a generated module and what Numba compiled from it."""
    for kept in (file, *file.parent.glob(f"__pycache__/{file.stem}*")):
        with contextlib.suppress(OSError):
            kept.unlink()


@contextlib.contextmanager
def only_one(file: Path) -> Iterator[None]:
    """Hold the lock of a generated module: one process compiles it, and all others load it."""
    from filelock import FileLock

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, TimeoutError, NotImplementedError):
            stack.enter_context(FileLock(file.with_suffix(".lock"), timeout=_LONGEST_WAIT))
        yield
