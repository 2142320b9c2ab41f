"""The compiled search beside the readable one, and two trees node for node."""

from typing import Any

import numpy as np

from mctslab import fast, search
from mctslab.games import State
from mctslab.search import Node, SearchResult


def both(
    name: str, state: State, seed: int, *, roots: Any = (None, None), **options: Any
) -> tuple[SearchResult, SearchResult]:
    """The results of the compiled search of that name and of the readable one: the same tree."""
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    compiled = getattr(fast, name)(state, rng=ours, root=roots[0], **options)
    readable = getattr(search, name)(state, rng=theirs, root=roots[1], **options)
    assert compiled.note == ""
    assert difference(compiled.root, readable.root) == ""
    for fact in ("children", "num_simulations", "proven", "best_so_far", "principal_variation"):
        assert getattr(compiled, fact) == getattr(readable, fact)
    assert ours.bit_generator.state == theirs.bit_generator.state
    return compiled, readable


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
