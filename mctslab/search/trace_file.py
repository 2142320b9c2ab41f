"""The data of a trace, and the JSON document in which it is saved.

Nothing here refers to a live tree or to the rules of a game. So a trace can be loaded on another
machine and viewed there, even for a game whose code is not installed. Nodes are numbered in the
order in which the search reached them; the root is number 0.

The document has the parts `format` and `version`, `game`, `nodes` (a table with one list for each
column, the fields of `TracedNode`) and `simulations`. Scores and values keep six significant
digits, and an infinite score is written as a text. The phase stepper sends the same document to the
browser.
"""

import json
import math
import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, Literal

from mctslab.boards.board import Board, BoardStyle

FORMAT: Final = "mctslab.trace"
VERSION: Final = 1

SIGNS: Final = ".01"
"""The characters of an empty square and of the stones of both players."""
_LARGEST: Final = 1e300


class TraceError(ValueError):
    """An event that cannot have happened now, or a file that is not a trace."""


# The data


@dataclass(frozen=True, slots=True)
class BoardShape:
    """The properties that all positions of a game share, as in `Board`."""

    rows: int
    cols: int
    style: BoardStyle
    column_labels: tuple[str, ...]
    row_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TracedGame:
    """The facts about a game that are needed to show its moves."""

    name: str
    title: str
    players: tuple[str, str]
    moves: tuple[str, ...]
    """The notation of every action."""
    board: BoardShape


@dataclass(frozen=True, slots=True)
class TracedNode:
    """A node of the tree, with everything that stays the same while its statistics change."""

    parent: int | None
    action: int | None
    mover: int
    """The player whose return is counted here, as in `Node.mover`."""
    prior: float
    stones: str
    """One character a square, in the order of the squares: `.01`."""
    last_square: int | None
    winning_squares: tuple[int, ...]
    player_to_move: int
    legal_actions: str
    """The bits of a number, written in hexadecimal."""
    returns: tuple[float, float] | None
    """The result if the game is over; None while it goes on."""
    first_visit_count: int
    """N when the trace first met the node; above 0 only in a tree from an earlier search."""
    first_total_value: float

    def board(self, game: TracedGame) -> Board:
        """The position as a board of `game`."""
        shape = game.board
        return Board(
            shape.rows,
            shape.cols,
            shape.style,
            tuple(SIGNS.index(sign) - 1 for sign in self.stones),
            shape.column_labels,
            shape.row_labels,
            self.last_square,
            self.winning_squares,
        )


@dataclass(frozen=True, slots=True)
class SelectionStep:
    """One step down the tree: all the edges that were compared, and the child that was taken."""

    node: int
    chosen: int
    """The number of the child."""
    actions: tuple[int, ...]
    """The action of each edge."""
    terms: tuple[tuple[float | Literal["inf", "-inf"], ...], ...]
    """The parts whose sum is the score of each edge: exploitation and exploration; one number if a
    rule does not name its parts; none if the score is not known. A file contains them as texts;
    here they are floats."""

    def __post_init__(self) -> None:
        numbers = tuple(tuple(map(float, terms)) for terms in self.terms)
        object.__setattr__(self, "terms", numbers)


@dataclass(frozen=True, slots=True)
class TracedRollout:
    """One game from the leaf, usually to its end."""

    plies: tuple[tuple[int, ...], ...]
    """For each move the player, the action, and for every square that changed
    `3 * square + content + 1`, where the content is EMPTY (-1) or the player."""
    returns: tuple[float, float] | None
    """Its result; None if it was stopped before the end."""
    winning_squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Updates:
    """The new statistics of the nodes from the leaf up to the root."""

    node: tuple[int, ...]
    visit_count: tuple[int, ...]
    total_value: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Simulation:
    """The four phases of one simulation."""

    selection: tuple[SelectionStep, ...] | None
    """None if the leaf was added together with the one before, after the same walk down."""
    leaf: int
    is_new: bool
    """Whether the leaf was added now; false for a finished game that was reached again."""
    rollouts: tuple[TracedRollout, ...]
    """Empty for a finished game, and for an evaluator without rollouts."""
    returns: tuple[float, float]
    updates: Updates


# Writing


