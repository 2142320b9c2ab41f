"""What notebook 04 says is so."""

from collections import Counter

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.course import exercises
from mctslab.course.result import Outcome


def num_nodes(names, result):
    return len(names["all_nodes"](result.root))


def test_every_simulation_adds_one_node_and_a_longer_search_goes_on_from_a_shorter_one(names):
    grown = {budget: names["grow"](budget) for budget in (1, 2, 5, 20)}
    two, five, twenty = (grown[budget].root.children for budget in (2, 5, 20))
    visits = [child.visit_count for child in twenty]

    assert all(num_nodes(names, result) == budget + 1 for budget, result in grown.items())
    assert [child.action for child in five[:2]] == [child.action for child in two]
    assert len(visits) == 6
    assert sum(visits) == 20
    assert max(visits) > 2 * min(visits), "it leans to one side"


def test_a_test_that_calls_itself_passes_and_no_game_is_too_deep_for_it():
    def is_sound(node):
        if node.state.is_terminal:
            return not node.children
        moves = [child.action for child in node.children]
        visits = sum(child.visit_count for child in node.children)
        return (
            sorted([*moves, *node.untried_actions]) == sorted(node.state.legal_actions())
            and all(child.state == node.state.child(child.action) for child in node.children)
            and node.visit_count == visits + (node.parent is not None)
            and all(is_sound(child) for child in node.children)
        )

    assert exercises.is_sound.check(is_sound).outcome is Outcome.RIGHT
    assert games.Gomoku().num_actions == 225, "the longest game of the course"


def test_the_stored_match_is_between_the_players_of_03_and_04_and_a_tree_is_worth_more(names):
    result, state = names["match"], names["trap"]

    assert result.is_complete
    assert result.score.rate.low > 0.5
    root = search.mcts(state, num_simulations=200, rng=np.random.default_rng(1)).root
    assert (
        root.visit_count
        == 200
        == sum(exercises.flat_ucb1.model_answer(state, 200, 0.5, np.random.default_rng(1)).values())
    )


@pytest.mark.parametrize("seed", [7, 8])
def test_the_first_plies_are_complete_and_the_ends_of_games_are_reached(names, seed):
    result = names["grow"](1_000, seed=seed)
    plies = Counter(map(names["plies_below_root"], names["all_nodes"](result.root)))
    whole = Counter(names["plies_of_whole_tree"](names["trap"]))

    assert [plies[ply] for ply in (1, 2, 3)] == [whole[ply] for ply in (1, 2, 3)] == [6, 30, 120]
    assert plies[4] < whole[4]
    assert 0 < plies[6] < whole[6]
    assert sum(plies.values()) < sum(whole.values()) / 2


def test_the_position_of_the_experiment_is_a_trap_from_which_a_tree_escapes(names):
    state = names["small_board"]
    for move in names["moves"].split():
        state = state.child(state.string_to_action(move))
    verdicts = names["solver"].solve_moves(state)
    found = {
        search_with: verdicts[search_with(state, num_simulations=5_000, rng=3).best_action]
        for search_with in (fast.flat_monte_carlo, fast.mcts)
    }

    assert found == {fast.flat_monte_carlo: 0, fast.mcts: 1}


def test_a_position_where_nothing_matters_is_called_so(names, capsys):
    names["judged"]("3", [10], 2)
    assert "every move is worth the same" in capsys.readouterr().out
