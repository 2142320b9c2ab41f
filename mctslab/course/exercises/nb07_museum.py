"""Notebook 07, the bug museum: three faults that were found in other people's programs.

The first was in the Connect Four of muzero-general (issue 37), the second in the package mcts of
pbsinclair42 (issue 6). The third occurs where programs learn from games; a relative of it was in
RocAlphaGo (pull request 133).
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from mctslab import games
from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case, edits_in, mistakes_in

# museum_result

Returns = tuple[float, float]
Squares = tuple[int, ...]
Lines = tuple[tuple[int, ...], ...]


def _lines(rows: int, cols: int) -> Lines:
    """All fours on a board: level, upright, and on both diagonals."""
    found = []
    for row, col in itertools.product(range(rows), range(cols)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if row + 3 * down < rows and 0 <= col + 3 * right < cols:
                line = ((row + i * down) * cols + col + i * right for i in range(4))
                found.append(tuple(line))
    return tuple(found)


def _result_case(board: str, expected: Returns | None, note: str) -> Case:
    """The case of a board that is written as rows of R for player 0, Y for player 1, and dots."""
    rows = board.split()
    squares = tuple({"R": 0, "Y": 1, ".": -1}[mark] for row in rows for mark in row)
    drawn = "\n".join(" ".join(row) for row in rows)
    shown = f"{note}; R is player 0, Y is player 1, the lines are all fours in a row\n{drawn}"
    lines = _lines(len(rows), len(rows[0]))
    return Case(lambda: (squares, lines), expected, shown)


def _result_cases() -> list[Case]:
    return [
        _result_case(".... .... .... ....", None, "an empty board"),
        _result_case(".... .... YYY. RRRR", (1, -1), "four in a row"),
        _result_case("RRRR. RRYYY YYYRY RYRRY", (1, -1), "four in the top row"),
        _result_case("Y... YR.. YR.. YRR.", (-1, 1), "four on top of each other"),
        _result_case(".... R.Y. YRRY RYYR", None, "a game that goes on"),
        _result_case("RRYY RYRR RYYY YRYR", (0, 0), "a full board without a line"),
        _result_case("RRY. RYRR RYYY YRYR", None, "one square is left"),
        _result_case("RRRY RYYR RYYY YRRY", (-1, 1), "the last piece has made four"),
        _result_case("RRRYY RYYYR RYRYR RYYRY YRYRR", (1, -1), "the last of 25 has made four"),
        _result_case(
            "YRYRYRY YYRYRYR YRYRYRY YRYRYRY RYRYRYR YRRRYRR",
            *((-1, 1), "the game by which the fault was found"),
        ),
    ]


def _result_variation(rng: np.random.Generator) -> Case:
    state: games.State = games.ConnectFour(rows=4, cols=int(rng.integers(4, 7)))
    for _ in range(rng.integers(1, 25)):
        if not state.is_terminal:
            state = state.child(int(rng.choice(state.legal_actions())))
    board, returns = state.board(), state.returns() if state.is_terminal else None
    text = "".join("RY."[stone] for stone in board.stones)
    rows = " ".join(text[at : at + board.cols] for at in range(0, len(text), board.cols))
    return _result_case(rows, returns, "a position of Connect Four on a small board")


@exhibit(
    title="A win that nobody got",
    start=edits_in("""
        - for line in lines:
        + if -1 not in squares:
        +     return 0, 0
        + for line in lines:
        - if -1 not in squares:
        -     return 0, 0
    """),
    faulty="if -1 not in squares:",
    cases=_result_cases,
    variation=_result_variation,
    hints=(
        "The function is right for nearly every game. Which games end in a rare way?",
        "With the last piece a player may complete a line. What is checked first then?",
        "Look at the lines first. It is a draw only if no line belongs to one player and no square "
        "is empty.",
    ),
    when_right="The fault was in muzero-general, in its Connect Four and its Tic-Tac-Toe.",
    mistakes=mistakes_in("""
        a full board that no longer ends the game
            A full board without a line is a draw, and the game is over. The test is needed, but
            after the lines.
            - if -1 not in squares:
            -     return 0, 0
        a draw where the game goes on
            Without a line the game is a draw only if no square is empty. If one is, return None.
            return None => return 0, 0
        a full board always won by the player who moves last
            The last piece can win, but it need not. Look at the lines first.
            - for line in lines:
            + if -1 not in squares:
            +     return (1, -1) if len(squares) % 2 == 1 else (-1, 1)
            + for line in lines:
        a draw called after the first line
            The test for a full board is now inside the loop. It has to wait until all lines have
            been checked.
            - if owners == {1}:
            -     return -1, 1
            + if owners == {1}:
            +     return -1, 1
            + if -1 not in squares:
            +     return 0, 0
        a draw called one piece too early
            With one square empty the game goes on, and the last piece can still win.
            -1 not in squares => squares.count(-1) <= 1
        only one player's lines counted on a full board
            On a board with an odd number of squares the other player has the last piece. Look for
            the lines of both.
            return 1, -1 => return (1, -1) if -1 in squares else (0, 0)
        an empty line taken for a player's line
            Four empty squares have one owner, too: -1. Only lines of 0 or of 1 win.
            owners == {1} => len(owners) == 1
        the returns the wrong way round
            The first number is for player 0. If player 0 has a line, it is 1.
            return 1, -1 => return -1, 1
            return -1, 1 => return 1, -1
    """),
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
    uneven = ((3, 60, 36.0), (4, 30, -3.0), (5, 10, -2.0))
    against = ((0, 50, -30.0), (1, 10, -2.0), (2, 20, -9.0))
    close = ((2, 60, -12.0), (5, 36, 4.0), (6, 12, -1.0))
    poor = ((2, 60, 28.0), (5, 36, 17.0), (6, 12, 12.0))
    seldom = ((1, 47, -17.0), (3, 13, -4.0), (5, 54, 7.0))
    return [
        case(0, clear, 0.0, expected=0),
        case(1, clear, 0.0, expected=1),
        case(0, uneven, 0.5, expected=3),
        case(1, uneven, 0.5, expected=5),
        case(0, against, 0.5, expected=1),
        case(1, against, 0.25, expected=0),
        case(1, close, 0.0, expected=2),
        case(1, close, 1.0, expected=6),
        case(1, poor, 0.5, expected=5),
        case(0, seldom, 1.5, expected=3),
    ]


def _best_move_variation(rng: np.random.Generator) -> Case:
    visits = rng.integers(1, 40, rng.integers(2, 6))
    moves = tuple(
        (2 * action + 1, int(n), float(rng.uniform(-n, n))) for action, n in enumerate(visits)
    )
    return case(int(rng.integers(2)), moves, float(rng.uniform(0, 2)), expected=FROM_MODEL)


@exhibit(
    title="A search whose opponent helps",
    start=edits_in("""
        - if player == 1:
        -     mean_value = -mean_value
    """),
    faulty="mean_value = total_value / visit_count",
    cases=_best_move_cases,
    variation=_best_move_variation,
    hints=(
        "Which argument of the function is never used?",
        "A high W is good for player 0. What does player 1 want?",
        "The mean has to change its sign if `player` is 1. The bonus stays as it is.",
    ),
    when_right="With the fault the search believes that the opponent plays for us, and it "
    "overlooks the simplest threats.",
    mistakes=mistakes_in("""
        the bonus negated as well
            With `-(mean + bonus)`, or `min` instead of `max`, player 1 prefers the moves that were
            tried most. Only the mean changes its sign; the bonus is the same for both players.
            mean_value + bonus => mean_value + bonus if player == 0 else mean_value - bonus
        the sign changed for the wrong player
            W is counted for player 0, who can use it as it is. Player 1 needs the opposite sign.
            player == 1 => player == 0
        the sign changed for both players
            Now every level chooses what is best for player 1. The sign depends on `player`.
            - if player == 1:
            -     mean_value = -mean_value
            + mean_value = -mean_value
        the number of the player used as a sign
            The players are 0 and 1, not -1 and 1. Multiplied by 0, all values vanish for player 0.
            The sign is 1 for player 0 and -1 for player 1.
            - if player == 1:
            -     mean_value = -mean_value
            + mean_value = -player * mean_value
        no bonus for player 1
            Both players explore. Without the bonus, player 1 never again tries a reply that was
            unlucky once, and the search thinks too well of player 0's moves.
            mean_value + bonus => mean_value + (bonus if player == 0 else 0)
        the sum instead of the mean for player 1
            W grows with the visits. To compare moves, divide it by N, for both players.
            -mean_value => -total_value
        the values of player 1 lost
            Player 1 uses the values as well, only with the other sign.
            -mean_value => 0.0
        the most visited move
            That is the move to play when the search is over. On the way down the tree the score
            decides, or nothing else would ever be tried.
            mean_value + bonus => visit_count
    """),
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


def _labels_cases() -> list[Case]:
    return [
        case((0,), 0, expected=[1]),
        case((0, 1), 1, expected=[-1, 1]),
        case((0, 1, 0), 0, expected=[1, -1, 1]),
        case((0, 1, 0, 1), None, expected=[0, 0, 0, 0]),
        case((0, 1, 0, 1, 0), 1, expected=[-1, 1, -1, 1, -1]),
        # A player had to pass, or moved twice.
        case((0, 1, 1, 0), 1, expected=[-1, 1, 1, -1]),
        case((1, 0, 0, 1), 0, expected=[-1, 1, 1, -1]),
    ]


def _labels_variation(rng: np.random.Generator) -> Case:
    players = tuple(map(int, rng.integers(0, 2, rng.integers(1, 20))))
    return case(players, (0, 1, None)[rng.integers(3)], expected=FROM_MODEL)


@exhibit(
    title="A record that is unfair to the second player",
    start=edits_in("""
        - else:
        -     labels.append(1 if player == winner else -1)
        + elif winner == 0:
        +     labels.append(1 if player == 0 else -1)
        + else:
        +     labels.append(-1)
    """),
    faulty="labels.append(-1)",
    cases=_labels_cases,
    variation=_labels_variation,
    hints=(
        "Go through a short game by hand: player 0 moves, player 1 moves and wins.",
        "If player 1 has won, is every position bad for its player to move?",
        "Whoever has won, the winner's positions get 1 and the other player's -1. Compare "
        "`player` with `winner`.",
    ),
    when_right="A program that learns from such a record believes that no position is good for "
    "player 1.",
    mistakes=mistakes_in("""
        every position labelled for player 0
            A label is for the player to move there. If player 1 has won, player 1's positions get
            1.
            player == winner => winner == 0
        every position labelled 1 when player 1 wins
            That is the same fault with the other sign. The positions in which player 0 was to move
            are lost then.
            player == winner => winner == 1 or player == 0
        the labels of the other branch copied as they are
            If player 1 has won, player 1 gets 1. Compare `player` with `winner`.
            player == winner => player == 0
        the label of the player who has just moved
            In each position `player` is the one to move, and the label is for that player.
            1 if player == winner else -1 => -1 if player == winner else 1
        the sign changed from one position to the next
            If a player passes or moves twice, turns do not alternate. Compare each player with the
            winner.
            player == winner => len(labels) % 2 == winner
        no case for a draw
            After a draw `winner` is None, which is nobody's number. The label is 0.
            - if winner is None:
            - ...
            -     labels.append(1 if player == winner else -1)
            + labels.append(1 if player == winner else -1)
        player 0 taken for nobody
            In Python 0 counts as false, so `if not winner` is true if player 0 has won. Write `if
            winner is None`.
            winner is None => not winner
        a loss labelled as a draw
            The positions of the player who lost get -1; 0 is for a draw.
            else -1 => else 0
    """),
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
