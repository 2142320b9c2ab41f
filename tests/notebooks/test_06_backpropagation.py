"""What notebook 06 says is so, and stays so with another seed."""

import inspect
import math
from itertools import count

import numpy as np
import pytest

from mctslab import arena, course, search
from mctslab.course import exercises
from mctslab.course.notebooks import exercise_cells, replace_function
from tests.notebooks.reading import read
from tests.notebooks.running import run_here


def values(state):
    """What each move is worth to the player to move, by its notation."""
    return {
        state.action_to_string(action): search.minimax(state.child(action))[state.current_player]
        for action in state.legal_actions()
    }


def found_by(way_back, state, num_simulations, seed):
    """The root of a search with another last phase."""
    expand = exercises.expand.model_answer
    find = course.assemble(search.select, expand, search.rollout, way_back)
    return find(state, num_simulations, np.random.default_rng(seed))


# The way back


def test_the_table_by_hand_is_right_and_shown_by_the_package(names, shown, cells):
    rows = [line.split("|")[3:-1] for line in cells["by-hand"].splitlines() if line[:1] == "|"][2:]
    table = [[int(number.replace("−", "-")) for number in row] for row in rows]
    printed = [
        f"mover {mover}: N = {row[3]}, W = {row[4]}"
        for mover, row in zip("OXOO", table, strict=True)
    ]
    state = names["threat"]
    for move in ("c3", "b2", "b3"):
        state = state.child(state.string_to_action(move))

    assert "\n".join(printed) in shown
    assert all((n + 1, w + won) == (*after,) for n, w, won, *after in table)
    assert 1 in values(state).values(), "X can win"


# The whole search


OWN_PARTS = """def uct(state, num_simulations, rng):
    root = search.Node(state)
    for _ in range(num_simulations):
        leaf = expand(select(root, search.ucb1()), rng)
        backpropagate(leaf, rollout(leaf.state, search.uniform, rng))
    return root"""


def test_the_students_own_functions_are_used_as_soon_as_they_are_right(notebook):
    way_back = exercises.backpropagate.solution_source.replace("+= 1\n", "+= 1  # mine\n")
    answers = {"uct": OWN_PARTS, "backpropagate": way_back}
    answered = read(notebook)
    for name, _, cell in exercise_cells(answered):
        if name in answers:
            cell.source = replace_function(cell.source, name, answers[name])
    run = run_here(answered, until="same-tree")

    for name in answers:
        assert f"{name}: yours, from notebook 06" in run.text
    assert "grown the same tree. Nodes compared: 201" in run.text
    assert inspect.getsource(run.names["my_uct"]).strip() == OWN_PARTS
    assert "# mine" in inspect.getsource(run.names["backpropagate"])


@pytest.mark.parametrize("seed", range(3))
def test_one_random_number_too_many_changes_nearly_all_visits(names, seed):
    first, visits = names["first"], []
    for has_slip in (False, True):
        rng = np.random.default_rng(seed)
        root = search.mcts(first, num_simulations=9, rng=rng).root
        if has_slip:
            rng.random()
        root = search.mcts(first, num_simulations=191, rng=rng, root=root).root
        visits.append([child.visit_count for child in root.children])

    assert sum(one == other for one, other in zip(*visits, strict=True)) <= 3


# Draws and passes


@pytest.mark.parametrize("seed", range(100, 105))
def test_who_takes_a_draw_for_a_loss_overlooks_the_threat(names, seed):
    threat = names["threat"]

    def move(way_back):
        root = found_by(way_back, threat, 400, seed)
        return threat.action_to_string(names["robust_child"](root))

    assert values(threat) == {"a3": -1, "b2": -1, "b3": -1, "c3": 0}
    assert move(search.backpropagate) == "c3" != move(names["draw_as_loss"])


@pytest.mark.parametrize("seed", range(5))
def test_a_flipped_sign_loses_the_squeeze_whatever_the_seed(names, seed):
    for way_back, best in ((search.backpropagate, "a3"), (names["sign_flipped"], "c4")):
        root = found_by(way_back, names["skipped"], 50, seed)
        means = {
            root.state.action_to_string(node.action): node.mean_value for node in root.children
        }
        assert root.state.action_to_string(names["robust_child"](root)) == best
        assert max(means, key=means.get) == best


def test_the_film_shows_the_sign_flip_where_it_begins(names):
    trace = names["trace"]
    leaf, above, _ = trace.simulations[2].updates.node
    moves = [names["squeeze"].action_to_string(trace.nodes[node].action) for node in (leaf, above)]
    before, after = trace.statistics(2), trace.statistics(3)

    assert moves == ["c4", "a3"]
    assert trace.nodes[leaf].mover == trace.nodes[above].mover == 1
    assert [after[node][1] - before[node][1] for node in (leaf, above)] == [1, -1]


@pytest.mark.parametrize("seed", range(2))
def test_a_flipped_sign_costs_many_endgames_and_the_movers_return_hardly_any(
    names, seed, monkeypatch
):
    monkeypatch.setitem(names, "rng", np.random.default_rng(seed))
    made = (names["random_endgame"]() for _ in count())
    matters = ((state, worth) for state, worth in made if len(set(worth.values())) > 1)
    monkeypatch.setitem(names, "endgames", [next(matters) for _ in range(30)])

    assert names["best_moves"](lambda *search_of: found_by(search.backpropagate, *search_of)) >= 29
    assert names["best_moves"](names["flipping"]) <= 26


# Convergence, and the move in the end


@pytest.mark.parametrize(("name", "worth"), [("trap", 0), ("mistake", 1), ("answer", -1)])
def test_a_value_begins_near_random_play_and_ends_near_the_minimax_value(names, name, worth):
    state, results_on_the_way = names[name], names["results_on_the_way"]
    rng, mover = np.random.default_rng(1), state.current_player
    by_chance = [search.rollout(state, search.uniform, rng)[mover] for _ in range(1_000)]
    begun = [results_on_the_way(state, seed, (10,))[0].value for seed in range(100, 130)]

    assert np.mean(begun) == pytest.approx(np.mean(by_chance), abs=0.3)
    for seed in (1, 2):
        assert results_on_the_way(state, seed, (2_000,))[0].value == pytest.approx(worth, abs=0.2)


def disputed(names, c, budgets, seeds):
    """For each budget the results of the searches in which the two rules disagree."""
    searches = [names["results_on_the_way"](names["trap"], seed, budgets, c) for seed in seeds]
    return [list(filter(names["disagree"], results)) for results in zip(*searches, strict=True)]


def test_the_dispute_ends_with_the_usual_constant_and_lasts_with_a_small_one(names):
    usual, small = (
        list(map(len, disputed(names, c, (7, 80, 160, 320), range(1_000, 1_060))))
        for c in (math.sqrt(2), 0.1)
    )

    assert usual[0] == small[0] > 12, "as long as every move was tried at most twice"
    assert usual[-1] <= 4
    assert sum(small[1:]) > sum(usual[1:])


def test_only_with_the_small_constant_the_max_child_is_right_more_often(names):
    right = {}
    for c in (0.1, math.sqrt(2)):
        (late,) = disputed(names, c, (160,), range(2_000, 2_200))
        for rule in (search.SearchResult.robust_child, search.SearchResult.max_child):
            found = sum(rule(result) == names["c3"] for result in late)
            right[c, rule.__name__] = arena.wilson(found, len(late))

    assert right[0.1, "robust_child"].high < right[0.1, "max_child"].low
    assert right[2**0.5, "robust_child"].high > right[2**0.5, "max_child"].low
    assert right[2**0.5, "max_child"].high > right[2**0.5, "robust_child"].low
