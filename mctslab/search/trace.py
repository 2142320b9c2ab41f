"""The events of a search, recorded so that they can be looked at one by one."""

from dataclasses import dataclass, field, replace

import numpy as np

from mctslab.games.state import State
from mctslab.search.evaluators import Evaluator, RolloutEvaluator
from mctslab.search.node import Node
from mctslab.search.rollouts import RolloutPolicy
from mctslab.search.selection import Score, SelectionRule


@dataclass(frozen=True, slots=True)
class Considered:
    """One edge that selection looked at."""

    child: Node
    score: Score


@dataclass(frozen=True, slots=True)
class SelectionStep:
    """One step down the tree: all the edges that were compared, and the child that won."""

    node: Node
    considered: tuple[Considered, ...]
    chosen: Node


@dataclass(frozen=True, slots=True)
class Update:
    """How the statistics of one node changed on the way back."""

    node: Node
    old_visit_count: int
    old_total_value: float
    new_visit_count: int
    new_total_value: float


@dataclass(slots=True)
class SimulationRecord:
    """The four phases of one simulation."""

    selection: tuple[SelectionStep, ...]
    leaf: Node
    is_new: bool
    """Whether the leaf was added by this simulation; false for a finished game met again."""
    rollouts: list[list[int]] = field(default_factory=list)
    """The actions of each rollout from the leaf; empty for other evaluators."""
    returns: tuple[float, float] = (0.0, 0.0)
    updates: tuple[Update, ...] = ()
    """From the leaf up to the root."""


@dataclass(slots=True)
class Trace:
    """Records a search: pass a fresh one as `mcts(..., trace=trace)` and read it afterwards."""

    root: Node | None = None
    simulations: list[SimulationRecord] = field(default_factory=list)
    _selection_rule: SelectionRule | None = None
    _steps: tuple[SelectionStep, ...] = ()

    def start(self, root: Node, rule: SelectionRule, evaluator: Evaluator) -> Evaluator:
        """Begin to record; returns the evaluator to use, which notes down its rollouts."""
        self.root = root
        self._selection_rule = rule
        if isinstance(evaluator, RolloutEvaluator):
            return replace(evaluator, policy=_RecordingPolicy(evaluator.policy, self))
        return evaluator

    def record_selection(self, node: Node) -> None:
        """Note the way from the root down to `node`, before any statistics change."""
        steps = []
        while node.parent is not None:
            steps.append(self._step(node.parent, node))
            node = node.parent
        self._steps = tuple(reversed(steps))

    def record_expansion(self, leaf: Node) -> None:
        """Note the leaf from which the simulation starts."""
        self.simulations.append(SimulationRecord(self._steps, leaf, is_new=leaf.visit_count == 0))

    def record_move(self, state: State, action: int) -> None:
        """Note one move of a rollout."""
        current = self.simulations[-1]
        if state is current.leaf.state:
            current.rollouts.append([])
        current.rollouts[-1].append(action)

    def record_backpropagation(self, leaf: Node, returns: tuple[float, float]) -> None:
        """Note what is about to change at every node from `leaf` up to the root."""
        updates = []
        node: Node | None = leaf
        while node is not None:
            n, w = node.visit_count, node.total_value
            updates.append(Update(node, n, w, n + 1, w + returns[node.mover]))
            node = node.parent
        self.simulations[-1].returns = returns
        self.simulations[-1].updates = tuple(updates)

    def _step(self, node: Node, chosen: Node) -> SelectionStep:
        assert self._selection_rule is not None
        considered = tuple(
            Considered(child, self._selection_rule.score(node, child)) for child in node.children
        )
        return SelectionStep(node, considered, chosen)


@dataclass(frozen=True, slots=True)
class _RecordingPolicy:
    """Plays as `policy` does and notes each move in `trace`."""

    policy: RolloutPolicy
    trace: Trace

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        action = self.policy(state, rng)
        self.trace.record_move(state, action)
        return action
