"""The Roxanne policy as a prior."""

import numpy as np
import pytest

from mctslab.games import Gomoku, Reversi
from mctslab.search import roxanne_prior
from tests.games.playing import random_game


def test_each_class_has_half_of_the_weight_of_the_class_before():
    state = Reversi()
    seen: dict[int, float] = {}
    rng = np.random.default_rng(2)
    for _ in range(30):
        for position in random_game(state, rng):
            if not position.is_terminal:
                pairs = zip(position.legal_actions(), roxanne_prior(position), strict=True)
                seen.update(pairs)
    names = ("a1", "c3", "d3", "c1", "d1", "c2", "d2", "b2", "b1")
    for rank, name in enumerate(names):
        assert seen[state.string_to_action(name)] == 0.5**rank


def test_it_is_for_reversi_on_eight_by_eight():
    for state in (Gomoku(), Reversi(size=6)):
        with pytest.raises(ValueError, match="Reversi on 8 x 8"):
            roxanne_prior(state)
