"""Monte Carlo Tree Search: select, expand, simulate, backpropagate.

This is the readable search, to be read beside the picture in any textbook. The names of the
four phases and their order follow Browne et al., "A Survey of Monte Carlo Tree Search Methods"
(2012), Algorithm 2.
"""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from mctslab.games.state import State
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.reuse import find_root
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.solving import AmongUnproven, prove
from mctslab.search.trace import Trace


class Expansion(StrEnum):
    """How many children a leaf gets when the search comes to it."""

    ONE = "one"
    ALL = "all"

    @classmethod
    def checked(cls, expansion: "Expansion | str") -> "Expansion":
        """The way of that name; ValueError where there is none."""
        if expansion not in list(cls):
            raise ValueError(f"expansion={expansion!r} is unknown: it is 'one' or 'all'.")
        return cls(expansion)


def mcts(
    state: State,
    *,
    num_simulations: int | None = None,
    seconds: float | None = None,
    evaluator: Evaluator = rollout_evaluator(),
    selection: SelectionRule = ucb1(),
    expansion: Expansion | str = Expansion.ONE,
    solver: bool = False,
    rng: np.random.Generator,
    root: Node | None = None,
    trace: Trace | None = None,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` by MCTS; without options this is UCT with random rollouts.

    Args:
        state: the position to think about; not terminal.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        evaluator: what a leaf is worth; see `mctslab.search.evaluators`.
        selection: the rule by which to walk down the tree; see `mctslab.search.selection`.
        expansion: "one" adds one random untried child to a leaf; "all" adds all of them at once
            and evaluates each, so that one walk down pays for several simulations.
        solver: whether wins, draws and losses that are proven are carried up the tree, which is
            MCTS-Solver; see `mctslab.search.solving`. When the root is proven the search ends,
            whatever is left of its budget.
        rng: the source of chance. The same seed grows the same tree.
        root: `result.root` of an earlier search. If `state` is found in that tree (at its root,
            or below, after the move played and the reply), the subtree grows further.
        trace: a fresh `Trace()`, in which every event of the search is recorded.
        stop: is asked before every simulation; when it says True the search ends at once.

    Raises:
        ValueError: no budget, one that is too small, a state at which the game is over, or
            another argument that is not what it should be.
    """
    check_position(state, rng)
    add_children = {Expansion.ONE: expand, Expansion.ALL: expand_all}[Expansion.checked(expansion)]
    budget = Budget(num_simulations, seconds, stop)
    root = find_root(root, state) or Node(state)
    if solver:
        selection = AmongUnproven(selection)
    if trace is not None:
        trace.start(root)
        evaluator = trace.recording(evaluator)

    while not budget.is_spent and not (solver and root.proven is not None):
        node = select(root, selection)
        if trace is not None:
            trace.selected(node, selection.score)
        for leaf in budget.take(add_children(node, rng)):
            if trace is not None:
                trace.expanded(leaf)
            returns = simulate(leaf, evaluator, rng)
            if trace is not None:
                trace.simulated(returns)
            backpropagate(leaf, returns)
            if solver:
                prove(leaf)
            if trace is not None:
                trace.backpropagated()
    return SearchResult(root, num_simulations=budget.spent, seconds=budget.seconds)


def check_position(state: State, rng: np.random.Generator) -> None:
    """Check what every search needs: a position to search, and a random number generator.

    Raises:
        ValueError: one of them is wrong, or the game is over.
    """
    check_state(state)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator, got {rng!r}: "
            "pass np.random.default_rng(1), for example."
        )


def check_state(state: object) -> None:
    """Check that `state` is a position to search; ValueError if not, or if the game is over."""
    if isinstance(state, type) and issubclass(state, State):
        name = state.__name__
        raise ValueError(
            f"state must be a position, got the class {name}: the brackets are missing, "
            f"write {name}()."
        )
    if not isinstance(state, State):
        raise ValueError(f"state must be a position of a game, got {state!r}.")
    if state.is_terminal:
        raise ValueError(f"There is nothing to search, the game is over:\n{state}")


def select(root: Node, rule: SelectionRule) -> Node:
    """Phase 1: walk from the root to a node where there is something left to try, or the end.

    At each step the rule picks the most promising child.
    """
    node = root
    while node.is_fully_expanded and node.children:
        child = rule.best_child(node)
        child.parent = node  # it may be another's, if this part of the tree went on by itself
        node = child
    return node


def expand(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2: add one child, for an untried action drawn at random.

    At the end of a game there is nothing to add: the node itself is the leaf.
    """
    untried = node.untried_actions
    if not untried:
        return [node]
    prior = 1 / (len(untried) + len(node.children))
    action = untried.pop(int(rng.random() * len(untried)))
    child = Node(parent=node, action=action, prior=prior)
    node.children.append(child)
    return [child]


def expand_all(node: Node, rng: np.random.Generator) -> list[Node]:
    """Phase 2, the other way: add a child for every untried action, in random order.

    A child that was added but not evaluated, because the budget ended, is the leaf itself.
    """
    if node.parent is not None and node.visit_count == 0:
        return [node]
    leaves = expand(node, rng)
    while not node.is_fully_expanded:
        leaves += expand(node, rng)
    return leaves


def simulate(leaf: Node, evaluator: Evaluator, rng: np.random.Generator) -> tuple[float, float]:
    """Phase 3: what the leaf is worth to each player, in [-1, 1].

    A finished game is worth its result; for any other position the evaluator is asked.
    """
    if leaf.state.is_terminal:
        return leaf.state.returns()
    return evaluator([leaf.state], rng).values[0]


def backpropagate(leaf: Node, returns: tuple[float, float]) -> None:
    """Phase 4: count the result at every node from the leaf up to the root.

    Each node counts what its own mover got. Nothing is negated on the way, so a pass, or any
    game in which a player moves twice, comes out right.
    """
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += returns[node.mover]
        node = node.parent
