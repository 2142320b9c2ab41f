"""Several searches by PUCT side by side, whose leaves are evaluated in one batch, in plain Python.

`mctslab.fast.BatchedTrees` grows the same trees, compiled. This one takes any game.

With a solver, proven values are carried up the trees (see `mctslab.search.solving`). When a root is
proven its search is over: the remaining walks end at the root, no leaf of that tree is evaluated
any more, and the statistics of its moves stay as they are. So a proof also saves the rest of a
search. What the proofs leave to choose from is in `Roots`: `are_left` for a search whose policy is
computed from values (Gumbel), and `weights` for one whose policy is the visits. A proven win is
played and learned as certain, and a proven loss is neither played nor learned, unless all moves are
proven to lose; then they count as the search has left them.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.puct_search import (
    DirichletNoise,
    add_children,
    certain_returns,
    count_all,
    set_priors,
    walk,
)
from mctslab.search.selection import PUCT, SelectionRule, puct
from mctslab.search.solving import LOSS, WIN, SolverSelection, has_decisive_move

BY_PUCT: Final = -1
"""Instead of an action: PUCT chooses it."""
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

    def are_left(self) -> npt.NDArray[np.bool_]:
        """[trees, actions]: the legal moves that are still worth searching.

        If a move is proven to win, or all moves are proven, only the best ones are left; otherwise
        all but those that are proven to lose.
        """
        is_open = np.isnan(self.proven)
        best = np.where(is_open, -np.inf, self.proven).max(axis=1, keepdims=True)
        is_decided = (best == WIN) | ~is_open.any(axis=1, keepdims=True)
        return np.where(is_decided, self.proven == best, is_open | (self.proven > LOSS))

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


class Trees:
    """The trees of several games of the same kind, each searched from a position of its own.

    A round of all of them is `gather`, then an evaluation of the leaves, then `apply`.

    Args:
        games: a game for each tree, its positions so far, the newest last; that one is the root,
            and not terminal.
        selection: the constants of PUCT.
        solver: whether proven values are carried up the trees.

    Raises:
        ValueError: there is no game.
    """

    def __init__(
        self, games: Sequence[Sequence[State]], *, selection: PUCT = puct(), solver: bool = False
    ) -> None:
        if not games:
            raise ValueError("Expected a game for each tree, got none.")
        self._games = games
        self.states = [positions[-1] for positions in games]
        """The position at the root of each tree."""
        self._selection: SelectionRule = SolverSelection(selection) if solver else selection
        self._solver = solver
        self._paths: list[list[Node]] = [[] for _ in games]
        """The walk of the newest round in each tree, from the root to a leaf."""

    @cached_property
    def _roots(self) -> list[Node]:
        return [Node(state) for state in self.states]

    def gather(
        self, first_actions: Sequence[int] | npt.NDArray[np.int64] | None = None
    ) -> list[int]:
        """Walk down to a leaf in each tree; returns the trees whose leaves have to be evaluated.

        A walk to the end of a game needs no evaluation. With a solver, neither does one to a proven
        node, or to a leaf below the root at which the player to move can win at once.

        Args:
            first_actions: [trees]: the action that the walk of each tree takes at its root; -1, or
                None for all trees, leaves it to PUCT, as below the root.
        """
        for tree, root in enumerate(self._roots):
            action = BY_PUCT if first_actions is None else int(first_actions[tree])
            if action == BY_PUCT or root.proven is not None:
                self._paths[tree] = walk(root, self._selection, solver=self._solver)
            else:
                (first,) = (child for child in root.children if child.action == action)
                below = walk(first, self._selection, solver=self._solver)
                self._paths[tree] = [root, *below]
        leaves = [path[-1] for path in self._paths]
        for leaf, root in zip(leaves, self._roots, strict=True):
            is_new = self._solver and leaf is not root and leaf.proven is None
            if is_new and has_decisive_move(leaf.state):
                leaf.proven = WIN if leaf.mover == leaf.state.current_player else LOSS
        return [tree for tree, leaf in enumerate(leaves) if certain_returns(leaf) is None]

    def positions_on(self, tree: int) -> list[State]:
        """The game of a tree up to the leaf of its newest walk."""
        return [*self._games[tree], *(node.state for node in self._paths[tree][1:])]

    def apply(
        self,
        trees: Sequence[int],
        values: npt.NDArray[np.floating],
        policy_logits: npt.NDArray[np.floating],
    ) -> None:
        """Count the values of the leaves, and give those of `trees` their children.

        Args:
            trees: the return value of `gather`.
            values: [trees], each in [-1, 1], for the player to move at the leaf.
            policy_logits: [trees, actions]: how promising each action is; of the legal ones the
                softmax is taken.
        """
        evaluated = zip(trees, values.tolist(), policy_logits.tolist(), strict=True)
        leaves = [path[-1] for path in self._paths]
        returns = [certain_returns(leaf) or (0.0, 0.0) for leaf in leaves]
        for tree, value, logits in evaluated:
            leaf = leaves[tree]
            add_children(leaf, _softmax([logits[action] for action in leaf.untried_actions]))
            is_first = leaf.state.current_player == 0
            returns[tree] = (value, -value) if is_first else (-value, value)
        count_all(self._paths, returns, solver=self._solver)

    def apply_ends(self) -> None:
        """Count a round without leaves to evaluate: all walks ended with the game or a proof."""
        self.apply([], np.zeros(0), np.zeros((0, self.states[0].num_actions)))

    def mix_noise(self, tree: int, noise: DirichletNoise, rng: np.random.Generator) -> None:
        """Mix noise into the priors of a root, which must have been evaluated."""
        priors = [child.prior for child in self._roots[tree].children]
        set_priors(self._roots[tree], noise.mixed(priors, rng))

    def roots(self) -> Roots:
        """The statistics of the moves at all roots."""
        shape = len(self.states), self.states[0].num_actions
        totals, priors = np.zeros((2, *shape))
        found = Roots(
            np.zeros(shape, np.int64), totals, priors, np.zeros(shape[0]), np.full(shape, -np.inf)
        )
        visit_counts, total_values = self._read_roots(found)
        # All simulations but those that ended at the root itself went on to one of its children.
        own_visits = visit_counts - found.visit_counts.sum(axis=1)
        own_total = total_values - totals.sum(axis=1)
        return found._replace(values=own_total / np.maximum(1, own_visits))

    def _read_roots(self, roots: Roots) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Write the statistics of the moves into `roots`; returns N and W of the roots, [trees]."""
        for tree, root in enumerate(self._roots):
            for child in root.children:
                place = tree, child.action
                roots.visit_counts[place] = child.visit_count
                roots.total_values[place] = child.total_value
                roots.priors[place] = child.prior
                roots.proven[place] = np.nan if child.proven is None else child.proven
        return (
            np.array([root.visit_count for root in self._roots]),
            np.array([root.total_value for root in self._roots]),
        )


def _softmax(logits: Sequence[float]) -> list[float]:
    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
