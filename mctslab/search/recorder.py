"""From a growing tree to the plain data of a trace: the work behind `Trace`'s five calls."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from mctslab.games.state import IllegalActionError, State
from mctslab.search.node import Node
from mctslab.search.trace_file import (
    SIGNS,
    BoardShape,
    SelectionStep,
    Simulation,
    TracedGame,
    TracedNode,
    TracedRollout,
    TraceError,
    Updates,
)

ScoreFunction = Callable[[Node, Node], Any]
"""Maps a node and one of its children to the child's score: one number, or several whose sum is the
score, such as a `SelectionScore`."""

_MAY_FOLLOW: Final[Mapping[str, tuple[str, ...]]] = {
    "start": ("selected",),
    "selected": ("expanded",),
    "expanded": ("simulated",),
    "simulated": ("backpropagated",),
    "backpropagated": ("selected", "expanded"),
}


class Recorder:
    """Turns a growing tree into the plain data of a trace."""

    def __init__(self, root: Node, nodes: list[TracedNode]) -> None:
        self._nodes = nodes
        self._numbers: dict[int, int] = {}  # by id(), because a student's nodes may not be hashable
        self._live: list[Node] = []  # by number; this also prevents the ids from being used again
        self._statistics: list[tuple[int, float]] = []
        self._last_event = "start"
        self._stopped_at = root
        self._selection: tuple[SelectionStep, ...] | None = None
        self._leaf = root
        self._is_new = False
        self._played: list[list[int]] = []  # by a recording policy, from the leaf
        self._rollouts: tuple[TracedRollout, ...] = ()
        self._returns = (0.0, 0.0)
        self._add(root)

    def check_turn(self, event: str) -> None:
        """Raise TraceError if `event` cannot come next."""
        due = _MAY_FOLLOW[self._last_event]
        if event not in due:
            raise TraceError(
                f"{event}() came after {self._last_event}(), but now is the time for "
                f"{'() or '.join(due)}(): a simulation goes selected, expanded, simulated, "
                "backpropagated. After a search that was stopped half-way, begin with a fresh "
                "Trace()."
            )

    # The four events

    def select(self, node: Node, score: ScoreFunction | None) -> None:
        """Record the path from the root to `node`, and the scores that were compared on it."""
        way = _way_to(node)
        if way[0] is not self._live[0]:
            raise TraceError(
                "This node is in another tree: going up from it by `parent` does not lead to the "
                "root with which the trace began. Call start(root) on a fresh Trace() for each "
                "tree."
            )
        self._selection = tuple(self._step(parent, child, score) for parent, child in pairwise(way))
        self._stopped_at = node
        self._last_event = "selected"

    def expand(self, leaf: Node) -> None:
        """Record the leaf from which the simulation starts."""
        if leaf is not self._stopped_at and leaf.parent is not self._stopped_at:
            raise TraceError(
                "The leaf is not a child of the selected node: its parent must be the node at "
                f"which selection ended ({_move_name(self._stopped_at)}), but the leaf is "
                f"{_move_name(leaf)}."
            )
        if self._last_event == "backpropagated":
            self._selection = None  # one more leaf after the same walk
        self._is_new = id(leaf) not in self._numbers
        self._add(leaf)
        self._leaf = leaf
        self._played = []
        self._last_event = "expanded"

    def simulate(self, returns: Sequence[float], rollouts: Sequence[Sequence[int]]) -> None:
        """Record the value of the leaf, and the games that were played from it."""
        self._returns = _checked_returns(returns)
        self._rollouts = tuple(
            _replay(self._leaf.state, moves) for moves in (*self._played, *rollouts)
        )
        self._last_event = "simulated"

    def backpropagate(self) -> Simulation:
        """Record the changes on the way back; the simulation is complete."""
        way = _way_to(self._leaf)[::-1]
        numbers = tuple(map(self._number, way))
        statistics = [_checked_statistics(node) for node in way]
        if statistics == [self._statistics[number] for number in numbers]:
            raise TraceError(
                "No number has changed between the leaf and the root: call backpropagated() after "
                "your own backpropagation, not before it."
            )
        for number, each in zip(numbers, statistics, strict=True):
            self._statistics[number] = each
        visits, totals = zip(*statistics, strict=True)
        self._last_event = "backpropagated"
        return Simulation(
            self._selection,
            self._number(self._leaf),
            self._is_new,
            self._rollouts,
            self._returns,
            Updates(numbers, visits, totals),
        )

    def note_move(self, state: State, action: int) -> None:
        """A rollout policy has chosen `action`; a rollout begins at the leaf."""
        if state is self._leaf.state:
            self._played.append([])
        if self._played:
            self._played[-1].append(action)

    # Nodes

    def _number(self, node: Node) -> int:
        return self._numbers[id(node)]

    def _add(self, node: Node) -> None:
        """Give `node` a number, and its ancestors before it, unless they have one."""
        unknown = []
        above: Node | None = node
        while above is not None and id(above) not in self._numbers:
            unknown.append(above)
            above = above.parent
        for new in reversed(unknown):
            parent = None if new.parent is None else self._numbers.get(id(new.parent))
            self._numbers[id(new)] = len(self._live)
            self._live.append(new)
            self._nodes.append(_traced(new, parent))
            self._statistics.append((int(new.visit_count), float(new.total_value)))

    def _step(self, node: Node, chosen: Node, score: ScoreFunction | None) -> SelectionStep:
        self._add(node)
        for child in node.children:
            if child.visit_count:
                self._add(child)  # part of an earlier tree, unless it is known
        self._add(chosen)
        return SelectionStep(
            self._number(node),
            self._number(chosen),
            tuple(_action(child) for child in node.children),
            tuple(() if score is None else _terms(score, node, child) for child in node.children),
        )


def game_of(state: State) -> TracedGame:
    """The facts about the game of `state` that a trace needs."""
    board = state.board()
    return TracedGame(
        state.game,
        state.title,
        state.player_names,
        tuple(state.action_to_string(action) for action in range(state.num_actions)),
        BoardShape(board.rows, board.cols, board.style, board.column_labels, board.row_labels),
    )


def _traced(node: Node, parent: int | None) -> TracedNode:
    state, board = node.state, node.state.board()
    return TracedNode(
        parent=parent,
        action=None if parent is None or node.action is None else int(node.action),
        mover=state.current_player if node.parent is None else node.parent.state.current_player,
        prior=_checked_prior(node),
        stones="".join(SIGNS[stone + 1] for stone in board.stones),
        last_square=board.last_square,
        winning_squares=board.winning_squares,
        player_to_move=state.current_player,
        legal_actions=f"{sum(1 << action for action in state.legal_actions()):x}",
        returns=state.returns() if state.is_terminal else None,
        first_visit_count=int(node.visit_count),
        first_total_value=float(node.total_value),
    )


def _checked_prior(node: Node) -> float:
    prior = getattr(node, "prior", 1.0)
    if not _is_number(prior) or not 0 <= prior < math.inf:
        raise TraceError(f"prior of {_move_name(node)} is {prior!r}: it must be 0 or more.")
    return float(prior)


def _way_to(node: Node) -> list[Node]:
    """The nodes from the top of the tree down to `node`."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    way.reverse()
    return way


