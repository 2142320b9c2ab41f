"""What notebook 10 says is so."""

import ast
import re

from mctslab import course, solvers
from mctslab.course.positions import after

# Looking ahead


def test_what_was_cut_by_hand_is_what_alphabeta_cuts(names):
    seen = set()

    def evaluate(state):
        seen.add(state.path)
        return state.returns()[0]

    state = course.TreeGame(names["written_out"](names["numbers"]))
    assert names["my_alphabeta"](state, 9, evaluate) == 3
    assert seen == {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}


# The order of moves


def ordered(numbers, is_best_first, player=0):
    """A tree of numbers with its moves from best to worst, or from worst to best; and its value."""
    if not isinstance(numbers, list):
        return numbers, numbers
    below = [ordered(branch, is_best_first, 1 - player) for branch in numbers]
    below.sort(key=lambda pair: pair[1], reverse=(player == 0) == is_best_first)
    return [branch for branch, _ in below], (max if player == 0 else min)(v for _, v in below)


def num_leaves(names, numbers):
    state = course.TreeGame(names["written_out"](numbers))
    return names["counted"](names["my_alphabeta"], state, 9)[1]


def test_the_worst_order_leaves_nothing_out_in_the_tree_of_the_stepper_but_not_in_every_tree(
    names, monkeypatch, cells
):
    monkeypatch.setitem(names, "evaluated_once", lambda state: state.returns()[0])
    numbers = ast.literal_eval(re.search(r"written_out\((\[.*\])\)", cells["stepper"])[1])
    assert num_leaves(names, ordered(numbers, True)[0]) == 7
    assert num_leaves(names, ordered(numbers, False)[0]) == 12

    deeper = [[[[6, 7], [8, 3]], [[5, 4], [9, 2]]], [[[1, 0], [14, 15]], [[13, 12], [10, 11]]]]
    assert num_leaves(names, ordered(deeper, False)[0]) < 16


# The horizon


def test_up_to_five_plies_g7_pushes_the_loss_of_the_corner_away_and_six_see_it(names):
    later = names["later"]
    lines = {}
    for depth in range(3, 10):
        result = solvers.alphabeta(later, depth=depth, solve_from=0)
        lines[depth] = [*map(later.action_to_string, result.principal_variation)]

    assert lines[4] == ["g7", "f7", "f8", "e8"]
    assert lines[5] == ["g7", "f7", "f8", "g5", "h7"]
    assert [line[0] for line in lines.values()] == ["g7"] * 3 + ["g5"] * 4
    assert all("a1" in lines[depth][1::2] for depth in range(6, 10)), "White takes the corner"


# The reader's evaluation


def test_the_terms_count_as_the_packages_evaluation_does(names):
    for moves in ("", "g7", "g7 f7 f8"):
        state = after(names["later"], moves)
        counts = names["evaluation"].counts(state)
        leads = [
            black - white
            for black, white in (counts[term] for term in ("corners", "mobility", "frontier"))
        ]
        assert list(names["terms"](state)) == leads
