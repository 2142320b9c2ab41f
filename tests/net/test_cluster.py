"""A run on a cluster: whatever happens to its parts, it ends with the bytes of a run without one.

Everything is on this machine, each part a process of its own that can be killed.
"""

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from mctslab import cluster_tasks as cluster_module
from mctslab.__main__ import main
from mctslab.cluster import ClusterError
from mctslab.cluster_tasks import Cluster
from mctslab.net import Benchmark, Gate, connect
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.training import CHECKPOINT, read_log, read_strength, train
from tests.clusters import OwnCluster, end, forked_workers, wait_until
from tests.net.runs import TOML, config, is_as, train_on

THREE = config(num_groups=3)


_forked = pytest.fixture(forked_workers, scope="module", autouse=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run in one process."""
    folder = tmp_path_factory.mktemp("whole")
    train(THREE, folder, num_workers=0)
    return folder


@pytest.fixture
def own(tmp_path):
    with contextlib.closing(OwnCluster(tmp_path)) as own:
        yield own


def trained(folder, cluster, until=6, then=lambda number: None):
    """Train on a cluster until so many iterations are done; `then` is called after each."""
    done = [0]

    def note(iteration):
        done.append(iteration.number)
        then(iteration.number)

    return train(THREE, folder, cluster=cluster, progress=note, stop=lambda: done[-1] >= until)


@pytest.mark.timeout(600)
def test_moved_between_this_process_and_a_cluster_whose_workers_die_and_join(tmp_path, whole, own):
    run, workers = tmp_path / "run", [own.add_worker() for _ in range(2)]

    def change(number):  # the next round is being played
        if number == 1:
            workers[0].kill()
        if number == 2:
            workers[1].kill()
            workers.extend(own.add_worker() for _ in range(2))

    with connect(THREE, own.address) as cluster:
        assert trained(run, cluster, until=3, then=change).num_iterations == 3
        wait_until(lambda: cluster.num_workers() == 2)
    assert train_on(run, 1, THREE, num_workers=0).num_iterations == 4
    with connect(THREE, own.address, exact=True) as cluster:
        assert trained(run, cluster).differences == []
    assert is_as(run, whole)


def test_without_workers_it_says_so_and_waits(tmp_path, whole, own):
    said = []

    def note(sentence):
        said.append(sentence)
        own.add_worker()

    with connect(THREE, own.address, say=note) as cluster:
        trained(tmp_path / "run", cluster)
    assert said == [f"No worker is connected to {own.address}; waiting for one."]
    assert is_as(tmp_path / "run", whole)


def test_the_gate_and_the_opponents_play_there_too(tmp_path, own):
    own.add_worker()
    terms = config(gate=Gate(every=2, num_games=4, num_simulations=4))
    benchmark = Benchmark(("random", "uct:40"), every=3, num_games=4, num_simulations=4)
    train(terms, tmp_path / "here", benchmark=benchmark)
    with connect(terms, own.address) as cluster:
        train(terms, tmp_path / "run", benchmark=benchmark, cluster=cluster)
    assert is_as(tmp_path / "run", tmp_path / "here")
    here, there = (read_strength(tmp_path / each) for each in ("here", "run"))
    assert [replace(each, seconds=0.0) for each in here] == [
        replace(each, seconds=0.0) for each in there
    ]


def test_without_its_scheduler_a_run_ends_and_goes_on_from_its_checkpoint(tmp_path, whole, own):
    own.add_worker()
    run = tmp_path / "run"

    def kill(number):
        if number == 2:
            end(own.scheduler)

    gone = pytest.raises(ClusterError, match=f"scheduler at {own.address} is gone.*continues")
    with connect(THREE, own.address) as cluster, gone:
        trained(run, cluster, then=kill)
    assert len(read_log(run)) == 2
    own.start_scheduler()
    own.add_worker()
    with connect(THREE, own.address) as cluster:
        trained(run, cluster)
    assert is_as(run, whole)


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C of a terminal is a signal to its processes")
def test_ctrl_c_is_one_sentence(tmp_path):
    file, run = tmp_path / "six.toml", tmp_path / "run"
    # Rounds long enough that the interrupt does not come amid Dask's own clearing up, where Python
    # has to ignore it.
    long = TOML.replace("iteration = 40", "iteration = 800")
    file.write_text("num_groups = 3\n" + long.replace("iterations = 6", "iterations = 90"))
    words = ["train", str(file), "--out", str(run), "--cluster", "local:1"]
    running = subprocess.Popen(
        [sys.executable, "-m", "mctslab", *words], start_new_session=True, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        wait_until(lambda: read_log(run) or running.poll() is not None, seconds=300)
    finally:
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    *progress, last = said.strip().split("\n")
    assert last == "Stopped. The same command continues from here."
    assert all(line.startswith("iteration ") for line in progress if line)


# Workers that get other results

OTHER_VERSION = "import mctslab; mctslab.__version__ = '9.9'"
OTHER_BITS = """
from mctslab.net.playing import RoundProbe
RoundProbe.__call__ = lambda self: b"other"
"""


def refused_or_labelled(tmp_path, own, preload, *, exact):
    """Begin with a worker that differs; a good one joins when that is refused."""
    said = []

    def note(sentence):
        if sentence.endswith("waiting for one."):
            return  # a worker takes longer to start on a busy machine
        said.append(sentence)
        if "refused" in sentence:
            assert len(said) == 1, said
            own.add_worker()

    own.add_worker(preload)
    with connect(THREE, own.address, exact=exact, say=note) as cluster:
        trainer = trained(tmp_path / "run", cluster)
    kept = load_checkpoint(tmp_path / "run" / CHECKPOINT).about.get("not_bit_exact", [])
    assert kept == trainer.differences
    return " ".join(said), kept


@pytest.mark.parametrize("more", ["", "import sys; sys.modules['mctslab.net.playing'] = None"])
def test_a_worker_with_another_version_is_refused_by_name(tmp_path, whole, own, more):
    """Also where it cannot read its task."""
    preload = f"{OTHER_VERSION}\n{more}"
    said, label = refused_or_labelled(tmp_path, own, preload, exact=False)
    assert "The worker tcp://127.0.0.1:" in said
    assert "it has mctslab 9.9, and this machine has " in said
    assert label == []
    assert is_as(tmp_path / "run", whole)


def test_a_worker_that_computes_otherwise_is_refused_where_all_must_be_exact(tmp_path, whole, own):
    said, label = refused_or_labelled(tmp_path, own, OTHER_BITS, exact=True)
    assert "are not the same to the last bit as those of" in said
    assert label == []
    assert is_as(tmp_path / "run", whole)


def test_with_a_worker_that_computes_otherwise_a_run_is_labelled_for_good(tmp_path, own):
    said, label = refused_or_labelled(tmp_path, own, OTHER_BITS, exact=False)
    assert said == f"Not bit-exact: {label[0]}."
    assert train(THREE, tmp_path / "run", num_workers=0).differences == label


def end_the_process(status, shared):
    os._exit(status)


@pytest.mark.timeout(600)
def test_a_task_that_ends_its_workers_is_named():
    with Cluster("local:1") as cluster:
        task = cluster.submit("Group 3", end_the_process, 7, shared=cluster.share(None))
        with pytest.raises(ClusterError, match="Group 3 ended several workers"):
            task.result()


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("tcp://127.0.0.1:1", "No scheduler answers at tcp://127.0.0.1:1"),
        ("local:0", "got 'local:0'"),
        ("here", "got 'here'"),
        ("foo://bar:7", "'foo://bar:7' is not an address"),
    ],
)
def test_a_wrong_address_is_told(address, problem, monkeypatch):
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 0.5)
    with pytest.raises((ClusterError, ValueError), match=problem):
        Cluster(address)


def test_without_dask_a_sentence_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "six.toml").write_text(TOML)
    words = ["train", str(tmp_path / "six.toml"), "--out", str(tmp_path), "--cluster", "local:2"]
    assert main(words) == 2
    assert 'pip install "mctslab[cluster]"' in capsys.readouterr().err


def test_the_course_does_not_load_dask():
    code = (
        "import sys, mctslab.course, mctslab.arena, mctslab.net, mctslab.widgets, mctslab.cluster\n"
        "assert not {'dask', 'distributed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
