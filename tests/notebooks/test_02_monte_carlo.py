"""What notebook 02 says is so."""

from fractions import Fraction

import numpy as np

from mctslab import search


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
