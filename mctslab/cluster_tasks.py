"""Work on other processes and machines, through the package Dask (`dask.distributed`).

A scheduler hands tasks to the workers that are connected to it; workers can come and go. If a
worker dies, another one does its task again. So a task must be a pure function of its arguments,
and then its result does not depend on which worker did it, or how often.

Before a worker does its first task, it is checked: it must run the same mctslab, NumPy and PyTorch
as this process, and answer a probe with the same bytes.
"""

import argparse
import functools
import hashlib
import logging
import pickle
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar

from mctslab.child_processes import deaf_to_ctrl_c, restore_main_spec
from mctslab.cluster import ClusterError, processor

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
Probe = Callable[[], bytes]
"""Returns bytes that are the same on machines that compute alike. It must be picklable."""

_CONNECT_SECONDS: Final = 10.0
_BETWEEN_LOOKS: Final = 0.5
_PATIENCE_SECONDS: Final = 5.0
"""How long there can be no worker before the user is informed."""
_LARGE: Final = "1 GiB"
"""Dask warns of tasks larger than this; a net's weights are part of one."""


def no_probe() -> bytes:
    """The probe of work whose results do not depend on the processor."""
    return b""


class Cluster:
    """A connection to the scheduler of a cluster, for a `with` block or with `close` at the end.

    Args:
        address: of the scheduler, such as `tcp://192.168.1.5:8786`; or `local:4` for four processes
            of this machine.
        probe: a function whose result must be the same on every worker as in this process.
        exact: whether a worker with a different answer is refused. Otherwise it works too, and
            `differences` names it.
        say: called with a sentence when the work has to wait, or a worker is refused.

    Raises:
        ClusterError: Dask is not installed, or no scheduler answers.
        ValueError: this is not an address.
    """

    def __init__(
        self,
        address: str,
        *,
        probe: Probe = no_probe,
        exact: bool = False,
        say: Callable[[str], object] = lambda sentence: print(sentence, file=sys.stderr),
    ) -> None:
        self.address = address
        self.differences: list[str] = []
        """A sentence for each worker whose probe differs from the one of this process."""
        self._client = _connect(address)
        self._say = say
        self._refused: set[str] = set()
        self._alone_since: float | None = None
        pickled = pickle.dumps(probe)
        try:
            self._examination = _Examination(_this_machine(pickled), pickled, exact)
        except BaseException:
            self.close()
            raise

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page about the cluster."""
        return str(self._client.dashboard_link)

    def num_workers(self) -> int:
        """The number of connected workers, apart from those that were refused."""
        return len(self._workers())

    def num_tasks(self) -> int:
        """The number of tasks that wait for a worker or are being done."""
        futures = list(self._client.futures.values())  # others come and go meanwhile
        return sum(future.status == "pending" for future in futures)

    def share(self, value: object) -> "Future[bytes]":
        """A picklable value for many tasks, which is sent to each worker once at most.

        It is the result of a task, so it can be made again when the worker that holds it dies.
        """
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE}):
            return self._client.submit(bytes, pickle.dumps(value), pure=False)

    def submit(
        self,
        name: str,
        function: Callable[..., T],
        *arguments: object,
        shared: "Future[bytes]",
        is_urgent: bool = False,
    ) -> "Task[T]":
        """Let a worker call a function of a module.

        Args:
            name: names the task in messages.
            function: must be pure; a task can be done more than once.
            arguments: of the function; picklable.
            shared: from `share`; the value is the function's last argument.
            is_urgent: whether it goes before the tasks that wait.
        """
        return Task(self, name, (_call, self._examination, function, arguments), shared, is_urgent)

    def first_done(self, tasks: Iterable["Task[T]"]) -> "Task[T] | None":
        """One of the tasks that is done; None if there is none after half a second.

        Raises:
            ClusterError: the scheduler is gone.
        """
        from distributed import wait

        waiting = {task.future: task for task in tasks}
        with self._losing_the_scheduler(), suppress(TimeoutError):
            done = wait(list(waiting), timeout=_BETWEEN_LOOKS, return_when="FIRST_COMPLETED").done
            return waiting[next(iter(done))]
        self._tell_if_alone()
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection, and the processes that were started for it."""
        with suppress(Exception):  # the scheduler may be gone
            own = self._client.cluster
            self._client.close()
            if own is not None:
                own.close()

    def _workers(self) -> set[str]:
        found = self._client.scheduler_info(n_workers=-1)["workers"]
        return {address for address in found if address not in self._refused}

    @contextmanager
    def _losing_the_scheduler(self) -> Iterator[None]:
        """Turn the loss of the scheduler into a sentence."""
        from distributed import CancelledError
        from distributed.comm import CommClosedError

        try:
            yield
        except (CancelledError, CommClosedError) as error:
            raise ClusterError(
                f"The scheduler at {self.address} is gone. When it is running again, the same "
                "command continues with everything that was kept."
            ) from error

    def _tell_if_alone(self) -> None:
        """Say once that there is no worker, when that has been so for a few seconds."""
        if self.num_workers():
            self._alone_since = None
            return
        now = time.monotonic()
        if self._alone_since is None:
            self._alone_since = now
        elif self._alone_since <= now - _PATIENCE_SECONDS:
            self._say(f"No worker is connected to {self.address}; waiting for one.")
            self._alone_since = float("inf")

    def _refuse(self, worker: str, reason: str) -> None:
        """Send away a worker that gets different results."""
        if worker not in self._refused:
            self._refused.add(worker)
            self._say(f"The worker {worker} was refused: {reason}.")
            # Not `retire_workers`, because that keeps a worker with the only copy of a value.
            leave = lambda dask_worker: dask_worker.loop.add_callback(dask_worker.close)  # noqa: E731
            with suppress(Exception):  # it may have gone by itself
                self._client.run(leave, workers=[worker])

    def _note_difference(self, difference: str) -> None:
        if difference and difference not in self.differences:
            self.differences.append(difference)
            self._say(f"Not bit-exact: {difference}.")

    def _refuse_others(self) -> None:
        """Refuse the workers with other versions."""
        driver = self._examination.driver
        with self._losing_the_scheduler():
            found = self._client.run(_version_reader())
        for worker, versions in found.items():
            for (package, ours), theirs in zip(driver.versions, versions, strict=True):
                if theirs != ours:
                    self._refuse(worker, _other_version(package, theirs, ours))


