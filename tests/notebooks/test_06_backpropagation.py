"""What notebook 06 says is so."""

import inspect

from mctslab import draw, search
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


# Sabotage


def test_the_first_wrong_number_of_the_film_is_the_one_that_is_shown(names):
    first, numbers_of = names["wrong"], names["numbers_of"]
    *boxes, before, is_right = numbers_of(first)

    assert all(numbers_of(simulation)[-1] for simulation in range(first))
    assert not is_right
    assert names["trace"].simulations[first].returns == (0, 0), "a draw"
    assert "✗" in draw.backup(*boxes, before=before).svg
