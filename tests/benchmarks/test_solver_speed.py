"""The benchmark of the solver runs; how fast it is, no test asks."""

from tests.benchmarks import solver_speed


def test_the_benchmark_of_the_solver_runs(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["solver_speed", "--num", "2", "--plies", "20", "30"])
    solver_speed.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["ply", "20", "30"]
