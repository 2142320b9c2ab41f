"""What the phase stepper sends to the browser, and what stands in for it where nothing runs."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import games, search
from mctslab.boards.style import SQUARE, value_color
from mctslab.games.state import State
from mctslab.widgets import PhaseStepper
from mctslab.widgets.board_view import board_pieces
from mctslab.widgets.front_end import STATIC, joined
from mctslab.widgets.phase_stepper import lay_out

FOUR_GAMES = [games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku()]


def record(state: State, num_simulations: int = 30) -> search.Trace:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    search.mcts(state, num_simulations=num_simulations, rng=rng, trace=trace)
    return trace


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_the_browser_gets_the_trace_as_it_is_saved(state: State, tmp_path: Path) -> None:
    trace = record(state)
    data = PhaseStepper(trace).data
    file = trace.save(tmp_path / "trace.json")
    assert data["trace"] == json.loads(file.read_text())
    assert len(data["places"]) == len(trace.nodes)
    assert data["note"] == ""
    json.dumps(data, allow_nan=False)
    assert PhaseStepper(search.Trace.load(file)).data == data
    colors = data["value_colors"]
    assert (colors[0], colors[50], colors[100]) == tuple(map(value_color, (-1, 0, 1)))


def test_a_long_search_is_shown_from_its_beginning() -> None:
    trace = record(games.ConnectFour(), 400)
    data = PhaseStepper(trace).data
    assert len(data["trace"]["simulations"]) == 299
    assert len(data["places"]) == 300
    assert data["note"].startswith("Shown are the first 299 of 400 simulations")


def test_a_long_search_of_a_small_tree_is_shown_whole() -> None:
    state = games.TicTacToe()
    for action in (0, 1, 2, 4, 3):
        state = state.child(action)
    assert len(PhaseStepper(record(state, 500)).data["trace"]["simulations"]) == 500


def test_an_empty_trace_cannot_be_shown() -> None:
    with pytest.raises(search.TraceError, match="no simulation yet"):
        PhaseStepper(search.Trace())


def test_the_first_simulation_to_show_has_to_be_one() -> None:
    for simulation in (0, -1, 31):
        with pytest.raises(ValueError, match="not among those shown, which are 1 to 30"):
            PhaseStepper(record(games.TicTacToe()), simulation=simulation)


def test_where_nothing_runs_the_final_tree_is_seen(
    notebook_output: Callable[[Any], list[dict[str, Any]]],
) -> None:
    widget, still = notebook_output(PhaseStepper(record(games.TicTacToe())))
    assert "application/vnd.jupyter.widget-view+json" in widget
    assert widget["text/html"] == ""  # what is shown of it where widgets are not
    encoded = still["text/html"].partition("base64,")[2].partition('"')[0]
    drawing = ElementTree.fromstring(base64.b64decode(encoded))
    assert drawing.get("aria-label", "").startswith("Search tree")
    assert "The tree after 30 simulations" in still["text/html"]


# The layout


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_the_tree_is_laid_out_from_left_to_right_by_moves(state: State) -> None:
    nodes = record(state, 60).nodes
    places = lay_out([node.parent for node in nodes], [node.action or 0 for node in nodes])
    assert min(place.x for place in places) == 0
    assert max(place.x for place in places) == 1
    assert len({(place.x, place.depth) for place in places}) == len(places)
    for parent in range(len(nodes)):
        children = [number for number, node in enumerate(nodes) if node.parent == parent]
        by_action = sorted(children, key=lambda number: nodes[number].action or 0)
        by_place = sorted(children, key=lambda number: places[number].x)
        assert by_action == by_place
        assert {places[child].depth for child in children} <= {places[parent].depth + 1}


def test_a_lone_root_and_a_chain_stand_in_the_middle() -> None:
    assert [place.x for place in lay_out([None], [0])] == [0.5]
    assert [place.x for place in lay_out([None, 0, 1], [0, 0, 0])] == [0.5, 0.5, 0.5]


# The pieces of boards


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_pieces_are_cut_from_the_drawn_board(state: State) -> None:
    board = state.child(state.legal_actions()[0]).board()
    pieces: dict[str, Any] = board_pieces(board, [(0, 1, 2), ()])
    bare = ElementTree.fromstring(pieces["bare"])
    assert not [element for element in bare.iter() if element.get("data-player")]
    for player, stone in enumerate(pieces["stones"]):
        drawn = ElementTree.fromstring(stone)
        assert drawn.get("viewBox") == f"0 0 {SQUARE:g} {SQUARE:g}"
        assert [e.get("data-player") for e in drawn.iter() if e.get("data-player")] == [str(player)]
    last = ElementTree.fromstring(pieces["last_move"])
    assert [element.get("data-last") for element in last.iter() if element.get("data-last")]
    (line,) = pieces["winning_lines"].values()
    assert ElementTree.fromstring(line).get("data-win") == "1"
    assert list(pieces["winning_lines"]) == ["0,1,2"]


# The files


def test_the_script_is_one_module_that_fetches_nothing() -> None:
    script = joined("common.js", "words.js", "tree_view.js", "phase_stepper.js")
    assert script.count("export default") == 1
    assert "\nimport " not in script
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


def test_every_static_file_says_what_it_is_for() -> None:
    for path in STATIC.iterdir():
        assert path.read_text(encoding="utf-8").lstrip().startswith(("//", "/*", ".mctslab")), path
