"""Notebook 01, games and trees: who has won, and what a position is worth."""

from collections import Counter
from typing import Any, Final, Self

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, Function
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    TreeGame,
    drawn,
    outlined,
    place_at_random,
    turn_of,
    won_by,
)

Returns = tuple[float, float]
Memo = dict[games.State, Returns]

# line_up_returns


def _line_up(board: str, first: float, second: float) -> Case:
    """The case of a board that is written as rows of X, O and dots."""
    rows = board.split()
    squares = tuple({"X": 0, "O": 1, ".": -1}[mark] for row in rows for mark in row)
    drawn = "\n".join(" ".join(row) for row in rows)
    return Case(lambda: (squares,), (first, second), shown=f"squares={squares}\n{drawn}")


def _line_up_cases() -> list[Case]:
    return [
        _line_up("XXX OO. ...", 1, -1),
        _line_up("OXX OX. O..", -1, 1),
        _line_up("XO. OX. ..X", 1, -1),
        _line_up("XXO XO. O..", -1, 1),
        _line_up("XOX XOO OXX", 0, 0),
        _line_up("... OO. XXX", 1, -1),
        _line_up("XX. OOO X..", -1, 1),
        _line_up("OOX ..X ..X", 1, -1),
        _line_up("XOX OXO OXX", 1, -1),
        _line_up("XXX XOO XOO", 1, -1),
        _line_up(".O. .OX XOX", -1, 1),
        _line_up("OXX XXO OOX", 0, 0),
        _line_up("OOO XOX X.X", -1, 1),
    ]


def _line_up_variation(rng: np.random.Generator) -> Case:
    state: games.State = games.TicTacToe()
    while not state.is_terminal:
        state = state.child(int(rng.choice(state.legal_actions())))
    stones = "".join("XO."[stone] for stone in state.board().stones)
    return _line_up(" ".join((stones[:3], stones[3:6], stones[6:])), *state.returns())


@exercise(cases=_line_up_cases, variation=_line_up_variation)
def line_up_returns(squares: tuple[int, ...]) -> tuple[float, float]:
    """The returns of a finished game of Tic-Tac-Toe, for player 0 and for player 1."""
    rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    columns = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
    diagonals = ((0, 4, 8), (2, 4, 6))
    for line in rows + columns + diagonals:
        if all(squares[square] == 0 for square in line):
            return 1, -1
        if all(squares[square] == 1 for square in line):
            return -1, 1
    return 0, 0


# minimax


class _Counted(games.TicTacToe):
    """A position that counts the moves played from it and from all positions after it."""

    __slots__ = ("played",)

    played: Counter[str]
    """Shared by all positions of one input."""

    def child(self, action: int) -> Self:
        child = super().child(action)
        child.played = self.played
        self.played["moves"] += 1
        return child


def _position(moves: str) -> games.TicTacToe:
    state = games.TicTacToe()
    for move in moves.split():
        state = state.child(state.string_to_action(move))
    return state


def _tic_tac_toe(moves: str, first: int, second: int) -> Case:
    state = _position(moves)
    shown = f"Tic-Tac-Toe after {moves}, {state.player_names[state.current_player]} to move"
    if state.is_terminal:
        shown = f"Tic-Tac-Toe after {moves}, a game that is over"
    return Case(lambda: (state, {}), (first, second), shown=shown, changes_arguments=True)


def _written_out(place: Place, first: int, second: int, shown: str) -> Case:
    shown = f"A game in which {shown}"
    return Case(lambda: (TreeGame(place), {}), (first, second), shown=shown, changes_arguments=True)


def _memo_is_read() -> Case:
    state = _position(f"{_LATE} b1")
    child = state.child(state.string_to_action("a2"))

    def use(function: Function, state: games.State, memo: dict[games.State, Any]) -> Any:
        filled: dict[games.State, Any] = {}
        function(child, filled)  # some keep the pair, others one number
        is_number = isinstance(next(iter(filled.values()), ()), int | float)
        memo[child] = -1.0 if is_number else (-1.0, 1.0)
        return function(state, memo)

    return Case(
        lambda: (state, {}),
        (-1, 1),
        shown=f"Tic-Tac-Toe after {_LATE} b1, and a memo that says, wrongly, that a2 wins for O",
        use=use,
        changes_arguments=True,
    )


