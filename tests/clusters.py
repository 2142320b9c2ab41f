"""A cluster of Dask on this machine, whose parts can be ended one by one."""

import contextlib
import os
import socket
import subprocess
import sys
import time

import psutil
import pytest

pytest.importorskip("distributed")


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

    def add_worker(self, preload=""):
        """Start a worker; `preload` is Python that it runs first."""
        words = ["worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        words += ["--host", "127.0.0.1", "--local-directory", str(self._folder)]
        if preload:
            file = self._folder / f"preload{len(self._processes)}.py"
            file.write_text(preload)
            words += ["--preload", str(file)]
        return self._start(*words)

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=1)

    def close(self):
        for process in self._processes:
            end(process)

    def _start(self, *words):
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._processes.append(process)
        return process


def end(process):
    """Kill a process and all that it started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            child.kill()
    process.kill()
    process.wait()


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
