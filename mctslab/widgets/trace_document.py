"""A trace, and a tree, in the form in which the browser gets them."""

import math
from dataclasses import replace
from typing import Any, Final

from mctslab.boards.board import Board
from mctslab.boards.style import SQUARE
from mctslab.boards.svg import board_thumbnail
from mctslab.games.state import State
from mctslab.search.trace import Simulation, Trace, TracedNode
from mctslab.widgets.board_view import winning_lines

SIGNS: Final = ".01"
"""The characters of an empty square and of the stones of both players in a document."""


def trace_document(trace: Trace) -> dict[str, Any]:
    """All of it as JSON-ready data: the game, a list for each fact about the nodes, and the
    simulations. Numbers keep six significant digits; an infinite one is written as a text.
    """
    rows, board = [node_facts(node) for node in trace.nodes], trace.nodes[0].state.board()
    return {
        "game": game_facts(trace.nodes[0].state),
        "nodes": {name: [row[name] for row in rows] for name in rows[0]},
        "simulations": [_simulation_facts(each, board) for each in trace.simulations],
    }


def _simulation_facts(simulation: Simulation, board: Board) -> dict[str, Any]:
    facts: dict[str, Any] = _plain(simulation)
    for rollout in facts["rollouts"]:
        won = replace(board, winning_squares=tuple(rollout["winning_squares"]))
        rollout["winning_squares"] = winning_lines(won)
    return facts


def game_facts(state: State) -> dict[str, Any]:
    """What the browser needs to know about the game of `state`."""
    board = state.board()
    shape = ("rows", "cols", "style", "column_labels", "row_labels")
    return {
        "name": state.game,
        "title": state.title,
        "players": list(state.player_names),
        "moves": [state.action_to_string(action) for action in range(state.num_actions)],
        "board": {name: _plain(getattr(board, name)) for name in shape},
    }


def node_facts(node: TracedNode) -> dict[str, Any]:
    """What the browser needs to know about a node; `legal_actions` has a bit for each action."""
    facts = {name: _plain(each) for name, each in node._asdict().items() if name != "state"}
    state, board = node.state, node.state.board()
    if board.text:
        facts["picture"] = board_thumbnail(board, size=8 * SQUARE)
    return facts | {
        "stones": "".join(SIGNS[stone + 1] for stone in board.stones),
        "last_square": board.last_square,
        "winning_squares": winning_lines(board),
        "player_to_move": state.current_player,
        "legal_actions": f"{sum(1 << action for action in state.legal_actions()):x}",
        "returns": _plain(state.returns()) if state.is_terminal else None,
    }


def _plain(value: Any) -> Any:
    """Records, tuples and numbers in the form of JSON.

    >>> _plain((2.0, 1 / 3, float("-inf"), None))
    [2, 0.333333, '-inf', None]
    """
    if hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not isinstance(value, float):
        return value
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded
