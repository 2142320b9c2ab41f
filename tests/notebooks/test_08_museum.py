"""What the side road on the faults of Reversi programs says is so."""

import numpy as np

from mctslab import search
from mctslab.games.reversi import Reversi


def test_the_walk_finds_the_legal_moves(names):
    rng, state = np.random.default_rng(1), Reversi()
    while not state.is_terminal:
        assert set(names["walked_moves"](state)) == set(state.legal_actions()) - {64}
        state = state.child(search.uniform(state, rng))
