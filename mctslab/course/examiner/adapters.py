"""Positions for searches that use a different interface from `mctslab.games.State`.

An adapter is called with a position and returns the object that the search gets instead. Here are
two, to use or to copy from. Yours can be any class, as long as everything the search learns about
the game goes through the position's `legal_actions`, `child`, `is_terminal`, `returns` and
`current_player`.

If your search calls a net, the net receives your arguments. If your adapter's positions look
different, give it a method `state_of`, which takes the same arguments and returns the position.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mctslab.course.examiner.exam_game import ExamState
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluation, Evaluator

Ints = npt.NDArray[np.int64]


class MutableBoard:
    """A board on which moves are made and taken back, as in python-chess.

    >>> from mctslab.course.examiner.exam_game import turn_of, end
    >>> board = MutableBoard(ExamState(turn_of(0, end(0), end(1, player=1))))
    >>> board.legal_moves(), board.turn, board.is_over()
    ([0, 1], 0, False)
    >>> board.push(1)
    >>> board.is_over(), board.winner(), board.pop()
    (True, 1, 1)
    """

    def __init__(self, state: ExamState) -> None:
        self.states = [state]

    @property
    def state(self) -> ExamState:
        """The position on the board."""
        return self.states[-1]

    @property
    def turn(self) -> int:
        """Whose turn it is, 0 or 1."""
        return self.state.current_player

    def legal_moves(self) -> list[int]:
        """The moves that can be played."""
        return list(self.state.legal_actions())

    def push(self, move: int) -> None:
        """Play a move."""
        self.states.append(self.state.child(move))

    def pop(self) -> int:
        """Take the last move back, and return it.

        Raises:
            IndexError: no move was made since the search began.
        """
        if len(self.states) == 1:
            raise IndexError("there is no move to take back")
        return self.states.pop().path[-1]

    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.state.is_terminal

    def winner(self) -> int | None:
        """The winner; None in a draw, and while the game goes on."""
        if not self.state.is_terminal:
            return None
        returns = self.state.returns()
        return None if returns[0] == returns[1] else int(returns[1] > returns[0])

    def key(self) -> tuple[int, ...]:
        """A key that is different for every position."""
        return (self.state.record.number, *self.state.path)


class ArrayGame:
    """Functions of arrays, as in alpha-zero-general: the game is `self`, a position an array.

    >>> from mctslab.course.examiner.exam_game import turn_of, end
    >>> game = ArrayGame(ExamState(turn_of(0, end(0), end(1, player=1))))
    >>> int(game.valid_moves(game.board, 0).sum())
    2
    >>> board, player = game.next_state(game.board, 0, 1)
    >>> player, game.game_ended(board, player), game.game_ended(game.board, 0)
    (1, 1.0, None)
    """

    LONGEST: Final = 500
    """The length of the longest game."""

    def __init__(self, state: ExamState) -> None:
        self.board: Ints = np.full(self.LONGEST, -1)
        """The number of the game, followed by the moves that were made."""
        self.board[0] = state.record.number
        self.board[1 : 1 + len(state.path)] = state.path
        self.player = state.current_player
        self.num_actions = state.num_actions
        self._first = state
        self._states = {state.path: state}

    def state_of(self, board: Ints, player: int) -> ExamState:
        """The position that an array means.

        Raises:
            ValueError: it is not a position of this game.
        """
        path = tuple(board[1:][board[1:] >= 0].tolist())
        state, begun = self._first, len(self._first.path)
        if board[0] != state.record.number or path[:begun] != state.path:
            raise ValueError(f"{board[: len(path) + 1]} is not a position of this game")
        if path not in self._states:
            for action in path[begun:]:
                state = state.child(action)
            self._states[path] = state
        return self._states[path]

    def next_state(self, board: Ints, player: int, action: int) -> tuple[Ints, int]:
        """The position after an action, and who is to move there."""
        state = self.state_of(board, player).child(action)
        self._states.setdefault(state.path, state)
        after = board.copy()
        after[len(state.path)] = action
        return after, state.current_player

    def valid_moves(self, board: Ints, player: int) -> Ints:
        """1 for each action that can be played, 0 for the others."""
        mask: Ints = np.zeros(self.num_actions, np.int64)
        mask[list(self.state_of(board, player).legal_actions())] = 1
        return mask

    def game_ended(self, board: Ints, player: int) -> float | None:
        """The result of the game for `player`: 1, 0 or -1; None while it goes on."""
        state = self.state_of(board, player)
        return state.returns()[player] if state.is_terminal else None


def evaluator_of(net: Callable[..., Any]) -> Evaluator:
    """The examiner's net as an evaluator of the package's searches.

    Args:
        net: from a position to a policy over all actions, and a value for the player to move.
    """

    def evaluator(states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        del rng  # this net is deterministic
        values, priors = [], []
        for state in states:
            policy, value = net(state)
            legal = policy[list(state.legal_actions())]
            values.append((value, -value) if state.current_player == 0 else (-value, value))
            priors.append((legal / legal.sum()).tolist())
        return Evaluation(values, priors)

    return evaluator
