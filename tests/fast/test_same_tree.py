"""The compiled search grows the readable search's tree: the same nodes, in the same order.

Every case is a game, options and a seed; what is compared is the whole tree and, at the end, the
state of the generator, so not one draw more or fewer was made.
"""

from typing import Any

import numpy as np
import pytest

from mctslab import games, search
from mctslab.games import State
from tests.fast.same_trees import both

GAMES: dict[str, tuple[State, int]] = {
    "tictactoe": (games.TicTacToe(), 800),
    "connect_four": (games.ConnectFour(), 500),
    "connect_four 4x5": (games.ConnectFour(rows=4, cols=5), 500),
    "connect_four 7x8": (games.ConnectFour(rows=7, cols=8), 300),
    "reversi": (games.Reversi(), 200),
    "reversi 4x4": (games.Reversi(size=4), 600),
    "reversi 6x6": (games.Reversi(size=6), 300),
    "gomoku 15x15": (games.Gomoku(), 500),
    "gomoku 6x6": (games.Gomoku(size=6, in_a_row=4), 300),
    "gomoku exactly five": (games.Gomoku(size=8, exactly_five=True), 200),
}

OPTIONS: dict[str, dict[str, Any]] = {
    "UCT": {},
    "c = 0": {"selection": search.ucb1(0)},
    "c = 0.3": {"selection": search.ucb1(0.3)},
    "all children": {"expansion": "all"},
    "all children, two rollouts": {
        "expansion": "all",
        "evaluator": search.rollout_evaluator(num_rollouts=2),
    },
    "three rollouts": {"evaluator": search.rollout_evaluator(num_rollouts=3)},
}

ROXANNE: dict[str, dict[str, Any]] = {
    "nine classes": {"evaluator": search.rollout_evaluator(search.roxanne())},
    "five classes, all children, two rollouts": {
        "expansion": "all",
        "evaluator": search.rollout_evaluator(search.roxanne(search.FIVE_CLASSES), 2),
    },
}

CASES = [
    pytest.param(state, simulations, options, seed, id=f"{game}, {name}, {seed}")
    for row, (game, (state, simulations)) in enumerate(GAMES.items())
    for column, (name, options) in enumerate(
        (OPTIONS | (ROXANNE if game == "reversi" else {})).items()
    )
    for seed in (1, 2, 3)
    if name in ROXANNE or (row + column) % 3 == seed % 3
]
"""Each game with each option has one of three seeds; each game and each option has all three."""


def played(state: State, plies: int, rng: np.random.Generator) -> State:
    """The position after so many random moves, or the last one before the end."""
    for _ in range(plies):
        child = state.child(search.uniform(state, rng))
        if child.is_terminal:
            break
        state = child
    return state


@pytest.mark.parametrize(("first", "simulations", "options", "seed"), CASES)
def test_the_same_seed_grows_the_same_tree(
    first: State, simulations: int, options: dict[str, Any], seed: int
) -> None:
    """From the first position with seed 1, later in a random game with the others."""
    state = played(first, 7 * (seed - 1), np.random.default_rng(seed))
    compiled, _ = both("mcts", state, seed, num_simulations=simulations, **options)
    assert compiled.num_simulations == simulations
