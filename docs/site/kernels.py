"""Kernels that begin at once: forks of this process, which has loaded what notebooks import."""

import gc
import importlib
import multiprocessing
import os
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from jupyter_client import AsyncKernelManager
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

CAN_FORK = sys.platform == "linux"
"""Elsewhere a process cannot be forked, or not after it has loaded libraries like these."""

_IMPORTED = (
    "ipykernel.kernelapp",
    "mctslab.course.exercises",
    "mctslab.draw.simple_charts",
    "mctslab.fast",
    "mctslab.net",
    "mctslab.players",
    "mctslab.widgets",
)
"""They load NumPy, Numba, PyTorch and Matplotlib, which takes longer than many notebooks run."""


def new_manager() -> AsyncKernelManager:
    """What starts a kernel and ends it; to be made while this process has no other threads."""
    manager = AsyncKernelManager(kernel_name="python3")
    if CAN_FORK:
        for name in _IMPORTED:
            importlib.import_module(name)
        gc.freeze()  # a fork need not look through what was loaded before
        manager.provisioner = _Provisioner(
            kernel_id=manager.kernel_id, kernel_spec=manager.kernel_spec, parent=manager
        )
        manager.provisioner.fork = _Fork()
    return manager


class _Fork:
    """A fork of this process that waits until it is to be a kernel; used like a `Popen`."""

    stdin = stdout = stderr = None

    def __init__(self) -> None:
        orders, self._orders = multiprocessing.Pipe(duplex=False)
        self._status: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            self._orders.close()  # so that the fork hears when this process ends
            _be_a_kernel(orders)

    def begin(self, arguments: list[str], folder: str, environment: dict[str, str]) -> None:
        """Let it be a kernel."""
        self._orders.send((arguments, folder, environment))

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        if self._status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if ended else None
        return self._status

    wait = poll
    """It is called only after the end."""

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is still running."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _be_a_kernel(orders: "Connection[Any, Any]") -> NoReturn:
    try:
        arguments, folder, environment = orders.recv()
        os.setsid()
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        sys.path.insert(0, folder)  # also for processes that the notebook starts
        from ipykernel.kernelapp import launch_new_instance

        launch_new_instance(arguments)
    except EOFError:  # it is not needed
        pass
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(0)


class _Provisioner(LocalProvisioner):
    """Takes a fork where Jupyter would start Python."""

    fork: _Fork

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Let the fork be the kernel that `cmd` would start."""
        end_with_us = f"--IPKernelApp.parent_handle={os.getpid()}"
        self.fork.begin([*cmd[cmd.index("-f") :], end_with_us], kwargs["cwd"], kwargs["env"])
        self.process = self.fork
        self.pid = self.pgid = self.fork.pid
        return self.connection_info
