"""What the compiled search by PUCT knows of the walks of a batch."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.fast.nodes import MAX_DEPTH
from mctslab.games.rules import Compilable
from mctslab.search.selection import PUCT


class Walks(NamedTuple):
    """Arrays with a row for each walk from the root to a leaf."""

    paths: npt.NDArray[np.int32]
    """[walks, MAX_DEPTH + 1]: the nodes on the way, the root first."""
    depths: npt.NDArray[np.int64]
    """[walks]: the place of the leaf on its path."""
    before: npt.NDArray[np.float64]
    """[walks, MAX_DEPTH + 1]: what the nodes on the way had before the walk counted as lost."""
    twin: npt.NDArray[np.int64]
    """[walks]: the first walk of the batch that led to the same leaf."""
    num_moves: npt.NDArray[np.int64]
    """[walks]: legal moves at the leaf, a pass included; 0 where the game is over."""
    values: npt.NDArray[np.float64]
    """[walks, 2]: what the leaf is worth to player 0 and to player 1."""
    positions: npt.NDArray[np.uint64]
    """[walks, words of a position]: the leaf's position."""
    leaf_words: npt.NDArray[np.uint64]
    """[walks, words]: what a big board keeps besides."""


def make_walks(number: int, game: Compilable) -> Walks:
    """Room for `number` walks. Memory that no path reaches is never touched."""
    return Walks(
        paths=np.empty((number, MAX_DEPTH + 1), np.int32),
        depths=np.zeros(number, np.int64),
        before=np.empty((number, MAX_DEPTH + 1), np.float64),
        twin=np.zeros(number, np.int64),
        num_moves=np.zeros(number, np.int64),
        values=np.zeros((number, 2), np.float64),
        positions=np.zeros((number, len(game.position)), np.uint64),
        leaf_words=np.zeros((number, len(game.words)), np.uint64),
    )


def numbers_of(rule: PUCT) -> tuple[float, float, float, bool]:
    """What the kernel is told of PUCT: c, c_base or 0, first-play urgency, whether the parent's."""
    is_parents = rule.fpu == "parent"
    urgency = 0.0 if rule.fpu == "parent" else float(rule.fpu)
    return float(rule.c), float(rule.c_base or 0.0), urgency, is_parents
