"""A search tree as one flat array: one record per node, and numbers instead of references.

While a node has untried moves, its children are a linked list, the newest first: `first_child`
leads to the one that was added last, its `next_sibling` to the one before it. When the last child
is added, all of them move into one block, the oldest first: from then on the search compares them
at every visit, and reading neighbours in memory is much faster than following a list. The records
that they leave behind are used again. So a node costs only the bytes of its record, however many
moves there are: 48, or 80 in a game that keeps positions.
"""

import functools
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.games.rules import Compilable
from mctslab.search.selection import PUCT, UCB1, SelectionRule

ROOT: Final = 0
NO_NODE: Final = -1
"""The child of a leaf, the sibling of the first child, the end of the unused records."""
UNKNOWN: Final = -1
"""Untried moves of a node that has not been evaluated yet."""

_OF_ALL: Final = (
    ("total_value", np.float64),  # W, for the mover
    ("visit_count", np.int64),  # N
    ("first_child", np.int32),
    ("next_sibling", np.int32),  # in a list of children, or of unused records
    ("move", np.int16),  # which led here
    ("num_untried", np.int16),
    ("num_children", np.int16),
    ("mover", np.int8),
    ("proven", np.int8),  # for the mover
)

PUCT_NODE: Final = np.dtype([("prior", np.float64), *_OF_ALL], align=True)
"""The record of a tree whose leaves get values from an evaluator. All children are added at once,
in a block, so `num_untried` is UNKNOWN at a leaf and 0 after that."""

NODE: Final = np.dtype(
    [
        ("exploitation", np.float64),  # the first part of the child's score, kept up to date
        ("factor", np.float64),  # by which its parent's bonus counts for it, kept up to date
        *_OF_ALL,
    ],
    align=True,
)
"""The record of a tree that is grown by rollouts."""


@functools.cache
def node_record(num_kept_words: int) -> np.dtype[Any]:
    """NODE, with a position of this number of words and the untried moves if it is not 0."""
    if num_kept_words == 0:
        return NODE
    kept = [("untried", np.uint64), ("position", np.uint64, (num_kept_words,))]
    return np.dtype([*NODE.descr, *kept], align=True)


def num_kept_words(game: Compilable) -> int:
    """How many words of its position every node keeps: all, or none."""
    return len(game.position) if game.keeps_positions and not game.words else 0


UNPROVEN: Final = 0
PROVEN_LOSS: Final = 1
PROVEN_DRAW: Final = 2
PROVEN_WIN: Final = 3
"""The proven value of a node: a value from -1 to 1 is written as 1 to 3."""

USED: Final = 0
UNUSED: Final = 1
NUM_UNUSED: Final = 2
NUM_BLOCKS: Final = 3
NUM_REFUSED: Final = 4
NUM_COUNTERS: Final = 5
"""The counters of a tree: the number of records ever used, the first of those that were left behind
(they form a list), the number of these, the number of blocks made (which shows whether a remembered
record number is still valid), and the number of expansions that found no room."""

ENDLESS: Final = 2
"""Instead of the value of a rollout, -1 to 1: the game does not end."""

MAX_DEPTH: Final = 1 << 15
"""The longest path from a root to a leaf; a leaf at its end is evaluated but not expanded."""

Nodes: TypeAlias = npt.NDArray[Any]
"""[num_nodes] of `node_record(...)` or PUCT_NODE."""


# A round of the search by PUCT


class Walks(NamedTuple):
    """Arrays with a row for each walk from the root to a leaf."""

    paths: npt.NDArray[np.int32]
    """[walks, longest + 1]: the nodes on the way, the root first."""
    depths: npt.NDArray[np.int64]
    """[walks]: the index of the leaf on its path."""
    before: npt.NDArray[np.float64]
    """[walks, longest + 1]: the statistics of the nodes on the way before the walk counted as
    lost."""
    twin: npt.NDArray[np.int64]
    """[walks]: the first walk of the round that led to the same leaf of the same tree."""
    num_moves: npt.NDArray[np.int64]
    """[walks]: legal moves at the leaf, a pass included; 0 where the game is over."""
    values: npt.NDArray[np.float64]
    """[walks, 2]: the value of the leaf for player 0 and for player 1."""
    positions: npt.NDArray[np.uint64]
    """[walks, words of a position]: the leaf's position."""
    leaf_words: npt.NDArray[np.uint64]
    """[walks, words]: the additional words of a large board."""
    spare: npt.NDArray[np.uint64]
    """[words]: room for those of a position after the leaf."""


def make_walks(number: int, game: Compilable, longest: int = MAX_DEPTH) -> Walks:
    """Room for `number` walks of `longest` steps. Memory that no path reaches is never touched."""
    return Walks(
        paths=np.empty((number, longest + 1), np.int32),
        depths=np.zeros(number, np.int64),
        before=np.empty((number, longest + 1), np.float64),
        twin=np.zeros(number, np.int64),
        num_moves=np.zeros(number, np.int64),
        values=np.zeros((number, 2), np.float64),
        positions=np.zeros((number, len(game.position)), np.uint64),
        leaf_words=np.zeros((number, len(game.words)), np.uint64),
        spare=np.zeros(len(game.words), np.uint64),
    )


def rule_in_python(rule: SelectionRule, compiled: type[UCB1 | PUCT] = PUCT) -> str:
    """Why a selection rule is not the compiled one, half a sentence; empty if it is."""
    name = type(rule).__name__
    return "" if type(rule) is compiled else f"the selection rule {name} is written in Python"


def numbers_of(rule: PUCT) -> tuple[float, float, bool]:
    """PUCT's numbers for the kernel: c, first-play urgency, whether it is the parent's."""
    is_parents = rule.fpu == "parent"
    urgency = 0.0 if rule.fpu == "parent" else float(rule.fpu)
    return float(rule.c), urgency, is_parents
