"""What is compiled is kept, found again, never stale, and never in the way.

Every test has a folder of its own for what is compiled, and asks processes of their own, as kernels
are. Most of them compile a tiny kernel in forks of a process that has loaded Numba, and nothing
that was compiled; what the search itself is made from is edited in a copy of the package.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import forks

PROJECT = Path(__file__).resolve().parents[2]

COMPILE = f"""
import os, sys, time
from pathlib import Path
from mctslab.fast.compile import cache
from mctslab.fast.compile.module_builder import compiled_module

def ask(warm_up=lambda module: module.answer(1)):
    kernel = Path({str(Path(__file__).with_name("tiny_kernel.py"))!r})
    return compiled_module("tiny", "", kernel, {{}}, entry_points=("answer",), warm_up=warm_up)

def tell():
    module = ask()
    stats = module.answer.stats
    hits, misses = (sum(each.values()) for each in (stats.cache_hits, stats.cache_misses))
    print(module.answer(7), "found" if hits else "compiled", hits + misses)
"""
FOUND, COMPILED = "42 found 1", "42 compiled 1"
"""What `tell` prints."""

TELL_EACH = f"""{COMPILE}
for folder in sys.argv[1:]:
    os.environ["MCTSLAB_CACHE"] = folder
    cache.cache_folder.cache_clear()
    for name in [name for name in sys.modules if name.startswith("mctslab_tiny")]:
        del sys.modules[name]
    tell()
"""
"""What a process prints that has nothing loaded yet, for each of its folders."""


def environment(folder: Path, package: Path = PROJECT) -> dict[str, str]:
    """For a process that uses the package in one folder, and keeps what it compiles in another."""
    paths = os.pathsep.join([str(package), str(PROJECT)])
    return os.environ | {"MCTSLAB_CACHE": str(folder), "PYTHONPATH": paths}


def output_of_package(script: str, folder: Path, package: Path) -> str:
    """What a process prints that has loaded nothing; it must not fail."""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(folder, package), text=True,
        cwd=tempfile.gettempdir(), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def output(script: str, folder: Path, *arguments: str) -> str:
    """What a process prints; it must not fail."""
    done = forks.run(execute, script, folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def execute(script: str, folder: Path, *arguments: str) -> None:
    os.environ["MCTSLAB_CACHE"] = str(folder)
    os.chdir(tempfile.gettempdir())
    sys.argv[1:] = arguments
    exec(script, {"__name__": "__main__"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where this test keeps what it compiles."""
    return tmp_path / "compiled"


# Never stale


PRINTED = f"""{COMPILE}
import mctslab, numpy as np
from mctslab.fast.compile.translate import rules_text
from mctslab.games import TicTacToe
kernel = Path(mctslab.__file__).parent / "fast/kernels/moves.py"
counting = compiled_module(
    "count", "", kernel, {{"NUM_MOVE_WORDS": 0}}, entry_points=("count",),
    warm_up=lambda module: module.count(np.uint64(1)),
)
kernel = Path({str(Path(__file__).with_name("rules_kernel.py"))!r})
start = tuple(map(np.uint64, (0, 0, 0)))
rules = compiled_module(
    "rules", rules_text(TicTacToe().compilable()), kernel, {{}}, entry_points=("first_moves",),
    warm_up=lambda module: module.first_moves(start),
)
print(counting.count(np.uint64(0b1010)), rules.first_moves(start))
"""
EDITS = {
    "games/tictactoe.py": ("return FULL_BOARD &", "return FULL_BOARD // 2 &"),
    "fast/kernels/moves.py": ("return count_bits(moves)", "return count_bits(moves) - 1"),
    "fast/compile/primitives.py": (
        "return getattr(builder, name)(arguments[0], *zero)",
        "return ir.Constant(ir.IntType(64), 1)",
    ),
}  # fmt: skip


def test_after_an_edit_the_next_process_gives_the_new_answer(folder, tmp_path):
    """Of the rules, a kernel or a primitive; when all is as before, the first answer is found."""
    package = tmp_path / "copy"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / "mctslab", package / "mctslab", ignore=ignored)
    answers = [output_of_package(PRINTED, folder, package)]
    for name, (old, new) in EDITS.items():
        file = package / "mctslab" / name
        text = file.read_text("utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), "utf-8")
        answers.append(output_of_package(PRINTED, folder, package))
        file.write_text(text, "utf-8")
    assert answers == ["2 511", "2 255", "1 511", "1 511"]
    kept = {each: each.stat().st_mtime_ns for each in folder.glob("**/*.n??")}
    assert output_of_package(PRINTED, folder, package) == answers[0]
    assert {each: each.stat().st_mtime_ns for each in folder.glob("**/*.n??")} == kept


# Several processes


KILL = "os.kill(os.getpid(), getattr(__import__('signal'), 'SIGKILL', 9))"

MOMENTS = {
    "before the text is in its place": f"os.replace = lambda *_: {KILL}",
    "with the lock in its hands": f"ask(lambda module: {KILL})",
    "between index and data": (
        "import numba.core.caching\n"
        f"numba.core.caching.IndexDataCacheFile._save_data = lambda *_: {KILL}"
    ),
    "with all done": f"ask(lambda module: (module.answer(1), {KILL}))",
}


def test_a_process_that_is_killed_leaves_nothing_in_the_way(tmp_path):
    for moment, script in MOMENTS.items():
        killed = forks.run(execute, f"{COMPILE}\n{script}\nask()", tmp_path / moment)
        assert killed.returncode not in (0, 1), killed.stderr
    folders = [str(tmp_path / moment) for moment in MOMENTS]
    first, second = (output(TELL_EACH, tmp_path, *folders).splitlines() for _ in range(2))
    assert len(first) == len(MOMENTS)
    assert set(first) <= {COMPILED, FOUND}
    assert second == [FOUND] * len(MOMENTS)


# Folders that cannot be used


@pytest.mark.skipif(os.name != "posix", reason="there is no limit to the size of files")
@pytest.mark.parametrize("size", [100, 6_000])
def test_on_a_full_disk_the_search_is_compiled_all_the_same_and_nothing_is_left(tmp_path, size):
    """The text of the module does not fit into a file, or only what Numba makes of it does not."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    assert output(f"{limit}{COMPILE}tell()", tmp_path) == COMPILED
    assert not [file for file in tmp_path.rglob("*") if file.suffix in (".py", ".new", ".nbc")]


@pytest.mark.parametrize("is_alone", [False, True])
def test_another_folder_is_used_where_one_cannot_be_written_to(tmp_path, is_alone):
    """A file stands in its place: nobody can write there, not even an administrator."""
    blocked = tmp_path / "file"
    blocked.touch()
    elsewhere = f"""
import platformdirs
sys.prefix = {str(blocked)!r}
platformdirs.user_cache_path = lambda *_, **__: Path({str(blocked)!r})
"""
    script = f"""{COMPILE}{elsewhere if is_alone else ""}
import warnings
warnings.showwarning = lambda message, *_: print(message)
tell(); print(cache.cache_folder())"""
    warned, said, folder = output(script, blocked).splitlines()
    assert warned.startswith(f"MCTSLAB_CACHE={blocked} is not a folder that can be written to")
    assert warned.endswith(f"are kept in {folder}.")
    assert said in (COMPILED, FOUND)
    assert tmp_path not in Path(folder).parents
    if is_alone:  # a temporary one will do
        assert said == COMPILED
        shutil.rmtree(folder)
    else:
        assert Path(folder).is_dir()
