"""Self-play: whole games of a net against itself, every move searched; all games side by side.

The functions of notebook 13's page, in its order:

    simulate_all    walks down many trees: select, evaluate all leaves together, backpropagate
    think           search a position in a tree of its own, for many positions at once
    opening         the first plies, which no search chooses
    self_play       games from beginning to end, a move in each of them at a time

A net takes hardly longer for a hundred positions than for ten, so it evaluates the leaves of all
trees in one batch. Simulations that begin with different moves of one tree do not depend on each
other; Gumbel's root makes many of these at once. A tree is thrown away after its move.

An iteration's games are divided into shares. What is played in a share is a pure function of the
settings, the numbers of the iteration and the share, and the weights of the net. So it does not
matter which process plays it, or how often.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mctslab.fast import CompiledForest, NotCompilableError, SlowSearchWarning
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, planes_of
from mctslab.net.gumbel import GumbelRoot
from mctslab.net.inference import Inference, Remembered, fastest
from mctslab.net.own_net import AnyNet
from mctslab.net.replay import Samples, samples_of
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search.forest import Counts, Forest
from mctslab.search.selection import PUCT, puct

# The search


def simulate_all(
    forest: Forest, trees: Counts, first_actions: Counts, inference: Inference, inputs: InputPlanes
) -> None:
    """A simulation for each walk; the leaves of all of them make one batch.

    Args:
        forest: the trees.
        trees: [walks]: the tree of each walk, in ascending order.
        first_actions: [walks]: the action that it begins with; -1: PUCT chooses.
        inference: the net.
        inputs: what it sees.
    """
    walks = forest.gather(trees, first_actions, spare_won=True)
    if not len(walks):  # all of them ended with the game, or with a proof
        forest.add(walks, [], None)
        return
    answer = inference(planes_of(forest, walks, inputs))
    forest.add_by_net(walks, answer.values, answer.policy_logits)


def think(
    games: Sequence[Sequence[State]],
    config: TrainingConfig,
    inference: Inference,
    rng: np.random.Generator,
) -> "NoisyRoot | GumbelRoot":
    """Search the newest position of each game; the roots know the moves and the policy targets."""
    playing, inputs = config.self_play, config.inputs
    forest = forest_for(games, playing.num_simulations, playing.selection, playing.solver)
    simulate_all(forest, *forest.one_walk_each(), inference, inputs)  # evaluates the roots
    roots = (NoisyRoot if playing.gumbel is None else GumbelRoot)(forest, playing, rng)
    for trees, first_actions in roots.rounds():
        simulate_all(forest, trees, first_actions, inference, inputs)
    return roots


def forest_for(
    games: Sequence[Sequence[State]],
    num_simulations: int,
    selection: PUCT = puct(),
    solver: bool = False,
) -> Forest:
    """A tree for each of `games`, searched from its newest position; see `CompiledForest`.

    Args:
        games: for each tree the positions so far, the newest last.
        num_simulations: for how many each tree has room.
        selection: the constants of PUCT.
        solver: whether proven values are carried up the trees.

    Warns:
        SlowSearchWarning: the game cannot be compiled; the message says why.
    """
    first = games[0][-1]
    try:
        return CompiledForest(
            games, num_simulations=num_simulations, selection=selection, solver=solver
        )
    except NotCompilableError as error:
        words = (
            f"{first.title} is searched in plain Python ({error}), so self-play is several times "
            "slower. The docstring of mctslab.games.rules shows which rules can be compiled."
        )
        warnings.warn(words, SlowSearchWarning, stacklevel=2)
        return Forest(games, selection=selection, solver=solver)


class NoisyRoot:
    """AlphaZero's roots: PUCT, with Dirichlet noise mixed into the priors.

    Args:
        forest: after one simulation in each tree, which has evaluated their roots.
        config: how to play.
        rng: draws noise and moves.
    """

    def __init__(self, forest: Forest, config: SelfPlayConfig, rng: np.random.Generator) -> None:
        self._forest = forest
        self._config = config
        self._rng = rng
        if config.noise is not None:
            for tree in range(len(forest.states)):
                forest.mix_noise(tree, config.noise, rng)

    def rounds(self) -> Iterator[tuple[Counts, Counts]]:
        """The simulations that are left, one in each tree at a time."""
        for _ in range(self._config.num_simulations - 1):
            yield self._forest.one_walk_each()

    def moves(self, plies: Sequence[int]) -> list[int]:
        """A move for each tree, in whose game `plies` plies were played before.

        One of the first is drawn in proportion to its visits, later it is the most visited.
        """
        roots = self._forest.roots()
        visits = roots.weights()
        actions: list[int] = roots.robust_actions(visits).tolist()
        for tree, ply in enumerate(plies):
            if ply < self._config.temperature_plies:
                shares = visits[tree] / visits[tree].sum()
                actions[tree] = int(self._rng.choice(len(shares), p=shares))
        return actions

    def policies(self) -> Floats:
        """[trees, A]: the policy targets, each move's share of the visits; -1 if illegal."""
        roots = self._forest.roots()
        visits = roots.weights()
        shares = visits / visits.sum(axis=1, keepdims=True)
        return np.where(roots.is_legal, shares, -1.0).astype(np.float32)


# The games


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game in progress."""

    positions: list[State]
    """All of them so far, from the first on."""
    policies: list[Floats]
    """pi, [A], for all positions but the opening's and the last one."""


class FinishedGame(NamedTuple):
    """What training needs of a game that is over."""

    actions: list[int]
    """What was played, from the first position on."""
    returns: tuple[float, float]
    samples: Samples


def opening(first_state: State, config: SelfPlayConfig, rng: np.random.Generator) -> SelfPlayGame:
    """A game after some random plies; drawn again if they end it."""
    while True:
        game = SelfPlayGame([first_state], [])
        for _ in range(int(rng.integers(config.opening_plies + 1))):
            state = game.positions[-1]
            if state.is_terminal:
                break
            game.positions.append(state.child(int(rng.choice(state.legal_actions()))))
        if not game.positions[-1].is_terminal:
            return game


def self_play(
    config: TrainingConfig, iteration: int, share: int, net: AnyNet
) -> list[FinishedGame]:
    """Play one of the `num_shares` shares of an iteration's games; both are counted from 0."""
    rng = np.random.default_rng([config.seed, iteration, share])
    inference = Remembered(fastest(net, config.device, half_precision=config.half_precision))
    num_games = len(range(share, config.num_games, config.num_shares))
    first_state = config.first_state()
    games = [opening(first_state, config.self_play, rng) for _ in range(num_games)]
    unfinished = games
    while unfinished:
        roots = think([game.positions for game in unfinished], config, inference, rng)
        moves = roots.moves([len(game.positions) - 1 for game in unfinished])
        for game, action, policy in zip(unfinished, moves, roots.policies(), strict=True):
            game.policies.append(policy)
            game.positions.append(game.positions[-1].child(action))
        unfinished = [game for game in unfinished if not game.positions[-1].is_terminal]
    return [_finished(game, config) for game in games]


def _finished(game: SelfPlayGame, config: TrainingConfig) -> FinishedGame:
    actions = [state.last_action or 0 for state in game.positions[1:]]
    samples = samples_of(game.positions, game.policies, config.inputs)
    return FinishedGame(actions, game.positions[-1].returns(), samples)
