"""Players: anything that chooses an action.

A player can be asked for its move in two ways. `choose(state)` thinks to the end and answers.
`think(state)` hands out what it has so far about ten times a second, so that a board can show a
search at work; whoever stops listening stops the thinking.

>>> import numpy as np
>>> from mctslab import games
>>> player = make("uct:200", rng=np.random.default_rng(1))
>>> games.TicTacToe().action_to_string(player.choose(games.TicTacToe()))
'b2'
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from mctslab import fast
from mctslab.games.state import State
from mctslab.search.budget import Budget
from mctslab.search.evaluators import rollout_evaluator
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.rollouts import FIVE_CLASSES, RolloutPolicy, roxanne, uniform
from mctslab.search.selection import SelectionRule, ucb1

SECONDS_BETWEEN_THOUGHTS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Thought:
    """What a player has found out up to a moment."""

    action: int
    """The move that it would play now."""
    progress: float
    """How much of its budget is spent, from 0 to 1."""
    result: SearchResult | None = None
    """The search so far; None where there was none."""
    num_simulations: int = 0
    seconds: float = 0.0


class Player(ABC):
    """Chooses a legal action of any state that is not terminal."""

    name: str
    """The short name from which `make` makes this player, or any other name."""

    def prepare(self, state: State) -> None:  # noqa: B027 (most players have nothing to do)
        """Get ready to play the game of `state`; what takes time but is not thinking."""

    @abstractmethod
    def think(self, state: State) -> Iterator[Thought]:
        """At least one thought; the last one is the decision.

        Raises:
            ValueError: the game is over, or the player cannot play this game or position.
        """

    def choose(self, state: State) -> int:
        """The action that the player decides on."""
        for thought in self.think(state):
            action = thought.action
        return action


class PolicyPlayer(Player):
    """Plays by a policy, without looking ahead."""

    def __init__(self, name: str, policy: RolloutPolicy, *, rng: np.random.Generator) -> None:
        self.name = name
        self._policy = policy
        self._rng = rng

    def think(self, state: State) -> Iterator[Thought]:
        """One thought, at once."""
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, the game is over:\n{state}")
        yield Thought(self._policy(state, self._rng), progress=1.0)


class UCTPlayer(Player):
    """Plays the robust child of a UCT search, compiled where the game and the policy can be.

    Args:
        num_simulations: the budget for a move as a number of simulations.
        seconds: the budget for a move as a time. With both, the search ends at the first.
        policy: how the rollouts are played.
        selection: the rule of the selection phase.
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
        reuse_tree: bool = False,
        num_threads: int = 1,
        rng: np.random.Generator,
        name: str = "",
    ) -> None:
        # What is wrong with the budget is said now, not at the first move.
        Budget(num_simulations, seconds)
        self.name = name or f"uct:{num_simulations or f'{seconds:g}s'}"
        self._num_simulations = num_simulations
        self._seconds = seconds
        self._evaluator = rollout_evaluator(policy)
        self._selection = selection
        self._reuse_tree = reuse_tree
        self._num_threads = num_threads
        self._rng = rng
        self._root: Node | None = None  # of the last search, if its tree is to be kept

    def prepare(self, state: State) -> None:
        """Compile the search for this game, or load it; some seconds, once."""
        fast.why_not(state, self._evaluator, self._selection)

    def think(self, state: State) -> Iterator[Thought]:
        """A thought ten times a second; the last one has spent the budget.

        A move that is forced is played at once.

        Raises:
            NotEnoughSimulationsError: the budget is spent before every move was tried once.
        """
        legal_actions = state.legal_actions()
        if len(legal_actions) == 1:
            yield Thought(legal_actions[0], progress=1.0)
            return
        self.prepare(state)
        started = time.perf_counter()
        root = self._root
        num_simulations, progress = 0, 0.0
        while progress < 1:
            elapsed = time.perf_counter() - started
            piece = fast.root_parallel(
                state,
                num_threads=self._num_threads,
                num_simulations=self._simulations_left(num_simulations),
                seconds=self._length_of_next_piece(elapsed),
                evaluator=self._evaluator,
                selection=self._selection,
                rng=self._rng,
                root=root,
            )
            root = piece.root
            if self._reuse_tree:
                self._root = root
            num_simulations += piece.num_simulations
            elapsed = time.perf_counter() - started
            progress = self._progress(num_simulations, elapsed)
            result = SearchResult(root, num_simulations, elapsed, piece.note)
            action = result.best_so_far if progress < 1 else result.best_action
            yield Thought(action, progress, result, num_simulations, elapsed)

    def _simulations_left(self, spent: int) -> int | None:
        return None if self._num_simulations is None else self._num_simulations - spent

    def _length_of_next_piece(self, elapsed: float) -> float:
        if self._seconds is None:
            return SECONDS_BETWEEN_THOUGHTS
        # Never 0 or less, which is no budget, though the time may be up by now.
        return min(SECONDS_BETWEEN_THOUGHTS, max(self._seconds - elapsed, 1e-6))

    def _progress(self, num_simulations: int, elapsed: float) -> float:
        shares = []
        if self._num_simulations is not None:
            shares.append(num_simulations / self._num_simulations)
        if self._seconds is not None:
            shares.append(elapsed / self._seconds)
        return min(1.0, max(shares))


def known() -> tuple[str, ...]:
    """The short names that `make` understands; what stands in brackets can be left out."""
    return (*_policies(), "uct:BUDGET[:ROLLOUT]")


def make(name: str, *, rng: np.random.Generator) -> Player:
    """The player with the short name `name`.

    `random` and, for Reversi, `roxanne` and `roxanne5` (nine and five classes of squares) play
    without search. `uct:1000` searches with 1,000 simulations a move, `uct:2s` for two seconds;
    `uct:2s:roxanne` plays its rollouts by the Roxanne policy.

    Raises:
        ValueError: no such player.
    """
    kind, *words = name.split(":")
    if kind in _policies() and not words:
        return PolicyPlayer(name, _policies()[kind], rng=rng)
    if kind == "uct" and 1 <= len(words) <= 2:
        num_simulations, seconds = _parse_budget(name, words[0])
        policy = _rollouts().get(words[1] if len(words) > 1 else "uniform")
        if policy is not None:
            return UCTPlayer(num_simulations, seconds, policy=policy, rng=rng, name=name)
    raise _unknown(name)


def _rollouts() -> dict[str, RolloutPolicy]:
    return {"uniform": uniform, "roxanne": roxanne(), "roxanne5": roxanne(FIVE_CLASSES)}


def _policies() -> dict[str, RolloutPolicy]:
    rollouts = _rollouts()
    return {"random": rollouts.pop("uniform"), **rollouts}


def _parse_budget(name: str, word: str) -> tuple[int | None, float | None]:
    """A word such as `1000` or `2s` as (simulations, seconds), of which one is None."""
    try:
        return (None, float(word[:-1])) if word.endswith("s") else (int(word), None)
    except ValueError:
        raise _unknown(name) from None


def _unknown(name: str) -> ValueError:
    return ValueError(
        f"There is no player {name!r}. Known are {', '.join(known())}, where BUDGET is a number of "
        f"simulations (1000) or a time (2s), and ROLLOUT one of {', '.join(_rollouts())}."
    )
