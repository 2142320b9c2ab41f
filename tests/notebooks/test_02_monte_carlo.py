"""What notebook 02 says is so, and stays so with another seed."""

from fractions import Fraction

import numpy as np
import pytest

from mctslab import search
from mctslab.course.climbing import stored


@pytest.mark.parametrize("seed", range(2))
def test_with_ten_thousand_playouts_red_is_ahead_by_far_more_than_the_margin(names, seed):
    state, rng = names["state"], np.random.default_rng(seed)
    results = [search.rollout(state, search.uniform, rng)[0] for _ in range(10_000)]
    margin, of_a_hundred = (
        1.96 * np.std(some) / len(some) ** 0.5 for some in (results, results[:100])
    )

    assert state.current_player == 0
    assert np.mean(results) > 3 * margin
    assert of_a_hundred / margin == pytest.approx(10, rel=0.3)


def test_the_exact_shares_are_those_of_uniformly_random_play(names):
    def mean(action):
        win, _, loss = names["exact_shares"](names["first"].child(action), {})
        return win - loss

    assert names["exact"] == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]
    centre, corners, edges = ({*map(mean, each)} for each in ((4,), (0, 2, 6, 8), (1, 3, 5, 7)))
    assert min(centre) > max(corners) > max(edges)
    assert len(corners) == len(edges) == 1


def test_the_trap_is_one(names):
    """The centre has the highest mean and loses; only c3 saves the draw."""
    trap, means, saving = names["trap"], {}, []
    for action in trap.legal_actions():
        move, child = trap.action_to_string(action), trap.child(action)
        win, _, loss = names["exact_shares"](child, {})
        means[move] = loss - win
        if search.minimax(child)[1] >= 0:
            saving.append(move)

    assert trap.current_player == 1
    assert sorted(means, key=means.get, reverse=True)[:2] == ["b2", "c3"]
    assert (means["b2"], means["c3"]) == (Fraction(1, 6), Fraction(1, 15))
    assert saving == ["c3"]
    # The margin of a mean of 10,000 results in [-1, 1] is 0.02 at most.
    assert 2 * 1.96 / np.sqrt(10_000) < means["b2"] - means["c3"]


@pytest.mark.parametrize("seed", range(10))
def test_a_tree_finds_the_way_out_whatever_the_seed(names, seed):
    """And most visits below b2 go to a3, so that it is in the picture."""
    trap = names["trap"]
    result = search.mcts(trap, num_simulations=2_000, rng=np.random.default_rng(seed))
    centre = next(child for child in result.root.children if child.action == 4)
    reply = max(centre.children, key=lambda child: child.visit_count)

    assert trap.action_to_string(result.best_action) == "c3"
    assert centre.state.action_to_string(reply.action) == "a3"
    assert reply.visit_count > centre.visit_count / 2


@pytest.mark.parametrize("seed", range(10))
def test_the_centre_is_chosen_whatever_the_seed(names, seed):
    means = names["flat_monte_carlo"](names["trap"], 2_000, np.random.default_rng(seed))
    assert names["trap"].action_to_string(max(means, key=means.get)) == "b2"


def test_most_notebooks_have_a_rung_and_those_up_to_07_are_in_connect_four():
    rungs = stored().rungs

    assert len(rungs) > 16 / 2
    assert {*rungs} >= {f"{number:02}" for number in range(2, 8)}
    assert {rungs[f"{number:02}"].game for number in range(2, 8)} == {"Connect Four"}
