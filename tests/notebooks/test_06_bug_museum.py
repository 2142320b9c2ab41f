"""What the picture on the side road on faults of UCT is said to show."""

import numpy as np
import pytest

from mctslab import games, search
from mctslab.course import exercises


def visits(simulation, seed):
    """The visits of each move in the trap after a thousand simulations, by their names."""
    state = games.TicTacToe().child(0).child(2).child(7)
    root, rng = search.Node(state), np.random.default_rng(seed)
    for _ in range(1_000):
        simulation(root, rng)
    return {state.action_to_string(child.action): child.visit_count for child in root.children}


@pytest.mark.parametrize("seed", range(1, 6))
def test_c3_stands_out_only_after_the_function_is_mended(seed):
    faulty = {"search": search}
    exec(exercises.museum_simulation.stub, faulty)
    before = visits(faulty["museum_simulation"], seed)
    after = visits(exercises.museum_simulation.model_answer, seed)

    assert max(before.values()) < 3.5 * min(before.values())
    assert after.pop("c3") > 3 * max(after.values())
