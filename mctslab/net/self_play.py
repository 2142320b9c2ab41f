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
from typing import NamedTuple

import numpy as np

from mctslab.fast import CompiledForest, NotCompilableError, SlowSearchWarning
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, planes_of
from mctslab.net.gumbel import GumbelRoot
from mctslab.net.inference import Inference, fastest, remembered
from mctslab.net.model import AnyNet
from mctslab.net.replay import Samples, samples_of
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.search.forest import Counts, Forest

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
    """Search the newest position of each game; the roots know the moves and the policy targets.

    Args:
        games: for each the positions so far, the newest last.
        config: of these settings only `self_play` and `inputs` matter.
        inference: the net.
        rng: draws noise and moves.
    """
    playing, inputs = config.self_play, config.inputs
    forest = _forest_for(games, config)
    simulate_all(forest, *forest.one_walk_each(), inference, inputs)  # evaluates the roots
    roots = (NoisyRoot if playing.gumbel is None else GumbelRoot)(forest, playing, rng)
    for trees, first_actions in roots.rounds():
        simulate_all(forest, trees, first_actions, inference, inputs)
    return roots


def _forest_for(games: Sequence[Sequence[State]], config: TrainingConfig) -> Forest:
    """A tree for each of `games`, searched from its newest position; see `CompiledForest`.

    Warns:
        SlowSearchWarning: the game cannot be compiled; the message says why.
    """
    playing = config.self_play
    try:
        return CompiledForest(
            games,
            num_simulations=playing.num_simulations,
            selection=playing.selection,
            solver=playing.solver,
        )
    except NotCompilableError as error:
        warnings.warn(f"The readable search is used: {error}.", SlowSearchWarning, stacklevel=2)
        return Forest(games, selection=playing.selection, solver=playing.solver)


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


class FinishedGame(NamedTuple):
    """What training needs of a game that is over."""

    actions: list[int]
    """What was played, from the first position on."""
    returns: tuple[float, float]
    samples: Samples


def opening(first_state: State, config: SelfPlayConfig, rng: np.random.Generator) -> list[State]:
    """The positions of some random plies; drawn again if they end the game."""
    while True:
        positions = [first_state]
        for _ in range(int(rng.integers(config.opening_plies + 1))):
            if positions[-1].is_terminal:
                break
            action = int(rng.choice(positions[-1].legal_actions()))
            positions.append(positions[-1].child(action))
        if not positions[-1].is_terminal:
            return positions


def self_play(
    config: TrainingConfig, iteration: int, share: int, net: AnyNet
) -> list[FinishedGame]:
    """Play one of the `num_shares` shares of an iteration's games; both are counted from 0."""
    rng = np.random.default_rng([config.seed, iteration, share])
    inference = remembered(fastest(net, config.device, half_precision=config.half_precision))
    num_games = len(range(share, config.num_games, config.num_shares))
    first_state = config.first_state()
    games = [opening(first_state, config.self_play, rng) for _ in range(num_games)]
    policies: list[list[Floats]] = [[] for _ in games]  # of all positions but the opening's
    while unfinished := [n for n, game in enumerate(games) if not game[-1].is_terminal]:
        roots = think([games[n] for n in unfinished], config, inference, rng)
        moves = roots.moves([len(games[n]) - 1 for n in unfinished])
        for n, action, policy in zip(unfinished, moves, roots.policies(), strict=True):
            policies[n].append(policy)
            games[n].append(games[n][-1].child(action))
    return [
        FinishedGame(
            [state.last_action or 0 for state in game[1:]],
            game[-1].returns(),
            samples_of(game, its_policies, config.inputs),
        )
        for game, its_policies in zip(games, policies, strict=True)
    ]
