"""Whoever plays, and whatever dies meanwhile: a run ends with the bytes of one in one process.

Everything is on this machine, each part a process of its own that can be killed.
"""

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import sys
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import replace

import pytest

from mctslab import child_processes, cluster
from mctslab.__main__ import main
from mctslab.child_processes import Processes
from mctslab.cluster import ClusterError, open_cluster
from mctslab.net import Gate, training
from mctslab.net.run_folder import ProcessDiedError, train
from mctslab.net.run_log import read_log, read_strength
from tests import forks
from tests.clusters import OwnCluster, dask, end, forked_workers, wait_until
from tests.net import runs
from tests.net.runs import TOML, config, is_as, train_on

FOUR = config(num_shares=4, num_iterations=3, gate=Gate(every=2, num_games=4, num_simulations=4))
BENCHMARK = replace(runs.BENCHMARK, every=2)

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)
_forked_workers = pytest.fixture(forked_workers, scope="module", autouse=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run in one process."""
    folder = tmp_path_factory.mktemp("whole")
    train(FOUR, folder, num_workers=0, benchmark=BENCHMARK)
    return folder


def is_the_same(run, whole):
    return is_as(run, whole) and read_strength(run) == read_strength(whole)


def test_any_number_of_processes_and_of_workers_of_a_cluster(tmp_path, whole):
    """Two iterations by our own processes, and the other one by a cluster on this machine."""
    two = lambda: len(read_log(tmp_path)) == 2  # noqa: E731
    train(FOUR, tmp_path, stop=two, num_workers=3, benchmark=BENCHMARK)
    assert not multiprocessing.active_children()
    with open_cluster("local:2") as executor:
        assert not any("distributed" in repr(each) for each in gc.callbacks), "Ctrl-C is lost there"
        train(FOUR, tmp_path, executor=executor, benchmark=BENCHMARK)
    assert is_the_same(tmp_path, whole)


def kill_one(iteration):
    multiprocessing.active_children()[0].kill()


def test_processes_that_die_and_an_executor_that_is_broken_is_not_tried_again(tmp_path, whole):
    """One dies after each iteration; then that of the caller."""
    two = lambda: len(read_log(tmp_path)) == 2  # noqa: E731
    train(FOUR, tmp_path, progress=kill_one, stop=two, num_workers=2, benchmark=BENCHMARK)
    with Processes(1) as executor:
        wait_until(executor.submit(end_at_once).done)
        with pytest.raises(BrokenExecutor):
            train(FOUR, tmp_path, executor=executor, benchmark=BENCHMARK)
    assert len(read_log(tmp_path)) == 2
    train(FOUR, tmp_path, num_workers=0, benchmark=BENCHMARK)
    assert is_the_same(tmp_path, whole)


def end_at_once(*_):
    os._exit(7)


def test_where_processes_die_again_and_again_a_sentence_says_what_may_help(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "self_play", end_at_once)
    with pytest.raises(ProcessDiedError, match='under `if __name__ == "__main__":`'):
        train(FOUR, tmp_path, num_workers=2)
    assert not multiprocessing.active_children()


# Clusters


@pytest.fixture
def own(tmp_path):
    with contextlib.closing(OwnCluster(tmp_path)) as own:
        yield own


def test_on_a_cluster_workers_die_and_join_and_then_the_scheduler_goes(tmp_path, whole, own):
    run, workers = tmp_path / "run", [own.add_worker() for _ in range(2)]

    def change(iteration):
        if iteration.number == 1:
            end(workers[0])
            own.add_worker()
        if iteration.number == 2:
            end(own.scheduler)

    gone = pytest.raises(ClusterError, match=f"scheduler at {own.address} is gone.*continues")
    with gone, open_cluster(own.address) as executor:
        train(FOUR, run, executor=executor, progress=change, benchmark=BENCHMARK)
    assert len(read_log(run)) == 2
    train_on(run, 9, FOUR, num_workers=0, benchmark=BENCHMARK)
    assert is_the_same(run, whole)


@pytest.mark.filterwarnings("always")
def test_a_cluster_without_workers_is_waited_for(own, recwarn):
    with open_cluster(own.address) as executor:
        square = executor.submit(pow, 3, 2)
        own.add_worker()
        assert square.result() == 9
    assert f"No worker is connected to {own.address} yet" in str(recwarn.pop(UserWarning).message)


def test_nobody_without_the_keys_of_the_run_reaches_its_processes():
    """Other users of the machine can connect to its ports, and a message can make them run code."""
    from distributed.core import connect
    from distributed.security import Security

    stranger = Security.temporary().get_connection_args("client")

    async def enter(address):
        await (await connect(address, timeout=5, **stranger)).write({"op": "identity"})

    with open_cluster("local:1") as executor:
        assert executor.submit(sum, (1, 2)).result() == 3
        known = executor._client.scheduler_info()
        for address in (known["address"], *known["workers"]):
            assert address.startswith("tls://127.0.0.1:")
            # In a thread of its own, because another test can have left a loop running in this one.
            with ThreadPoolExecutor(1) as thread, pytest.raises(OSError, match="certificate"):
                thread.submit(asyncio.run, enter(address)).result()


def train_in_a_terminal(words, said):
    """The command in a group of processes of its own; those that play are forks of it."""
    os.setsid()
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT), 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    child_processes._METHOD = "fork"
    with dask.config.set({"distributed.worker.multiprocessing-method": "fork"}):
        sys.exit(main(words))


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal is a signal to its processes")
@pytest.mark.parametrize("where", [["--cluster", "local:1"], ["--workers", "3"]])
def test_ctrl_c_is_one_sentence(tmp_path, where):
    file, run, said = tmp_path / "six.toml", tmp_path / "run", tmp_path / "said"
    more = TOML.replace("iterations = 6", "iterations = 90")
    file.write_text(more.replace("num_shares = 1", "num_shares = 3"))
    words = ["train", str(file), "--out", str(run), *where]
    running = forks.context().Process(target=train_in_a_terminal, args=(words, said))
    running.start()
    try:
        wait_until(lambda: read_log(run) or not running.is_alive())
    finally:
        os.killpg(running.pid, signal.SIGINT)
        running.join(60)
    assert running.exitcode == 130, said.read_text()
    *progress, last = said.read_text().strip().split("\n")
    assert last == "Stopped. The same command continues from here."
    assert all(line.startswith("iteration ") for line in progress if line)


def test_a_call_that_ends_its_workers_is_said():
    ended = pytest.raises(ClusterError, match="A call ended several workers")
    with ended, open_cluster("local:1") as executor:
        executor.submit(os._exit, 7).result()


def test_a_wrong_address_is_told(monkeypatch):
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    for address, problem in (
        ("tcp://127.0.0.1:1", "No scheduler answers at tcp://127.0.0.1:1"),
        ("local:0", "No scheduler answers at local:0.*local:4 stands for"),
        ("here", "'here' is not an address"),
        ("foo://bar:7", "'foo://bar:7' is not an address"),
    ):
        with pytest.raises((ClusterError, ValueError), match=problem), open_cluster(address):
            pass


@pytest.mark.parametrize("package", ["distributed", "cryptography"])
def test_without_a_package_a_sentence_says_what_to_install(monkeypatch, capsys, tmp_path, package):
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / "six.toml").write_text(TOML)
    words = ["train", str(tmp_path / "six.toml"), "--out", str(tmp_path), "--cluster", "local:2"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert f"needs the package {package}" in said
    assert 'pip install "mctslab[cluster]"' in said
