"""Minimax: to the end of the game, to a horizon, and with alpha-beta, which saves most of the work.

With a horizon, an evaluation replaces the positions below it. All values are then for player 0, who
wants the largest, while player 1 wants the smallest. The position decides whose turn it is and no
sign is flipped, so a player can move twice in a row, for example after the opponent's pass.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from mctslab.games.bitboards import checked_size
from mctslab.games.state import State, checked_moves, checked_returns

Returns: TypeAlias = tuple[float, float]
"""The value of a position for player 0 and for player 1."""

EvaluationFunction: TypeAlias = Callable[[State], float]
"""Estimates the value of a position for player 0; more than -WIN and less than WIN.

At the end of a game the evaluation is added to the result, so that a difference in discs, for
example, distinguishes a high win from a narrow one.
"""

WIN: Final = 1_000_000.0
"""The value of a game that player 0 has won; -WIN is the value of a lost one."""

MAXIMUM_DEPTH: Final = 200
"""The largest depth. Reversi on 8 x 8 has 60 moves, with at most one pass after each."""


class MinimaxResult(NamedTuple):
    """The result of a search down to a horizon."""

    value: float
    """The value of the position for player 0."""
    best_action: int | None
    """The first of the best actions for the player to move; None if no action was tried."""
    num_nodes: int
    """How many positions were visited, including this one."""


def minimax(state: State, memo: dict[State, Returns] | None = None) -> Returns:
    """The value of `state` for player 0 and for player 1, each in [-1, 1], under perfect play.

    At the end of a game it is the result. In any other position the player to move takes the child
    with the highest value for that player, which is the lowest for the opponent. That is von
    Neumann's minimax (1928), written so that turns need not alternate.

    Each position is visited once and its value is kept, so there must not be too many: Tic-Tac-Toe
    has 5,478, Reversi on 4 x 4 has 62,789, Connect Four on 4 x 4 has 161,029.

    Args:
        state: the position to evaluate.
        memo: values that are known already; new ones are added.

    >>> from mctslab import games
    >>> minimax(games.TicTacToe())
    (0.0, 0.0)
    """
    memo = {} if memo is None else memo
    # The current line of play: a list instead of recursion, so that no game is too long.
    line = [] if state in memo else [(state, _children(state))]
    while line:
        here, children = line[-1]
        following = next((child for child in children if child not in memo), None)
        if following is not None:
            line.append((following, _children(following)))
            continue
        if here.is_terminal:
            memo[here] = checked_returns(here)
        else:
            mover = here.current_player
            memo[here] = max((memo[child] for child in children), key=lambda value: value[mover])
        line.pop()
    return memo[state]


def _children(state: State) -> list[State]:
    if state.is_terminal:
        return []
    return [state.child(action) for action in checked_moves(state)]


# With a horizon


def no_evaluation(state: State) -> float:
    """No knowledge: every position is worth 0."""
    return 0.0


def depth_limited_minimax(
    state: State, depth: int, evaluate: EvaluationFunction = no_evaluation
) -> MinimaxResult:
    """The value of `state` when both players look `depth` plies ahead.

    Args:
        state: the position to evaluate.
        depth: how many plies to look ahead, from 0 to MAXIMUM_DEPTH; a pass counts as one.
        evaluate: estimates the value of the positions at the horizon.

    Raises:
        ValueError: the depth or an evaluation is out of range.

    >>> from mctslab import games
    >>> depth_limited_minimax(games.TicTacToe(), depth=4)
    MinimaxResult(value=0.0, best_action=0, num_nodes=3610)
    """
    if _at_the_edge(state, depth):
        return MinimaxResult(value_at_edge(state, evaluate), None, 1)
    num_nodes = 1
    values = {}
    for action in checked_moves(state):
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

    On the way down to a position, player 0 has found a choice worth `alpha`, and player 1 one that
    limits player 0 to `beta`. Once alpha reaches beta, one of the two avoids this position, so its
    other actions are skipped: a cutoff.

    Args:
        state: the position to evaluate.
        depth: how many plies to look ahead, from 0 to MAXIMUM_DEPTH; a pass counts as one.
        evaluate: estimates the value of the positions at the horizon.
        alpha: the value that player 0 can have elsewhere.
        beta: the value to which player 1 can limit player 0 elsewhere.

    Returns:
        The value if it is between alpha and beta, otherwise a bound of the value.

    Raises:
        ValueError: the depth or an evaluation is out of range.

    >>> from mctslab import games
    >>> alpha_beta(games.TicTacToe(), depth=4)
    MinimaxResult(value=0.0, best_action=0, num_nodes=206)
    """
    if _at_the_edge(state, depth):
        return MinimaxResult(value_at_edge(state, evaluate), None, 1)
    maximises = state.current_player == 0
    value = -math.inf if maximises else math.inf
    best_action, num_nodes = None, 1
    for action in checked_moves(state):
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
    """The value of `state` for player 0 where the search stops: at the horizon or the game's end.

    Raises:
        ValueError: the evaluation is as large as a win, or NaN.
    """
    value = float(evaluate(state))
    if not -WIN < value < WIN:
        raise ValueError(
            f"The evaluation returned {value!r} for\n{state}\nbut must stay between "
            f"-{WIN:,.0f} and {WIN:,.0f}, the values of a loss and a win."
        )
    if not state.is_terminal:
        return value
    result = state.returns()[0]
    if math.isnan(result):
        checked_returns(state)  # raises the error
    return WIN * result + value


def _at_the_edge(state: State, depth: int) -> bool:
    return checked_size("depth", depth, 0, MAXIMUM_DEPTH) == 0 or state.is_terminal
