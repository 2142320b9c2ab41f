"""A player that plays the end of a game perfectly."""

import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from mctslab.games.connect_four import ConnectFour
from mctslab.games.reversi import Reversi
from mctslab.games.rules import Compilable
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal
from mctslab.solvers import ConnectFourSolver, EndgameSolver

NUM_EMPTY: Final[Mapping[type[State], int]] = MappingProxyType({Reversi: 16, ConnectFour: 28})
"""With this many empty squares or fewer a position is solved. The longest of 60 positions
from random games of Reversi took 0.22 seconds, and the longest of 40 of Connect Four took 0.26. Two
more empty squares multiply this by four to twelve."""


class EndgamePlayer(Player):
    """Plays a perfect move once few squares are empty, and until then as another player.

    Of several moves that lead to the same outcome it plays the one with the best final difference
    of discs in Reversi. In Connect Four it wins as soon as possible, and loses as late as possible.

    Args:
        inner: the player for positions with more empty squares.
        num_empty: the largest number of empty squares with which a position is solved; by default
            that of `NUM_EMPTY`. Each additional square takes two or three times as long.
        name: the name of this player; derived from the other arguments if not given.

    Raises:
        ValueError: `num_empty` is below 1.
    """

    def __init__(self, inner: Player, num_empty: int | None = None, *, name: str = "") -> None:
        if num_empty is not None and num_empty < 1:
            raise ValueError(f"The number of empty squares must be 1 or more, got {num_empty}.")
        self.name = name or f"endgame{num_empty or ''} of {inner.name}"
        self._inner = inner
        self._num_empty = num_empty
        self._solvers: dict[Hashable, Callable[[Any], int]] = {}  # by the game and its board

    def prepare(self, state: State) -> None:
        """Get the solver and the other player ready.

        Raises:
            ValueError: there is no solver for this game.
        """
        self._best_action_for(state)
        self._inner.prepare(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal if the position is solved, otherwise those of the other player.

        Raises:
            ValueError: there is no solver for this game, or the game is over.
        """
        best_action = self._best_action_for(state)
        most = self._num_empty or NUM_EMPTY[type(state)]
        if num_empty(state) > most or len(state.legal_actions()) < 2:
            yield from self._inner.think(state)
            return
        started = time.perf_counter()
        action = best_action(state)
        yield Proposal(action, progress=1.0, seconds=time.perf_counter() - started)

    def _best_action_for(self, state: State) -> Callable[[Any], int]:
        """The function that solves positions on the board of `state`."""
        if type(state) not in NUM_EMPTY:
            raise ValueError(
                f"{self.name} cannot play {state.title}, because its endgame has no solver here; "
                f"{' and '.join(kind.title for kind in NUM_EMPTY)} have one."
            )
        board = _geometry(state)
        if board not in self._solvers:
            if isinstance(state, Reversi):
                self._solvers[board] = partial(_best_in_reversi, EndgameSolver(state.size))
            elif isinstance(state, ConnectFour):
                solver = ConnectFourSolver(state.rows, state.cols)
                self._solvers[board] = partial(_best_in_connect_four, solver)
        return self._solvers[board]


def num_empty(state: State) -> int:
    """The number of empty squares in a game of `NUM_EMPTY`."""
    own, opponent, _ = _compilable(state).position
    empty: int = _geometry(state).board & ~(own | opponent)
    return empty.bit_count()


def _geometry(state: State) -> Any:
    return _compilable(state).geometry


def _compilable(state: State) -> Compilable:
    found = state.compilable()
    assert found is not None  # as both games have one
    return found


def _best_in_reversi(solver: EndgameSolver, state: Reversi) -> int:
    differences = solver.solve_moves(state)
    return max(differences, key=differences.__getitem__)


def _best_in_connect_four(solver: ConnectFourSolver, state: ConnectFour) -> int:
    verdicts = solver.solve_moves(state)
    best = max(verdicts.values())

    def plies_times_verdict(action: int) -> int:
        """Smallest for the soonest win, the latest loss, or any draw."""
        child = state.child(action)
        return 0 if child.is_terminal else best * (solver.distance(child) or 0)

    return min((each for each in verdicts if verdicts[each] == best), key=plies_times_verdict)
