"""Notebook 13, the bug museum: two faults that make a net learn something false.

Relatives of both are in notebook 07: the first from RocAlphaGo (pull request 133), the second from
muzero-general (issue 37). Here they occur where the games of self-play become samples. With either
of them, training runs without an error.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import Case
from mctslab.course.exercise import exercise
from mctslab.course.positions import after, moves_at_random
from mctslab.course.valued_games import game_in_words, line_of_play
from mctslab.games.state import State

# museum_values


def _values_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 20))]
    winner = (0, 1, None)[rng.integers(3)]
    shown = f"museum_values(positions), where {game_in_words(players, winner)}"
    return Case(lambda: (line_of_play(players, winner),), shown=shown)


@exercise(
    start="players[0] => min(players)",
    faulty="own = min(players)",
    variation=_values_variation,
    points=2,
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


def _play_case(first_state: State, moves: Sequence[int]) -> Case:
    def arguments() -> tuple[State, Choose]:
        return first_state, _Scripted(moves)

    played = " ".join(map(str, moves)) or "nothing"
    shown = f"museum_play({first_state.title}, choose), where choose plays {played}"
    return Case(arguments, shown=shown)


def _play_cases() -> list[Case]:
    return [
        _play_case(games.TicTacToe(), (6, 2, 3, 4, 0)),
        _play_case(games.TicTacToe(), (1, 0, 4, 7, 2, 8, 5, 3, 6)),
        _play_case(after(games.TicTacToe(), (6, 2, 3, 4, 0)), ()),
    ]


_SMALL: Final = games.ConnectFour(rows=4, cols=4)


def _play_variation(rng: np.random.Generator) -> Case:
    first: State = (games.TicTacToe(), _SMALL, games.Gomoku(size=9))[rng.integers(3)]
    return _play_case(first, moves_at_random(rng, first, 81))


@exercise(
    start="""
        -     state = state.child(choose(state))
        - return state.returns()
        +     state = state.child(choose(state))
        + return 0.0, 0.0
    """,
    faulty="return 0.0, 0.0",
    cases=_play_cases,
    variation=_play_variation,
    points=2,
)
def museum_play(state: State, choose: Choose) -> tuple[float, float]:
    """Play a game in which each move fills a square; what it was worth to players 0 and 1."""
    num_squares = len(state.board().stones)
    for _ in range(num_squares):
        if state.is_terminal:
            return state.returns()
        state = state.child(choose(state))
    return state.returns()
