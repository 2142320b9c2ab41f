"""Two trees, node for node: which node differs first, and how."""

from typing import Any

from mctslab.search import Node


def difference(one: Node, other: Node) -> str:
    """What differs between two trees: order of children, visits, values, moves left; or nothing."""
    waiting = [((), one, other)]
    while waiting:
        path, first, second = waiting.pop()
        if facts(first) != facts(second):
            return f"at {path}: {facts(first)} and {facts(second)}"
        for left, right in zip(first.children, second.children, strict=True):
            waiting.append(((*path, left.action), left, right))
    return ""


def facts(node: Node) -> dict[str, Any]:
    return {
        "N": node.visit_count,
        "W": node.total_value,
        "mover": node.mover,
        "P": node.prior,
        "proven": node.proven,
        "children": [child.action for child in node.children],
        "untried": node.untried_actions,
    }
