"""Training: self-play, the replay buffer and the optimiser in turn; and how a run goes on exactly.

In an iteration the net of that moment plays, and meanwhile learns from the games that ended before:
learning is one iteration behind.

Between two iterations everything that decides what comes next is in a few tensors and numbers: the
net, the state of the optimiser, the replay buffer, the games in progress, and the states of the
random generators. A checkpoint has all of them. So a run that was stopped or killed goes on from
its last iteration, and ends with the same net as one that was not, to the last bit.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

import numpy as np
import torch
from torch import Tensor

from mctslab.net.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.evaluation import Gatekeeper, Verdict
from mctslab.net.evaluator import net_file
from mctslab.net.inference import computes_in_bfloat16, device_named
from mctslab.net.learning import (
    Losses,
    make_optimizer,
    optimizer_tensors,
    policy_entropy,
    restore_optimizer,
    training_step,
)
from mctslab.net.model import PolicyValueNet
from mctslab.net.playing import Executor, GroupState, InThisProcess, Playing
from mctslab.net.replay import ReplayBuffer
from mctslab.net.training_config import TrainingConfig
from mctslab.typed import Number, convert


@dataclass(frozen=True, slots=True)
class Iteration:
    """The results of an iteration; a number that does not exist is NaN."""

    number: int
    """Counted from 1."""
    num_positions: int
    """Moves chosen in self-play, in all iterations so far."""
    num_games: int
    """Games that ended in this one."""
    game_length: float
    """Their mean number of plies."""
    first_player_score: float
    """Their mean score for player 0: 1 for a win, 0.5 for a draw."""
    value_loss: float
    policy_loss: float
    """Means over the steps of this iteration; see `mctslab.net.learning`."""
    policy_entropy: float
    """Of the policy targets of these games, in nats: the minimum of the policy loss."""
    sample_game: list[int]
    """The actions of a game that ended; empty when none did."""
    learning_rate: float
    gate_score: float
    """Of the newest net at the promotion gate, points a game."""
    is_promoted: bool
    """Whether that score lets it make the self-play from now on."""
    seconds: float
    tree_seconds: float
    net_seconds: float
    """The seconds of self-play, of all processes together, in the trees and in the net."""
    training_seconds: float


TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "value_loss": "loss/value",
        "policy_loss": "loss/policy",
        "policy_entropy": "loss/policy entropy",
        "learning_rate": "loss/learning rate",
        "num_games": "self-play/games",
        "num_positions": "self-play/positions",
        "game_length": "self-play/game length",
        "first_player_score": "self-play/first player's score",
        "gate_score": "gate/score of the newest net",
        "seconds": "time/seconds",
        "tree_seconds": "time/of trees",
        "net_seconds": "time/of the net",
        "training_seconds": "time/of learning",
    }
)
"""The name in TensorBoard of each number of an iteration that is shown there."""


class Trainer:
    """A training run between two iterations; where it has processes, `close` ends them.

    Args:
        config: the settings.
        net: the first net; by default the one that the settings name, or random weights.
        executor: plays the rounds of self-play; by default this process does.
    """

    def __init__(
        self,
        config: TrainingConfig,
        net: PolicyValueNet | None = None,
        *,
        executor: Executor | None = None,
    ) -> None:
        self.config = config
        self.num_iterations = 0
        """The number that are done."""
        self.net = net or _new_net(config)
        self.net.to(device=device_named(config.device), memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._is_half = config.half_precision and computes_in_bfloat16(config.device)
        self.num_positions = 0
        """The number of moves chosen in self-play."""
        self.differences: list[str] = []
        """Why the run is not exact to the last bit, in sentences; empty where it is."""
        self._rng = np.random.default_rng(config.seed)
        self._optimizer = make_optimizer(self.net, config.learning_rate, config.weight_decay)
        symmetries = config.first_state().symmetries()
        self._replay = ReplayBuffer(config.replay_capacity, self.net.config, symmetries)
        executor = executor or InThisProcess(config)
        self._playing = Playing(config, executor)
        self.cluster = executor.cluster
        """That plays, if one does."""
        self._is_playing = False
        self._gatekeeper: Gatekeeper | None = None
        if config.gate is not None:
            self._gatekeeper = Gatekeeper(config.gate, self.net, config.first_state(), config.seed)

    @property
    def playing_net(self) -> PolicyValueNet:
        """The net that makes the self-play: the newest, or with a gate the last one promoted."""
        return self.net if self._gatekeeper is None else self._gatekeeper.net

    @property
    def is_done(self) -> bool:
        """Whether all iterations of the settings are done."""
        return self.num_iterations >= self.config.num_iterations

    def iterate(self) -> Iteration:
        """Play and learn; returns the results."""
        began = time.perf_counter()
        learning_rate = self.config.learning_rate_at(self.num_iterations)
        if not self._is_playing:
            self._begin()
        value_loss, policy_loss = self._learn(learning_rate)
        learnt = time.perf_counter()
        verdict = self._examine()
        played = self._playing.finish()
        self._is_playing = False
        if self.cluster is not None:
            self.differences += set(self.cluster.differences).difference(self.differences)
        for game in played.games:
            self._replay.add(game.samples)
        self.num_iterations += 1
        self.num_positions += played.num_positions
        return Iteration(
            number=self.num_iterations,
            num_positions=self.num_positions,
            num_games=len(played.games),
            game_length=_mean([len(game.actions) for game in played.games]),
            first_player_score=_mean([(1 + game.returns[0]) / 2 for game in played.games]),
            value_loss=value_loss,
            policy_loss=policy_loss,
            policy_entropy=_mean(
                [
                    policy_entropy(game.samples.policies)
                    for game in played.games
                    if len(game.samples.policies)
                ]
            ),
            sample_game=played.games[-1].actions if played.games else [],
            learning_rate=learning_rate,
            gate_score=verdict.score if verdict else float("nan"),
            is_promoted=verdict is not None and verdict.is_promoted,
            seconds=time.perf_counter() - began,
            tree_seconds=played.seconds.trees,
            net_seconds=played.seconds.net,
            training_seconds=learnt - began,
        )

    def begin_next(self) -> None:
        """Begin the self-play of the next iteration, if there is one.

        The processes play while the checkpoint is written; `save` writes the state before that.
        """
        if not self.is_done:
            self._begin()

    def _begin(self) -> None:
        self._is_playing = True
        self._playing.begin(self.playing_net)

    def close(self) -> None:
        """End the processes, if there are any; afterwards this run can't go on."""
        self._playing.close()

    def _learn(self, learning_rate: float) -> tuple[float, float]:
        """Some steps of the optimiser; the mean losses of value and policy before the steps."""
        if not len(self._replay):  # no game has ended yet
            return float("nan"), float("nan")
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        steps: list[Losses] = []
        for _ in range(self.config.steps_per_iteration):
            samples = self._replay.draw(self.config.batch_size, self._rng)
            step = training_step(self.net, self._optimizer, samples, half_precision=self._is_half)
            steps.append(step)
        return (
            _mean([float(step.value) for step in steps]),
            _mean([float(step.policy) for step in steps]),
        )

    def _examine(self) -> Verdict | None:
        """The gate's verdict on the net of this iteration; None if no match is due."""
        if self._gatekeeper is None:
            return None
        return self._gatekeeper.examine(self.net, self.num_iterations + 1)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything that is needed to go on into a checkpoint.

        Raises:
            OSError: the file can't be written; an older one of that name is still there.
        """
        groups = self._playing.states()
        about = self._about() | {
            "chance": self._rng.bit_generator.state,
            "chance_of_groups": [group.rng for group in groups],
        }
        tensors = optimizer_tensors(self.net, self._optimizer) | self._replay.tensors()
        if self._gatekeeper is not None:
            tensors |= self._gatekeeper.tensors()
        for number, group in enumerate(groups):
            arrays = group.arrays.items()
            tensors |= {f"{number}.{name}": torch.from_numpy(each) for name, each in arrays}
        return save_checkpoint(path, self.net, about=about, tensors=tensors)

    def save_net(self, path: str | os.PathLike[str]) -> Path:
        """Write the net alone, as it is after this iteration.

        Raises:
            OSError: the file can't be written.
        """
        return save_checkpoint(path, self.net, about=self._about())

    def _about(self) -> dict[str, Any]:
        """The origin of the net."""
        return {
            "game": self.config.game,
            "game_options": dict(self.config.game_options),
            "training": self.config.entries(),
            "iterations": self.num_iterations,
            "positions": self.num_positions,
            **({"not_bit_exact": self.differences} if self.differences else {}),
        }

    @classmethod
    def resume(
        cls, path: str | os.PathLike[str], *, own_game: str = "", executor: Executor | None = None
    ) -> Self:
        """Go on from what `save` has written.

        Args:
            path: the file.
            own_game: a game of the form `module:Class` whose module the file may name.
            executor: plays the rounds of self-play; by default this process does.

        Raises:
            CheckpointError: the file is not a checkpoint of a training run, or a damaged one.
            OSError: there is no such file.
        """
        kept, config = load_run(path, own_game=own_game)
        if kept.net.config != config.net_config():
            raise _no_run(path, "the net is not that of its settings")
        try:
            trainer = cls(config, kept.net, executor=executor)
            trainer._restore(kept)
        except _DAMAGE as error:
            raise _no_run(path, error) from error
        return trainer

    def _restore(self, kept: Checkpoint) -> None:
        *names, labelled = _Progress.__match_args__
        entries = {name: kept.about[name] for name in names}
        progress = convert({**entries, labelled: kept.about.get(labelled, [])}, _Progress)
        self.num_iterations, self.num_positions = progress.iterations, progress.positions
        self.differences = progress.not_bit_exact
        restore_optimizer(self.net, self._optimizer, kept.tensors)
        self._replay.restore(kept.tensors)
        if self._gatekeeper is not None:
            self._gatekeeper.restore(kept.tensors)
        self._rng.bit_generator.state = progress.chance
        self._playing.restore(
            [
                GroupState(_of_group(number, kept.tensors), rng)
                for number, rng in enumerate(progress.chance_of_groups)
            ]
        )


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far a run has come, as `about` has it; `chance` is the state of a random generator."""

    iterations: Number
    positions: Number
    chance: dict[str, Any]
    chance_of_groups: list[dict[str, Any]]
    not_bit_exact: list[str]


