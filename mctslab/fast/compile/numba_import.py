"""Why Numba cannot be used."""

import importlib
import os

from mctslab.search.interrupts import interrupted_after


def numba_fault() -> str:
    """Why Numba cannot be used, half a sentence; empty if it can."""
    if compiler_is_off():
        return "the environment variable NUMBA_DISABLE_JIT switches Numba's compiler off"
    try:
        with interrupted_after("the import of Numba"):
            importlib.import_module("numba").njit  # noqa: B018 - a reader's own numba.py has none
    except Exception as error:  # whatever a reader's own file raises
        return f"Numba cannot be loaded; is a file here named like a package? ({error!r})"
    return ""


def compiler_is_off() -> bool:
    """Whether NUMBA_DISABLE_JIT is set, with which Numba compiles nothing."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
