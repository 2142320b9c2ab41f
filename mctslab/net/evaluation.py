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

import copy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

import numpy as np
from torch import Tensor

from mctslab.cluster_tasks import Cluster, Task
from mctslab.fast import mcts
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.inference import fastest, in_batches
from mctslab.net.model import PolicyValueNet
from mctslab.net.training_config import EvenCount, Gate, Plies, Simulations
from mctslab.net.trees import planes_of, trees_for
from mctslab.score import Score
from mctslab.search.result import best_child
from mctslab.typed import Count, Meta, NonNegative, Number, WrongEntryError, check

# Matches


Mover = Callable[[Sequence[Sequence[State]]], Sequence[int]]
"""Chooses a move in each of several games, given their positions so far, the newest last."""


def net_mover(net: PolicyValueNet, num_simulations: int) -> Mover:
    """Plays the most visited move of a search by PUCT with `net` as it is now.

    Raises:
        ValueError: fewer than 2 simulations; the first one only evaluates the position itself.
    """
    if num_simulations < 2:
        raise ValueError(f"num_simulations = {num_simulations!r}: expected 2 or more.")
    inference, inputs = fastest(copy.deepcopy(net).eval()), net.config.inputs

    def choose(games: Sequence[Sequence[State]]) -> list[int]:
        trees = trees_for(games, num_simulations, inputs)
        for _ in range(num_simulations):
            walks = trees.gather()
            if not walks:
                trees.apply_ends()
                continue
            answer = in_batches(inference, planes_of(trees, walks, inputs))
            trees.apply(walks, answer.values, answer.policy_logits)
        return [best_child(trees.children(tree)).action for tree in range(len(games))]

    return choose


def uct_mover(num_simulations: int, rng: np.random.Generator) -> Mover:
    """Plays the most visited move of a search by UCT with random rollouts."""

    def choose(games: Sequence[Sequence[State]]) -> list[int]:
        return [
            mcts(game[-1], num_simulations=num_simulations, rng=rng).best_action for game in games
        ]

    return choose


def random_mover(rng: np.random.Generator) -> Mover:
    """Plays any legal move."""
    return lambda games: [int(rng.choice(game[-1].legal_actions())) for game in games]


