"""Self-play beside learning: in this process, or in several, which take a core each.

An iteration of training begins self-play with the net as it is, learns from the games that there
were before, and then takes the new games in. So the two can run at once, and it makes no difference
to the net whether they do. What a group of games needs, chance included, belongs to that group: the
groups may play in any order, and at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mctslab.child_processes import ChildProcess
from mctslab.net.inference import fastest, in_half_precision
from mctslab.net.model import PolicyValueNet
from mctslab.net.self_play import FinishedGame, SelfPlay, Shares
from mctslab.net.training_config import TrainingConfig


class Round(NamedTuple):
    """What self-play has done in one iteration."""

    games: list[FinishedGame]
    """Those that ended."""
    num_positions: int
    """How many moves were chosen."""
    shares: Shares
    """Where the time of all groups went."""


@dataclass(frozen=True, slots=True)
class GroupState:
    """What a checkpoint has to keep of a group."""

    tensors: Mapping[str, Tensor]
    chance: Mapping[str, Any]


class Playing(Protocol):
    """Self-play of all groups."""

    def begin(self, net: PolicyValueNet) -> None:
        """Let all groups play an iteration's positions with `net` as it is now."""

    def finish(self) -> Round:
        """What was begun, when all groups have done their share."""
        ...

    def states(self) -> list[GroupState]:
        """What a checkpoint has to keep of each group."""
        ...

    def restore(self, states: list[GroupState]) -> None:
        """Take over what another run's groups have kept.

        Raises:
            ValueError: they are of other settings.
        """

    def close(self) -> None:
        """End what was started."""


def make_playing(config: TrainingConfig) -> Playing:
    """Self-play as the settings say: here, or in processes."""
    return PlayingInProcesses(config) if config.num_workers else PlayingHere(config)


class Group:
    """Games in progress with a source of chance of their own.

    Args:
        config: the settings of the run.
        number: of this group, counted from 0.
    """

    def __init__(self, config: TrainingConfig, number: int) -> None:
        groups = config.num_groups
        self._num_positions = _part(config.positions_per_iteration, groups, number)
        self._inputs, self._discount = config.inputs, config.self_play.discount
        self._ready = in_half_precision if config.half_precision else fastest
        self._rng = np.random.default_rng([config.seed, number])
        self._games = SelfPlay(
            config.first_state(),
            config.self_play,
            config.inputs,
            num_games=_part(config.num_games, groups, number),
            rng=self._rng,
        )

    def play(self, net: PolicyValueNet) -> Round:
        """An iteration's positions, by `net`."""
        before, shares = self._games.num_positions, self._games.shares
        trees, answers = shares.trees, shares.net
        finished = self._games.play(self._ready(net), self._num_positions)
        return Round(
            [game.finished(self._inputs, self._discount) for game in finished],
            self._games.num_positions - before,
            Shares(shares.trees - trees, shares.net - answers),
        )

    def state(self) -> GroupState:
        """What a checkpoint has to keep."""
        return GroupState(self._games.tensors(), self._rng.bit_generator.state)

    def restore(self, state: GroupState) -> None:
        """Take over what a group of another run has kept."""
        self._games.restore(state.tensors)
        self._rng.bit_generator.state = state.chance


class PlayingHere:
    """Self-play in this process: it plays when it is asked for the games."""

    def __init__(self, config: TrainingConfig) -> None:
        self._group = Group(config, 0)
        self._net = PolicyValueNet(config.net_config())

    def begin(self, net: PolicyValueNet) -> None:
        """Note the net as it is now."""
        self._net.load_state_dict(net.state_dict())
        self._net.eval()

    def finish(self) -> Round:
        """Play."""
        return self._group.play(self._net)

    def states(self) -> list[GroupState]:
        """What a checkpoint has to keep."""
        return [self._group.state()]

    def restore(self, states: list[GroupState]) -> None:
        """Take over what another run has kept."""
        (state,) = states
        self._group.restore(state)

    def close(self) -> None:
        """Nothing was started."""


