"""What notebook 04 says is so."""

from mctslab import fast


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


def test_after_twenty_simulations_the_centre_still_leads(names):
    """Each of X's replies to it has had one playout, and each move of O two visits or more."""
    centre = next(child for child in names["twenty"].root.children if child.action == 4)

    assert names["most_visited"] == "b2"
    assert [reply.visit_count for reply in centre.children] == [1] * 5
    assert min(names["visits"].values()) == 2
