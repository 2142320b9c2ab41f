"""Self-play beside learning: the games of a run in groups, and the processes that play them.

An iteration of training begins self-play with the net as it is, learns from the games that there
were before, and then takes in the new games. So both can run at the same time, and the net is the
same whether they do or not.

The games are divided into groups, each with its own random generator. What a group plays in a round
is a pure function of the settings, its state before, and the net: `Groups.play`. So it does not
matter where a round is played, and when a process dies, a new one plays its round again. A run can
be continued in one process or in several, and ends with the same bytes.
"""

import functools
import os
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

from mctslab.child_processes import ChildProcess
from mctslab.cluster_tasks import Cluster, Task
from mctslab.net.inference import Inference, fastest, in_half_precision
from mctslab.net.model import PolicyValueNet
from mctslab.net.self_play import FinishedGame, Seconds, SelfPlay
from mctslab.net.training_config import TrainingConfig

Weights: TypeAlias = Mapping[str, npt.NDArray[np.float32]]
"""Of a net, by name. Arrays, because PyTorch would send tensors through shared files."""


def weights_of(net: PolicyValueNet) -> Weights:
    """The weights of a net as they are now."""
    return {name: tensor.numpy(force=True).copy() for name, tensor in net.state_dict().items()}


@dataclass(frozen=True, slots=True)
class GroupState:
    """A group between two rounds, as a checkpoint keeps it."""

    arrays: Mapping[str, npt.NDArray[Any]]
    """The games in progress."""
    rng: Mapping[str, Any]
    """The state of its random generator."""


class Round(NamedTuple):
    """The results of self-play in one iteration."""

    games: list[FinishedGame]
    """Those that ended."""
    num_positions: int
    """The number of moves chosen."""
    seconds: Seconds
    """The time of all groups."""


class Request(NamedTuple):
    """A round to be played."""

    group: int
    """The number of the group, counted from 0."""
    state: GroupState | None
    """Its state before; None before its first round."""
    weights: Weights


class Reply(NamedTuple):
    """What a round has come to."""

    state: GroupState
    """The state of the group afterwards."""
    round: Round


class Group:
    """Games in progress with their own random generator; groups are counted from 0."""

    def __init__(self, config: TrainingConfig, number: int) -> None:
        groups = config.num_groups
        self._num_positions = _part(config.positions_per_iteration, groups, number)
        self._config = config
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
        config, before, seconds = self._config, self._games.num_positions, self._games.seconds
        finished = self._games.play(_inference(config, net), self._num_positions)
        return Round(
            [game.finished(config.inputs, config.self_play.discount) for game in finished],
            self._games.num_positions - before,
            self._games.seconds - seconds,
        )

    def state(self) -> GroupState:
        """The state between two rounds."""
        arrays = {name: each.numpy() for name, each in self._games.tensors().items()}
        return GroupState(arrays, self._rng.bit_generator.state)

    def restore(self, state: GroupState) -> None:
        """Continue from the state of a group of another run.

        Raises:
            ValueError: it belongs to other settings.
        """
        self._games.restore({name: torch.tensor(each) for name, each in state.arrays.items()})
        self._rng.bit_generator.state = state.rng


def _inference(config: TrainingConfig, net: PolicyValueNet) -> Inference:
    return (in_half_precision if config.half_precision else fastest)(net, config.device)


class Groups:
    """The groups of a run that a process plays."""

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self._net = PolicyValueNet(config.net_config()).eval()
        self._groups: dict[int, tuple[Group, GroupState]] = {}
        """Those that were played here, and their states after that."""

    def play(self, request: Request) -> Reply:
        """Play a round: the same request always has the same reply, but for its seconds."""
        group = self._group_at(request.group, request.state)
        weights = {name: torch.from_numpy(each) for name, each in request.weights.items()}
        self._net.load_state_dict(weights)
        played = group.play(self._net)
        state = group.state()
        self._groups[request.group] = group, state
        return Reply(state, played)

    def _group_at(self, number: int, state: GroupState | None) -> Group:
        """The group in this state; most often it is in it, because it has played here before."""
        group, current = self._groups.pop(number, (None, None))
        if group is None or state is None:
            group = Group(self._config, number)
        if state is not None and not _are_equal(state, current):
            group.restore(state)
        return group


def _are_equal(one: GroupState, other: GroupState | None) -> bool:
    """Whether two states of the same group are the same to the last bit."""
    return (
        other is not None
        and one.rng == other.rng
        and all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)
    )


# Where rounds are played


