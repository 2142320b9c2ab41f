"""Notebook 13, the bug museum: two faults that make a net learn something false.

Relatives of both are in notebook 07: the first from RocAlphaGo (pull request 133), the second from
muzero-general (issue 37). Here they occur where the games of self-play become samples. With either
of them, training runs without an error.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mctslab import games
from mctslab.course.exercise import exhibit
from mctslab.course.exercises.nb13_self_play import line_of_play, who_moves
from mctslab.course.question import Case, edits_in, mistakes_in
from mctslab.course.tree_game import drawn, won_by
from mctslab.games.state import State

# museum_values


def _values_case(players: Sequence[int], winner: int | None, *expected: float) -> Case:
    end = drawn() if winner is None else won_by(winner)
    result = "nobody wins" if winner is None else f"player {winner} wins"
    shown = f"museum_values(positions), where {who_moves(players)} and {result}"
    return Case(lambda: (line_of_play(players, end),), list(expected), shown)


def _values_cases() -> list[Case]:
    return [
        _values_case((0,), 0, 1.0),
        _values_case((0, 1), 1, -1.0, 1.0),
        _values_case((0, 1, 0), 0, 1.0, -1.0, 1.0),
        _values_case((0, 1, 0, 1), None, 0.0, 0.0, 0.0, 0.0),
        _values_case((0, 1, 0), 1, -1.0, 1.0, -1.0),
        _values_case((0, 1, 1, 0), 1, -1.0, 1.0, 1.0, -1.0),
        _values_case((1, 0, 0), 0, -1.0, 1.0, 1.0),
    ]


def _values_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 20))]
    winner = (0, 1, None)[rng.integers(3)]
    values = (0.0 if winner is None else 1.0 if player == winner else -1.0 for player in players)
    return _values_case(players, winner, *values)


@exhibit(
    title="A net for which only one colour wins",
    start=edits_in("players[0] => min(players)"),
    faulty="own = min(players)",
    cases=_values_cases,
    variation=_values_variation,
    hints=(
        "Player 1 has won. What is z for a position where player 1 was to move, and what does the "
        "function return?",
        "Which player has the smaller number, whoever is to move?",
        "The player to move comes first in `players`: `own = players[0]`.",
    ),
    when_right="With this fault every label is for player 0. A net learns this as easily as the "
    "right labels, and its loss falls. But the search uses the value for the player to"
    " move, so that player 1 steers towards player 0's wins.",
    mistakes=mistakes_in("""
        player 1's point of view instead of player 0's
            That is the same fault, for the other colour. Use each position's own player to move.
            players[0] => max(players)
        the point of view of the player who is not to move
            The net's value is for the player to move: `returns[state.current_player]`.
            players[0] => players[1]
        the winner's point of view
            Then no position is ever lost. For the loser's positions z is -1.
            returns[own] => max(returns)
        the point of view of the player who began
            It is still one player's view for the whole game. Ask every position who is to move.
            players[0] => positions[0].current_player
        the point of view of the player who moved last
            It is still one player's view for the whole game. Ask every position who is to move.
            players[0] => positions[-2].current_player
        the plies counted, as if turns alternated
            If a player passes or moves twice, the count is wrong. Use each position's own player to
            move.
            players[0] => len(values) % 2
        a draw that a player has lost
            After a draw the returns are 0 for both players: use them unchanged.
            returns[own] => 1.0 if returns[own] > 0 else -1.0
    """),
)
def museum_values(positions: Sequence[State]) -> list[float]:
    """z of each position of a game but the last: what it was worth to the player to move."""
    returns = positions[-1].returns()
    values = []
    for state in positions[:-1]:
        players = (state.current_player, 1 - state.current_player)
        own = players[0]
        values.append(returns[own])
    return values


# museum_play

Returns = tuple[float, float]
Choose = Callable[[State], int]


class _Scripted:
    """Chooses the moves of a game that is written down."""

    def __init__(self, moves: Sequence[int]) -> None:
        self._moves = list(moves)

    def __call__(self, state: State) -> int:
        if not isinstance(state, State):
            raise TypeError(f"choose needs a position; it got {state!r}")
        if state.is_terminal:
            raise ValueError("choose() was called where the game is over")
        return self._moves.pop(0)


def _play_case(
    first_state: State, moves: str | Sequence[int], expected: Returns, note: str
) -> Case:
    def arguments() -> tuple[State, Choose]:
        return first_state, _Scripted([int(each) for each in moves])

    played = " ".join(map(str, moves)) or "nothing"
    shown = f"museum_play({first_state.title}, choose), where choose plays {played}: {note}"
    return Case(arguments, expected, shown)


def _over() -> State:
    state: State = games.TicTacToe()
    for action in (6, 2, 3, 4, 0):
        state = state.child(action)
    return state


def _play_cases() -> list[Case]:
    small = games.ConnectFour(rows=4, cols=4)
    won, lost, draw = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)
    return [
        _play_case(games.TicTacToe(), "62340", won, "X has a line after five moves"),
        _play_case(games.TicTacToe(), "356278", lost, "O has a line after six"),
        _play_case(games.TicTacToe(), "425817036", draw, "a full board without a line"),
        _play_case(games.TicTacToe(), "58472106", lost, "O has a line, and one square is left"),
        _play_case(games.TicTacToe(), "104728536", won, "the last square gives X a line"),
        _play_case(small, "102230310011323", won, "the first player has four, a square is left"),
        _play_case(small, "3013030130112222", draw, "a full board of sixteen, without a line"),
        _play_case(small, "3102302123230101", lost, "the last piece makes four"),
        _play_case(_over(), "", won, "the game is over already, X has a line"),
    ]


def _play_variation(rng: np.random.Generator) -> Case:
    first: State = _GAMES[int(rng.integers(len(_GAMES)))]
    state, moves = first, list[int]()
    while not state.is_terminal:
        moves.append(int(rng.choice(state.legal_actions())))
        state = state.child(moves[-1])
    return _play_case(first, moves, state.returns(), f"a game of {len(moves)} moves")


_GAMES: Final[Sequence[State]] = (
    games.TicTacToe(),
    games.ConnectFour(rows=4, cols=4),
    games.Gomoku(size=9),
)


@exhibit(
    title="A win on the last square",
    start=edits_in("""
        -     state = state.child(choose(state))
        - return state.returns()
        +     state = state.child(choose(state))
        + return 0.0, 0.0
    """),
    faulty="return 0.0, 0.0",
    cases=_play_cases,
    variation=_play_variation,
    hints=(
        "On nine squares the loop makes nine moves. When does it check whether the ninth has won?",
        "After the loop the board is full. Is that always a draw?",
        "The position knows how the game has ended: `return state.returns()` in the last line.",
    ),
    when_right="In self-play such games are rare and close: with this fault the net learns that "
    "the hardest wins are worth nothing.",
    mistakes=mistakes_in("""
        the loop one move longer, and the end never checked
            The game can also be won after the loop: `return state.returns()` there.
            range(num_squares) => range(num_squares + 1)
            - if state.is_terminal:
            -     return state.returns()
            + if state.is_terminal:
            +     return (0.0, 0.0) if min(state.board().stones) >= 0 else state.returns()
        the loop one move shorter
            Then games end before their last move. The part after the loop has to change.
            range(num_squares) => range(num_squares - 1)
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + return 0.0, 0.0
        a full board always won by the player who moved last
            The last move can win, but does not have to: the position knows, `state.returns()`.
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + return (1.0, -1.0) if num_squares % 2 == 1 else (-1.0, 1.0)
        a full board always won by player 0
            The last move can win for either player, or for nobody: the position knows,
            `state.returns()`.
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + return 1.0, -1.0
        only player 0's lines checked on a full board
            On a board with an even number of squares player 1 has the last move, which can win.
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + first, second = state.returns()
            + return (0.0, 0.0) if second > first else (first, second)
        the returns of the player to move first
            The first number is for player 0 and the second for player 1, whoever is to move.
            - if state.is_terminal:
            -     return state.returns()
            + if state.is_terminal:
            +     break
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + returns = state.returns()
            + return returns[state.current_player], returns[1 - state.current_player]
        every draw counted as a win
            A full board without a line is a draw: use `state.returns()` unchanged.
            -     state = state.child(choose(state))
            - return state.returns()
            +     state = state.child(choose(state))
            + return (1.0, -1.0) if state.returns()[0] >= 0 else (-1.0, 1.0)
    """),
)
def museum_play(state: State, choose: Choose) -> tuple[float, float]:
    """Play a game in which each move fills a square; what it was worth to players 0 and 1."""
    num_squares = len(state.board().stones)
    for _ in range(num_squares):
        if state.is_terminal:
            return state.returns()
        state = state.child(choose(state))
    return state.returns()