class Task(Generic[T]):
    """A call that a worker of a cluster makes."""

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        call: tuple[Any, ...],
        shared: "Future[bytes]",
        is_urgent: bool,
    ) -> None:
        self.name = name
        self._cluster = cluster
        self._call = pickle.dumps(call)
        self._shared = shared
        self._priority = int(is_urgent)
        self.future: Future[_Answer[T] | _Refusal] = self._submit()

    def _submit(self) -> "Future[_Answer[T] | _Refusal]":
        self._num_refused = len(self._cluster._refused)
        with self._cluster._losing_the_scheduler():
            return self._cluster._client.submit(
                _reader(),
                self._call,
                self._shared,
                pure=False,
                priority=self._priority,
                # Otherwise all tasks go where the shared value is, and other workers have to wait.
                _data_producer=True,
            )

    def result(self) -> T:
        """Wait for the value; whatever the function raises is raised here.

        Raises:
            ClusterError: the scheduler is gone; or the task ended several workers.
        """
        while True:
            while self._cluster.first_done([self]) is None:
                pass
            if (answer := self._answer()) is not None:
                self._cluster._note_difference(answer.difference)
                return answer.value
            self.future = self._submit()

    def _answer(self) -> "_Answer[T] | None":
        """The answer, if there is one; None if it has to come from another worker."""
        from distributed import KilledWorker

        cluster = self._cluster
        try:
            with cluster._losing_the_scheduler():
                answer: _Answer[T] | _Refusal = self.future.result()
        except KilledWorker as error:
            raise ClusterError(
                f"{self.name} ended several workers, one after the other. It may need more memory "
                "than they have; their last messages are in their logs."
            ) from error
        except ClusterError:
            raise
        except Exception:  # perhaps the worker cannot even read the task
            cluster._refuse_others()
            if len(cluster._refused) == self._num_refused:
                raise
            return None
        if isinstance(answer, _Refusal):
            cluster._refuse(answer.worker, answer.reason)
            return None
        return answer

    def cancel(self) -> None:
        """Cancel the task."""
        with suppress(Exception):  # the scheduler may be gone
            self.future.cancel()


def _connect(address: str) -> "Client":
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ClusterError(
            "Work on a cluster needs the package distributed, which is not installed here: "
            '`python3 run.py python -m pip install "distributed>=2026.8,<2027"` installs it, and '
            'so does `pip install "mctslab[cluster]"`.'
        ) from error
    # About a lost scheduler, ClusterError says in a sentence what this would say in pages.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and int(rest):
        restore_main_spec()
        with deaf_to_ctrl_c():  # also the thread that starts its processes
            own = LocalCluster(
                n_workers=int(rest),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs="CRITICAL",
            )
            return Client(own)
    if not rest.startswith("//") or not rest.rpartition(":")[2].isdecimal():
        raise ValueError(
            f"cluster must be local:N for N processes of this machine, or the address of a "
            f"scheduler such as tcp://192.168.1.5:8786; got {address!r}."
        )
    try:
        return Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, TimeoutError) as error:
        raise ClusterError(
            f"No scheduler answers at {address}. `dask scheduler` starts one."
        ) from error
    except ValueError as error:
        raise ValueError(f"cluster {address!r} is not an address: {error}") from error


