"""What the side road on move order says is so."""

import math

import numpy as np


def test_the_tree_of_twelve_takes_seven_looks_at_best_and_twelve_at_worst(names):
    best = names["best_first"]

    assert len(names["looked_at"](best)) == 3 * 2 + 2 - 1
    assert len(names["looked_at"](names["backwards"](best))) == 12
    assert names["worth"](best) == names["worth"](names["backwards"](best)) == 6


def test_with_the_best_move_first_the_formula_says_how_many_are_looked_at(names):
    rng = np.random.default_rng(1)
    for depth in (2, 3, 4):
        numbers = rng.permutation(3**depth).reshape((3,) * depth).tolist()
        looks = len(names["looked_at"](names["in_order"](numbers)))
        assert looks == 3 ** math.ceil(depth / 2) + 3 ** (depth // 2) - 1
