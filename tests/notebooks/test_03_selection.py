"""What notebook 03 says is so, and stays so with another seed."""

import math

import numpy as np
import pytest

from mctslab import search
from mctslab.course.positions import after
from mctslab.search import bandits

SEEDS = pytest.mark.parametrize("seed", range(2))


# Bandits


def test_the_numbers_by_hand_are_right():
    rule = bandits.ucb1(c=1)
    before = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 1]]))[0]
    after = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 2]]))[0]

    assert before == pytest.approx([1.29, 1.21, 1.52], abs=0.005)
    assert after.argmax() == 0, "now A is pulled"
    assert after[0] > before[0], "although nobody has pulled it"


@SEEDS
def test_the_strategies_on_the_page_are_those_of_the_package(names, seed, monkeypatch):
    """And in a thousand pulls UCB1 is behind epsilon-greedy, and greedy is stuck now and then."""
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    monkeypatch.setitem(names, "num_runs", 150)
    pairs = {
        "greedy": bandits.greedy(),
        "epsilon_greedy": bandits.epsilon_greedy(0.1),
        "with_ucb1": bandits.ucb1(math.sqrt(2)),
    }
    ends = {}
    for name, strategy in pairs.items():
        own = names["play"](names[name], name)
        packages = bandits.play(
            names["WIN_RATES"],
            strategy,
            num_pulls=1_000,
            num_runs=1_000,
            rng=np.random.default_rng(seed),
        )
        ends[name] = packages.mean_regret[-1]
        error = math.hypot(own.margin[-1], packages.margin[-1])
        assert own.mean_regret[-1] == pytest.approx(ends[name], abs=2 * error)
    assert ends["epsilon_greedy"] < ends["with_ucb1"] < ends["greedy"]


@SEEDS
def test_ucb1_gives_one_move_far_more_than_an_equal_share(names, seed):
    rng = np.random.default_rng(seed)
    shares = [max(names["flat_ucb1"](names["state"], 700, 0.5, rng).values()) for _ in range(5)]
    assert np.mean(shares) > 200


# The tree


def test_the_average_and_the_best_reply_disagree_as_it_is_told(names):
    state, mean = names["reversi"], names["exact_mean"]
    replies = {state.action_to_string(a): state.child(a) for a in state.legal_actions()}

    assert state.player_names[state.current_player] == "Black"
    assert {name: mean(reply)[0] for name, reply in replies.items()} == {
        "d5": 0,
        "f5": -0.25,
        "c6": -0.5,
    }
    assert all(len(reply.legal_actions()) == 2 for reply in replies.values())
    assert [mean(after(state, f"d5 {reply}"))[0] for reply in ("a1", "c6")] == [1, -1]
    assert [search.minimax(replies[name])[0] for name in ("d5", "f5", "c6")] == [-1, 0, -1]
    assert search.minimax(after(state, "c6 d5")) == (-1, 1)


@SEEDS
def test_the_estimates_move_as_it_is_told(names, seed, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    mean = np.mean([names["estimates_of_one_search"](50) for _ in range(100)], axis=0)
    order = [names["reversi"].action_to_string(a) for a in names["reversi"].legal_actions()]
    d5, f5, c6 = (mean[:, order.index(name)] for name in ("d5", "f5", "c6"))

    assert len(mean) * 3 == 150
    assert d5[0] > f5[0] > c6[0]
    assert max(d5[-1], c6[-1]) < -0.6
    assert f5[0] < -0.16 < f5[-1] < 0


def test_the_walk_that_is_printed_is_the_walk_of_the_package_and_has_no_ties(names):
    """With three decimals a reader can see why a child is chosen."""
    rule, root = names["rule"], names["result"].root
    node = root
    while node is not names["end"]:
        scores = sorted(sum(rule.score(node, child)) for child in node.children)
        assert len(scores) == 1 or scores[-1] > scores[-2] + 0.002
        node = rule.best_child(node)

    assert node is names["node"] is search.select(root, rule)


@SEEDS
def test_most_simulations_follow_the_way_to_the_draw(names, seed):
    result = search.mcts(names["reversi"], num_simulations=300, rng=np.random.default_rng(seed))
    assert names["reversi"].action_to_string(result.best_action) == "f5"
