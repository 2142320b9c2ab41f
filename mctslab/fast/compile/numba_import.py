"""Why Numba cannot be loaded, especially if a reader's own file is imported instead of a package.

Python looks for modules first in a program's own folder. So Numba imports a `coverage.py` that is
next to a notebook instead of the package of this name.
"""

import importlib
import os
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

_FOLDERS_OF_PACKAGES: Final = frozenset({"site-packages", "dist-packages"})


class Fault(NamedTuple):
    """Why Numba cannot be loaded."""

    reason: str
    """Half a sentence."""
    remedy: str
    """The remedy, in a sentence; empty if it is unknown."""

    def __str__(self) -> str:
        return f"{self.reason}. {self.remedy.removesuffix('.')}" if self.remedy else self.reason


def numba_fault() -> Fault | None:
    """Why Numba cannot be loaded; None if it can."""
    try:
        importlib.import_module("numba").njit  # noqa: B018 - a file of that name has none
        if compiler_is_off():
            return Fault(
                "the environment variable NUMBA_DISABLE_JIT switches Numba's compiler off",
                "Remove that variable, then start Python or the notebook's kernel again.",
            )
    except Exception as error:  # whatever fails when someone's file is run
        if (found := file_in_the_way(error)) is None:
            return Fault(f"Numba cannot be loaded: {error!r}", "")
        return Fault(
            f"Numba gets {found} instead of the package of that name",
            f"Rename {found.name}, then start Python or the notebook's kernel again.",
        )
    return None


def compiler_is_off() -> bool:
    """Whether NUMBA_DISABLE_JIT is set, with which Numba compiles nothing."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def file_in_the_way(error: BaseException) -> Path | None:
    """The reader's own file or folder that was imported instead of a package, if any.

    Args:
        error: the exception that the import raised.
    """
    for file in (_file_that_lacks_something(error), _file_that_raised(error)):
        if file is not None and _is_own(file):
            return file.parent if file.name == "__init__.py" else file
    return None


def _is_own(file: Path) -> bool:
    """Whether a file belongs neither to Python nor to a package that was installed."""
    if not file.is_absolute() or _FOLDERS_OF_PACKAGES & set(file.parts):
        return False
    return not file.is_relative_to(sysconfig.get_path("stdlib"))


def _file_that_lacks_something(error: BaseException) -> Path | None:
    """The file of the module in which a name, or another module, was looked for in vain."""
    module = None
    if isinstance(error, AttributeError):
        module = error.obj
    elif isinstance(error, ImportError) and error.name:
        module = sys.modules.get(error.name.split(".")[0])
    file = module.__file__ if isinstance(module, ModuleType) else None
    return None if file is None else Path(file)


def _file_that_raised(error: BaseException) -> Path | None:
    """The file in which an exception was raised, or which Python cannot read."""
    if isinstance(error, SyntaxError) and error.filename:
        return Path(error.filename)
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return None if traceback is None else Path(traceback.tb_frame.f_code.co_filename)
