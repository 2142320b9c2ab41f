"""A yardstick for a net in training: games against opponents that stay the same.

The losses of a run say little of how strong its net is: while it learns, its opponent does, too. A
random player and UCT with random rollouts don't. The games have a source of chance of their own, so
a run that is measured ends with the same net as one that is not, and measuring again gives the same
numbers.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.matches import Mover, RandomMover, Record, UCTMover, mover_by, play_match
from mctslab.net.model import PolicyValueNet

STRENGTH: Final = "strength.jsonl"
"""The file of the measurements, in the folder of a run."""

_UCT: Final = re.compile(r"uct:(\d+)")


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came of the games between a net and one opponent."""

    iteration: int
    """After which the net was measured."""
    num_positions: int
    """Moves that had been chosen in self-play by then."""
    opponent: str
    num_simulations: int
    """Of the net, a move."""
    as_first: Record
    """Wins, draws and losses of the net as player 0."""
    as_second: Record
    seconds: float

    @property
    def wins(self) -> int:
        """Games that the net has won, as either player."""
        return self.as_first.wins + self.as_second.wins

    @property
    def draws(self) -> int:
        """Games that nobody has won."""
        return self.as_first.draws + self.as_second.draws

    @property
    def losses(self) -> int:
        """Games that the net has lost, as either player."""
        return self.as_first.losses + self.as_second.losses

    @property
    def num_games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game: a win is one, a draw one half."""
        return (self.wins + self.draws / 2) / self.num_games


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Against whom a net is measured, how often, and how closely.

    Raises:
        ValueError: a number out of range, or an opponent that is not known.
    """

    opponents: Sequence[str] = ("random", "uct:100", "uct:1000")
    """`random`, or `uct:N`: UCT with N simulations a move, each a random rollout."""
    every: int = 5
    """The net is measured after so many iterations again and again, and after the last one."""
    num_games: int = 20
    """Against each opponent, an even number: two games share an opening, with colours swapped."""
    num_simulations: int = 64
    """Of the net, a move; without noise."""
    opening_plies: int = 2
    """How many plies of a game are drawn by lot."""
    seed: int = 1

    def __post_init__(self) -> None:
        least = {"every": 1, "num_games": 2, "num_simulations": 2, "opening_plies": 0, "seed": 0}
        for name, number in least.items():
            if getattr(self, name) < number:
                raise ValueError(f"{name}={getattr(self, name)!r} is too few: {number} or more.")
        if self.num_games % 2:
            raise ValueError(f"num_games={self.num_games!r} has to be an even number.")
        for opponent in self.opponents:
            _mover(opponent, np.random.default_rng(0))

    def check(self, first_state: State) -> None:
        """See that all opponents can play a game.

        Raises:
            ValueError: one has too few simulations to try every move; or the opening is too long.
        """
        random_opening(first_state, self.opening_plies, np.random.default_rng(0))
        most_moves = len(first_state.legal_actions())
        for opponent in self.opponents:
            if (uct := _UCT.fullmatch(opponent)) and int(uct[1]) < most_moves:
                raise ValueError(
                    f"{opponent} cannot try all {most_moves} moves of {first_state.title}: give it "
                    f"{most_moves} simulations or more."
                )

    def is_due(self, iteration: int, num_iterations: int) -> bool:
        """Whether the net is measured after an iteration, of a run of so many."""
        return iteration > 0 and (iteration % self.every == 0 or iteration == num_iterations)

    def measure(
        self,
        net: PolicyValueNet,
        first_state: State,
        *,
        iteration: int = 0,
        num_positions: int = 0,
        known: Sequence[Measurement] = (),
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Measurement]:
        """Let `net` play each opponent; each measurement as soon as its games are over.

        Args:
            net: the net, which stays as it is.
            first_state: where its game begins.
            iteration: after which of a run this is; other games are drawn for each.
            num_positions: for the measurement.
            known: what need not be measured again.
            stop: is asked again and again; when it says True the games are broken off.

        Raises:
            ValueError: as `check` says.
        """
        self.check(first_state)
        done = {(each.iteration, each.opponent) for each in known}
        for number, opponent in enumerate(self.opponents):
            if (iteration, opponent) in done:
                continue
            began = time.perf_counter()
            rng = np.random.default_rng([self.seed, iteration, number])
            record = play_match(
                first_state,
                mover_by(net, self.num_simulations),
                _mover(opponent, rng),
                num_games=self.num_games,
                opening_plies=self.opening_plies,
                rng=rng,
                stop=stop,
            )
            if record is None:
                return
            yield Measurement(
                iteration,
                num_positions,
                opponent,
                self.num_simulations,
                *record,
                time.perf_counter() - began,
            )


def _mover(opponent: str, rng: np.random.Generator) -> Mover:
    """The opponent of that name.

    Raises:
        ValueError: there is none.
    """
    if opponent == "random":
        return RandomMover(rng)
    if (uct := _UCT.fullmatch(opponent)) and int(uct[1]):
        return UCTMover(int(uct[1]), rng)
    raise ValueError(
        f"There is no opponent {opponent!r} to measure by: random, or such as uct:100."
    )


# In the folder of a run


def read_strength(out: str | os.PathLike[str]) -> list[Measurement]:
    """The measurements of the run in a folder, the first one first; none where there are none."""
    file = Path(out) / STRENGTH
    if not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines(keepends=True)
    return [_from_entries(json.loads(line)) for line in lines if line.endswith("\n")]


def _from_entries(entries: dict[str, Any]) -> Measurement:
    records = {name: Record(*entries[name]) for name in ("as_first", "as_second")}
    return Measurement(**{**entries, **records})
