"""The trace: every event of a search, recorded so that it can be looked at one by one.

`mcts(..., trace=trace)` fills a trace. A search of your own can do the same, with one line after
each of the four phases:

    trace = Trace()
    trace.start(root)
    for _ in range(num_simulations):
        node = select(root, rule)
        trace.selected(node, rule.score)
        leaf = expand(node, rng)
        trace.expanded(leaf)
        moves, returns = rollout(leaf, rng)
        trace.simulated(returns, moves)
        backpropagate(leaf, returns)
        trace.backpropagated()

Every line records the tree as it is at that moment, mistakes of the search included. Nodes can be
of any class with the attributes `state`, `action`, `parent`, `children`, `visit_count` and
`total_value` of `Node`.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from mctslab.boards.board import Board, square_bits
from mctslab.games.state import GameNotOverError, State
from mctslab.search import trace_file
from mctslab.search.evaluators import Evaluator, RolloutEvaluator, RolloutPolicy
from mctslab.search.node import Node
from mctslab.search.phases import Phases
from mctslab.search.recorder import Recorder, ScoreFunction, game_of
from mctslab.search.result import SearchResult
from mctslab.search.selection import SelectionRule
from mctslab.search.trace_file import Simulation, TracedGame, TracedNode, TraceError


class Trace:
    """The events of a search, simulation by simulation; an interrupted simulation is left out."""

    def __init__(self) -> None:
        self.game: TracedGame | None = None
        self.nodes: list[TracedNode] = []
        """By number, in the order in which the search reached them; every parent before its
        children."""
        self.simulations: list[Simulation] = []
        self._recorder: Recorder | None = None

    # Recording

    def start(self, root: Node) -> None:
        """Begin at `root`; TraceError if something was recorded here before."""
        if self.nodes:
            raise TraceError(
                f"This trace already holds {len(self.simulations)} simulations: "
                "record into a fresh one, made with Trace()."
            )
        self.game = game_of(root.state)
        self._recorder = Recorder(root, self.nodes)

    def selected(self, node: Node, score: ScoreFunction | None = None) -> None:
        """Phase 1 is done: the walk from the root has ended at `node`.

        Args:
            node: Where it ended.
            score: Called with every node of the way and each of its children, for the numbers by
                which they were compared.

        Raises:
            TraceError: not now, not in this tree, or a score is not a number.
        """
        self._recording("selected").select(node, score)

    def expanded(self, leaf: Node) -> None:
        """Phase 2 is done: `leaf` was added under the selected node.

        Where the game is over at the selected node there is nothing to add, and `leaf` is that
        node. When several leaves were added after one walk, each is followed by its own phases 3
        and 4.

        Raises:
            TraceError: not now, or `leaf` is not a child of the selected node.
        """
        self._recording("expanded").expand(leaf)

    def simulated(self, returns: Sequence[float], *rollouts: Iterable[int]) -> None:
        """Phase 3 is done: the leaf is worth `returns`.

        Args:
            returns: Its value for player 0 and for player 1.
            rollouts: The moves of each game that was played from the leaf.

        Raises:
            TraceError: not now, not a pair of numbers in [-1, 1], or a move that is not legal.
        """
        self._recording("simulated").simulate(returns, [list(moves) for moves in rollouts])

    def backpropagated(self) -> None:
        """Phase 4 is done: the nodes from the leaf up to the root have their new statistics.

        Raises:
            TraceError: not now, or nothing has changed.
        """
        self.simulations.append(self._recording("backpropagated").backpropagate())

    def recorded(self, phases: Phases) -> Phases:
        """The same phases, each followed by its event in this trace."""

        def select(root: Node, rule: SelectionRule) -> Node:
            node = phases.select(root, rule)
            self.selected(node, rule.score)
            return node

        def simulate(
            leaf: Node, evaluator: Evaluator, rng: np.random.Generator
        ) -> tuple[float, float]:
            self.expanded(leaf)
            returns = phases.simulate(leaf, self.recording(evaluator), rng)
            self.simulated(returns)
            return returns

        def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
            phases.backpropagate(leaf, returns)
            self.backpropagated()

        return Phases(select, phases.expand, simulate, backpropagate)

    def recording(self, evaluator: Evaluator) -> Evaluator:
        """The same evaluator, whose rollouts are recorded here; `simulated` needs no moves then."""
        if self._recorder is not None and isinstance(evaluator, RolloutEvaluator):
            return replace(evaluator, policy=_RecordingPolicy(evaluator.policy, self._recorder))
        return evaluator

    def _recording(self, event: str) -> "Recorder":
        if self._recorder is None:
            raise TraceError(
                "This trace is complete: record into a fresh one, made with Trace()."
                if self.nodes
                else f"{event}() came before start(root), which sets the root of the tree."
            )
        self._recorder.check_turn(event)
        return self._recorder

    # Reading

    def first(self, num_simulations: int) -> "Trace":
        """The beginning of this trace, as a trace of its own."""
        beginning = Trace()
        beginning.game = self.game
        beginning.simulations = self.simulations[:num_simulations]
        reused = {
            (node.parent, node.action): number
            for number, node in enumerate(self.nodes)
            if node.first_visit_count
        }
        beginning.nodes = self.nodes[: _last_node(beginning.simulations, reused) + 1]
        return beginning

    def statistics(self, num_simulations: int | None = None) -> list[tuple[int, float]]:
        """N and W of each node after `num_simulations`; after all of them if None."""
        found = [(node.first_visit_count, node.first_total_value) for node in self.nodes]
        for simulation in self.simulations[:num_simulations]:
            updates = simulation.updates
            values = zip(updates.visit_count, updates.total_value, strict=True)
            for node, statistics in zip(updates.node, values, strict=True):
                found[node] = statistics
        return found

    def result(self) -> SearchResult:
        """The tree as the search left it, to be drawn or explored.

        Its positions can be looked at but not played on from; moves without a visit have no node,
        and what the search had proven is not part of a trace.

        Raises:
            TraceError: nothing was recorded.
        """
        if self.game is None:
            raise TraceError("There is no tree yet: this trace has not recorded anything.")
        grown: list[Node] = []
        for node, (visits, total) in zip(self.nodes, self.statistics(), strict=True):
            parent = None if node.parent is None else grown[node.parent]
            copy = Node(
                recorded_position(self.game, node),
                parent=parent,
                action=node.action,
                prior=node.prior,
            )
            copy.visit_count, copy.total_value = visits, total
            if parent is not None:
                parent.children.append(copy)
                if node.action in parent.untried_actions:
                    parent.untried_actions.remove(node.action)
            grown.append(copy)
        return SearchResult(grown[0], num_simulations=len(self.simulations), seconds=0.0)

    def __len__(self) -> int:
        return len(self.simulations)

    def __repr__(self) -> str:
        if self.game is None:
            return "<Trace: nothing recorded yet>"
        return (
            f"<Trace: {len(self.simulations)} simulations of {self.game.title}, "
            f"{len(self.nodes)} nodes>"
        )

    # Files

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the trace to the file `path` as JSON, and return it.

        Raises:
            TraceError: nothing was recorded.
            OSError: the file can't be written.
        """
        if self.game is None:
            raise TraceError("There is nothing to save: this trace has not recorded anything yet.")
        from mctslab import typed  # only here: loading it would delay the start of every search

        typed.write_whole(path, trace_file.dump(self.game, self.nodes, self.simulations))
        return Path(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Trace":
        """Read a trace from the file `path`; the game's own code is not needed.

        Raises:
            TraceError: the file is not a trace, or is damaged; the message says where.
            OSError: the file can't be read.
        """
        loaded = cls()
        loaded.game, loaded.nodes, loaded.simulations = trace_file.parse(
            Path(path).read_bytes(), name=str(path)
        )
        return loaded


@dataclass(frozen=True, slots=True)
class _RecordingPolicy:
    """Plays like `policy` and records each move."""

    policy: RolloutPolicy
    recorder: Recorder

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        action = self.policy(state, rng)
        self.recorder.note_move(state, action)
        return action


def _last_node(
    simulations: Sequence[Simulation], reused: Mapping[tuple[int | None, int | None], int]
) -> int:
    """The highest number of a node that `simulations` reached, or compared in an earlier tree."""
    last = 0
    for simulation in simulations:
        for step in simulation.selection or ():
            compared = (reused.get((step.node, action), 0) for action in step.actions)
            last = max(last, step.chosen, *compared)
        last = max(last, simulation.leaf, *simulation.updates.node)
    return last


def recorded_position(game: TracedGame, node: TracedNode) -> State:
    """The position of `node`, to be looked at but not played on from."""
    # The names of a game belong to its class.
    names = {"game": game.name, "title": game.title, "player_names": game.players}
    position: State = type("RecordedPosition", (_RecordedPosition,), names)(game, node)
    return position


class _RecordedPosition(State):
    __slots__ = ("_game", "_node")

    def __init__(self, game: TracedGame, node: TracedNode) -> None:
        self._game = game
        self._node = node

    @property
    def current_player(self) -> int:
        return self._node.player_to_move

    @property
    def num_actions(self) -> int:
        return len(self._game.moves)

    @property
    def last_action(self) -> int | None:
        return self._node.action

    def legal_actions(self) -> tuple[int, ...]:
        return square_bits(int(self._node.legal_actions, 16))

    def child(self, action: int) -> Self:
        raise TraceError(
            "This position was read from a trace, which does not contain the rules of "
            f"{self.title}: play on from a position of the game itself."
        )

    @property
    def is_terminal(self) -> bool:
        return self._node.returns is not None

    def returns(self) -> tuple[float, float]:
        if self._node.returns is None:
            raise GameNotOverError(self)
        return self._node.returns

    def action_to_string(self, action: int) -> str:
        return self._game.moves[action]

    def board(self) -> Board:
        return self._node.board(self._game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RecordedPosition) and self._seen() == other._seen()

    def __hash__(self) -> int:
        return hash(self._seen())

    def _seen(self) -> tuple[str, str, int]:
        return self.game, self._node.stones, self._node.player_to_move
