"""Training: self-play, the replay buffer and the optimiser in turn; and how a run goes on exactly.

Between two iterations everything that decides what comes next is in a few numbers: the net, what
the optimiser remembers, the replay buffer, the games in progress, and the state of the source of
chance. A checkpoint holds all of them. So a run that was stopped or killed goes on from its last
iteration, and ends with the same net as one that was not, to the last bit.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch

from mctslab.net.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.inference import fastest
from mctslab.net.loss import Losses, policy_entropy, training_step
from mctslab.net.model import PolicyValueNet
from mctslab.net.optimizing import make_optimizer, optimizer_tensors, restore_optimizer
from mctslab.net.replay import ReplayBuffer
from mctslab.net.self_play import PlayedGame, SelfPlay
from mctslab.net.training_config import TrainingConfig


@dataclass(frozen=True, slots=True)
class Iteration:
    """What came of an iteration."""

    number: int
    """Counted from 1."""
    num_positions: int
    """Moves chosen in self-play, in all iterations so far."""
    num_games: int
    """Games that ended in this one."""
    game_length: float
    """Their mean number of plies; not a number when none ended."""
    first_player_score: float
    """Their mean score for player 0, a win 1 and a draw 0.5; not a number when none ended."""
    value_loss: float
    policy_loss: float
    """Means over the steps of this iteration; see `mctslab.net.loss`."""
    policy_entropy: float
    """Of the policy targets of these games, in nats: the least that the policy's loss can be."""
    learning_rate: float
    seconds: float
    tree_seconds: float
    net_seconds: float
    """Of self-play: how long the trees took, and how long the net took to answer."""
    training_seconds: float


class Trainer:
    """A training run between two iterations.

    Args:
        config: the settings; a run begins at nothing.
    """

    def __init__(self, config: TrainingConfig) -> None:
        self.config = config
        self.num_iterations = 0
        """How many are done."""
        self.net = _new_net(config)
        self._rng = np.random.default_rng(config.seed)
        self._optimizer = make_optimizer(self.net, config.learning_rate, config.weight_decay)
        first_state = config.first_state()
        self._replay = ReplayBuffer(
            config.replay_capacity, self.net.config, first_state.symmetries()
        )
        self._playing = SelfPlay(
            first_state,
            config.self_play,
            config.inputs,
            num_games=config.num_games,
            rng=self._rng,
        )

    @property
    def is_done(self) -> bool:
        """Whether all iterations of the settings are done."""
        return self.num_iterations >= self.config.num_iterations

    def iterate(self) -> Iteration:
        """Play, learn, and say what came of it."""
        began = time.perf_counter()
        before = self._playing.shares.trees, self._playing.shares.net
        finished = self._playing.play(fastest(self.net.eval()), self.config.positions_per_iteration)
        for game in finished:
            self._replay.add(game.samples(self.config.inputs))
        played = time.perf_counter()
        learning_rate = self.config.learning_rate_at(self.num_iterations)
        value_loss, policy_loss = self._learn(learning_rate)
        self.num_iterations += 1
        shares = self._playing.shares
        return Iteration(
            number=self.num_iterations,
            num_positions=self._playing.num_positions,
            num_games=len(finished),
            game_length=_mean([len(game.positions) - 1 for game in finished]),
            first_player_score=_mean([_score(game) for game in finished]),
            value_loss=value_loss,
            policy_loss=policy_loss,
            policy_entropy=_mean([policy_entropy(np.stack(g.policies)) for g in finished]),
            learning_rate=learning_rate,
            seconds=time.perf_counter() - began,
            tree_seconds=shares.trees - before[0],
            net_seconds=shares.net - before[1],
            training_seconds=time.perf_counter() - played,
        )

    def _learn(self, learning_rate: float) -> tuple[float, float]:
        """Some steps of the optimiser; the mean losses of value and policy before each of them."""
        if not len(self._replay):  # no game has ended yet
            return float("nan"), float("nan")
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        steps: list[Losses] = []
        for _ in range(self.config.steps_per_iteration):
            samples = self._replay.draw(self.config.batch_size, self._rng)
            steps.append(training_step(self.net, self._optimizer, samples))
        return (
            _mean([float(step.value) for step in steps]),
            _mean([float(step.policy) for step in steps]),
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write all that it takes to go on into a checkpoint.

        Raises:
            OSError: the file can't be written; an older one of that name is still there.
        """
        about: dict[str, Any] = {
            "game": self.config.game,
            "game_options": dict(self.config.game_options),
            "training": self.config.entries(),
            "iterations": self.num_iterations,
            "chance": self._rng.bit_generator.state,
        }
        tensors = optimizer_tensors(self.net, self._optimizer)
        tensors |= self._replay.tensors() | self._playing.tensors()
        return save_checkpoint(path, self.net, about=about, tensors=tensors)

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """Go on from what `save` has written.

        Raises:
            CheckpointError: the file is no checkpoint of a training run, or a damaged one.
            OSError: there is no such file.
        """
        kept = load_checkpoint(path)
        try:
            trainer = cls(TrainingConfig.from_entries(kept.about["training"]))
            trainer.net.load_state_dict(kept.net.state_dict())
            trainer.num_iterations = int(kept.about["iterations"])
            restore_optimizer(trainer.net, trainer._optimizer, kept.tensors)
            trainer._replay.restore(kept.tensors)
            trainer._playing.restore(kept.tensors)
            trainer._rng.bit_generator.state = kept.about["chance"]
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{path} holds a net, but no training run to go on with: {error}."
            ) from error
        return trainer


def _new_net(config: TrainingConfig) -> PolicyValueNet:
    """A net with weights that follow from the seed, whatever else has drawn from PyTorch."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return PolicyValueNet(config.net_config())


def _score(game: PlayedGame) -> float:
    return (1 + game.positions[-1].returns()[0]) / 2


def _mean(numbers: list[float] | list[int]) -> float:
    return float(np.mean(numbers)) if numbers else float("nan")
