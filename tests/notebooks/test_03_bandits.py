"""What the side road on bandits says is so."""

import math
from itertools import count

import numpy as np

from mctslab.search import bandits


def test_an_arm_left_alone_is_pulled_again_when_it_is_told(names):
    """Where its bonus has reached the dotted line at 0.6; after 20 pulls it is that of UCB1."""
    root, logarithm = names["growths"]["grows as √N"], names["growths"]["grows as √(ln N)"]

    def pulled_again(growth):
        return next(
            n for n in count(20) if names["start"] * math.sqrt(growth(n) / growth(20)) >= 0.6
        )

    assert 40 < pulled_again(root) < 50
    assert 1_000 < pulled_again(logarithm) < 2_000
    arms = np.array([[2, 0]]), np.array([[20, 10**6]])
    assert bandits.ucb1(c=1).scores(*arms)[0][1] < 0.01, "the other arm's bonus stays small"
