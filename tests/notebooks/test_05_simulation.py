"""What notebook 05 says is so, and stays so with another seed."""

import time

import numpy as np
import pytest

from mctslab import games, search


def found(names, num_simulations, evaluator):
    options = {"num_simulations": num_simulations, "evaluator": evaluator}
    results = [
        search.mcts(names["trap"], **options, rng=np.random.default_rng(seed))
        for seed in range(700, 780)
    ]
    return np.mean([result.best_so_far == 8 for result in results])  # c3


def test_one_rollout_for_each_leaf_wins_by_far(names):
    shares = [
        found(names, 400 // per_leaf, search.rollout_evaluator(num_rollouts=per_leaf))
        for per_leaf in (1, 4, 10)
    ]

    assert shares[0] > 0.95
    assert max(shares[1:]) < 0.6


def test_the_scatter_shrinks_with_the_square_root_of_the_rollouts(names):
    rng = np.random.default_rng(6)

    def value(num_rollouts):
        return names["leaf_value"](names["leaf"], search.uniform, num_rollouts, rng)[0]

    single, ten, hundred = (
        np.std([value(size) for _ in range(count)])
        for size, count in ((1, 1_000), (10, 200), (100, 100))
    )

    assert 0.5 < single <= 1
    assert 2.5 < single / ten < 4
    assert 7.5 < single / hundred < 13


def test_the_exact_means_are_what_the_text_says_of_them(names):
    exact, distances = names["exact"], names["distances"]

    assert exact["random"]["b2"] == pytest.approx(1 / 6), "as notebook 02 prints it"
    assert exact["random"]["c3"] == pytest.approx(1 / 15)
    assert exact["finishing"]["b2"] == pytest.approx(3 / 5)
    assert exact["finishing"]["c3"] == pytest.approx(19 / 24)
    assert exact["careful"]["b2"] == -1, "the truth"
    assert exact["truth"] == {"b1": -1, "a2": -1, "b2": -1, "c2": -1, "a3": -1, "c3": 0}
    careful = exact["careful"]
    assert max(careful, key=careful.get) == "a2", "a losing move looks better than c3"
    assert careful["c3"] == pytest.approx(-1 / 3)
    assert careful["a2"] == pytest.approx(-4 / 15)
    assert distances["careful"] < distances["random"] < distances["finishing"]


@pytest.mark.parametrize("policy", ["random", "finishing", "careful"])
def test_the_readers_policies_have_the_exact_means(names, policy):
    rng, rule = np.random.default_rng(5), names["policies"][policy]
    for name in ("b2", "c3", "a2"):
        state = names["after"][name]
        results = [search.rollout(state, rule, rng)[1] for _ in range(2_000)]
        assert np.mean(results) == pytest.approx(names["exact"][policy][name], abs=0.09), name


def test_after_b2_only_a_careful_x_plays_the_move_that_wins(names):
    """It is one of five moves, so the others play it once in five times."""
    after_b2, moves = names["after"]["b2"], names["MOVES"]
    a3 = after_b2.string_to_action("a3")

    assert search.minimax(after_b2.child(a3)) == (1, -1)
    assert moves["careful"](after_b2) == [a3]
    assert len(moves["finishing"](after_b2)) == len(moves["random"](after_b2)) == 5


def test_a_careful_rollout_takes_30_to_40_times_as_long_as_a_random_one(names):
    def seconds(policy, number):
        times, rng = [], np.random.default_rng(1)
        for _ in range(5):
            began = time.process_time()
            for _ in range(number):
                search.rollout(games.ConnectFour(), policy, rng)
            times.append((time.process_time() - began) / number)
        return min(times)

    assert 20 < seconds(names["careful"], 10) / seconds(search.uniform, 200) < 60


def test_50_finishing_simulations_find_more_than_200_random_ones(names):
    clever = found(names, 50, search.rollout_evaluator(names["finishing"]))
    random = found(names, 200, search.rollout_evaluator())

    assert clever > random + 0.1


def test_careful_finds_more_than_random_with_as_many_simulations_and_the_chart_has_all(names):
    careful = found(names, 50, search.rollout_evaluator(names["careful"]))

    assert careful > found(names, 50, search.rollout_evaluator()) + 0.3
    assert [key.endswith("(equal time)") for key in names["shares"]] == 3 * [False] + 3 * [True]


def test_the_players_first_move_of_a_rollout_is_careful(names):
    """Everything after it is random: the policy of the search is called."""
    asked = []

    def policy(state, rng):
        asked.append(state)
        return search.uniform(state, rng)

    state, rng = games.ConnectFour(), np.random.default_rng(1)
    for action in (0, 6, 0, 6, 0, 5):  # a fourth stone on the first column wins
        state = state.child(action)
    assert names["first_move_careful"](state, policy, rng) == (1.0, -1.0)
    assert asked == []
    names["first_move_careful"](games.ConnectFour(), policy, rng)
    assert len(asked) > 5
