"""Notebook 01, games and trees: who has won, and what a position is worth."""

from collections import Counter
from typing import Any, Final, Self

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, Function, mistakes_in
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


@exercise(
    title="The returns of a line-up",
    cases=_line_up_cases,
    variation=_line_up_variation,
    hints=(
        "Write down the eight lines of the board as triples of squares: three rows, three "
        "columns, two diagonals. Then check for each player whether one of the triples is all "
        "theirs.",
        "A triple such as `(0, 4, 8)` belongs to a player if "
        "`all(squares[square] == player for square in triple)`. Check this for player 0 and for "
        "player 1. If the game is over and neither has a line, it was a draw.",
        "For each `triple`: if it belongs to player 0, return `(1, -1)`; if it belongs to "
        "player 1, return `(-1, 1)`. After the loop, return `(0, 0)`.",
    ),
    when_right="That completes the four parts of a game. The package's `returns()` gives the same.",
    mistakes=mistakes_in("""
        a draw counted as a loss
            A draw is worth 0 to both players, halfway between a win and a loss.
            return 0, 0 => return -1, -1
        the two players swapped
            The first number of the pair belongs to player 0, who is X, and the second to player 1.
            return 1, -1 => return -1, 1
            return -1, 1 => return 1, -1
        a loss counted as 0
            A loss is worth -1. If it were worth 0, a loss would be as good as a draw.
            return 1, -1 => return 1, 0
            return -1, 1 => return 0, 1
        the diagonals forgotten
            There are eight lines: three rows, three columns and two diagonals.
             + diagonals =>
        one of the two diagonals forgotten
            Besides 0, 4, 8 there is the diagonal 2, 4, 6, from the top right to the bottom left.
            diagonals = ((0, 4, 8), (2, 4, 6)) => diagonals = ((0, 4, 8),)
        the columns forgotten
            There are eight lines: three rows, three columns and two diagonals.
             + columns =>
        every full board called a draw
            The last square can complete a line. Look for lines first; the game is a draw only if
            there is none.
            - for line in
            + if -1 not in squares:
            +     return 0, 0
            + for line in
        player 0 mistaken for no winner
            No line of player 0 counts. In Python 0 is false, so `if winner:` overlooks player 0:
            write `if winner is not None`. And a sum of three 0s is 0.
            - for line in rows + columns + diagonals:
            - ...
            + winner = None
            + for line in rows + columns + diagonals:
            +     if {squares[square] for square in line} in ({0}, {1}):
            +         winner = squares[line[0]]
            +         break
            + if winner:
            +     return (1, -1) if winner == 0 else (-1, 1)
            + return 0, 0
        three free squares mistaken for a line
            Three equal numbers are a line only if they are not -1, because a free square belongs to
            nobody.
            - if all(squares[square] == 1 for square in line):
            + if squares[line[0]] == squares[line[1]] == squares[line[2]]:
        the pair written from the winner's point of view
            The order is fixed: first player 0, then player 1, whoever won. If O wins, the pair is
            (-1, 1).
            return -1, 1 => return 1, -1
        one number instead of two
            Return a pair: the result for player 0 and the result for player 1.
            return 1, -1 => return 1
            return -1, 1 => return -1
            return 0, 0 => return 0
        the lines counted
            One move can complete two lines at once. That is still only one win, worth 1.
            - for line in rows + columns + diagonals:
            - ...
            + lines = rows + columns + diagonals
            + first = sum(all(squares[square] == 0 for square in line) for line in lines)
            + second = sum(all(squares[square] == 1 for square in line) for line in lines)
            + return first - second, second - first
        the winner named instead of the returns
            Return the result for each of the two players, not the name of the winner.
            return 1, -1 => return 0
            return -1, 1 => return 1
            return 0, 0 => return None
        three squares added up
            A free square counts as -1, so a free square, X and O add up to 0, too. Compare each
            square of the line.
            all(squares[square] == 0 for square in line) => sum(squares[at] for at in line) == 0
    """),
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
minimax_exercise: Final = exercise(
    title="Minimax with a memo",
    cases=_minimax_cases,
    variation=_minimax_variation,
    hints=(
        "Start from `plain_minimax`. Two things are new: before anything else, check whether "
        "`state` is in `memo`; and before you return a value, write it into `memo`.",
        "A function that calls itself has to pass `memo` on: `minimax(state.child(action), memo)`. "
        "There is one memo for the whole tree.",
        "Begin with `if state in memo: return memo[state]`. Then work `value` out as in "
        "`plain_minimax`, both for a terminal state and for any other. End with "
        "`memo[state] = value` and `return value`.",
    ),
    when_right="Each position is now worked out only once, so Tic-Tac-Toe is solved in an instant.",
    mistakes=mistakes_in("""
        every player playing for player 0
            When it is player 1's turn, take the child that is best for player 1: compare
            `value[mover]`.
            mover = state.current_player => mover = 0
        turns counted instead of read from the state
            A search can begin at player 1's turn, and in some games a player moves twice in a row.
            `state.current_player` is always right.
            - ...
            + def by_turns(state, mover):
            +     if state not in memo:
            +         children = map(state.child, state.legal_actions())
            +         values = [by_turns(child, 1 - mover) for child in children]
            +         best = max(values, key=lambda value: value[mover], default=None)
            +         memo[state] = best or state.returns()
            +     return memo[state]
            +
            + return by_turns(state, 0)
        the child's player to move used instead of the state's
            The player who chooses is `state.current_player` of the state before the move. In the
            child it is already the other player's turn.
            - mover = state.current_player
            - ...
            - value = max(values, key=lambda value: value[mover])
            + children = [state.child(action) for action in state.legal_actions()]
            + pairs = [(minimax(child, memo), child.current_player) for child in children]
            + value, _ = max(pairs, key=lambda pair: pair[0][pair[1]])
        the memo never used
            The value is right, but positions are worked out again and again. In every call, check
            the memo before anything else, write the value into it, and pass the same memo on to the
            calls for the children.
            - if state in memo:
            -     return memo[state]
            memo[state] = value =>
        the memo read but never filled
            Before you return a value, store it: `memo[state] = value`. And pass the same memo to
            every call, because anything written into a copy or a new memo is lost.
            memo[state] = value =>
        the memo written but never read
            Begin by checking the memo: `if state in memo: return memo[state]`.
            - if state in memo:
            -     return memo[state]
        a memo that is looked up only after the work
            The value is right, but every position is worked out again before its old value is
            found. Check the memo first, before the calls for the children.
            - if state in memo:
            -     return memo[state]
            memo[state] = value => value = memo.setdefault(state, value)
        a memo with other keys than states
            `memo` goes from the state itself to its value: `memo[state]`. States can be keys
            because they never change.
            - if state in memo:
            -     return memo[state]
            + key = str(state)
            + if key in memo:
            +     return memo[key]
            memo[state] = value => memo[key] = value
        the best action instead of its value
            Return the value of the position, a pair of numbers, not the move.
            - ...
            + if state.is_terminal:
            +     return state.returns()
            + mover, right = state.current_player, minimax_exercise.model_answer
            + return max(state.legal_actions(), key=lambda a: right(state.child(a), memo)[mover])
        one number instead of two
            Return the pair: the value to player 0 and the value to player 1.
            - ...
            + return minimax_exercise.model_answer(state, memo)[0]
        the pair written from the mover's point of view
            The order of the pair is fixed: first player 0, then player 1, whoever is to move.
            - ...
            + first, second = minimax_exercise.model_answer(state, memo)
            + return (first, second) if state.current_player == 0 else (second, first)
        the mean of the children
            That is the value of the position if moves are drawn at random. A player who plays well
            takes the best child.
            - value = max(values, key=lambda value: value[mover])
            + mean = sum(value[0] for value in values) / len(values)
            + value = (mean, -mean)
        the worst child instead of the best
            The mover takes the maximum of `value[mover]`. (The minimum is right for player 1 only
            if the values compared are player 0's.)
            max(values => min(values
        a case for the end of the game missing
            A terminal state has no children to choose from. Its value is `state.returns()`.
            - if state.is_terminal:
            - ...
            - memo[state] = value
            + mover = state.current_player
            + children = map(state.child, state.legal_actions())
            + values = [minimax(child, memo) for child in children]
            + value = max(values, key=lambda value: value[mover])
            + memo[state] = value
        a return inside the loop over the actions
            Then the function only considers the first action. Collect the values of all children
            first.
            - mover = state.current_player
            - ...
            - value = max(values, key=lambda value: value[mover])
            + for action in state.legal_actions():
            +     value = minimax(state.child(action), memo)
            +     break
        a draw counted as a loss
            The value of a terminal state is `state.returns()`, which is (0, 0) for a draw.
            value = state.returns() => value = (1, -1) if state.returns()[0] > 0 else (-1, 1)
    """),
)(minimax)
