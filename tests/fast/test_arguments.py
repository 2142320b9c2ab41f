"""Every search says what is wrong with a state, a budget or a generator, in one sentence."""

import numpy as np
import pytest

from mctslab import fast, games, search

EVALUATOR = search.uniform_evaluator()


def alphabeta(state, *, num_simulations, rng):
    return fast.alphabeta(state, num_nodes=num_simulations)


def root_parallel(state, **arguments):
    return fast.root_parallel(state, num_threads=2, **arguments)


def puct(searched):
    return lambda state, **arguments: searched(state, evaluator=EVALUATOR, **arguments)


SEARCHES = {
    "search.mcts": search.mcts,
    "search.puct_search": puct(search.puct_search),
    "fast.mcts": fast.mcts,
    "fast.puct_search": puct(fast.puct_search),
    "fast.flat_monte_carlo": fast.flat_monte_carlo,
    "fast.root_parallel": root_parallel,
    "fast.alphabeta": alphabeta,
}
FINISHED = games.TicTacToe().child(0).child(3).child(1).child(4).child(2)
WRONG_STATES = [
    (games.TicTacToe, r"got the class TicTacToe: the brackets are missing, write TicTacToe\(\)"),
    (games.Reversi, r"got the class Reversi: the brackets are missing, write Reversi\(\)"),
    (None, "must be a position of a game, got None"),
    (5, "must be a position of a game, got 5"),
    ("x", "must be a position of a game, got 'x'"),
    (int, "must be a position of a game, got <class 'int'>"),
    (FINISHED, "nothing to search, because the game is over"),
]


@pytest.mark.parametrize("name", SEARCHES)
def test_what_is_no_position_is_refused(name):
    for state, message in WRONG_STATES:
        with pytest.raises(ValueError, match=message):
            SEARCHES[name](state, num_simulations=100, rng=np.random.default_rng(1))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_budget_or_a_generator_that_is_none_is_refused(name):
    """True is no number of simulations, although it is an int."""
    state = games.TicTacToe()
    for number in (True, False, 0, 1.5, "9"):
        with pytest.raises(ValueError, match=f"must be an integer.* got {number!r}"):
            SEARCHES[name](state, num_simulations=number, rng=np.random.default_rng(1))
    if name != "fast.alphabeta":
        for rng in (None, 3, np.random.RandomState(1), np.random.default_rng):
            with pytest.raises(ValueError, match=r"must be a numpy\.random\.Generator, got"):
                SEARCHES[name](state, num_simulations=100, rng=rng)
