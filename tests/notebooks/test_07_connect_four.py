"""What notebook 07 says is so, and stays so with another seed."""

import math
from itertools import pairwise

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.fast import ConnectFourSolver
from mctslab.score import expected_score
from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "07_connect_four")
START = games.ConnectFour()


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


@pytest.fixture
def seeded(names, monkeypatch):
    """The notebook's functions, drawing from another seed."""
    monkeypatch.setitem(names["question"].__globals__, "rng", np.random.default_rng(77))
    return names


# A budget


@pytest.mark.parametrize("seed", range(5))
def test_the_search_settles_on_the_middle_column(seed):
    shares = []
    for num_simulations in (300, 10_000):
        rng = np.random.default_rng(seed)
        result = fast.mcts(START, num_simulations=num_simulations, rng=rng)
        visits = {child.action: child.visit_count for child in result.children}
        shares.append(visits[3] / num_simulations)

    assert result.best_action == 3
    assert shares[1] > shares[0]
    assert result.value < 0.8, "far from sure of a win"


def test_slices_are_one_growing_search(names):
    results = names["slices"](START, 5, 40)

    assert [result.root.visit_count for result in results] == [40, 80, 120, 160, 200]


# The examination


@pytest.fixture(scope="module")
def examined(executed):
    """Other questions than the notebook's, with what the search answers to them."""
    names = executed(NOTEBOOK).names
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names["question"].__globals__, "rng", np.random.default_rng(5))
        found = [names["question"]() for _ in range(60)]
    budgets = (10, 1_000, 10_000, 100_000)
    given = [names["answers"](solved.state, budgets) for solved, _ in found]
    right = [
        [robust in solved.outcome_keeping for robust, *_ in noted]
        for noted, (solved, _) in zip(given, found, strict=True)
    ]
    return found, given, np.array(right)


def test_questions_are_positions_where_it_matters(examined):
    solver = ConnectFourSolver()
    for solved, distance in examined[0][:10]:
        stones = [stone for stone in solved.state.board().stones if stone >= 0]
        assert 12 <= len(stones) <= 18
        assert set(solved.verdicts) == set(solved.state.legal_actions())
        assert 0 < len(solved.outcome_keeping) < len(solved.verdicts)
        best = solver.solve(solved.state)
        assert all(solved.verdicts[action] == best for action in solved.outcome_keeping)
        if distance is not None and distance % 2 == 1:
            assert max(solved.verdicts.values()) == 1


def test_the_first_thousand_simulations_bring_most_and_then_it_levels_off(examined):
    shares = examined[2].mean(axis=0)

    assert shares[1] > shares[0] + 0.2
    assert abs(shares[3] - shares[2]) < 0.1
    assert 0.7 < shares[3] < 0.97


def test_near_wins_are_found_and_far_ones_are_not_all(examined):
    found, _, right = examined
    distances = np.array([distance or 0 for _, distance in found])
    near = (distances % 2 == 1) & (distances < 10)
    far = (distances % 2 == 1) & (distances > 10)

    assert right[near, 3].mean() > 0.9
    assert right[near, 3].mean() > right[far, 3].mean() + 0.05


def test_the_main_line_grows_by_a_few_plies_when_the_budget_grows_tenfold(examined):
    lines = np.array([[line for _, _, line, _ in noted] for noted in examined[1]]).mean(axis=0)

    assert all(0 < after - before < 6 for before, after in pairwise(lines[1:]))


def test_robust_child_and_max_child_seldom_differ(examined):
    differ = [[robust != best for robust, best, *_ in noted] for noted in examined[1]]

    assert np.mean(differ) < 0.1


def test_a_tiny_c_is_bad_and_a_large_one_does_little_harm(names, examined):
    def share(c):
        answers = [names["answers"](one.state, (10_000,), c) for one, _ in examined[0]]
        rights = [one.outcome_keeping for one, _ in examined[0]]
        pairs = zip(answers, rights, strict=True)
        return np.mean([noted[0][0] in right for noted, right in pairs])

    tiny, usual, large = share(0.01), share(math.sqrt(2)), share(10.0)
    assert tiny < usual - 0.08
    assert abs(large - usual) < 0.15


# The kept tree


def test_more_is_kept_by_a_larger_budget_and_by_a_smaller_c(seeded):
    def kept(budget, c):
        return np.mean([seeded["kept_share"](budget, c) for _ in range(12)])

    assert kept(100, math.sqrt(2)) < 0.1 < kept(10_000, math.sqrt(2)) < 0.5
    assert kept(300, 0.3) > kept(300, math.sqrt(2)) + 0.05


