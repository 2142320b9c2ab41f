"""The benchmark of alpha-beta runs; how fast it is, no test asks."""

from tests.benchmarks import alphabeta_speed


def test_the_benchmark_of_alpha_beta_runs(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["alphabeta_speed", "--num", "2", "--depth", "3"])
    alphabeta_speed.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[-5].split() == ["1", "2", "3", "nodes/s"]
    names = ["everything", "no table", "no ordering", "neither"]
    assert [line[:12].strip() for line in lines[-4:]] == names
