"""Notebook 07, the bug museum: three faults that were found in other people's programs.

The first stood in the Connect Four of muzero-general (issue 37), the second in the package mcts of
pbsinclair42 (issue 6). The third is found where programs learn from games; a relative of it stood
in RocAlphaGo (pull request 133).
"""

import itertools
import math
from collections.abc import Callable, Sequence

from mctslab.course.exhibit import exhibit
from mctslab.course.question import Case, Misconception, case, misconception

# museum_result

Returns = tuple[float, float]
Squares = tuple[int, ...]
Lines = tuple[tuple[int, ...], ...]


def _result_start(squares: Squares, lines: Lines) -> Returns | None:
    """The returns of a game, or None while it goes on; a square holds 0, 1, or -1 for empty."""
    if -1 not in squares:
        return 0, 0
    for line in lines:
        owners = {squares[square] for square in line}
        if owners == {0}:
            return 1, -1
        if owners == {1}:
            return -1, 1
    return None


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


@misconception(
    "the full board no end any more",
    "A full board without a line is a draw, and the game is over: the test is needed, after the "
    "lines.",
)
def _no_draws(squares: Squares, lines: Lines) -> Returns | None:
    winner = _owner_of_a_line(squares, lines)
    return None if winner is None else _returns_of(winner)


@misconception(
    "a draw where the game goes on",
    "Without a line the game is a draw only if no square is empty. If one is, give None.",
)
def _draw_while_it_goes_on(squares: Squares, lines: Lines) -> Returns | None:
    winner = _owner_of_a_line(squares, lines)
    return (0, 0) if winner is None else _returns_of(winner)


@misconception(
    "a full board always won by the one who moves last",
    "The last piece may win, or it may not. The lines tell: look at them first.",
)
def _won_by_the_last(squares: Squares, lines: Lines) -> Returns | None:
    if -1 not in squares:
        return _returns_of((len(squares) - 1) % 2)
    winner = _owner_of_a_line(squares, lines)
    return None if winner is None else _returns_of(winner)


@misconception(
    "a draw called after the first line",
    "The test on the full board stands inside the loop now. It has to wait until all lines have "
    "been looked at.",
)
def _draw_in_the_loop(squares: Squares, lines: Lines) -> Returns | None:
    for line in lines:
        winner = _owner_of_a_line(squares, (line,))
        if winner is not None:
            return _returns_of(winner)
        if -1 not in squares:
            return 0, 0
    return None


@misconception(
    "a draw called one piece too early",
    "With one square empty the game goes on: the last piece may still win.",
)
def _one_piece_early(squares: Squares, lines: Lines) -> Returns | None:
    winner = _owner_of_a_line(squares, lines)
    if winner is not None:
        return _returns_of(winner)
    return (0, 0) if squares.count(-1) <= 1 else None


@misconception(
    "only one player's lines counted on a full board",
    "On a board with an odd number of squares the other player has the last piece: look for the "
    "lines of both.",
)
def _one_players_lines(squares: Squares, lines: Lines) -> Returns | None:
    winner = _owner_of_a_line(squares, lines)
    if -1 not in squares and winner != 1:
        return 0, 0
    return None if winner is None else _returns_of(winner)


@misconception(
    "an empty line taken for a line of somebody",
    "Four empty squares have one owner, too: -1. Only lines of 0 or of 1 win.",
)
def _empty_lines_win(squares: Squares, lines: Lines) -> Returns | None:
    for line in lines:
        owners = {squares[square] for square in line}
        if len(owners) == 1:
            return _returns_of(owners.pop())
    return None if -1 in squares else (0, 0)


@misconception(
    "the returns the wrong way round",
    "The first number is for player 0. If player 0 has a line, it is 1.",
)
def _wrong_way_round(squares: Squares, lines: Lines) -> Returns | None:
    winner = _owner_of_a_line(squares, lines)
    if winner is not None:
        return _returns_of(1 - winner)
    return None if -1 in squares else (0, 0)


def _owner_of_a_line(squares: Squares, lines: Lines) -> int | None:
    for line in lines:
        owners = {squares[square] for square in line}
        if owners in ({0}, {1}):
            return owners.pop()
    return None


def _returns_of(winner: int) -> Returns:
    return (1, -1) if winner == 0 else (-1, 1)


