"""What notebook 10 says is so, and stays so with another seed."""

import ast
import re

import numpy as np
import pytest

from mctslab import course, games, search, solvers
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


def test_an_iteration_costs_two_to_five_times_as_much_and_more_than_all_earlier_ones(names):
    result = solvers.alphabeta(names["midgame"], depth=11)
    counts = np.array([iteration.num_nodes for iteration in result.iterations])

    assert len(counts) == 11
    assert 1.7 < (counts[1:] / counts[:-1]).min() < (counts[1:] / counts[:-1]).max() < 5.6
    assert all(counts[1:] > counts.cumsum()[:-1])


def test_killer_moves_save_more_the_deeper_the_search(names):
    rng, plain = np.random.default_rng(77), names["my_alphabeta"]
    positions = [names["by_roxanne"](20, rng) for _ in range(8)]
    left = []
    for depth in (2, 3, 4):
        without = [names["counted"](plain, state, depth) for state in positions]
        killing = [names["counted"](names["from_scratch"], state, depth) for state in positions]
        assert [value for value, _ in killing] == [value for value, _ in without]
        ratios = [new / old for (_, new), (_, old) in zip(killing, without, strict=True)]
        left.append(np.exp(np.log(ratios).mean()))
    assert 0.9 > left[1] > left[2]
    assert left[0] > left[2]


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


def test_with_quiescence_five_plies_are_enough_and_four_are_not(names):
    value_of, plain, quiet = names["value_of"], names["evaluation"], names["when_quiet"]

    assert value_of("g7", 5, plain) - value_of("g7", 6, plain) > 100
    assert value_of("g7", 5, plain) > value_of("g5", 5, plain)
    assert value_of("g7", 5, quiet) < value_of("g5", 5, quiet) - 100
    assert value_of("g7", 4, quiet) > value_of("g5", 4, quiet)
    end = after(names["later"], "g7 f7 f8 e8")
    assert not names["CORNERS"] & set(end.legal_actions())


# The rung


@pytest.mark.parametrize("num_plies", [4, 20, 34])
def test_no_position_that_the_player_of_the_rung_evaluates_goes_uncounted(
    names, monkeypatch, num_plies
):
    judged, evaluation = [], names["evaluation"]
    monkeypatch.setitem(names, "evaluation", lambda s: judged.append(s) or evaluation(s))
    for seed in range(3):
        judged.clear()
        names["my_player"](names["by_roxanne"](num_plies, np.random.default_rng(seed)), None)
        assert len(judged) == names["POSITIONS"]


def test_the_player_of_the_rung_spends_its_positions_and_ends_with_the_game(names):
    rng = np.random.default_rng(1)
    for num_plies in (0, 10, 30, 55):
        state = games.Reversi()
        for _ in range(num_plies):
            if not state.is_terminal:
                state = state.child(search.uniform(state, rng))
        if not state.is_terminal:
            assert names["my_player"](state, rng) in state.legal_actions()
    won = games.Reversi()
    while not won.is_terminal:
        own = won.current_player == 0
        action = names["my_player"](won, rng) if own else search.uniform(won, rng)
        won = won.child(action)
    assert won.returns()[0] == 1
