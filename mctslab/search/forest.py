"""A forest: searches by PUCT side by side, whose leaves make one batch, in plain Python.

`puct_search` is a forest of one tree, in which several walks look for leaves at a time. Self-play
has a tree for each game. `mctslab.fast.CompiledForest` grows the same trees, compiled.

A round is `gather`, which walks down to leaves; an evaluation of the leaves; and `add`, which adds
their children and carries the values up. So that the walks of a round in one tree do not all end at
the same leaf, each counts as lost at the nodes that it has passed until all are there: a **virtual
loss** (Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", 2008). It makes no
difference to walks that begin with different moves.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from mctslab.games.state import State, checked_moves, checked_returns
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.roots import Roots
from mctslab.search.selection import SelectionRule, puct
from mctslab.search.solving import (
    LOSS,
    WIN,
    SolverSelection,
    carry_up,
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
        self._given_roots = roots
        self._trees: Counts = np.zeros(0, np.int64)
        """[walks]: the tree of each walk of the newest round."""
        self._paths: list[list[Node]] = []
        """Its nodes, from the root to a leaf."""

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
        self._trees, self._paths = trees, []
        with virtual_losses() as count_as_lost:
            for tree, action in zip(trees.tolist(), first_actions.tolist(), strict=True):
                path = self._walk(tree, action)
                count_as_lost(path)
                self._paths.append(path)
        if self._solver and spare_won:
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

    def leaves(self, walks: Counts) -> list[State]:
        """The positions at the ends of some walks of the newest round."""
        return [self._paths[walk][-1].state for walk in walks]

    def positions_on(self, walk: int) -> list[State]:
        """The game of a tree up to the leaf of a walk of the newest round."""
        path = self._paths[walk]
        return [*self._games[self._trees[walk]], *(node.state for node in path[1:])]

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
        leaves = [path[-1] for path in self._paths]
        returns = {leaf: certain_returns(leaf) or (0.0, 0.0) for leaf in leaves}
        evaluated = [leaves[walk] for walk in walks]
        if any(leaf.children for leaf in evaluated):
            raise ValueError(
                "The tree of root= was grown by mcts, where nodes can have some of their children. "
                "puct_search needs a tree that puct_search has grown."
            )
        returns |= dict(zip(evaluated, values, strict=True))
        for place, leaf in enumerate(evaluated):
            add_children(leaf, None if priors is None else priors[place])
        self._carry_up(leaves, [returns[leaf] for leaf in leaves])

    def _carry_up(self, leaves: Sequence[Node], returns: Sequence[tuple[float, float]]) -> None:
        """Phase 4 for every walk; proven values replace estimates."""
        if self._solver:
            returns = proven_or_estimated(leaves, returns)
        for path, each in zip(self._paths, returns, strict=True):
            count_along(path, each)
            if self._solver and path[-1].proven is not None:
                carry_up(reversed(path[:-1]))

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


# A walk, and its results


def walk(root: Node, rule: SelectionRule, *, solver: bool = False) -> list[Node]:
    """The nodes from the root to a leaf; at each step the rule picks the best child.

    With `solver`, a node that is proven is a leaf.
    """
    path = [root]
    while path[-1].is_fully_expanded and path[-1].children:
        if solver and path[-1].proven is not None:
            break
        path.append(rule.best_child(path[-1]))
    return path


@contextmanager
def virtual_losses() -> Iterator[Callable[[Sequence[Node]], None]]:
    """A function that counts a visit and a loss, for its own mover, at every node of a path; at the
    end of the block they are taken back."""
    before: list[tuple[Node, float]] = []

    def count_as_lost(path: Sequence[Node]) -> None:
        for node in path:
            before.append((node, node.total_value))
            node.visit_count += 1
            node.total_value -= 1.0

    try:
        yield count_as_lost
    finally:
        for node, total_value in reversed(before):
            node.visit_count -= 1
            node.total_value = total_value  # W - 1 + 1 could differ from W in the last digit


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


def count_along(path: Sequence[Node], returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node of a path, each for its own mover."""
    for node in path:
        node.visit_count += 1
        node.total_value += returns[node.mover]


def proven_or_estimated(
    leaves: Sequence[Node], estimates: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The returns of the leaves: proven by the rules, otherwise as the evaluator estimates them."""
    for leaf in dict.fromkeys(leaves):
        if leaf.proven is None:
            prove_by_rules(leaf)
    return [
        estimate if leaf.proven is None else proven_returns(leaf)
        for leaf, estimate in zip(leaves, estimates, strict=True)
    ]


# The outputs of a net


def for_both(value: float, current_player: int) -> tuple[float, float]:
    """A value for the player to move as the values for player 0 and player 1."""
    return (value, -value) if current_player == 0 else (-value, value)


def softmax(logits: Sequence[float]) -> list[float]:
    """exp(logit), divided by the sum of them all."""
    highest = max(logits)
    weights = [math.exp(logit - highest) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
