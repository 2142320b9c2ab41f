"""The same search as `mctslab.search.mcts`, on flat arrays and compiled: the same tree, faster."""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import compilable, engine
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.fast.nodes import rule_in_python
from mctslab.fast.running import Run, is_compiled_generator, readable_result, spend
from mctslab.fast.tree import ArrayNode, Tree, tree_for
from mctslab.games.rules import Compilable
from mctslab.games.state import Rng, State
from mctslab.search.budget import Budget
from mctslab.search.checks import check_parts, check_position
from mctslab.search.evaluators import Evaluator, RolloutEvaluator, rollout_evaluator, uniform
from mctslab.search.knowledge.roxanne import Roxanne
from mctslab.search.mcts import Expansion
from mctslab.search.mcts import mcts as readable_mcts
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.reuse import growing
from mctslab.search.selection import UCB1, SelectionRule, ucb1

_LARGEST_TABLE: Final = 1 << 20


class Tables(NamedTuple):
    """Tables of the numbers that UCB1 computes from a number of visits."""

    bonuses: npt.NDArray[np.float64]
    """[visits of a parent]: their part of its children's bonuses."""
    factors: npt.NDArray[np.float64]
    """[visits of a child]: the factor of its parent's bonus."""
    filled: npt.NDArray[np.int64]
    """[1]: the number of visits up to which the tables are filled in."""


@functools.cache
def _tables() -> Tables:
    """The tables, shared by all searches: they fill in the same numbers."""
    return Tables(np.zeros(_LARGEST_TABLE), np.zeros(_LARGEST_TABLE), np.zeros(1, dtype=np.int64))


