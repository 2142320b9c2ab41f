"""The base class of players, and the simplest kind, which plays by a policy without looking
ahead."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from mctslab.games.state import Rng, State, as_generator
from mctslab.search.evaluators import RolloutPolicy
from mctslab.search.result import SearchResult
from mctslab.solvers import AlphaBetaResult


@dataclass(frozen=True, slots=True)
class Proposal:
    """The move that a player proposes, and what it has found so far."""

    action: int
    progress: float
    """The fraction of its budget that is spent, from 0 to 1."""
    result: SearchResult | None = None
    """The search so far; None without a tree search."""
    num_simulations: int = 0
    seconds: float = 0.0
    num_nodes: int = 0
    """Positions that alpha-beta, which has no simulations, has visited; otherwise 0."""
    alphabeta: AlphaBetaResult | None = None
    """What alpha-beta has found so far; None for other players."""


class Player(ABC):
    """Chooses a legal action in any state that is not terminal."""

    name: str
    """A short name from which `make` makes exactly this player, or any other name."""

    def prepare(self, state: State) -> None:  # noqa: B027 (most players have nothing to do)
        """Get ready to play the game of `state`: work that takes time but is not thinking.

        Before a game that begins with random moves it is called for each position of the opening.
        """

    @abstractmethod
    def think(self, state: State) -> Iterator[Proposal]:
        """Yield at least one proposal; the last one is the decision.

        Raises:
            ValueError: the game is over, or the player cannot play this game or position.
        """

    def choose(self, state: State) -> int:
        """The action that the player decides on."""
        for proposal in self.think(state):
            action = proposal.action
        return action


class PolicyPlayer(Player):
    """Plays by a policy, without looking ahead."""

    def __init__(self, name: str, policy: RolloutPolicy, *, rng: Rng) -> None:
        self.name = name
        self._policy = policy
        self._rng = as_generator(rng)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal, at once."""
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, because the game is over:\n{state}")
        yield Proposal(self._policy(state, self._rng), progress=1.0)