def _memo_is_kept() -> Case:
    below = _unfinished_below(_position(_EARLY))
    half = len(below) // 2  # below a sure win nothing has to be worked out
    moves = sum(len(state.legal_actions()) for state in (_position(_EARLY), *below))

    def arguments() -> tuple[games.State, Memo]:
        state = _Counted()
        state.played = Counter()
        for move in _EARLY.split():
            state = state.child(state.string_to_action(move))
        state.played.clear()
        return state, {}

    def use(function: Function, state: _Counted, memo: Memo) -> dict[str, Any]:
        value = function(state, memo)
        played = state.played["moves"]
        return {
            "the value": value,
            "moves played": played,
            "positions below it that are missing in the memo": sum(
                each not in memo for each in _unfinished_below(state)
            ),
            "keys of the memo that are not positions": sum(
                not isinstance(key, games.State) for key in memo
            ),
        }

    return Case(
        arguments,
        {
            "the value": (0, 0),
            # Once from each position. An answer may make a child again to look it up or return it.
            "moves played": AtMost(3 * moves),
            "positions below it that are missing in the memo": AtMost(half),
            "keys of the memo that are not positions": 0,
        },
        shown=f"Tic-Tac-Toe after {_EARLY}, an empty memo, and the moves that you play are counted",
        use=use,
        changes_arguments=True,
    )


def _unfinished_below(state: games.State) -> set[games.State]:
    """The positions that can arise from `state` and are not terminal, without itself."""
    found: set[games.State] = set()
    waiting = [state]
    while waiting:
        here = waiting.pop()
        children = [here.child(action) for action in here.legal_actions()]
        new = [child for child in children if not child.is_terminal and child not in found]
        found.update(new)
        waiting += new
    return found


_EARLY: Final = "b2 a1"
_LATE: Final = "b2 a1 a3 c1 c3 c2"


def _minimax_cases() -> list[Case]:
    # The values were worked out by hand.
    return [
        _tic_tac_toe("a1 a2 b1 b2 c1", 1, -1),
        _tic_tac_toe("a1 a2 b1 b2 c3 c2", -1, 1),
        _tic_tac_toe("a1 b1 c1 b2 b3 a2 c2 c3 a3", 0, 0),
        _tic_tac_toe(f"{_LATE} b1", 0, 0),
        _tic_tac_toe(f"{_LATE} a2", -1, 1),
        _tic_tac_toe(_LATE, 1, -1),
        _written_out(
            turn_of(0, turn_of(0, won_by(1), won_by(0)), drawn()),
            *(1, -1),
            shown="player 0 can end it with a draw, or move once more and then win or lose",
        ),
        _written_out(
            turn_of(1, turn_of(1, won_by(0), won_by(1)), drawn()),
            *(-1, 1),
            shown="player 1 can end it with a draw, or move once more and then lose or win",
        ),
        _memo_is_read(),
        _memo_is_kept(),
    ]


def _minimax_variation(rng: np.random.Generator) -> Case:
    place = place_at_random(rng, int(rng.integers(1, 6)))
    shown = f"A random game\n{outlined(place)}"
    return Case(lambda: (TreeGame(place, (), SPARSE), {}), FROM_MODEL, shown, None, True)


def minimax(
    state: games.State, memo: dict[games.State, tuple[float, float]]
) -> tuple[float, float]:
    """The value of `state` to player 0 and to player 1; `memo` keeps what has been worked out."""
    if state in memo:
        return memo[state]
    if state.is_terminal:
        value = state.returns()
    else:
        mover = state.current_player
        values = [minimax(state.child(action), memo) for action in state.legal_actions()]
        value = max(values, key=lambda value: value[mover])
    memo[state] = value
    return value


# The function calls itself by its name, so the exercise goes by another one.
minimax_exercise: Final = exercise(cases=_minimax_cases, variation=_minimax_variation)(minimax)
