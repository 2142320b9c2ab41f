"""Keeping a part of a tree: a text for Numba, as `engine.py` is."""

# ruff: noqa: F821 (names of the generated module; see compiling.py)


def copy_subtree(nodes, node, copy):
    """Copy `node` and all below it into `copy`, as a root of its own; the number of nodes.

    Nobody moved into a root: its statistics are those of its children, which all have one mover.
    """
    origins = np.empty(len(copy), dtype=np.int32)
    copy[ROOT] = nodes[node]
    origins[ROOT] = node
    num_nodes = 1
    parent = ROOT
    while parent < num_nodes:
        number = copy[parent].num_children
        if number > 0:
            copy_children(nodes, origins[parent], copy, origins, parent, num_nodes)
            num_nodes += number
        parent += 1
    first, number = 1, copy[ROOT].num_children
    copy[ROOT].visit_count = 0
    copy[ROOT].total_value = 0.0
    for child in range(first, first + number):
        copy[ROOT].visit_count += copy[child].visit_count
        copy[ROOT].total_value += copy[child].total_value
    return num_nodes


def copy_children(nodes, node, copy, origins, parent, first):
    """Copy the children of `node` to the records of `copy` from `first` on, the oldest first."""
    number = nodes[node].num_children
    is_list = nodes[node].num_untried != 0
    child = nodes[node].first_child
    for place in range(number):
        target = first + number - 1 - place if is_list else first + place
        copy[target] = nodes[child]
        copy[target].next_sibling = target - 1 if target > first else NOBODY
        origins[target] = child
        child = nodes[child].next_sibling if is_list else child + 1
    copy[parent].first_child = first + number - 1 if is_list else first
