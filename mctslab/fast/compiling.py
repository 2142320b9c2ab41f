"""Compile the search for a game, once: on disk, never stale, and safe when several kernels start.

A module is generated that holds the rules of the game and the engine, as one text. Its file is
named by a digest of that text and of everything else that it is made from, so an edit anywhere
leads to another file, and Numba's own cache beside it can never answer for a text that is gone.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np

from mctslab.fast.nodes import NOBODY, NODE, ROOT, UNKNOWN
from mctslab.fast.translate import NotCompilableError, rules_text
from mctslab.games import rules
from mctslab.games.rules import Compilable

CACHE_VARIABLE: Final = "MCTSLAB_CACHE"
"""The environment variable that names another folder for what is compiled."""

_HERE: Final = Path(__file__).parent
_LONGEST_WAIT: Final = 60.0
"""Seconds to wait for another process that compiles the same."""
_UNUSED_DAYS: Final = 60


def engine(game: Compilable) -> ModuleType:
    """The compiled search for `game`, made or loaded; its `search` is ready to be called.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled.
    """
    for word in (*game.position, *game.words):
        if not 0 <= word < 1 << 64:
            raise NotCompilableError("the board has more squares than the 64 bits of a word")
    found = _engine_or_reason(game._replace(position=(0,) * len(game.position), words=()))
    if isinstance(found, str):
        raise NotCompilableError(found)
    return found


@functools.cache
def _engine_or_reason(game: Compilable) -> ModuleType | str:
    """The engine; or why there is none, which is not tried again and again."""
    try:
        return _engine(game)
    except NotCompilableError as error:
        return str(error)


def _engine(game: Compilable) -> ModuleType:
    moves = "many_words.py" if game.num_move_words else "one_word.py"
    text = rules_text(game) + _load_function(len(game.position))
    return compiled_module(
        "search",
        text,
        (moves, "engine.py"),
        {"NUM_MOVE_WORDS": game.num_move_words},
        entry_points=("search",),
        warm_up=functools.partial(_call_once, num_words=len(game.position)),
    )


def _call_once(module: ModuleType, num_words: int) -> None:
    """Call the entry points so that they are compiled for the types that they will meet."""
    module.search(
        np.zeros(1, NODE), 1, np.zeros(num_words, np.uint64), np.zeros(0, np.uint64),
        np.random.default_rng(), 0, 0, False, 1.0, True, np.zeros(1), np.zeros(1, np.int64),
        np.zeros(0, np.uint64), 1, False, np.zeros(1, np.uint8),
    )  # fmt: skip


@functools.cache
def subtree_module() -> ModuleType:
    """The compiled `copy_subtree`, the same for every game."""
    nodes = np.zeros(1, dtype=NODE)
    nodes["first_child"] = NOBODY
    return compiled_module(
        "subtree",
        "",
        ("subtree.py",),
        {},
        entry_points=("copy_subtree",),
        warm_up=lambda module: module.copy_subtree(nodes, ROOT, nodes.copy()),
    )


def compiled_module(
    name: str,
    text: str,
    kernels: Sequence[str],
    constants: dict[str, int],
    *,
    entry_points: Sequence[str],
    warm_up: Callable[[ModuleType], None],
) -> ModuleType:
    """A module of `text` and the functions of the files `kernels` of this folder, for Numba.

    Args:
        name: what its file's name begins with.
        text: what stands before the functions; the rules of a game, say.
        kernels: files of this folder, whose functions are compiled.
        constants: further names for these functions.
        entry_points: the functions that are called from Python. They are kept on disk, and let
            other threads run meanwhile.
        warm_up: calls them for the first time; one process at a time does it.

    Raises:
        NotCompilableError: Numba cannot compile the text.
    """
    source = _HEADER + "".join(f"{key} = {value!r}\n" for key, value in constants.items())
    source += "\n\n" + text + "\n\n" + "\n\n\n".join(_functions(kernels, entry_points)) + "\n"
    made_from = source + (_HERE / "primitives.py").read_text("utf-8")
    digest = hashlib.sha256(made_from.encode()).hexdigest()[:16]
    stem = f"mctslab_{name}_{digest}"
    if stem in sys.modules:
        return sys.modules[stem]
    file = cache_folder() / f"{stem}.py"
    with _only_one(file):
        _write(file, source)
        try:
            return _load(file, warm_up)
        except NotCompilableError:
            raise
        except Exception:  # what Numba kept was damaged, say by a full disk: once more from nothing
            _forget(file)
            return _load(file, warm_up)


def _load(file: Path, warm_up: Callable[[ModuleType], None]) -> ModuleType:
    """Import a generated module and let it compile, or find what was compiled before."""
    from numba.core.errors import NumbaError

    module = _import(file)
    try:
        warm_up(module)
    except NumbaError as error:
        del sys.modules[file.stem]
        raise NotCompilableError(f"Numba does not take its rules ({_first_line(error)})") from error
    return module


def _first_line(error: Exception) -> str:
    """What Numba complains of, without the pages that follow."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith("Failed in")), "unknown")