def dump(game: TracedGame, nodes: Sequence[TracedNode], simulations: Sequence[Simulation]) -> str:
    """The whole trace as JSON."""
    return json.dumps(document(game, nodes, simulations), separators=(",", ":"), allow_nan=False)


def document(
    game: TracedGame, nodes: Sequence[TracedNode], simulations: Sequence[Simulation]
) -> dict[str, Any]:
    """The whole trace as JSON-ready data."""
    columns = [field.name for field in fields(TracedNode)]
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": _plain(game),
        "nodes": {name: [_plain(getattr(node, name)) for node in nodes] for name in columns},
        "simulations": [_plain(simulation) for simulation in simulations],
    }


def _plain(value: Any) -> Any:
    """Dataclasses, tuples and numbers in the form of JSON.

    >>> _plain((2.0, 1 / 3, float("-inf"), None))
    [2, 0.333333, '-inf', None]
    """
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if not isinstance(value, float):
        return value
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    rounded = float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


# Reading


@dataclass(frozen=True, slots=True)
class _Document:
    format: str
    version: int
    game: TracedGame
    nodes: dict[str, tuple[Any, ...]]
    simulations: tuple[Simulation, ...]


def parse(text: str | bytes, *, name: str) -> tuple[TracedGame, list[TracedNode], list[Simulation]]:
    """Read what `dump` wrote; `name` is the file's name, for errors.

    Raises:
        TraceError: this is not a trace, or one that is damaged or of another version.
    """
    from mctslab import typed  # only here: loading it would delay the start of every search

    try:
        entries = typed.from_json(text, dict[str, Any], name)
    except typed.WrongEntryError as error:
        raise TraceError(f"{error} It is not a trace, or it was cut off when it was copied.") from (
            error
        )
    if entries.get("format") != FORMAT:
        raise TraceError(
            f'{name} is not a trace of a search: such a file has "format": "{FORMAT}". '
            "Make one with trace.save(path)."
        )
    version = entries.get("version")
    if type(version) is not int or version != VERSION:
        raise TraceError(
            f"{name} is a trace of version {version!r}, but this mctslab reads "
            f"version {VERSION} only."
        )
    try:
        found = typed.convert(entries, _Document)
        rows = [
            dict(zip(found.nodes, row, strict=True))
            for row in zip(*found.nodes.values(), strict=True)
        ]
        nodes = typed.convert(rows, list[TracedNode], "nodes")
        _check_game(found.game)
        _check_nodes(nodes, found.game)
        _check_simulations(found.simulations, nodes, found.game)
    except ValueError as error:
        raise TraceError(f"{name} is damaged: {error}") from error
    return found.game, nodes, list(found.simulations)


def _check_game(game: TracedGame) -> None:
    shape = game.board
    _check_within("game.board.rows", shape.rows, 1, 1000)
    _check_within("game.board.cols", shape.cols, 1, 1000)
    if (len(shape.row_labels), len(shape.column_labels)) != (shape.rows, shape.cols):
        raise TraceError(
            f"game.board: there are {len(shape.row_labels)} row_labels and "
            f"{len(shape.column_labels)} column_labels for {shape.rows} x {shape.cols} squares."
        )


def _check_nodes(nodes: Sequence[TracedNode], game: TracedGame) -> None:
    num_squares, num_actions = game.board.rows * game.board.cols, len(game.moves)
    limits = {
        "action": (0, num_actions - 1),
        "mover": (0, 1),
        "prior": (0, _LARGEST),
        "last_square": (0, num_squares - 1),
        "winning_squares": (0, num_squares - 1),
        "player_to_move": (0, 1),
        "returns": (-1, 1),
        "first_visit_count": (0, _LARGEST),
        "first_total_value": (-_LARGEST, _LARGEST),
    }
    if not nodes:
        raise TraceError("nodes: there is no root.")
    for number, node in enumerate(nodes):
        for name, (low, high) in limits.items():
            _check_within(f"nodes[{number}].{name}", getattr(node, name), low, high)
        if [node.parent is None, node.action is None] != [number == 0] * 2:
            raise TraceError(f"Node {number} needs a parent and an action, and node 0 neither.")
        _check_within(f"nodes[{number}].parent", node.parent, 0, number - 1)
        if not re.fullmatch(f"[{SIGNS}]{{{num_squares}}}", node.stones):
            raise TraceError(
                f"nodes[{number}].stones = {reprlib.repr(node.stones)}: expected {num_squares} "
                f"squares, each one of {SIGNS}"
            )
        legal = node.legal_actions
        if not re.fullmatch("[0-9a-f]+", legal) or int(legal, 16) >> num_actions:
            raise TraceError(
                f"nodes[{number}].legal_actions = {reprlib.repr(legal)}: expected a hexadecimal "
                f"number of at most {num_actions} bits."
            )


