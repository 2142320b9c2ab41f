"""Self-play: whole games of a net against itself, every move searched; all games side by side.

The functions of notebook 13's page, in its order:

    simulate_all    a simulation in each tree: select, evaluate all leaves together, backpropagate
    think           search a position in a tree of its own, for many positions at once
    opening         the first plies, which no search chooses
    self_play       games from beginning to end, a move in each of them at a time

A net takes hardly longer for a hundred positions than for ten, so it evaluates the leaves of all
trees in one batch. Within a tree one simulation follows the other, and no virtual losses are
needed. A tree is thrown away after its move.

An iteration's games are divided into shares. What is played in a share is a pure function of the
settings, the numbers of the iteration and the share, and the weights of the net. So it does not
matter which process plays it, or how often.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes
from mctslab.net.gumbel import Counts, GumbelRoot
from mctslab.net.inference import Inference, fastest
from mctslab.net.model import PolicyValueNet
from mctslab.net.replay import Samples, policy_target, samples_of
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig
from mctslab.net.trees import planes_of, trees_for
from mctslab.search.knowledge.policies import policies
from mctslab.search.readable_trees import Trees

# The search


def simulate_all(
    trees: Trees, inference: Inference, inputs: InputPlanes, first_actions: Counts | None = None
) -> None:
    """One simulation in each tree; the leaves of all trees make one batch.

    Args:
        trees: the trees.
        inference: the net.
        inputs: what it sees.
        first_actions: [trees]: the action that each simulation begins with; None: PUCT chooses.
    """
    walks = trees.gather(first_actions)
    if not walks:  # all of them ended with the game
        trees.apply_ends()
        return
    answer = inference(planes_of(trees, walks, inputs))
    trees.apply(walks, answer.values, answer.policy_logits)


def think(
    games: Sequence[Sequence[State]],
    config: TrainingConfig,
    inference: Inference,
    rng: np.random.Generator,
) -> "NoisyRoot | GumbelRoot":
    """Search the newest position of each game; the roots know the moves and the policy targets."""
    playing = config.self_play
    simulations, selection = playing.num_simulations, playing.selection
    trees = trees_for(games, simulations, config.inputs, selection, playing.solver)
    simulate_all(trees, inference, config.inputs)  # evaluates the roots
    roots = (NoisyRoot if playing.gumbel is None else GumbelRoot)(trees, playing, rng)
    for _ in range(simulations - 1):
        simulate_all(trees, inference, config.inputs, roots.first_actions())
    return roots


class NoisyRoot:
    """AlphaZero's roots: PUCT, with Dirichlet noise mixed into the priors.

    Args:
        trees: after one simulation, which has evaluated their roots.
        config: how to play.
        rng: draws noise and moves.
    """

    def __init__(self, trees: Trees, config: SelfPlayConfig, rng: np.random.Generator) -> None:
        self._trees = trees
        self._temperature_plies = config.temperature_plies
        self._rng = rng
        if config.noise is not None:
            for tree in range(len(trees.states)):
                trees.mix_noise(tree, config.noise, rng)

    def first_actions(self) -> Counts | None:
        """None: PUCT chooses at the root, too."""
        return None

    def moves(self, plies: Sequence[int]) -> list[int]:
        """A move for each tree, in whose game `plies` plies were played before.

        One of the first is drawn in proportion to its visits, later it is the most visited.
        """
        roots = self._trees.roots()
        visits = roots.weights()
        actions: list[int] = roots.robust_actions(visits).tolist()
        for tree, ply in enumerate(plies):
            if ply < self._temperature_plies:
                shares = visits[tree] / visits[tree].sum()
                actions[tree] = int(self._rng.choice(len(shares), p=shares))
        return actions

    def policies(self) -> Floats:
        """[trees, A]: the policy targets, each move's share of the visits."""
        visits = self._trees.roots().weights()
        shares: Floats = (visits / visits.sum(axis=1, keepdims=True)).astype(np.float32)
        return shares


# The games


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A game in progress."""

    positions: list[State]
    """All of them so far, from the first on."""
    policies: list[Floats]
    """pi, [A], for all positions but the opening's and the last one. A guide that teaches puts all
    weight on its move."""


class FinishedGame(NamedTuple):
    """What training needs of a game that is over."""

    actions: list[int]
    """What was played, from the first position on."""
    returns: tuple[float, float]
    samples: Samples


def opening(first_state: State, config: SelfPlayConfig, rng: np.random.Generator) -> SelfPlayGame:
    """A game after some random plies and some of the guide; drawn again if they end it."""
    guide = policies()[config.guide]
    while True:
        game = SelfPlayGame([first_state], [])
        num_random = int(rng.integers(config.opening_plies + 1))
        for ply in range(num_random + int(rng.integers(config.guided_plies + 1))):
            state = game.positions[-1]
            if state.is_terminal:
                break
            is_guided = ply >= num_random
            action = guide(state, rng) if is_guided else int(rng.choice(state.legal_actions()))
            game.positions.append(state.child(action))
            if is_guided and config.guide_teaches:
                game.policies.append(policy_target({action: 1}, state.num_actions))
        if not game.positions[-1].is_terminal:
            return game


def self_play(
    config: TrainingConfig, iteration: int, share: int, net: PolicyValueNet
) -> list[FinishedGame]:
    """Play one of the `num_shares` shares of an iteration's games; both are counted from 0."""
    rng = np.random.default_rng([config.seed, iteration, share])
    inference = fastest(net, config.device, half_precision=config.half_precision)
    num_games = len(range(share, config.num_games, config.num_shares))
    games = [opening(config.first_state(), config.self_play, rng) for _ in range(num_games)]
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
    samples = samples_of(game.positions, game.policies, config.inputs, config.self_play.discount)
    return FinishedGame(actions, game.positions[-1].returns(), samples)
