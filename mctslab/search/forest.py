"""A forest: searches by PUCT side by side, whose leaves make one batch, in plain Python.

`puct_search` is a forest of one tree, in which several walks look for leaves at a time. Self-play
has a tree for each game. `mctslab.fast.CompiledForest` grows the same trees, compiled.

A round is `gather`, which selects leaves; an evaluation of the leaves; and `add`, which adds their
children and backpropagates the values. Selection and backpropagation are those of `mcts`. So that
the walks of a round in one tree do not all end at the same leaf, each counts as lost at the nodes
that it has passed until all are there: a **virtual loss** (Chaslot, Winands and van den Herik,
"Parallel Monte-Carlo Tree Search", 2008). It makes no difference to walks that begin with different
moves.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.games.state import State, checked_moves, checked_returns
from mctslab.search.evaluators import for_both
from mctslab.search.mcts import Phases, with_proofs
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.roots import Roots
from mctslab.search.selection import SelectionRule, puct
from mctslab.search.solving import (
    LOSS,
    WIN,
    SolverSelection,
    has_decisive_move,
    prove_by_rules,
    proven_returns,
)

Counts = npt.NDArray[np.int64]
Priors = Sequence[Sequence[float]]

BY_PUCT: Final = -1
"""Instead of an action: PUCT chooses it."""


class Forest:
    """Trees of games of the same kind, each searched from a position of its own.

    Args:
        games: a game for each tree, its positions so far, the newest last; that one is the root,
            and not terminal.
        selection: the rule that selects a child.
        solver: whether proven values are carried up the trees; see `mctslab.search.roots`.
        roots: the root of each tree, if they have been searched before.

    Raises:
        ValueError: there is no game.
    """

    def __init__(
        self,
        games: Sequence[Sequence[State]],
        *,
        selection: SelectionRule = puct(),
        solver: bool = False,
        roots: Sequence[Node] = (),
    ) -> None:
        if not games:
            raise ValueError("Expected a game for each tree, got none.")
        self._games = games
        self.states = [positions[-1] for positions in games]
        """The position at the root of each tree."""
        self._selection = SolverSelection(selection) if solver else selection
        self._solver = solver
        self._phases = with_proofs(Phases()) if solver else Phases()
        self._given_roots = roots
        self._trees: Counts = np.zeros(0, np.int64)
        """[walks]: the tree of each walk of the newest round."""
        self._leaves: list[Node] = []
        """Where it has ended."""

    @cached_property
    def _roots(self) -> Sequence[Node]:
        return self._given_roots or [Node(state) for state in self.states]

    def one_walk_each(self) -> tuple[Counts, Counts]:
        """What `gather` takes for a walk in each tree, whose moves PUCT chooses."""
        number = len(self.states)
        return np.arange(number), np.full(number, BY_PUCT)

    def gather(self, trees: Counts, first_actions: Counts, *, spare_won: bool = False) -> Counts:
        """Walk down to leaves; returns the walks whose leaves have to be evaluated.

        A walk to the end of a game or to a proven node needs no evaluation, nor does a second walk
        to the same leaf.

        Args:
            trees: [walks]: the tree of each walk, in ascending order.
            first_actions: [walks]: the action that the walk takes at its root; -1 leaves it to
                PUCT, as below the root. At a proven root every walk ends.
            spare_won: with a solver, whether a leaf below the root at which the player to move can
                win at once is proven without an evaluation, and gets no children.

        Raises:
            ValueError: a root has no such child: it was not evaluated yet, or the action is not
                legal there.
        """
        self._trees, self._leaves = trees, []
        with virtual_losses() as count_as_lost:
            for tree, action in zip(trees.tolist(), first_actions.tolist(), strict=True):
                first = self._first_node(tree, action)
                leaf = self._phases.select(first, self._selection)
                count_as_lost(leaf)
                self._leaves.append(leaf)
        unknown: dict[Node, int] = {}
        for number, leaf in enumerate(self._leaves):
            if self._solver and spare_won:
                _prove_if_decisive(leaf)
            if certain_returns(leaf) is None:
                unknown.setdefault(leaf, number)
        return np.array([*unknown.values()], np.int64)

    def _first_node(self, tree: int, action: int) -> Node:
        """Where a walk begins: at the root, or with a child that is given."""
        root = self._roots[tree]
        if action == BY_PUCT or root.proven is not None:
            return root
        for child in root.children:
            if child.action == action:
                return child
        raise no_such_child(tree, action)

    def leaves(self, walks: Counts) -> list[State]:
        """The positions at the ends of some walks of the newest round."""
        return [self._leaves[walk].state for walk in walks]

    def positions_on(self, walk: int) -> list[State]:
        """The game of a tree up to the leaf of a walk of the newest round."""
        below = self._leaves[walk].path[1:]
        return [*self._games[self._trees[walk]], *(node.state for node in below)]

    def add(
        self, walks: Counts, values: Sequence[tuple[float, float]], priors: Priors | None
    ) -> None:
        """Give the leaves of `walks` their children, and carry the values of all leaves up.

        Args:
            walks: the return value of `gather`.
            values: the value of each leaf for player 0 and for player 1.
            priors: those of its legal actions, in their order; None if they are all equal.

        Raises:
            ValueError: the tree was grown by `mcts`.
        """
        evaluated = [self._leaves[walk] for walk in walks]
        if any(leaf.children for leaf in evaluated):
            raise ValueError(
                "The tree of root= was grown by mcts, where nodes can have some of their children. "
                "puct_search needs a tree that puct_search has grown."
            )
        estimates = dict(zip(evaluated, values, strict=True))
        for place, leaf in enumerate(evaluated):
            add_children(leaf, None if priors is None else priors[place])
        if self._solver:
            for leaf in dict.fromkeys(self._leaves):
                if leaf.proven is None:
                    prove_by_rules(leaf)
        for leaf in self._leaves:
            self._phases.backpropagate(leaf, certain_returns(leaf) or estimates[leaf])

    def add_by_net(
        self,
        walks: Counts,
        values: npt.NDArray[np.floating],
        policy_logits: npt.NDArray[np.floating],
    ) -> None:
        """`add` for the outputs of a net.

        Args:
            walks: the return value of `gather`.
            values: [walks], each in [-1, 1], for the player to move at the leaf.
            policy_logits: [walks, actions]: how promising each action is; of the legal ones the
                softmax is taken.
        """
        leaves = self.leaves(walks)
        players = [leaf.current_player for leaf in leaves]
        pairs = zip(leaves, policy_logits.tolist(), strict=True)
        priors = [softmax([logits[a] for a in leaf.legal_actions()]) for leaf, logits in pairs]
        self.add(walks, [*map(for_both, values.tolist(), players)], priors)

    def mix_noise(self, tree: int, noise: DirichletNoise, rng: np.random.Generator) -> None:
        """Mix noise into the priors of a root, which must have been evaluated."""
        children = self._roots[tree].children
        mixed = noise.mixed([child.prior for child in children], rng)
        for child, prior in zip(children, mixed, strict=True):
            child.prior = prior

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


# The phases of several walks


@contextmanager
def virtual_losses() -> Iterator[Callable[[Node], None]]:
    """A function that counts a visit and a loss, for its own mover, at every node from the root to
    a leaf; at the end of the block they are taken back."""
    before: list[tuple[Node, float]] = []

    def count_as_lost(leaf: Node) -> None:
        for node in leaf.path:
            before.append((node, node.total_value))
            node.visit_count += 1
            node.total_value -= 1.0

    try:
        yield count_as_lost
    finally:
        for node, total_value in reversed(before):
            node.visit_count -= 1
            node.total_value = total_value  # W - 1 + 1 could differ from W in the last digit


def _prove_if_decisive(leaf: Node) -> None:
    """Prove a leaf below the root, if the player to move there can win at once."""
    if leaf.parent is not None and leaf.proven is None and has_decisive_move(leaf.state):
        leaf.proven = WIN if leaf.mover == leaf.state.current_player else LOSS


def no_such_child(tree: int, action: int) -> ValueError:
    """A walk cannot begin with this action."""
    return ValueError(
        f"The action {action} leads to no child of root {tree}: it was not evaluated yet, or the "
        f"action is not legal there. {BY_PUCT} leaves the choice to PUCT."
    )


def certain_returns(leaf: Node) -> tuple[float, float] | None:
    """The returns of a leaf that needs no evaluation: it is proven, or the game is over there."""
    if leaf.proven is not None:
        return proven_returns(leaf)
    return checked_returns(leaf.state) if leaf.state.is_terminal else None


def add_children(leaf: Node, priors: Sequence[float] | None) -> None:
    """Phase 2: add an unvisited child with its prior for each legal action.

    Without `priors` they are all equal.
    """
    number = len(checked_moves(leaf.state))
    priors = [1 / number] * number if priors is None else priors
    leaf.children = [
        Node(parent=leaf, action=action, prior=prior)
        for action, prior in zip(leaf.untried_actions, priors, strict=True)
    ]
    leaf.untried_actions = []


# The outputs of a net


def softmax(logits: Sequence[float]) -> list[float]:
    """exp(logit), divided by the sum of them all."""
    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
