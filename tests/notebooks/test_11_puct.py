"""What notebook 11 says is so, and stays so with another seed."""

import functools

import numpy as np
import pytest

from mctslab import arena, fast, games, players, search
from mctslab.search.puct_search import gather_paths
from tests.notebooks.reading import PROJECT

# The same four phases


@pytest.mark.parametrize("moves", ["", "A1 A6 B1 B6 C1 F6"])
def test_the_search_that_is_built_is_the_packages(names, moves):
    state = games.Gomoku(size=6, in_a_row=4)
    for move in moves.split():  # after these it can be won at once
        state = state.child(state.string_to_action(move))
    rng, evaluator = np.random.default_rng(3), search.threat_evaluator()
    root = search.Node(state)
    for _ in range(250):
        names["puct_simulation"](root, evaluator, names["Rule"](), rng)
    other = search.puct_search(state, num_simulations=250, evaluator=evaluator, rng=rng).root

    assert names["statistics"](root) == names["statistics"](other)


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


# Batches


def test_virtual_losses_spread_the_walks(names):
    options = {"num_simulations": 200, "rng": np.random.default_rng(1)}
    evaluator = names["threats"]
    root = search.puct_search(names["quiet"], evaluator=evaluator, **options).root

    assert len({search.select(root, search.puct()) for _ in range(8)}) == 1
    assert len({path[-1] for path in gather_paths(root, search.puct(), 8)}) >= 4


# What came along


def stored(name):
    return PROJECT / "notebooks" / "results" / f"11_{name}"


def rate(name):
    return arena.load(stored(f"{name}.jsonl")).score.rate


def test_without_priors_nothing_is_won_on_the_large_board_with_them_much():
    for name in ("uct_heuristic", "rollout_heuristic"):
        assert rate(name).value == 0
        assert rate(name).high < 0.2
    assert rate("threats_rollout").low > 0.8


def test_the_same_priors_lose_with_rollouts_and_win_with_values_by_threats():
    assert rate("threats_heuristic").high < 0.5
    assert rate("values_heuristic").low > 0.75


# The reader's player


@pytest.mark.parametrize("opponent", ["random", "uct:200"])
def test_with_priors_and_no_rollouts_the_readers_player_is_far_above_uct(names, opponent):
    make = functools.partial(players.PolicyPlayer, "mine", names["my_player"])
    mine = arena.Contestant("mine", make)
    match = arena.match(games.Gomoku(size=9), mine, opponent, num_games=6, seed=3)

    assert match.score.rate.value > 0.8
