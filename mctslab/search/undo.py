"""An interrupted simulation leaves no trace: what it has changed in the tree is taken back."""

from collections.abc import Iterable
from types import TracebackType

from mctslab.search.node import Node


class Undo:
    """A block that happens completely or not at all, wherever Ctrl-C or an error ends it.

        with Undo() as undo:
            undo.note(nodes)  # those that the block is going to change
            ...

    If the block ends with an exception, these nodes get back the visits, values, proofs and
    children that they had when they were noted. If it ends as usual, nothing is left to be done;
    so it does no harm if Ctrl-C comes at the very end.
    """

    __slots__ = ("_before",)

    def __init__(self) -> None:
        self._before: list[tuple[Node, int, float, float | None, list[Node]]] = []

    def note(self, nodes: Iterable[Node]) -> None:
        """Remember these nodes as they are now; of several times the first one counts."""
        for node in nodes:
            before = node.visit_count, node.total_value, node.proven, node.children
            self._before.append((node, *before))

    @classmethod
    def above(cls, node: Node | None) -> "Undo":
        """Note `node` and all nodes above it."""
        undo = cls()
        before = undo._before
        while node is not None:
            before.append((node, node.visit_count, node.total_value, node.proven, node.children))
            node = node.parent
        return undo

    def restore_statistics(self) -> None:
        """Give the nodes back their visits and values only."""
        for node, visit_count, total_value, *_ in reversed(self._before):
            node.visit_count, node.total_value = visit_count, total_value

    def __enter__(self) -> "Undo":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            return
        self.restore_statistics()
        for node, _, _, proven, children in reversed(self._before):
            node.proven, node.children = proven, children
            node.forget_untried_actions()
