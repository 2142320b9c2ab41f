"""Work on other processes and machines: the executor of a Dask cluster (`dask.distributed`).

A scheduler hands calls to the workers that are connected to it; workers can come and go. When one
dies, another one makes its calls again. So what is called must be a pure function of its arguments,
and then its result does not depend on which worker called it, or how often.
"""

import argparse
import concurrent.futures
import gc
import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mctslab.child_processes import starting

if TYPE_CHECKING:
    from distributed import Client

_CONNECT_SECONDS: Final = 10.0
_PACKAGES: Final = ("mctslab", "numpy", "torch")
_LARGE: Final = "1 GiB"
"""Dask warns of calls with larger arguments; the weights of a net are one."""


class ClusterError(OSError):
    """The cluster cannot do the work; the sentence says what to do."""


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """The option of a command that can work on a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of this scheduler of Dask, such as tcp://192.168.1.5:8786 or the "
        "file that it wrote, or on local:N, N processes of this machine (docs/cluster.md)",
    )


@contextmanager
def open_cluster(address: str | None) -> Iterator[Executor | None]:
    """An executor whose calls the workers of a cluster make; None without an address.

    Args:
        address: of the scheduler, such as `tcp://192.168.1.5:8786`; or the file that
            `dask scheduler --scheduler-file` wrote; or `local:4` for four processes of this
            machine.

    Warns:
        UserWarning: there is no worker yet; or a worker has other versions.

    Raises:
        ClusterError: a package is not installed, or no scheduler answers; or, from the block, the
            scheduler is gone, or a call ended several workers.
        ValueError: this is not an address.
    """
    if not address:
        yield None
        return
    client = _connect(address)
    import dask
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    try:
        if client.nthreads():
            client.get_versions(check=True, packages=_PACKAGES)
        else:
            warnings.warn(f"No worker is connected to {address} yet; waiting.", stacklevel=3)
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE}):
            yield client.get_executor(pure=False)
    except KilledWorker as error:
        raise ClusterError(
            "A call ended several workers, one after the other. It may need more memory than they "
            "have; their last messages are in their logs."
        ) from error
    except (CancelledError, concurrent.futures.CancelledError, CommClosedError) as error:
        raise ClusterError(
            f"The scheduler at {address} is gone. When it is running again, the same command "
            "continues with everything that was kept."
        ) from error
    finally:
        with suppress(Exception):  # the scheduler may be gone
            own = client.cluster  # only local:N has one
            client.close()
            if own is not None:
                own.close()


def _connect(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise _missing("distributed") from error
    # About a lost scheduler, ClusterError says in a sentence what this would say in pages.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and int(rest):
        return _processes_here(int(rest))
    where = {"scheduler_file" if Path(address).is_file() else "address": address}
    problem: Exception
    try:
        return Client(**where, timeout=_CONNECT_SECONDS)
    except (OSError, TimeoutError):
        problem = ClusterError(
            f"No scheduler answers at {address}. `dask scheduler` starts one, and local:4 stands "
            "for four processes of this machine."
        )
    except ValueError as error:
        problem = ValueError(f"cluster {address!r} is not an address: {error}")
    # Dask waits for ever if a client that failed is collected while the next one starts.
    gc.collect()
    raise problem


def _missing(package: str) -> ClusterError:
    return ClusterError(
        f"Work on a cluster needs the package {package}, which is not installed here: "
        f"`python3 run.py python -m pip install {package}` installs it, and so does "
        '`pip install "mctslab[cluster]"`.'
    )


def _processes_here(number: int) -> "Client":
    """A cluster on this machine. Whoever can reach its ports can run code as this user, and so
    could all other users of the machine if there were no keys, which only these processes have."""
    from distributed import Client, LocalCluster
    from distributed.gc import disable_gc_diagnosis
    from distributed.security import Security

    try:
        keys = Security.temporary()
    except ImportError as error:
        raise _missing("cryptography") from error
    with starting():  # also the thread that starts the processes
        cluster = LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            host="127.0.0.1",
            security=keys,
            dashboard_address="127.0.0.1:0",
            silence_logs="CRITICAL",
        )
        # Python ignores what is raised while it collects garbage, so a Ctrl-C would be lost there.
        disable_gc_diagnosis(force=True)
        return Client(cluster)
