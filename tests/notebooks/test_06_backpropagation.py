"""What notebook 06 says is so, and stays so with another seed."""

import inspect
from functools import partial

import numpy as np
import pytest

from mctslab import arena, course, draw, players, search
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


def test_the_four_boxes_are_filled_in_by_the_rule_and_what_is_wrong_is_marked(names, cells):
    leaf, found = names["leaf"], names["found"]
    before, node = [], leaf
    while node is not None:
        before.insert(0, (node.visit_count, node.total_value))
        node = node.parent

    assert before == [(8, -2), (4, 1), (2, 1), (0, 0)], "they have not changed"
    assert found == [(9, -3), (5, 0), (3, 2), (1, -1)]
    assert 1 in values(leaf.state).values(), "X can win"
    assert cells["fill-in"].startswith("after = [None, None, None, None]\n")
    for after, marks in ((None, (0, 0)), (found, (4, 0)), ([*found[:2], (3, 0), None], (2, 1))):
        svg = draw.backup(leaf, (1, -1), after).svg
        assert (svg.count("✓"), svg.count("✗")) == marks
    assert "O plays c3: before N 4, W +1, after N 5, W 0." in draw.backup(leaf, (1, -1), found).svg


# The whole search


OWN_PARTS = """def uct(state, num_simulations, rng):
    root = search.Node(state)
    for _ in range(num_simulations):
        leaf = expand(select(root, search.ucb1()), rng)
        backpropagate(leaf, search.rollout(leaf.state, search.uniform, rng))
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
    assert "your search has grown the same tree" in run.text
    assert inspect.getsource(run.names["my_uct"]).strip() == OWN_PARTS
    assert "# mine" in inspect.getsource(run.names["backpropagate"])


def test_the_packages_search_is_not_called_the_students(notebook):
    run = run_here(read(notebook), until="same-tree")

    assert "uct: the package's" in run.text
    assert "your search has grown" not in run.text
    assert "the package's search, which stands in for yours, has grown the same tree" in run.text


def test_the_film_begins_where_the_win_rate_decides_and_soon_the_bonus_does(names):
    film, decided_by_bonus = names["film"], []
    for number in range(4, len(film)):
        before, chosen = film.statistics(number), film.simulations[number].updates.node[-2]
        moves = [at for at, node in enumerate(film.nodes) if node.parent == 0 and before[at][0]]
        means = {at: before[at][1] / before[at][0] for at in moves}
        decided_by_bonus.append(means[chosen] < max(means.values()))
        if number == 4:
            assert [before[at][0] for at in moves] == [1, 1, 1, 1], "the bonuses are equal"
            assert len({*means.values()}) > 1, "and the win rates are not"

    assert not decided_by_bonus[0]
    assert any(decided_by_bonus)


# Draws and passes


@pytest.mark.parametrize("seed", range(100, 105))
def test_who_takes_a_draw_for_a_loss_overlooks_the_threat(names, seed):
    threat = names["threat"]

    def move(way_back):
        root = found_by(way_back, threat, 400, seed)
        return threat.action_to_string(names["principal_variation"](root)[0])

    assert values(threat) == {"a3": -1, "b2": -1, "b3": -1, "c3": 0}
    assert move(search.backpropagate) == "c3" != move(exercises.sabotage.model_answer)


# Convergence, and the move in the end


@pytest.mark.parametrize(("name", "worth"), [("trap", 0), ("mistake", 1), ("answer", -1)])
def test_a_value_begins_with_a_random_game_and_ends_near_the_minimax_value(names, name, worth):
    state, my_uct = names[name], names["my_uct"]
    rng, mover = np.random.default_rng(1), state.current_player
    by_chance = [search.rollout(state, search.uniform, rng)[mover] for _ in range(1_000)]
    begun = [my_uct(state, 1, np.random.default_rng(seed)).mean_value for seed in range(1_000)]

    assert np.mean(begun) == pytest.approx(np.mean(by_chance), abs=0.1)
    root = my_uct(state, 4_096, np.random.default_rng(1))
    assert root.mean_value == pytest.approx(worth, abs=0.2)


# Sabotage


def test_the_first_wrong_number_of_the_film_is_the_one_that_is_shown(names):
    first, numbers_of = names["wrong"], names["numbers_of"]
    *boxes, before, is_right = numbers_of(first)

    assert all(numbers_of(simulation)[-1] for simulation in range(first))
    assert not is_right
    assert names["trace"].simulations[first].returns == (0, 0), "a draw"
    assert "✗" in draw.backup(*boxes, before=before).svg


def path(leaf):
    while leaf is not None:
        yield leaf
        leaf = leaf.parent


def only_wins(leaf, returns):
    for node in path(leaf):
        node.visit_count += 1
        node.total_value += max(0, returns[node.mover])


def of_the_leafs_mover(leaf, returns):
    for node in path(leaf):
        node.visit_count += 1
        node.total_value += returns[leaf.mover]


def halved(leaf, returns):
    for steps, node in enumerate(path(leaf)):
        node.visit_count += 1
        node.total_value += returns[node.mover] / 2**steps


def flipped(leaf, returns):
    for steps, node in enumerate(path(leaf)):
        node.visit_count += 1
        node.total_value += returns[leaf.mover] * (-1) ** steps


def leaf_twice(leaf, returns):
    for node in path(leaf):
        times = 1 + (node is leaf)
        node.visit_count += times
        node.total_value += times * returns[node.mover]


@pytest.mark.parametrize(
    ("fault", "fails"),
    [
        (only_wins, True),
        (of_the_leafs_mover, True),
        (halved, True),
        (flipped, True),
        (exercises.sabotage.model_answer, True),
        (leaf_twice, False),
    ],
)
def test_the_examiner_finds_the_faults_that_are_offered_and_the_film_shows_them_all(
    names, monkeypatch, fault, fails
):
    broken, trace = partial(found_by, fault), search.Trace()
    broken.__name__ = "broken"
    assert (course.examine(broken).finding is not None) is fails

    find = course.assemble(search.select, search.expand, search.rollout, fault)
    find(names["threat"], 200, np.random.default_rng(6), trace=trace)
    monkeypatch.setitem(names, "trace", trace)
    assert not all(names["numbers_of"](number)[-1] for number in range(200))


def test_a_match_notices_the_return_of_the_leafs_mover():
    rates = []
    for way_back in (of_the_leafs_mover, search.backpropagate):
        contestant = partial(players.FunctionPlayer, partial(found_by, way_back), 100, name="own")
        match = arena.match("connect_four", contestant, "random", num_games=40, seed=6)
        rates.append(match.score.rate)

    assert rates[0].high < rates[1].low


def test_a_broken_search_can_beat_random_moves():
    broken = partial(found_by, exercises.sabotage.model_answer)
    contestant = partial(players.FunctionPlayer, broken, 60, name="broken")
    assert arena.match("connect_four", contestant, "random", num_games=20, seed=1).score.wins >= 17
