"""Notebook 01, games and trees: who has won, and what a position is worth."""

from collections import Counter
from collections.abc import Hashable
from typing import Any, Final

from mctslab import games
from mctslab.course.exercise import exercise
from mctslab.course.question import Case, Function, misconception
from mctslab.course.tree_game import Place, TreeGame, drawn, turn_of, won_by

Returns = tuple[float, float]
Memo = dict[games.State, Returns]

# line_up_returns

_ROWS: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_COLUMNS: Final = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_DIAGONALS: Final = ((0, 4, 8), (2, 4, 6))
_LINES: Final = (*_ROWS, *_COLUMNS, *_DIAGONALS)


def _line_up(board: str, first: int, second: int) -> Case:
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
    ]


def _winner(squares: tuple[int, ...], lines: tuple[tuple[int, ...], ...] = _LINES) -> int | None:
    """The player who fills one of `lines`."""
    for line in lines:
        owners = {squares[square] for square in line}
        if owners in ({0}, {1}):
            return owners.pop()
    return None


def _returns_of(winner: int | None) -> Returns:
    return (0, 0) if winner is None else (1, -1) if winner == 0 else (-1, 1)


@misconception(
    "a draw counted as a loss",
    "A draw is worth 0 to both players: it lies half-way between a win and a loss.",
)
def _draw_is_loss(squares: tuple[int, ...]) -> Returns:
    winner = _winner(squares)
    return (-1, -1) if winner is None else _returns_of(winner)


@misconception(
    "the two players changed round",
    "The first number of the pair belongs to player 0, who is X, and the second to player 1.",
)
def _players_changed_round(squares: tuple[int, ...]) -> Returns:
    first, second = _returns_of(_winner(squares))
    return second, first


@misconception(
    "a loss counted as 0",
    "A loss is worth -1. If it were worth 0, a loss would be as good as a draw.",
)
def _loss_is_zero(squares: tuple[int, ...]) -> Returns:
    first, second = _returns_of(_winner(squares))
    return max(first, 0), max(second, 0)


@misconception(
    "the diagonals forgotten",
    "There are eight lines: three rows, three columns and two diagonals.",
)
def _no_diagonals(squares: tuple[int, ...]) -> Returns:
    return _returns_of(_winner(squares, _ROWS + _COLUMNS))


@misconception(
    "one of the two diagonals forgotten",
    "Besides 0, 4, 8 there is the diagonal 2, 4, 6, from the top right to the bottom left.",
)
def _one_diagonal(squares: tuple[int, ...]) -> Returns:
    return _returns_of(_winner(squares, _ROWS + _COLUMNS + _DIAGONALS[:1]))


@misconception(
    "the columns forgotten",
    "There are eight lines: three rows, three columns and two diagonals.",
)
def _no_columns(squares: tuple[int, ...]) -> Returns:
    return _returns_of(_winner(squares, _ROWS + _DIAGONALS))


@misconception(
    "every full board called a draw",
    "The last square can complete a line. Look for lines first; only when there is none, and the "
    "game is over all the same, is it a draw.",
)
def _full_board_is_draw(squares: tuple[int, ...]) -> Returns:
    return (0, 0) if -1 not in squares else _returns_of(_winner(squares))


@misconception(
    "player 0 taken for nobody",
    "In Python 0 counts as false, so `if winner:` overlooks player 0. Ask `if winner is not None`.",
)
def _zero_is_nobody(squares: tuple[int, ...]) -> Returns:
    return _returns_of(_winner(squares) or None)


@misconception(
    "three free squares taken for a line",
    "Three equal numbers are a line only if they are not -1: nobody stands on a free square.",
)
def _free_squares_win(squares: tuple[int, ...]) -> Returns:
    for line in _LINES:
        if len({squares[square] for square in line}) == 1:
            return (1, -1) if squares[line[0]] == 0 else (-1, 1)
    return 0, 0


@misconception(
    "the pair written from the winner's point of view",
    "The order is fixed: first player 0, then player 1, whoever won. If O wins, it is (-1, 1).",
)
def _winner_first(squares: tuple[int, ...]) -> Returns:
    return (0, 0) if _winner(squares) is None else (1, -1)


@misconception(
    "one number in place of two",
    "Return a pair, what the game was worth to player 0 and what it was worth to player 1.",
)
def _one_number(squares: tuple[int, ...]) -> float:
    return _returns_of(_winner(squares))[0]


@misconception(
    "the lines counted",
    "One move can complete two lines at once. It is one win all the same, and worth 1.",
)
def _lines_counted(squares: tuple[int, ...]) -> Returns:
    won = [sum(all(squares[s] == player for s in line) for line in _LINES) for player in (0, 1)]
    return won[0] - won[1], won[1] - won[0]


