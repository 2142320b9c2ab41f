"""Monte Carlo Tree Search: the loop that runs the four phases of `phases.py`."""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from mctslab.games.state import State
from mctslab.search.budget import Budget
from mctslab.search.evaluators import Evaluator, rollout_evaluator
from mctslab.search.node import Node
from mctslab.search.phases import Phases, expand_all
from mctslab.search.result import SearchResult
from mctslab.search.reuse import claimed, find_root
from mctslab.search.selection import SelectionRule, ucb1
from mctslab.search.solving import SolverSelection, with_proofs
from mctslab.search.trace import Trace
from mctslab.search.undo import Undo


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
    rng: np.random.Generator,
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
        rng: the random number generator. The same seed grows the same tree.
        root: `result.root` of an earlier search. If `state` is found in that tree (at its root,
            or below, after the move played and the reply), the subtree grows further.
        trace: a new `Trace()`, in which every event of the search is recorded.
        stop: called before each simulation; return True to end the search.

    Raises:
        ValueError: the budget is missing or too small, the game is over at `state`, or another
            argument is wrong.
        SearchRunningError: another search is growing the tree of `root`.
    """
    check_position(state, rng)
    if Expansion.checked(expansion) is Expansion.ALL:
        phases = phases._replace(expand=expand_all)
    budget = Budget(num_simulations, seconds, stop)
    claim = claimed(root)
    try:
        root = find_root(root, state) or Node(state)
        root.claim = claim
        if solver:
            selection, phases = SolverSelection(selection), with_proofs(phases)
            budget.end_when_proven(root)
        if trace is not None:
            trace.start(root)
            phases = trace.recorded(phases)

        while not budget.is_spent:
            node = phases.select(root, selection)
            for leaf in budget.take(phases.expand(node, rng)):
                returns = phases.simulate(leaf, evaluator, rng)
                with Undo.above(leaf):  # Ctrl-C must not leave it half done
                    phases.backpropagate(leaf, returns)
        return SearchResult(root, num_simulations=budget.spent, seconds=budget.seconds)
    finally:
        claim.is_active = False


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
    if isinstance(state, type) and hasattr(state, "is_terminal"):
        name = state.__name__
        raise ValueError(
            f"state must be a position, got the class {name}: the brackets are missing, "
            f"write {name}()."
        )
    # A game of one's own does not have to derive from State, so only its methods count.
    if isinstance(state, type) or not hasattr(state, "is_terminal"):
        raise ValueError(f"state must be a position of a game, got {state!r}.")
    if state.is_terminal:
        raise ValueError(f"There is nothing to search, because the game is over:\n{state}")