def _action(child: Node) -> int:
    assert child.action is not None
    return int(child.action)


def _terms(score: ScoreFunction, node: Node, child: Node) -> tuple[float, ...]:
    """The parts of a score, whatever kind of number or sequence of numbers it is."""
    found = score(node, child)
    parts = tuple(found) if isinstance(found, Iterable) else (found,)
    if not (1 <= len(parts) <= 2 and all(map(_is_number, parts)) and _is_number(sum(parts))):
        raise TraceError(
            f"The score of {_move_name(child)} is {found!r}: it must be a number, or two numbers "
            "whose sum it is (exploitation, exploration), and none of them NaN."
        )
    return tuple(map(float, parts))


def _replay(state: State, moves: Sequence[int]) -> TracedRollout:
    """Play `moves` again from `state` to see what each of them does."""
    plies = []
    before = state.board().stones
    for number, action in enumerate(moves, start=1):
        player = state.current_player
        try:
            state = state.child(action)
        except IllegalActionError as error:
            raise TraceError(
                f"Move {number} of this rollout can't have been played from the leaf. {error}"
            ) from error
        after = state.board().stones
        pairs = enumerate(zip(before, after, strict=True))
        changes = [3 * square + new + 1 for square, (old, new) in pairs if old != new]
        plies.append((player, int(action), *changes))
        before = after
    returns = state.returns() if state.is_terminal else None
    return TracedRollout(tuple(plies), returns, state.board().winning_squares)


def _checked_returns(returns: Sequence[float]) -> tuple[float, float]:
    pair = tuple(returns) if isinstance(returns, Iterable) else (returns,)
    if len(pair) != 2 or not all(_is_number(value) and -1 <= value <= 1 for value in pair):
        raise TraceError(
            f"The returns are {returns!r}: they must be two numbers in [-1, 1], the value of the "
            "leaf for player 0 and for player 1."
        )
    return float(pair[0]), float(pair[1])


def _checked_statistics(node: Node) -> tuple[int, float]:
    """N and W of `node`, which a student's own backpropagation has set."""
    visits, total = node.visit_count, node.total_value
    if not _is_number(visits) or visits < 0 or visits % 1:
        raise TraceError(
            f"visit_count of {_move_name(node)} is {visits!r}: it must be an integer, 0 or more."
        )
    if not _is_number(total) or math.isinf(total):
        raise TraceError(
            f"total_value of {_move_name(node)} is {total!r}: it must be a finite number."
        )
    return int(visits), float(total)


def _is_number(value: object) -> bool:
    """Whether `value` is an ordinary number, including NumPy's, but not NaN."""
    if isinstance(value, bool | str | bytes):
        return False
    try:
        return not math.isnan(value)  # type: ignore[arg-type]  # anything may come here
    except (TypeError, ValueError):
        return False


def _move_name(node: Node) -> str:
    if node.parent is None or node.action is None:
        return "the root"
    return f"the node after {node.parent.state.action_to_string(node.action)}"
