"""Minimax with a horizon, and alpha-beta, which finds the same and looks at far fewer positions.

A position at the horizon is judged by an evaluation. All values are for player 0, who wants the
largest; player 1 wants the smallest. Whose turn it is decides, and nothing is negated, so a player
may well move twice in a row, as after a pass of the opponent.

Both functions call themselves, once for each ply down to the horizon, and no deeper.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from mctslab.games.bitboards import checked_size
from mctslab.games.state import State

EvaluationFunction: TypeAlias = Callable[[State], float]
"""What a position is worth to player 0, by its looks; more than -WIN and less than WIN.

At the end of a game the result decides, and what the evaluation says there is added to it: so a
difference in discs, say, tells a high win from a narrow one.
"""

WIN: Final = 1_000_000.0
"""The value of a game that player 0 has won; -WIN is a lost one."""

MAXIMUM_DEPTH: Final = 200
"""No search looks further ahead. Reversi on 8 x 8 has 60 moves, and a pass at most after each."""


class MinimaxResult(NamedTuple):
    """What a search down to a horizon found out about a position."""

    value: float
    """What it is worth to player 0."""
    best_action: int | None
    """The first of the best actions for the player to move; None where nothing was tried."""
    num_nodes: int
    """How many positions were looked at, this one included."""


def no_evaluation(state: State) -> float:
    """Nothing is known of `state`: 0."""
    return 0.0


def depth_limited_minimax(
    state: State, depth: int, evaluate: EvaluationFunction = no_evaluation
) -> MinimaxResult:
    """The value of `state` when both players look `depth` plies ahead.

    Args:
        state: the position to judge.
        depth: how many plies to look ahead, from 0 to MAXIMUM_DEPTH; a pass is one, too.
        evaluate: judges the positions at the horizon.

    Raises:
        ValueError: the depth is out of range, or an evaluation is.

    >>> from mctslab import games
    >>> depth_limited_minimax(games.TicTacToe(), depth=4)
    MinimaxResult(value=0.0, best_action=0, num_nodes=3610)
    """
    if _at_the_edge(state, depth):
        return MinimaxResult(value_at_edge(state, evaluate), None, 1)
    num_nodes = 1
    values = {}
    for action in state.legal_actions():
        found = depth_limited_minimax(state.child(action), depth - 1, evaluate)
        num_nodes += found.num_nodes
        values[action] = found.value
    best_of = max if state.current_player == 0 else min
    best_action = best_of(values, key=lambda action: values[action])
    return MinimaxResult(values[best_action], best_action, num_nodes)


def alpha_beta(
    state: State,
    depth: int,
    evaluate: EvaluationFunction = no_evaluation,
    alpha: float = -math.inf,
    beta: float = math.inf,
) -> MinimaxResult:
    """The same value as that of `depth_limited_minimax`, by Knuth and Moore's alpha-beta (1975).

    On the way down to a position, player 0 has seen a choice worth `alpha`, and player 1 one that
    holds player 0 down to `beta`. Once the two meet, one of them will not let this position
    happen, and its other actions need not be looked at.

    Args:
        state: the position to judge.
        depth: how many plies to look ahead, from 0 to MAXIMUM_DEPTH; a pass is one, too.
        evaluate: judges the positions at the horizon.
        alpha: what player 0 is sure of elsewhere.
        beta: what player 1 is sure of elsewhere.

    Returns:
        The value; a bound of it where it lies on or outside of the window from alpha to beta.

    Raises:
        ValueError: the depth is out of range, or an evaluation is.

    >>> from mctslab import games
    >>> alpha_beta(games.TicTacToe(), depth=4)
    MinimaxResult(value=0.0, best_action=0, num_nodes=206)
    """
    if _at_the_edge(state, depth):
        return MinimaxResult(value_at_edge(state, evaluate), None, 1)
    maximises = state.current_player == 0
    value = -math.inf if maximises else math.inf
    best_action, num_nodes = None, 1
    for action in state.legal_actions():
        found = alpha_beta(state.child(action), depth - 1, evaluate, alpha, beta)
        num_nodes += found.num_nodes
        if found.value > value if maximises else found.value < value:
            value, best_action = found.value, action
        if maximises:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return MinimaxResult(value, best_action, num_nodes)


def value_at_edge(state: State, evaluate: EvaluationFunction) -> float:
    """What `state` is worth to player 0 where no search goes on: at the horizon or at the end.

    Raises:
        ValueError: the evaluation is as large as a win, or no number.
    """
    value = float(evaluate(state))
    if not -WIN < value < WIN:
        raise ValueError(
            f"The evaluation says {value!r} of\n{state}\nbut has to stay between -{WIN:,.0f} and "
            f"{WIN:,.0f}, which stand for a loss and a win."
        )
    return WIN * state.returns()[0] + value if state.is_terminal else value


def _at_the_edge(state: State, depth: int) -> bool:
    return checked_size("depth", depth, 0, MAXIMUM_DEPTH) == 0 or state.is_terminal
