"""A scripted manager: starts an engine as Piskvork does, and speaks to it through two pipes."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds that a busy machine may take for anything; it is no measure of what is tested."""

OURS = (sys.executable, "-m", "mctslab", "gomocup")
ODD = (sys.executable, "-m", "tests.gomocup.odd_command")


class Manager:
    """An engine, and what is said to it and by it."""

    def __init__(self, *words, command=OURS, end="\r\n", stderr=subprocess.PIPE):
        self.process = subprocess.Popen(
            [*command, *words], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=stderr,
        )  # fmt: skip
        self._end = end
        self._said = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def send(self, *lines):
        self.process.stdin.write("".join(f"{line}{self._end}" for line in lines).encode())
        self.process.stdin.flush()

    def line(self):
        """The next line; each has to end with CR LF."""
        said = self._said.get(timeout=PATIENCE)
        assert said is not None, "the engine has ended"
        assert said.endswith(b"\r\n")
        return said.decode("ascii").strip()

    def answer(self):
        """The next line that is not meant for people."""
        while (line := self.line()).startswith(("MESSAGE", "DEBUG")):
            pass
        return line

    def ask(self, *lines):
        """Send lines, of which the last is to be answered."""
        self.send(*lines)
        return self.answer()

    def rest(self):
        """All that is still said, when the engine has ended."""
        self.process.wait(timeout=PATIENCE)
        rest = list(iter(lambda: self._said.get(timeout=PATIENCE), None))
        self._said.put(None)  # for the next call
        return rest
