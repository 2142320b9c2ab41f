"""Which nodes are drawn, as properties of random trees."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from mctslab.draw.pruning import count_nodes, prune


@dataclass(eq=False)
class Plain:
    """A node that is nothing but its weight."""

    weight: int
    children: list["Plain"] = field(default_factory=list)


def pruned(root, **limits):
    limits = {"min_weight": 0, "top": 99, "depth": 99, "max_nodes": 99} | limits
    return prune(root, children=lambda n: n.children, weight=lambda n: n.weight, **limits)


@st.composite
def trees(draw):
    nodes = [Plain(1000)]
    for _ in range(draw(st.integers(0, 60))):
        parent = nodes[draw(st.integers(max(0, len(nodes) - 20), len(nodes) - 1))]
        nodes.append(Plain(draw(st.integers(0, parent.weight))))
        parent.children = sorted([*parent.children, nodes[-1]], key=lambda child: -child.weight)
    return nodes[0]


@given(trees(), st.integers(1, 5), st.integers(0, 6), st.integers(0, 50), st.integers(1, 40))
def test_no_limit_is_ever_passed_and_nothing_left_out_without_need(
    root, top, depth, min_weight, max_nodes
):
    kept = pruned(root, top=top, depth=depth, min_weight=min_weight, max_nodes=max_nodes)
    num_drawn = len(kept) + sum(node.needs_more_node for node in kept)  # "+12 more" is drawn, too
    assert num_drawn <= max_nodes
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
    total = count_nodes(root)
    assert total == len(pruned(root))
    assert total > max_nodes or total == len(pruned(root, max_nodes=max_nodes))
