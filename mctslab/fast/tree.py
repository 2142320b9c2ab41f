"""The tree of the compiled search, and its nodes in the form of the readable search's `Node`."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from itertools import pairwise
from operator import add
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import compilable
from mctslab.fast.nodes import (
    MAX_DEPTH,
    NO_NODE,
    NUM_BLOCKS,
    NUM_COUNTERS,
    NUM_REFUSED,
    NUM_UNUSED,
    PROVEN_DRAW,
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
from mctslab.search.node import Node
from mctslab.search.reuse import MOST_PLIES

FIRST_CAPACITY: Final = 1 << 14
MAX_NODES: Final = 10_000_000
"""The largest number of nodes of a tree: 480 MB, or 800 MB if they keep their positions."""

Numbers: TypeAlias = npt.NDArray[np.int64]
"""[nodes]: the numbers of records."""

_OF_A_PROCESS: Final = ("growth", "engine", "game", "lock", "_is_awaited")
"""Attributes of a tree that are not copied: the next search of the copy gives it an engine."""

_PAUSE: Final = 0.005
"""Seconds between two slices of a search in which another thread can read the tree."""


def plant(
    states: Sequence[State], games: Sequence[Compilable], capacity: int, record: np.dtype[Any]
) -> tuple[npt.NDArray[Any], ...]:
    """Trees of one node each: their records, counters, starts and words, a row for each tree."""
    nodes = np.empty((len(states), capacity), record)
    nodes[:, ROOT] = np.zeros((), record)
    roots = nodes[:, ROOT]
    roots["first_child"] = roots["next_sibling"] = NO_NODE
    is_guided = record is PUCT_NODE
    roots["num_untried"] = [UNKNOWN if is_guided else len(s.legal_actions()) for s in states]
    roots["mover"] = [state.current_player for state in states]
    counters = np.zeros((len(states), NUM_COUNTERS), np.int64)
    counters[:, USED], counters[:, UNUSED] = 1, NO_NODE
    starts = np.array([game.position for game in games], np.uint64)
    words = np.array([game.words for game in games], np.uint64)
    return nodes, counters, starts, words


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
        capacity = min(FIRST_CAPACITY, MAX_NODES)
        rows = (array[0] for array in plant([state], [game], capacity, record))
        self.nodes: Nodes
        self.counters: npt.NDArray[np.int64]
        self.nodes, self.counters, self.start, self.words = rows
        self.growth = threading.Lock()  # held by the search that is running
        self.lock = threading.Lock()  # held while the records are changed or read
        self._is_awaited = False

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
        visits = self.nodes["visit_count"]
        return sum(bool(visits[ply].any()) for ply in self.plies(ROOT)[1:])

    def plies(self, index: int, most: int = MAX_DEPTH) -> list[Numbers]:
        """The numbers of the node `index` and of those down to `most` plies below it, ply by ply.

        In each ply, siblings are next to each other, in the order of their parents.
        """
        plies = [np.array([index])]
        while len(plies) <= most and len(below := self.children_of(plies[-1])):
            plies.append(below)
        return plies

    def children_of(self, parents: Numbers) -> Numbers:
        """The numbers of the children of some nodes, those of each in the order of expansion."""
        number, child = self.nodes["num_children"][parents], self.nodes["first_child"][parents]
        end = np.cumsum(number)
        start = end - number
        children: Numbers = np.repeat(child - start, number) + np.arange(end[-1])
        is_list = (self.nodes["num_untried"][parents] != 0) & (number > 0)
        child, start, place = child[is_list], start[is_list], end[is_list] - 1
        while len(child):  # a list begins with the newest child
            children[place] = child
            goes_on = place > start
            child = self.nodes["next_sibling"][child[goes_on]]
            start, place = start[goes_on], place[goes_on] - 1
        return children

    @property
    def may_grow(self) -> bool:
        """Whether the array can become longer."""
        return len(self.nodes) < MAX_NODES

    @property
    def is_full(self) -> bool:
        """Whether a leaf was not expanded because there was no room."""
        return bool(self.counters[NUM_REFUSED])

    @property
    def is_proven(self) -> bool:
        """Whether a search that carries proofs up the tree has carried one to the root."""
        return bool(self.nodes[ROOT]["proven"] != UNPROVEN)

    def reserve(self, number: int) -> None:
        """Make room for `number` more records, at most for MAX_NODES in total."""
        wanted = self.num_used + number
        if wanted > len(self.nodes) and self.may_grow:
            capacity = min(max(wanted, 2 * len(self.nodes)), MAX_NODES)
            longer: Nodes = np.empty(capacity, dtype=self.nodes.dtype)
            with self.lock:
                longer[: self.num_used] = self.nodes[: self.num_used]
                self.nodes = longer

    def below(self, index: int, state: State, game: Compilable) -> "Tree":
        """A tree of its own from the node `index`, whose position is `state`, and everything
        below."""
        tree = Tree(state, game, self.engine, is_guided=self.is_guided)
        nodes = tree.nodes = self.nodes[np.concatenate(self.plies(index))]
        tree.counters[USED] = len(nodes)
        number = nodes["num_children"]
        first = 1 + np.cumsum(number) - number
        nodes["first_child"] = np.where(nodes["num_untried"] == 0, first, first + number - 1)
        nodes["first_child"][number == 0] = NO_NODE
        nodes["next_sibling"] = np.arange(len(nodes)) - 1
        nodes["next_sibling"][first[number > 0]] = NO_NODE
        # No move leads to a root: its statistics are those of its children, added in their order.
        root, children = nodes[ROOT], nodes[1 : 1 + number[ROOT]]
        root["visit_count"] = children["visit_count"].sum()
        root["total_value"] = reduce(add, children["total_value"].tolist(), 0.0)
        is_same_player = root["mover"] == state.current_player
        if not is_same_player and root["proven"] != UNPROVEN:
            root["proven"] = 2 * PROVEN_DRAW - root["proven"]
        if self.is_guided:  # the evaluator's own value of the position stays
            total = self.nodes[index]["total_value"]
            root["visit_count"] = self.nodes[index]["visit_count"]
            root["total_value"] = total if is_same_player else 0.0 - total
        root["mover"] = state.current_player
        return tree

    def priors_of(self, index: int, children: Numbers) -> list[float]:
        """The priors of a node's children; all the same if no evaluator gave any."""
        if self.is_guided:
            priors: list[float] = self.nodes["prior"][children].tolist()
            return priors
        num_moves = int(self.nodes[index]["num_children"]) + int(self.nodes[index]["num_untried"])
        return [1 / max(1, num_moves)] * len(children)

    def action_of(self, move: int) -> int:
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
        self.action = None if parent is None else tree.action_of(int(record["move"]))
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
                siblings = self.tree.children_of(np.array([self.parent.index]))
                pairs = zip(
                    siblings.tolist(), self.tree.nodes["move"][siblings].tolist(), strict=True
                )
                self._index = next(i for i, m in pairs if self.tree.action_of(m) == self.action)
            self._num_blocks = self.tree.counters[NUM_BLOCKS]
        return self._index

    @property
    def children(self) -> list[Node]:  # type: ignore[override]
        """In the order in which they were expanded, with their current numbers."""
        with self.tree.reading():
            numbers = self.tree.children_of(np.array([self.index]))
            priors = self.tree.priors_of(self.index, numbers)
            pairs = zip(numbers.tolist(), priors, strict=True)
            return [ArrayNode(self.tree, number, self, prior) for number, prior in pairs]

    @property
    def num_nodes(self) -> int:
        """The number of nodes from here down, this one included, without reading them."""
        with self.tree.reading():
            if self.index == ROOT:
                return self.tree.num_nodes
            return sum(map(len, self.tree.plies(self.index)))


