"""The trace: every event of a search, recorded so that it can be looked at one by one.

`mcts(..., trace=trace)` fills a trace: after each of the four phases, the trace records the tree as
it is at that moment. Phases written by a student may make mistakes; then the trace shows them, or
raises a `TraceError` if they cannot be shown.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mctslab.boards.board import winning_squares
from mctslab.games.state import IllegalActionError, State
from mctslab.search.evaluators import Evaluator, RolloutEvaluator, RolloutPolicy
from mctslab.search.node import Node
from mctslab.search.result import SearchResult

ScoreFunction = Callable[[Node, Node], Any]
"""Maps a node and one of its children to the child's score: one number, or several whose sum is the
score, such as a `SelectionScore`."""


class TraceError(ValueError):
    """A phase has done something that cannot be shown: the message says what, and where."""


# The data. Nodes are numbered in the order in which the search reached them; the root is 0.


class TracedNode(NamedTuple):
    """A node of the tree, with everything that stays the same while its statistics change."""

    parent: int | None
    action: int | None
    mover: int
    """The player whose return is counted here, as in `Node.mover`."""
    prior: float
    state: State
    first_visit_count: int
    """N when the trace first met the node; above 0 only in a tree from an earlier search."""
    first_total_value: float


class SelectionStep(NamedTuple):
    """One step down the tree: all the edges that were compared, and the child that was taken."""

    node: int
    chosen: int
    """The number of the child."""
    actions: tuple[int, ...]
    """The action of each edge."""
    terms: tuple[tuple[float, ...], ...]
    """The parts whose sum is the score of each edge: exploitation and exploration; one number if a
    rule does not name its parts; none if the score is not known."""


class TracedRollout(NamedTuple):
    """One game from the leaf, usually to its end."""

    plies: tuple[tuple[int, ...], ...]
    """For each move the player, the action, and for every square that changed
    `3 * square + content + 1`, where the content is EMPTY (-1) or the player."""
    returns: tuple[float, float] | None
    """Its result; None if it was stopped before the end."""
    winning_squares: tuple[int, ...]


class Updates(NamedTuple):
    """The new statistics of the nodes from the leaf up to the root."""

    node: tuple[int, ...]
    visit_count: tuple[int, ...]
    total_value: tuple[float, ...]


class Simulation(NamedTuple):
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


class Trace:
    """The events of a search, simulation by simulation; an interrupted simulation is left out."""

    def __init__(self) -> None:
        self.nodes: list[TracedNode] = []
        """By number, every parent before its children."""
        self.simulations: list[Simulation] = []
        self._live: list[Node] = []  # by number; this also prevents the ids from being used again
        self._numbers: dict[int, int] = {}  # by id(), because a student's nodes may not be hashable
        self._statistics: list[tuple[int, float]] = []
        self._num_nodes: list[int] = []  # at the start and after each simulation
        self._selection: tuple[SelectionStep, ...] | None = None
        self._is_new = False
        self._played: list[list[int]] = []  # by a recording policy, from the leaf
        self._rollouts: tuple[TracedRollout, ...] = ()
        self._returns = (0.0, 0.0)

    # Recording

    def start(self, root: Node) -> None:
        """Begin at `root`; TraceError if something was recorded here before."""
        if self.nodes:
            raise TraceError(
                f"This trace already holds {len(self.simulations)} simulations: "
                "record into a fresh one, made with Trace()."
            )
        self._stopped_at = self._leaf = root
        self._add(root)
        self._num_nodes.append(len(self.nodes))

    def selected(self, node: Node, score: ScoreFunction | None = None) -> None:
        """Phase 1 is done: the walk from the root has ended at `node`.

        Args:
            node: Where it ended.
            score: Called with every node of the way and each of its children, for the numbers by
                which they were compared.

        Raises:
            TraceError: the node is not in this tree, or a score is not a number.
        """
        way = _way_to(node)
        if way[0] is not self._live[0]:
            raise TraceError(
                "This node is in another tree: going up from it by `parent` does not lead to the "
                "root with which the trace began. Call start(root) on a fresh Trace() for each "
                "tree."
            )
        self._selection = tuple(self._step(parent, child, score) for parent, child in pairwise(way))
        self._stopped_at = node

    def expanded(self, leaf: Node) -> None:
        """Phase 2 is done: `leaf` was added under the selected node.

        Where the game is over at the selected node there is nothing to add, and `leaf` is that
        node. When several leaves were added after one walk, each is followed by its own phases 3
        and 4.

        Raises:
            TraceError: `leaf` is not a child of the selected node.
        """
        if leaf is not self._stopped_at and leaf.parent is not self._stopped_at:
            raise TraceError(
                "The leaf is not a child of the selected node: its parent must be the node at "
                f"which selection ended ({_move_name(self._stopped_at)}), but the leaf is "
                f"{_move_name(leaf)}."
            )
        self._is_new = id(leaf) not in self._numbers
        self._add(leaf)
        self._leaf = leaf
        self._played = []

    def simulated(self, returns: Sequence[float]) -> None:
        """Phase 3 is done: the leaf is worth `returns`.

        Args:
            returns: Its value for player 0 and for player 1.

        Raises:
            TraceError: not a pair of numbers in [-1, 1], or a move of a rollout is not legal.
        """
        pair = tuple(returns) if isinstance(returns, Iterable) else (returns,)
        if len(pair) != 2 or not all(_is_number(value) and -1 <= value <= 1 for value in pair):
            raise TraceError(
                f"The returns are {returns!r}: they must be two numbers in [-1, 1], the value of "
                "the leaf for player 0 and for player 1."
            )
        self._returns = float(pair[0]), float(pair[1])
        self._rollouts = tuple(_replay(self._leaf.state, moves) for moves in self._played)

    def backpropagated(self) -> None:
        """Phase 4 is done: the nodes from the leaf up to the root have their new statistics.

        Raises:
            TraceError: nothing has changed, or a statistic is not a number.
        """
        way = _way_to(self._leaf)[::-1]
        numbers = tuple(self._numbers[id(node)] for node in way)
        statistics = [_checked_statistics(node) for node in way]
        if statistics == [self._statistics[number] for number in numbers]:
            raise TraceError(
                "No number has changed between the leaf and the root: the result was not counted, "
                "or it is counted only after this call of backpropagated()."
            )
        for number, each in zip(numbers, statistics, strict=True):
            self._statistics[number] = each
        updates = Updates(numbers, *zip(*statistics, strict=True))
        self.simulations.append(
            Simulation(
                self._selection, numbers[0], self._is_new, self._rollouts, self._returns, updates
            )
        )
        self._num_nodes.append(len(self.nodes))
        self._selection = None  # one more leaf can follow after the same walk

    def recording(self, evaluator: Evaluator) -> Evaluator:
        """The same evaluator, whose rollouts are recorded here."""
        if isinstance(evaluator, RolloutEvaluator):
            return replace(evaluator, policy=_RecordingPolicy(evaluator.policy, self._note_move))
        return evaluator

    def _note_move(self, state: State, action: int) -> None:
        """A rollout policy has chosen `action`; a rollout begins at the leaf."""
        if state is self._leaf.state:
            self._played.append([])
        if self._played:
            self._played[-1].append(action)

    def _add(self, node: Node) -> int:
        """The number of `node`; it and its ancestors get one unless they have one."""
        unknown = [each for each in _way_to(node) if id(each) not in self._numbers]
        for new in unknown:
            parent = None if new.parent is None else self._numbers.get(id(new.parent))
            self._numbers[id(new)] = len(self._live)
            self._live.append(new)
            self.nodes.append(_traced(new, parent))
            self._statistics.append((int(new.visit_count), float(new.total_value)))
        return self._numbers[id(node)]

    def _step(self, node: Node, chosen: Node, score: ScoreFunction | None) -> SelectionStep:
        number = self._add(node)
        for child in node.children:
            if child.visit_count:
                self._add(child)  # part of an earlier tree, unless it is known
        return SelectionStep(
            number,
            self._add(chosen),
            tuple(int(child.action or 0) for child in node.children),
            tuple(() if score is None else _terms(score, node, child) for child in node.children),
        )

    # Reading

    def first(self, num_simulations: int) -> "Trace":
        """The beginning of this trace, as a trace of its own."""
        beginning = Trace()
        beginning.simulations = self.simulations[:num_simulations]
        beginning._num_nodes = self._num_nodes[: len(beginning.simulations) + 1]
        beginning.nodes = self.nodes[: max(beginning._num_nodes, default=0)]
        return beginning

    def statistics(self, num_simulations: int | None = None) -> list[tuple[int, float]]:
        """N and W of each node after `num_simulations`; after all of them if None."""
        found = [(node.first_visit_count, node.first_total_value) for node in self.nodes]
        for simulation in self.simulations[:num_simulations]:
            for node, visits, total in zip(*simulation.updates, strict=True):
                found[node] = visits, total
        return found

    def result(self) -> SearchResult:
        """The tree as the search left it, to be drawn or explored.

        Moves without a visit have no node, and what the search had proven is not part of a trace.

        Raises:
            TraceError: nothing was recorded.
        """
        if not self.nodes:
            raise TraceError("There is no tree yet: this trace has not recorded anything.")
        grown: list[Node] = []
        for node, (visits, total) in zip(self.nodes, self.statistics(), strict=True):
            parent = None if node.parent is None else grown[node.parent]
            copy = Node(node.state, parent=parent, action=node.action, prior=node.prior)
            copy.visit_count, copy.total_value = visits, total
            if parent is not None:
                parent.children.append(copy)
                parent.forget_untried_actions()
            grown.append(copy)
        return SearchResult(grown[0], num_simulations=len(self.simulations), seconds=0.0)

    def __len__(self) -> int:
        return len(self.simulations)

    def __repr__(self) -> str:
        if not self.nodes:
            return "<Trace: nothing recorded yet>"
        return (
            f"<Trace: {len(self.simulations)} simulations of {self.nodes[0].state.title}, "
            f"{len(self.nodes)} nodes>"
        )


@dataclass(frozen=True, slots=True)
class _RecordingPolicy:
    """Plays like `policy` and notes each move."""

    policy: RolloutPolicy
    note: Callable[[State, int], None]

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        action = self.policy(state, rng)
        self.note(state, action)
        return action


# What a student's own search has set


def _traced(node: Node, parent: int | None) -> TracedNode:
    prior = getattr(node, "prior", 1.0)
    if not _is_number(prior) or not 0 <= prior < math.inf:
        raise TraceError(f"prior of {_move_name(node)} is {prior!r}: it must be 0 or more.")
    above = node if node.parent is None else node.parent
    return TracedNode(
        parent,
        None if parent is None or node.action is None else int(node.action),
        above.state.current_player,
        float(prior),
        node.state,
        int(node.visit_count),
        float(node.total_value),
    )


def _way_to(node: Node) -> list[Node]:
    """The nodes from the top of the tree down to `node`."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    return way[::-1]


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


def _replay(state: State, moves: Iterable[int]) -> TracedRollout:
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
        pairs = enumerate(zip(before, after, strict=False))  # a board of text has no stones
        changes = [3 * square + new + 1 for square, (old, new) in pairs if old != new]
        plies.append((player, int(action), *changes))
        before = after
    returns = state.returns() if state.is_terminal else None
    return TracedRollout(tuple(plies), returns, winning_squares(state.board()))


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


# The document
