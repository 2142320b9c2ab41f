"""The player that searches by alpha-beta, within a budget of plies, of nodes or of time."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from mctslab.games.state import Rng, State
from mctslab.players.player import Player, Proposal
from mctslab.search.alphabeta import EvaluationFunction
from mctslab.solvers import SOLVE_FROM, AlphaBetaResult, check_limits, deepen, prepare_alphabeta


class AlphaBetaPlayer(Player):
    """Plays what alpha-beta has found when a budget is spent; for Reversi it is compiled.

    Without a time in the budget, it always plays the same move in the same position. With several
    budgets, the search ends at the first that is spent.

    Args:
        depth: the number of plies to look ahead.
        num_nodes: the number of positions to visit for a move.
        seconds: the time for a move.
        evaluation: evaluates the positions at the horizon; see `mctslab.solvers.alphabeta`.
        solve_from: solve Reversi to the end when this many squares or fewer are empty.
        rng: not used, because nothing is random here; it makes this class a factory for the arena.
        name: the name of this player; derived from the budget if not given.

    Raises:
        ValueError: there is no budget, or it is too small.
    """

    def __init__(
        self,
        depth: int | None = None,
        num_nodes: int | None = None,
        seconds: float | None = None,
        *,
        evaluation: EvaluationFunction | None = None,
        solve_from: int = SOLVE_FROM,
        rng: Rng = None,
        name: str = "",
    ) -> None:
        check_limits(depth, num_nodes, seconds)  # now, and not only at the first move
        budgets = (
            f"{depth}" if depth else "",
            f"{num_nodes} nodes" if num_nodes else "",
            f"{seconds:g}s" if seconds else "",
        )
        self.name = name or ":".join(["alphabeta", *filter(None, budgets)])
        self._budgets = (depth, num_nodes, seconds)
        self._evaluation = evaluation
        self._search = partial(
            deepen,
            depth=depth,
            num_nodes=num_nodes,
            seconds=seconds,
            evaluation=evaluation,
            solve_from=solve_from,
        )

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; takes a few seconds the first time."""
        prepare_alphabeta(state, self._evaluation)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield a proposal after each iteration, and about ten times a second.

        A forced move is played at once.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Proposal(legal_actions[0], progress=1.0)
            return
        self.prepare(state)
        for result in self._search(state):
            proposal = Proposal(
                result.best_action,
                self._progress(result),
                num_nodes=result.num_nodes,
                seconds=result.seconds,
                alphabeta=result,
            )
            yield proposal
        yield replace(proposal, progress=1.0)

    def _progress(self, result: AlphaBetaResult) -> float:
        """The fraction of the budget that is spent."""
        spent = (result.depth, result.num_nodes, result.seconds)
        limits = zip(spent, self._budgets, strict=True)
        return min(1.0, max(used / limit for used, limit in limits if limit is not None))