class InThisProcess:
    """Plays a round when its reply is wanted."""

    cluster: Cluster | None = None

    def __init__(self, config: TrainingConfig) -> None:
        self._groups = Groups(config)

    def submit(self, request: Request) -> Callable[[], Reply]:
        """A function that plays the round and returns its reply."""
        return functools.partial(self._groups.play, request)

    def close(self) -> None:
        """Nothing to end."""


class InProcesses:
    """Plays rounds in processes beside this one, each group always in the same process."""

    cluster: Cluster | None = None

    def __init__(self, config: TrainingConfig, num_workers: int) -> None:
        self._workers = [_Worker(config) for _ in range(num_workers)]

    def submit(self, request: Request) -> Callable[[], Reply]:
        """Begin the round as soon as its process is free; the function waits for its reply.

        That function raises SelfPlayProcessError if the round cannot be played.
        """
        return self._workers[request.group % len(self._workers)].submit(request)

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()


class OnCluster:
    """Plays rounds on the workers of a cluster, each group on any of them."""

    def __init__(self, config: TrainingConfig, cluster: Cluster) -> None:
        self._config = config
        self.cluster = cluster
        self._weights: Weights | None = None
        self._shared: Any = None
        self._tasks: list[Task[Reply]] = []

    def submit(self, request: Request) -> Callable[[], Reply]:
        """Give the round to the cluster; the function waits for its reply.

        That function raises ClusterError if the round cannot be played.
        """
        if request.weights is not self._weights:  # all groups of a round have the same
            self._weights, self._shared = request.weights, self.cluster.share(request.weights)
            self._tasks = []
        name = f"Group {request.group} of the run with seed {self._config.seed}"
        arguments = self._config, request.group, request.state
        task = self.cluster.submit(name, play_round, *arguments, shared=self._shared)
        self._tasks.append(task)
        return task.result

    def close(self) -> None:
        """Give up what is not done; the connection stays."""
        for task in self._tasks:
            task.cancel()


def play_round(
    config: TrainingConfig, group: int, state: GroupState | None, weights: Weights
) -> Reply:
    """Play a round of a group of a run, in a process that may never have played for this run
    before."""
    return Groups(config).play(Request(group, state, weights))


@dataclass(frozen=True, slots=True)
class RoundProbe:
    """A short round with an untrained net: the same bytes where rounds are played alike."""

    config: TrainingConfig

    def __call__(self) -> bytes:
        """The moves and visit counts of the round, and what the net says of any planes."""
        config = replace(self.config, num_groups=1, num_games=2, positions_per_iteration=8, seed=0)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            net = PolicyValueNet(config.net_config()).eval()
        reply = play_round(config, 0, None, weights_of(net))
        shape = net.config
        planes = np.random.default_rng(0).random(
            (8, shape.inputs.count, shape.rows, shape.cols), np.float32
        )
        answer = _inference(config, net)(planes)
        arrays = [reply.state.arrays[name] for name in sorted(reply.state.arrays)]
        return b"".join(each.tobytes() for each in (*arrays, *answer))


Executor: TypeAlias = InThisProcess | InProcesses | OnCluster
"""Where rounds are played."""


class SelfPlayProcessError(RuntimeError):
    """A process of self-play died again and again; the sentence says what may help."""


_MOST_DEATHS: Final = 3
"""In a row, before the training gives up."""


