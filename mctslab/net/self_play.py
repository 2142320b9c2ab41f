"""Self-play: a net plays many games at once, each move searched, and every game teaches it.

The way of one step, in the order of this file:

    play        until enough moves are chosen:
    _step           a simulation in each game, and a move in the games that have had enough of them
    _simulate           select a leaf in every tree, evaluate all leaves together, backpropagate
    _move               choose a move by its visits, keep the policy as a target, go on

A net takes hardly longer for a hundred positions than for ten. So every step selects one leaf in
each game's tree, and the net evaluates the leaves of all games in one batch. Within a game one
simulation follows the other, so no tree needs virtual losses.

Then comes what surrounds it: `planning.py` decides how long to search and which move to play,
`encode.py` draws the planes, `inference.py` computes the net, `replay.py` makes the targets,
`trees.py` chooses trees: compiled ones if the rules of the game can be compiled. `playing.py`
spreads the games over processes, and `trainer.py` learns from them.
"""

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes
from mctslab.net.inference import Inference, in_batches
from mctslab.net.planning import Budgets, make_planner
from mctslab.net.replay import Samples, policy_target, samples_of
from mctslab.net.training_config import SelfPlayConfig
from mctslab.net.trees import planes_of, trees_for
from mctslab.search.evaluators import RolloutPolicy
from mctslab.search.knowledge.policies import policies


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game of self-play, finished or in progress."""

    positions: list[State]
    """All of them so far, from the first on."""
    policies: list[Floats | None]
    """pi, [A], for all positions but the opening's and the last one; None after a short search. A
    guide that teaches puts all weight on its move."""

    def finished(self, inputs: InputPlanes, discount: float = 1.0) -> "FinishedGame":
        """What training needs of it when it is over."""
        samples = samples_of(self.positions, self.policies, inputs, discount)
        return FinishedGame(self.actions, self.positions[-1].returns(), samples)

    @property
    def actions(self) -> list[int]:
        """What was played, from the first position on."""
        return [_last_action(state) for state in self.positions[1:]]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """What training needs of a game that is over."""

    actions: list[int]
    returns: tuple[float, float]
    samples: Samples


@dataclass(frozen=True, slots=True)
class Seconds:
    """How the time of self-play divides."""

    trees: float = 0.0
    """Selecting, backpropagating, choosing moves, and setting positions up."""
    net: float = 0.0
    """The computations of the net alone."""

    def __add__(self, other: "Seconds") -> "Seconds":
        return Seconds(self.trees + other.trees, self.net + other.net)

    def __sub__(self, other: "Seconds") -> "Seconds":
        return Seconds(self.trees - other.trees, self.net - other.net)


class SelfPlay:
    """Games in progress; as soon as one ends the next one takes its place.

    Args:
        first_state: the first position of any game.
        config: how to play.
        inputs: what the net sees.
        num_games: the number of games at once, which is the largest batch for the net.
        rng: draws openings, noise and moves.

    Raises:
        ValueError: no games, or a guide for another game.
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
            raise ValueError(f"num_games = {num_games!r}: expected 1 or more.")
        self.config = config
        self.seconds = Seconds()
        self.num_positions = 0
        """The number of moves chosen, in all games together."""
        self._first_state = first_state
        self._inputs = inputs
        self._rng = rng
        self._guide = policies()[config.guide]
        if config.guided_plies:  # a guide for another game raises its error now
            self._guide(first_state, np.random.default_rng(0))
        self._games = [self._new_game() for _ in range(num_games)]
        self._trees = trees_for(
            [game.positions for game in self._games],
            config.num_simulations,
            inputs,
            config.selection,
            config.solver,
        )
        self._budgets = Budgets(self._trees, config.num_simulations, config.playout_cap, rng)
        self._planner = make_planner(self._trees, self._budgets, config, rng)

    def play(self, inference: Inference, num_positions: int) -> list[SelfPlayGame]:
        """Let the net play until `num_positions` more moves are chosen; the games that ended.

        The trees are emptied first, because another net may have grown them. So the moves depend on
        nothing but the positions of the games, the net, and the random generator.
        """
        for tree, game in enumerate(self._games):
            self._trees.start_over(tree, game.positions)
            self._begin(tree)
        finished = []
        until = self.num_positions + num_positions
        while self.num_positions < until:
            finished += self._step(inference)
        return finished

    def _step(self, inference: Inference) -> list[SelfPlayGame]:
        """A simulation in each game, and a move where there were enough; the games that ended."""
        began = time.perf_counter()
        net_seconds = self._simulate(inference)
        self._planner.prepare()
        spent = self._budgets.spent()
        finished = self._move(spent) if spent else []
        self.num_positions += len(spent)
        self.seconds += Seconds(time.perf_counter() - began - net_seconds, net_seconds)
        return finished

    def _simulate(self, inference: Inference) -> float:
        """One simulation in each game; returns the seconds that the net computed."""
        trees = self._trees
        walks = trees.gather(self._planner.first_actions())
        if not walks:
            trees.apply_ends()
            return 0.0
        planes = planes_of(trees, walks, self._inputs)
        began = time.perf_counter()
        answer = in_batches(inference, planes)
        seconds = time.perf_counter() - began
        trees.apply(walks, answer.values, answer.policy_logits)
        return seconds

    def _move(self, trees: Sequence[int]) -> list[SelfPlayGame]:
        """Choose a move in the games of `trees`, and go on to the next position; what ended."""
        finished = []
        plies = [len(self._games[tree].positions) - 1 for tree in trees]
        for tree, choice in zip(trees, self._planner.choices(trees, plies), strict=True):
            game = self._games[tree]
            game.policies.append(choice.policy)
            self._trees.go_on(tree, choice.action, reuse=self._planner.keeps_trees)
            game.positions.append(self._trees.states[tree])
            if game.positions[-1].is_terminal:
                finished.append(game)
                self._games[tree] = self._new_game()
                self._trees.start_over(tree, self._games[tree].positions)
            self._begin(tree)
        return finished

    def _begin(self, tree: int) -> None:
        """Begin the search of the position at the root of a tree."""
        self._budgets.begin(tree)
        self._planner.begin(tree)

    def _new_game(self) -> SelfPlayGame:
        """A game after its opening; an opening that ends the game is drawn again."""
        config = self.config
        while True:
            positions = [self._first_state]
            self._play_on(positions, _random_action, config.opening_plies)
            first_guided = len(positions)
            self._play_on(positions, self._guide, config.guided_plies)
            if not positions[-1].is_terminal:
                taught = positions[first_guided:] if config.guide_teaches else []
                size = self._first_state.num_actions
                return SelfPlayGame(
                    positions, [policy_target({_last_action(each): 1}, size) for each in taught]
                )

    def _play_on(self, positions: list[State], policy: RolloutPolicy, most: int) -> None:
        """From 0 to `most` plies more by `policy`, or fewer if the game ends."""
        for _ in range(int(self._rng.integers(most + 1))):
            if not positions[-1].is_terminal:
                positions.append(positions[-1].child(policy(positions[-1], self._rng)))

    # To a file and back

    def tensors(self) -> dict[str, Tensor]:
        """The games in progress as a checkpoint keeps them, by name.

        With them and the state of the random generator the next `play` plays the same games.
        """
        first = self._first_state
        actions = [game.actions for game in self._games]
        nothing = np.zeros(first.num_actions, np.float32)
        policies = [
            nothing if policy is None else policy
            for game in self._games
            for policy in game.policies
        ]
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
        """Continue the games of another run of this game.

        Raises:
            KeyError: a tensor is missing.
            ValueError: the games are of another number or game.
        """
        names = ("lengths", "actions", "num_policies", "policies", "num_positions")
        kept = {name: tensors[f"self_play.{name}"] for name in names}
        if len(kept["lengths"]) != len(self._games):
            raise ValueError(f"Expected {len(self._games)} games, got {len(kept['lengths'])}.")
        actions = iter(kept["actions"].tolist())
        policies = iter(kept["policies"].numpy())
        for place, (length, number) in enumerate(
            zip(kept["lengths"].tolist(), kept["num_policies"].tolist(), strict=True)
        ):
            positions = [self._first_state]
            for action in itertools.islice(actions, length):
                positions.append(positions[-1].child(int(action)))
            rows = itertools.islice(policies, number)
            self._games[place] = SelfPlayGame(
                positions, [row if row.any() else None for row in rows]
            )
        self.num_positions = int(kept["num_positions"])


def _random_action(state: State, rng: np.random.Generator) -> int:
    """Any legal action; `uniform` would draw other games from the same seed."""
    return int(rng.choice(state.legal_actions()))


def _last_action(state: State) -> int:
    assert state.last_action is not None
    return state.last_action
