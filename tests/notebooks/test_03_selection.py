"""What notebook 03 says is so, and stays so with another seed."""

import math

import numpy as np
import pytest

from mctslab import games, search
from mctslab.search import bandits
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "03_selection")
SEEDS = pytest.mark.parametrize("seed", range(3))


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


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


def test_an_arm_left_alone_is_pulled_again_when_it_is_told():
    """`0.4 * sqrt(f(N) / f(20))` reaches 0.6 where f has grown to 2.25 times its value."""
    assert 20 * 2.25 == 45
    assert math.exp(2.25 * math.log(20)) == pytest.approx(850, abs=5)


def test_the_bonuses_of_the_picture_are_those_of_its_legend(names):
    growths = names["growths"]
    height = {name: 0.4 * math.sqrt(f(2_000) / f(20)) for name, f in growths.items()}

    assert height["grows as √N"] == pytest.approx(0.4 * math.sqrt(2_000) / math.sqrt(20))
    by_logarithm = 0.4 * math.sqrt(math.log(2_000)) / math.sqrt(math.log(20))
    assert height["grows as √(ln N)"] == pytest.approx(by_logarithm)


def test_the_regret_by_hand_is_right(names):
    assert names["regret_of"]([2, 1, 5]) == pytest.approx(2 * 0.4 + 1 * 0.2)


def test_the_table_of_scores_by_hand_is_right():
    scores = bandits.ucb1(c=1).scores(np.array([[4, 1, 0]]), np.array([[6, 3, 1]]))[0]
    bonus = [math.sqrt(math.log(10) / n) for n in (6, 3, 1)]

    assert scores == pytest.approx([1.29, 1.21, 1.52], abs=0.005)
    assert bonus == pytest.approx([0.62, 0.88, 1.52], abs=0.005)
    assert math.log(10) == pytest.approx(2.30, abs=0.005)


def test_the_chart_of_the_estimates_ends_at_150_simulations(names):
    assert names["estimates"][:, 1::8].shape[1] == len(range(6, 151, 24))
    assert range(6, 151, 24)[-1] == 150 == 3 * names["estimates"].shape[1]


def test_another_loss_puts_the_third_arm_last_and_raises_the_first():
    rule = bandits.ucb1(c=1)
    before = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 1]]))[0]
    after = rule.scores(np.array([[4, 1, 0]]), np.array([[6, 3, 2]]))[0]

    assert before.argmax() == 2
    assert after.argmax() == 0
    assert after[2] < after[0]
    assert after[0] > before[0]


@SEEDS
def test_about_three_greedy_runs_in_ten_end_on_a_worse_arm(names, seed):
    played = play(names, bandits.greedy(), seed, num_runs=1_000)

    assert np.mean(played.choices[:, -1] != 2) == pytest.approx(0.3, abs=0.05)


def test_the_package_plays_by_the_rules_of_the_notebook(names):
    ours = [names["regret_of"](names["run"](names["greedy"], 100)) for _ in range(1_000)]
    its = play(names, bandits.greedy(), 1).regret[:, 99]

    error = math.sqrt(np.var(ours) / len(ours) + np.var(its) / len(its))
    assert np.mean(ours) == pytest.approx(np.mean(its), abs=4 * error)


@SEEDS
def test_in_forty_pulls_ucb1_is_busy_exploring_and_can_be_beaten(names, seed):
    theory, less = (
        play(names, bandits.ucb1(c), seed, num_pulls=40).mean_regret[-1]
        for c in (math.sqrt(2), 0.5)
    )
    assert less < 0.8 * theory


@SEEDS
def test_at_first_ucb1_is_behind_and_greedy_is_worst(names, seed):
    ucb1, epsilon, greedy = (
        play(names, strategy, seed).mean_regret[-1] for strategy in names["strategies"]
    )
    assert epsilon < ucb1 < greedy


@SEEDS
def test_in_the_long_run_ucb1_is_ahead(names, seed):
    ucb1, epsilon, _ = (
        play(names, strategy, seed, num_pulls=10_000, num_runs=40).mean_regret
        for strategy in names["strategies"]
    )
    assert ucb1[-1] < epsilon[-1]
    # In the last tenfold, the one grows tenfold too, the other by little.
    assert epsilon[-1] / epsilon[999] > 4
    assert 1.75 < ucb1[-1] / ucb1[999] < 2.5  # "only about twice the regret"