@misconception(
    "the winner named in place of the returns",
    "Return what the game was worth to each of the two, not who won it.",
)
def _only_the_winner(squares: tuple[int, ...]) -> int | None:
    return _winner(squares)


@exercise(
    title="The returns of a line-up",
    cases=_line_up_cases,
    misconceptions=(
        _draw_is_loss,
        _players_changed_round,
        _loss_is_zero,
        _no_diagonals,
        _one_diagonal,
        _no_columns,
        _full_board_is_draw,
        _zero_is_nobody,
        _free_squares_win,
        _winner_first,
        _one_number,
        _lines_counted,
        _only_the_winner,
    ),
    hints=(
        "Write the eight lines of the board down as triples of squares: three rows, three columns, "
        "two diagonals. Then ask for each player whether one of the triples is all theirs.",
        "A triple such as `(0, 4, 8)` belongs to a player if "
        "`all(squares[square] == player for square in triple)`. Ask this for player 0 and for "
        "player 1; if neither has a line, a game that is over was a draw.",
        "For each `triple`: if it belongs to player 0, return `(1, -1)`; if it belongs to "
        "player 1, return `(-1, 1)`. After the loop, return `(0, 0)`.",
    ),
    when_right="That is the last of the four answers; the package's `returns()` gives the same.",
)
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


