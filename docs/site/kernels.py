"""Kernels that begin at once: forks of a process that has loaded what notebooks import."""

import functools
import multiprocessing
import os
import signal
import sys
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from typing import Any

from jupyter_client import AsyncKernelManager
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

CAN_FORK = sys.platform == "linux"
"""Elsewhere a process cannot be forked, or not after it has loaded libraries like these."""

_LOADED = (
    "__main__",
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
    """What starts a kernel and ends it."""
    manager = AsyncKernelManager(kernel_name="python3")
    if CAN_FORK:
        manager.provisioner = _Provisioner(
            kernel_id=manager.kernel_id, kernel_spec=manager.kernel_spec, parent=manager
        )
    return manager


@functools.cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_LOADED])
    return context


class _Provisioner(LocalProvisioner):
    """Forks a process where Jupyter would start Python."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Let a fork be the kernel that `cmd` would start."""
        arguments = (cmd[cmd.index("-f") :], kwargs["cwd"], kwargs["env"])
        kernel = _context().Process(target=_be_a_kernel, args=arguments)
        kernel.start()
        self.process = _LikePopen(kernel)
        self.pid = self.pgid = kernel.pid
        return self.connection_info


class _LikePopen:
    """A process as Jupyter expects it."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""
        return self._process.exitcode

    wait = poll
    """Jupyter calls it only after the end."""

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is still running."""
        if self.poll() is None and self._process.pid is not None:
            os.kill(self._process.pid, number)


def _be_a_kernel(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the server of forks ignores it
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path.insert(0, folder)  # also for processes that the notebook starts
    from ipykernel.kernelapp import launch_new_instance

    # It ends with the server of forks, which ends with us. What a cell raises is not in its log.
    ours = [f"--IPKernelApp.parent_handle={os.getppid()}", "--IPKernelApp.log_level=ERROR"]
    launch_new_instance([*arguments, *ours])
