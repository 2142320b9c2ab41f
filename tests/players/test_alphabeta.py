"""The player by alpha-beta: its names, its budgets, and thoughts on the way.

The clock is the test's own, so nothing here depends on how fast the machine is.
"""

import functools
from itertools import islice, pairwise

import numpy as np
import pytest

from mctslab import arena, fast, players
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
    monkeypatch.setattr("mctslab.fast.classic.alphabeta_result.time", clock)
    return clock


def new_rng():
    return np.random.default_rng(1)


def make(name):
    return players.make(name, rng=new_rng())


def test_it_plays_what_the_search_finds():
    evaluation = ReversiEvaluation(0, 0, 0, 1, 0, 0, 0)
    differing = 0
    for state in islice(random_game(Reversi(), new_rng()), 4, 56, 5):
        assert make("alphabeta:4").choose(state) == fast.alphabeta(state, depth=4).best_action
        other = AlphaBetaPlayer(4, evaluation=evaluation, ordering=False, table=False, solve_from=0)
        result = fast.alphabeta(
            state, depth=4, evaluation=evaluation, ordering=False, table=False, solve_from=0
        )
        assert other.choose(state) == result.best_action
        differing += other.choose(state) != make("alphabeta:4").choose(state)
    assert differing > 0


def test_thoughts_tell_nodes_and_depth():
    thoughts = list(make("alphabeta:4").think(Reversi().child(19)))
    assert [thought.progress for thought in thoughts] == [0.25, 0.5, 0.75, 1.0, 1.0]
    nodes = [thought.num_nodes for thought in thoughts]
    assert nodes == sorted(nodes)
    result = fast.alphabeta(Reversi().child(19), depth=4)
    assert (nodes[-1], thoughts[-1].action) == (result.num_nodes, result.best_action)
    assert all(thought.num_simulations == 0 for thought in thoughts)


def test_a_time_is_kept_to_three_hundredths(clock):
    thoughts = list(make("alphabeta:0.5s").think(Reversi()))
    assert 0.5 <= thoughts[-1].seconds <= 0.515
    assert thoughts[-1].progress == 1.0
    assert all(one.progress <= other.progress for one, other in pairwise(thoughts))


def test_thoughts_come_about_ten_times_a_second(clock):
    thoughts = list(make("alphabeta:2s").think(Reversi()))
    gaps = [other.seconds - one.seconds for one, other in pairwise(thoughts)]
    assert max(gaps) < 0.12
    assert len(thoughts) >= 20


def test_of_several_budgets_the_first_to_end_counts(clock):
    (*_, by_depth) = AlphaBetaPlayer(2, 100_000, 10).think(Reversi())
    expected = fast.alphabeta(Reversi(), depth=2).num_nodes
    assert (by_depth.num_nodes, by_depth.progress) == (expected, 1.0)
    (*_, by_nodes) = AlphaBetaPlayer(20, 5_000, 10).think(Reversi())
    assert (by_nodes.num_nodes, by_nodes.progress) == (5_000, 1.0)
    (*_, by_time) = AlphaBetaPlayer(20, 10_000_000, 0.1).think(Reversi())
    assert by_time.seconds < 0.12


def test_leaving_the_loop_ends_the_thinking(clock):
    thoughts = make("alphabeta:600s").think(Reversi())
    assert [thought.action in Reversi().legal_actions() for thought in islice(thoughts, 5)]
    thoughts.close()
    now = clock.now
    assert list(thoughts) == []
    assert clock.now == now


def test_a_forced_move_is_played_at_once(clock):
    state = play(Reversi(size=4), FORCED_PASS + " a1")
    thoughts = list(make("alphabeta:60s").think(state))
    assert thoughts == [Proposal(state.pass_action, progress=1.0)]
    assert clock.now == 1_000.0


def test_it_plays_every_game():
    for state in (TicTacToe(), ConnectFour(), Reversi(size=10), Reversi(size=4)):
        player, opponent = make("alphabeta:2"), make("random")
        for _ in range(12):
            if state.is_terminal:
                break
            action = (player if state.current_player == 0 else opponent).choose(state)
            assert action in state.legal_actions()
            state = state.child(action)


def test_the_class_is_a_factory_for_the_arena():
    weaker = functools.partial(AlphaBetaPlayer, 1, name="corners only",
                               evaluation=ReversiEvaluation(100, 0, 0, 0, 0, 0, 0))  # fmt: skip
    result = arena.match("reversi", "alphabeta:3", weaker, num_games=10, seed=1, opening_plies=6)
    assert {game.reason for game in result.games} == {arena.Reason.RULES}
    assert result.names == ("alphabeta:3", "corners only")
    assert result.score.wins > 7
    assert all(sum(nodes) > 0 for game in result.games for nodes in game.nodes)
    over = play(TicTacToe(), "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="game is over"):
        make("alphabeta:2").choose(over)