def test_the_kept_tree_is_worth_something_with_a_small_c(names, monkeypatch):
    monkeypatch.setitem(names["reuse_match"].__globals__, "NUM_GAMES", 600)
    match = names["reuse_match"](0.3)

    assert match.score.num_games == 600
    assert match.score.rate.value > 0.5


# Transpositions


def test_fewer_than_half_of_the_nodes_are_different_positions(names):
    root = fast.mcts(START, num_simulations=100_000, rng=np.random.default_rng(9)).root
    counts = [(len(ply), len({n.state for n in ply})) for ply in names["plies_of"](root)]
    nodes, positions = map(sum, zip(*counts, strict=True))

    assert counts[:4] == [(1, 1), (7, 7), (49, 49), (343, 238)]
    assert positions < nodes / 2


def test_without_transpositions_the_graph_is_the_tree(names):
    # Seven moves and seven replies are different positions all of them: no two ways meet.
    known = names["graph_search"](START, 56, np.random.default_rng(3))
    root = search.mcts(START, num_simulations=56, rng=np.random.default_rng(3)).root

    assert len(known) == 57
    for node in (root, *root.children):
        assert known[node.state].visit_count == node.visit_count
        if node is not root:
            assert known[node.state].total_value == node.total_value


@pytest.mark.parametrize("seed", range(10, 13))
def test_in_a_graph_the_news_does_not_reach_every_parent(names, seed):
    known = names["graph_search"](games.TicTacToe(), 10_000, np.random.default_rng(seed))
    edges = [
        (above, action)
        for above in known.values()
        for action in above.children
        if above.visit_count >= 10
    ]

    def surplus(above, action):
        """How much better the position above looks than what is known of the one below."""
        child = above.children[action]
        mean = above.total_value / above.visit_count
        return mean + child.total_value / child.visit_count

    neglected = [surplus(*edge) for edge in edges if names["imbalance"](edge) > 5]
    walked = [surplus(p, a) for p, a in edges if p.edge_visits[a] > 0.8 * p.visit_count]
    assert len(neglected) > 3
    assert np.mean(neglected) > 0.05
    assert abs(np.mean(walked)) < 0.04


# Arrays


def test_every_comparison_of_the_notebook_says_the_same(executed):
    shown = executed(NOTEBOOK).text

    assert "[True, True, True, True]" in shown
    assert "False, " not in shown.replace("(True, False)", "")


@pytest.mark.parametrize("seed", range(20, 24))
def test_all_ways_grow_the_same_tree_with_other_seeds(names, seed):
    assert names["equal_trees"](seed) == [True] * 4


@pytest.mark.parametrize("moves", ["4", "44351", "444444226", "3545433"])
def test_a_table_is_the_same_tree_from_other_positions(names, moves):
    state = START
    for move in moves:
        state = state.child(state.string_to_action(move))
    _, _, position, *_ = state.compilable()
    table = np.zeros(801, names["NODE"])
    names["array_search"](table, position, np.random.default_rng(2))
    root = search.mcts(state, num_simulations=800, rng=np.random.default_rng(2)).root

    assert names["array_statistics"](table) == names["statistics"](root)


def test_the_lines_are_those_of_the_rules(names):
    def bits(line):
        return sum(1 << square % 7 * 7 + square // 7 for square in line)

    boards = {bits(line) for line in names["LINES"]}
    assert len(boards) == len(names["LINES"]) == 24 + 21 + 12 + 12
    assert all(names["has_four"](board, names["BOARD"]) for board in boards)
    assert {square for line in names["LINES"] for square in line} == set(range(42))


@pytest.mark.parametrize("seed", range(20))
def test_the_tuples_know_the_rules(names, seed):
    rng = np.random.default_rng(seed)
    slow, quick = names["TupleFour"](), START
    while not quick.is_terminal:
        assert slow.current_player == quick.current_player
        assert slow.legal_actions() == quick.legal_actions()
        action = search.uniform(quick, rng)
        slow, quick = slow.child(action), quick.child(action)

    assert slow.is_terminal
    assert slow.legal_actions() == ()
    assert slow.returns() == quick.returns()


def test_an_elo_difference_is_the_score_that_is_told():
    assert expected_score(0) == 0.5
    assert expected_score(100) == pytest.approx(0.64, abs=0.005)
    assert expected_score(400) == pytest.approx(10 / 11)
