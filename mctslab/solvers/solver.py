"""What the perfect players have in common: the checks, the memory, and a thread that can stop."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mctslab.games.bitboards import BitboardState
from mctslab.games.rules import Position
from mctslab.games.state import State
from mctslab.solvers.stopping import Stoppable

Game = TypeVar("Game", bound=BitboardState)
Memory: TypeAlias = Sequence[npt.NDArray[Any]]
"""The arrays that a kernel reads and fills, besides its own variables."""


class Solver(ABC, Generic[Game]):
    """Solves positions of one game on one size of board, and remembers what it has found.

    To solve many positions, use a single solver. It serves one thread at a time, and lets other
    threads run while it searches.
    """

    kind: ClassVar[type[BitboardState]]
    """The game."""

    def __init__(self, first_state: Game, kernel: ModuleType, memory: Memory, *size: int) -> None:
        board = first_state.board()
        self._size, self._arguments = f"{board.rows} x {board.cols}", size
        self._geometry = first_state.compilable().geometry
        self._kernel, self._memory = kernel, memory
        self._thread = Stoppable()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, in another process for example, begins without what this one remembers."""
        return type(self), self._arguments

    def solve(self, state: Game) -> int:
        """The value of `state`, for the player to move.

        Raises:
            ValueError: it is another game or another size of board, or the game is over.
        """
        return self._thread.run(partial(self._value, self._checked(state)))

    def solve_moves(self, state: Game) -> dict[int, int]:
        """The value of each legal action, for the player who takes it; errors as in `solve`."""
        self._checked(state)
        return self._thread.run(
            lambda: {action: self._value_of(state, action) for action in state.legal_actions()}
        )

    def best_action(self, state: Game) -> int:
        """The best action, one that also wins by as much or as soon as it can."""
        values = self.solve_moves(state)
        return max(values, key=values.__getitem__)

    def num_empty(self, state: State) -> int:
        """The number of empty squares; errors as in `solve`, but the game can be over."""
        own, opponent, _ = self._position(state)
        empty: int = self._geometry.board & ~(own | opponent)
        return empty.bit_count()

    def _value_of(self, state: Game, action: int) -> int:
        child = state.child(action)
        if child.is_terminal:
            return self._final_value(child, state.current_player)
        return -self._value(self._checked(child))

    def _checked(self, state: Game) -> Position:
        """The position of `state`, on bitboards; ValueError if there is nothing to solve."""
        position = self._position(state)
        if state.is_terminal:
            raise ValueError("The game is over, so there is nothing left to solve.")
        return position

    def _position(self, state: State) -> Position:
        if not isinstance(state, self.kind) or state.rules is not self.kind.rules:
            raise ValueError(f"This solver knows {self.kind.title} only, and this is {state!r}.")
        _, geometry, position, *_ = state.compilable()
        if geometry != self._geometry:
            board = state.board()
            raise ValueError(
                f"This solver is for boards of {self._size}, and the position has "
                f"{board.rows} x {board.cols} squares."
            )
        return position

    @abstractmethod
    def _value(self, position: Position) -> int:
        """The value of a position where the game goes on, for the player to move."""

    @abstractmethod
    def _final_value(self, state: Game, player: int) -> int:
        """The value of a finished game for `player`."""

    def _searched(self, position: Position, *window: int) -> int:
        """What the kernel's search returns, in the thread of a question."""
        own, opponent = map(np.uint64, position[:2])
        found: int = self._kernel.search(
            own, opponent, *window, *self._memory, self._thread.is_stopped
        )
        self._thread.check()
        return found
