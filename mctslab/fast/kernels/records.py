"""The records of a tree's array: taking one, and moving children into a block."""

from mctslab.fast.nodes import NO_NODE, NUM_BLOCKS, NUM_UNUSED, UNUSED, USED


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


def make_block(nodes, counters, node):
    """Move the children of `node` into one block, with room for the last one after them.

    Returns the record of the last one.
    """
    number = nodes[node].num_children
    block = counters[USED]
    counters[USED] += number + 1
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


def records_needed(nodes, counters, node):
    """How many records of the array it takes to add a child to `node`."""
    if nodes[node].num_untried == 1:  # the last one: all move into a block
        return nodes[node].num_children + 1
    return 1 if counters[UNUSED] == NO_NODE else 0
