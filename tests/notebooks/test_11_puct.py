"""What notebook 11 says is so, and stays so with another seed."""

import functools

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.course import exercises


def test_the_rows_of_the_first_exercise_have_five_squares_here_and_four_in_its_check(names):
    checked = [case.arguments() for case in exercises.row_weights.variations()]

    assert {len(row) for row in names["rows_of"](15, 5)} == {5}
    assert {len(row) for _, rows in checked for row in rows} == {4}
    assert max(state.size for state, _ in checked) < 15


# The same four phases


@pytest.mark.parametrize("seed", range(3))
def test_moves_that_keep_being_tried_have_similar_scores_and_different_visits(names, seed):
    rng, rule = np.random.default_rng(seed), search.puct()
    evaluator = names["threats"]
    quiet = names["quiet"]
    root = fast.puct_search(quiet, evaluator=evaluator, num_simulations=400, rng=rng).root
    kept = [child for child in root.children if child.visit_count >= 10]
    scores = [sum(rule.score(root, child)) for child in kept]
    visits = [child.visit_count for child in kept]

    assert len(kept) >= 2
    assert max(scores) - min(scores) < 0.3
    assert max(visits) > 5 * min(visits)


# The reader's player


@pytest.mark.parametrize("opponent", ["random", "uct:200"])
def test_with_priors_and_no_rollouts_the_readers_player_is_far_above_uct(names, opponent):
    make = functools.partial(players.PolicyPlayer, "mine", names["my_player"])
    mine = arena.Contestant("mine", make)
    match = arena.match(games.Gomoku(size=9), mine, opponent, num_games=6, seed=3)

    assert match.score.rate.value > 0.8
