"""What the side road on history and null windows says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import games


@pytest.fixture(scope="module")
def compared(names):
    """The notebook's comparison on other positions: evaluations by position, of each way."""
    rng = np.random.default_rng(77)
    drawn = [names["by_roxanne"](20, rng) for _ in range(5)]
    ways = {
        "plain": names["my_alphabeta"],
        "killer": names["with_order"](True, False),
        "history": names["with_order"](False, True),
        "both": names["with_order"](True, True),
    }
    for name, windows, order in (
        ("null", "null_windows", games.Reversi.legal_actions),
        ("best first", "whole_windows", names["best_first"]),
        ("best first, null", "null_windows", names["best_first"]),
    ):
        ways[name] = names["in_order"](names[windows], order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "positions", [each for each in drawn if each.current_player == 0])
        patch.setitem(names, "depth", 4)
        return {name: names["num_looks"](way) for name, way in ways.items()}


def geometric(new, old):
    return float(np.exp(np.log(new / old).mean()))


def test_killer_moves_and_the_history_heuristic_save_work(compared):
    for way, most in (("killer", 0.9), ("history", 0.8), ("both", 0.7)):
        assert geometric(compared[way], compared["plain"]) < most


def test_null_windows_save_something_with_good_moves_first_and_nothing_otherwise(compared):
    assert 0.95 < geometric(compared["null"], compared["plain"]) < 1.3
    assert 0.8 < geometric(compared["best first, null"], compared["best first"]) < 0.97


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
