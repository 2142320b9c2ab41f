"""The measurement of transpositions runs, and counts right."""

import pytest

from tests.benchmarks import transpositions


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_trees_are_compared_with_graphs_by_a_perfect_player(game, capsys, monkeypatch):
    if game == "connect_four":  # solved in no time
        monkeypatch.setitem(transpositions.PLIES, game, (30, 34))
    words = ["transpositions", "positions", game, "--num", "5", "--simulations", "40"]
    monkeypatch.setattr("sys.argv", words)
    transpositions.main()
    head, tree, graph, difference = capsys.readouterr().out.splitlines()
    assert head.startswith(f"{game}, 5 positions, 40 simulations, uniform evaluator")
    assert tree.startswith("  tree   best move ")
    assert graph.startswith("  graph  best move ")
    # A graph asks about no position twice.
    shares = graph.replace(",", "").split("asked in ")[1].split()
    assert shares[0] == shares[-1]
    assert difference.startswith("  graph better in ")


def test_a_graph_plays_against_a_tree(capsys, monkeypatch):
    words = ["transpositions", "match", "--num", "2", "--simulations", "8"]
    monkeypatch.setattr("sys.argv", words)
    transpositions.main()
    assert "graph against tree, Gomoku, 2 games" in capsys.readouterr().out
