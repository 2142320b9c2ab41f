"""A search tree as one flat array: a record a node, and numbers instead of references.

A node's children are a linked list, the newest first: `first_child` leads to the one that was
added last, its `next_sibling` to the one before it. So a node costs its 48 bytes and nothing else,
however many moves there are.
"""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

ROOT: Final = 0
NOBODY: Final = -1
"""No node: the parent of a root, the child of a leaf, the sibling of the first child."""
UNKNOWN: Final = -1
"""Untried moves of a node that was not evaluated yet."""

NODE: Final = np.dtype(
    [
        ("total_value", np.float64),  # W, for the mover
        ("exploitation", np.float64),  # the first part of the child's score, kept up to date
        ("divisor", np.float64),  # what its parent's bonus is divided by, kept up to date
        ("visit_count", np.int32),  # N
        ("parent", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("move", np.int16),  # which led here
        ("num_untried", np.int16),
        ("num_children", np.int16),
        ("mover", np.int8),
    ],
    align=True,
)

Nodes: TypeAlias = npt.NDArray[Any]
"""[num_nodes] of NODE."""
