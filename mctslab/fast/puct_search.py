"""The same search as `mctslab.search.puct_search`, its tree on a flat array: the same tree, faster.

The tree is compiled for every game that can be compiled, with any evaluator. Rollouts are compiled
as well; any other evaluator is called in Python, with a batch of states at a time. (For self-play,
`forest.py` searches many games at once.)
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import puct_engine
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.fast.forest import CompiledForest, root_priors
from mctslab.fast.mcts import classes_of, game_of, has_compiled_policy
from mctslab.fast.nodes import ROOT, rule_in_python
from mctslab.fast.running import (
    checked_number,
    is_compiled_generator,
    random_state_from,
    readable_result,
    result_of,
    spend,
)
from mctslab.fast.tree import Tree, growing, tree_for
from mctslab.games.bitboards import checked_size
from mctslab.games.rules import Compilable
from mctslab.games.state import Rng, State
from mctslab.search.budget import Budget
from mctslab.search.checks import check_arguments
from mctslab.search.evaluators import (
    Evaluator,
    EvaluatorWithPriors,
    RolloutEvaluator,
    UniformEvaluator,
    history_of,
    uniform_evaluator,
)
from mctslab.search.forest import BY_PUCT, Counts
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.puct_search import MOST_LEAVES, batch_length, evaluated
from mctslab.search.puct_search import puct_search as readable_puct_search
from mctslab.search.result import SearchResult
from mctslab.search.selection import PUCT, puct


def puct_search(
    state: State,
    *,
    evaluator: Evaluator,
    num_simulations: int | None = None,
    seconds: float | None = None,
    selection: PUCT = puct(),
    batch_size: int = 1,
    noise: DirichletNoise | None = None,
    solver: bool = False,
    rng: Rng,
    root: Node | None = None,
    past: Sequence[State] = (),
    stop: Callable[[], bool] | None = None,
) -> SearchResult:
    """Search `state` as `mctslab.search.puct_search` does: the same seed grows the same tree.

    A tree stops growing at ten million nodes, 40 bytes each. The search continues, and evaluates
    leaves that it cannot expand.

    Args:
        state: the position to think about; not terminal.
        evaluator: returns the value of a leaf and the priors of its moves. Rollouts (uniform ones
            and Roxanne's) and the uniform evaluator are compiled with the search.
        num_simulations: the budget as a number of simulations, 1 or more.
        seconds: the budget as a time, more than 0. With both, the search ends at the first.
        selection: PUCT's constants, and its formula, which is compiled if it is a plain function of
            numbers. A subclass with methods of its own, or any other rule, is searched in plain
            Python, and `result.note` says so.
        batch_size: the largest number of leaves gathered for one call of the evaluator.
        noise: noise that is mixed into the root's priors, for this search only.
        solver: whether proven values are carried up the tree; when the root is proven, the search
            ends. That search is compiled separately.
        rng: a `numpy.random.Generator`, or a seed; the same seed gives the same result.
        root: `result.root` of an earlier search, to continue from. What it has found about `state`
            is copied, unless `state` is its root.
        past: the positions of the game before `state`, the newest last. Only an evaluator that sees
            them (its `history` is above 1) needs them.
        stop: called before every batch, or about fifty times a second; when it returns True, the
            search ends.

    Raises:
        ValueError: as for `mctslab.search.puct_search`; or `root` is from a search by `mcts`.
        EvaluationError: `evaluator` returned something wrong. The tree is what it was before that
            batch, also if `evaluator` raises an error.
        RuntimeError: another search is using the tree of `root`.
    """
    given = dict(locals())
    rng = check_arguments(state, rng, root, evaluator=evaluator, selection=selection)
    checked_size("batch_size", batch_size, 1, MOST_LEAVES)
    Budget(num_simulations, seconds)
    compiled = _compiled(state, root, solver, selection)
    if isinstance(compiled, str):
        return readable_result(readable_puct_search, compiled, given | {"rng": rng})
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        # No variable of this function holds the tree: what Numba keeps of a compilation refers to
        # the functions that were running then, and would keep the tree's memory.
        return _grow(
            _Search(
                tree_for(state, root, *compiled, is_guided=True),
                evaluator, selection, batch_size, rng, solver, past,
            ),
            budget, noise, solver,
        )  # fmt: skip


def _grow(
    search: "_Search", budget: Budget, noise: DirichletNoise | None, solver: bool
) -> SearchResult:
    """Search until the budget is spent; afterwards the root has the evaluator's priors again."""
    tree = search.tree
    if tree.nodes[ROOT]["num_children"] == 0:
        budget.spent = search.simulate(1, 1)
    priors = root_priors(tree.nodes).copy()
    try:
        if noise is not None:
            root_priors(tree.nodes)[:] = noise.mixed(priors.tolist(), search.rng)
        number = tree.state.num_actions
        spend(budget, tree, search.simulate, nodes_expected=number, solver=solver)
    finally:
        root_priors(tree.nodes)[:] = priors
    return result_of(tree, budget, is_guided=True)


def why_not_puct(state: State, *, selection: PUCT = puct(), solver: bool = False) -> str:
    """Why this search cannot be compiled, half a sentence; empty if it can."""
    compiled = _compiled(state, None, solver, selection)
    return compiled if isinstance(compiled, str) else ""


def _compiled(
    state: State, root: Node | None, solver: bool, selection: PUCT
) -> tuple[Compilable, ModuleType] | str:
    """The game and the engine for this search; or why it cannot be compiled."""
    if reason := rule_in_python(selection):
        return reason
    game = game_of(state, root, is_guided=True)
    try:
        if isinstance(game, str):
            return game
        return game, puct_engine(game, solver, selection.exploration)
    except NotCompilableError as error:
        return str(error)


def _is_compiled(evaluator: Evaluator, tree: Tree, rng: np.random.Generator) -> bool:
    """Whether the evaluator is one of those that are compiled with the search."""
    if type(evaluator) is RolloutEvaluator:
        has_policy = has_compiled_policy(evaluator, tree.state, tree.game)
        return has_policy and is_compiled_generator(rng)
    return type(evaluator) is UniformEvaluator


class _Search:
    """One search of a tree.

    With rollouts or no evaluator at all, the whole search is compiled code. An evaluator in Python
    is called once for every batch. Where only its priors come from Python, the rollouts for the
    values are compiled. A net looks at the arrays itself, without a state for each leaf.
    """

    def __init__(
        self,
        tree: Tree,
        evaluator: Evaluator,
        selection: PUCT,
        batch_size: int,
        rng: np.random.Generator,
        solver: bool,
        past: Sequence[State],
    ) -> None:
        self.tree, self.rng = tree, rng
        self._batch_size = batch_size
        self._is_in_python = not _is_compiled(evaluator, tree, rng)
        of_values = evaluator
        if type(evaluator) is EvaluatorWithPriors and _is_compiled(evaluator.evaluator, tree, rng):
            of_values = evaluator.evaluator
            evaluator = EvaluatorWithPriors(uniform_evaluator(), evaluator.prior_function)
        self._rollouts = _rollouts_of(of_values if _is_compiled(of_values, tree, rng) else None)
        """Those that are compiled: their number for a leaf, and the classes of squares."""
        self._evaluator = evaluator
        self._forest = CompiledForest(
            [[*past, tree.state]], selection=selection, solver=solver, tree=tree
        )
        needs_states = not self._forest.can_draw or history_of(evaluator) > 1
        self._look = None if needs_states else getattr(evaluator, "look", None)

    def simulate(self, chunk: int, limit: int) -> int:
        """Run `chunk` simulations or a few more; or one batch, with an evaluator in Python."""
        tree, forest = self.tree, self._forest
        tree.reserve(tree.state.num_actions * self._batch_size)
        forest.use(tree.nodes)
        if not self._is_in_python:
            with tree.lock, random_state_from(self.rng) as random_state:
                done = forest.run(
                    chunk, limit, self._batch_size, *self._rollouts, random_state,
                    may_grow=tree.may_grow,
                )  # fmt: skip
            return checked_number(done, tree)
        length = batch_length(self._batch_size, int(tree.nodes[ROOT]["visit_count"]))
        length = min(length, limit)
        with tree.lock:
            walks = forest.gather(np.zeros(length, np.int64), np.full(length, BY_PUCT))
        add = self._answer(walks)
        with tree.lock:
            add()
        return length

    def _answer(self, walks: Counts) -> Callable[[], None]:
        """Evaluate the leaves of these walks; returns what is left to do with the answer."""
        forest = self._forest
        if self._look is not None and len(walks):
            values, logits = self._look(forest, walks)
            return partial(forest.add_by_net, walks, values, logits)
        pairs, priors = evaluated(forest, walks, self._evaluator, self.rng)
        if not self._rollouts[0]:
            return partial(forest.add, walks, pairs, priors)
        with random_state_from(self.rng) as random_state:
            played = forest.play_out(walks, *self._rollouts, random_state)
        return partial(forest.add, walks, played, priors)


def _rollouts_of(evaluator: Evaluator | None) -> tuple[int, npt.NDArray[np.uint64]]:
    """The number of rollouts for a leaf, and the classes of squares that their policy uses."""
    if isinstance(evaluator, RolloutEvaluator):
        return evaluator.num_rollouts, classes_of(evaluator.policy)
    return 0, classes_of(None)
