"""The compiled search grows the readable search's tree: the same nodes, in the same order.

Every case is a game, options and a seed; what is compared is the whole tree and, at the end, the
state of the generator, so not one draw more or fewer was made.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.fast.tree import as_plain
from mctslab.games import State
from tests.fast.same_trees import BY_PUCT, both, difference, played

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


@pytest.mark.parametrize(("first", "simulations", "options", "seed"), CASES)
def test_the_same_seed_grows_the_same_tree(
    first: State, simulations: int, options: dict[str, Any], seed: int
) -> None:
    """From the first position with seed 1, later in a random game with the others."""
    state = played(first, 7 * (seed - 1), np.random.default_rng(seed))
    compiled, _ = both("mcts", state, seed, num_simulations=simulations, **options)
    assert compiled.num_simulations == simulations


# Any search


FIRST_STATES = (
    games.TicTacToe(),
    games.ConnectFour(),
    games.ConnectFour(4, 5),
    games.ConnectFour(15, 4),  # like 7 x 8, all of 64 bits
    games.Reversi(4),
    games.Reversi(6),
    games.Reversi(),
    games.Gomoku(6, 4),
    games.Gomoku(8, 5, True),
)
PIECES = st.lists(
    st.tuples(st.integers(1, 60), st.booleans(), st.sampled_from(search.Expansion), st.booleans()),
    min_size=1,
    max_size=3,
)
"""The simulations of each search of a tree, its solver, how it expands; whether moves follow."""


@settings(max_examples=80)
@given(
    state=st.sampled_from(FIRST_STATES),
    plies=st.integers(0, 60),
    seed=st.integers(0, 2**64 - 1),
    pieces=PIECES,
    c=st.floats(0, 4),
    num_rollouts=st.sampled_from((1, 1, 2, 5)),
    is_roxanne=st.booleans(),
)
def test_any_search_grows_the_readable_tree(
    state, plies, seed, pieces, c, num_rollouts, is_roxanne
):
    """In one go or in pieces, with another move and a reply in between, or the same position."""
    state = played(state, plies, np.random.default_rng(seed))
    policy = search.roxanne() if is_roxanne and state.num_actions == 65 else search.uniform
    options = {
        "selection": search.ucb1(c),
        "evaluator": search.rollout_evaluator(policy, num_rollouts),
    }
    go_on("mcts", state, seed, pieces, lambda piece: options | {"expansion": piece[2]})


@settings(max_examples=50)
@given(
    state=st.sampled_from(FIRST_STATES),
    plies=st.integers(0, 60),
    seed=st.integers(0, 2**64 - 1),
    pieces=PIECES,
    options=st.sampled_from(list(BY_PUCT.values())),
)
def test_any_search_by_puct_grows_the_readable_tree(state, plies, seed, pieces, options):
    state = played(state, plies, np.random.default_rng(seed))
    go_on("puct_search", state, seed, pieces, lambda piece: options)


def go_on(
    name: str, state: State, seed: int, pieces: Any, options: Callable[[Any], dict[str, Any]]
) -> None:
    """Search piece by piece, with what is left of the tree; random moves may lead out of it."""
    rng, roots = np.random.default_rng(seed), (None, None)
    for piece in pieces:
        number, solver, _, moves_follow = piece
        arguments = options(piece) | {"num_simulations": number, "solver": solver}
        found, expected = both(name, state, seed, roots=roots, **arguments)
        assert found.root.mover == state.current_player
        assert difference(as_plain(found.root), found.root) == ""
        roots = found.root, expected.root
        if moves_follow:
            state = played(state, 2, rng)
