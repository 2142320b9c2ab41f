"""Compile the search for a game, once: on disk, never stale, and safe when several kernels start.

A module is generated that holds the rules of the game and the engine, as one text. Its file is
named by a digest of that text and of everything else that it is made from, so an edit anywhere
leads to another file, and Numba's own cache beside it can never answer for a text that is gone.
"""

import ast
import contextlib
import functools
import hashlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np

from mctslab.fast import nodes as layout
from mctslab.fast.batches import make_walks
from mctslab.fast.nodes import NOBODY, NODE, ROOT
from mctslab.fast.numba_import import numba_fault
from mctslab.fast.translate import NotCompilableError, read_by, rules_text
from mctslab.games import rules
from mctslab.games.rules import Compilable
from mctslab.search.puct_search import VISITS_PER_LEAF

CACHE_VARIABLE: Final = "MCTSLAB_CACHE"
"""The environment variable that names another folder for what is compiled."""

# Threads must not see a module that another one is still loading: they share `sys.modules`.
_ONE_AT_A_TIME: Final = threading.RLock()

_HERE: Final = Path(__file__).parent
_LONGEST_WAIT: Final = 60.0
"""Seconds to wait for another process that compiles the same."""
_UNUSED_DAYS: Final = 60
_KEPT: Final = ", cache=True"


def engine(game: Compilable, solver: bool = False) -> ModuleType:
    """The compiled search for `game`, made or loaded; its `search` is ready to be called.

    With `solver` it is MCTS-Solver, a module of its own, so that nobody else pays for it.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled.
    """
    return _found(game, _solver_engine if solver else _engine)


def puct_engine(game: Compilable, solver: bool = False) -> ModuleType:
    """The compiled search by PUCT for `game`, its `run`, `gather` and `apply`.

    With `solver` it is a module of its own, as that of `engine`.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled.
    """
    return _found(game, _puct_solver_engine if solver else _puct_engine)


def forest_engine(game: Compilable) -> ModuleType:
    """The compiled search of many trees of `game`: what `forest_kernel.py` says of all trees.

    Raises:
        NotCompilableError: the rules of this game cannot be compiled.
    """
    return _found(game, _forest_engine)


def _found(game: Compilable, make: Callable[[Compilable], ModuleType]) -> ModuleType:
    for word in (*game.position, *game.words):
        if not 0 <= word < 1 << 64:
            raise NotCompilableError("the board has more squares than the 64 bits of a word")
    game = game._replace(position=(0,) * len(game.position), words=(0,) * len(game.words))
    reads = read_by(game)
    try:
        hash((game, reads))
    except TypeError as error:
        raise NotCompilableError(f"its geometry can be changed ({error})") from error
    found = _engine_or_reason(game, reads, make)
    if isinstance(found, str):
        raise NotCompilableError(found)
    return found


@functools.cache
def _engine_or_reason(
    game: Compilable, reads: tuple[Hashable, ...], make: Callable[[Compilable], ModuleType]
) -> ModuleType | str:
    """The engine; or why there is none, which is not tried again until something is defined anew.

    `reads` is what the rules read; it is a part of the question only.
    """
    try:
        return make(game)
    except NotCompilableError as error:
        return str(error)


def _puct_solver_engine(game: Compilable) -> ModuleType:
    return _puct_engine(game, solver=True)


def _puct_engine(game: Compilable, solver: bool = False) -> ModuleType:
    return compiled_module(
        "puct",
        rules_text(game) + _position_functions(len(game.position)),
        (_moves_kernel(game), "proofs_kernel.py", "engine.py", "puct_kernel.py"),
        {
            "NUM_MOVE_WORDS": game.num_move_words,
            "SOLVER": solver,
            "VISITS_PER_LEAF": VISITS_PER_LEAF,
        },
        entry_points=("run", "gather", "play_out", "apply"),
        warm_up=functools.partial(_call_puct_once, game=game),
    )


def _call_puct_once(module: ModuleType, game: Compilable) -> None:
    nodes, counters = np.zeros(1, layout.PUCT_NODE), np.zeros(layout.NUM_COUNTERS, np.int64)
    start, words = np.zeros(len(game.position), np.uint64), np.zeros(len(game.words), np.uint64)
    walks, rule, priors = make_walks(1, game), (1.0, 0.0, 0.0, False), np.zeros((0, 0))
    no_classes, chance = np.zeros(0, np.uint64), np.zeros(4, np.uint64)
    module.run(
        nodes, counters, start, words, rule, walks, 1, priors,
        no_classes, 1, words.copy(), chance, 0, 0, 1, False,
    )  # fmt: skip
    module.gather(nodes, start, words, rule, NOBODY, 0, walks)
    module.play_out(0, walks, no_classes, 1, words.copy(), chance)
    module.apply(nodes, counters, 0, walks, priors)