@SEEDS
def test_the_regret_by_c_has_its_valley_where_it_is_told(names, seed):
    by_c = {c: play(names, bandits.ucb1(c), seed) for c in names["constants"]}
    ends = {c: played.mean_regret[-1] for c, played in by_c.items()}

    assert min(ends, key=ends.__getitem__) in (0.3, 0.5, 0.7)
    assert ends[0.5] < ends[1.4] < ends[3]
    assert ends[0.5] < ends[0.1]  # the four options of the prediction
    assert ends[0.5] < ends[0.2] < ends[0]
    # "As the wide band on the left shows".
    assert by_c[0].margin[-1] > 5 * by_c[1.4].margin[-1]


# The tree


def test_black_has_three_moves_and_white_two_replies_to_each(names):
    state = names["state"]

    assert state.player_names[state.current_player] == "Black"
    assert {state.action_to_string(action) for action in state.legal_actions()} == {
        "d5",
        "f5",
        "c6",
    }
    for action in state.legal_actions():
        after = state.child(action)
        assert after.player_names[after.current_player] == "White"
        assert len(after.legal_actions()) == 2


def test_the_average_and_the_best_reply_disagree_as_it_is_told(names):
    state, chance = names["state"], names["chance"]

    assert [chance(move(state, name)) for name in ("d5", "f5", "c6")] == [0.5, 0.375, 0.25]
    assert [chance(move(state, "d5", reply)) for reply in ("a1", "c6")] == [1, 0]
    assert [search.minimax(move(state, name))[0] for name in ("d5", "f5", "c6")] == [-1, 0, -1]
    assert search.minimax(move(state, "c6", "d5")) == (-1, 1)


@SEEDS
def test_the_estimates_move_as_it_is_told(names, seed, monkeypatch):
    one_search = names["estimates_of_one_search"]
    monkeypatch.setitem(one_search.__globals__, "rng", np.random.default_rng(seed))
    mean = np.mean([one_search(50) for _ in range(150)], axis=0)
    order = [names["state"].action_to_string(a) for a in names["state"].legal_actions()]
    d5, f5, c6 = (mean[:, order.index(name)] for name in ("d5", "f5", "c6"))

    assert len(mean) * 3 == 150
    assert d5[0] > f5[0] > c6[0]
    assert d5[-1] < 0.2
    assert c6[-1] < 0.2
    assert f5[0] < f5[-1] < 0.5
    assert f5[-1] > 0.42


def test_in_the_simulation_that_is_shown_each_term_decides_once(names):
    nodes = names["trace"].nodes
    black, white, *_ = names["trace"].simulations[21 - 1].selection
    leads = []
    for step, num_moves in ((black, 3), (white, 2)):
        edges = zip(step.terms, step.actions, strict=True)
        (first, action), (second, _), *_ = sorted(edges, key=lambda edge: -sum(edge[0]))
        assert len(step.actions) == num_moves
        assert action == nodes[step.chosen].action
        assert sum(first) > sum(second) + 0.03, "no tie, also when rounded"
        leads.append(np.subtract(first, second))
    (exploits, _), (not_exploits, explores) = leads

    assert exploits > 0
    assert not_exploits < 0 < explores


def test_the_walk_that_is_printed_is_the_walk_of_the_package(names):
    node = names["result"].root
    while node is not names["end"]:
        node = names["rule"].best_child(node)

    assert node is search.select(names["result"].root, names["rule"])
    assert node is names["node"]


@SEEDS
def test_a_small_c_makes_a_deep_and_narrow_tree(names, seed, monkeypatch):
    shape = names["shape"]
    monkeypatch.setitem(shape.__globals__, "rng", np.random.default_rng(seed))
    (deep, narrow), (shallow, broad) = (
        np.mean([shape(c) for _ in range(3)], axis=0) for c in (0.1, 4)
    )
    assert deep > shallow
    assert narrow > broad
    assert broad < 2 / len(games.ConnectFour().legal_actions())


@SEEDS
def test_of_four_constants_the_smallest_makes_the_deepest_tree(names, seed, monkeypatch):
    shape = names["shape"]
    monkeypatch.setitem(shape.__globals__, "rng", np.random.default_rng(seed))
    depths = [np.mean([shape(c)[0] for _ in range(4)]) for c in (0.1, 0.5, 1.4)]
    assert depths[0] > 1.3 * max(depths[1:])


def test_the_walk_that_is_printed_has_no_ties(names):
    """With three decimals a reader can see why a child is chosen."""
    rule = names["rule"]
    node = search.mcts(
        names["state"], num_simulations=30, selection=rule, rng=np.random.default_rng(8)
    ).root
    while len(node.children) > 1:
        scores = sorted(sum(rule.score(node, child)) for child in node.children)
        assert scores[-1] > scores[-2] + 0.002
        node = rule.best_child(node)
