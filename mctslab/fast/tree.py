"""The tree of the compiled search, and its nodes in the form of the readable search's `Node`."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import ModuleType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import compilable, subtree_module
from mctslab.fast.nodes import (
    MAX_DEPTH,
    NO_NODE,
    NUM_BLOCKS,
    NUM_COUNTERS,
    NUM_UNUSED,
    PROVEN_DRAW,
    PROVEN_WIN,
    PUCT_NODE,
    ROOT,
    UNKNOWN,
    UNPROVEN,
    UNUSED,
    USED,
    Nodes,
    node_record,
    num_kept_words,
)
from mctslab.games.rules import PASS, Compilable
from mctslab.games.state import State
from mctslab.search.most_visited import VisitedNode
from mctslab.search.node import Node
from mctslab.search.reuse import MOST_PLIES

FIRST_CAPACITY: Final = 1 << 14
_ALL_PLIES: Final = MAX_DEPTH
"""Deeper than any node."""

_OF_A_PROCESS: Final = ("growth", "engine", "game", "lock", "_is_awaited")
"""Attributes of a tree that are not copied: the next search of the copy gives it an engine."""

_PAUSE: Final = 0.005
"""Seconds between two slices of a search in which another thread can read the tree."""


class Tree:
    """The records of all nodes of a tree, and the game that their numbers refer to."""

    def __init__(
        self, state: State, game: Compilable, engine: ModuleType, *, is_guided: bool = False
    ) -> None:
        self.state = state
        self.game = game
        self.engine = engine
        self.is_guided = is_guided  # by priors: the records are PUCT_NODEs
        record = PUCT_NODE if is_guided else node_record(num_kept_words(game))
        self.nodes: Nodes = np.empty(FIRST_CAPACITY, dtype=record)
        self.counters: npt.NDArray[np.int64] = np.zeros(NUM_COUNTERS, dtype=np.int64)
        self.counters[USED], self.counters[UNUSED] = 1, NO_NODE
        self.growth = threading.Lock()  # held by the search that is running
        self.lock = threading.Lock()  # held while the records are changed or read
        self._is_awaited = False
        self.start: npt.NDArray[np.uint64] = np.array(game.position, dtype=np.uint64)
        self.words: npt.NDArray[np.uint64] = np.array(game.words, dtype=np.uint64)
        self.nodes[ROOT] = np.zeros((), dtype=record)
        root = self.nodes[ROOT]
        root["first_child"] = root["next_sibling"] = NO_NODE
        root["num_untried"] = UNKNOWN if is_guided else len(state.legal_actions())
        root["mover"] = state.current_player

    def __getstate__(self) -> dict[str, Any]:
        """The tree without what belongs to this process: the compiled code, the lock, a search."""
        kept = {name: value for name, value in vars(self).items() if name not in _OF_A_PROCESS}
        with self.reading():
            nodes, counters = self.nodes[: self.num_used].copy(), self.counters.copy()
        return kept | {"nodes": nodes, "counters": counters}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.game = compilable(self.state)
        self.growth, self.lock, self._is_awaited = threading.Lock(), threading.Lock(), False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold the lock in order to read; a search that runs lets the reader in."""
        self._is_awaited = True
        with self.lock:
            self._is_awaited = False
            yield

    def let_readers_in(self) -> None:
        """Pause if another thread waits for the lock, which the search takes again at once."""
        if self._is_awaited:
            time.sleep(_PAUSE)

    @property
    def num_used(self) -> int:
        """The number of records in use or left behind."""
        return int(self.counters[USED])

    @property
    def num_nodes(self) -> int:
        """The number of nodes of the tree."""
        return self.num_used - int(self.counters[NUM_UNUSED])

    def depth(self) -> int:
        """The depth of the deepest node with a visit, in plies below the root."""
        order, parents = self.breadth_first(ROOT)
        is_visited = self.nodes["visit_count"][order] > 0
        depth, first, after = 0, 1, int(np.searchsorted(parents, 1))  # the places of one ply
        while is_visited[first:after].any():
            depth, first, after = depth + 1, after, int(np.searchsorted(parents, after))
        return depth

    def breadth_first(
        self, index: int, most_plies: int = _ALL_PLIES
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The numbers of the node `index` and of the nodes down to `most_plies` below it, ply by
        ply.

        The second array, as long as the first, has the place in it of each one's parent.
        """
        order, parents = np.empty((2, self.num_nodes), dtype=np.int32)
        number = subtree_module().breadth_first(self.nodes, index, most_plies, order, parents)
        return order[:number], parents[:number]

    def reserve(self, capacity: int) -> None:
        """Make room for `capacity` records in total."""
        if capacity > len(self.nodes):
            longer: Nodes = np.empty(capacity, dtype=self.nodes.dtype)
            with self.lock:
                longer[: self.num_used] = self.nodes[: self.num_used]
                self.nodes = longer

    def below(self, index: int, state: State, game: Compilable) -> "Tree":
        """A tree of its own from the node `index`, whose position is `state`, and everything
        below."""
        tree = Tree(state, game, self.engine, is_guided=self.is_guided)
        tree.nodes = np.empty(self.num_nodes, dtype=self.nodes.dtype)
        tree.counters[USED] = subtree_module().copy_subtree(self.nodes, index, tree.nodes)
        tree.nodes = tree.nodes[: tree.num_used].copy()
        root = tree.nodes[ROOT]
        is_same_player = root["mover"] == state.current_player
        if not is_same_player and root["proven"] != UNPROVEN:
            root["proven"] = 2 * PROVEN_DRAW - root["proven"]
        if self.is_guided:  # the evaluator's own value of the position stays
            total = self.nodes[index]["total_value"]
            root["visit_count"] = self.nodes[index]["visit_count"]
            root["total_value"] = total if is_same_player else 0.0 - total
        root["mover"] = state.current_player
        return tree

    def children_of(self, index: int) -> list[int]:
        """The numbers of a node's children, in the order in which they were added."""
        record = self.nodes[index]
        child, number = int(record["first_child"]), int(record["num_children"])
        if record["num_untried"] == 0:
            return list(range(child, child + number))
        children = []
        for _ in range(number):
            children.append(child)
            child = int(self.nodes[child]["next_sibling"])
        return children[::-1]

    def priors_of(self, index: int, children: list[int]) -> list[float]:
        """The priors of some of a node's children; all the same if no evaluator gave any."""
        if self.is_guided:
            return [float(self.nodes[child]["prior"]) for child in children]
        num_moves = int(self.nodes[index]["num_children"]) + int(self.nodes[index]["num_untried"])
        return [1 / max(1, num_moves)] * len(children)

    def action_of(self, index: int) -> int:
        """The action that led to a node."""
        return self._action(int(self.nodes[index]["move"]))

    def actions_of(self, order: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """The actions that led to the nodes `order`."""
        moves = self.nodes["move"][order]
        table = np.zeros(PASS + 1, dtype=np.int64)
        for move in np.flatnonzero(np.bincount(moves)):
            table[move] = self._action(int(move))
        actions: npt.NDArray[np.int64] = table[moves]
        return actions

    def _action(self, move: int) -> int:
        """The action that a record contains as `move`."""
        if move == PASS:
            return self.game.pass_action
        convert = self.game.rules.action_of
        return move if convert is None else convert(move, self.game.geometry)


class ArrayNode(Node):
    """A node of the compiled search's tree, with the numbers that its record had when it was read.

    A running search does not change them. The children are read whenever they are needed, so they
    are other objects each time.
    """

    __slots__ = ("_index", "_num_blocks", "tree")

    tree: Tree

    def __init__(
        self, tree: Tree, index: int = ROOT, parent: Node | None = None, prior: float = 1.0
    ) -> None:
        record = tree.nodes[index]
        self.tree = tree
        self._index = index
        self._num_blocks = tree.counters[NUM_BLOCKS]
        self.parent = parent
        self.action = None if parent is None else tree.action_of(index)
        self.mover = int(record["mover"])
        self.visit_count = int(record["visit_count"])
        self.total_value = float(record["total_value"])
        self.prior = prior
        proven = int(record["proven"])
        self.proven = None if proven == UNPROVEN else float(proven - PROVEN_DRAW)
        self._state = tree.state if parent is None else None
        self._untried_actions = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is a node of a copy of the tree, with the numbers that were read here."""
        with self.tree.reading():
            index = self.index
        numbers = {name: getattr(self, name) for name in ("visit_count", "total_value", "proven")}
        return ArrayNode, (self.tree, index, self.parent, self.prior), (None, numbers)

    @property
    def index(self) -> int:
        """The number of its record, which can have moved since it was read; under the lock."""
        if self._num_blocks != self.tree.counters[NUM_BLOCKS]:
            if isinstance(self.parent, ArrayNode):
                siblings = self.tree.children_of(self.parent.index)
                self._index = next(i for i in siblings if self.tree.action_of(i) == self.action)
            self._num_blocks = self.tree.counters[NUM_BLOCKS]
        return self._index

    @property
    def children(self) -> list[Node]:  # type: ignore[override]
        """In the order in which they were expanded, with their current numbers."""
        with self.tree.reading():
            numbers = self.tree.children_of(self.index)
            priors = self.tree.priors_of(self.index, numbers)
            return [
                ArrayNode(self.tree, number, self, prior)
                for number, prior in zip(numbers, priors, strict=True)
            ]

    @property
    def num_nodes(self) -> int:
        """The number of nodes from here down, this one included, without reading them."""
        with self.tree.reading():
            if self.index == ROOT:
                return self.tree.num_nodes
            order, _ = self.tree.breadth_first(self.index)
            return len(order)

    def most_visited(self, most: int) -> list[VisitedNode]:
        """The nodes with the most visits from here down; see `mctslab.search.most_visited`."""
        tree = self.tree
        with tree.reading():
            order, parents = tree.breadth_first(self.index)
            visits = tree.nodes["visit_count"][order]
            is_won = tree.nodes["proven"][order] == PROVEN_WIN
            is_won[ROOT] = False
            of_children = [
                np.bincount(parents[1:], weights, len(order))
                for weights in (None, visits[1:] > 0, visits[1:])
            ]
            found: list[VisitedNode] = []
            places: dict[int, int] = {}
            for at in _heaviest(np.where(is_won, visits[parents], visits), most).tolist():
                index, parent = int(order[at]), int(parents[at])
                node = self
                if at != ROOT:
                    (prior,) = tree.priors_of(int(order[parent]), [index])
                    node = ArrayNode(tree, index, found[places[parent]].node, prior)
                places[at] = len(found)
                numbers = (int(each[at]) for each in of_children)
                found.append(VisitedNode(node, None if at == ROOT else places[parent], *numbers))
            return found


def _heaviest(weights: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.int64]:
    """The places of the largest numbers, in their order; of equal ones the first."""
    if len(weights) <= most:
        return np.arange(len(weights))
    least = np.partition(weights, -most)[-most]
    above, equal = np.flatnonzero(weights > least), np.flatnonzero(weights == least)
    return np.sort(np.concatenate((above, equal[: most - len(above)])))


def find(root: Node | None, state: State) -> ArrayNode | None:
    """The node of an earlier search with the position `state`, searched for ply by ply.

    None if there is none, or if `root` is not from a compiled search. As in
    `mctslab.search.reuse.find_root`, only MOST_PLIES are searched, and a node counts only if the
    last action is the same, too.
    """
    if not isinstance(root, ArrayNode):
        return None
    with root.tree.reading():
        if root.state == state:
            return ArrayNode(root.tree, root.index, root.parent, root.prior)
        order, parents = root.tree.breadth_first(root.index, MOST_PLIES)
        actions = root.tree.actions_of(order)
        # Below a node without a visit there is nothing to find.
        is_candidate = root.tree.nodes["visit_count"][order] > 0
    if state.last_action is not None:
        is_candidate &= actions == state.last_action
    states = {ROOT: root.state}  # by place; of the nodes above candidates, too
    for candidate in np.flatnonzero(is_candidate[1:]) + 1:
        line = [int(candidate)]
        while line[-1] != ROOT:
            line.append(int(parents[line[-1]]))
        line.reverse()
        for above, place in pairwise(line):
            if place not in states:
                states[place] = states[above].child(int(actions[place]))
        if states[place] == state:
            node: Node = root
            for action in actions[line[1:]]:
                (node,) = (child for child in node.children if child.action == action)
            assert isinstance(node, ArrayNode)
            return node
    return None


@contextmanager
def growing(root: Node | None) -> Iterator[None]:
    """While the block runs, no other search can grow the tree of `root`.

    Raises:
        RuntimeError: another search is growing it.
    """
    growth = root.tree.growth if isinstance(root, ArrayNode) else threading.Lock()
    if not growth.acquire(blocking=False):
        raise RuntimeError(
            "Another search is using this tree: stop it first, or start without root=."
        )
    try:
        yield
    finally:
        growth.release()


def tree_for(
    state: State,
    root: Node | None,
    game: Compilable,
    engine: ModuleType,
    *,
    is_guided: bool = False,
) -> Tree:
    """The tree to grow: an earlier one, a part of one, or a new one."""
    node = find(root, state)
    if node is None:
        return Tree(state, game, engine, is_guided=is_guided)
    # Its rules may have been redefined, for example in a notebook, and a copy has no engine.
    node.tree.engine = engine
    return node.tree if node.parent is None else node.tree.below(node.index, state, game)
