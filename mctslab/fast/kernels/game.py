"""What the generated module of a game provides to the kernels: its rules and a few constants.

The kernels import these names from here, so that linter and type checker know them. In a generated
module the rules of the game, translated by `translate.py`, take their place.
"""

from mctslab.fast.compile.primitives import uint64
from mctslab.games import rules

OPEN, LOST = uint64(rules.OPEN), uint64(rules.LOST)
DRAWN, WON = uint64(rules.DRAWN), uint64(rules.WON)

NUM_MOVE_WORDS: int = 0
"""How many words of a large board list the legal moves; 0 where a word of 64 bits does."""
NUM_KEPT_WORDS: int = 0
"""How many words of its position a node keeps, as `mctslab/fast/nodes.py` says; 0 for none."""
SOLVER: bool = False
"""Whether the search carries proven results up the tree."""
IS_UCB1: bool = True
"""Whether `exploration` is UCB1's formula, whose parts are kept in the tree."""

BOARD = BOTTOM = uint64(0)
"""Bitboards for alpha-beta of Connect Four and Reversi: all squares, the lowest row."""
STEPS, CENTRE_LAST = (uint64(0),), (uint64(0),)
"""Connect Four's directions as shifts, and its columns from the edges to the centre."""


def legal_moves(position):
    """The legal moves at `position`, a tuple of uint64 with the player to move last."""
    raise NotImplementedError


def play(position, move, words=()):
    """The position after `move`; the `words` of a big board are changed in place."""
    raise NotImplementedError


def outcome(position, moves):
    """OPEN, or the result for the player to move."""
    raise NotImplementedError


def stone_on(position, square, words):
    """The player whose stone lies on `square`; another number where it is empty."""
    raise NotImplementedError


def load(start):
    """A position, which is a tuple, from the array `start`."""
    raise NotImplementedError


def store(position, row):
    """Write a position into an array."""
    raise NotImplementedError


def evaluate(position, weights):
    """The sum of the weighted terms of Reversi's evaluation, for the player to move."""
    raise NotImplementedError


def exploration(visits, prior, parent_visits, c):
    """The bonus of a child for few visits, by the formula of the selection rule."""
    raise NotImplementedError
