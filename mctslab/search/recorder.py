"""From a tree that grows to the plain data of a trace: what happens behind `Trace`'s five calls."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from mctslab.games.state import IllegalActionError, State
from mctslab.search.node import Node
from mctslab.search.trace_data import (
    Considered,
    Ply,
    SelectionStep,
    Simulation,
    TracedGame,
    TracedNode,
    TracedRollout,
    TraceError,
    Update,
)

ScoreFunction = Callable[[Node, Node], Any]
"""From a node and one of its children to the child's score: one number, or several whose sum it
is, such as a `SelectionScore`."""

_MAY_FOLLOW: Final[Mapping[str, tuple[str, ...]]] = {
    "start": ("selected",),
    "selected": ("expanded",),
    "expanded": ("simulated",),
    "simulated": ("backpropagated",),
    "backpropagated": ("selected", "expanded"),
}


class Recorder:
    """Turns what it sees of a growing tree into the plain data of a trace."""

    def __init__(self, root: Node, nodes: list[TracedNode]) -> None:
        self._nodes = nodes
        self._numbers: dict[int, int] = {}  # by id(): a node of the student's may not be hashable
        self._live: list[Node] = []  # by number; also keeps the ids from being used again
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
        """Raise TraceError if `event` can't be what happened next."""
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
        """Note the way from the root down to `node`, and what was compared on it."""
        way = _way_to(node)
        self._check_root(way[0])
        self._selection = tuple(self._step(parent, child, score) for parent, child in pairwise(way))
        self._stopped_at = node
        self._last_event = "selected"

    def expand(self, leaf: Node) -> None:
        """Note the leaf from which the simulation starts."""
        if leaf is not self._stopped_at and leaf.parent is not self._stopped_at:
            raise TraceError(
                "The leaf does not hang on the selected node: its parent has to be the node at "
                f"which selection ended ({self._describe(self._stopped_at)}), but the leaf is "
                f"{self._describe(leaf)}."
            )
        if self._last_event == "backpropagated":
            self._selection = None  # one more leaf after the same walk
        self._is_new = id(leaf) not in self._numbers
        self._add(leaf)
        self._leaf = leaf
        self._played = []
        self._last_event = "expanded"

    def simulate(self, returns: Sequence[float], rollouts: Sequence[Sequence[int]]) -> None:
        """Note what the leaf is worth, and the games that were played from it."""
        self._returns = _checked_returns(returns)
        self._rollouts = tuple(
            _replay(self._leaf.state, moves) for moves in (*self._played, *rollouts)
        )
        self._last_event = "simulated"

    def backpropagate(self) -> Simulation:
        """Note what has changed on the way back; the simulation is complete."""
        updates = tuple(self._update(node) for node in reversed(_way_to(self._leaf)))
        if all(
            update.old_visit_count == update.new_visit_count
            and update.old_total_value == update.new_total_value
            for update in updates
        ):
            raise TraceError(
                "No number has changed between the leaf and the root: call backpropagated() after "
                "your own backpropagation, not before it."
            )
        for update in updates:
            self._statistics[update.node] = (update.new_visit_count, update.new_total_value)
        self._last_event = "backpropagated"
        return Simulation(
            self._selection,
            self._number(self._leaf),
            self._is_new,
            self._rollouts,
            self._returns,
            updates,
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
            tuple(_considered(node, child, score) for child in node.children),
            self._number(chosen),
        )

    def _update(self, node: Node) -> Update:
        number = self._number(node)
        old_visit_count, old_total_value = self._statistics[number]
        return Update(
            number,
            old_visit_count,
            old_total_value,
            _checked_count(node.visit_count, self._describe(node)),
            _checked_value(node.total_value, self._describe(node)),
        )

    def _check_root(self, top: Node) -> None:
        if top is not self._live[0]:
            raise TraceError(
                "This node is in another tree: going up from it by `parent` does not lead to the "
                "root with which the trace began. Call start(root) on a fresh Trace() for each "
                "tree."
            )

    def _describe(self, node: Node) -> str:
        if node.parent is None:
            return "the root"
        return f"the node after {_move_name(node)}"


def game_of(state: State) -> TracedGame:
    """What a trace has to know of the game that `state` is a position of."""
    return TracedGame(
        name=state.game,
        title=state.title,
        player_names=state.player_names,
        move_names=tuple(state.action_to_string(action) for action in range(state.num_actions)),
    )


def _traced(node: Node, parent: int | None) -> TracedNode:
    state = node.state
    return TracedNode(
        parent=parent,
        action=None if parent is None or node.action is None else int(node.action),
        mover=state.current_player if node.parent is None else node.parent.state.current_player,
        prior=float(getattr(node, "prior", 1.0)),
        board=state.board(),
        player_to_move=state.current_player,
        legal_actions=tuple(state.legal_actions()),
        returns=state.returns() if state.is_terminal else None,
        first_visit_count=int(node.visit_count),
        first_total_value=float(node.total_value),
    )


def _way_to(node: Node) -> list[Node]:
    """The nodes from the top of the tree down to `node`."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    way.reverse()
    return way


def _considered(node: Node, child: Node, score: ScoreFunction | None) -> Considered:
    assert child.action is not None
    terms = () if score is None else _terms(score(node, child), child)
    return Considered(int(child.action), terms)


def _terms(score: Any, child: Node) -> tuple[float, ...]:
    """The parts of a score, whatever kind of number or sequence of numbers it is."""
    parts = tuple(score) if isinstance(score, Iterable) else (score,)
    if not (1 <= len(parts) <= 2 and all(map(_is_number, parts)) and _is_number(sum(parts))):
        raise TraceError(
            f"The score of {_move_name(child)} is {score!r}: it has to be a number, or two numbers "
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
        plies.append(Ply(player, int(action), tuple(_changes(before, after))))
        before = after
    return TracedRollout(
        tuple(plies),
        state.returns() if state.is_terminal else None,
        state.board().winning_squares,
    )


def _changes(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[int, int]]:
    for square, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            yield square, new


def _checked_returns(returns: Sequence[float]) -> tuple[float, float]:
    pair = tuple(returns) if isinstance(returns, Iterable) else (returns,)
    if len(pair) != 2 or not all(_is_number(value) and -1 <= value <= 1 for value in pair):
        raise TraceError(
            f"The returns are {returns!r}: they have to be two numbers in [-1, 1], what the leaf "
            "is worth to player 0 and to player 1."
        )
    return float(pair[0]), float(pair[1])


def _checked_count(count: Any, where: str) -> int:
    if not _is_number(count) or count < 0 or count % 1:
        raise TraceError(f"visit_count of {where} is {count!r}: it has to be a whole number.")
    return int(count)


def _checked_value(value: Any, where: str) -> float:
    if not _is_number(value) or math.isinf(value):
        raise TraceError(f"total_value of {where} is {value!r}: it has to be a finite number.")
    return float(value)


def _is_number(value: object) -> bool:
    """Whether `value` is an ordinary number, NumPy's included; NaN is none."""
    if isinstance(value, bool | str | bytes):
        return False
    try:
        return not math.isnan(value)  # type: ignore[arg-type]  # anything may come here
    except (TypeError, ValueError):
        return False


def _move_name(node: Node) -> str:
    if node.parent is None or node.action is None:
        return "the root"
    return node.parent.state.action_to_string(node.action)
