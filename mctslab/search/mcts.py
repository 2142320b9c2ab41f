"""Monte Carlo Tree Search: the four phases of a simulation, and the loop that runs them.

The names of the phases and their order follow Browne et al., "A Survey of Monte Carlo Tree Search
Methods" (2012), Algorithm 2: select, expand, simulate, backpropagate.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from mctslab.games.state import Rng, State, checked_returns
from mctslab.search.budget import Budget
from mctslab.search.checks import check_parts, check_position, value_of
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.reuse import find_root, growing
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.solving import SolverSelection, prove, proven_returns
from mctslab.search.trace import Trace

# The four phases


def select(root: Node, rule: SelectionRule) -> Node:
    """Phase 1: walk down from the root until a node has an untried action or the game is over.

    At each step the rule picks the most promising child.
    """
    node = root
    while node.is_fully_expanded and node.children:
        node = rule.best_child(node)
    return node


def expand(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2: add one child, for an untried action drawn at random.

    At the end of a game there is nothing to add: the node itself is the leaf.
    """
    untried = node.untried_actions
    if not untried:
        return [node]
    place = int(rng.random() * len(untried))
    prior = 1 / (len(untried) + len(node.children))
    child = Node(parent=node, action=untried.pop(place), prior=prior)
    node.children.append(child)
    return [child]


def expand_all(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2, the other way: add a child for every untried action, in random order.

    A child that was added but not evaluated, because the budget ended, is a leaf itself.
    """
    if node.parent is not None and node.visit_count == 0:
        return [node]
    leaves = expand(node, rng)
    while not node.is_fully_expanded:
        leaves += expand(node, rng)
    return leaves


def simulate(leaf: Node, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
    """Phase 3: the value of the leaf for each player, in [-1, 1].

    For a finished game it is the result; any other position is evaluated.
    """
    if leaf.state.is_terminal:
        return checked_returns(leaf.state)
    return value_of(leaf.state, evaluator, rng)


def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node from the leaf up to the root.

    Each node counts the return of its own mover. No sign is flipped on the way, so a pass, or a
    game in which a player moves twice, is counted correctly.
    """
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent


class Phases(NamedTuple):
    """The four phases as functions; a solver or a trace replaces some of them."""

    select: Callable[[Node, SelectionRule], Node] = select
    expand: Callable[[Node, np.random.Generator], list[Node]] = expand
    simulate: Callable[[Node, Evaluator, np.random.Generator], tuple[float, float]] = simulate
    backpropagate: Callable[[Node, tuple[float, float]], None] = backpropagate


class Expansion(StrEnum):
    """The number of children that a leaf gets when the search reaches it."""

    ONE = "one"
    ALL = "all"

    @classmethod
    def checked(cls, expansion: "Expansion | str") -> "Expansion":
        """The expansion of that name; ValueError if there is none."""
        if expansion not in list(cls):
            raise ValueError(f"expansion must be 'one' or 'all', got {expansion!r}.")
        return cls(expansion)


# The search


def mcts(
    state: State,
    *,
    num_simulations: int | None = None,
    seconds: float | None = None,
    evaluator: Evaluator = rollout_evaluator(),
    selection: SelectionRule = ucb1(),
    expansion: Expansion | str = Expansion.ONE,
    phases: Phases = Phases(),
    solver: bool = False,
    rng: Rng,
    root: Node | None = None,
    trace: Trace | None = None,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` by MCTS; without options this is UCT with random rollouts.

    Args:
        state: the position to search; not terminal.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        evaluator: estimates the value of a leaf; see `mctslab.search.evaluators`.
        selection: the rule that selects a child; see `mctslab.search.selection`.
        expansion: "one" adds one random untried child to a leaf; "all" adds all of them at once
            and evaluates each, so one walk down the tree is followed by several simulations.
        phases: the four phases as functions. `Phases(backpropagate=mine)` replaces one of them.
            `expansion="all"` and `solver=True` bring their own expansion and selection.
        solver: whether proven wins, draws and losses are carried up the tree, which is
            MCTS-Solver; see `mctslab.search.solving`. When the root is proven the search ends,
            whatever is left of its budget.
        rng: the random number generator, or a seed. The same seed grows the same tree.
        root: `result.root` of an earlier search. If `state` is found in that tree (at its root,
            or below, after the move played and the reply), the subtree grows further.
        trace: a new `Trace()`, in which every event of the search is recorded.
        stop: called before each simulation; return True to end the search.

    Raises:
        ValueError: the budget is missing or too small, the game is over at `state`, or another
            argument is wrong. BrokenRulesError if it is the rules of the game, EvaluationError if
            it is a value that `evaluator` returns.
        SearchRunningError: another search is growing the tree of `root`.
    """
    rng = check_position(state, rng)
    check_parts(evaluator, selection)
    if Expansion.checked(expansion) is Expansion.ALL:
        phases = phases._replace(expand=expand_all)
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        root = find_root(root, state) or Node(state)
        if solver:
            selection, phases = SolverSelection(selection), with_proofs(phases)
            budget.end_when_proven(root)
        if trace is not None:
            trace.start(root)
            phases = recorded(phases, trace)

        while not budget.is_spent:
            node = phases.select(root, selection)
            for leaf in budget.take(phases.expand(node, rng)):
                returns = phases.simulate(leaf, evaluator, rng)
                phases.backpropagate(leaf, returns)
        return SearchResult(root, num_simulations=budget.spent, seconds=budget.seconds)


# The phases with a solver, and with a trace


def with_proofs(phases: Phases) -> Phases:
    """The same phases, but a proven node is a leaf, and everything that can be proven is proven."""

    def select(root: Node, rule: SelectionRule) -> Node:
        node = root
        while node.proven is None and node.is_fully_expanded and node.children:
            node = rule.best_child(node)
        return node

    def expand(node: Node, rng: np.random.Generator) -> list[Node]:
        return phases.expand(node, rng) if node.proven is None else [node]

    def simulate(leaf: Node, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
        if leaf.proven is None:
            return phases.simulate(leaf, evaluator, rng)
        return proven_returns(leaf)

    def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
        phases.backpropagate(leaf, returns)
        prove(leaf)

    return Phases(select, expand, simulate, backpropagate)


def recorded(phases: Phases, trace: Trace) -> Phases:
    """The same phases, each followed by its event in the trace."""

    def select(root: Node, rule: SelectionRule) -> Node:
        node = phases.select(root, rule)
        trace.selected(node, rule.score)
        return node

    def simulate(leaf: Node, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
        trace.expanded(leaf)
        returns = phases.simulate(leaf, trace.recording(evaluator), rng)
        trace.simulated(returns)
        return returns

    def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
        phases.backpropagate(leaf, returns)
        trace.backpropagated()

    return Phases(select, phases.expand, simulate, backpropagate)