def _forest_engine(game: Compilable) -> ModuleType:
    if game.rules.stone_on is None and (game.num_move_words or len(game.position) != 3):
        raise NotCompilableError("its rules do not say whose stone lies on a square (`stone_on`)")
    kernels = (
        _moves_kernel(game),
        "subtree.py",
        "proofs_kernel.py",
        "engine.py",
        "puct_kernel.py",
        "forest_kernel.py",
    )
    return compiled_module(
        "forest",
        rules_text(game) + _position_functions(len(game.position)),
        kernels,
        {"NUM_MOVE_WORDS": game.num_move_words, "SOLVER": False},
        entry_points=(
            "gather_all",
            "draw_leaves",
            "find_first_steps",
            "read_roots",
            "apply_all",
            "keep_subtree",
        ),
        warm_up=functools.partial(_call_forest_once, game=game),
    )


def _call_forest_once(module: ModuleType, game: Compilable) -> None:
    nodes = np.zeros((1, 2), layout.PUCT_NODE)
    nodes["first_child"] = NOBODY
    counters = np.zeros((1, layout.NUM_COUNTERS), np.int64)
    starts = np.zeros((1, len(game.position)), np.uint64)
    words = np.zeros((1, len(game.words)), np.uint64)
    walks, rule, numbers = make_walks(1, game), (1.0, 0.0, 0.0, False), np.zeros(1, np.int64)
    module.gather_all(nodes, starts, words, rule, numbers, numbers, 1, walks)
    past, planes = np.zeros((1, 0, 2, 1), np.float32), np.zeros((0, 2, 1), np.float32)
    module.draw_leaves(nodes, starts, words, past, walks, numbers[:0], 1, numbers, planes)
    module.find_first_steps(nodes, numbers, numbers, numbers.copy())
    module.read_roots(nodes, numbers, np.zeros((1, 1), np.int64), *np.zeros((2, 1, 1)))
    module.apply_all(nodes, counters, numbers, 1, walks, np.zeros((1, 1)), numbers)
    module.keep_subtree(nodes[0], counters[0], ROOT, 0, nodes[0].copy())


def _solver_engine(game: Compilable) -> ModuleType:
    return _engine(game, solver=True)


def _moves_kernel(game: Compilable) -> str:
    return "many_words.py" if game.num_move_words else "one_word.py"


def _engine(game: Compilable, solver: bool = False) -> ModuleType:
    text = rules_text(game) + _position_functions(len(game.position))
    return compiled_module(
        "search",
        text,
        (_moves_kernel(game), "proofs_kernel.py", "engine.py"),
        {"NUM_MOVE_WORDS": game.num_move_words, "SOLVER": solver},
        entry_points=("search",),
        warm_up=functools.partial(_call_once, num_words=len(game.position)),
    )


def _call_once(module: ModuleType, num_words: int) -> None:
    """Call the entry points so that they are compiled for the types that they will meet."""
    words, no_words = np.zeros(num_words, np.uint64), np.zeros(0, np.uint64)
    counters = np.zeros(layout.NUM_COUNTERS, np.int64)
    module.search(
        np.zeros(1, NODE), counters, words, no_words, np.zeros(4, np.uint64), 0, 0, False, 1.0,
        True, np.zeros(1), np.zeros(1), np.zeros(1, np.int64), no_words, 1, False,
    )  # fmt: skip


@functools.cache
def subtree_module(is_guided: bool = False) -> ModuleType:
    """The compiled `copy_subtree`, the same for every game; `is_guided`: for PUCT_NODEs."""
    nodes = np.zeros(1, dtype=layout.PUCT_NODE if is_guided else NODE)
    nodes["first_child"] = NOBODY
    return compiled_module(
        "subtree",
        "",
        ("subtree.py",),
        {"IS_GUIDED": is_guided},
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
        ValueError: two functions or constants of the module have the same name.
    """
    source = _HEADER + "".join(f"{key} = {value!r}\n" for key, value in constants.items())
    source += "\n\n" + text + "\n\n" + "\n\n\n".join(_functions(kernels, entry_points)) + "\n"
    primitives = (_HERE / "primitives.py").read_text("utf-8")
    _check_no_name_repeats(primitives, source)
    made_from = source + primitives
    digest = hashlib.sha256(made_from.encode()).hexdigest()[:16]
    stem = f"mctslab_{name}_{digest}"
    with _ONE_AT_A_TIME:
        if stem in sys.modules:
            return sys.modules[stem]
        return _made(cache_folder() / f"{stem}.py", source, warm_up)


def _check_no_name_repeats(*texts: str) -> None:
    """Refuse texts that define a name twice: in one namespace the second replaces the first.

    Raises:
        ValueError: with the name.
    """
    defined: set[str] = set()
    for name in (name for text in texts for name in _defined_by(ast.parse(text).body)):
        if name in defined:
            raise ValueError(f"Two parts of a compiled module are called {name}: rename one.")
        defined.add(name)


def _defined_by(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """The names of the functions and constants that a module's statements define."""
    for node in statements:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            targets = (target for each in node.targets for target in ast.walk(each))
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.If):  # only one of its branches is run
            yield from {*_defined_by(node.body), *_defined_by(node.orelse)}


