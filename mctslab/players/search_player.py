"""Players that search: UCT, flat Monte Carlo and PUCT, within a budget of simulations or time."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from mctslab import fast
from mctslab.games.state import Rng, State, as_generator
from mctslab.players.player import Player, Proposal
from mctslab.search.budget import Budget
from mctslab.search.evaluators import (
    Evaluator,
    RolloutPolicy,
    history_of,
    rollout_evaluator,
    uniform,
)
from mctslab.search.node import Node
from mctslab.search.result import NotEnoughSimulationsError, SearchResult
from mctslab.search.selection import PUCT, SelectionRule, puct, ucb1

SECONDS_BETWEEN_PROPOSALS: Final = 0.09
"""A little less than a tenth, so that there are ten a second with the time to show them."""


class SearchPlayer(Player):
    """Plays the best action of a search, which runs in slices of a tenth of a second.

    Args:
        kind: the beginning of its short name, such as `uct`.
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        search: runs one slice. It is called with the state and, by name, with the rest of the
            budget (`num_simulations` and `seconds`, so that it can make room for its tree at once),
            the `root` of the slice before, and with `stop`, which returns True when the slice is
            over.
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
        self.prepare(state)
        started = time.perf_counter()
        budget, root, spent = self._simulations_for(state), self._root, 0
        if root is not None and type(root.state) is not type(state):
            root = None  # the tree of another game
        while True:
            # When the time is up, the smallest positive time remains: a budget cannot be 0.
            left = max(started + self._seconds - time.perf_counter(), 1e-6)
            result = self._search(
                state,
                num_simulations=None if budget == math.inf else budget - spent,
                seconds=None if left == math.inf else left,
                root=root,
                stop=_end_of_slice(),
                **self._more_options(),
            )
            root = result.root
            self._root = root if self._reuse_tree else None
            spent += result.num_simulations
            elapsed = time.perf_counter() - started
            result = replace(result, num_simulations=spent, seconds=elapsed)
            progress = max(spent / budget, elapsed / self._seconds)
            if progress >= 1 or result.proven is not None:
                break
            yield Proposal(result.best_so_far, progress, result, spent, elapsed)
        try:
            action = result.best_action
        except NotEnoughSimulationsError:
            if elapsed < self._seconds:
                raise
            action = result.best_so_far
        yield Proposal(action, 1.0, result, spent, elapsed)

    def _simulations_for(self, state: State) -> float:
        """The budget for a move in this position; infinite without a limit."""
        return math.inf if self._num_simulations is None else self._num_simulations

    def _more_options(self) -> dict[str, Any]:
        """What else the search is called with."""
        return {}


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
        rng: the source of all random numbers, or a seed.
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
        rng: Rng,
        name: str = "",
    ) -> None:
        evaluator, rng = rollout_evaluator(policy), as_generator(rng)
        super().__init__(
            "uct+solver" if solver else "uct",
            num_simulations,
            seconds,
            partial(fast.mcts, evaluator=evaluator, selection=selection, solver=solver, rng=rng),
            partial(fast.why_not, evaluator=evaluator, selection=selection, solver=solver),
            reuse_tree=reuse_tree,
            name=name,
        )


class FunctionPlayer(Player):
    """Plays the robust child of a search that is a function: `uct(state, num_simulations, rng)`.

    Args:
        search: returns the root of its tree, a `Node`; with priors, not every child needs a visit.
        num_simulations: the number of simulations that it is called with for each move.
        rng: the source of all random numbers, or a seed.
        name: the name of this player; if empty, the name of the function and the simulations.

    Raises:
        ValueError: fewer than one simulation.
    """

    def __init__(
        self,
        search: Callable[[State, int, np.random.Generator], Node],
        num_simulations: int,
        *,
        rng: Rng,
        name: str = "",
    ) -> None:
        Budget(num_simulations, None)
        function = getattr(search, "__name__", type(search).__name__)
        self.name = name or f"{function}:{num_simulations}"
        self._search = search
        self._num_simulations = num_simulations
        self._rng = as_generator(rng)

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
        rng: the source of all random numbers, or a seed.
    """

    def __init__(
        self,
        num_simulations: int | None = None,
        seconds: float | None = None,
        *,
        policy: RolloutPolicy = uniform,
        rng: Rng,
        name: str = "",
    ) -> None:
        search = partial(fast.flat_monte_carlo, policy=policy, rng=as_generator(rng))
        why_not = partial(fast.why_not, evaluator=rollout_evaluator(policy))
        super().__init__("flat", num_simulations, seconds, search, why_not, name=name)

    def _simulations_for(self, state: State) -> float:
        """The largest number within the budget that the moves can share equally."""
        budget, num_moves = super()._simulations_for(state), len(state.legal_actions()) or 1
        # Fewer rollouts than moves are passed on: the search raises the error.
        return budget if budget == math.inf else budget // num_moves * num_moves or budget


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
        rng: the source of all random numbers, or a seed.
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
        rng: Rng,
        name: str = "",
    ) -> None:
        self._sees_history = history_of(evaluator) > 1
        self._game: list[State] = []  # up to the position of the newest move
        rng = as_generator(rng)
        search = partial(fast.puct_search, evaluator=evaluator, selection=selection, rng=rng)
        super().__init__(
            "puct+solver" if solver else "puct",
            num_simulations,
            seconds,
            partial(search, batch_size=batch_size, solver=solver),
            partial(fast.why_not_puct, selection=selection, solver=solver),
            reuse_tree=reuse_tree,
            name=name,
        )

    def prepare(self, state: State) -> None:
        """Compile the search; and note the position, for a net that sees earlier ones."""
        super().prepare(state)
        self._note(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """As for `SearchPlayer`; a forced move is noted, too.

        Raises:
            ValueError: the net sees positions that this player has not met, for example those
                of a random opening.
        """
        self._note(state)
        yield from super().think(state)

    def _note(self, state: State) -> None:
        if self._sees_history:
            self._game = game_up_to(state, self._game)

    def _more_options(self) -> dict[str, Any]:
        return {"past": self._game[:-1]} if self._sees_history else {}


def game_up_to(state: State, known: Sequence[State]) -> list[State]:
    """The game up to `state`, as far as it is known from earlier positions of it.

    Args:
        state: one of these positions, or one or two plies after the last of them.
        known: all positions that are known, the newest last.

    Returns:
        The positions, `state` last; only `state` if it is another game.
    """
    for place, position in enumerate(known):  # moves were taken back, or nothing was played
        if (position, position.last_action) == (state, state.last_action):
            return list(known[: place + 1])
    if state.last_action is None or not known or type(known[-1]) is not type(state):
        return [state]
    last = known[-1]
    for replies in ([], *([last.child(action)] for action in last.legal_actions())):
        game = [*known, *replies]
        is_possible = state.last_action in game[-1].legal_actions()
        if is_possible and game[-1].child(state.last_action) == state:
            return [*game, state]
    return [state]
