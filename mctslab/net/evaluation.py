"""How strong is a net? Matches against fixed opponents, and against the net before it (the gate).

The losses of a run say little about the strength of its net, because its opponent in self-play
improves with it. A random player and UCT with random rollouts stay the same (`Benchmark`). The
promotion gate lets a net make the self-play only once it has beaten the net that makes it now, as
in AlphaGo Zero (Silver and others, 2017: 400 games, 55%); AlphaZero uses the newest net at once.
The gate keeps a step back in learning out of the games, and costs the games of its matches.

`mctslab.arena` plays one game after another between any two players, with clocks and files. Here
all games of a match are played at once, move by move, so that a net evaluates the positions of all
games in one batch. The searches have no noise, and the most visited move is played. The matches
have their own random generator, so a run that is measured ends with the same net as one that is
not, and measuring again gives the same numbers.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mctslab.fast import mcts
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.inference import fastest, remembered
from mctslab.net.model import AnyNet
from mctslab.net.self_play import think
from mctslab.net.training_config import (
    EvenCount,
    Gate,
    Plies,
    SelfPlayConfig,
    Simulations,
    TrainingConfig,
)
from mctslab.score import Score
from mctslab.typed import Count, Number, WrongEntryError, check

# Matches


Mover = Callable[[Sequence[Sequence[State]]], Sequence[int]]
"""Chooses a move in each of several games, given their positions so far, the newest last."""


def net_mover(net: AnyNet, num_simulations: int) -> Mover:
    """Plays the most visited move of a search by PUCT with `net` as it is now."""
    playing = SelfPlayConfig(
        num_simulations, noise=None, temperature_plies=0, gumbel=None, solver=False
    )
    config = TrainingConfig(inputs=net.config.inputs, self_play=playing)
    inference, rng = remembered(fastest(net)), np.random.default_rng(0)  # which nothing draws from
    return lambda games: think(games, config, inference, rng).moves([0] * len(games))


def opponent_mover(opponent: str, rng: np.random.Generator) -> Mover:
    """Plays any legal move (`random`), or searches by UCT with random rollouts (`uct:N`)."""
    if opponent == "random":
        return lambda games: [int(rng.choice(game[-1].legal_actions())) for game in games]
    search = functools.partial(mcts, num_simulations=int(opponent.removeprefix("uct:")), rng=rng)
    return lambda games: [search(game[-1]).best_so_far for game in games]


def _mover(side: AnyNet | Mover | str, num_simulations: int, rng: np.random.Generator) -> Mover:
    if isinstance(side, AnyNet):
        return net_mover(side, num_simulations)
    return opponent_mover(side, rng) if isinstance(side, str) else side


def play_match(
    rules: "Benchmark | Gate",
    first_state: State,
    ours: AnyNet | Mover,
    theirs: AnyNet | Mover | str,
    seed: Sequence[int],
) -> tuple[Score, Score]:
    """Our score as player 0 and as player 1 in a match, all games at once.

    It is a function of the arguments, so any process can play the match.

    Args:
        rules: the number of games, the simulations of a net, and the plies of the openings.
        first_state: where the games begin.
        ours: the side whose scores are returned.
        theirs: the other side; a text stands for an `opponent_mover`.
        seed: of the openings, and of that opponent.

    Raises:
        ValueError: an opening longer than the game.
    """
    rng, half = np.random.default_rng(seed), rules.num_games // 2
    sides = [_mover(side, rules.num_simulations, rng) for side in (ours, theirs)]
    openings = [random_opening(first_state, rules.opening_plies, rng) for _ in range(half)]
    games = [
        [*itertools.accumulate(actions, lambda state, a: state.child(a), initial=first_state)]
        for actions in openings * 2
    ]
    our_players = [0] * half + [1] * half
    while True:
        # Whose turn it is must be known for all games before any side moves.
        turns: tuple[list[list[State]], ...] = [], []
        for game, player in zip(games, our_players, strict=True):
            if not game[-1].is_terminal:
                turns[game[-1].current_player != player].append(game)
        if not any(turns):
            break
        for side, waiting in zip(sides, turns, strict=True):
            for game, action in zip(waiting, side(waiting) if waiting else (), strict=True):
                game.append(game[-1].child(action))
    returns = [game[-1].returns()[player] for game, player in zip(games, our_players, strict=True)]
    as_first, as_second = (
        Score(*(part.count(each) for each in (1, 0, -1)))
        for part in (returns[:half], returns[half:])
    )
    return as_first, as_second


# Against fixed opponents


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of the games between a net and one opponent."""

    iteration: Number
    """The net is the one after this iteration."""
    num_positions: Number
    """Moves that had been chosen in self-play by then."""
    opponent: str
    num_simulations: Number
    """Of the net, a move."""
    as_first: Score
    """Of the net as player 0."""
    as_second: Score

    @property
    def score(self) -> Score:
        """Of the net, as either player."""
        return self.as_first + self.as_second


_OPPONENT: Final = re.compile(r"random|uct:[1-9][0-9]{0,8}")
"""`random`, or `uct:N`: UCT with N simulations a move, each a random rollout."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The opponents a net is measured against, how often, and in how many games.

    Raises:
        WrongEntryError: a number out of range, or an unknown opponent.
    """

    opponents: tuple[str, ...] = ("random", "uct:100", "uct:1000")
    every: Count = 5
    """The net is measured each time this number of iterations is done, and after the last one."""
    also_at: tuple[Number, ...] = ()
    """Further iterations after which it is measured; 0 is the net before it has learned."""
    num_games: EvenCount = 20
    """Against each opponent; two games share an opening, with colours swapped."""
    num_simulations: Simulations = 64
    """Of the net, a move; without noise."""
    opening_plies: Plies = 2
    """The number of random plies at the start of a game."""
    seed: Number = 1

    def __post_init__(self) -> None:
        check(self)
        for opponent in self.opponents:
            if not _OPPONENT.fullmatch(opponent):
                raise WrongEntryError(f"opponent {opponent!r}: expected random, or such as uct:100")

    def missing(self, iteration: int, done: Sequence[Measurement]) -> list[str]:
        """The opponents against which the net of `iteration` has not been measured yet."""
        measured = {each.opponent for each in done if each.iteration == iteration}
        return [each for each in self.opponents if each not in measured]

    def measure(
        self,
        run: Any,
        done: Sequence[Measurement] = (),
        *,
        stop: Callable[[], bool] | None = None,
        executor: Executor | None = None,
    ) -> Iterator[Measurement]:
        """If it is due, let the net of `run` play each opponent, and yield the results one by one.

        Args:
            run: a `training.Run`, not changed; each of its iterations has other games.
            done: measurements that need not be made again.
            stop: called before each match; return True to stop.
            executor: plays all matches at once, if there is one.

        Raises:
            ValueError: the opening is longer than the game.
        """
        iteration, first_state = run.num_iterations, run.config.first_state()
        is_regular = iteration > 0 and iteration % self.every == 0
        is_due = is_regular or run.is_done or iteration in self.also_at
        missing = self.missing(iteration, done) if is_due else []
        seeds = [(self.seed, iteration, self.opponents.index(each)) for each in missing]
        play = functools.partial(play_match, self, first_state, run.net)
        scores = (map if executor is None else executor.map)(play, missing, seeds)
        for opponent in missing:
            if stop is not None and stop():
                return
            yield Measurement(
                iteration, run.num_positions, opponent, self.num_simulations, *next(scores)
            )