# In commands


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """The options of a command that can work on a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of this scheduler of Dask, such as tcp://192.168.1.5:8786, or on "
        "local:N, N processes of this machine (docs/cluster.md)",
    )
    parser.add_argument(
        "--exact",
        action="store_true",
        help="refuse workers of the cluster whose results are not the same as here to the last bit",
    )


def open_cluster(
    arguments: argparse.Namespace, connect: Callable[..., Cluster]
) -> AbstractContextManager[Cluster | None]:
    """The cluster that the options of `add_cluster` name, or None.

    Raises:
        ClusterError: Dask is not installed, or no scheduler answers.
        ValueError: this is not an address.
    """
    if arguments.cluster:
        return connect(arguments.cluster, exact=arguments.exact)
    if arguments.exact:
        raise ValueError("--exact needs --cluster ADDRESS.")
    return nullcontext()


# The workers


@dataclass(frozen=True, slots=True)
class _Machine:
    """Everything that the results of a task can depend on, apart from its arguments."""

    versions: tuple[tuple[str, str | None], ...]
    sources: str
    """A digest of mctslab's own files."""
    processor: str
    probed: bytes
    """The answer to the probe."""


@dataclass(frozen=True, slots=True)
class _Examination:
    """The values that a worker is compared with before it works."""

    driver: _Machine
    probe: bytes
    """Pickled."""
    exact: bool

    def reason_against(self, worker: _Machine) -> str:
        """Why the worker cannot take part; empty if it can."""
        for (package, ours), (_, theirs) in zip(self.driver.versions, worker.versions, strict=True):
            if theirs != ours:
                return _other_version(package, theirs, ours)
        if worker.sources != self.driver.sources:
            return "its files of mctslab are not the same as here"
        return self.difference(worker) if self.exact else ""

    def difference(self, worker: _Machine) -> str:
        """How the worker's answer to the probe differs; empty if it does not."""
        if worker.probed == self.driver.probed:
            return ""
        return (
            f"the results of {worker.processor} are not the same to the last bit as those of "
            f"{self.driver.processor}"
        )


class _Answer(NamedTuple, Generic[T]):
    value: T
    difference: str


class _Refusal(NamedTuple):
    worker: str
    reason: str


def _other_version(package: str, theirs: str | None, ours: str | None) -> str:
    return (
        f"it has {package} {theirs}, and this machine has {ours}"
        if theirs
        else f"it has no {package}"
    )


def _this_machine(probe: bytes) -> _Machine:
    versions = tuple(zip(_PACKAGES, _version_reader()(), strict=True))
    return _Machine(versions, _sources(), processor(), pickle.loads(probe)())


_PACKAGES: Final = ("mctslab", "numpy", "torch")


def _version_reader() -> Callable[[], list[str | None]]:
    """A function that any worker can read: the versions of the packages there, None for none."""
    names = _PACKAGES

    def versions() -> list[str | None]:
        import importlib

        found = []
        for name in names:
            try:
                found.append(importlib.import_module(name).__version__)
            except ImportError:
                found.append(None)
        return found

    return versions


@functools.cache
def _sources() -> str:
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()


# In a worker

_examined_as: Final = functools.lru_cache(maxsize=8)(_this_machine)
"""A worker answers a probe once."""


def _reader() -> Callable[..., Any]:
    """A function that any worker can read, because Dask sends its code with it.

    From a worker that cannot read a name of mctslab, there is then an error and not silence.
    """

    def read_and_call(call: bytes, shared: bytes) -> object:
        import pickle

        work, examination, function, arguments = pickle.loads(call)
        return work(examination, function, (*arguments, pickle.loads(shared)))

    return read_and_call


def _call(
    examination: _Examination, function: Callable[..., T], arguments: Sequence[Any]
) -> _Answer[T] | _Refusal:
    """Call a function, if this machine gets the results that the driver would get."""
    from distributed import get_worker

    own = _examined_as(examination.probe)
    if reason := examination.reason_against(own):
        return _Refusal(get_worker().address, reason)
    return _Answer(function(*arguments), examination.difference(own))
