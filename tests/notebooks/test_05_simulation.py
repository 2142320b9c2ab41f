"""What notebook 05 says is so, and stays so with another seed."""

import numpy as np

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


def test_the_finishing_policy_turns_the_order_and_the_random_one_does_not(names):
    rng = np.random.default_rng(5)

    def mean(name, policy):
        state = names["trap"].child(names["trap"].string_to_action(name))
        return np.mean([search.rollout(state, policy, rng)[1] for _ in range(4_000)])

    assert mean("b2", search.uniform) > mean("c3", search.uniform) + 0.03
    assert mean("c3", names["finishing"]) > mean("b2", names["finishing"]) + 0.1


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
