"""Players that search: UCT, flat Monte Carlo and PUCT, within a budget of simulations or time."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final

import numpy as np

from mctslab import fast
from mctslab.fast.mcts import game_of, has_compiled_policy
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal
from mctslab.search.budget import Budget
from mctslab.search.evaluators import (
    Evaluator,
    EvaluatorWithPriors,
    RolloutEvaluator,
    RolloutPolicy,
    rollout_evaluator,
    uniform,
)
from mctslab.search.node import Node
from mctslab.search.result import NotEnoughSimulationsError, SearchResult
from mctslab.search.selection import PUCT, SelectionRule, puct, ucb1

SECONDS_BETWEEN_PROPOSALS: Final = 0.09
"""A little less than a tenth, so that there are ten a second with the time to show them."""
_GRACE_SECONDS: Final = 0.2
"""How long after the end of the time a rollout in plain Python may go on before it is given up."""


class SearchPlayer(Player):
    """Plays the best action of a search, which runs in slices of a tenth of a second.

    Args:
        kind: the beginning of its short name, such as `uct`.
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        search: runs one slice. It is called with the state and, by name, with the `evaluator`, the
            rest of the budget (`num_simulations` and `seconds`, so that it can make room for its
            tree at once), the `root` of the slice before, and with `stop`, which returns True when
            the slice is over.
        evaluator: of the search.
        why_not: compiles the search for a game; returns why that is not possible, if it isn't.
        reuse_tree: keep the tree of each move, so that the next one can continue from it.
        name: the name of this player; if empty, `kind` and the budget.

    Raises:
        ValueError: there is no budget, or it is too small.
    """

    def __init__(
        self,
        kind: str,
        num_simulations: int | None,
        seconds: float | None,
        search: Callable[..., SearchResult],
        evaluator: Evaluator,
        why_not: Callable[[State], str],
        *,
        reuse_tree: bool = False,
        name: str = "",
    ) -> None:
        Budget(num_simulations, seconds)  # an impossible budget is an error now, not at a move
        self.name = name or f"{kind}:{num_simulations or f'{seconds:g}s'}"
        self._num_simulations = num_simulations
        self._seconds = math.inf if seconds is None else seconds
        self._search = search
        self._evaluator = evaluator
        self._why_not = why_not
        self._reuse_tree = reuse_tree
        self._root: Node | None = None  # of the tree that is kept

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; takes a few seconds the first time."""
        self._why_not(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield a proposal ten times a second; the last one when the budget is spent.

        A forced move is played at once, and so is the best one of a position that is proven. If the
        time was too short to try every move, the best of those tried is played.

        Raises:
            NotEnoughSimulationsError: there are fewer simulations than moves.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Proposal(legal_actions[0], progress=1.0)
            return
        for result, progress in self._slices(state):
            if progress < 1:
                spent, elapsed = result.num_simulations, result.seconds
                yield Proposal(result.best_so_far, progress, result, spent, elapsed)
        yield self._decision(result)

    def _slices(self, state: State) -> Iterator[tuple[SearchResult, float]]:
        """The search after each slice, and the fraction of the budget that is spent, up to 1."""
        reason = self._why_not(state)
        started = time.perf_counter()
        evaluator = self._evaluator
        if self._seconds < math.inf:
            given_up = started + self._seconds + _GRACE_SECONDS
            evaluator = _given_up_at(given_up, evaluator, state, reason)
        budget = self._simulations_for(state)
        root = self._root
        result, spent, progress = SearchResult(Node(state), 0, 0.0), 0, 0.0
        while progress < 1:
            # When the time is up, the smallest positive time remains: a budget cannot be 0.
            left = max(started + self._seconds - time.perf_counter(), 1e-6)
            with suppress(_TimeIsUpError):
                result = self._search(
                    state,
                    evaluator=evaluator,
                    num_simulations=None if budget == math.inf else budget - spent,
                    seconds=None if left == math.inf else left,
                    root=root,
                    stop=_end_of_slice(),
                )
                root = result.root
                self._root = root if self._reuse_tree else None
                spent += result.num_simulations
            elapsed = time.perf_counter() - started
            result = replace(result, num_simulations=spent, seconds=elapsed)
            is_over = result.proven is not None
            progress = 1.0 if is_over else min(1.0, max(spent / budget, elapsed / self._seconds))
            yield result, progress

    def _decision(self, result: SearchResult) -> Proposal:
        """The last proposal."""
        try:
            action = result.best_action
        except NotEnoughSimulationsError:
            if result.seconds < self._seconds:
                raise
            action = result.best_so_far
            tried = sum(child.visit_count > 0 for child in result.children)
            moves = len(result.state.legal_actions())
            words = f"There was only time to try {tried} of {moves} moves."
            result = replace(result, note=f"{result.note} {words}".strip())
        return Proposal(action, 1.0, result, result.num_simulations, result.seconds)

    def _simulations_for(self, state: State) -> float:
        """The budget for a move in this position; infinite without a limit."""
        return math.inf if self._num_simulations is None else self._num_simulations


class _TimeIsUpError(BaseException):
    """Gives a rollout up. As Ctrl-C does, it passes through whatever handles an `Exception`."""


def _given_up_at(given_up: float, evaluator: Evaluator, state: State, reason: str) -> Evaluator:
    """The same evaluator; it gives up rollouts that are played in plain Python, at that time.

    There a single rollout can take longer than the whole time for a move.

    Args:
        given_up: when, by `time.perf_counter()`.
        evaluator: that of the search.
        state: the position that is searched.
        reason: why the search is not compiled; empty if it is.
    """
    if isinstance(evaluator, EvaluatorWithPriors):
        inner = _given_up_at(given_up, evaluator.evaluator, state, reason)
        return replace(evaluator, evaluator=inner)
    if type(evaluator) is not RolloutEvaluator:
        return evaluator
    game = game_of(state, None)
    if not reason and not isinstance(game, str) and has_compiled_policy(evaluator, state, game):
        return evaluator
    policy = evaluator.policy

    @wraps(policy)  # the result's note mentions its name
    def policy_until(state: State, rng: np.random.Generator) -> int:
        if time.perf_counter() >= given_up:
            raise _TimeIsUpError
        return policy(state, rng)

    return replace(evaluator, policy=policy_until)


def _end_of_slice() -> Callable[[], bool]:
    """A function that returns True when the slice that begins now has lasted long enough."""
    end = time.perf_counter() + SECONDS_BETWEEN_PROPOSALS
    return lambda: time.perf_counter() >= end


class UCTPlayer(SearchPlayer):
    """Plays the robust child of a UCT search, compiled if the game and the policy can be compiled.

    The budget and the name are those of `SearchPlayer`.

    Args:
        policy: how the rollouts are played.
        selection: the rule of the selection phase.
        solver: carry proven wins, draws and losses up the tree, and play at once when the position
            is proven; see `mctslab.search.solving`.
        reuse_tree: keep the part of the tree for the position after our move and the reply.
        rng: the source of all random numbers.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        *,
        policy: RolloutPolicy = uniform,
        selection: SelectionRule = ucb1(),
        solver: bool = False,
        reuse_tree: bool = False,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        evaluator = rollout_evaluator(policy)
        super().__init__(
            "uct+solver" if solver else "uct",
            num_simulations,
            seconds,
            partial(fast.mcts, selection=selection, solver=solver, rng=rng),
            evaluator,
            partial(fast.why_not, evaluator=evaluator, selection=selection, solver=solver),
            reuse_tree=reuse_tree,
            name=name,
        )


class FunctionPlayer(Player):
    """Plays the robust child of a search that is a function: `uct(state, num_simulations, rng)`.

    Args:
        search: returns the root of its tree, a `Node`; with priors, not every child needs a visit.
        num_simulations: the number of simulations that it is called with for each move.
        rng: the source of all random numbers.
        name: the name of this player; if empty, the name of the function and the simulations.

    Raises:
        ValueError: fewer than one simulation.
    """

    def __init__(
        self,
        search: Callable[[State, int, np.random.Generator], Node],
        num_simulations: int,
        *,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        Budget(num_simulations, None)
        function = getattr(search, "__name__", type(search).__name__)
        self.name = name or f"{function}:{num_simulations}"
        self._search = search
        self._num_simulations = num_simulations
        self._rng = rng

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal, when the search is over; a forced move at once.

        Raises:
            NotEnoughSimulationsError: the budget is too small to try every move once.
            Exception: whatever the function raises.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Proposal(legal_actions[0], progress=1.0)
            return
        started = time.perf_counter()
        root = self._search(state, self._num_simulations, self._rng)
        seconds = time.perf_counter() - started
        # Only a search with priors makes children before it visits them.
        is_guided = any(child.visit_count == 0 for child in root.children)
        # The function may have made fewer, and a kept tree has visits of earlier searches.
        made = min(self._num_simulations, root.visit_count)
        result = SearchResult(root, made, seconds, is_guided=is_guided)
        yield Proposal(result.best_action, 1.0, result, made, seconds)


class FlatPlayer(SearchPlayer):
    """Plays by flat Monte Carlo: the move whose rollouts have the highest mean.

    Every move gets the same number of rollouts, the budget divided by the number of moves. The
    budget and the name are those of `SearchPlayer`.

    Args:
        policy: how the rollouts are played.
        rng: the source of all random numbers.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        *,
        policy: RolloutPolicy = uniform,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        evaluator = rollout_evaluator(policy)
        why_not = partial(fast.why_not, evaluator=evaluator)
        search = partial(_flat, rng=rng)
        super().__init__("flat", num_simulations, seconds, search, evaluator, why_not, name=name)

    def _simulations_for(self, state: State) -> float:
        """The largest number within the budget that the moves can share equally."""
        budget, num_moves = super()._simulations_for(state), len(state.legal_actions()) or 1
        # Fewer rollouts than moves are passed on: the search raises the error.
        return budget if budget == math.inf else budget // num_moves * num_moves or budget


def _flat(state: State, *, evaluator: RolloutEvaluator, **options: Any) -> SearchResult:
    return fast.flat_monte_carlo(state, policy=evaluator.policy, **options)


class PUCTPlayer(SearchPlayer):
    """Plays the most visited child of a search by PUCT with an evaluator.

    The budget and the name are those of `SearchPlayer`.

    Args:
        evaluator: gives the value of a leaf, and the priors of its moves.
        selection: the constants of PUCT.
        batch_size: the largest number of leaves that are evaluated in one call.
        solver: carry proven wins, draws and losses up the tree, and play at once when the position
            is proven; see `mctslab.search.solving`.
        reuse_tree: keep the part of the tree for the position after our move and the reply.
        rng: the source of all random numbers.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        *,
        evaluator: Evaluator,
        selection: PUCT = puct(),
        batch_size: int = 1,
        solver: bool = False,
        reuse_tree: bool = False,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        search = partial(fast.puct_search, selection=selection, solver=solver, rng=rng)
        super().__init__(
            "puct+solver" if solver else "puct",
            num_simulations,
            seconds,
            partial(search, batch_size=batch_size),
            evaluator,
            partial(fast.why_not_puct, solver=solver),
            reuse_tree=reuse_tree,
            name=name,
        )
