"""Minimax: what a position is worth when both sides play perfectly, for games that are small."""

from mctslab.games.state import State

Returns = tuple[float, float]


def minimax(state: State, memo: dict[State, Returns] | None = None) -> Returns:
    """The value of `state` to player 0 and to player 1, each in [-1, 1], under perfect play.

    At the end of a game it is the result. Anywhere else the player to move takes the child that
    is worth most to that player: the maximum of one and, as what one gets the other loses, the
    minimum of the other. That is von Neumann's minimax (1928), written so that nothing depends
    on turns that alternate.

    Every position is looked at once, and there must be few enough of them to keep: Tic-Tac-Toe
    has 5,478, Reversi on 4 x 4 has 62,789, Connect Four on 4 x 4 has 161,029.

    Args:
        state: the position to judge.
        memo: values that are known already; those found out on the way are added.

    >>> from mctslab import games
    >>> minimax(games.TicTacToe())
    (0.0, 0.0)
    """
    memo = {} if memo is None else memo
    # The line of play under inspection: a list and no recursion, so no game is too long for it.
    line = [] if state in memo else [(state, _children(state))]
    while line:
        here, children = line[-1]
        unknown = next((child for child in children if child not in memo), None)
        if unknown is not None:
            line.append((unknown, _children(unknown)))
            continue
        if here.is_terminal:
            memo[here] = here.returns()
        else:
            mover = here.current_player
            memo[here] = max((memo[child] for child in children), key=lambda value: value[mover])
        line.pop()
    return memo[state]


def _children(state: State) -> list[State]:
    return [state.child(action) for action in state.legal_actions()]
