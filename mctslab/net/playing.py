"""Self-play beside learning: in this process, or in several, each on its own core.

An iteration of training begins self-play with the net as it is, learns from the games that there
were before, and then takes in the new games. So both can run at the same time, and the net is the
same whether they do or not. The games are divided into groups, each with its own random generator;
the groups can play in any order, and at once.

What a group plays in a round is a pure function of the settings, the net, and the state of the
group before. So when a process dies, a new one plays its round again, and the training goes on with
the same bytes.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mctslab.child_processes import ChildProcess
from mctslab.net.inference import fastest, in_half_precision
from mctslab.net.model import PolicyValueNet
from mctslab.net.self_play import FinishedGame, Seconds, SelfPlay
from mctslab.net.training_config import TrainingConfig


class Round(NamedTuple):
    """The results of self-play in one iteration."""

    games: list[FinishedGame]
    """Those that ended."""
    num_positions: int
    """The number of moves chosen."""
    seconds: Seconds
    """The time of all groups."""


@dataclass(frozen=True, slots=True)
class GroupState:
    """The state of a group between two rounds, as a checkpoint keeps it."""

    tensors: Mapping[str, Tensor]
    rng: Mapping[str, Any]
    """Of its random generator."""


class Playing(Protocol):
    """Self-play of all groups."""

    def begin(self, net: PolicyValueNet) -> None:
        """Let all groups play an iteration's positions with `net` as it is now."""

    def finish(self) -> Round:
        """The results of the round that was begun, when all groups are done."""
        ...

    def states(self) -> list[GroupState]:
        """The states of the groups after the last round that was finished."""
        ...

    def restore(self, states: list[GroupState]) -> None:
        """Continue from the states of another run's groups.

        Raises:
            ValueError: they belong to other settings.
        """

    def close(self) -> None:
        """End the processes, if there are any."""


def make_playing(config: TrainingConfig) -> Playing:
    """Self-play as the settings say: in this process, or in several."""
    return PlayingInProcesses(config) if config.num_workers else PlayingHere(config)


class Group:
    """Games in progress with their own random generator.

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
        """Play an iteration's positions with `net`."""
        before, seconds = self._games.num_positions, self._games.seconds
        trees, answers = seconds.trees, seconds.net
        finished = self._games.play(self._ready(net), self._num_positions)
        return Round(
            [game.finished(self._inputs, self._discount) for game in finished],
            self._games.num_positions - before,
            Seconds(seconds.trees - trees, seconds.net - answers),
        )

    def state(self) -> GroupState:
        """The state between two rounds."""
        return GroupState(self._games.tensors(), self._rng.bit_generator.state)

    def restore(self, state: GroupState) -> None:
        """Continue from the state of a group of another run."""
        self._games.restore(state.tensors)
        self._rng.bit_generator.state = state.rng


class PlayingHere:
    """Self-play in this process: it plays when the games are wanted."""

    def __init__(self, config: TrainingConfig) -> None:
        self._group = Group(config, 0)
        self._net = PolicyValueNet(config.net_config())

    def begin(self, net: PolicyValueNet) -> None:
        """Copy the net as it is now."""
        self._net.load_state_dict(net.state_dict())
        self._net.eval()

    def finish(self) -> Round:
        """Play."""
        return self._group.play(self._net)

    def states(self) -> list[GroupState]:
        """The state of the only group."""
        return [self._group.state()]

    def restore(self, states: list[GroupState]) -> None:
        """Continue from the state of another run."""
        (state,) = states
        self._group.restore(state)

    def close(self) -> None:
        """Nothing to end."""


class PlayingInProcesses:
    """Self-play in processes, one for each group."""

    def __init__(self, config: TrainingConfig) -> None:
        self._workers = [_Worker(config, number) for number in range(config.num_workers)]

    def begin(self, net: PolicyValueNet) -> None:
        """Send the net as it is now to all processes, which begin at once."""
        self.states()  # what a process that dies needs is kept: the state before, and these weights
        weights = {
            name: tensor.numpy(force=True).copy() for name, tensor in net.state_dict().items()
        }
        for worker in self._workers:
            worker.send(_Request(None, weights))

    def finish(self) -> Round:
        """Wait for all processes; the games come in the order of the groups."""
        rounds = [played for worker in self._workers if (played := worker.receive())]
        return Round(
            [game for each in rounds for game in each.games],
            sum(each.num_positions for each in rounds),
            Seconds(
                sum(each.seconds.trees for each in rounds), sum(each.seconds.net for each in rounds)
            ),
        )

    def states(self) -> list[GroupState]:
        """The states that came with the results of the last round."""
        new = [worker for worker in self._workers if worker.state is None]
        for worker in new:
            worker.send(_Request(None, None))
        for worker in new:
            worker.receive()
        return [_with_tensors(worker.state) for worker in self._workers if worker.state]

    def restore(self, states: list[GroupState]) -> None:
        """Continue from the states of another run."""
        for worker, state in zip(self._workers, states, strict=True):
            worker.send(_Request(_with_arrays(state), None))
        for worker in self._workers:
            worker.receive()

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()


