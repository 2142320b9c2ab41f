"""Training: a net plays itself and learns from its games, iteration by iteration.

`alphazero` is the loop of notebook 13's page: play, learn, and collect what the games teach. There
is one difference. While the games of an iteration are played, this process learns from those of the
iterations before, so both can happen at the same time.

`run_folder.py` keeps such a run in a folder.
"""

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Final

import numpy as np
import torch

from mctslab.net.evaluation import play_match
from mctslab.net.inference import computes_in_bfloat16, device_named
from mctslab.net.learning import Losses, make_optimizer, policy_entropy, training_step
from mctslab.net.model import AnyNet
from mctslab.net.own_net import MakeNet, maker
from mctslab.net.replay import ReplayBuffer
from mctslab.net.self_play import FinishedGame, self_play
from mctslab.net.training_config import TrainingConfig
from mctslab.score import Score

_LEARNING_STREAM: Final = 1_000_001
"""Separates the random numbers of learning from those of self-play, whose shares have numbers
below."""
_GATE_STREAM: Final = 1_000_003
"""Separates those of the gate from those of other matches with the same seed."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """The results of an iteration; None for a number that does not exist."""

    number: int
    """Counted from 1."""
    num_positions: int
    """Positions that the net learns from, of all iterations so far."""
    num_games: int
    """Games of this one."""
    game_length: float
    """Their mean number of plies."""
    first_player_score: float
    """Their mean score for player 0: 1 for a win, 0.5 for a draw."""
    value_loss: float | None
    policy_loss: float | None
    """Means over the steps of this iteration; see `mctslab.net.learning`."""
    policy_entropy: float
    """Of the policy targets of these games, in nats: the minimum of the policy loss."""
    sample_game: list[int]
    """The actions of a game."""
    learning_rate: float
    gate_score: float | None
    """Of the newest net at the promotion gate, points a game; with the threshold or more it makes
    the self-play from now on."""
    seconds: float


class DivergedError(ValueError):
    """The weights of a net are no numbers any more; the sentence says what may help."""


class Run:
    """A training run between two iterations: net, optimiser, replay buffer, and how far it is.

    This is all that decides what comes next, so a checkpoint has nothing else.

    Args:
        config: the settings.
        net: the net it begins with; by default random weights, which depend on the seed only.
        make_net: makes those of a net of your own; see `mctslab.net.own_net`.
    """

    def __init__(
        self, config: TrainingConfig, net: AnyNet | None = None, make_net: MakeNet | None = None
    ) -> None:
        self.config = config
        self.num_iterations = 0
        """The number that are done."""
        self.num_positions = 0
        """The number of positions of self-play to learn from."""
        if net is None:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(config.seed)
                net = maker(make_net)(config.net_config())
        self.net = net
        form = {"device": device_named(config.device), "memory_format": self.net.memory_format}
        self.net.to(**form)  # type: ignore[call-overload]
        self.optimizer = make_optimizer(self.net, config.learning_rate, config.weight_decay)
        symmetries = config.first_state().symmetries()
        self.replay = ReplayBuffer(config.replay_capacity, self.net.config, symmetries)
        self.playing_net = self.net if config.gate is None else copy.deepcopy(self.net)
        """The net that makes the self-play: the newest, or with a gate the last one promoted."""

    @property
    def is_done(self) -> bool:
        """Whether all iterations of the settings are done."""
        return self.num_iterations >= self.config.num_iterations


# The loop


def alphazero(
    run: Run, executor: Executor | None = None, stop: Callable[[], bool] | None = None
) -> Iterator[Iteration]:
    """Play, learn, and collect what the games teach; yields the results of every iteration.

    Args:
        run: the run, which goes on from where it is.
        executor: plays the games, and the matches of the gate; by default this process does.
        stop: called before each iteration; return True to stop.
    """
    config = run.config
    while not run.is_done and not (stop is not None and stop()):
        began = time.perf_counter()
        shares = begin_games(config, run.num_iterations, run.playing_net, executor)
        losses = learn(run)
        score = examine(run, executor)

        games = [game for share in shares for game in share]
        for game in games:
            run.replay.add(game.samples)
        run.num_positions += sum(len(game.samples.values) for game in games)
        run.num_iterations += 1
        yield _results(run, games, losses, score, time.perf_counter() - began)


def begin_games(
    config: TrainingConfig, iteration: int, net: AnyNet, executor: Executor | None = None
) -> Iterator[list[FinishedGame]]:
    """The games of an iteration, share by share, played by `net` as it is now.

    An executor begins to play them all; without one a share is played when it is needed.
    """
    play, number = partial(self_play, config, iteration), config.num_shares
    nets = [copy.deepcopy(net)] * number
    return (map if executor is None else executor.map)(play, range(number), nets)


def learn(run: Run) -> list[Losses]:
    """The training steps of an iteration; none before there are games. The losses before each.

    Raises:
        DivergedError: the weights of the net became infinite or NaN.
    """
    if not len(run.replay):
        return []
    config = run.config
    seed = [config.seed, run.num_iterations, _LEARNING_STREAM]
    rng = np.random.default_rng(seed)
    is_half = config.half_precision and computes_in_bfloat16(config.device)
    for group in run.optimizer.param_groups:
        group["lr"] = config.learning_rate_at(run.num_iterations)
    losses = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(np.random.SeedSequence(seed).generate_state(1)[0]))  # for dropout
        for _ in range(config.steps_per_iteration):
            samples = run.replay.draw(config.batch_size, rng)
            losses.append(training_step(run.net, run.optimizer, samples, half_precision=is_half))
    if not all(torch.isfinite(each).all() for each in run.net.state_dict().values()):
        raise DivergedError(
            f"In iteration {run.num_iterations + 1} training diverged: weights of the net became "
            f"infinite or NaN. Train again from the start, in another folder, with a "
            f"learning_rate below {config.learning_rate:g}; a tenth is a good next try."
        )
    return losses


def examine(run: Run, executor: Executor | None = None) -> float | None:
    """Let the newest net play the match of the gate, and promote it if its score is high enough.

    Returns:
        Its points a game; None if no match is due.
    """
    gate, number = run.config.gate, run.num_iterations + 1
    if gate is None or number % gate.every:
        return None
    first_state, seed = run.config.first_state(), (run.config.seed, number, _GATE_STREAM)
    play = partial(play_match, gate, first_state, run.net, run.playing_net, seed)
    scores = play() if executor is None else executor.submit(play).result()
    score = sum(scores, Score()).rate.value
    if score >= gate.threshold:
        run.playing_net.load_state_dict(run.net.state_dict())
    return score


def _results(
    run: Run,
    games: Sequence[FinishedGame],
    losses: Sequence[Losses],
    score: float | None,
    seconds: float,
) -> Iteration:
    return Iteration(
        number=run.num_iterations,
        num_positions=run.num_positions,
        num_games=len(games),
        game_length=fmean(len(game.actions) for game in games),
        first_player_score=fmean((1 + game.returns[0]) / 2 for game in games),
        value_loss=fmean(float(each.value) for each in losses) if losses else None,
        policy_loss=fmean(float(each.policy) for each in losses) if losses else None,
        policy_entropy=fmean(policy_entropy(game.samples.policies) for game in games),
        sample_game=games[-1].actions,
        learning_rate=run.config.learning_rate_at(run.num_iterations - 1),
        gate_score=score,
        seconds=seconds,
    )