@exhibit(
    title="A win that nobody got",
    start=_result_start,
    faulty="if -1 not in squares:",
    cases=_result_cases,
    misconceptions=(
        _no_draws,
        _draw_while_it_goes_on,
        _won_by_the_last,
        _draw_in_the_loop,
        _one_piece_early,
        _one_players_lines,
        _empty_lines_win,
        _wrong_way_round,
    ),
    hints=(
        "The function is right about nearly every game. Which games end in a way that is rare?",
        "With the last piece a player may complete a line. What is asked first then?",
        "Look at the lines first. Only when none of them is full of one colour, and no square is "
        "empty, is it a draw.",
    ),
    when_right="The fault stood in a well-known program, in its Connect Four and its Tic-Tac-Toe.",
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


def _best_move_start(player: int, moves: Moves, c: float) -> int:
    """The move that `player` follows down the tree: each has N, and W as counted for player 0."""
    all_visits = sum(visit_count for _, visit_count, _ in moves)
    scores = {}
    for action, visit_count, total_value in moves:
        mean_value = total_value / visit_count
        bonus = c * math.sqrt(math.log(all_visits) / visit_count)
        scores[action] = mean_value + bonus
    return max(scores, key=lambda action: scores[action])


def _best_move_cases() -> list[Case]:
    clear = ((0, 10, 8.0), (1, 10, -8.0), (2, 10, 1.0))
    uneven = ((3, 60, 36.0), (4, 30, -3.0), (5, 10, -2.0))
    against = ((0, 50, -30.0), (1, 10, -2.0), (2, 20, -9.0))
    close = ((2, 60, -12.0), (5, 36, 4.0), (6, 12, -1.0))
    poor = ((2, 60, 28.0), (5, 36, 17.0), (6, 12, 12.0))
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
    ]


def _best_move_variant(
    name: str, explanation: str
) -> Callable[[Callable[[int, float, int, float], float]], Misconception]:
    """Turn a wrong score, of the player, W, N and the bonus, into a wrong choice."""

    def make(score: Callable[[int, float, int, float], float]) -> Misconception:
        def best_move(player: int, moves: Moves, c: float) -> int:
            all_visits = sum(visit_count for _, visit_count, _ in moves)
            scores = {}
            for action, visit_count, total_value in moves:
                bonus = c * math.sqrt(math.log(all_visits) / visit_count)
                scores[action] = score(player, total_value, visit_count, bonus)
            return max(scores, key=lambda action: scores[action])

        return Misconception(name, explanation, best_move)

    return make


