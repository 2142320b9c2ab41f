"""The player that searches by alpha-beta, within a budget of plies, of nodes or of time."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mctslab.fast.alphabeta import SOLVE_FROM, deepen, prepare
from mctslab.fast.alphabeta_limits import Limits
from mctslab.fast.alphabeta_result import AlphaBetaResult
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal
from mctslab.search.alphabeta import EvaluationFunction


class AlphaBetaPlayer(Player):
    """Plays what alpha-beta has found when a budget is spent; for Reversi it is compiled.

    The same position is always answered by the same move, where the budget is no time. With several
    budgets, the search ends at the first that is spent.

    Args:
        depth: how many plies to look ahead.
        num_nodes: at how many positions to look for a move.
        seconds: how long to think about a move.
        evaluation: judges the positions at the horizon; see `mctslab.fast.alphabeta`, as for the
            three below.
        ordering: try promising moves first.
        table: remember positions, for when they are met again.
        solve_from: with so many empty squares or fewer, solve Reversi to the end.
        rng: not used, as nothing is left to chance; with it, this class is a factory for the arena.
        name: what to call this player; made up from the budget when not given.

    Raises:
        ValueError: no budget, or one that is too small.
    """

    def __init__(
        self,
        depth: int | None = None,
        num_nodes: int | None = None,
        seconds: float | None = None,
        *,
        evaluation: EvaluationFunction | None = None,
        ordering: bool = True,
        table: bool = True,
        solve_from: int = SOLVE_FROM,
        rng: np.random.Generator | None = None,
        name: str = "",
    ) -> None:
        # What is wrong with the budget is said now, not at the first move.
        Limits(depth, num_nodes, seconds)
        budgets = (
            f"{depth}" if depth else "",
            f"{num_nodes} nodes" if num_nodes else "",
            f"{seconds:g}s" if seconds else "",
        )
        self.name = name or ":".join(["alphabeta", *filter(None, budgets)])
        self._depth = depth
        self._num_nodes = num_nodes
        self._seconds = seconds
        self._evaluation = evaluation
        self._ordering = ordering
        self._table = table
        self._solve_from = solve_from

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; some seconds, once."""
        prepare(state, self._evaluation)

    def think(self, state: State) -> Iterator[Proposal]:
        """A thought after each iteration, and about ten times a second; the last one decides.

        A move that is forced is played at once.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Proposal(legal_actions[0], progress=1.0)
            return
        self.prepare(state)
        for result in deepen(
            state,
            depth=self._depth,
            num_nodes=self._num_nodes,
            seconds=self._seconds,
            evaluation=self._evaluation,
            ordering=self._ordering,
            table=self._table,
            solve_from=self._solve_from,
        ):
            thought = Proposal(
                result.best_action,
                self._progress(result),
                num_nodes=result.num_nodes,
                seconds=result.seconds,
                alphabeta=result,
            )
            yield thought
        yield replace(thought, progress=1.0)

    def _progress(self, result: AlphaBetaResult) -> float:
        shares = [
            spent / budget
            for spent, budget in (
                (result.depth, self._depth),
                (result.num_nodes, self._num_nodes),
                (result.seconds, self._seconds),
            )
            if budget is not None
        ]
        return min(1.0, max(shares))
