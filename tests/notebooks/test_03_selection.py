"""What notebook 03 says is so, and stays so with another seed."""

import math
from itertools import count

import numpy as np
import pytest

from mctslab import games, search
from mctslab.search import bandits

SEEDS = pytest.mark.parametrize("seed", range(2))


def play(names, strategy, seed, *, num_pulls=1_000, num_runs=500):
    rng = np.random.default_rng(seed)
    return bandits.play(
        names["WIN_RATES"], strategy, num_pulls=num_pulls, num_runs=num_runs, rng=rng
    )


def move(state, *moves):
    for name in moves:
        state = state.child(state.string_to_action(name))
    return state


# Bandits


def test_an_arm_left_alone_is_pulled_again_when_it_is_told(names):
    """Where its bonus, 0.4 after 20 pulls, has reached the dotted line at 0.6."""
    root, logarithm = names["growths"]["grows as √N"], names["growths"]["grows as √(ln N)"]

    def pulled_again(growth):
        return next(n for n in count(20) if 0.4 * math.sqrt(growth(n) / growth(20)) > 0.6 - 1e-9)

    assert pulled_again(root) == 45
    assert pulled_again(logarithm) == pytest.approx(850, abs=5)


def test_the_bonus_begins_about_where_ucb1_has_it():
    assert math.sqrt(math.log(20) / 20) == pytest.approx(0.4, abs=0.02)
    assert bandits.ucb1(c=1).scores(np.array([[2, 0]]), np.array([[20, 10**6]]))[0][1] < 0.01


@SEEDS
def test_a_second_arm_close_to_the_third_costs_less_with_a_large_c_and_first_more_with_a_small(
    seed,
):
    def ends(c):
        for second in (0.5, 0.65, 0.69):
            rng, rates = np.random.default_rng(seed), (0.3, second, 0.7)
            played = bandits.play(rates, bandits.ucb1(c), num_pulls=1_000, num_runs=500, rng=rng)
            yield played.mean_regret[-1]

    far, close, closest = ends(1.4)
    assert far > close + 5 > closest + 8
    far, close, closest = ends(0.5)
    assert far + 2 < close
    assert closest < close - 2


def test_the_numbers_by_hand_are_right(names):
    rule = bandits.ucb1(c=1)
    before = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 1]]))[0]
    after = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 2]]))[0]

    assert names["regret_of"]([2, 1, 5]) == pytest.approx(1)
    assert before == pytest.approx([1.29, 1.21, 1.52], abs=0.005)
    assert after.argmax() == 0, "now A is pulled"
    assert after[0] > before[0], "although nobody has pulled it"


@SEEDS
def test_in_forty_pulls_ucb1_is_busy_exploring_and_can_be_beaten(names, seed):
    theory, less = (
        play(names, bandits.ucb1(c), seed, num_pulls=40).mean_regret[-1]
        for c in (math.sqrt(2), 0.5)
    )
    assert less < 0.8 * theory


@SEEDS
def test_at_first_ucb1_is_behind_and_in_the_long_run_it_is_ahead(names, seed):
    ucb1, epsilon, greedy = (
        play(names, strategy, seed).mean_regret[-1] for strategy in names["strategies"]
    )
    assert epsilon < ucb1 < greedy
    ucb1, epsilon, _ = (
        play(names, strategy, seed, num_pulls=10_000, num_runs=40).mean_regret
        for strategy in names["strategies"]
    )
    assert ucb1[-1] < epsilon[-1]
    # In the last tenfold, the one grows nearly tenfold too, the other by little.
    assert epsilon[-1] / epsilon[999] > 4
    assert 1.75 < ucb1[-1] / ucb1[999] < 2.5


@SEEDS
def test_the_regret_by_c_has_its_valley_where_it_is_told(names, seed):
    by_c = {c: play(names, bandits.ucb1(c), seed) for c in names["constants"]}
    ends = {c: played.mean_regret[-1] for c, played in by_c.items()}

    assert min(ends, key=ends.get) in (0.3, 0.5, 0.7)
    assert ends[0.5] < ends[1.4] < ends[3]
    assert ends[0.5] < ends[0.2] < ends[0]
    # "As the wide band on the left shows".
    assert by_c[0].margin[-1] > 5 * by_c[1.4].margin[-1]


# The tree


def test_the_average_and_the_best_reply_disagree_as_it_is_told(names):
    state, chance = names["state"], names["chance"]
    replies = {state.action_to_string(a): state.child(a) for a in state.legal_actions()}

    assert state.player_names[state.current_player] == "Black"
    assert {name: chance(reply) for name, reply in replies.items()} == {
        "d5": 0.5,
        "f5": 0.375,
        "c6": 0.25,
    }
    assert all(len(reply.legal_actions()) == 2 for reply in replies.values())
    assert [chance(move(state, "d5", reply)) for reply in ("a1", "c6")] == [1, 0]
    assert [search.minimax(replies[name])[0] for name in ("d5", "f5", "c6")] == [-1, 0, -1]
    assert search.minimax(move(state, "c6", "d5")) == (-1, 1)


@SEEDS
def test_the_estimates_move_as_it_is_told(names, seed, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    mean = np.mean([names["estimates_of_one_search"](50) for _ in range(100)], axis=0)
    order = [names["state"].action_to_string(a) for a in names["state"].legal_actions()]
    d5, f5, c6 = (mean[:, order.index(name)] for name in ("d5", "f5", "c6"))

    assert len(mean) * 3 == 150
    assert d5[0] > f5[0] > c6[0]
    assert max(d5[-1], c6[-1]) < 0.2
    assert f5[0] < 0.42 < f5[-1] < 0.5


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
def test_a_small_c_makes_a_deep_and_narrow_tree(names, seed, monkeypatch):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    depths, shares = np.transpose(
        [np.mean([names["shape"](c) for _ in range(4)], axis=0) for c in (0.1, 0.5, 1.4, 4)]
    )

    assert depths[0] > 1.3 * max(depths[1:])
    assert shares[0] > shares[-1]
    assert shares[-1] < 2 / len(games.ConnectFour().legal_actions())
