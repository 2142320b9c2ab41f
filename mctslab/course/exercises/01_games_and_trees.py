"""Notebook 01, games and trees: who has won, how many games there are, what a position is worth."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import FROM_MODEL, Case, Function, Shares, Tally, tally
from mctslab.course.exercise import exercise
from mctslab.course.memos import false_memo, many_transpositions
from mctslab.course.positions import after, after_random_moves, drawing, squares_of
from mctslab.course.tree_game import (
    Place,
    drawn,
    game_of,
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
    squares = squares_of(board, "XO")
    shown = f"squares={squares}\n{drawing(squares, 3, 'XO')}"
    return Case(lambda: (squares,), (first, second), shown)


def _line_up_cases() -> list[Case]:
    return [
        _line_up("OXX OX. O..", -1, 1),
        _line_up("OXX OO. OXX", -1, 1),
        # A free row is three times the same, but belongs to nobody.
        *(_line_up(board, 1, -1) for board in ("... OO. XXX", "XXX OO. ...")),
    ]


def _line_up_variation(rng: np.random.Generator) -> Case:
    state = after_random_moves(rng, games.TicTacToe(), 9)
    return _line_up("".join("XO."[stone] for stone in state.board().stones), *state.returns())


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


# num_games


def _num_games_case(state: games.State, shown: str) -> Case:
    return Case(lambda: (state,), shown=shown)


def _num_games_cases() -> list[Case]:
    over = after(games.TicTacToe(), "a1 b1 c1 b2 b3 a2 c2 c3 a3")
    late = after(games.TicTacToe(), "b2 a1 a3 c1 c3 c2")
    return [
        _num_games_case(over, f"Tic-Tac-Toe, a game that is over\n{over}"),
        _num_games_case(late, f"Tic-Tac-Toe, X to move\n{late}"),
    ]


def _num_games_variation(rng: np.random.Generator) -> Case:
    place = place_at_random(rng, int(rng.integers(1, 6)))
    return _num_games_case(game_of(place), f"A game\n{outlined(place)}")


@exercise(cases=_num_games_cases, variation=_num_games_variation)
def num_games(state: games.State) -> int:
    """How many different games can still be played."""
    if state.is_terminal:
        return 1
    return sum(num_games(state.child(action)) for action in state.legal_actions())


# smallest_view


def _view_variation(rng: np.random.Generator) -> Case:
    state = after_random_moves(rng, games.TicTacToe(), int(rng.integers(1, 10)))
    squares = state.board().stones
    shown = f"squares={squares}\n{drawing(squares, 3, 'XO')}"
    return Case(lambda: (squares,), shown=shown)


@exercise(variation=_view_variation, points=2)
def smallest_view(squares: Sequence[int]) -> tuple[int, ...]:
    """The smallest of the eight views of a board, each of them a tuple of nine numbers."""
    board = np.array(squares).reshape(3, 3)
    views = []
    for side in (board, board.T):
        for quarter_turns in range(4):
            views.append(tuple(np.rot90(side, quarter_turns).flat))
    return min(views)


# minimax


def _minimax_case(state: games.State, shown: str) -> Case:
    return Case(lambda: (state, {}), shown=shown, changes_arguments=True)


def _minimax_cases() -> list[Case]:
    over = after(games.TicTacToe(), "a1 b1 c1 b2 b3 a2 c2 c3 a3")
    return [
        _minimax_case(over, f"Tic-Tac-Toe, a game that is over\n{over}"),
        false_memo((-1.0, 1.0)),
        many_transpositions((0, 0)),
    ]


def _minimax_variation(rng: np.random.Generator) -> Case:
    place = place_at_random(rng, int(rng.integers(1, 6)))
    return _minimax_case(game_of(place), f"A random game\n{outlined(place)}")


@exercise(cases=_minimax_cases, variation=_minimax_variation, points=2)
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


# walk_estimate


def _walk_case(place: Place, shown: str, expected: object = FROM_MODEL) -> Case:
    return Case(lambda: (game_of(place), np.random.default_rng(1)), expected, shown)


def _many_walks(function: Function, state: games.State, rng: np.random.Generator) -> Tally:
    return tally(function(state, rng) for _ in range(1_200))


def _walk_cases() -> list[Case]:
    fork = turn_of(0, drawn(), turn_of(1, won_by(0), drawn()), turn_of(0, turn_of(1, drawn())))
    # Two of the three moves leave no choice, and the third leaves two.
    shares = Shares({3: 2 / 3, 6: 1 / 3})
    many = drawn()
    for ply in range(500):
        many = turn_of(ply % 2, *[many] * 5)
    return [
        _walk_case(won_by(0), "a game that is over"),
        replace(_walk_case(fork, f"1,200 walks\n{outlined(fork)}", shares), use=_many_walks),
        _walk_case(many, "a game of 500 plies, 5 moves at each").with_about(
            "NumPy's integers are too small for this number, and a `float` can be: "
            "Python's own `int` has no limit."
        ),
    ]


def _walk_variation(rng: np.random.Generator) -> Case:
    widths = [int(rng.integers(1, 7)) for _ in range(int(rng.integers(1, 8)))]
    place = drawn()
    for width in widths:
        place = turn_of(int(rng.integers(2)), *[place] * width)
    return _walk_case(place, f"a game with {', then '.join(map(str, reversed(widths)))} moves")


@exercise(cases=_walk_cases, variation=_walk_variation)
def walk_estimate(state: games.State, rng: np.random.Generator) -> int:
    """How many games there are, estimated from one random walk to the end of a game."""
    estimate = 1
    while not state.is_terminal:
        actions = state.legal_actions()
        estimate *= len(actions)
        state = state.child(rng.choice(actions))
    return estimate
