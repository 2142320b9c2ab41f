"""Processes that begin with everything loaded: forks of one that has loaded it.

Loading PyTorch, Numba and Dask takes longer than most of what the processes of a test do.
"""

import functools
import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

_LOADED = ("distributed.cli.dask_worker", "distributed.cli.dask_scheduler", "distributed.nanny",
           "mctslab.net.playing", "numba", "numba.np.arraymath", "tests.clusters")  # fmt: skip


@functools.cache
def context() -> BaseContext:
    """Starts such processes; on Windows, which cannot fork, they load everything themselves."""
    if os.name != "posix":
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([*_LOADED])  # those that are not installed are passed over
    forkserver.ensure_running()
    return forking
