"""A line of text that shows the progress of something: in place, or a new one now and then."""

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

_SECONDS_BETWEEN_LINES: Final = 10.0
_SECONDS_BETWEEN_UPDATES: Final = 0.2


def _is_kernel() -> bool:
    """Whether this process is the kernel of a notebook; other processes can import ipykernel,
    too."""
    application = sys.modules.get("ipykernel.kernelapp")
    return application is not None and bool(application.IPKernelApp.initialized())


class RunningLine:
    """Keeps a line of text up to date in a terminal or notebook; elsewhere, a new line now and
    then.

    It writes to the standard error stream, but in a notebook to the standard output, because errors
    look alarming there.
    """

    def __init__(self) -> None:
        in_notebook = _is_kernel()
        self._stream = sys.stdout if in_notebook else sys.stderr
        self._in_place = in_notebook or self._stream.isatty()
        self._next = 0.0
        self._width = 0

    def update(self, make_line: Callable[[], str], *, is_last: bool) -> None:
        """Write the line, if it is time for it; the last one always, and it stays."""
        now = time.monotonic()
        if now < self._next and not is_last:
            return
        self._next = now + (_SECONDS_BETWEEN_UPDATES if self._in_place else _SECONDS_BETWEEN_LINES)
        line = make_line()
        if self._in_place:
            if self._stream.isatty():  # a line that is too long would not replace itself
                line = line[: shutil.get_terminal_size().columns - 1]
            # Blanks overwrite the rest of a longer line.
            self._stream.write(f"\r{line:<{self._width}}" + "\n" * is_last)
            self._width = len(line)
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()