@_best_move_variant(
    "the bonus turned round as well",
    "With `-(mean + bonus)`, or `min` in place of `max`, player 1 is drawn to the moves that were "
    "tried most. Only the mean changes its sign; the bonus is for whoever is to choose.",
)
def _bonus_turned(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    score = total_value / visit_count + bonus
    return score if player == 0 else -score


@_best_move_variant(
    "the sign turned for the wrong player",
    "W is counted for player 0, who can use it as it is. It is player 1 who sees it the other way.",
)
def _wrong_player(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    mean_value = total_value / visit_count
    return (mean_value if player == 1 else -mean_value) + bonus


@_best_move_variant(
    "the sign turned for both players",
    "Now every level chooses what is best for player 1. The sign depends on `player`.",
)
def _both_turned(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    return -total_value / visit_count + bonus


@_best_move_variant(
    "the number of the player used as a sign",
    "The players are 0 and 1, not -1 and 1: times 0, player 0 sees no values at all. The sign is "
    "1 for player 0 and -1 for player 1.",
)
def _number_as_sign(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    return -player * total_value / visit_count + bonus


@_best_move_variant(
    "no bonus for player 1",
    "Both players explore. Without the bonus, player 1 never tries again a reply that was unlucky "
    "once, and the tree takes too rosy a view of player 0's moves.",
)
def _no_bonus(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    mean_value = total_value / visit_count
    return mean_value + bonus if player == 0 else -mean_value


@_best_move_variant(
    "the sum in place of the mean for player 1",
    "W grows with the visits. To compare moves divide it by N, for either player.",
)
def _sum_for_player_1(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    return (total_value / visit_count if player == 0 else -total_value) + bonus


@_best_move_variant(
    "the values of player 1 lost",
    "Player 1 does see the values, only with the other sign.",
)
def _no_values(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    return (total_value / visit_count if player == 0 else 0.0) + bonus


@_best_move_variant(
    "the most visited move",
    "That is the move to play when the search is over. On the way down the tree the score decides, "
    "or nothing else would ever be tried.",
)
def _most_visited(player: int, total_value: float, visit_count: int, bonus: float) -> float:
    return visit_count


@exhibit(
    title="A search whose opponent helps",
    start=_best_move_start,
    faulty="mean_value = total_value / visit_count",
    cases=_best_move_cases,
    misconceptions=(
        _bonus_turned,
        _wrong_player,
        _both_turned,
        _number_as_sign,
        _no_bonus,
        _sum_for_player_1,
        _no_values,
        _most_visited,
    ),
    hints=(
        "Which argument of the function is never used?",
        "A high W is good for player 0. What would player 1 like to see?",
        "The mean has to change its sign where `player` is 1, and the bonus has not.",
    ),
    when_right="With the fault the search takes it that the opponent plays for us, and walks into "
    "the simplest threats.",
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

Labels = list[int]
Players = tuple[int, ...]


def _labels_start(players: Players, winner: int | None) -> list[int]:
    """What each position was worth to its player to move; `winner` is None after a draw."""
    labels = []
    for player in players:
        if winner is None:
            labels.append(0)
        elif winner == 0:
            labels.append(1 if player == 0 else -1)
        else:
            labels.append(-1)
    return labels


def _labels_cases() -> list[Case]:
    return [
        case((0,), 0, expected=[1]),
        case((0, 1), 1, expected=[-1, 1]),
        case((0, 1, 0), 0, expected=[1, -1, 1]),
        case((0, 1, 0, 1), None, expected=[0, 0, 0, 0]),
        case((0, 1, 0, 1, 0), 1, expected=[-1, 1, -1, 1, -1]),
        # Somebody had to pass, or moved twice.
        case((0, 1, 1, 0), 1, expected=[-1, 1, 1, -1]),
        case((1, 0, 0, 1), 0, expected=[-1, 1, 1, -1]),
    ]


def _label(
    name: str, explanation: str
) -> Callable[[Callable[[int, int | None, int], int]], Misconception]:
    """Turn a wrong label, of the player, the winner and the ply, into wrong labels."""

    def make(label: Callable[[int, int | None, int], int]) -> Misconception:
        def labels(players: Players, winner: int | None) -> Labels:
            return [label(player, winner, ply) for ply, player in enumerate(players)]

        return Misconception(name, explanation, labels)

    return make


@_label(
    "every position seen with the eyes of player 0",
    "A label is for the player to move there: where player 1 has won, player 1's positions get 1.",
)
def _for_player_0(player: int, winner: int | None, ply: int) -> int:
    return 0 if winner is None else 1 if winner == 0 else -1


@_label(
    "every position labelled 1 when player 1 wins",
    "That is the same fault with the other sign: the positions where player 0 was to move are lost "
    "then.",
)
def _all_won(player: int, winner: int | None, ply: int) -> int:
    if winner is None:
        return 0
    return 1 if winner == 1 or player == 0 else -1


@_label(
    "the labels of the other branch copied as they are",
    "Where player 1 has won it is player 1 who gets 1: compare `player` with `winner`.",
)
def _copied_branch(player: int, winner: int | None, ply: int) -> int:
    if winner is None:
        return 0
    return 1 if player == 0 else -1


@_label(
    "the label of the player who has just moved",
    "In a position it is `player` who is to move, and the label is for that one.",
)
def _for_the_other(player: int, winner: int | None, ply: int) -> int:
    if winner is None:
        return 0
    return -1 if player == winner else 1


@_label(
    "the sign changed from one position to the next",
    "Where somebody passes, or moves twice, the same player is to move again. Compare each player "
    "with the winner.",
)
def _in_turn(player: int, winner: int | None, ply: int) -> int:
    return 0 if winner is None else 1 if ply % 2 == winner else -1


@_label(
    "no case for a draw",
    "After a draw `winner` is None, and so nobody's number. The label is 0.",
)
def _no_draw(player: int, winner: int | None, ply: int) -> int:
    return 1 if player == winner else -1


@_label(
    "player 0 taken for nobody",
    "In Python 0 counts as false, so `if not winner` is true when player 0 has won. Ask "
    "`if winner is None`.",
)
def _zero_is_nobody(player: int, winner: int | None, ply: int) -> int:
    if not winner:
        return 0
    return 1 if player == winner else -1


@_label(
    "a loss labelled as a draw",
    "The positions of the one who lost get -1; 0 is for a draw.",
)
def _loss_is_zero(player: int, winner: int | None, ply: int) -> int:
    return 1 if player == winner else 0


@exhibit(
    title="A record that is against the second player",
    start=_labels_start,
    faulty="labels.append(-1)",
    cases=_labels_cases,
    misconceptions=(
        _for_player_0,
        _all_won,
        _copied_branch,
        _for_the_other,
        _in_turn,
        _no_draw,
        _zero_is_nobody,
        _loss_is_zero,
    ),
    hints=(
        "Go through a short game by hand: player 0 moves, player 1 moves and wins.",
        "Where player 1 has won, is every position bad for the one to move in it?",
        "The winner's own positions get 1, the other player's -1, whoever has won: compare "
        "`player` with `winner`.",
    ),
    when_right="Whoever learns from such a record believes that no position is good for player 1.",
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
