"""The benchmarks run; how fast anything is, no test asks."""

import pytest


def test_the_comparison_with_open_spiel_runs(capsys, monkeypatch):
    pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    from tests.benchmarks import search_speed

    monkeypatch.setattr("sys.argv", ["search_speed", "--runs", "1"])
    search_speed.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["tic_tac_toe", "connect_four", "othello"]
