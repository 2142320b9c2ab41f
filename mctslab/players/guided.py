"""The player that searches by PUCT, with an evaluator at the leaves."""

from collections.abc import Callable
from typing import Final

import numpy as np

from mctslab import fast
from mctslab.games.state import State
from mctslab.players.searching import SearchPlayer
from mctslab.search.evaluators import Evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.selection import PUCT, puct

_KEPT_TREES: Final = 3


class PUCTPlayer(SearchPlayer):
    """Plays the most visited child of a search by PUCT.

    It keeps the trees of its last searches. What one of them knows about the next position is
    used, after our move and the reply, and also when moves were taken back.

    Args:
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        evaluator: what a leaf is worth, and the priors of its moves.
        selection: the constants of PUCT.
        batch_size: up to how many leaves the evaluator is asked about at once.
        solver: carry wins, draws and losses that are proven up the tree, and play at once when the
            position is proven; see `mctslab.search.solving`.
        reuse_tree: whether trees are kept at all.
        rng: the source of chance.
        name: what to call this player; made up from the rest when not given.

    Raises:
        ValueError: no budget, or one that is too small.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        *,
        evaluator: Evaluator,
        selection: PUCT = puct(),
        batch_size: int = 1,
        solver: bool = False,
        reuse_tree: bool = False,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        super().__init__(name, num_simulations, seconds)
        kind = "puct+solver" if solver else "puct"
        self.name = name or f"{kind}:{num_simulations or f'{seconds:g}s'}"
        self._evaluator = evaluator
        self._selection = selection
        self._batch_size = batch_size
        self._solver = solver
        self._reuse_tree = reuse_tree
        self._rng = rng
        self._roots: list[Node] = []  # of the last searches, the newest last

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; some seconds, once."""
        fast.why_not_puct(state, solver=self._solver)

    def _search(
        self,
        state: State,
        num_simulations: int | None,
        seconds: float | None,
        root: Node | None,
        stop: Callable[[], bool],
    ) -> SearchResult:
        return fast.puct_search(
            state,
            evaluator=self._evaluator,
            num_simulations=num_simulations,
            seconds=seconds,
            selection=self._selection,
            batch_size=self._batch_size,
            solver=self._solver,
            rng=self._rng,
            root=root,
            stop=stop,
        )

    def _first_root(self, state: State) -> Node | None:
        found = (fast.find(root, state) for root in reversed(self._roots))
        return next((node for node in found if node is not None), None)

    def _keep(self, root: Node) -> None:
        if not self._reuse_tree:
            return
        self._roots = [kept for kept in self._roots if kept.state != root.state]
        self._roots = [*self._roots[1 - _KEPT_TREES :], root]
