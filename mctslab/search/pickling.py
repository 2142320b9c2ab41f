"""How a tree is copied and pickled: as a list of its nodes, so that it can be of any depth."""

import copyreg
from collections.abc import Sequence
from typing import Any, TypeAlias

Record: TypeAlias = tuple[type[Any], int | None, dict[str, Any]]
"""A node's class, the place of its parent in the list, and its other attributes."""


def reduced(node: Any) -> tuple[Any, ...]:
    """What `__reduce__` of a node returns: the whole tree, and the way to `node` in it."""
    top, places = node, []
    while top.parent is not None and top in top.parent.children:
        places.append(top.parent.children.index(top))
        top = top.parent
    if places:
        return _descendant, (top, places[::-1])
    return copyreg.__newobj__, (type(node),), _records(node)  # type: ignore[attr-defined]


def restore(top: Any, records: Sequence[Record]) -> None:
    """Give `top`, which is new, the attributes and all the nodes below it that `records` have."""
    nodes = [top, *(object.__new__(kind) for kind, _, _ in records[1:])]
    for node, (_, parent, attributes) in zip(nodes, records, strict=True):
        for name, value in attributes.items():
            setattr(node, name, value)
        node.parent, node.children = None, []
        if parent is not None:
            node.parent = nodes[parent]
            node.parent.children.append(node)


def _records(top: Any) -> list[Record]:
    """`top` and all nodes below it, parents before their children."""
    nodes: list[Any] = [top]
    parents: list[int | None] = [None]
    for place, node in enumerate(nodes):
        nodes += node.children
        parents += [place] * len(node.children)
    return [
        (type(node), parent, _attributes(node, top))
        for node, parent in zip(nodes, parents, strict=True)
    ]


def _attributes(node: Any, top: Any) -> dict[str, Any]:
    """The attributes of a node, those included that a subclass has added; positions below `top`
    are derived again."""
    state: Any = object.__getstate__(node)
    of_instance, of_slots = state
    attributes = {**(of_instance or {}), **of_slots, "claim": None}
    attributes["_state"] = top.state if node is top else None
    del attributes["parent"], attributes["children"]
    return attributes


def _descendant(node: Any, places: Sequence[int]) -> Any:
    """The node to which the places of children in their parents lead."""
    for place in places:
        node = node.children[place]
    return node