def _check_simulations(
    simulations: Sequence[Simulation], nodes: Sequence[TracedNode], game: TracedGame
) -> None:
    """Check all numbers, and that every simulation goes down from the root and back up to it."""
    last_node, last_action = len(nodes) - 1, len(game.moves) - 1
    last_square = game.board.rows * game.board.cols - 1
    end = 0
    for number, one in enumerate(simulations):
        where = f"simulations[{number}]"
        steps, rollouts, updates = one.selection or (), one.rollouts, one.updates
        plies = [ply for rollout in rollouts for ply in rollout.plies]
        if not all(len(ply) >= 2 for ply in plies):
            raise TraceError(f"{where}.rollouts: a ply lacks its player or its action.")
        limits = {
            "leaf": (one.leaf, 0, last_node),
            "returns": (one.returns, -1, 1),
            "selection.chosen": (tuple(step.chosen for step in steps), 0, last_node),
            "selection.actions": (tuple(step.actions for step in steps), 0, last_action),
            "plies.player": (tuple(ply[0] for ply in plies), 0, 1),
            "plies.action": (tuple(ply[1] for ply in plies), 0, last_action),
            "plies.changes": (tuple(ply[2:] for ply in plies), 0, 3 * last_square + 2),
            "rollouts.returns": (tuple(each.returns for each in rollouts), -1, 1),
            "winning_squares": (tuple(each.winning_squares for each in rollouts), 0, last_square),
            "updates.node": (updates.node, 0, last_node),
            "updates.visit_count": (updates.visit_count, 0, _LARGEST),
            "updates.total_value": (updates.total_value, -_LARGEST, _LARGEST),
        }
        for name, (value, low, high) in limits.items():
            _check_within(f"{where}.{name}", value, low, high)
        end = _check_way(one, nodes, 0 if one.selection is not None else end, where)


def _check_way(one: Simulation, nodes: Sequence[TracedNode], end: int, where: str) -> int:
    """Check that selection goes down from `end`, and the updates up; returns where it stopped."""
    for step in one.selection or ():
        if step.node != end or nodes[step.chosen].parent != end:
            raise TraceError(f"{where}.selection: node {step.chosen} is not below node {end}.")
        end = step.chosen
        if len(step.terms) != len(step.actions):
            raise TraceError(f"{where}.selection: terms and actions have different lengths.")
        for terms in step.terms:
            if len(terms) > 2 or math.isnan(sum(map(float, terms))):
                raise TraceError(f"{where}.selection.terms: {terms!r} is not a score.")
    if one.leaf != end and nodes[one.leaf].parent != end:
        raise TraceError(f"{where}: the leaf {one.leaf} is not below node {end}.")
    updates = one.updates
    if not len(updates.node) == len(updates.visit_count) == len(updates.total_value):
        raise TraceError(f"{where}.updates: its three lists have different lengths.")
    if not updates.node or (updates.node[0], updates.node[-1]) != (one.leaf, 0):
        raise TraceError(
            f"{where}.updates.node = {list(updates.node)}: expected the numbers of the nodes from "
            f"the leaf {one.leaf} up to the root 0."
        )
    return end


def _check_within(where: str, value: Any, low: float, high: float) -> None:
    """Check a number, or all of a tuple; None is right, because types are checked elsewhere."""
    if isinstance(value, tuple):
        for place, each in enumerate(value):
            _check_within(f"{where}[{place}]", each, low, high)
    elif value is not None and not low <= value <= high:
        limits = "0 or more" if low == 0 else "a finite number"
        expected = f"from {low:,} to {high:,}" if high < _LARGEST else limits
        raise TraceError(f"{where} = {value!r}: expected {expected}.")
