"""Keeping a part of a tree: a text for Numba, as `engine.py` is."""

# ruff: noqa: F821 (names of the generated module; see compiling.py)


def copy_subtree(nodes, node, copy):
    """Copy `node` and all below it into `copy`, as a root of its own; the number of nodes.

    Nobody moved into a root: its statistics are those of its children, which all have one mover.
    """
    origins = np.empty(len(copy), dtype=np.int32)
    copy[ROOT] = nodes[node]
    origins[ROOT] = node
    copy[ROOT].parent = NOBODY
    copy[ROOT].next_sibling = NOBODY
    copy[ROOT].visit_count = 0
    copy[ROOT].total_value = 0.0
    num_nodes = 1
    parent = ROOT
    while parent < num_nodes:
        child = nodes[origins[parent]].first_child
        newest = num_nodes
        while child != NOBODY:
            copy[num_nodes] = nodes[child]
            origins[num_nodes] = child
            copy[num_nodes].parent = parent
            child = nodes[child].next_sibling
            copy[num_nodes].next_sibling = NOBODY if child == NOBODY else num_nodes + 1
            num_nodes += 1
        copy[parent].first_child = newest if num_nodes > newest else NOBODY
        if parent == ROOT:
            for child in range(num_nodes - 1, newest - 1, -1):  # as they were added
                copy[ROOT].visit_count += copy[child].visit_count
                copy[ROOT].total_value += copy[child].total_value
                copy[ROOT].mover = copy[child].mover
        parent += 1
    return num_nodes
