"""What the side road on solving Connect Four says is so, and stays so with another seed."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest

from mctslab import fast, games
from tests.notebooks.reading import NOTEBOOKS, PROJECT

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "07_solving")
EXAM = json.loads((PROJECT / "notebooks/more/results/07_questions.json").read_text("utf-8"))


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_same_seed_finds_the_questions_of_the_file(executed):
    shown = executed(NOTEBOOK).text

    for question in EXAM[:3]:
        assert f"{question['moves']} {question['right']} {question['plies']} True" in shown


@pytest.mark.parametrize("seed", [5, 6])
def test_a_question_is_a_position_where_it_matters(names, seed):
    question = names["find_question"](np.random.default_rng(seed))
    state = names["position_after"](question["moves"])
    solved = fast.SolvedPosition(state, fast.ConnectFourSolver().solve_moves(state))

    assert 12 <= len(question["moves"]) <= 18
    assert question["right"] == sorted(solved.outcome_keeping)
    assert 0 < len(question["right"]) < len(solved.verdicts)
    assert max(solved.verdicts.values()) > -1, "in a lost position nothing matters"


def test_the_groups_are_all_of_the_questions(names):
    assert sum(names["groups"].values()) == len(EXAM) == 200


def test_each_pair_of_pieces_fewer_makes_the_solver_look_at_more(names):
    """Times depend on the machine; how much is remembered afterwards does not."""

    def remembered(moves):
        solver = fast.ConnectFourSolver()
        solver.solve(names["position_after"](moves))
        return np.count_nonzero(solver._memory.keys)

    long_games = [question["moves"] for question in EXAM if len(question["moves"]) >= 16][:12]
    means = [
        np.mean([remembered(moves[:pieces]) for moves in long_games]) for pieces in (16, 14, 12)
    ]
    assert all(after > 1.3 * before for before, after in pairwise(means))


@pytest.fixture(scope="module")
def searched():
    """The far wins among some questions, searched with another seed: value and length of line."""
    budgets = (1_000, 3_000, 10_000, 30_000, 100_000)
    noted, ends = [], []
    for question in EXAM[100:160]:
        rng, root, spent, row = np.random.default_rng(8), None, 0, []
        state = games.ConnectFour()
        for move in question["moves"]:
            state = state.child(state.string_to_action(move))
        for budget in budgets:
            result = fast.mcts(state, num_simulations=budget - spent, rng=rng, root=root)
            root, spent = result.root, budget
            row.append((result.value, len(result.principal_variation)))
        noted.append(row)
        ends.append(question["plies"] or 0)
    return np.array(noted), np.array(ends)


def test_the_line_grows_by_more_than_half_a_ply_a_step_and_faster_later(searched):
    lengths = searched[0][:, :, 1].mean(axis=0)
    steps = np.diff(lengths)

    assert all(steps > math.log(3) / math.log(7))
    assert steps[-1] > steps[0] + 0.3
    assert lengths[-1] < 14


def test_few_lines_reach_a_far_win_with_a_hundred_thousand_simulations(searched):
    noted, ends = searched
    far = ends > 10
    reached = noted[far, :, 1] >= ends[far, None]

    assert reached[:, 0].mean() == 0
    assert reached[:, -1].mean() < 0.25


def test_far_wins_are_not_seen_and_near_ones_are(searched):
    noted, ends = searched
    rates = (1 + noted[:, -1, 0]) / 2

    assert rates[(ends > 0) & (ends < 10)].mean() > 0.9
    assert 0.53 < rates[ends > 10].mean() < 0.68
