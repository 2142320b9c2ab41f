"""Self-play: a net plays many games at once, each move searched, and every game teaches it.

A net takes hardly longer for a hundred positions than for ten. So in every step each game's tree is
walked down once, the leaves of all the games go to the net together, and each tree counts its own.
No tree waits for itself: within a game one simulation follows the other, without virtual losses.

The trees are the compiled `BatchedTrees` of `mctslab.fast`: phase 1 is its `gather`, phases 2 and 4
its `apply`, and phase 3 is the net.
"""

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import torch
from torch import Tensor

from mctslab.fast import BatchedTrees
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode_leaves
from mctslab.net.evaluator import in_batches
from mctslab.net.gumbel import Gumbel
from mctslab.net.inference import Inference
from mctslab.net.planning import GumbelPlanner, Planner, VisitPlanner
from mctslab.net.playout_cap import Budgets, PlayoutCap
from mctslab.net.targets import Samples, policy_target, samples_of
from mctslab.search.evaluators import RolloutPolicy
from mctslab.search.knowledge.policies import policies
from mctslab.search.puct_search import DirichletNoise
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
    """What is mixed into each root's priors, so that every move is tried now and then; not with
    `gumbel`, which has noise of its own."""
    temperature_plies: int = 30
    """For so many plies a move is drawn in proportion to its visits; then the most visited is
    played. With `gumbel` the noise has a say for so long."""
    opening_plies: int = 0
    """Up to so many plies, from none on, are drawn by lot before the net plays: so it also learns
    positions that it would not choose."""
    guide: str = "random"
    """The policy that plays on after these, one of `search.knowledge.policies`. Two similar nets
    don't show each other moves that both of them neglect; a guide does."""
    guided_plies: int = 0
    """Up to so many plies, from none on, are the guide's, before the net plays."""
    guide_teaches: bool = False
    """Whether the net learns to play these as the guide does. A search that trusts the net never
    tries what the net gives nothing to; then only somebody else can show it."""
    gumbel: Gumbel | None = None
    """How the root is searched instead of by PUCT, and the policy is found instead of by counting
    visits; no tree is kept then. See `mctslab.net.gumbel`."""
    discount: float = 1.0
    """What the result of a game is multiplied by, as a target, for each ply that is left to its
    end. Below 1 the net learns to win soon, and in a lost position to hold out."""
    playout_cap: PlayoutCap | None = None
    """When a search is shorter than `num_simulations`. See `mctslab.net.playout_cap`."""

    def __post_init__(self) -> None:
        zeros = [(f"{kind}_plies", 0) for kind in ("temperature", "opening", "guided")]
        for name, least in (("num_simulations", 2), *zeros):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)!r} is too few: {least} or more.")
        if self.guide not in policies():
            known = ", ".join(policies())
            raise ValueError(f"There is no guide={self.guide!r}; known are {known}.")
        if not 0 < self.discount <= 1:
            raise ValueError(f"discount={self.discount!r} is no factor: above 0, 1 at most.")
        cap = self.playout_cap
        if cap is not None and cap.num_simulations >= self.num_simulations:
            raise ValueError(
                f"num_simulations={self.num_simulations!r} is no more than the "
                f"{cap.num_simulations} of a short search (playout_cap)."
            )


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, and what the search thought on the way."""

    positions: list[State]
    """All of them, the first and the terminal one included."""
    policies: list[Floats | None]
    """pi, [A], for all positions but the opening's and the last one; None after a short search. A
    guide who teaches is sure of its move."""

    def samples(self, inputs: InputPlanes, discount: float = 1.0) -> Samples:
        """What a net learns from it."""
        return samples_of(self.positions, self.policies, inputs, discount)

    def finished(self, inputs: InputPlanes, discount: float = 1.0) -> "FinishedGame":
        """What is left of it when it is over."""
        samples = self.samples(inputs, discount)
        return FinishedGame(self.actions, self.positions[-1].returns(), samples)

    @property
    def actions(self) -> list[int]:
        """What was played, from the first position on."""
        return [_played(state) for state in self.positions[1:]]


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """What training needs of a game that is over."""

    actions: list[int]
    returns: tuple[float, float]
    samples: Samples


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
        ValueError: no games, or a guide for another game.
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
        self._guide = policies()[config.guide]
        if config.guided_plies:  # a guide who doesn't know this game says so now
            self._guide(first_state, np.random.default_rng(0))
        self._games = [self._new_game() for _ in range(num_games)]
        self._forest = BatchedTrees(
            [game.positions for game in self._games],
            capacity=(config.num_simulations + 1) * first_state.num_actions + 1,
            selection=config.selection,
            history=inputs.history,
        )
        self._one_each = np.ones(num_games, np.int64)
        self._budgets = Budgets(self._forest, config.num_simulations, config.playout_cap, rng)
        self._planner = self._make_planner()

    def play(self, inference: Inference, num_positions: int) -> list[PlayedGame]:
        """Let the net play until `num_positions` more moves are chosen; the games that ended.

        What the trees still know is forgotten first: another net may have found it. So the moves
        depend on nothing but the positions of the games, the net, and the source of chance.
        """
        for tree, game in enumerate(self._games):
            self._forest.start_over(tree, game.positions)
            self._begin(tree)
        finished = []
        until = self.num_positions + num_positions
        while self.num_positions < until:
            finished += self._step(inference)
        return finished

    def _step(self, inference: Inference) -> list[PlayedGame]:
        """One simulation in each game, and a move where there were enough; the games that ended."""
        began = time.perf_counter()
        net_seconds = self._simulate(inference)
        self._planner.prepare()
        spent = self._budgets.spent()
        finished = self._move(spent) if spent else []
        self.num_positions += len(spent)
        self.shares.net += net_seconds
        self.shares.trees += time.perf_counter() - began - net_seconds
        return finished

    def _simulate(self, inference: Inference) -> float:
        """One simulation in each game; how long the net took to answer."""
        forest = self._forest
        walks = forest.gather(self._one_each, self._planner.first_actions())
        if not walks:
            forest.apply_ends()
            return 0.0
        planes = encode_leaves(forest, walks, self._inputs)
        began = time.perf_counter()
        answer = in_batches(inference, planes)
        seconds = time.perf_counter() - began
        forest.apply(walks, answer.values, answer.policy_logits)
        return seconds

    def _move(self, trees: Sequence[int]) -> list[PlayedGame]:
        """Choose a move in the games of `trees`, and go on to the next position; what ended."""
        finished = []
        plies = [len(self._games[tree].positions) - 1 for tree in trees]
        for tree, choice in zip(trees, self._planner.choices(trees, plies), strict=True):
            game = self._games[tree]
            game.policies.append(choice.policy)
            self._forest.go_on(tree, choice.action, reuse=self._planner.keeps_trees)
            game.positions.append(self._forest.states[tree])
            if game.positions[-1].is_terminal:
                finished.append(game)
                self._games[tree] = self._new_game()
                self._forest.start_over(tree, self._games[tree].positions)
            self._begin(tree)
        return finished

    def _begin(self, tree: int) -> None:
        """Let a search begin."""
        self._budgets.begin(tree)
        self._planner.begin(tree)

    def _make_planner(self) -> Planner:
        """How to choose moves."""
        config, rng, plies = self.config, self._rng, self.config.temperature_plies
        if config.gumbel is not None:
            gumbel = config.gumbel
            return GumbelPlanner(
                self._forest, self._budgets, gumbel=gumbel, temperature_plies=plies, rng=rng
            )
        return VisitPlanner(
            self._forest, self._budgets, noise=config.noise, temperature_plies=plies, rng=rng
        )

    def _new_game(self) -> PlayedGame:
        """A game after its opening; an opening that ends the game is drawn anew."""
        config = self.config
        while True:
            positions = [self._first_state]
            self._play_on(positions, _by_lot, config.opening_plies)
            first_guided = len(positions)
            self._play_on(positions, self._guide, config.guided_plies)
            if not positions[-1].is_terminal:
                taught = positions[first_guided:] if config.guide_teaches else []
                num_actions = self._first_state.num_actions
                return PlayedGame(
                    positions, [policy_target({_played(each): 1}, num_actions) for each in taught]
                )

    def _play_on(self, positions: list[State], policy: RolloutPolicy, most: int) -> None:
        """Up to `most` plies more, from none on, by `policy`; the end of the game ends them."""
        for _ in range(int(self._rng.integers(most + 1))):
            if not positions[-1].is_terminal:
                positions.append(positions[-1].child(policy(positions[-1], self._rng)))

    # To a file and back

    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint has to keep, by name; with it and the source of chance the next
        `play` plays the same games.
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
            rows = itertools.islice(policies, number)
            self._games[place] = PlayedGame(positions, [row if row.any() else None for row in rows])
        self.num_positions = int(kept["num_positions"])


_KEPT: Final = ("lengths", "actions", "num_policies", "policies", "num_positions")


def _by_lot(state: State, rng: np.random.Generator) -> int:
    """Any legal action; not by `uniform`, whose draws would make other games of the same seed."""
    return int(rng.choice(state.legal_actions()))


def _played(state: State) -> int:
    assert state.last_action is not None
    return state.last_action
