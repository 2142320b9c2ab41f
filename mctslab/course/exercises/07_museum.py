"""Notebook 07, the bug museum: three faults that were found in other people's programs.

The first was in the Connect Four of muzero-general (issue 37), the second in the package mcts of
pbsinclair42 (issue 6). The third occurs where programs learn from games; a relative of it was in
RocAlphaGo (pull request 133).
"""

import math
from collections.abc import Sequence

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import Case, case
from mctslab.course.exercise import exercise
from mctslab.course.positions import after_random_moves, drawing, lines_on, squares_of

# museum_result

Returns = tuple[float, float]
Squares = tuple[int, ...]
Lines = tuple[tuple[int, ...], ...]


def _result_case(squares: Sequence[int], num_cols: int) -> Case:
    shown = "R is player 0, Y is player 1, the lines are all fours in a row\n"
    shown += drawing(squares, num_cols, "RY")
    lines = tuple(lines_on(len(squares) // num_cols, num_cols, 4))
    return Case(lambda: (tuple(squares), lines), shown=shown)


def _result_cases() -> list[Case]:
    return [
        _result_case(squares_of(".... .... YYY. RRRR", "RY"), 4),
        _result_case(squares_of("RRRR. RRYYY YYYRY RYRRY", "RY"), 5),
        _result_case(squares_of("RRY. RYRR RYYY YRYR", "RY"), 4),
        _result_case(squares_of("RRRYY RYYYR RYRYR RYYRY YRYRR", "RY"), 5),
    ]


def _result_variation(rng: np.random.Generator) -> Case:
    """A position of Connect Four, full now and then."""
    first = games.ConnectFour(rows=4, cols=int(rng.integers(4, 6)))
    board = after_random_moves(rng, first, int(rng.integers(1, 30))).board()
    return _result_case(board.stones, board.cols)


@exercise(
    start="""
        - for line in lines:
        + if -1 not in squares:
        +     return 0, 0
        + for line in lines:
        - if -1 not in squares:
        -     return 0, 0
    """,
    faulty="if -1 not in squares:",
    cases=_result_cases,
    variation=_result_variation,
)
def museum_result(squares: Squares, lines: Lines) -> Returns | None:
    """The returns of a game, or None while it goes on; a square holds 0, 1, or -1 for empty."""
    for line in lines:
        owners = {squares[square] for square in line}
        if owners == {0}:
            return 1, -1
        if owners == {1}:
            return -1, 1
    if -1 not in squares:
        return 0, 0
    return None


# museum_best_move

Moves = Sequence[tuple[int, int, float]]


def _best_move_cases() -> list[Case]:
    clear = ((0, 10, 8.0), (1, 10, -8.0), (2, 10, 1.0))
    seldom = ((1, 47, -17.0), (3, 13, -4.0), (5, 54, 7.0))
    once, thrice = (((1, number, 0.0), (3, 40, 4.0)) for number in (1, 3))
    return [
        case(1, clear, 0.0, expected=1),
        case(0, once, 2.0, expected=1),
        case(0, thrice, 2.0, expected=1),
        case(0, seldom, 1.5, expected=3),
    ]


def _best_move_variation(rng: np.random.Generator) -> Case:
    visits = rng.integers(1, 40, rng.integers(2, 6))
    moves = tuple(
        (2 * action + 1, int(n), float(rng.uniform(-n, n))) for action, n in enumerate(visits)
    )
    return case(int(rng.integers(2)), moves, float(rng.uniform(0, 2)))


@exercise(
    start="""
        - if player == 1:
        -     mean_value = -mean_value
    """,
    faulty="mean_value = total_value / visit_count",
    cases=_best_move_cases,
    variation=_best_move_variation,
    points=2,
)
def museum_best_move(player: int, moves: Moves, c: float) -> int:
    """The move that `player` follows down the tree: each has N, and W as counted for player 0."""
    all_visits = sum(visit_count for _, visit_count, _ in moves)
    scores = {}
    for action, visit_count, total_value in moves:
        mean_value = total_value / visit_count
        if player == 1:
            mean_value = -mean_value
        bonus = c * math.sqrt(math.log(all_visits) / visit_count)
        scores[action] = mean_value + bonus
    return max(scores, key=lambda action: scores[action])


# museum_labels

Players = tuple[int, ...]


def _labels_variation(rng: np.random.Generator) -> Case:
    players = tuple(map(int, rng.integers(0, 2, rng.integers(1, 20))))
    return case(players, (0, 1, None)[rng.integers(3)])


@exercise(
    start="""
        - else:
        -     labels.append(1 if player == winner else -1)
        + elif winner == 0:
        +     labels.append(1 if player == 0 else -1)
        + else:
        +     labels.append(-1)
    """,
    faulty="labels.append(-1)",
    variation=_labels_variation,
)
def museum_labels(players: Players, winner: int | None) -> list[int]:
    """What each position was worth to its player to move; `winner` is None after a draw."""
    labels = []
    for player in players:
        if winner is None:
            labels.append(0)
        else:
            labels.append(1 if player == winner else -1)
    return labels