class _WatchedMemo(Memo):
    """A memo that remembers how often each entry was written."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: Counter[games.State] = Counter()

    def __setitem__(self, state: games.State, value: Returns) -> None:
        self.writes[state] += 1
        super().__setitem__(state, value)


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
    return Case(
        lambda: (state, {child: (-1.0, 1.0)}),
        (-1, 1),
        shown=f"Tic-Tac-Toe after {_LATE} b1, and a memo that says, wrongly, that a2 wins for O",
        changes_arguments=True,
    )


def _memo_is_kept() -> Case:
    state = _position("a1 b1 c1 b2")

    def use(function: Function, state: games.State, memo: _WatchedMemo) -> dict[str, Any]:
        value = function(state, memo)
        missing = sum(below not in memo for below in _unfinished_below(state))
        again = sum(count > 1 for count in memo.writes.values())
        others = sum(not isinstance(key, games.State) for key in memo)
        return {
            "the value": value,
            "positions below it that are missing in the memo": missing,
            "positions written into the memo more than once": again,
            "keys of the memo that are no positions": others,
        }

    return Case(
        lambda: (state, _WatchedMemo()),
        {
            "the value": (0, 0),
            "positions below it that are missing in the memo": 0,
            "positions written into the memo more than once": 0,
            "keys of the memo that are no positions": 0,
        },
        shown="Tic-Tac-Toe after a1 b1 c1 b2, and an empty memo that is watched",
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


def _best_for(player: int, values: list[Returns]) -> Returns:
    return max(values, key=lambda value: value[player])


@misconception(
    "everybody playing for player 0",
    "At player 1's turn take the child that is best for player 1: compare `value[mover]`.",
)
def _all_for_player_0(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_all_for_player_0(state.child(action), memo) for action in state.legal_actions()]
        memo[state] = _best_for(0, values) if values else state.returns()
    return memo[state]


@misconception(
    "turns counted, where the state has to be asked whose turn it is",
    "A search can begin at player 1's turn, and in some games a player moves twice in a row. "
    "`state.current_player` always knows.",
)
def _turns_counted(state: games.State, memo: Memo) -> Returns:
    return _by_turns(state, memo, 0)


def _by_turns(state: games.State, memo: Memo, mover: int) -> Returns:
    if state not in memo:
        values = [_by_turns(state.child(a), memo, 1 - mover) for a in state.legal_actions()]
        memo[state] = _best_for(mover, values) if values else state.returns()
    return memo[state]


@misconception(
    "the child's mover taken for the mover",
    "The one who chooses is `state.current_player`, asked of the state before the move. In the "
    "child it is the other's turn already.",
)
def _childs_mover(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        children = [state.child(action) for action in state.legal_actions()]
        values = [(_childs_mover(child, memo), child.current_player) for child in children]
        memo[state] = (
            max(values, key=lambda pair: pair[0][pair[1]])[0] if values else state.returns()
        )
    return memo[state]


@misconception(
    "the memo left aside",
    "The value is right, but positions are worked out again and again. Look into the memo before "
    "anything else, and write every value into it.",
)
def _no_memo(state: games.State, memo: Memo) -> Returns:
    values = [_no_memo(state.child(action), memo) for action in state.legal_actions()]
    return _best_for(state.current_player, values) if values else state.returns()


@misconception(
    "the memo read but never filled",
    "Before you return a value, write it down: `memo[state] = value`. And hand the very same memo "
    "to every call: what is written into a copy, or into a new one, is lost.",
)
def _never_written(state: games.State, memo: Memo) -> Returns:
    if state in memo:
        return memo[state]
    values = [_never_written(state.child(action), memo) for action in state.legal_actions()]
    return _best_for(state.current_player, values) if values else state.returns()


@misconception(
    "the memo written but never read",
    "Begin with a look into the memo: `if state in memo: return memo[state]`.",
)
def _never_read(state: games.State, memo: Memo) -> Returns:
    values = [_never_read(state.child(action), memo) for action in state.legal_actions()]
    memo[state] = _best_for(state.current_player, values) if values else state.returns()
    return memo[state]


@misconception(
    "a memo with other keys than states",
    "`memo` goes from the state itself to its value: `memo[state]`. States can be keys because "
    "they never change.",
)
def _other_keys(state: games.State, memo: dict[Hashable, Returns]) -> Returns:
    key = str(state)
    if key not in memo:
        values = [_other_keys(state.child(action), memo) for action in state.legal_actions()]
        memo[key] = _best_for(state.current_player, values) if values else state.returns()
    return memo[key]


@misconception(
    "the best action in place of its value",
    "What is asked for is the value of the position, a pair of numbers, not the move.",
)
def _the_action(state: games.State, memo: Memo) -> int | Returns:
    if state.is_terminal:
        return state.returns()
    mover = state.current_player
    return max(state.legal_actions(), key=lambda a: _right(state.child(a), memo)[mover])


@misconception(
    "one number in place of two",
    "Return the pair: the value to player 0 and the value to player 1.",
)
def _one_value(state: games.State, memo: Memo) -> float:
    return _right(state, memo)[0]


@misconception(
    "the pair written from the mover's point of view",
    "The order of the pair is fixed: first player 0, then player 1, whoever is to move.",
)
def _mover_first(state: games.State, memo: Memo) -> Returns:
    value = _right(state, memo)
    return value if state.current_player == 0 else (value[1], value[0])


@misconception(
    "the mean of the children",
    "That is what the position is worth when moves are drawn at random. A player who plays well "
    "takes the best child.",
)
def _mean(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_mean(state.child(action), memo) for action in state.legal_actions()]
        first = sum(value[0] for value in values) / len(values) if values else state.returns()[0]
        memo[state] = (first, -first)
    return memo[state]


@misconception(
    "the worst child in place of the best",
    "The mover takes the maximum of `value[mover]`. (The minimum is right for player 1 only if "
    "the values compared are player 0's.)",
)
def _worst(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_worst(state.child(action), memo) for action in state.legal_actions()]
        mover = state.current_player
        memo[state] = min(values, key=lambda value: value[mover]) if values else state.returns()
    return memo[state]


@misconception(
    "a case for the end of the game missing",
    "A terminal state has no children to choose from. Its value is `state.returns()`.",
)
def _no_end(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_no_end(state.child(action), memo) for action in state.legal_actions()]
        memo[state] = _best_for(state.current_player, values)
    return memo[state]


@misconception(
    "a return inside the loop over the actions",
    "Then only the first action is looked at. Collect the values of all children first.",
)
def _first_child(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        memo[state] = (
            state.returns()
            if state.is_terminal
            else _first_child(state.child(state.legal_actions()[0]), memo)
        )
    return memo[state]


@misconception(
    "a draw counted as a loss",
    "A terminal state is worth `state.returns()`, and those of a draw are (0, 0).",
)
def _drawn_is_lost(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_drawn_is_lost(state.child(action), memo) for action in state.legal_actions()]
        if values:
            memo[state] = _best_for(state.current_player, values)
        else:
            memo[state] = (1, -1) if state.returns()[0] > 0 else (-1, 1)
    return memo[state]


def _right(state: games.State, memo: Memo) -> Returns:
    if state not in memo:
        values = [_right(state.child(action), memo) for action in state.legal_actions()]
        memo[state] = _best_for(state.current_player, values) if values else state.returns()
    return memo[state]


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
minimax_exercise: Final = exercise(
    title="Minimax with a memo",
    cases=_minimax_cases,
    misconceptions=(
        _all_for_player_0,
        _turns_counted,
        _childs_mover,
        _no_memo,
        _never_written,
        _never_read,
        _other_keys,
        _the_action,
        _one_value,
        _mover_first,
        _mean,
        _worst,
        _no_end,
        _first_child,
        _drawn_is_lost,
    ),
    hints=(
        "Start from `plain_minimax`. Two things are new: before anything else, look whether "
        "`state` is in `memo`; and before you return a value, write it into `memo`.",
        "A function that calls itself has to hand `memo` on: `minimax(state.child(action), memo)`. "
        "There is one memo for the whole tree.",
        "Begin with `if state in memo: return memo[state]`. Then work `value` out as in "
        "`plain_minimax`, both for a terminal state and for any other. End with "
        "`memo[state] = value` and `return value`.",
    ),
    when_right="Each position once: with this you can solve Tic-Tac-Toe in a blink.",
)(minimax)
