"""Games of a net against another player, many at once: to measure it, not to learn from.

A side is a `Mover`: it is given all games in which it is its turn and moves in each of them, so
that a net is asked about all of them together. The searches have no noise, and the most visited
move is played.
"""

import copy
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from mctslab.fast import BatchedTrees, mcts
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.encode import InputPlanes, encode_leaves
from mctslab.net.evaluator import in_batches
from mctslab.net.inference import Inference, fastest
from mctslab.net.model import PolicyValueNet
from mctslab.search.result import best_child
from mctslab.search.selection import PUCT, puct


class Mover(Protocol):
    """Chooses a move in each of several games."""

    def __call__(self, games: Sequence[Sequence[State]]) -> Sequence[int]:
        """A legal action for the newest position of each of `games`, which is given last."""
        ...


class NetMover:
    """Plays the most visited move of a search by PUCT with a net for an evaluator.

    Args:
        inference: how to ask the net.
        inputs: what it sees.
        num_simulations: of each move, 2 or more: the first one only judges the position itself.
        selection: the constants of PUCT.

    Raises:
        ValueError: too few simulations.
    """

    def __init__(
        self,
        inference: Inference,
        inputs: InputPlanes,
        num_simulations: int,
        selection: PUCT = puct(),
    ) -> None:
        if num_simulations < 2:
            raise ValueError(f"num_simulations={num_simulations!r} is too few: 2 or more.")
        self._inference = inference
        self._inputs = inputs
        self._num_simulations = num_simulations
        self._selection = selection

    def __call__(self, games: Sequence[Sequence[State]]) -> list[int]:
        """The most visited move in each of `games`."""
        forest = BatchedTrees(
            games,
            capacity=(self._num_simulations + 1) * games[0][-1].num_actions + 1,
            selection=self._selection,
            history=self._inputs.history,
        )
        one_each = np.ones(len(games), np.int64)
        for _ in range(self._num_simulations):
            walks = forest.gather(one_each)
            if not walks:
                forest.apply_ends()
                continue
            answer = in_batches(self._inference, encode_leaves(forest, walks, self._inputs))
            forest.apply(walks, answer.values, answer.policy_logits)
        return [best_child(forest.children(tree)).action for tree in range(len(games))]


def mover_by(net: PolicyValueNet, num_simulations: int) -> NetMover:
    """A side that moves by a net as it is now; what the net learns later makes no difference."""
    return NetMover(fastest(copy.deepcopy(net).eval()), net.config.inputs, num_simulations)


class UCTMover:
    """Plays the most visited move of a search by UCT with random rollouts.

    Args:
        num_simulations: of each move.
        rng: the source of its chance.
    """

    def __init__(self, num_simulations: int, rng: np.random.Generator) -> None:
        self._num_simulations = num_simulations
        self._rng = rng

    def __call__(self, games: Sequence[Sequence[State]]) -> list[int]:
        """The most visited move in each of `games`.

        Raises:
            ValueError: a position has more moves than there are simulations.
        """
        return [
            mcts(game[-1], num_simulations=self._num_simulations, rng=self._rng).best_action
            for game in games
        ]


class RandomMover:
    """Plays any legal move.

    Args:
        rng: the source of its chance.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def __call__(self, games: Sequence[Sequence[State]]) -> list[int]:
        """A move by lot in each of `games`."""
        return [int(self._rng.choice(game[-1].legal_actions())) for game in games]


class Record(NamedTuple):
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


class MatchRecord(NamedTuple):
    """What came of a match, seen by the side that is named first."""

    as_first: Record
    """Of the games in which it was player 0."""
    as_second: Record


def play_match(
    first_state: State,
    ours: Mover,
    theirs: Mover,
    *,
    num_games: int,
    opening_plies: int,
    rng: np.random.Generator,
    stop: Callable[[], bool] | None = None,
) -> MatchRecord | None:
    """Let two sides play each other, all games at once; None where it was stopped.

    Args:
        first_state: where the games begin.
        ours: the side by which the record is seen.
        theirs: the other side.
        num_games: an even number: two games share an opening, with colours swapped.
        opening_plies: how many plies of each game are drawn by lot before the sides take over.
        rng: draws the openings.
        stop: is asked again and again; the match is broken off when it says True.

    Raises:
        ValueError: an odd number of games, or an opening longer than the game.
    """
    if num_games < 2 or num_games % 2:
        raise ValueError(f"num_games={num_games!r} has to be an even number, 2 or more.")
    openings = [_opening(first_state, opening_plies, rng) for _ in range(num_games // 2)]
    as_first, as_second = ([list(opening) for opening in openings] for _ in range(2))
    while not all(game[-1].is_terminal for game in (*as_first, *as_second)):
        if stop is not None and stop():
            return None
        # Whose turn it is must be known for all games before anybody moves.
        for_us = [*_with_turn_of(0, as_first), *_with_turn_of(1, as_second)]
        for_them = [*_with_turn_of(1, as_first), *_with_turn_of(0, as_second)]
        _move(ours, for_us)
        _move(theirs, for_them)
    return MatchRecord(_record(as_first, 0), _record(as_second, 1))


def _opening(first_state: State, plies: int, rng: np.random.Generator) -> list[State]:
    """The positions of an opening drawn by lot."""
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


def _record(games: Sequence[Sequence[State]], player: int) -> Record:
    returns = [game[-1].returns()[player] for game in games]
    return Record(*(returns.count(result) for result in (1, 0, -1)))
