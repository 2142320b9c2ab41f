"""Self-play: a net plays many games at once, each move searched, and every game teaches it.

A net takes hardly longer for a hundred positions than for ten. So in every step each game's tree is
walked down once, the leaves of all the games go to the net together, and each tree counts its own.
No tree waits for itself: within a game one simulation follows the other, without virtual losses.

The trees are the compiled `Forest` of `mctslab.fast`: phase 1 is its `gather`, phases 2 and 4 its
`apply`, and phase 3 is the net.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor

from mctslab.fast import Forest
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode_batch
from mctslab.net.evaluator import in_batches
from mctslab.net.inference import Inference
from mctslab.net.targets import Samples, policy_target, samples_of
from mctslab.search.noise import DirichletNoise
from mctslab.search.selection import PUCT, puct


@dataclass(frozen=True, slots=True)
class SelfPlayConfig:
    """How the games are played.

    Raises:
        ValueError: a number out of range.
    """

    num_simulations: int = 64
    """Visits that a position has when its move is chosen; those of the tree that is kept from the
    move before count."""
    selection: PUCT = field(default_factory=puct)
    noise: DirichletNoise | None = field(default_factory=lambda: DirichletNoise(alpha=0.3))
    """What is mixed into each root's priors, so that every move is tried now and then."""
    temperature_plies: int = 30
    """For so many plies a move is drawn in proportion to its visits; then the most visited is
    played."""
    opening_plies: int = 0
    """Up to so many plies, from none on, are drawn by lot before the net plays: so it also learns
    positions that it would not choose."""

    def __post_init__(self) -> None:
        for name, least in (("num_simulations", 2), ("temperature_plies", 0), ("opening_plies", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)!r} is too few: {least} or more.")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, and what the search thought on the way."""

    positions: list[State]
    """All of them, the first and the terminal one included."""
    policies: list[Floats]
    """pi, [A]: the shares of the visits, for all positions but the opening's and the last one."""

    def samples(self, inputs: InputPlanes) -> Samples:
        """What a net learns from it."""
        return samples_of(self.positions, self.policies, inputs)


@dataclass(slots=True)
class Shares:
    """Where the time went, in seconds."""

    trees: float = 0.0
    """Walking down, counting, choosing moves, and setting positions up."""
    net: float = 0.0
    """The net's answers alone."""


