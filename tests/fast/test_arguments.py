"""Every search says what is wrong with its arguments in a sentence, before anything is compiled."""

import math

import numpy as np
import pytest

from mctslab import fast, games, search, solvers


def alphabeta(state, *, rng, num_simulations=None, seconds=None):
    return solvers.alphabeta(state, num_nodes=num_simulations, seconds=seconds)


def puct_search(state, **arguments):
    return fast.puct_search(state, evaluator=search.uniform_evaluator(), **arguments)


SEARCHES = [fast.mcts, puct_search, fast.flat_monte_carlo, alphabeta]
FINISHED = games.TicTacToe().child(0).child(3).child(1).child(4).child(2)
WRONG = {
    "state": {
        r"got the class TicTacToe: the brackets are missing, write TicTacToe\(\)": games.TicTacToe,
        r"got the class Reversi: the brackets are missing, write Reversi\(\)": games.Reversi,
        "must be a position of a game, got None": None,
        "must be a position of a game, got 5": 5,
        "must be a position of a game, got 'x'": "x",
        "must be a position of a game, got <class 'int'>": int,
        "nothing to search, because the game is over": FINISHED,
    },
    "num_simulations": {  # True is no number, although it is an int
        f"must be an integer.* got {number!r}": number for number in (True, False, 0, 1.5, "9")
    },
    "seconds": {
        f"must be above 0.* got {seconds!r}": seconds
        for seconds in (0, -1, math.inf, "2s", 10**400)
    },
    "rng": {
        rf"must be a numpy\.random\.Generator, got {rng!r}".partition("(")[0]: rng
        for rng in (None, 3, np.random.RandomState(1), np.random.default_rng)
    },
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("argument", WRONG)
@pytest.mark.parametrize("searched", SEARCHES)
def test_what_is_wrong_is_refused(searched, argument):
    right = {"state": games.TicTacToe(), "num_simulations": 100, "rng": np.random.default_rng(1)}
    if searched is not alphabeta or argument in ("state", "seconds"):
        for message, value in WRONG[argument].items():
            with pytest.raises(ValueError, match=message):
                searched(**right | {argument: value})


@pytest.mark.parametrize(
    ("searched", "wrong", "message"),
    [
        (fast.mcts, {"expansion": "both"}, "expansion must be 'one' or 'all', got 'both'"),
        (fast.mcts, {"root": "tree"}, "got 'tree': pass"),
        (puct_search, {"root": "tree"}, "got 'tree': pass"),
        (puct_search, {"batch_size": 0}, "batch_size must be .* got 0"),
        *(
            (searched, {"max_nodes": number}, f"max_nodes must be a whole number, .* got {number}")
            for searched in (fast.mcts, puct_search)
            for number in (1e3, math.nan)
        ),
        (puct_search, {"batch_size": 10**6}, "batch_size must be at most 1,024, got 1000000"),
        (puct_search, {"max_nodes": 9}, "max_nodes=9 is too small: .* 10 nodes"),
        *((it, {"num_simulations": None}, "needs a budget") for it in SEARCHES),
    ],
)
def test_what_is_wrong_with_one_search_is_refused(searched, wrong, message):
    right = {"state": games.TicTacToe(), "num_simulations": 100, "rng": np.random.default_rng(1)}
    with pytest.raises(ValueError, match=message):
        searched(**right | wrong)
