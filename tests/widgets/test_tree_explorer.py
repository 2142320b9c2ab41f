"""What explorer and stepper send to the browser, and what becomes of the tree."""

import json

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.boards.style import value_color
from mctslab.draw.colors import visits_color
from mctslab.widgets import PhaseStepper, TreeExplorer
from mctslab.widgets.tree_explorer import MOST_SENT, explorer_data
from tests.search.toys import all_nodes, path_to


def grow(state, num_simulations=300, **options):
    rng = np.random.default_rng(1)
    return search.mcts(state, num_simulations=num_simulations, rng=rng, **options)


def after(*actions):
    """A position of Tic-Tac-Toe."""
    state = games.TicTacToe()
    for action in actions:
        state = state.child(action)
    return state


def solved_without_a_visit():
    """X a1 b2, O b1 c1; that X wins with c3 (8) is proven before it has a visit."""
    options = {"evaluator": search.uniform_evaluator(), "solver": True}
    rng = np.random.default_rng(1)
    return search.puct_search(after(0, 1, 4, 2), num_simulations=9, rng=rng, **options)


def by_path(data):
    """The facts about each node that was sent, by the actions that lead to it."""
    columns = data["nodes"]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    paths = []
    for row in rows:
        above = () if row["parent"] is None else (*paths[row["parent"]], row["action"])
        paths.append(above)
        del row["parent"]
    return dict(zip(paths, rows, strict=True))


@pytest.mark.parametrize("state", [games.TicTacToe(), games.ConnectFour(), games.Reversi(size=4)])
def test_a_small_tree_is_sent_whole_whichever_search_has_grown_it(state):
    trace = search.Trace()
    result = grow(state, trace=trace)
    data = explorer_data(result)
    json.dumps(data, allow_nan=False)
    for same in (result, result.root, trace.result()):
        assert TreeExplorer(same).data["nodes"] == data["nodes"]
    assert data["size"] == len(data["nodes"]["parent"]) == result.root.visit_count + 1
    compiled = fast.mcts(state, num_simulations=300, rng=np.random.default_rng(1))
    assert by_path(explorer_data(compiled)) == by_path(data)
    line = [data["nodes"]["action"][place] for place in data["principal"]]
    assert line == [None, *result.principal_variation]
    sent = by_path(data)
    for node in all_nodes(result.root):
        told, counts = sent[path_to(node)], [child.visit_count for child in node.children]
        assert (told["mover"], told["player_to_move"]) == (node.mover, node.state.current_player)
        assert (told["first_visit_count"], told["num_children"]) == (node.visit_count, len(counts))
        assert (told["num_visited"], told["child_visits"]) == (len(counts), sum(counts))
        assert told["first_total_value"] == pytest.approx(node.total_value)
        assert told["last_square"] == node.state.board().last_square
    colors = (data["value_colors"][0], data["value_colors"][-1], data["visit_colors"][0])
    assert colors == (value_color(-1), value_color(1), visits_color(0))


def test_of_a_large_tree_the_most_visited_nodes_are_sent():
    rng = np.random.default_rng(1)
    data = explorer_data(fast.mcts(games.Reversi(), num_simulations=2_000, rng=rng))
    assert (data["size"], len(data["nodes"]["child_visits"])) == (2_001, MOST_SENT)
    assert data["nodes"]["child_visits"][0] == 2_000


def test_the_end_of_a_game_and_what_is_proven_are_sent():
    winning = by_path(explorer_data(grow(after(0, 3, 1, 4), 60)))[(2,)]
    assert (winning["returns"], winning["winning_squares"]) == ([1, -1], [(0, 1, 2)])
    data = explorer_data(solved_without_a_visit())
    assert (by_path(data)[(8,)]["proven"], len(data["principal"])) == (1.0, 2)
    assert (data["nodes"]["num_children"][0], data["nodes"]["num_visited"][0]) == (5, 0)


def test_a_long_search_is_stepped_through_from_its_beginning_if_its_tree_is_large():
    for state, number, shown in ((games.ConnectFour(), 400, 299), (after(0, 1, 2, 4, 3), 500, 500)):
        trace = search.Trace()
        grow(state, number, trace=trace)
        data = PhaseStepper(trace).data
        assert len(data["trace"]["simulations"]) == shown
        said = f"Shown are the first {shown} of {number} simulations" if shown < number else ""
        assert (data["note"].startswith(said), bool(data["note"])) == (True, bool(said))
        colors = data["value_colors"]
        assert (colors[0], colors[50], colors[100]) == tuple(map(value_color, (-1, 0, 1)))
        json.dumps(data, allow_nan=False)
