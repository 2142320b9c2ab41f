"""The Roxanne policy's order of squares as a prior over the moves of Reversi."""

from functools import cache

from mctslab.games.state import State
from mctslab.search.rollouts import Roxanne, roxanne


def roxanne_prior(state: State) -> list[float]:
    """Weights over `state.legal_actions()`, in that order: halved from each class to the next.

    The nine classes are Canosa's, corners first (`rollouts.NINE_CLASSES`). Where the policy plays
    the best class only, a prior leaves room for the others: a corner gets 256 times the weight of
    a C-square, and each next class half of the one before it.

    Raises:
        ValueError: this is not Reversi on 8 x 8.

    >>> from mctslab.games import Reversi
    >>> roxanne_prior(Reversi())  # the four first moves lie in one class
    [0.25, 0.25, 0.25, 0.25]
    """
    return [0.5**rank for rank in nine_classes().ranks_of(state)]


@cache
def nine_classes() -> Roxanne:
    """The policy, made once."""
    return roxanne()
