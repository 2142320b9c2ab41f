"""A forest: searches by PUCT side by side, whose leaves make one batch, in plain Python.

`mctslab.fast.CompiledForest` grows the same trees, compiled. This one takes any game.

A round is `gather`, an evaluation of the leaves, and `apply`. A round can have several walks in one
tree. Until it is over each of them counts as lost there (a virtual loss, see `puct_search.py`),
which makes no difference to walks that begin with different moves.

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
    virtual_losses,
    walk,
)
from mctslab.search.selection import PUCT, SelectionRule, puct
from mctslab.search.solving import LOSS, WIN, SolverSelection, has_decisive_move

Counts = npt.NDArray[np.int64]

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


class Forest:
    """The trees of several games of the same kind, each searched from a position of its own.

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
        self._trees: Counts = np.zeros(0, np.int64)
        """[walks]: the tree of each walk of the newest round."""
        self._paths: list[list[Node]] = []
        """Its nodes, from the root to a leaf."""

    @cached_property
    def _roots(self) -> list[Node]:
        return [Node(state) for state in self.states]

    def one_walk_each(self) -> tuple[Counts, Counts]:
        """What `gather` takes for a walk in each tree, whose moves PUCT chooses."""
        number = len(self.states)
        return np.arange(number), np.full(number, BY_PUCT)

    def gather(self, trees: Counts, first_actions: Counts) -> Counts:
        """Walk down to leaves; returns the walks whose leaves have to be evaluated.

        A walk to the end of a game needs no evaluation, nor does a second walk to the same leaf.
        With a solver, neither does one to a proven node, or to a leaf below the root at which the
        player to move can win at once.

        Args:
            trees: [walks]: the tree of each walk, in ascending order.
            first_actions: [walks]: the action that the walk takes at its root; -1 leaves it to
                PUCT, as below the root. At a proven root every walk ends.

        Raises:
            ValueError: a root has no such child: it was not evaluated yet, or the action is not
                legal there.
        """
        self._trees = trees
        self._paths = []
        with virtual_losses() as count_as_lost:
            for tree, action in zip(trees.tolist(), first_actions.tolist(), strict=True):
                path = self._walk(tree, action)
                count_as_lost(path)
                self._paths.append(path)
        if self._solver:
            for path in self._paths:
                _prove_if_decisive(path)
        firsts = {path[-1]: number for number, path in reversed([*enumerate(self._paths)])}
        unknown = [number for leaf, number in firsts.items() if certain_returns(leaf) is None]
        return np.array(sorted(unknown), np.int64)

    def _walk(self, tree: int, action: int) -> list[Node]:
        """The nodes from the root to a leaf."""
        root = self._roots[tree]
        if action == BY_PUCT or root.proven is not None:
            return walk(root, self._selection, solver=self._solver)
        first = next((child for child in root.children if child.action == action), None)
        if first is None:
            raise no_such_child(tree, action)
        return [root, *walk(first, self._selection, solver=self._solver)]

    def positions_on(self, walk: int) -> list[State]:
        """The game of a tree up to the leaf of a walk of the newest round."""
        path = self._paths[walk]
        return [*self._games[self._trees[walk]], *(node.state for node in path[1:])]

    def apply(
        self,
        walks: Counts,
        values: npt.NDArray[np.floating],
        policy_logits: npt.NDArray[np.floating],
    ) -> None:
        """Count the values of all leaves, and give those of `walks` their children.

        Args:
            walks: the return value of `gather`.
            values: [walks], each in [-1, 1], for the player to move at the leaf.
            policy_logits: [walks, actions]: how promising each action is; of the legal ones the
                softmax is taken.
        """
        leaves = [path[-1] for path in self._paths]
        returns = {leaf: certain_returns(leaf) or (0.0, 0.0) for leaf in leaves}
        evaluated = zip(walks, values.tolist(), policy_logits.tolist(), strict=True)
        for number, value, logits in evaluated:
            leaf = leaves[number]
            add_children(leaf, _softmax([logits[action] for action in leaf.untried_actions]))
            is_first = leaf.state.current_player == 0
            returns[leaf] = (value, -value) if is_first else (-value, value)
        count_all(self._paths, [returns[leaf] for leaf in leaves], solver=self._solver)

    def apply_ends(self) -> None:
        """Count a round without leaves to evaluate: all walks ended with the game or a proof."""
        none = np.zeros(0, np.int64)
        self.apply(none, np.zeros(0), np.zeros((0, self.states[0].num_actions)))

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


def _prove_if_decisive(path: Sequence[Node]) -> None:
    """Prove the leaf of a path, if the player to move there can win at once."""
    leaf = path[-1]
    if len(path) > 1 and leaf.proven is None and has_decisive_move(leaf.state):
        leaf.proven = WIN if leaf.mover == leaf.state.current_player else LOSS


def no_such_child(tree: int, action: int) -> ValueError:
    """A walk cannot begin with this action."""
    return ValueError(
        f"The action {action} leads to no child of root {tree}: it was not evaluated yet, or the "
        f"action is not legal there. {BY_PUCT} leaves the choice to PUCT."
    )


def _softmax(logits: Sequence[float]) -> list[float]:
    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