class SelfPlayProcessError(RuntimeError):
    """A process of self-play died again and again; the sentence says what may help."""


_MOST_DEATHS: Final = 3
"""In a row, before the training gives up."""


class _Worker:
    """A process with a group, as seen from the parent; a new one takes the place of a dead one."""

    def __init__(self, config: TrainingConfig, number: int) -> None:
        self.state: _GroupArrays | None = None
        """Of the group, after the last request that was answered."""
        self._config, self._number = config, number
        self._request = _Request(None, None)
        self._process = ChildProcess(_work, config, number)

    def send(self, request: "_Request") -> None:
        """Send a request; whether the process is alive shows when its answer is received."""
        self._request = request
        try:
            self._process.connection.send(request)
        except OSError:
            return

    def receive(self) -> Round | None:
        """The answer to the last request, None if it was not to play.

        Raises:
            SelfPlayProcessError: the process died, and so did those that took its place; or it
                died before it ever answered.
        """
        for deaths in range(1, _MOST_DEATHS + 1):
            try:
                answer: _Reply | Exception = self._process.connection.recv()
            except (EOFError, OSError) as error:
                status = self._process.status()
                if self.state is None or deaths == _MOST_DEATHS:
                    raise _process_error(status) from error
                self._process.end()
                self._process = ChildProcess(_work, self._config, self._number)
                self.send(_Request(self._request.state or self.state, self._request.weights))
                continue
            if isinstance(answer, Exception):
                raise answer
            self.state, played = answer
            return played
        raise AssertionError("the loop returns or raises")

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.end()


def _process_error(status: int | None) -> SelfPlayProcessError:
    return SelfPlayProcessError(
        f"A process of self-play ended with status {status}. In a script, call training under "
        '`if __name__ == "__main__":`; if memory is short, take fewer games at once. What was '
        "trained so far is in the folder of the run."
    )


# What goes through the pipes: arrays, because PyTorch would send tensors through shared files


class _GroupArrays(NamedTuple):
    """The state of a group."""

    arrays: dict[str, npt.NDArray[Any]]
    rng: Mapping[str, Any]


class _Request(NamedTuple):
    """What a process is to do: first restore a state, then play a round; each if it is given."""

    state: _GroupArrays | None
    weights: dict[str, npt.NDArray[Any]] | None


class _Reply(NamedTuple):
    """The answer to a request."""

    state: _GroupArrays
    round: Round | None


def _with_arrays(state: GroupState) -> _GroupArrays:
    return _GroupArrays({name: each.numpy() for name, each in state.tensors.items()}, state.rng)


def _with_tensors(state: _GroupArrays) -> GroupState:
    return GroupState(
        {name: torch.from_numpy(np.asarray(each)) for name, each in state.arrays.items()},
        state.rng,
    )


# In the process


def _work(parent: "Connection[Any, Any]", config: TrainingConfig, number: int) -> None:
    """Answer the parent's requests until it is gone."""
    torch.set_num_threads(1)
    group: Group | None = None
    net = PolicyValueNet(config.net_config()).eval()
    while True:
        try:
            request = parent.recv()
            group = group or Group(config, number)
            parent.send(_reply(group, net, request))
        except (OSError, EOFError):
            return  # the parent is gone
        except Exception as error:
            error.add_note(traceback.format_exc())
            parent.send(error)


def _reply(group: Group, net: PolicyValueNet, request: _Request) -> _Reply:
    played = None
    if request.state is not None:
        group.restore(_with_tensors(request.state))
    if request.weights is not None:
        weights = {name: torch.from_numpy(each) for name, each in request.weights.items()}
        net.load_state_dict(weights)
        played = group.play(net)
    return _Reply(_with_arrays(group.state()), played)


def _part(total: int, parts: int, number: int) -> int:
    """The part of a `total` that the group `number` has; the first groups share the remainder."""
    return total // parts + (number < total % parts)
