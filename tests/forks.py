"""Processes that begin with everything loaded: forks of one that has loaded it.

Loading PyTorch, Numba and Dask takes longer than most of what the processes of a test do.
"""

import functools
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from pathlib import Path
from subprocess import CompletedProcess

import pytest

_LOADED = ("distributed.cli.dask_worker", "distributed.cli.dask_scheduler", "distributed.nanny",
           "numba", "numba.np.arraymath", "tests.clusters", "tests.net.loaded")  # fmt: skip


@functools.cache
def context() -> BaseContext:
    """Starts such processes; on Windows, which cannot fork, they load everything themselves."""
    if os.name != "posix":
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([*_LOADED])  # those that are not installed are passed over
    forkserver.ensure_running()
    return forking


def child_processes() -> Iterator[None]:
    """A fixture. Meanwhile the processes that work for this one are forks, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mctslab.child_processes._METHOD", context().get_start_method())
        yield


def run(function: Callable[..., object], *arguments: object) -> CompletedProcess[str]:
    """Call a function of a module in such a process: its status, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("out", "err")]
        process = context().Process(target=_call, args=(files, function, arguments))
        process.start()
        process.join()
        out, err = (file.read_text("utf-8") for file in files)
    return CompletedProcess(function.__name__, process.exitcode, out, err)


def _call(files: list[Path], function: Callable[..., object], arguments: tuple[object]) -> None:
    for number, file in enumerate(files, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    sys.exit(function(*arguments))
