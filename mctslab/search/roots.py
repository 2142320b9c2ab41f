"""What a forest has found about the moves at the roots of its trees.

With a solver, proven values are carried up the trees (see `mctslab.search.solving`). When a root is
proven its search is over: the remaining walks end at the root, no leaf of that tree is evaluated
any more, and the statistics of its moves stay as they are. So a proof also saves the rest of a
search. What the proofs leave to choose from is in `Roots`: `are_left` for a search whose policy is
computed from values (Gumbel), and `weights` for one whose policy is the visits. A proven win is
played and learned as certain, and a proven loss is neither played nor learned, unless all moves are
proven to lose; then they count as the search has left them.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.search.solving import LOSS, WIN

_TINY: Final = float(np.finfo(np.float64).tiny)
"""Instead of a prior of 0, so that the priors of some legal moves never sum to 0."""


class Roots(NamedTuple):
    """The statistics of the moves at the roots of all trees."""

    visit_counts: npt.NDArray[np.int64]
    """[trees, actions]: N; 0 for what is not legal."""
    total_values: npt.NDArray[np.float64]
    """[trees, actions]: W, for the player to move at the root."""
    priors: npt.NDArray[np.float64]
    """[trees, actions]: P; 0 for what is not legal, and for all at a root that was not judged."""
    values: npt.NDArray[np.float64]
    """[trees]: the evaluator's own value of the position at the root, for the player to move; of a
    root that is proven, the mean of that and of the simulations that ended there."""
    proven: npt.NDArray[np.float64]
    """[trees, actions]: the proven value of a move, -1, 0 or 1, for the player to move; NaN where
    nothing is proven, -inf for what is not legal."""

    @property
    def is_legal(self) -> npt.NDArray[np.bool_]:
        """[trees, actions]."""
        is_legal: npt.NDArray[np.bool_] = self.proven != -np.inf
        return is_legal

    @property
    def is_decided(self) -> npt.NDArray[np.bool_]:
        """[trees, 1]: whether a move is proven to win, or all moves are proven."""
        is_won, is_known = self._best_proven == WIN, ~np.isnan(self.proven)
        is_decided: npt.NDArray[np.bool_] = is_won | np.all(is_known, axis=1, keepdims=True)
        return is_decided

    @property
    def _best_proven(self) -> npt.NDArray[np.float64]:
        """[trees, 1]: the highest proven value of a move; -inf where nothing is proven."""
        known = np.where(np.isnan(self.proven), -np.inf, self.proven)
        best: npt.NDArray[np.float64] = known.max(axis=1, keepdims=True)
        return best

    def are_left(self) -> npt.NDArray[np.bool_]:
        """[trees, actions]: the legal moves that are not ruled out by a proof.

        If a move is proven to win, or all moves are proven, only the best ones are left; otherwise
        all but those that are proven to lose.
        """
        best = self._best_proven
        return np.where(
            self.is_decided, self.proven == best, np.isnan(self.proven) | (self.proven > LOSS)
        )

    def weights(self) -> npt.NDArray[np.float64]:
        """[trees, actions]: the visits of the moves that are left, 0 for all others.

        A proven draw gets no more visits, so it cannot be compared by them: it is all that is left
        if the most visited other move is worth less. If no move that is left was visited, as in a
        position that its first evaluation proves, the priors take the place of the visits.
        """
        are_left = self.are_left()
        draws, others = are_left & (self.proven == 0.0), are_left & np.isnan(self.proven)
        robust = self.robust_actions(np.where(others, self.visit_counts, -1))[:, None]
        is_worse = np.take_along_axis(self.total_values, robust, axis=1) < 0
        are_left = np.where(is_worse & draws.any(axis=1, keepdims=True), draws, are_left)
        visits = np.where(are_left, self.visit_counts, 0.0)
        priors = np.where(are_left, np.maximum(self.priors, _TINY), 0.0)
        return np.where(visits.any(axis=1, keepdims=True), visits, priors)

    def robust_actions(self, weights: npt.NDArray[np.floating | np.int64]) -> npt.NDArray[np.int64]:
        """[trees]: the action with the highest of `weights`, [trees, actions], at each root.

        Between equals the higher mean value decides, then the prior, then the lower action; as in
        `search.result.by_visits`.
        """
        means = self.total_values / np.maximum(self.visit_counts, 1)
        lower_first = np.broadcast_to(-np.arange(means.shape[1]), means.shape)
        order: npt.NDArray[np.int64] = np.lexsort((lower_first, self.priors, means, weights))
        return order[:, -1]
