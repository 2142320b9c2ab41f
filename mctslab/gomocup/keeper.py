"""Runs a program as long as it is needed: a script, `python keeper.py PROGRAM ...`.

It passes its own input on to the program; the output is the program's own. The input ends when our
process closes it, and also when our process is killed. Then the program's input ends too, and if
that does not end the program, it is killed with all processes that it started.

The exit status is the program's.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from typing import Final

GRACE_SECONDS: Final = 1.0
"""The time that a program has to end by itself, the same as with Gomocup's managers."""


def main(command: list[str]) -> None:
    """Run `command`; ends this process."""
    program = subprocess.Popen(command, stdin=subprocess.PIPE)
    threading.Thread(target=_end_with, args=(program,), daemon=True).start()
    assert program.stdin is not None
    with contextlib.suppress(OSError), program.stdin:  # a program may have closed its end
        while data := os.read(sys.stdin.fileno(), 65_536):
            program.stdin.write(data)
            program.stdin.flush()
    time.sleep(GRACE_SECONDS)
    import psutil  # only here: importing it would take half of the time to start

    process = psutil.Process(program.pid)
    for each in (*process.children(recursive=True), process):
        with contextlib.suppress(psutil.Error):
            each.kill()
    program.wait()


def _end_with(program: "subprocess.Popen[bytes]") -> None:
    """End this process when the program has ended, with its status."""
    status = program.wait()
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main(sys.argv[1:])
