"""The trace: every event of a search, recorded so that it can be looked at one by one.

`mcts(..., trace=trace)` fills a trace: after each walk down, each new leaf and each
backpropagation, it records what has changed in the tree.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mctslab.boards.board import winning_squares
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluator, RolloutEvaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult

ScoreFunction = Callable[[Node, Node], Any]
"""Maps a node and one of its children to the child's score: one number, or several whose sum is the
score, such as a `SelectionScore`."""


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
    rule does not name its parts."""


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
        self._numbers: dict[Node, int] = {}
        self._num_nodes: list[int] = []  # at the start and after each simulation
        self._selection: tuple[SelectionStep, ...] | None = None
        self._is_new = False
        self._leaf: State | None = None
        self._played: list[list[int]] = []  # the moves of each rollout from the leaf

    # Recording

    def start(self, root: Node) -> None:
        """Begin at `root`; ValueError if something was recorded here before."""
        if self.nodes:
            raise ValueError(
                f"This trace already holds {len(self.simulations)} simulations: "
                "record into a fresh one, made with Trace()."
            )
        self._number_of(root)
        self._num_nodes.append(len(self.nodes))

    def selected(self, node: Node, score: ScoreFunction) -> None:
        """Phase 1 is done: the walk from the root has ended at `node`.

        Args:
            node: where it ended.
            score: called with every node of the way and each of its children, for the numbers by
                which they were compared.
        """
        steps = pairwise(node.path)
        self._selection = tuple(self._step(parent, child, score) for parent, child in steps)

    def expanded(self, leaf: Node) -> None:
        """Phase 2 is done: `leaf` is evaluated next.

        When several leaves were added after one walk, each is followed by its own phases 3 and 4.
        """
        self._is_new = leaf not in self._numbers
        self._number_of(leaf)
        self._leaf, self._played = leaf.state, []

    def recording(self, evaluator: Evaluator) -> Evaluator:
        """For phase 3: the same evaluator, whose rollouts are recorded here."""
        if not isinstance(evaluator, RolloutEvaluator):
            return evaluator
        policy = evaluator.policy

        def noted(state: State, rng: np.random.Generator) -> int:
            action = policy(state, rng)
            if state is self._leaf:  # where each rollout begins
                self._played.append([])
            if self._played:
                self._played[-1].append(action)
            return action

        return replace(evaluator, policy=noted)

    def backpropagated(self, leaf: Node, returns: tuple[float, float]) -> None:
        """Phase 4 is done: the nodes from `leaf` up to the root have counted `returns`."""
        way = leaf.path[::-1]
        updates = Updates(
            tuple(self._numbers[node] for node in way),
            tuple(int(node.visit_count) for node in way),
            tuple(float(node.total_value) for node in way),
        )
        first, second = map(float, returns)
        rollouts = tuple(_replay(leaf.state, moves) for moves in self._played)
        self.simulations.append(
            Simulation(
                self._selection, updates.node[0], self._is_new, rollouts, (first, second), updates
            )
        )
        self._num_nodes.append(len(self.nodes))
        self._selection = None  # one more leaf can follow after the same walk

    def _number_of(self, node: Node) -> int:
        """The number of `node`, which it gets now unless it has one."""
        if node not in self._numbers:
            parent = None if node.parent is None else self._numbers[node.parent]
            statistics = int(node.visit_count), float(node.total_value)
            self.nodes.append(
                TracedNode(parent, node.action, node.mover, node.prior, node.state, *statistics)
            )
            self._numbers[node] = len(self._numbers)
        return self._numbers[node]

    def _step(self, node: Node, chosen: Node, score: ScoreFunction) -> SelectionStep:
        for child in node.children:
            if child.visit_count:
                self._number_of(child)  # part of an earlier tree, unless it is known
        terms = (np.atleast_1d(score(node, child)).tolist() for child in node.children)
        return SelectionStep(
            self._number_of(node),
            self._number_of(chosen),
            tuple(int(child.action or 0) for child in node.children),
            tuple(map(tuple, terms)),
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
            ValueError: nothing was recorded.
        """
        if not self.nodes:
            raise ValueError("There is no tree yet: this trace has not recorded anything.")
        grown: list[Node] = []
        for node, (visits, total) in zip(self.nodes, self.statistics(), strict=True):
            parent = None if node.parent is None else grown[node.parent]
            copy = Node(node.state, parent=parent, action=node.action, prior=node.prior)
            copy.visit_count, copy.total_value = visits, total
            if parent is not None:
                parent.children.append(copy)
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


def _replay(state: State, moves: Iterable[int]) -> TracedRollout:
    """Play `moves` again from `state` to see what each of them does."""
    plies = []
    before = state.board().stones
    for action in moves:
        player = state.current_player
        state = state.child(action)
        after = state.board().stones
        pairs = enumerate(zip(before, after, strict=False))  # a board of text has no stones
        changes = [3 * square + new + 1 for square, (old, new) in pairs if old != new]
        plies.append((player, int(action), *changes))
        before = after
    returns = state.returns() if state.is_terminal else None
    return TracedRollout(tuple(plies), returns, winning_squares(state.board()))
