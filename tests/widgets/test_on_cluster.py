"""The training panel on a cluster: what it shows of it, and that the net is the same."""

import pytest

from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.widgets import TrainingPanel
from tests.clusters import forked_workers
from tests.net.runs import config

_forked = pytest.fixture(forked_workers, scope="module", autouse=True)


def run_to_the_end(panel):
    """Run a panel; everything that it showed of its cluster."""
    shown = []
    panel.observe(lambda change: shown.append(change["new"]), "cluster")
    panel.start()
    assert panel.wait(200)
    assert panel.message == ""
    return shown


def test_a_net_is_trained_by_workers_that_the_panel_shows(tmp_path):
    terms = config(num_shares=2)
    train(terms, tmp_path / "here", num_workers=0)
    shown = run_to_the_end(TrainingPanel(terms, tmp_path / "there", cluster="local:1"))
    assert shown == ["Working on the cluster local:1", ""]
    here, there = ((tmp_path / each / CHECKPOINT).read_bytes() for each in ("here", "there"))
    assert here == there


def test_where_no_scheduler_answers_a_sentence_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("mctslab.cluster._CONNECT_SECONDS", 0.5)
    panel = TrainingPanel(config(), tmp_path, cluster="tcp://127.0.0.1:1")
    panel.start()
    assert panel.wait(60)
    assert panel.message.startswith("No scheduler answers at tcp://127.0.0.1:1. `dask scheduler`")
    assert (panel.cluster, panel.commands) == ("", ["start"])
