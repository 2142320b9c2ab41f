"""What goes wrong: a run is killed, the disk is full, the checkpoint is damaged.

Whatever happens, the folder holds the run up to its last finished iteration, the command says in a
sentence what is wrong, and once that is mended the run ends with the net that it would have had.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from mctslab.__main__ import main
from mctslab.net.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.run_folder import CHECKPOINT, FolderInUseError, train
from mctslab.net.run_log import LOG, read_strength
from tests import forks
from tests.net.nets import lively_net
from tests.net.runs import TOML, config, is_as, train_on


def toml(folder, text=TOML):
    file = folder / "small.toml"
    file.write_text(text)
    return file


# Killed

RUNS = """
import json, os, signal, sys
from mctslab.net import evaluation, run_folder, training
from tests.net.loaded import config
left = 0

def count(frame, event, argument):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def self_play(*share, self_play=training.self_play):
    sys.setprofile(count)
    return self_play(*share)

def run(folder, begin, num_iterations):
    if begin == "at once":
        sys.setprofile(count)
    else:
        training.self_play = self_play
    measure = evaluation.Benchmark(("random",), every=2, num_games=2, num_simulations=2)
    run_folder.train(config(num_iterations=num_iterations), folder, benchmark=measure)
    sys.setprofile(None)

for line in sys.stdin:
    folder, begin, left, num_iterations = json.loads(line)
    reader, writer = os.pipe()
    if not os.fork():
        run(folder, begin, num_iterations)
        os.write(writer, str(left).encode())
        os._exit(0)
    os.close(writer)
    _, status = os.wait()
    print(json.dumps([status, os.read(reader, 99).decode()]), flush=True)
"""
"""Runs that kill themselves at a call or a return, by their number: so no moment depends on how
fast this machine is, and any line can be the last one, also between two steps of writing a file.
Each is a process of its own, forked from one that has loaded everything and trained nothing."""
MANY = 1_000_000_000
"""More calls than there are."""


@pytest.fixture
def calls_left():
    """A function that trains until so many calls: how many were left, or None if that killed it."""
    words = [sys.executable, "-c", RUNS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, cwd=Path(__file__).parents[2], **pipes) as runs:

        def train_until(folder, begin, calls, num_iterations=6):
            words = [str(folder), begin, calls, num_iterations]
            runs.stdin.write(json.dumps(words) + "\n")
            runs.stdin.flush()
            status, left = json.loads(runs.stdout.readline())
            assert status in (0, signal.SIGKILL)
            return int(left) if status == 0 else None

        yield train_until
        runs.stdin.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no signal that no program hears of")
def test_a_run_that_is_killed_four_times_ends_with_the_same_net(tmp_path, calls_left):
    whole, run = tmp_path / "whole", tmp_path / "run"
    num_calls = MANY - calls_left(whole, "when it plays", MANY)
    first = MANY - calls_left(tmp_path / "first", "when it plays", MANY, num_iterations=1)
    begins = MANY - calls_left(tmp_path / "another", "at once", MANY, num_iterations=1) - first
    iteration = (num_calls - first) // 5
    rng = np.random.default_rng(1)
    for begin, moments in (
        ("when it plays", (first, first + iteration)),  # in the first one much happens once
        ("when it plays", (1, iteration * 3 // 2)),  # an iteration may be finished before
        ("at once", (1, begins // 2)),  # while it gets ready, and reads what was written before
        ("when it plays", (1, iteration * 3 // 2)),
    ):
        assert calls_left(run, begin, int(rng.integers(*moments))) is None
        if (run / CHECKPOINT).exists():
            load_checkpoint(run / CHECKPOINT)
    assert 1 <= load_checkpoint(run / CHECKPOINT).about["iterations"] < 6
    assert calls_left(run, "when it plays", MANY) is not None
    assert is_as(run, whole)
    measured = [[each.as_first for each in read_strength(folder)] for folder in (run, whole)]
    assert measured[0] == measured[1]


def test_what_a_killed_run_has_left_is_deleted_only_by_who_trains_there(tmp_path):
    train_on(tmp_path, 2)
    left = tmp_path / f".{CHECKPOINT}.0123abcd.new"
    left.touch()
    with FileLock(tmp_path / ".lock"), pytest.raises(FolderInUseError, match="Another"):
        train_on(tmp_path, 1)
    assert left.exists()
    train_on(tmp_path, 1)
    assert not left.exists()


# The disk is full


def limited(folder, file, num_bytes):
    """Train where no file may grow beyond so many bytes: writing fails, after a part of it."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, num_bytes))
    return main(["train", str(file), "--out", str(folder)])


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot limit the length of a file so")
def test_where_there_is_no_room_the_command_says_so_and_keeps_what_there_was(whole, tmp_path):
    run = tmp_path / "run"
    train_on(run, 2)
    before = (run / CHECKPOINT).read_bytes()
    failed = forks.run(limited, run, toml(tmp_path), len(before) // 2)
    assert failed.returncode == 2
    assert failed.stderr.strip().splitlines()[-1] == "train: [Errno 27] File too large"
    assert (run / CHECKPOINT).read_bytes() == before
    assert not list(run.glob("*.new"))
    # Killed after the third line, and while it wrote the fourth, which has no checkpoint either.
    lines = (whole / LOG).read_text().splitlines(keepends=True)
    (run / LOG).write_text("".join(lines[:3]) + lines[3][:20])
    train(config(), run)
    assert is_as(run, whole)


# Damaged files


def test_a_net_that_is_no_run_is_refused(tmp_path):
    save_checkpoint(tmp_path / CHECKPOINT, lively_net(config().net_config()))
    with pytest.raises(CheckpointError, match="no training run to go on with"):
        train(config(), tmp_path)


def test_the_command_refuses_a_damaged_run_in_a_sentence(whole, tmp_path, capsys):
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    (run / CHECKPOINT).write_bytes((whole / CHECKPOINT).read_bytes()[:-100])
    assert main(["train", str(toml(tmp_path)), "--out", str(run)]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith(f"train: {run / CHECKPOINT} is not a net, or was cut short")
    assert (run / LOG).read_bytes() == (whole / LOG).read_bytes()