class _Worker:
    """A process that plays, as seen from its parent; a new one takes the place of a dead one.

    It is started for its first round, so that a run with wrong settings leaves none behind.
    """

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self._process: ChildProcess | None = None
        self._lock = threading.Lock()
        self._is_ended = False
        self._most_deaths = 1
        self._requests: SimpleQueue[tuple[Request, Future[Reply]] | None] = SimpleQueue()
        """None is the last one."""
        # A thread of a pool would be waited for when the program ends, this one is not.
        self._thread = threading.Thread(target=self._serve, name="mctslab self-play", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> Callable[[], Reply]:
        """Play the round when those before it are done; the function waits for its reply."""
        future: Future[Reply] = Future()
        self._requests.put((request, future))
        return future.result

    def end(self) -> None:
        """End the process, whatever it is doing, and the thread."""
        with self._lock:
            self._is_ended = True
            if self._process is not None:
                self._process.end()
        self._requests.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (item := self._requests.get()) is not None:
            request, future = item
            try:
                future.set_result(self._play(request))
            except Exception as error:
                future.set_exception(error)

    def _play(self, request: Request) -> Reply:
        """The reply to a request.

        Raises:
            SelfPlayProcessError: the process died, and so did those that took its place; or it
                died before it ever answered.
        """
        for deaths in range(1, self._most_deaths + 1):
            process = self._running()
            try:
                process.connection.send(request)
                answer: Reply | Exception = process.connection.recv()
            except (EOFError, OSError) as error:
                status = process.status()
                if deaths == self._most_deaths or self._is_ended:
                    raise _process_error(status) from error
                process.end()
                self._process = None
                continue
            if isinstance(answer, Exception):
                raise answer
            self._most_deaths = _MOST_DEATHS
            return answer
        raise AssertionError("the loop returns or raises")

    def _running(self) -> ChildProcess:
        with self._lock:
            if self._is_ended:
                raise _process_error(None)
            if self._process is None:
                self._process = ChildProcess(_work, self._config)
            return self._process


def _process_error(status: int | None) -> SelfPlayProcessError:
    return SelfPlayProcessError(
        f"A process of self-play ended with status {status}. In a script, call training under "
        '`if __name__ == "__main__":`; if memory is short, take fewer games at once. What was '
        "trained so far is in the folder of the run."
    )


def _work(parent: "Connection[Any, Any]", config: TrainingConfig) -> None:
    """Answer the parent's requests until it is gone."""
    groups: Groups | None = None
    while True:
        try:
            request = parent.recv()
            groups = groups or Groups(config)
            parent.send(groups.play(request))
        except (OSError, EOFError):
            return  # the parent is gone
        except Exception as error:
            error.add_note(traceback.format_exc())
            parent.send(error)


# All groups


def make_executor(
    config: TrainingConfig, num_workers: int | None = None, cluster: Cluster | None = None
) -> Executor:
    """Processes for self-play; with 0 of them it is played in this process.

    Args:
        config: the settings of the run.
        num_workers: how many. By default none for one group, or else one for each group, but not
            more than there are cores.
        cluster: plays instead of processes.
    """
    if cluster is not None:
        return OnCluster(config, cluster)
    if config.game.startswith("__main__:"):  # as in a notebook: no other process has this class
        num_workers = 0
    if num_workers is None:
        num_workers = min(config.num_groups, os.cpu_count() or 1) if config.num_groups > 1 else 0
    if num_workers == 0:
        return InThisProcess(config)
    return InProcesses(config, min(num_workers, config.num_groups))


def connect(config: TrainingConfig, address: str, **options: Any) -> Cluster:
    """The cluster whose scheduler has this address, for the self-play of a run.

    Args:
        config: the settings of the run; every worker plays a short round with them first.
        address: of the scheduler, as in `Cluster`.
        options: as in `Cluster`.

    Raises:
        ClusterError: Dask is not installed, or no scheduler answers.
        ValueError: this is not an address.
    """
    return Cluster(address, probe=RoundProbe(config), **options)


class Playing:
    """Self-play of all groups, round by round."""

    def __init__(self, config: TrainingConfig, executor: Executor) -> None:
        self._config = config
        self._executor = executor
        self._states: list[GroupState | None] = [None] * config.num_groups
        self._replies: list[Callable[[], Reply]] = []

    def begin(self, net: PolicyValueNet) -> None:
        """Let all groups play an iteration's positions with `net` as it is now."""
        weights = weights_of(net)
        requests = (Request(*each, weights) for each in enumerate(self._states))
        self._replies = [self._executor.submit(request) for request in requests]

    def finish(self) -> Round:
        """The results of the round that was begun, in the order of the groups."""
        replies = [wait() for wait in self._replies]
        self._states = [reply.state for reply in replies]
        rounds = [reply.round for reply in replies]
        return Round(
            [game for each in rounds for game in each.games],
            sum(each.num_positions for each in rounds),
            sum((each.seconds for each in rounds), Seconds()),
        )

    def states(self) -> list[GroupState]:
        """The states of the groups after the last round that was finished."""
        return [
            Group(self._config, number).state() if state is None else state
            for number, state in enumerate(self._states)
        ]

    def restore(self, states: Sequence[GroupState]) -> None:
        """Continue from the states of another run's groups.

        Raises:
            ValueError: they belong to other settings.
        """
        if len(states) != self._config.num_groups:
            raise ValueError(f"Expected {self._config.num_groups} groups, got {len(states)}.")
        for number, state in enumerate(states):
            Group(self._config, number).restore(state)
        self._states = list(states)

    def close(self) -> None:
        """End the processes, if there are any."""
        self._executor.close()


def _part(total: int, parts: int, number: int) -> int:
    """The part of a `total` that the group `number` has; the first groups share the remainder."""
    return total // parts + (number < total % parts)
