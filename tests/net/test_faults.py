"""What goes wrong: a run is killed, the disk is full, the checkpoint is damaged.

Whatever happens, the folder holds the run up to its last finished iteration, the command says in a
sentence what is wrong, and once that is mended the run ends with the net that it would have had.
"""

import os
import shutil
import time

import numpy as np
import pytest
from filelock import FileLock

from mctslab.__main__ import main
from mctslab.net.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.evaluation import Benchmark
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


LONG = config(num_iterations=20)
MEASURED = Benchmark(("random",), every=2, num_games=2, num_simulations=2)


def test_a_run_that_is_killed_again_and_again_ends_with_the_same_net(tmp_path):
    """At random moments: while it gets ready, plays, learns, measures, or writes its files."""
    whole, run, rng = tmp_path / "whole", tmp_path / "run", np.random.default_rng(1)
    train(LONG, whole, benchmark=MEASURED)
    checkpoint = run / CHECKPOINT
    changed = lambda: checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0  # noqa: E731
    for number in range(6):
        options, before = {"benchmark": MEASURED, "num_workers": 0}, changed()
        program = forks.context().Process(target=train, args=(LONG, run), kwargs=options)
        program.start()
        while number % 2 and changed() == before and program.is_alive():
            time.sleep(0.01)
        time.sleep(0.2 * rng.random())
        program.kill()
        program.join()
        if checkpoint.exists():
            load_checkpoint(checkpoint)
    assert 3 <= load_checkpoint(checkpoint).about["iterations"] < 20
    train(LONG, run, benchmark=MEASURED)
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
