"""What goes wrong: a run is killed, the disk is full, the checkpoint is damaged.

Whatever happens, the folder holds the run up to its last finished iteration, the command says in a
sentence what is wrong, and once that is mended the run ends with the net that it would have had.
"""

import os
import pickle
import shutil
import time
from contextlib import suppress

import psutil
import pytest
from filelock import FileLock

from mctslab.__main__ import main
from mctslab.net import Benchmark, Gate, run_folder
from mctslab.net.checkpoint import CheckpointError, save_checkpoint
from mctslab.net.run_folder import CHECKPOINT, RUN, FolderInUseError, train
from mctslab.net.run_log import LOG, read_log, read_strength
from tests import forks
from tests.net.nets import lively_net
from tests.net.runs import TOML, config, is_as, train_on


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run to which nothing has happened."""
    folder = tmp_path_factory.mktemp("whole")
    train(config(), folder)
    return folder


WITH_GATE = config(num_iterations=3, gate=Gate(every=1, num_games=2, num_simulations=2))
OFTEN = Benchmark(("random",), every=1, num_games=2, num_simulations=2)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of a run with a gate and measurements, to which nothing has happened."""
    folder = tmp_path_factory.mktemp("measured")
    train(WITH_GATE, folder, benchmark=OFTEN)
    return folder


def toml(folder, text=TOML):
    file = folder / "small.toml"
    file.write_text(text)
    return file


# Killed


class KilledError(BaseException):
    """Stands for the end of the program: nothing handles it."""


@pytest.mark.parametrize("deadly", range(1, 9))
def test_a_run_that_is_killed_between_any_two_writes_ends_with_the_same_net(
    measured, tmp_path, monkeypatch, deadly
):
    """It is killed at one of its first writes, and then before and after that one."""
    num_left = deadly

    def killed(write):
        def last(*args, **options):
            nonlocal num_left
            num_left -= 1
            if num_left == 0:
                raise KilledError
            return write(*args, **options)

        return last

    for name in ("save_checkpoint", "write_whole", "add_line", "cut_logs"):
        monkeypatch.setattr(run_folder, name, killed(getattr(run_folder, name)))
    for num_left in (deadly, deadly + 1, deadly - 1, -1):  # noqa: B007
        with suppress(KilledError):
            train(WITH_GATE, tmp_path, benchmark=OFTEN)
    assert is_as(tmp_path, measured)
    assert (tmp_path / RUN).read_bytes() == (measured / RUN).read_bytes()
    assert read_strength(tmp_path) == read_strength(measured)


# Several processes


@pytest.mark.timeout(1_800)  # several processes, each of which has to begin
def test_a_command_that_is_killed_goes_on_and_leaves_no_process_behind(tmp_path, capsys):
    """Here from outside; the processes that play for it end, too."""
    train(config(num_shares=2), tmp_path / "whole", num_workers=0)
    file, run = toml(tmp_path, f"num_shares = 2\n{TOML}"), tmp_path / "run"
    words = ["train", str(file), "--out", str(run), "--workers"]
    running = forks.context().Process(target=main, args=([*words, "1"],))
    running.start()
    while len(read_log(run)) < 2 and running.is_alive():  # the first iteration is kept
        time.sleep(0.005)
    children = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.join()
    assert len(children) >= 1
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    assert 1 <= len(read_log(run)) < 6
    assert main([*words, "0"]) == 0
    assert "All 6 iterations are done" in capsys.readouterr().out
    assert is_as(run, tmp_path / "whole")


def test_what_a_killed_run_has_left_is_deleted_only_by_who_trains_there(tmp_path):
    train_on(tmp_path, 2)
    (left := tmp_path / f".{RUN}.0123abcd.new").touch()
    with FileLock(tmp_path / ".lock"), pytest.raises(FolderInUseError):
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
    before = (run / RUN).read_bytes()
    failed = forks.run(limited, run, toml(tmp_path), len(before) // 2)
    assert failed.returncode == 2
    assert failed.stderr.strip().splitlines()[-1] == "train: [Errno 27] File too large"
    assert (run / RUN).read_bytes() == before
    assert not list(run.glob("*.new"))
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
    for name, content, said in (
        (RUN, (whole / RUN).read_bytes()[:-100], "is damaged"),
        (RUN, b"", "is damaged"),
        (RUN, pickle.dumps({"net": 1}, protocol=2), "is damaged"),
        (CHECKPOINT, (whole / CHECKPOINT).read_bytes()[:-100], "is not a net, or was cut short"),
    ):
        (run / name).write_bytes(content)
        assert main(["train", str(toml(tmp_path)), "--out", str(run)]) == 2
        assert capsys.readouterr().err.startswith(f"train: {run / name} {said}")
        assert (run / LOG).read_bytes() == (whole / LOG).read_bytes()
