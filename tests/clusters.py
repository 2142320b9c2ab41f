"""A cluster of Dask on this machine, whose parts can be ended one by one."""

import contextlib
import importlib
import os
import socket
import time
from collections.abc import Iterator

import pytest

from tests.forks import context

pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

UNWATCHED = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
"""Dask looks at itself a hundred times a second, which is half of what a short test costs."""


def forked_workers() -> Iterator[None]:
    """A fixture. Meanwhile the workers of a cluster `local:N` are forks, too."""
    method = context().get_start_method()
    with dask.config.set({"distributed.worker.multiprocessing-method": method, **UNWATCHED}):
        yield


class OwnCluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder, num_workers=0):
        self._folder = folder
        self._processes = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.start_scheduler()
        self.workers = [self.add_worker() for _ in range(num_workers)]

    def start_scheduler(self):
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), self.socket():
                return
            time.sleep(0.05)
        raise TimeoutError("the scheduler did not start")

    def add_worker(self):
        """Start a worker."""
        words = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        words += ["--host", "127.0.0.1", "--local-directory", str(self._folder)]
        return self._start(*words)

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=1)

    def close(self):
        for process in self._processes:
            end(process)

    def _start(self, *words):
        process = context().Process(target=_run, args=(self._folder, *words), daemon=True)
        process.start()
        self._processes.append(process)
        return process


def _run(folder, part, *words):
    """What a part of a cluster does: Dask's own command."""
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    dask.config.set(UNWATCHED)
    importlib.import_module(f"distributed.cli.dask_{part}").main(words)


def end(process):
    """Kill a process of `multiprocessing`."""
    process.kill()
    process.join()


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
