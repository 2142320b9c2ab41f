"""The part of a large tree that is shown while a reader unfolds and folds it node by node."""

from collections.abc import Sequence
from typing import TypeAlias

from mctslab.draw.pruning import MAX_DRAWN, Kept
from mctslab.draw.trees import most_visited_first, weight
from mctslab.search.node import Node

Path: TypeAlias = tuple[int, ...]
"""The actions that lead from the root to a node; () is the root."""


class Unfolding:
    """The unfolded nodes of the tree under `root`, and how many children each of them shows.

    Only what is unfolded is ever looked at, so the size of the tree does not matter.

    Attributes:
        kept: the nodes on show, each after its parent; the first is the root.
        paths: the paths to the nodes on show, in the same order.
        is_full: whether nodes were left out because no drawing has more than 300 nodes.
        min_visits: nodes with fewer visits are left out.
        top: how many children a node shows when it is unfolded.

    Args:
        root: Where the tree begins. It is unfolded from the start.
        top: How many children a node shows when it is unfolded, and how many "+12 more" adds.

    Raises:
        ValueError: `top` is below 1.
    """

    def __init__(self, root: Node, *, top: int = 5) -> None:
        if top < 1:
            raise ValueError(
                f"top={top!r} is too small: an unfolded node shows at least one child."
            )
        self._root: Node | None = root
        self.top = top
        self._num_shown: dict[Path, int] = {(): top}
        self.min_visits = 1
        self._draw()

    def begin_at(self, root: Node | None) -> None:
        """Show the same part of the tree under `root`; with None, no node is kept in memory."""
        self._root = root
        self._draw()

    # Changing it. A path that is not on show changes nothing.

    def toggle(self, path: Path) -> None:
        """Unfold the node at `path`, or fold it with everything below."""
        if path in self._num_shown:
            for inner in list(self._num_shown):
                if inner[: len(path)] == path:
                    del self._num_shown[inner]
        elif path in self.paths:
            self._num_shown[path] = self.top
        self._draw()

    def show_more(self, path: Path) -> None:
        """Let the unfolded node at `path` show some more of its children."""
        if path in self._num_shown:
            self._num_shown[path] += self.top
        self._draw()

    def fold_all(self) -> None:
        """Go back to the root and its children."""
        self._num_shown = {(): self.top}
        self._draw()

    def unfold_line(self, actions: Sequence[int]) -> None:
        """Unfold every node along a line of play; each shows its children on the way."""
        for length in range(len(actions) + 1):
            self._num_shown.setdefault(tuple(actions[:length]), self.top)
        self._draw()

    def leave_out_below(self, min_visits: int) -> None:
        """Leave out nodes with fewer visits than `min_visits`."""
        self.min_visits = max(int(min_visits), 0)
        self._draw()

    def _draw(self) -> None:
        self.kept: list[Kept[Node]] = []
        self.paths: list[Path] = []
        self.is_full = False
        if self._root is None:
            return
        self.kept.append(Kept(self._root, None, 0, self._children(self._root)))
        self.paths.append(())
        num_nodes = 1
        place = 0
        while place < len(self.kept):  # grows during the loop
            here, path = self.kept[place], self.paths[place]
            wanted = min(self._num_shown.get(path, 0), len(here.children))
            room = max(MAX_DRAWN - num_nodes - 1, 0)  # one for "+12 more"
            here.num_drawn = min(wanted, room)
            self.is_full |= here.num_drawn < wanted
            for child in here.children[: here.num_drawn]:
                assert child.action is not None
                self.kept.append(Kept(child, place, here.depth + 1, self._children(child)))
                self.paths.append((*path, child.action))
            num_nodes += here.num_drawn + here.needs_more_node
            place += 1

    def _children(self, node: Node) -> list[Node]:
        return [child for child in most_visited_first(node) if weight(child) >= self.min_visits]
