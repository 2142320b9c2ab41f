"""Ctrl-C waits for the first import of PyTorch and for the first compile, and none is lost."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Final

import pytest

CHILD: Final = """
import signal, sys, time, warnings
from pathlib import Path
import numpy as np
from mctslab import games, players
from mctslab.fast.compile.module_builder import compiled_module

def load_net():
    players.make("net:gomoku6_1:1", rng=np.random.default_rng(1))
    from mctslab import net
    assert net.load("gomoku6_1")([games.Gomoku(size=6, in_a_row=4)], np.random.default_rng(1))

def compile_tiny():
    kernel = Path("tests", "fast", "tiny_kernel.py")
    call = lambda module: module.answer(1)
    module = compiled_module("tiny", "", kernel, {}, entry_points=("answer",), warm_up=call)
    assert module.answer.nopython_signatures and module.answer(7) == 42

def once(*_):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt

work = globals()[sys.argv[1]]
signal.signal(signal.SIGINT, once)
print("ready", flush=True)
try:
    work()
    time.sleep(20)
    sys.exit("The interrupt was lost.")
except KeyboardInterrupt:
    work()
"""

LONGEST: Final[Mapping[str, float]] = {"load_net": 4.0, "compile_tiny": 2.0}
"""What a process of its own is interrupted in, and about how many seconds that takes."""


def interrupted(work: str, seconds: float) -> str:
    """What a process printed that got Ctrl-C, twice, after so many seconds.

    Afterwards it must be able to do the same work.
    """
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, work], env=os.environ | {"MCTSLAB_CACHE": folder},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    return f"status {process.returncode}: {error}" if process.returncode else error


@pytest.mark.skipif(os.name != "posix", reason="this system sends no such signal")
@pytest.mark.parametrize("share", [0.2, 0.4])
@pytest.mark.parametrize("work", LONGEST)
def test_an_interrupt_is_neither_lost_nor_harmful(work: str, share: float) -> None:
    printed = interrupted(work, share * LONGEST[work])
    assert "status" not in printed
    assert printed.count("interrupting after") <= 1
