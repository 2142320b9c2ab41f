"""The player by alpha-beta: its budgets, and thoughts on the way."""

from itertools import islice, pairwise

import numpy as np

from mctslab import solvers
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.players import AlphaBetaPlayer
from mctslab.search import ReversiEvaluation
from tests.games.playing import player_of, random_game


def test_it_plays_what_the_search_finds():
    evaluation = ReversiEvaluation(0, 0, 0, 1, 0, 0, 0)
    differing = 0
    line = random_game(Reversi(), np.random.default_rng(1))
    for state in (*islice(line, 4, 56, 5), TicTacToe(), ConnectFour(), Reversi(size=10)):
        *_, thought = player_of("alphabeta:2").think(state)
        result = solvers.alphabeta(state, depth=2)
        assert (thought.action, thought.num_nodes) == (result.best_action, result.num_nodes)
        if isinstance(state, Reversi):
            other = AlphaBetaPlayer(2, evaluation=evaluation).choose(state)
            assert other == solvers.alphabeta(state, depth=2, evaluation=evaluation).best_action
            differing += other != thought.action
    assert differing > 0


def test_of_several_budgets_the_first_to_end_counts_and_a_time_is_kept():
    expected = solvers.alphabeta(Reversi(), depth=2).num_nodes
    for limits, nodes in (((2, 100_000, 10), expected), ((20, 5_000, 10), 5_000)):
        (*_, last) = AlphaBetaPlayer(*limits).think(Reversi())
        assert (last.num_nodes, last.progress) == (nodes, 1.0)
    thoughts = list(AlphaBetaPlayer(20, 1_000_000_000, 0.5).think(Reversi()))
    assert len(thoughts) > 1
    assert 0.5 <= thoughts[-1].seconds < 5
    assert thoughts[-1].progress == 1.0
    assert all(one.progress <= other.progress for one, other in pairwise(thoughts))
