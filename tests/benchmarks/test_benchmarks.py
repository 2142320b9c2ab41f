"""The benchmarks run; how fast anything is, no test asks."""

import pytest


def test_the_comparison_with_open_spiel_runs(capsys, monkeypatch):
    pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    from tests.benchmarks import search_speed

    monkeypatch.setattr("sys.argv", ["search_speed", "--runs", "1"])
    search_speed.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-3:]] == ["tic_tac_toe", "connect_four", "othello"]


def test_the_comparison_with_open_spiel_in_c_plus_plus_runs(capsys, monkeypatch):
    pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    from tests.benchmarks import compiled_speed

    monkeypatch.setattr("sys.argv", ["compiled_speed", "--runs", "1"])
    monkeypatch.setattr(compiled_speed, "NUM_SIMULATIONS", 300)
    monkeypatch.setattr(compiled_speed, "READABLE_SIMULATIONS", 20)
    compiled_speed.main()
    lines = capsys.readouterr().out.splitlines()
    names = ["tic_tac_toe", "connect_four", "othello", "gomoku"]
    assert [line.split()[0] for line in lines[-4:]] == names


def test_the_comparison_of_threads_runs(capsys, monkeypatch):
    from tests.benchmarks import parallel_strength

    words = ["parallel_strength", "connect_four", "--simulations", "50", "--games", "4"]
    monkeypatch.setattr("sys.argv", words)
    parallel_strength.main()
    assert "2 threads against 1 thread, Connect Four, 4 games" in capsys.readouterr().out


def test_the_measurement_of_answers_and_times_runs(capsys, monkeypatch):
    from tests.benchmarks import response

    words = "response --runs 1 --games tictactoe --seconds 0.01 --simulations 100 200"
    monkeypatch.setattr("sys.argv", words.split())
    response.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line].count("tictactoe") == 3
    assert lines[-2].split() == ["simulations", "100", "200"]


def test_the_comparison_of_puct_with_open_spiel_runs(capsys, monkeypatch):
    pytest.importorskip("pyspiel", reason="there is no OpenSpiel for this system")
    from tests.benchmarks import puct_speed

    monkeypatch.setattr("sys.argv", ["puct_speed", "--runs", "1"])
    monkeypatch.setattr(puct_speed, "NUM_SIMULATIONS", 50)
    puct_speed.main()
    lines = capsys.readouterr().out.splitlines()
    names = ["gomoku(size=15)", "othello", "connect_four"]
    assert [line.split()[0] for line in lines[-3:]] == names


def test_the_measurement_of_tactics_runs(capsys, monkeypatch):
    from tests.benchmarks import gomoku_tactics

    words = "gomoku_tactics heuristic random --most 3"
    monkeypatch.setattr("sys.argv", words.split())
    gomoku_tactics.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["positions", "3", "3", "3", "3", "3"]
    assert lines[2].startswith("a move by lot")
    assert lines[3].split()[:3] == ["heuristic", "100", "100"]  # it completes and blocks
    assert [line.split()[0] for line in lines[3:]] == ["heuristic", "random"]


def test_lost_openings_are_those_of_the_matches(capsys, monkeypatch):
    from mctslab import arena, games
    from tests.benchmarks import lost_openings

    options = {"size": 6, "in_a_row": 4}
    drawn = [
        (*match.actions[:2],)
        for match in arena.match(
            "gomoku", "random", "random", game_options=options, num_games=8, seed=3, opening_plies=2
        ).games[::2]
    ]
    first = games.Gomoku(**options)
    wanted = [first.child(one).child(other) for one, other in drawn]
    assert list(lost_openings.openings(first, 4, seed=3)) == wanted
    words = ["lost_openings", "gomoku6_4", "--openings", "3", "--simulations", "40"]
    monkeypatch.setattr("sys.argv", words)
    lost_openings.main()
    lines = capsys.readouterr().out.splitlines()
    assert sum(int(line.split()[0]) for line in lines[1:]) == 3


def test_an_opening_is_counted_by_its_proof_or_else_by_its_value():
    import numpy as np

    from mctslab import fast, games, search
    from tests.benchmarks.lost_openings import verdict

    def searched(moves, value, number=4):
        state = games.TicTacToe()
        for move in moves:
            state = state.child(move)
        own = (value, -value) if state.current_player == 0 else (-value, value)

        def evaluator(states, rng):
            return search.Evaluation([own] * len(states), None)

        options = {"evaluator": evaluator, "solver": True, "rng": np.random.default_rng(1)}
        return fast.puct_search(state, num_simulations=number, **options)

    assert verdict(searched([0, 3, 1, 4], 0.0)) == "proven won"
    assert verdict(searched([0, 1, 4], 0.0, number=900)) == "proven lost"
    assert verdict(searched([4, 0, 8, 2, 1, 7, 3, 5], 0.0)) == "proven drawn"
    assert verdict(searched([], 0.95, number=3)) == "won, it seems"
    assert verdict(searched([], -0.95, number=3)) == "lost, it seems"
    assert verdict(searched([], 0.5, number=3)) == "open"