class SelfPlay:
    """Games in progress; as soon as one ends the next one takes its place.

    Args:
        first_state: the first position of a game that can be compiled.
        config: how to play.
        inputs: what the net sees.
        num_games: how many games at once; a batch for the net has up to so many positions.
        rng: draws openings, noise and moves.

    Raises:
        ValueError: no games.
        NotCompilableError: the rules of this game cannot be compiled.
    """

    def __init__(
        self,
        first_state: State,
        config: SelfPlayConfig,
        inputs: InputPlanes,
        *,
        num_games: int,
        rng: np.random.Generator,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games={num_games!r} is too few: one or more.")
        self.config = config
        self.shares = Shares()
        self.num_positions = 0
        """How many moves were chosen, in all games together."""
        self._first_state = first_state
        self._inputs = inputs
        self._rng = rng
        self._games = [self._new_game() for _ in range(num_games)]
        self._forest = Forest(
            [game.positions[-1] for game in self._games],
            capacity=(config.num_simulations + 1) * first_state.num_actions + 1,
            selection=config.selection,
        )
        self._one_each = np.ones(num_games, np.int64)
        self._has_noise = np.zeros(num_games, np.bool_)

    def play(self, inference: Inference, num_positions: int) -> list[PlayedGame]:
        """Let the net play until `num_positions` more moves are chosen; the games that ended.

        What the trees still know is forgotten first: another net may have found it. So the moves
        depend on nothing but the positions of the games, the net, and the source of chance.
        """
        for tree, game in enumerate(self._games):
            self._forest.start_over(tree, game.positions[-1])
        self._has_noise[:] = False
        finished = []
        until = self.num_positions + num_positions
        while self.num_positions < until:
            finished += self._step(inference)
        return finished

    def _step(self, inference: Inference) -> list[PlayedGame]:
        """One simulation in each game, and a move where there were enough; the games that ended."""
        began = time.perf_counter()
        net_seconds = self._simulate(inference)
        self._add_noise()
        finished = []
        for tree in np.flatnonzero(self._forest.num_visits >= self.config.num_simulations).tolist():
            game = self._games[tree]
            self._move(tree, game)
            self.num_positions += 1
            if game.positions[-1].is_terminal:
                finished.append(game)
                self._games[tree] = self._new_game()
                self._forest.start_over(tree, self._games[tree].positions[-1])
        self.shares.net += net_seconds
        self.shares.trees += time.perf_counter() - began - net_seconds
        return finished

    def _simulate(self, inference: Inference) -> float:
        """One simulation in each game; how long the net took to answer."""
        forest = self._forest
        walks = forest.gather(self._one_each)
        if not walks:
            forest.apply([], np.zeros(0), np.zeros((0, self._first_state.num_actions)))
            return 0.0
        planes = encode_batch([self._history(walk) for walk in walks], self._inputs)
        began = time.perf_counter()
        answer = in_batches(inference, planes)
        seconds = time.perf_counter() - began
        forest.apply(walks, answer.values, answer.policy_logits)
        return seconds

    def _history(self, walk: int) -> Sequence[State]:
        """The positions that led to the leaf of a walk, it included, as far as the net sees them.

        With one tree's walk a round, the number of a walk is that of its game.
        """
        length = self._inputs.history
        if length == 1:
            return (self._forest.leaf(walk),)
        return [*self._games[walk].positions[:-1], *self._forest.states_on(walk)][-length:]

    def _add_noise(self) -> None:
        """Mix noise into each root's priors, once, as soon as it has any."""
        noise = self.config.noise
        if noise is None:
            return
        for tree in np.flatnonzero(~self._has_noise).tolist():
            if self._forest.has_children(tree):
                self._forest.mix_noise(tree, noise, self._rng)
                self._has_noise[tree] = True

    def _move(self, tree: int, game: PlayedGame) -> None:
        """Choose a move, note the policy, and go on with the part of the tree below it."""
        visits = self._forest.visit_counts(tree)
        game.policies.append(policy_target(dict(enumerate(visits.tolist())), len(visits)))
        if len(game.positions) <= self.config.temperature_plies:
            action = int(self._rng.choice(len(visits), p=visits / visits.sum()))
        else:
            action = int(visits.argmax())
        self._forest.go_on(tree, action)
        game.positions.append(self._forest.states[tree])
        self._has_noise[tree] = False

    def _new_game(self) -> PlayedGame:
        """A game after its opening; an opening that ends the game is drawn anew."""
        while True:
            positions = [self._first_state]
            for _ in range(int(self._rng.integers(self.config.opening_plies + 1))):
                legal = positions[-1].legal_actions()
                if legal:
                    positions.append(positions[-1].child(int(self._rng.choice(legal))))
            if not positions[-1].is_terminal:
                return PlayedGame(positions, [])

    # To a file and back

    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint has to keep, by name; with it and the source of chance the next
        `play` plays the same games.
        """
        first = self._first_state
        actions = [[_played(state) for state in game.positions[1:]] for game in self._games]
        policies = [policy for game in self._games for policy in game.policies]
        return {
            "self_play.lengths": torch.tensor([len(each) for each in actions]),
            "self_play.actions": torch.tensor([action for each in actions for action in each]),
            "self_play.num_policies": torch.tensor([len(game.policies) for game in self._games]),
            "self_play.policies": torch.from_numpy(
                np.array(policies, np.float32).reshape(len(policies), first.num_actions)
            ),
            "self_play.num_positions": torch.tensor(self.num_positions),
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take over the games that another run of this game was playing.

        Raises:
            ValueError: something is missing, or they are of another game or number.
        """
        try:
            kept = {name: tensors[f"self_play.{name}"] for name in _KEPT}
        except KeyError as error:
            raise ValueError(f"There is no {error} among what was kept.") from error
        if len(kept["lengths"]) != len(self._games):
            raise ValueError(
                f"{len(kept['lengths'])} games were kept, and here are {len(self._games)}."
            )
        actions = iter(kept["actions"].tolist())
        policies = iter(kept["policies"].numpy())
        for place, (length, number) in enumerate(
            zip(kept["lengths"].tolist(), kept["num_policies"].tolist(), strict=True)
        ):
            positions = [self._first_state]
            for _ in range(length):
                positions.append(positions[-1].child(next(actions)))
            self._games[place] = PlayedGame(positions, [next(policies) for _ in range(number)])
        self.num_positions = int(kept["num_positions"])


_KEPT: Final = ("lengths", "actions", "num_policies", "policies", "num_positions")


def _played(state: State) -> int:
    assert state.last_action is not None
    return state.last_action