def mcts(
    state: State,
    *,
    num_simulations: int | None = None,
    seconds: float | None = None,
    evaluator: Evaluator = rollout_evaluator(),
    selection: SelectionRule = ucb1(),
    expansion: Expansion | str = Expansion.ONE,
    solver: bool = False,
    rng: Rng,
    root: Node | None = None,
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` as `mctslab.search.mcts` does: the same seed grows the same tree.

    The arguments are the same, without `phases` and `trace`. If something cannot be compiled (an
    evaluator or a game in plain Python), the readable search is used, and `result.note` says so.

    A tree stops growing at ten million nodes. The search continues, and evaluates leaves that it
    cannot expand. A node takes 48 bytes, or 80 in a game that keeps positions, such as Reversi and
    Connect Four.

    Args:
        state: the position to think about; not terminal.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        evaluator: returns the value of a leaf. Rollouts are compiled: uniform ones and Roxanne's.
        selection: UCB1 is compiled, also with a formula of your own that is a plain function of
            numbers (see `search.ucb1`).
        expansion: "one" or "all".
        solver: whether proven values are carried up the tree; when the root is proven, the search
            ends. That search is compiled separately.
        rng: a `numpy.random.Generator`, or a seed; the same seed gives the same result.
        root: `result.root` of an earlier search, to continue from. What it has found about `state`
            is copied, unless `state` is its root.
        stop: called about fifty times a second; when it returns True, the search ends.

    Raises:
        ValueError: as for `mctslab.search.mcts`; or `root` is from a search by `puct_search`.
        SearchRunningError: another search is using the tree of `root`.
    """
    rng = check_position(state, rng)
    check_parts(evaluator, selection)
    # These say what is wrong before anything is compiled.
    Budget(num_simulations, seconds)
    expansion = Expansion.checked(expansion)
    compiled = compiled_search(state, evaluator, selection, root, rng, solver)
    if isinstance(compiled, str):
        return readable_result(
            readable_mcts,
            compiled,
            state,
            root,
            num_simulations=num_simulations,
            seconds=seconds,
            evaluator=evaluator,
            selection=selection,
            expansion=expansion,
            solver=solver,
            rng=rng,
            stop=stop,
        )
    assert isinstance(evaluator, RolloutEvaluator)
    assert isinstance(selection, UCB1)
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        tree = tree_for(state, root, *compiled)
        run = _Run(tree, evaluator, selection, expansion, rng, solver=solver)
        spend(budget, run)
        return run.result(budget)


def why_not(
    state: State,
    evaluator: Evaluator = rollout_evaluator(),
    selection: SelectionRule = ucb1(),
    *,
    solver: bool = False,
) -> str:
    """Why this search cannot be compiled, half a sentence; empty if it can."""
    compiled = compiled_search(state, evaluator, selection, None, None, solver)
    return compiled if isinstance(compiled, str) else ""


def compiled_search(
    state: State,
    evaluator: Evaluator,
    selection: SelectionRule,
    root: Node | None,
    rng: np.random.Generator | None,
    solver: bool,
) -> tuple[Compilable, ModuleType] | str:
    """The game and the engine for this search; or why it cannot be compiled."""
    if rng is not None and not is_compiled_generator(rng):
        return f"the numbers come from {rng!r}, and only NumPy's PCG64 is compiled"
    if reason := rule_in_python(selection, UCB1):
        return reason
    assert isinstance(selection, UCB1)
    if type(evaluator) is not RolloutEvaluator:
        return f"the evaluator {evaluator!r} is written in Python"
    game = game_of(state, root)
    if isinstance(game, str):
        return game
    if not has_compiled_policy(evaluator, state, game):
        if type(evaluator.policy) is Roxanne:
            return "classes are compiled for games whose actions are squares, at most 64 of them"
        return f"the rollout policy {evaluator.policy!r} is written in Python"
    try:
        return game, engine(game, solver, selection.exploration)
    except NotCompilableError as error:
        return str(error)


def game_of(state: State, root: Node | None, *, is_guided: bool = False) -> Compilable | str:
    """The game to compile; or why neither it nor the tree of `root` can be searched compiled.

    Raises:
        ValueError: `root` is no node, or of a tree of the other kind, with or without priors.
    """
    if not isinstance(root, Node | None):
        raise ValueError(f"root must be a node of a tree, got {root!r}: pass result.root.")
    if isinstance(root, ArrayNode) and root.tree.is_guided != is_guided:
        names = ("mcts", "puct_search")
        raise ValueError(
            f"root= is from a search by {names[not is_guided]}, and {names[is_guided]} cannot grow "
            "such a tree: leave it out."
        )
    try:
        game = compilable(state)
    except NotCompilableError as error:
        return str(error)
    if changed := _changed_method(type(state)):
        return f"{changed}() overrides the rules of {state.title}"
    if root is not None and not isinstance(root, ArrayNode):
        return "the tree to continue from was grown by the readable search"
    return game


def _changed_method(game: type[State]) -> str:
    """A method of a class that overrides its inherited rules; empty if there is none."""
    for kind in game.__mro__:
        if "rules" in vars(kind) or "compilable" in vars(kind):
            break
        for method in ("child", "current_player", "is_terminal", "legal_actions", "returns"):
            if method in vars(kind):
                return method
    return ""


def has_compiled_policy(evaluator: RolloutEvaluator, state: State, game: Compilable) -> bool:
    """Whether the rollouts are uniform, or Roxanne's on its own board."""
    if evaluator.policy is uniform:
        return True
    return (
        type(evaluator.policy) is Roxanne
        and len(evaluator.policy.ranks) == state.num_actions
        and game.rules.action_of is None
        and game.num_move_words == 0
    )


def classes_of(policy: object) -> npt.NDArray[np.uint64]:
    """A policy's classes of squares as bitboards, best first; none for uniform rollouts."""
    if not isinstance(policy, Roxanne):
        return np.zeros(0, dtype=np.uint64)
    boards = [0] * (max(policy.ranks) + 1)
    for square, rank in enumerate(policy.ranks[:64]):
        boards[rank] |= 1 << square
    return np.array(boards, dtype=np.uint64)


class _Run(Run):
    """One search of a tree: the arguments of the compiled code."""

    def __init__(
        self,
        tree: Tree,
        evaluator: RolloutEvaluator,
        selection: UCB1,
        expansion: Expansion,
        rng: np.random.Generator,
        *,
        solver: bool,
    ) -> None:
        num_rollouts = int(evaluator.num_rollouts)
        super().__init__(
            tree,
            rng,
            solver=solver,
            num_rollouts=num_rollouts,
            nodes_expected=1.25,  # one, and the records that children leave behind
            nodes_needed=tree.state.num_actions,
        )
        self._rule = (
            expansion is Expansion.ALL,
            float(selection.c),
            *_tables(),
            classes_of(evaluator.policy),
            num_rollouts,
        )

    def _call(self, chunk: int, limit: int, random_state: npt.NDArray[np.uint64]) -> int:
        tree = self.tree
        limit = min(limit, chunk + tree.state.num_actions)  # all children of a leaf are evaluated
        done: int = tree.engine.search(
            self.nodes, tree.counters, tree.start, tree.words, random_state,
            chunk, limit, *self._rule, self._may_grow,
        )  # fmt: skip
        return done
