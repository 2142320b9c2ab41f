"""What the phase stepper sends to the browser, and what stands in for it where nothing runs."""

import json
import re
from typing import Any

import numpy as np
import pytest

from mctslab import games, search
from mctslab.boards.style import SQUARE, value_color
from mctslab.games.state import State
from mctslab.widgets import PhaseStepper
from mctslab.widgets.board_view import board_pieces

FOUR_GAMES = [games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku()]


def record(state: State, num_simulations: int = 30) -> search.Trace:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    search.mcts(state, num_simulations=num_simulations, rng=rng, trace=trace)
    return trace


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_the_browser_gets_the_trace_as_it_is_saved(state: State) -> None:
    trace = record(state)
    data = PhaseStepper(trace).data
    assert data["trace"] == trace.document()
    assert data["note"] == ""
    json.dumps(data, allow_nan=False)
    colors = data["value_colors"]
    assert (colors[0], colors[50], colors[100]) == tuple(map(value_color, (-1, 0, 1)))


def test_a_long_search_is_shown_from_its_beginning_if_its_tree_is_large() -> None:
    data = PhaseStepper(record(games.ConnectFour(), 400)).data
    assert len(data["trace"]["simulations"]) == 299
    assert len(data["trace"]["nodes"]["parent"]) == 300
    assert data["note"].startswith("Shown are the first 299 of 400 simulations")
    state = games.TicTacToe()
    for action in (0, 1, 2, 4, 3):
        state = state.child(action)
    assert len(PhaseStepper(record(state, 500)).data["trace"]["simulations"]) == 500


@pytest.mark.parametrize("state", FOUR_GAMES)
def test_pieces_are_cut_from_the_drawn_board(state: State) -> None:
    board = state.child(state.legal_actions()[0]).board()
    pieces: dict[str, Any] = board_pieces(board, [(0, 1, 2), ()])
    assert "data-player" not in pieces["bare"]
    for player, stone in enumerate(pieces["stones"]):
        assert f'viewBox="0 0 {SQUARE:g} {SQUARE:g}"' in stone
        assert re.findall(r'data-player="(\d)"', stone) == [str(player)]
    assert "data-last" in pieces["last_move"]
    assert list(pieces["winning_lines"]) == ["0,1,2"]
    assert 'data-win="1"' in pieces["winning_lines"]["0,1,2"]
