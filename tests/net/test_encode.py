"""The planes show what lies on the board, seen by the player to move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import fast, games
from mctslab.boards import EMPTY
from mctslab.games import State
from mctslab.net.encode import InputPlanes, encode, encode_batch, planes_of
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import FIRST_STATES, choices, played

EVERY_GAME = [*FIRST_STATES, DotsAndBoxes()]


def drawn_by_hand(positions: list[State], inputs: InputPlanes) -> np.ndarray:
    """The planes, square by square, from what the boards show."""
    newest, mover = positions[-1].board(), positions[-1].current_player
    squares = range(len(newest.stones))
    boards = [position.board().stones for position in positions[::-1]]
    boards += [(EMPTY,) * len(squares)] * inputs.history
    planes = [
        [float(stone == owner) for stone in stones]
        for stones in boards[: inputs.history]
        for owner in (mover, 1 - mover)
    ]
    if inputs.last_move:
        planes.append([float(square == newest.last_square) for square in squares])
    if inputs.player_to_move:
        planes.append([float(mover == 0)] * len(squares))
    return np.array(planes).reshape(-1, newest.rows, newest.cols)


options = st.builds(
    InputPlanes, history=st.integers(1, 9), last_move=st.booleans(), player_to_move=st.booleans()
)


@given(first_state=st.sampled_from(EVERY_GAME), numbers=choices(40), inputs=options)
def test_the_planes_are_those_drawn_by_hand(first_state, numbers, inputs):
    positions = played(first_state, numbers)
    batch = encode_batch([positions, positions[:1]], inputs)
    assert batch.dtype == np.float32
    np.testing.assert_array_equal(batch[0], drawn_by_hand(positions, inputs))
    np.testing.assert_array_equal(batch[1], drawn_by_hand(positions[:1], inputs))
    np.testing.assert_array_equal(batch[0], encode(positions, inputs))
    assert len(batch[0]) == len(inputs.names) == inputs.count


# Leaves of many trees


COMPILED_GAMES = [
    games.TicTacToe(),
    games.ConnectFour(rows=4, cols=5),
    games.ConnectFour(),
    games.Reversi(size=4),  # with passes
    games.Gomoku(size=6, in_a_row=4),
    games.Gomoku(size=9),
    games.ConnectFour(7, 8),
]


INPUTS = [InputPlanes(), InputPlanes(1, False), InputPlanes(1, True, False), InputPlanes(3)]


@pytest.mark.parametrize("number", range(14))
def test_leaves_are_encoded_like_the_games_that_lead_to_them(number):
    """On the way of several games, with the positions before each root.

    Every game has two kinds of inputs.
    """
    first_state, inputs = COMPILED_GAMES[number % 7], INPUTS[number % 4]
    rng = np.random.default_rng(1)
    in_progress = [played(first_state, [7] * (2 * n)) for n in range(12)]
    in_progress = [game for game in in_progress if not game[-1].is_terminal]
    trees = fast.CompiledForest(in_progress, num_simulations=30)
    num_compared = 0
    for _ in range(30):
        walks = trees.gather(*trees.one_walk_each())
        leaves = [trees.positions_on(tree) for tree in walks]
        np.testing.assert_array_equal(planes_of(trees, walks, inputs), encode_batch(leaves, inputs))
        num_compared += len(walks)
        logits = rng.normal(size=(len(walks), first_state.num_actions))
        trees.add_by_net(walks, rng.uniform(-0.1, 0.1, len(walks)), logits)
    assert num_compared > 80