_DAMAGE: Final = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What the state of a random generator, an optimiser or a buffer raises if it does not fit."""


def load_run(
    path: str | os.PathLike[str], *, own_game: str = ""
) -> tuple[Checkpoint, TrainingConfig]:
    """What `Trainer.save` has written to the file `path`, and the settings of the run.

    Raises:
        CheckpointError: the file is not a checkpoint of a training run, or a damaged one.
        OSError: there is no such file.
    """
    kept = load_checkpoint(path)
    try:
        return kept, TrainingConfig.from_entries(kept.about["training"], own_game=own_game)
    except (KeyError, TypeError, ValueError) as error:
        raise _no_run(path, error) from error


def _of_group(number: int, tensors: Mapping[str, Tensor]) -> dict[str, np.ndarray]:
    """The arrays of a group, by the names that it uses itself."""
    prefix = f"{number}."
    return {
        name.removeprefix(prefix): each.numpy()
        for name, each in tensors.items()
        if name.startswith(prefix)
    }


def _no_run(path: str | os.PathLike[str], error: Exception | str) -> CheckpointError:
    reason = f"{error} is missing" if isinstance(error, KeyError) else error
    return CheckpointError(f"{path} has a net, but no training run to go on with: {reason}")


def _new_net(config: TrainingConfig) -> PolicyValueNet:
    """The net that a run begins with; random weights depend on the seed only."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        net = PolicyValueNet(config.net_config())
    if config.start_from:
        try:
            net.load_state_dict(load_checkpoint(net_file(config.start_from)).net.state_dict())
        except RuntimeError as error:
            raise ValueError(
                f"start_from={config.start_from!r} is a net of another shape: expected the same "
                "planes, filters, blocks and heads, and with dense heads the same board."
            ) from error
    return net


def _mean(numbers: list[float] | list[int]) -> float:
    return float(np.mean(numbers)) if numbers else float("nan")
