"""The benchmark of the endgame solver runs; how fast it is, no test asks."""

import pytest

from tests.benchmarks import endgame_speed


@pytest.mark.parametrize("policy", endgame_speed.POLICIES)
def test_the_benchmark_of_the_endgame_solver_runs(capsys, monkeypatch, policy):
    words = ["endgame_speed", "--num", "2", "--empty", "5", "8", "--policy", policy]
    monkeypatch.setattr("sys.argv", words)
    endgame_speed.main()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[-6:]]
    assert [line[:2] for line in lines] == [
        [num_empty, question] for num_empty in "58" for question in endgame_speed.QUESTIONS
    ]
    assert all(int(line[-1].replace(",", "")) > 0 for line in lines)
