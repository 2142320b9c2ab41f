"""Policies that play without a search: by classes of squares, Roxanne's for Reversi or your own;
Roxanne's prior; and the greedy policy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from mctslab.games.bitboards import checked_size
from mctslab.games.reversi import Reversi
from mctslab.games.state import State
from mctslab.search.evaluators import random_item


def greedy(state: State, rng: np.random.Generator) -> int:
    """The maximum-disc strategy in Reversi: a random one of the moves that flip the most discs.

    Raises:
        ValueError: this is not Reversi.
    """
    if not isinstance(state, Reversi):
        raise ValueError(f"The greedy policy counts the discs of Reversi; this is {state.title}.")
    mover = state.current_player
    discs = {each: state.child(each).disc_counts()[mover] for each in state.legal_actions()}
    most = max(discs.values())
    return random_item([action for action, number in discs.items() if number == most], rng)


_MOST_CLASSES: Final = 64

NINE_CLASSES: Final = (
    ((0, 0),),
    ((2, 2),),
    ((2, 3),),
    ((0, 2),),
    ((0, 3),),
    ((1, 2),),
    ((1, 3),),
    ((1, 1),),
    ((0, 1),),
)
"""The squares of Reversi, best class first, in the order that programs name after Roxanne Canosa.

Each class is named by the (row, column) of one of its squares; symmetry gives the others."""

FIVE_CLASSES: Final = (
    ((0, 0),),
    ((2, 2), (2, 3)),
    ((0, 2), (0, 3)),
    ((1, 2), (1, 3)),
    ((1, 1), (0, 1)),
)
"""The same order with neighbouring classes merged."""


@dataclass(frozen=True, slots=True)
class Roxanne:
    """A random legal square of the best class, as in the policy named after Roxanne Canosa."""

    ranks: tuple[int, ...]
    """The class of each action, 0 for the best; for Reversi 64 squares and the pass."""

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        """A random legal square of the best class that has any.

        Raises:
            ValueError: the classes are for a game with another number of actions.
        """
        ranks = self.ranks_of(state)
        best = min(ranks)
        actions = zip(state.legal_actions(), ranks, strict=True)
        return random_item([action for action, rank in actions if rank == best], rng)

    def ranks_of(self, state: State) -> list[int]:
        """The class of each legal action of `state`, 0 for the best.

        Raises:
            ValueError: the classes are for a game with another number of actions.
        """
        if state.num_actions != len(self.ranks):
            name = "The Roxanne policy is for Reversi on 8 x 8, with its"
            if self not in (roxanne(), roxanne(FIVE_CLASSES)):
                name = "This policy by classes of squares is for a game with"
            raise ValueError(
                f"{name} {len(self.ranks)} actions; this is {state.title} with {state.num_actions}."
            )
        return [self.ranks[action] for action in state.legal_actions()]


def by_class(classes: Sequence[int]) -> Roxanne:
    """A rollout policy of your own: a random legal action of the best class that has any.

    It is compiled where the rules are, for games of up to 64 squares whose actions are squares.

    Args:
        classes: the class of each action of the game, 0 for the best. A pass has one, too.

    Raises:
        ValueError: they are not whole numbers from 0 to 63.

    >>> policy = by_class([1, 2, 1, 2, 0, 2, 1, 2, 1])  # Tic-Tac-Toe: the centre, then corners
    >>> from mctslab.games import TicTacToe
    >>> policy(TicTacToe(), np.random.default_rng(1))
    4
    """
    return Roxanne(
        tuple(
            checked_size(f"classes[{action}]", each, 0, _MOST_CLASSES - 1)
            for action, each in enumerate(classes)
        )
    )


@cache
def roxanne(classes: tuple[tuple[tuple[int, int], ...], ...] = NINE_CLASSES) -> Roxanne:
    """The Roxanne policy with the given classes of squares, best first."""
    size = 8
    ranks = [0] * (size * size + 1)  # the four centre squares and the pass are never chosen by rank
    for rank, squares in enumerate(classes):
        for row, col in squares:
            for one, other in ((row, col), (col, row)):
                for r in (one, size - 1 - one):
                    for c in (other, size - 1 - other):
                        ranks[r * size + c] = rank
    return Roxanne(tuple(ranks))


def roxanne_prior(state: State) -> list[float]:
    """Weights over `state.legal_actions()`, in that order: halved from each class to the next.

    The nine classes begin with the corners (`NINE_CLASSES`). The policy plays the best class
    only, but a prior leaves room for the others: each class gets half the weight of the one before
    it, so a corner gets 256 times the weight of a C-square.

    Raises:
        ValueError: this is not Reversi on 8 x 8.

    >>> from mctslab.games import Reversi
    >>> roxanne_prior(Reversi())  # the four first moves are in one class
    [0.25, 0.25, 0.25, 0.25]
    """
    return [0.5**rank for rank in roxanne().ranks_of(state)]
