"""The records of a tree's array: taking one, moving children into a block, reading and keeping a
part."""

import numpy as np

from mctslab.fast.nodes import NO_NODE, NUM_BLOCKS, NUM_UNUSED, ROOT, UNUSED, USED


def unused_record(nodes, counters):
    """A record for one more node: one that was left behind, or the next of the array."""
    record = counters[UNUSED]
    if record == NO_NODE:
        record = counters[USED]
        counters[USED] += 1
    else:
        counters[UNUSED] = nodes[record].next_sibling
        counters[NUM_UNUSED] -= 1
    return record


def make_block(nodes, counters, node, more):
    """Move the children of `node` into one block, with room for `more` after them.

    Returns the first record of that room.
    """
    number = nodes[node].num_children
    block = counters[USED]
    counters[USED] += number + more
    counters[NUM_BLOCKS] += 1
    child = nodes[node].first_child
    for place in range(block + number - 1, block - 1, -1):  # the list begins with the newest
        following = nodes[child].next_sibling
        nodes[place] = nodes[child]
        nodes[child].next_sibling = counters[UNUSED]
        counters[UNUSED] = child
        child = following
    counters[NUM_UNUSED] += number
    nodes[node].first_child = block
    return block + number


def records_needed(nodes, counters, node, number):
    """How many records of the array it takes to add `number` children to `node`."""
    if number > 0 and number == nodes[node].num_untried:  # the last ones: all move into a block
        return nodes[node].num_children + number
    return 1 if number > 0 and counters[UNUSED] == NO_NODE else 0


# Reading a part of a tree, and keeping it


def breadth_first(nodes, node, most_plies, order, parents):
    """Write `node` and all below it to `order`, ply by ply, down to `most_plies` below `node`.

    `parents` receives the place in `order` of each one's parent. Returns the number of nodes.
    """
    order[ROOT], parents[ROOT] = node, NO_NODE
    num_nodes = 1
    parent = ROOT
    plies, next_ply = 0, 1  # where the ply after that of `parent` begins
    while parent < num_nodes:
        if parent == next_ply:
            plies, next_ply = plies + 1, num_nodes
        if plies == most_plies:
            break
        number = nodes[order[parent]].num_children
        is_list = nodes[order[parent]].num_untried != 0
        child = nodes[order[parent]].first_child
        for place in range(number):  # a list begins with the newest
            target = num_nodes + (number - 1 - place if is_list else place)
            order[target], parents[target] = child, parent
            child = nodes[child].next_sibling if is_list else child + 1
        num_nodes += number
        parent += 1
    return num_nodes


def copy_subtree(nodes, node, copy):
    """Copy `node` and all below it into `copy`, as a root of its own. Returns the number of nodes.

    No move leads to a root: its statistics are those of its children, which all have one mover.
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
        copy[target].next_sibling = target - 1 if target > first else NO_NODE
        origins[target] = child
        child = nodes[child].next_sibling if is_list else child + 1
    copy[parent].first_child = first + number - 1 if is_list else first
