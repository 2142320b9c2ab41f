"""Runs a program for as long as it is wanted: a script, `python engine_keeper.py PROGRAM ...`.

It hands its own input on to the program, and everything else is the program's own. When the input
ends, whoever asked for the program has closed it, or is gone; also killed, when nobody is left to
tidy up. Then the program's input ends, too, and if that doesn't end the program, it is killed with
all that it has started.

The status is the program's.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from typing import Final

GRACE_SECONDS: Final = 1.0
"""So long may the program take to end by itself. Managers of Gomocup give as much."""


def main(command: list[str]) -> None:
    """Run `command`; ends this process."""
    program = subprocess.Popen(command, stdin=subprocess.PIPE)
    threading.Thread(target=_hand_on, args=(program,), daemon=True).start()
    status = program.wait()
    os._exit(status if status >= 0 else 128 - status)


def _hand_on(program: "subprocess.Popen[bytes]") -> None:
    """Hand the input on to its end, and see that the program ends, too."""
    assert program.stdin is not None
    with contextlib.suppress(OSError):  # a program that no longer listens
        while data := os.read(sys.stdin.fileno(), 65_536):
            program.stdin.write(data)
            program.stdin.flush()
    with contextlib.suppress(OSError):
        program.stdin.close()
    time.sleep(GRACE_SECONDS)
    _kill(program.pid)


def _kill(pid: int) -> None:
    """Kill a process and all that it has started."""
    import psutil  # only when it is needed: it would take half of the time to start

    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for each in (*process.children(recursive=True), process):
            with contextlib.suppress(psutil.Error):
                each.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