def find(root: Node | None, state: State) -> int | None:
    """The number of the node of an earlier search with the position `state`.

    None if there is none, or if `root` is not from a compiled search. As in
    `mctslab.search.reuse.find_root`, it is searched for ply by ply, no deeper than MOST_PLIES, and
    a node counts only if the last action is the same, too.
    """
    if not isinstance(root, ArrayNode):
        return None
    tree = root.tree
    with tree.reading():
        if root.state == state:
            return root.index
        plies, lines = tree.plies(root.index, MOST_PLIES), [np.zeros((1, 0), np.int16)]
        for above, ply in pairwise(plies):
            moves = tree.nodes["move"][ply]
            number = tree.nodes["num_children"][above]
            lines.append(np.column_stack((np.repeat(lines[-1], number, axis=0), moves)))
            is_candidate = tree.nodes["visit_count"][ply] > 0
            if state.last_action is not None:
                unique = np.unique(moves).tolist()
                last = [move for move in unique if tree.action_of(move) == state.last_action]
                is_candidate &= np.isin(moves, last)
            for place in np.flatnonzero(is_candidate).tolist():
                line = map(tree.action_of, lines[-1][place].tolist())
                if reduce(lambda here, action: here.child(action), line, root.state) == state:
                    return int(ply[place])
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
    index = find(root, state)
    if index is None:
        return Tree(state, game, engine, is_guided=is_guided)
    assert isinstance(root, ArrayNode)
    # Its rules may have been redefined, for example in a notebook, and a copy has no engine.
    root.tree.engine = engine
    return root.tree if index == ROOT else root.tree.below(index, state, game)