def _made(file: Path, source: str, warm_up: Callable[[ModuleType], None]) -> ModuleType:
    """The module of `source`, from what was compiled before where that is there."""
    with _only_one(file):
        for execute in (_execute_kept, _execute_kept, _execute_unkept):
            try:
                return _load(file, source, execute, warm_up)
            except NotCompilableError:
                raise
            except Exception as error:  # what was kept is damaged, or the disk is full
                problem = error
                _forget(file)
        reason = numba_fault() or f"Numba fails on its rules ({problem!r})"
        raise NotCompilableError(str(reason)) from problem


def _load(
    file: Path,
    source: str,
    execute: Callable[[ModuleType, Path, str], None],
    warm_up: Callable[[ModuleType], None],
) -> ModuleType:
    """Import a generated module and let it compile, or find what was compiled before."""
    from numba.core.errors import NumbaError

    module = ModuleType(file.stem)
    sys.modules[file.stem] = module
    try:
        execute(module, file, source)
        warm_up(module)
    except BaseException as error:
        del sys.modules[file.stem]
        if not isinstance(error, NumbaError):
            raise
        raise NotCompilableError(f"Numba does not take its rules ({_first_line(error)})") from error
    return module


def _execute_kept(module: ModuleType, file: Path, source: str) -> None:
    """Run a generated module from its file, beside which Numba keeps what it compiles."""
    _write(file, source)
    module.__file__ = str(file)
    exec(compile(source, file, "exec"), module.__dict__)


def _execute_unkept(module: ModuleType, file: Path, source: str) -> None:
    """Run it without a file, for this process alone."""
    exec(source.replace(_KEPT, ""), module.__dict__)


def _first_line(error: Exception) -> str:
    """What Numba complains of, without the pages that follow."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith("Failed in")), "unknown")


_HEADER: Final = f'''\
"""Generated by mctslab: the compiled search for one game. It can be deleted at any time."""


import functools
import math

import numba
import numpy as np

from mctslab.fast.batches import Walks
from mctslab.fast.primitives import *

# Without Python's check for divisions by zero, of which there are none: a fifth of the time. And
# without a way in from Python, where only compiled functions call: a quarter of the compiling.
compiled = functools.partial(numba.njit, error_model="numpy")
njit = functools.partial(compiled, no_cpython_wrapper=True, no_cfunc_wrapper=True)
entry_point = functools.partial(compiled, nogil=True, cache=True)

ROOT, NOBODY, UNKNOWN = {ROOT}, {NOBODY}, {layout.UNKNOWN}
USED, UNUSED = {layout.USED}, {layout.UNUSED}
NUM_UNUSED, NUM_BLOCKS = {layout.NUM_UNUSED}, {layout.NUM_BLOCKS}
NUM_REFUSED = {layout.NUM_REFUSED}
UNPROVEN, PROVEN_DRAW, PROVEN_WIN = {layout.UNPROVEN}, {layout.PROVEN_DRAW}, {layout.PROVEN_WIN}
MAX_DEPTH, PASS = {layout.MAX_DEPTH}, {rules.PASS}
OPEN, LOST = uint64({rules.OPEN}), uint64({rules.LOST})
DRAWN, WON = uint64({rules.DRAWN}), uint64({rules.WON})
'''


def _position_functions(num_words: int) -> str:
    """The functions that make a position, a tuple, of an array, and an array of a position."""
    words = ", ".join(f"start[{index}]" for index in range(num_words))
    store = "".join(f"    row[{index}] = position[{index}]\n" for index in range(num_words))
    load = f"\n\n@njit\ndef load(start):\n    return ({words},)\n"
    return f"{load}\n\n@njit\ndef store(position, row):\n{store}"


def _functions(kernels: Sequence[str], entry_points: Sequence[str]) -> Iterator[str]:
    for kernel in kernels:
        for node in ast.parse((_HERE / kernel).read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                decorator = "entry_point" if node.name in entry_points else "njit"
                yield f"@{decorator}\n{ast.unparse(node)}"


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
    if not file.exists() or file.read_bytes() != source.encode():
        beside = file.with_suffix(f".{os.getpid()}.new")
        beside.write_bytes(source.encode())
        os.replace(beside, file)
        _remove_unused(file.parent)


def _forget(file: Path) -> None:
    """Delete a generated module and what Numba kept of it."""
    for kept in (file, *file.parent.glob(f"__pycache__/{file.stem}*")):
        with contextlib.suppress(OSError):
            kept.unlink()


def _remove_unused(folder: Path) -> None:
    """Delete what nobody has used for months: texts that were edited since."""
    for used in folder.glob("mctslab_*.used"):
        with contextlib.suppress(OSError):
            if time.time() - used.stat().st_mtime > _UNUSED_DAYS * 86_400:
                for file in (
                    *folder.glob(f"__pycache__/{used.stem}*"),
                    *folder.glob(f"{used.stem}.*"),
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
        file.with_suffix(".used").touch()
    try:
        yield
    finally:
        if held:
            lock.release()