_HEADER: Final = f'''\
"""Generated by mctslab: the compiled search for one game. It can be deleted at any time."""


import math

import numpy as np
from numba import njit

from mctslab.fast.primitives import *

ROOT, NOBODY, UNKNOWN, PASS = {ROOT}, {NOBODY}, {UNKNOWN}, {rules.PASS}
OPEN, LOST = uint64({rules.OPEN}), uint64({rules.LOST})
DRAWN, WON = uint64({rules.DRAWN}), uint64({rules.WON})
'''


def _load_function(num_words: int) -> str:
    """The function that makes a position, a tuple, of an array."""
    words = ", ".join(f"start[{index}]" for index in range(num_words))
    return f"\n\n@njit\ndef load(start):\n    return ({words},)\n"


def _functions(kernels: Sequence[str], entry_points: Sequence[str]) -> Iterator[str]:
    for kernel in kernels:
        for node in ast.parse((_HERE / kernel).read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                options = "(nogil=True, cache=True)" if node.name in entry_points else ""
                yield f"@njit{options}\n{ast.unparse(node)}"


# The folder


@functools.cache
def cache_folder() -> Path:
    """Where compiled modules are kept: the first of these folders that can be written to.

    The one that the environment variable MCTSLAB_CACHE names; one inside the virtual environment;
    the user's folder for caches; and, where there is none of them, a temporary one, so that
    everything works but has to be compiled in every kernel.
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


def _write(file: Path, source: str) -> None:
    """Put `source` into `file`: whole or not at all, and not touched where it is there."""
    if not file.exists():
        beside = file.with_suffix(f".{os.getpid()}.new")
        beside.write_text(source, "utf-8")
        os.replace(beside, file)
        _remove_unused(file.parent)


def _forget(file: Path) -> None:
    """Delete what Numba kept of a generated module."""
    for kept in file.parent.glob(f"__pycache__/{file.stem}*"):
        kept.unlink(missing_ok=True)


def _remove_unused(folder: Path) -> None:
    """Delete what nobody has used for months: texts that were edited since."""
    for lock in folder.glob("mctslab_*.lock"):
        with contextlib.suppress(OSError):
            if time.time() - lock.stat().st_mtime > _UNUSED_DAYS * 86_400:
                for file in (
                    *folder.glob(f"__pycache__/{lock.stem}*"),
                    *folder.glob(f"{lock.stem}.*"),
                ):
                    file.unlink()


@contextlib.contextmanager
def _only_one(file: Path) -> Iterator[None]:
    """Hold the lock of a generated module, so that it is compiled once and then loaded by all."""
    from filelock import FileLock

    lock = FileLock(file.with_suffix(".lock"))
    held = False
    with contextlib.suppress(OSError, TimeoutError, NotImplementedError):
        lock.acquire(timeout=_LONGEST_WAIT)
        held = True
        os.utime(lock.lock_file)
    try:
        yield
    finally:
        if held:
            lock.release()


def _import(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[file.stem]
        raise
    return module
