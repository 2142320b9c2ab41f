"""What the side road on solving Connect Four says is so, and stays so with another seed."""

import math
from itertools import pairwise

import numpy as np

from mctslab import fast, solvers
from tests.notebooks.test_07_connect_four import EXAM, assert_matters


def test_the_same_seed_finds_the_questions_of_the_file(shown):
    for question in EXAM[:3]:
        assert f"{question['moves']}: right {', '.join(map(str, question['right']))}; " in shown
    assert shown.count("; as in the file") == 3
    assert "NOT" not in shown


def test_a_question_is_a_position_where_it_matters(names):
    question = names["find_question"](np.random.default_rng(5))
    solver, state = solvers.ConnectFourSolver(), names["position_after"](question["moves"])
    assert_matters(question, state, solver)


def test_each_pair_of_pieces_fewer_makes_the_solver_look_at_more(names):
    """Times depend on the machine; how much is remembered afterwards does not."""

    def remembered(moves):
        solver = solvers.ConnectFourSolver()
        solver.solve(names["position_after"](moves))
        _, keys, _ = solver._memory
        return np.count_nonzero(keys)

    long_games = [question["moves"] for question in EXAM if len(question["moves"]) >= 16][:8]
    means = [
        np.mean([remembered(moves[:pieces]) for moves in long_games]) for pieces in (16, 14, 12)
    ]
    assert all(after > 1.3 * before for before, after in pairwise(means))


def test_the_line_grows_ever_faster_but_seldom_reaches_a_far_win(names):
    """That near wins are seen and far ones look nearly even is tested for notebook 07."""
    lengths, far = [], []
    for question in EXAM[100:160]:
        rng, root, spent, row = np.random.default_rng(8), None, 0, []
        state = names["position_after"](question["moves"])
        for budget in (1_000, 3_000, 10_000, 30_000, 100_000):
            result = fast.mcts(state, num_simulations=budget - spent, rng=rng, root=root)
            root, spent = result.root, budget
            row.append(len(result.principal_variation))
        lengths.append(row)
        if question["plies"] and question["plies"] > 10:
            far.append([length >= question["plies"] for length in row])
    means, reached = np.mean(lengths, axis=0), np.mean(far, axis=0)
    steps = np.diff(means)

    assert all(steps > math.log(3) / math.log(7)), "about half a ply"
    assert steps[-1] > steps[0] + 0.3
    assert means[-1] < 14
    assert reached[0] == 0
    assert reached[-1] < 0.25
