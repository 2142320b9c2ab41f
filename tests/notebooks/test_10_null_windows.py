"""What the side road on history and null windows says is so."""

import numpy as np


def test_every_way_of_searching_has_the_value_of_alphabeta(names):
    state = names["by_roxanne"](20, np.random.default_rng(3))
    assert state.current_player == 0
    ways = [names["with_order"](*ideas) for ideas in ((True, False), (False, True), (True, True))]
    ways += [
        names["in_order"](names[windows], names["best_first"])
        for windows in ("null_windows", "whole_windows")
    ]

    value, _ = names["counted"](names["my_alphabeta"], state, 3)
    assert [names["counted"](way, state, 3)[0] for way in ways] == [value] * 5