def play_match(
    first_state: State,
    ours: Mover,
    theirs: Mover,
    *,
    num_games: int,
    opening_plies: int,
    rng: np.random.Generator,
    stop: Callable[[], bool] | None = None,
) -> tuple[Score, Score] | None:
    """Our score as player 0 and as player 1 in a match, all games at once; None if stopped.

    Args:
        first_state: where the games begin.
        ours: the side whose scores are returned.
        theirs: the other side.
        num_games: an even number: two games share an opening, with colours swapped.
        opening_plies: the number of random plies before the sides take over.
        rng: draws the openings.
        stop: called before each move; return True to stop the match.

    Raises:
        ValueError: an odd number of games, or an opening longer than the game.
    """
    if num_games < 2 or num_games % 2:
        raise ValueError(f"num_games = {num_games!r}: expected an even number, 2 or more.")
    openings = [_opening(first_state, opening_plies, rng) for _ in range(num_games // 2)]
    as_first, as_second = ([list(opening) for opening in openings] for _ in range(2))
    while not all(game[-1].is_terminal for game in (*as_first, *as_second)):
        if stop is not None and stop():
            return None
        # Whose turn it is must be known for all games before any side moves.
        for_us = [*_with_turn_of(0, as_first), *_with_turn_of(1, as_second)]
        for_them = [*_with_turn_of(1, as_first), *_with_turn_of(0, as_second)]
        _move(ours, for_us)
        _move(theirs, for_them)
    return _score(as_first, 0), _score(as_second, 1)


def _opening(first_state: State, plies: int, rng: np.random.Generator) -> list[State]:
    """The positions of a random opening."""
    positions = [first_state]
    for action in random_opening(first_state, plies, rng):
        positions.append(positions[-1].child(action))
    return positions


def _with_turn_of(player: int, games: Sequence[list[State]]) -> list[list[State]]:
    return [
        game for game in games if not game[-1].is_terminal and game[-1].current_player == player
    ]


def _move(mover: Mover, games: Sequence[list[State]]) -> None:
    """Let a side move once in each of `games`."""
    if games:
        for game, action in zip(games, mover(games), strict=True):
            game.append(game[-1].child(action))


def _score(games: Sequence[Sequence[State]], player: int) -> Score:
    returns = [game[-1].returns()[player] for game in games]
    return Score(*(returns.count(result) for result in (1, 0, -1)))


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
    seconds: NonNegative

    def __post_init__(self) -> None:
        if not self.score.num_games or min(*self.as_first, *self.as_second) < 0:
            raise WrongEntryError(
                f"as_first = {[*self.as_first]}, as_second = {[*self.as_second]}: expected numbers "
                "of wins, draws and losses, with one game at least."
            )

    @property
    def score(self) -> Score:
        """Of the net, as either player."""
        return self.as_first + self.as_second


Opponent = Annotated[str, Meta(pattern=r"^(random|uct:[1-9]\d{0,8})$")]
"""`random`, or `uct:N`: UCT with N simulations a move, each a random rollout."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The opponents a net is measured against, how often, and in how many games.

    Raises:
        WrongEntryError: a number out of range, or an unknown opponent.
    """

    opponents: tuple[Opponent, ...] = ("random", "uct:100", "uct:1000")
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

    def check_game(self, first_state: State) -> None:
        """Check that all opponents can play a game.

        Raises:
            ValueError: one has too few simulations to try every move; or the opening is too long.
        """
        random_opening(first_state, self.opening_plies, np.random.default_rng(0))
        most_moves = len(first_state.legal_actions())
        for opponent in self.opponents:
            if opponent != "random" and _simulations(opponent) < most_moves:
                raise ValueError(
                    f"{opponent} cannot try all {most_moves} moves of {first_state.title}: give it "
                    f"{most_moves} simulations or more."
                )

    def is_due(self, iteration: int, num_iterations: int) -> bool:
        """Whether the net is measured after `iteration` of `num_iterations`."""
        is_regular = iteration > 0 and iteration % self.every == 0
        return is_regular or iteration == num_iterations or iteration in self.also_at

    def measure(
        self,
        net: PolicyValueNet,
        first_state: State,
        *,
        iteration: int = 0,
        num_positions: int = 0,
        done: Sequence[Measurement] = (),
        stop: Callable[[], bool] | None = None,
        cluster: Cluster | None = None,
    ) -> Iterator[Measurement]:
        """Let `net` play each opponent; each measurement as soon as its games are over.

        Args:
            net: the net, which is not changed.
            first_state: where its game begins.
            iteration: of a run; each iteration has other games.
            num_positions: for the measurement.
            done: measurements that need not be made again.
            stop: called before each move; return True to stop.
            cluster: plays, each match on one worker; `stop` is not called.

        Raises:
            ValueError: as `check_game`.
        """
        self.check_game(first_state)
        measured = {each.opponent for each in done if each.iteration == iteration}
        missing = [each for each in self.opponents if each not in measured]
        tasks: dict[str, Task[tuple[Score, Score] | None]] = {}
        if cluster is not None:
            shared = cluster.share(net)
            for each in missing:
                match = self, first_state, each, iteration, None
                name = f"The match against {each}"
                tasks[each] = cluster.submit(name, match_against, *match, shared=shared)
        for opponent in missing:
            began = time.perf_counter()
            if opponent in tasks:
                scores = tasks[opponent].result()
            else:
                scores = match_against(self, first_state, opponent, iteration, stop, net)
            if scores is None:
                return
            yield Measurement(
                iteration,
                num_positions,
                opponent,
                self.num_simulations,
                *scores,
                time.perf_counter() - began,
            )


def match_against(
    benchmark: Benchmark,
    first_state: State,
    opponent: str,
    iteration: int,
    stop: Callable[[], bool] | None,
    net: PolicyValueNet,
) -> tuple[Score, Score] | None:
    """The scores of a net against an opponent, as `play_match` returns them."""
    number = benchmark.opponents.index(opponent)
    rng = np.random.default_rng([benchmark.seed, iteration, number])
    return play_match(
        first_state,
        net_mover(net, benchmark.num_simulations),
        _mover(opponent, rng),
        num_games=benchmark.num_games,
        opening_plies=benchmark.opening_plies,
        rng=rng,
        stop=stop,
    )


def _mover(opponent: str, rng: np.random.Generator) -> Mover:
    return random_mover(rng) if opponent == "random" else uct_mover(_simulations(opponent), rng)


def _simulations(opponent: str) -> int:
    """The number of simulations in a name such as `uct:100`."""
    return int(opponent.removeprefix("uct:"))


# The promotion gate


class Verdict(NamedTuple):
    """The result of an examination."""

    score: float
    """Of the candidate, points a game."""
    is_promoted: bool


class Gatekeeper:
    """Keeps the net that makes the self-play, and examines candidates for its place.

    Args:
        gate: the rules.
        net: the first net, which is copied.
        first_state: where the games begin.
        seed: the matches are a function of it and the nets.

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

    def examine(
        self, candidate: PolicyValueNet, iteration: int, cluster: Cluster | None = None
    ) -> Verdict | None:
        """Let `candidate` play if a match is due after `iteration`; None otherwise.

        On a cluster, a worker plays the match.
        """
        gate = self._gate
        if iteration % gate.every:
            return None
        nets, match = (candidate, self.net), (gate, self._first_state, self._seed, iteration)
        if cluster is None:
            score = gate_match(*match, nets)
        else:
            shared = cluster.share(nets)
            name = f"The gate's match after iteration {iteration}"
            task = cluster.submit(name, gate_match, *match, shared=shared, is_urgent=True)
            score = task.result()
        if score >= gate.threshold:
            self.net.load_state_dict(candidate.state_dict())
        return Verdict(score, score >= gate.threshold)

    # To a checkpoint and back

    def tensors(self) -> dict[str, Tensor]:
        """The net as a checkpoint keeps it, by name."""
        return {f"gate.{name}": each for name, each in self.net.state_dict().items()}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue with the net of another run.

        Raises:
            KeyError: a tensor is missing.
            RuntimeError: it is a net of another shape.
        """
        self.net.load_state_dict({name: tensors[f"gate.{name}"] for name in self.net.state_dict()})


def gate_match(
    gate: Gate,
    first_state: State,
    seed: int,
    iteration: int,
    nets: tuple[PolicyValueNet, PolicyValueNet],
) -> float:
    """The points a game of the first net against the second."""
    ours, theirs = (net_mover(net, gate.num_simulations) for net in nets)
    scores = play_match(
        first_state,
        ours,
        theirs,
        num_games=gate.num_games,
        opening_plies=gate.opening_plies,
        rng=np.random.default_rng([seed, iteration, _GATE_STREAM]),
    )
    assert scores is not None  # nothing stops it
    return sum(scores, Score()).rate.value


_GATE_STREAM: Final = 1_000_003
"""Separates the random numbers of the gate from those of other matches with the same seed."""
