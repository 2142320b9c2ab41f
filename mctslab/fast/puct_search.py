"""The same search as `mctslab.search.puct_search`, its tree on a flat array: the same tree, faster.

The tree is compiled for every game that can be compiled, with any evaluator. Rollouts are compiled
as well; any other evaluator is called in Python, with a batch of states at a time. (For self-play,
`forest.py` searches many games at once.)
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from mctslab.fast.compile.recipes import puct_engine
from mctslab.fast.compile.translate import NotCompilableError
from mctslab.fast.forest import CompiledForest
from mctslab.fast.mcts import classes_of, game_of, has_compiled_policy
from mctslab.fast.nodes import ROOT, make_walks, numbers_of, rule_in_python
from mctslab.fast.running import (
    Run,
    is_compiled_generator,
    random_state_from,
    readable_result,
    spend,
)
from mctslab.fast.tree import Tree, tree_for
from mctslab.games.rules import Compilable
from mctslab.games.state import Rng, State, endless
from mctslab.search.budget import Budget
from mctslab.search.checks import check_batch_size, check_parts, check_position
from mctslab.search.evaluators import (
    Evaluator,
    EvaluatorWithPriors,
    RolloutEvaluator,
    UniformEvaluator,
    history_of,
    uniform_evaluator,
)
from mctslab.search.forest import BY_PUCT, Counts, Forest
from mctslab.search.node import Node
from mctslab.search.noise import DirichletNoise
from mctslab.search.puct_search import batch_length, evaluated
from mctslab.search.puct_search import puct_search as readable_puct_search
from mctslab.search.result import SearchResult
from mctslab.search.reuse import growing
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
        EvaluationError: the evaluator failed. The tree is what it was before that batch.
        SearchRunningError: another search is using the tree of `root`.
    """
    rng = check_position(state, rng)
    check_parts(evaluator, selection)
    check_batch_size(batch_size)
    Budget(num_simulations, seconds)
    compiled = _compiled(state, root, solver, selection)
    if isinstance(compiled, str):
        return readable_result(
            readable_puct_search,
            compiled,
            state,
            root,
            evaluator=evaluator,
            num_simulations=num_simulations,
            seconds=seconds,
            selection=selection,
            batch_size=batch_size,
            noise=noise,
            solver=solver,
            rng=rng,
            past=past,
            stop=stop,
        )
    with growing(root), Budget(num_simulations, seconds, stop) as budget:
        # No variable of this function holds the tree: what Numba keeps of a compilation refers to
        # the functions that were running then, and would keep the tree's memory.
        return _grow(
            _Run(
                tree_for(state, root, *compiled, is_guided=True),
                evaluator, selection, batch_size, rng, solver, past,
            ),
            budget, noise,
        )  # fmt: skip


def _grow(run: "_Run", budget: Budget, noise: DirichletNoise | None) -> SearchResult:
    """Search until the budget is spent; afterwards the root has the evaluator's priors again."""
    tree = run.tree
    run.expect(budget.simulations_left(otherwise=0))
    if tree.nodes[ROOT]["num_children"] == 0:
        budget.spent = run.go_on(1, 1)
    priors = _root_priors(tree).copy()
    try:
        if noise is not None:
            _root_priors(tree)[:] = noise.mixed(priors.tolist(), run.rng)
        spend(budget, run)
    finally:
        _root_priors(tree)[:] = priors
    return run.result(budget, by_puct=True)


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


def _root_priors(tree: Tree) -> npt.NDArray[np.float64]:
    """The priors of the root's moves, in its records."""
    first, number = tree.nodes[ROOT]["first_child"], tree.nodes[ROOT]["num_children"]
    priors: npt.NDArray[np.float64] = tree.nodes["prior"][first : first + number]
    return priors


class _Run(Run):
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
        self._is_in_python = not _is_compiled(evaluator, tree, rng)
        self._rollouts: Evaluator | None = None  # that are compiled
        if type(evaluator) is EvaluatorWithPriors and _is_compiled(evaluator.evaluator, tree, rng):
            self._rollouts = evaluator.evaluator
            evaluator = EvaluatorWithPriors(uniform_evaluator(), evaluator.prior_function)
        super().__init__(
            tree,
            rng,
            solver=solver,
            num_rollouts=max(1, _rollouts_of(evaluator)[0]),
            nodes_expected=tree.state.num_actions,
            nodes_needed=tree.state.num_actions * batch_size,
        )
        self._evaluator = evaluator
        self._batch_size = batch_size
        self._walks = make_walks(batch_size, tree.game)
        self._rule = numbers_of(selection)
        self._selection, self._past = selection, past

    @cached_property
    def _forest(self) -> CompiledForest:
        """The tree as a forest, which only an evaluator in Python needs."""
        games = [[*self._past, self.tree.state]]
        return CompiledForest(games, selection=self._selection, solver=self._solver, tree=self.tree)

    @cached_property
    def _look(self) -> Callable[[Forest, Counts], tuple[Any, Any]] | None:
        """How the evaluator looks at the arrays itself; None if it needs states."""
        needs_states = not self._forest.can_draw or history_of(self._evaluator) > 1
        return None if needs_states else getattr(self._evaluator, "look", None)

    def _call(self, chunk: int, limit: int, random_state: npt.NDArray[np.uint64]) -> int:
        tree = self.tree
        num_rollouts, classes = _rollouts_of(self._evaluator)
        done: int = tree.engine.run(
            self.nodes, tree.counters, tree.start, tree.words, self._rule, self._walks,
            self._batch_size, np.zeros(0, np.int64), np.zeros((0, 0)), classes, num_rollouts,
            tree.words.copy(), random_state, chunk, limit, tree.state.num_actions, self._may_grow,
        )  # fmt: skip
        return done

    def go_on(self, chunk: int, limit: int) -> int:
        """Run `chunk` simulations or a few more; or one batch, with an evaluator in Python."""
        if not self._is_in_python:
            return super().go_on(chunk, limit)
        tree, forest = self.tree, self._forest
        length = batch_length(self._batch_size, int(tree.nodes[ROOT]["visit_count"]))
        length = min(length, limit)
        self._reserve(self._nodes_needed)
        forest.use(self.nodes)
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
        if self._rollouts is not None:
            pairs = self._play_out(self._rollouts, walks)
        return partial(forest.add, walks, pairs, priors)

    def _play_out(self, evaluator: Evaluator, walks: Counts) -> Any:
        """[walks, 2]: the values of leaves, by rollouts."""
        with random_state_from(self.rng) as random_state:
            values = self._forest.play_out(walks, *_rollouts_of(evaluator), random_state)
        if values is None:
            raise endless(self.tree.state)
        return values


def _rollouts_of(evaluator: Evaluator) -> tuple[int, npt.NDArray[np.uint64]]:
    """The number of rollouts for a leaf, and the classes of squares that their policy uses."""
    if isinstance(evaluator, RolloutEvaluator):
        return evaluator.num_rollouts, classes_of(evaluator.policy)
    return 0, classes_of(None)