class PlayingInProcesses:
    """Self-play in processes, one for each group."""

    def __init__(self, config: TrainingConfig) -> None:
        self._workers = [_Worker(config, number) for number in range(config.num_workers)]

    def begin(self, net: PolicyValueNet) -> None:
        """Send the net as it is now to all, who begin at once."""
        weights = {name: tensor.numpy(force=True) for name, tensor in net.state_dict().items()}
        for worker in self._workers:
            worker.send("play", weights)

    def finish(self) -> Round:
        """Wait for all. The games come in the order of the groups."""
        rounds = [worker.receive() for worker in self._workers]
        return Round(
            [game for each in rounds for game in each.games],
            sum(each.num_positions for each in rounds),
            Shares(
                sum(each.shares.trees for each in rounds), sum(each.shares.net for each in rounds)
            ),
        )

    def states(self) -> list[GroupState]:
        """What a checkpoint has to keep."""
        for worker in self._workers:
            worker.send("state")
        return [_with_tensors(worker.receive()) for worker in self._workers]

    def restore(self, states: list[GroupState]) -> None:
        """Take over what another run has kept."""
        for worker, state in zip(self._workers, states, strict=True):
            worker.send("restore", _with_arrays(state))
        for worker in self._workers:
            worker.receive()

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()


class WorkerError(RuntimeError):
    """A process of self-play could not go on; the sentence says why."""


class _Worker:
    """A process with a group, as seen from the parent."""

    def __init__(self, config: TrainingConfig, number: int) -> None:
        self._process = ChildProcess(_work, config, number)

    def send(self, *request: Any) -> None:
        """Say what to do."""
        try:
            self._process.connection.send(request)
        except OSError as error:
            raise self._ended() from error

    def receive(self) -> Any:
        """The answer to what was said."""
        try:
            answer = self._process.connection.recv()
        except (EOFError, OSError) as error:
            raise self._ended() from error
        if isinstance(answer, ValueError):
            raise answer
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.end()

    def _ended(self) -> WorkerError:
        return WorkerError(
            f"A process of self-play ended with status {self._process.status()}. In a script, call "
            'training under `if __name__ == "__main__":`; if memory is short, take fewer games at '
            "once. What was trained so far is in the folder of the run."
        )


# In the process


def _work(parent: "Connection[Any, Any]", config: TrainingConfig, number: int) -> None:
    """Do what the parent says, until it is gone."""
    torch.set_num_threads(1)
    group = Group(config, number)
    net = PolicyValueNet(config.net_config()).eval()
    while True:
        try:
            parent.send(_answer(group, net, *parent.recv()))
        except (OSError, EOFError):
            return  # the parent is gone
        except ValueError as error:
            parent.send(error)


def _answer(group: Group, net: PolicyValueNet, request: str, *content: Any) -> Any:
    if request == "play":
        net.load_state_dict({name: torch.from_numpy(each) for name, each in content[0].items()})
        return group.play(net)
    if request == "state":
        return _with_arrays(group.state())
    group.restore(_with_tensors(content[0]))
    return None


class _Sendable(NamedTuple):
    """A group's state as pipes take it: PyTorch would send tensors through shared files."""

    arrays: dict[str, npt.NDArray[Any]]
    chance: Mapping[str, Any]


def _with_arrays(state: GroupState) -> _Sendable:
    return _Sendable({name: each.numpy() for name, each in state.tensors.items()}, state.chance)


def _with_tensors(state: _Sendable) -> GroupState:
    return GroupState(
        {name: torch.from_numpy(np.asarray(each)) for name, each in state.arrays.items()},
        state.chance,
    )


def _part(total: int, parts: int, number: int) -> int:
    """The part of a `total` that the group of that `number` has; the first ones have the rest."""
    return total // parts + (number < total % parts)
