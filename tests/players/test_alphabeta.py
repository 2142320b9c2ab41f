"""The player by alpha-beta: its names, its budgets, and thoughts on the way.

The clock is the test's own, so nothing here depends on how fast the machine is.
"""

from itertools import islice, pairwise

import numpy as np
import pytest

from mctslab import players, solvers
from mctslab.games import ConnectFour, Reversi, TicTacToe
from mctslab.players import AlphaBetaPlayer, Proposal
from mctslab.search import ReversiEvaluation
from tests.games.playing import random_game
from tests.search.toys import FORCED_PASS, play


class Clock:
    """Stands in for the module `time`: each look at it takes 1/1024 s."""

    def __init__(self):
        self.now = 1_000.0

    def perf_counter(self):
        self.now += 1 / 1024
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("mctslab.search.budget.time", clock)
    return clock


def make(name):
    return players.make(name, rng=np.random.default_rng(1))


def test_it_plays_what_the_search_finds():
    options = {"evaluation": ReversiEvaluation(0, 0, 0, 1, 0, 0, 0), "ordering": False,
               "table": False, "solve_from": 0}  # fmt: skip
    differing = 0
    line = random_game(Reversi(), np.random.default_rng(1))
    for state in (*islice(line, 4, 56, 5), TicTacToe(), ConnectFour(), Reversi(size=10)):
        action = make("alphabeta:2").choose(state)
        assert action == solvers.alphabeta(state, depth=2).best_action
        if isinstance(state, Reversi):
            other = AlphaBetaPlayer(2, **options).choose(state)
            assert other == solvers.alphabeta(state, depth=2, **options).best_action
            differing += other != action
    assert differing > 0


def test_thoughts_tell_nodes_and_depth():
    thoughts = list(make("alphabeta:4").think(Reversi().child(19)))
    assert [thought.progress for thought in thoughts] == [0.25, 0.5, 0.75, 1.0, 1.0]
    nodes = [thought.num_nodes for thought in thoughts]
    assert nodes == sorted(nodes)
    result = solvers.alphabeta(Reversi().child(19), depth=4)
    assert (nodes[-1], thoughts[-1].action) == (result.num_nodes, result.best_action)
    assert all(thought.num_simulations == 0 for thought in thoughts)


def test_a_time_is_kept_to_three_hundredths_and_thoughts_come_ten_times_a_second(clock):
    thoughts = list(make("alphabeta:2s").think(Reversi()))
    assert 2 <= thoughts[-1].seconds <= 2.015
    assert thoughts[-1].progress == 1.0
    assert all(one.progress <= other.progress for one, other in pairwise(thoughts))
    assert max(other.seconds - one.seconds for one, other in pairwise(thoughts)) < 0.12
    assert len(thoughts) >= 20


def test_of_several_budgets_the_first_to_end_counts(clock):
    (*_, by_depth) = AlphaBetaPlayer(2, 100_000, 10).think(Reversi())
    expected = solvers.alphabeta(Reversi(), depth=2).num_nodes
    assert (by_depth.num_nodes, by_depth.progress) == (expected, 1.0)
    (*_, by_nodes) = AlphaBetaPlayer(20, 5_000, 10).think(Reversi())
    assert (by_nodes.num_nodes, by_nodes.progress) == (5_000, 1.0)
    (*_, by_time) = AlphaBetaPlayer(20, 10_000_000, 0.1).think(Reversi())
    assert by_time.seconds < 0.12


def test_a_forced_move_is_played_at_once_and_leaving_the_loop_ends_the_thinking(clock):
    state = play(Reversi(size=4), FORCED_PASS + " a1")
    thoughts = list(make("alphabeta:60s").think(state))
    assert thoughts == [Proposal(state.pass_action, progress=1.0)]
    assert clock.now == 1_000.0
    thoughts = make("alphabeta:600s").think(Reversi())
    assert [thought.action in Reversi().legal_actions() for thought in islice(thoughts, 5)]
    thoughts.close()
    assert list(thoughts) == []
