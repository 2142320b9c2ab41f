"""What the side road on solving Connect Four says is so."""

import numpy as np

from mctslab import solvers
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
