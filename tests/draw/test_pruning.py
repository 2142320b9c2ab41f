"""Which nodes are drawn, as properties of random trees."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from mctslab.draw.pruning import Kept, count_nodes, prune


@dataclass(eq=False)
class Plain:
    """A node that is nothing but its weight."""

    weight: int
    children: list["Plain"] = field(default_factory=list)


def heaviest_first(node: Plain) -> list[Plain]:
    return sorted(node.children, key=lambda child: -child.weight)


def pruned(root: Plain, **limits: int) -> list[Kept[Plain]]:
    limits = {"min_weight": 0, "top": 99, "depth": 99, "max_nodes": 99} | limits
    return prune(root, children=heaviest_first, weight=lambda node: node.weight, **limits)


def num_drawn(kept: Sequence[Kept[Plain]]) -> int:
    """How many nodes the drawing has, "+12 more" counted among them."""
    return len(kept) + sum(node.needs_more_node for node in kept)


@st.composite
def trees(draw: st.DrawFn) -> Plain:
    nodes = [Plain(1000)]
    for _ in range(draw(st.integers(0, 60))):
        parent = nodes[draw(st.integers(max(0, len(nodes) - 20), len(nodes) - 1))]
        child = Plain(draw(st.integers(0, parent.weight)))
        parent.children.append(child)
        nodes.append(child)
    return nodes[0]


@given(trees(), st.integers(1, 5), st.integers(0, 6), st.integers(0, 50), st.integers(1, 40))
def test_no_limit_is_ever_passed(root, top, depth, min_weight, max_nodes):
    kept = pruned(root, top=top, depth=depth, min_weight=min_weight, max_nodes=max_nodes)
    assert num_drawn(kept) <= max_nodes
    assert kept[0].node is root
    for place, here in enumerate(kept[1:], start=1):
        assert here.parent < place
        assert here.depth == kept[here.parent].depth + 1 <= depth
        assert here.node.weight >= min_weight
        # The heaviest comes next: those before it are no lighter, if it could have come there.
        assert all(each.node.weight >= here.node.weight for each in kept[here.parent + 1 : place])
    for place, here in enumerate(kept):
        drawn = [other.node for other in kept if other.parent == place]
        assert len(drawn) <= top
        assert drawn == list(here.children[: here.num_drawn]), "the heaviest ones, in order"
        assert len(drawn) + len(here.hidden) == len(here.node.children)


@given(trees(), st.integers(1, 40))
def test_nothing_is_left_out_without_need(root: Plain, max_nodes: int):
    total = count_nodes(root)
    assert total == len(pruned(root))
    if total <= max_nodes:
        assert total == len(pruned(root, max_nodes=max_nodes))
