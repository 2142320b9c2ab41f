"""Which nodes are drawn: by hand, and as properties of random trees."""

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


def weights(kept: Sequence[Kept[Plain]]) -> list[int]:
    return [here.node.weight for here in kept]


def num_drawn(kept: Sequence[Kept[Plain]]) -> int:
    """How many nodes the drawing has, "+12 more" counted among them."""
    return len(kept) + sum(node.needs_more_node for node in kept)


def example() -> Plain:
    seven = Plain(7, [Plain(3, [Plain(3)]), Plain(4), Plain(0)])
    return Plain(10, [Plain(2, [Plain(1)]), seven, Plain(1)])


def test_the_heaviest_comes_next():
    kept = pruned(example())
    assert weights(kept) == [10, 7, 4, 3, 3, 2, 1, 1, 0]
    assert [here.parent for here in kept] == [None, 0, 1, 1, 3, 0, 0, 5, 1]
    assert [here.depth for here in kept] == [0, 1, 2, 2, 3, 1, 1, 2, 2]
    assert not any(here.hidden for here in kept)


def test_a_node_for_those_left_out_takes_room_too():
    assert weights(pruned(example(), max_nodes=2)) == [10]  # 7 would need "+2 more" beside it
    kept = pruned(example(), max_nodes=3)
    assert weights(kept) == [10, 7]
    assert kept[0].needs_more_node
    assert not kept[1].needs_more_node, "its children are all hidden: a line in the node says so"
    assert num_drawn(kept) == 3


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
    for place, here in enumerate(kept):
        drawn = [other.node for other in kept if other.parent == place]
        assert len(drawn) <= top
        assert drawn == list(here.children[: here.num_drawn]), "the heaviest ones, in order"
        assert len(drawn) + len(here.hidden) == len(here.node.children)


@given(trees(), st.integers(1, 40))
def test_nothing_is_left_out_without_need(root: Plain, max_nodes: int):
    total = count_nodes(root, lambda node: node.children)
    assert total == len(pruned(root))
    if total <= max_nodes:
        assert total == len(pruned(root, max_nodes=max_nodes))
