"""The promotion gate: a net makes the self-play only once it has beaten the one that makes it now.

So did AlphaGo Zero (Silver and others, 2017: 400 games, 55 %); AlphaZero let the newest net play at
once. The gate keeps a step back in learning out of the games, and costs the games of its matches.
They have a source of chance of their own, and no noise.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from torch import Tensor

from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.matches import mover_by, play_match
from mctslab.net.model import PolicyValueNet

_CHANCE: Final = 1_000_003
"""What sets the chance of the gate's games apart from that of other games of the same seed."""


@dataclass(frozen=True, slots=True)
class Gate:
    """When a net is examined, and what it has to reach.

    Raises:
        ValueError: a number out of range.
    """

    every: int = 5
    """The newest net is examined after so many iterations again and again."""
    num_games: int = 40
    """Against the net that makes the self-play; an even number: two games share an opening, with
    colours swapped."""
    threshold: float = 0.55
    """Points a game that it needs at least: a win is one, a draw one half."""
    num_simulations: int = 32
    """Of both nets, a move."""
    opening_plies: int = 2
    """How many plies of a game are drawn by lot."""

    def __post_init__(self) -> None:
        least = {"every": 1, "num_games": 2, "num_simulations": 2, "opening_plies": 0}
        for name, number in least.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < number:
                raise ValueError(
                    f"gate.{name}={value!r} has to be a whole number, {number} or more."
                )
        if self.num_games % 2:
            raise ValueError(f"gate.num_games={self.num_games!r} has to be an even number.")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"gate.threshold={self.threshold!r} has to be from 0 to 1.")


class Verdict(NamedTuple):
    """What came of an examination."""

    score: float
    """Of the candidate, points a game."""
    is_promoted: bool


class Gatekeeper:
    """Keeps the net that makes the self-play, and examines candidates for its place.

    Args:
        gate: the rules.
        net: the first net, which is copied.
        first_state: where the games begin.
        seed: what the chance of all matches follows from.

    Raises:
        ValueError: the opening is longer than the game.
    """

    def __init__(self, gate: Gate, net: PolicyValueNet, first_state: State, seed: int) -> None:
        random_opening(first_state, gate.opening_plies, np.random.default_rng(0))
        self.net = copy.deepcopy(net)
        """The net that makes the self-play."""
        self._gate = gate
        self._first_state = first_state
        self._seed = seed

    def examine(self, candidate: PolicyValueNet, iteration: int) -> Verdict | None:
        """Let `candidate` play if it is time for it after `iteration`; None where it is not."""
        gate = self._gate
        if iteration % gate.every:
            return None
        record = play_match(
            self._first_state,
            mover_by(candidate, gate.num_simulations),
            mover_by(self.net, gate.num_simulations),
            num_games=gate.num_games,
            opening_plies=gate.opening_plies,
            rng=np.random.default_rng([self._seed, iteration, _CHANCE]),
        )
        assert record is not None  # nobody can break it off
        wins, draws, _ = (sum(both) for both in zip(*record, strict=True))
        score = (wins + draws / 2) / gate.num_games
        if score >= gate.threshold:
            self.net.load_state_dict(candidate.state_dict())
        return Verdict(score, score >= gate.threshold)

    # To a checkpoint and back

    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint has to keep, by name."""
        return {f"gate.{name}": each for name, each in self.net.state_dict().items()}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take over the net of another run.

        Raises:
            KeyError: something is missing.
            RuntimeError: it is a net of another shape.
        """
        self.net.load_state_dict({name: tensors[f"gate.{name}"] for name in self.net.state_dict()})
