"""A trace as a JSON document: how it is written, and how it is read with nothing taken on trust.

The document has four parts: `format` and `version` say what it is, `game` holds the names of
players and moves and the shape of the board, `nodes` is a table with one list for each column,
and `simulations` lists the events. To keep it small,

* a position is a text with one character a square, in the order of the squares: `.01`;
* legal actions are the bits of a number, written in hexadecimal;
* a ply of a rollout is a list: the player, the action, and for every square that changed
  `3 * square + content + 1`, where the content is -1 for empty, or the player;
* scores and values keep six significant digits. An infinite score is written as a text.

The phase stepper hands the same document to the browser.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from mctslab.boards.board import EMPTY, Board, BoardStyle, square_bits
from mctslab.search.trace_data import (
    Considered,
    Ply,
    SelectionStep,
    Simulation,
    TracedGame,
    TracedNode,
    TracedRollout,
    Update,
)

FORMAT: Final = "mctslab.trace"
VERSION: Final = 1

_SIGNS: Final = ".01"
_DIGITS: Final = 6

Item = TypeVar("Item")


class TraceFileError(ValueError):
    """A file that is no trace, or a damaged one; the message says what is wrong, and where."""


# Writing


def dump(game: TracedGame, nodes: Sequence[TracedNode], simulations: Sequence[Simulation]) -> str:
    """The whole trace as JSON."""
    return json.dumps(document(game, nodes, simulations), separators=(",", ":"), allow_nan=False)


def document(
    game: TracedGame, nodes: Sequence[TracedNode], simulations: Sequence[Simulation]
) -> dict[str, Any]:
    """The whole trace as JSON-ready data."""
    board = nodes[0].board
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": {
            "name": game.name,
            "title": game.title,
            "players": list(game.player_names),
            "moves": list(game.move_names),
            "board": {
                "rows": board.rows,
                "cols": board.cols,
                "style": board.style.value,
                "column_labels": list(board.column_labels),
                "row_labels": list(board.row_labels),
            },
        },
        "nodes": {
            "parent": [node.parent for node in nodes],
            "action": [node.action for node in nodes],
            "mover": [node.mover for node in nodes],
            "prior": [_short(node.prior) for node in nodes],
            "stones": ["".join(_SIGNS[stone + 1] for stone in node.board.stones) for node in nodes],
            "last_square": [node.board.last_square for node in nodes],
            "winning_squares": [list(node.board.winning_squares) for node in nodes],
            "player_to_move": [node.player_to_move for node in nodes],
            "legal_actions": [f"{sum(1 << one for one in node.legal_actions):x}" for node in nodes],
            "returns": [_pair(node.returns) for node in nodes],
            "first_visit_count": [node.first_visit_count for node in nodes],
            "first_total_value": [_short(node.first_total_value) for node in nodes],
        },
        "simulations": [_write_simulation(simulation) for simulation in simulations],
    }


def _write_simulation(simulation: Simulation) -> dict[str, Any]:
    return {
        "selection": None
        if simulation.selection is None
        else [
            {
                "node": step.node,
                "chosen": step.chosen,
                "actions": [one.action for one in step.considered],
                "terms": [[_short(term) for term in one.terms] for one in step.considered],
            }
            for step in simulation.selection
        ],
        "leaf": simulation.leaf,
        "is_new": simulation.is_new,
        "rollouts": [
            {
                "plies": [
                    [
                        ply.player,
                        ply.action,
                        *(3 * square + stone + 1 for square, stone in ply.changes),
                    ]
                    for ply in rollout.plies
                ],
                "returns": _pair(rollout.returns),
                "winning_squares": list(rollout.winning_squares),
            }
            for rollout in simulation.rollouts
        ],
        "returns": _pair(simulation.returns),
        "updates": {
            "node": [update.node for update in simulation.updates],
            "visit_count": [update.new_visit_count for update in simulation.updates],
            "total_value": [_short(update.new_total_value) for update in simulation.updates],
        },
    }


def _short(number: float) -> float | int | str:
    """A number that takes little room.

    >>> _short(2.0), _short(1 / 3), _short(float("-inf"))
    (2, 0.333333, '-inf')
    """
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    rounded = float(f"{number:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded


def _pair(returns: tuple[float, float] | None) -> list[float | int | str] | None:
    return None if returns is None else [_short(value) for value in returns]


# Reading


def parse(text: str | bytes, *, name: str) -> tuple[TracedGame, list[TracedNode], list[Simulation]]:
    """Read what `dump` wrote; `name` is what to call the file in an error.

    Raises:
        TraceFileError: this is no trace, or one that is damaged or of a later version.
    """
    found = _json(text, name)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise TraceFileError(
            f'{name} is no trace of a search: such a file says "format": "{FORMAT}". '
            "Make one with trace.save(path)."
        )
    if found.get("version") != VERSION:
        raise TraceFileError(
            f"{name} is a trace of version {found.get('version')!r}, but this mctslab reads "
            f"version {VERSION} only."
        )
    reader = _Reader(name)
    game, empty_board = reader.read("game", lambda: _read_game(found["game"]))
    nodes = reader.read("nodes", lambda: _read_nodes(found["nodes"], empty_board, game))
    listed = reader.read("simulations", lambda: _list(found["simulations"]))
    statistics = [(node.first_visit_count, node.first_total_value) for node in nodes]
    simulations = [
        reader.read(
            f"simulations[{place}]",
            lambda one=one: _read_simulation(one, nodes, game, statistics),  # type: ignore[misc]
        )
        for place, one in enumerate(listed)
    ]
    return game, nodes, simulations


def _json(text: str | bytes, name: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise TraceFileError(f"{name} is no trace of a search: it is nested too deeply.") from error
    except ValueError as error:  # also of a wrong encoding
        raise TraceFileError(
            f"{name} can't be read as JSON ({error}): it is no trace, or it was cut off when it "
            "was copied. Copy or save it again."
        ) from error


class _Reader:
    """Says where in the file a mistake is."""

    def __init__(self, name: str) -> None:
        self._name = name

    def read(self, place: str, part: Callable[[], Item]) -> Item:
        try:
            return part()
        except KeyError as error:
            reason = f"{error.args[0]!r} is missing"
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            reason = str(error)
        raise TraceFileError(f"{self._name} is damaged: {place}: {reason}.")


def _read_game(found: dict[str, Any]) -> tuple[TracedGame, Board]:
    board = found["board"]
    rows, cols = _integer(board["rows"], 1, 1000), _integer(board["cols"], 1, 1000)
    first, second = map(_text, _list(found["players"]))
    game = TracedGame(
        name=_text(found["name"]),
        title=_text(found["title"]),
        player_names=(first, second),
        move_names=tuple(map(_text, _list(found["moves"]))),
    )
    empty = Board(
        rows=rows,
        cols=cols,
        style=BoardStyle(board["style"]),
        stones=(EMPTY,) * (rows * cols),
        column_labels=_labels(board["column_labels"], cols),
        row_labels=_labels(board["row_labels"], rows),
    )
    return game, empty


def _read_nodes(found: dict[str, Any], empty: Board, game: TracedGame) -> list[TracedNode]:
    columns = (
        "parent",
        "action",
        "mover",
        "prior",
        "stones",
        "last_square",
        "winning_squares",
        "player_to_move",
        "legal_actions",
        "returns",
        "first_visit_count",
        "first_total_value",
    )
    rows = zip(*(_list(found[column]) for column in columns), strict=True)
    nodes = [_read_node(number, row, empty, game) for number, row in enumerate(rows)]
    if not nodes:
        raise ValueError("there is no root")
    return nodes


def _read_node(number: int, row: tuple[Any, ...], empty: Board, game: TracedGame) -> TracedNode:
    parent, action, mover, prior, stones, last, winning, to_move, legal, returns, visits, total = (
        row
    )
    if (parent is None) != (number == 0) or (action is None) != (number == 0):
        raise ValueError(f"node {number} needs a parent and an action, node 0 neither")
    num_squares, num_actions = len(empty.stones), len(game.move_names)
    legal_actions = square_bits(int(_text(legal), 16))
    if legal_actions and legal_actions[-1] >= num_actions:
        raise ValueError(f"node {number} has a legal action beyond the last one")
    return TracedNode(
        parent=None if parent is None else _integer(parent, 0, number - 1),
        action=None if action is None else _integer(action, 0, num_actions - 1),
        mover=_player(mover),
        prior=_number(prior),
        board=Board(
            rows=empty.rows,
            cols=empty.cols,
            style=empty.style,
            stones=_read_stones(stones, num_squares),
            column_labels=empty.column_labels,
            row_labels=empty.row_labels,
            last_square=None if last is None else _integer(last, 0, num_squares - 1),
            winning_squares=_squares(winning, num_squares),
        ),
        player_to_move=_player(to_move),
        legal_actions=legal_actions,
        returns=None if returns is None else _returns(returns),
        first_visit_count=_integer(visits, 0),
        first_total_value=_number(total),
    )


def _read_simulation(
    found: dict[str, Any],
    nodes: Sequence[TracedNode],
    game: TracedGame,
    statistics: list[tuple[int, float]],
) -> Simulation:
    """Read one simulation; `statistics` holds N and W before it, and is brought up to date."""
    last_node, num_squares = len(nodes) - 1, len(nodes[0].board.stones)
    selection = found["selection"]
    updates = found["updates"]
    if not isinstance(found["is_new"], bool):
        raise ValueError(f"is_new is {found['is_new']!r}, not true or false")
    changed = []
    for node, visits, total in zip(
        *(_list(updates[column]) for column in ("node", "visit_count", "total_value")), strict=True
    ):
        number = _integer(node, 0, last_node)
        new = (_integer(visits, 0), _number(total))
        changed.append(Update(number, *statistics[number], *new))
        statistics[number] = new
    steps = (
        None
        if selection is None
        else tuple(_read_step(step, last_node, game) for step in _list(selection))
    )
    _check_way(steps or (), nodes)
    return Simulation(
        selection=steps,
        leaf=_integer(found["leaf"], 0, last_node),
        is_new=found["is_new"],
        rollouts=tuple(
            _read_rollout(rollout, num_squares, game) for rollout in _list(found["rollouts"])
        ),
        returns=_returns(found["returns"]),
        updates=tuple(changed),
    )


def _read_step(found: dict[str, Any], last_node: int, game: TracedGame) -> SelectionStep:
    last_action = len(game.move_names) - 1
    return SelectionStep(
        node=_integer(found["node"], 0, last_node),
        considered=tuple(
            Considered(_integer(action, 0, last_action), _read_terms(terms))
            for action, terms in zip(_list(found["actions"]), _list(found["terms"]), strict=True)
        ),
        chosen=_integer(found["chosen"], 0, last_node),
    )


def _read_terms(found: Any) -> tuple[float, ...]:
    terms = tuple(_number(term, finite=False) for term in _list(found))
    if len(terms) > 2 or math.isnan(sum(terms)):
        raise ValueError(f"there is {_quoted(found)} where the terms of a score should be")
    return terms


def _check_way(selection: Sequence[SelectionStep], nodes: Sequence[TracedNode]) -> None:
    """Selection goes down from the root, from parent to child."""
    here = 0
    for step in selection:
        if step.node != here or nodes[step.chosen].parent != here:
            raise ValueError(f"selection goes from node {step.node} to node {step.chosen}")
        here = step.chosen


def _read_rollout(found: dict[str, Any], num_squares: int, game: TracedGame) -> TracedRollout:
    last_action = len(game.move_names) - 1
    plies = []
    for ply in _list(found["plies"]):
        player, action, *changes = _list(ply)
        codes = [_integer(code, 0, 3 * num_squares - 1) for code in changes]
        plies.append(
            Ply(
                _player(player),
                _integer(action, 0, last_action),
                tuple((code // 3, code % 3 - 1) for code in codes),
            )
        )
    returns = found["returns"]
    return TracedRollout(
        tuple(plies),
        None if returns is None else _returns(returns),
        _squares(found["winning_squares"], num_squares),
    )


# The smallest parts; each raises ValueError when it is not what it should be


def _list(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise ValueError(f"there is {_quoted(found)} where a list should be")
    return found


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise ValueError(f"there is {_quoted(found)} where a text should be")
    return found


def _labels(found: Any, number: int) -> tuple[str, ...]:
    labels = tuple(map(_text, _list(found)))
    if len(labels) != number:
        raise ValueError(f"there are {len(labels)} labels for {number} rows or columns")
    return labels


def _integer(found: Any, low: int, high: int | None = None) -> int:
    if type(found) is not int or found < low or (high is not None and found > high):
        limits = f"from {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"there is {_quoted(found)} where a whole number {limits} should be")
    return found


def _player(found: Any) -> int:
    return _integer(found, 0, 1)


def _number(found: Any, *, finite: bool = True) -> float:
    if not finite and found in ("inf", "-inf"):
        return float(found)
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise ValueError(f"there is {_quoted(found)} where a number should be")
    return float(found)


def _returns(found: Any) -> tuple[float, float]:
    first, second = map(_number, _list(found))
    return first, second


def _squares(found: Any, num_squares: int) -> tuple[int, ...]:
    return tuple(_integer(square, 0, num_squares - 1) for square in _list(found))


def _read_stones(found: Any, num_squares: int) -> tuple[int, ...]:
    stones = tuple(_SIGNS.index(sign) - 1 for sign in _text(found))
    if len(stones) != num_squares:
        raise ValueError(f"a position has {len(stones)} squares, not {num_squares}")
    return stones


def _quoted(found: Any) -> str:
    text = repr(found)
    return text if len(text) <= 40 else f"{text[:37]}..."
