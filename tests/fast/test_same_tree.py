"""The compiled search grows the readable search's tree: the same nodes, in the same order.

Every case is a position, options and a seed; what is compared is the whole tree and, at the end,
the state of the generator, so not one draw more or fewer was made.
"""

from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.games import State
from tests.fast.same_trees import BY_PUCT, MisereTicTacToe, both, played

FIRST_STATES = [
    games.TicTacToe(),
    games.ConnectFour(),
    games.ConnectFour(rows=4, cols=5),
    games.ConnectFour(rows=7, cols=8),  # all of 64 bits
    games.ConnectFour(rows=15, cols=4),
    games.Reversi(),
    games.Reversi(size=4),
    games.Reversi(size=6),
    games.Gomoku(size=6, in_a_row=4),
    games.Gomoku(size=8, exactly_five=True),
    games.Gomoku(size=9),  # more than 64 bits
    MisereTicTacToe(),  # a move can lose at once, while others have not been tried yet
]
PIECES = st.lists(
    st.tuples(st.integers(1, 60) | st.just(150), st.booleans(), st.booleans()),
    min_size=1,
    max_size=3,
)
"""The simulations of each search of a tree, its solver, and whether moves follow."""


ON_A_LARGE_BOARD: dict[str, Any] = {"state": games.Gomoku(), "plies": 0, "seed": 1}


@settings(max_examples=50)
@example(
    **ON_A_LARGE_BOARD,
    pieces=[(250, False, True), (150, True, True)],
    c=1.0,
    num_rollouts=1,
    is_roxanne=False,
)
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
    evaluator = search.rollout_evaluator(policy, num_rollouts)
    go_on("mcts", state, seed, pieces, {"selection": search.ucb1(c), "evaluator": evaluator})


@settings(max_examples=25)
@example(**ON_A_LARGE_BOARD, pieces=[(25, True, True)], options=BY_PUCT["three rollouts, batches"])
@given(
    state=st.sampled_from(FIRST_STATES),
    plies=st.integers(0, 60),
    seed=st.integers(0, 2**64 - 1),
    pieces=PIECES,
    options=st.sampled_from(list(BY_PUCT.values())),
)
def test_any_search_by_puct_grows_the_readable_tree(state, plies, seed, pieces, options):
    state = played(state, plies, np.random.default_rng(seed))
    go_on("puct_search", state, seed, pieces, options)


def go_on(name: str, state: State, seed: int, pieces: Any, options: dict[str, Any]) -> None:
    """Search piece by piece, with what is left of the tree; random moves can lead out of it."""
    rng, roots = np.random.default_rng(seed), (None, None)
    for piece in pieces:
        number, solver, moves_follow = piece
        arguments = options | {"num_simulations": number, "solver": solver}
        found, expected = both(name, state, seed, roots=roots, **arguments)
        assert found.root.mover == state.current_player
        roots = found.root, expected.root
        # Or with a node below its root, one that is proven, if there is one.
        below = list(zip(found.root.children, expected.root.children, strict=True))
        inside = max(below, key=lambda nodes: nodes[0].proven is not None)
        if number % 2 == 0 and not inside[0].state.is_terminal:
            state, roots = inside[0].state, inside
        if moves_follow:
            state = played(state, 2, rng)
