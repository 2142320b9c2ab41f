"""Players that search: UCT and flat Monte Carlo, within a budget of simulations or of time."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from mctslab import fast
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal
from mctslab.search.budget import Budget
from mctslab.search.evaluators import rollout_evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.rollouts import RolloutPolicy, uniform
from mctslab.search.selection import SelectionRule, ucb1

SECONDS_BETWEEN_THOUGHTS: Final = 0.1


class SearchPlayer(Player):
    """Plays what a search has found when a budget is spent; it searches in short pieces.

    Args:
        name: what to call this player.
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.

    Raises:
        ValueError: no budget, or one that is too small.
    """

    def __init__(self, name: str, num_simulations: int | None, seconds: float | None) -> None:
        # What is wrong with the budget is said now, not at the first move.
        Budget(num_simulations, seconds)
        self.name = name
        self._num_simulations = num_simulations
        self._seconds = seconds

    @abstractmethod
    def _search(
        self,
        state: State,
        num_simulations: int | None,
        seconds: float | None,
        root: Node | None,
        stop: Callable[[], bool],
    ) -> SearchResult:
        """One piece of the search, from `root`, the last piece's, until `stop` says so.

        The numbers are what is left of the budget for the move: so that the search knows at once
        how large its tree will become, and doesn't have to move it in the last moment.
        """

    def _first_root(self, state: State) -> Node | None:
        """An earlier tree from which a new search of `state` goes on."""
        return None

    def _keep(self, root: Node) -> None:
        """Note the tree of the search so far."""

    def _simulations_for(self, state: State) -> int | None:
        """How many simulations a move gets in this position; None without a limit."""
        return self._num_simulations

    def think(self, state: State) -> Iterator[Proposal]:
        """A thought ten times a second; the last one has spent the budget, or proven the position.

        A move that is forced is played at once.

        Raises:
            NotEnoughSimulationsError: the budget is spent before every move was tried once.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Proposal(legal_actions[0], progress=1.0)
            return
        self.prepare(state)
        started = time.perf_counter()
        wanted = self._simulations_for(state)
        root = self._first_root(state)
        spent, progress = 0, 0.0
        while progress < 1:
            elapsed = time.perf_counter() - started
            left = None if wanted is None else wanted - spent
            piece = self._search(state, left, self._seconds_left(elapsed), root, _after_a_piece())
            root = piece.root
            self._keep(root)
            spent += piece.num_simulations
            elapsed = time.perf_counter() - started
            result = SearchResult(root, spent, elapsed, piece.note, piece.is_guided)
            is_proven = result.proven is not None  # nothing is left to find out
            progress = 1.0 if is_proven else self._progress(spent, wanted, elapsed)
            action = result.best_so_far if progress < 1 else result.best_action
            yield Proposal(action, progress, result, spent, elapsed)

    def _seconds_left(self, elapsed: float) -> float | None:
        # Never 0 or less, which is no budget, though the time may be up by now.
        return None if self._seconds is None else max(self._seconds - elapsed, 1e-6)

    def _progress(self, spent: int, wanted: int | None, elapsed: float) -> float:
        shares = []
        if wanted is not None:
            shares.append(spent / wanted)
        if self._seconds is not None:
            shares.append(elapsed / self._seconds)
        return min(1.0, max(shares))


def _after_a_piece() -> Callable[[], bool]:
    """Says, as soon as a piece of the search has lasted long enough, that it has."""
    until = time.perf_counter() + SECONDS_BETWEEN_THOUGHTS
    return lambda: time.perf_counter() >= until


class UCTPlayer(SearchPlayer):
    """Plays the robust child of a UCT search, compiled where the game and the policy can be.

    Args:
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        policy: how the rollouts are played.
        selection: the rule of the selection phase.
        solver: carry wins, draws and losses that are proven up the tree, and play at once when the
            position is proven; see `mctslab.search.solving`.
        reuse_tree: keep what was learnt about the position after our move and the reply.
        num_threads: search in so many threads at once; see `mctslab.fast.root_parallel`.
        rng: the source of chance.
        name: what to call this player; made up from the rest when not given.

    Raises:
        ValueError: no budget, or one that is too small.
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
        num_threads: int = 1,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        super().__init__(name, num_simulations, seconds)
        kind = "uct+solver" if solver else "uct"
        self.name = name or f"{kind}:{num_simulations or f'{seconds:g}s'}"
        self._evaluator = rollout_evaluator(policy)
        self._selection = selection
        self._solver = solver
        self._reuse_tree = reuse_tree
        self._num_threads = num_threads
        self._rng = rng
        self._root: Node | None = None  # of the last search, if its tree is to be kept

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; some seconds, once."""
        fast.why_not(state, self._evaluator, self._selection, solver=self._solver)

    def _search(
        self,
        state: State,
        num_simulations: int | None,
        seconds: float | None,
        root: Node | None,
        stop: Callable[[], bool],
    ) -> SearchResult:
        return fast.root_parallel(
            state,
            num_threads=self._num_threads,
            num_simulations=num_simulations,
            seconds=seconds,
            evaluator=self._evaluator,
            selection=self._selection,
            solver=self._solver,
            rng=self._rng,
            root=root,
            stop=stop,
        )

    def _first_root(self, state: State) -> Node | None:
        return self._root

    def _keep(self, root: Node) -> None:
        if self._reuse_tree:
            self._root = root


class FlatPlayer(SearchPlayer):
    """Plays by flat Monte Carlo: the move whose rollouts have the highest mean.

    Every move gets the same number of rollouts, the budget divided by the number of moves.

    Args:
        num_simulations: the budget for a move as a number of rollouts.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        policy: how the rollouts are played.
        rng: the source of chance.
        name: what to call this player; made up from the rest when not given.

    Raises:
        ValueError: no budget, or one that is too small.
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
        super().__init__(name, num_simulations, seconds)
        self.name = name or f"flat:{num_simulations or f'{seconds:g}s'}"
        self._policy = policy
        self._rng = rng

    def prepare(self, state: State) -> None:
        """Compile the rollouts for this game, or load them; some seconds, once."""
        fast.why_not(state, rollout_evaluator(self._policy))

    def _simulations_for(self, state: State) -> int | None:
        """The largest number within the budget that can be shared out evenly."""
        if self._num_simulations is None:
            return None
        num_moves = max(1, len(state.legal_actions()))
        # Too few to be shared out are left as they are: the search says what is wrong.
        return self._num_simulations // num_moves * num_moves or self._num_simulations

    def _search(
        self,
        state: State,
        num_simulations: int | None,
        seconds: float | None,
        root: Node | None,
        stop: Callable[[], bool],
    ) -> SearchResult:
        return fast.flat_monte_carlo(
            state,
            num_simulations=num_simulations,
            seconds=seconds,
            policy=self._policy,
            rng=self._rng,
            root=root,
            stop=stop,
        )
