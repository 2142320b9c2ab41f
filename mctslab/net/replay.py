"""What a net learns from a game, and the replay buffer from which training draws it.

A finished game gives one sample for each of its positions. The value target z of a position is the
return of the player to move there: +1 in every position where the winner moves, -1 where the loser
moves, 0 in a draw. The rule is the same for both colours, and it does not matter who plays first or
whether turns alternate.

Positions of one game are alike, and so are those of one net. A buffer of many games mixes them, and
symmetry makes eight positions of one (data augmentation): each is drawn turned or mirrored at
random, planes and policy alike.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mctslab.games.state import State
from mctslab.games.symmetry import Symmetry
from mctslab.net.encode import Floats, InputPlanes, encode_batch
from mctslab.net.model import NetConfig


class Samples(NamedTuple):
    """Positions with the targets that a net learns."""

    planes: Floats
    """[N, C, rows, cols]."""
    policies: Floats
    """[N, A]: pi, the probability of each action; -1 for illegal ones, which the loss leaves out.
    (It counts them where they are 0.)"""
    values: Floats
    """[N]: z, the return of the player to move, in [-1, 1]."""


def value_target(state: State, returns: tuple[float, float]) -> float:
    """z of a position: of a game's `returns`, those of the player to move at `state`."""
    return returns[state.current_player]


def policy_target(weights: Mapping[int, float], num_actions: int) -> Floats:
    """pi of a position, [A]: `weights`, such as visits by action, divided by their sum.

    Raises:
        ValueError: the weights sum to 0, or one is negative.
    """
    policy = np.zeros(num_actions, np.float32)
    total = sum(weights.values())
    if not total > 0 or min(weights.values()) < 0:
        raise ValueError(f"weights = {dict(weights)!r}: expected none below 0, and a sum above 0.")
    for action, weight in weights.items():
        policy[action] = weight / total
    return policy


def samples_of(
    positions: Sequence[State], policies: Sequence[Floats], inputs: InputPlanes
) -> Samples:
    """The samples of one finished game.

    Args:
        positions: all of them, the first and the terminal one included.
        policies: pi, [A], for every position but the terminal one; or only for the last of these,
            as after a random opening, whose positions make no samples.
        inputs: what the net sees.

    Raises:
        ValueError: more policies than positions, or none at all.
        GameNotOverError: the last position is not terminal.
    """
    if not 0 < len(policies) < len(positions):
        raise ValueError(
            f"{len(positions)} positions and {len(policies)} policies: expected a policy for "
            "each position but the terminal one, or for the last of these."
        )
    returns = positions[-1].returns()
    end = len(positions) - 1
    plies = range(end - len(policies), end)
    values = [value_target(positions[ply], returns) for ply in plies]
    planes = encode_batch([positions[: ply + 1] for ply in plies], inputs)
    return Samples(planes, np.stack(policies), np.array(values, np.float32))


class ReplayBuffer:
    """The newest `capacity` samples; each new one replaces the oldest when the buffer is full.

    A plane takes one bit a square, so that a million positions of 9 x 9 fit into 400 MB.

    Args:
        capacity: the number of samples that fit in.
        config: the shape of the net that learns from them.
        symmetries: those of the game; one is drawn for each sample drawn.
    """

    def __init__(self, capacity: int, config: NetConfig, symmetries: Sequence[Symmetry]) -> None:
        self._shape = (config.inputs.count, config.rows, config.cols)
        num_bits = config.inputs.count * config.rows * config.cols
        self._kept: dict[str, np.ndarray] = {  # by the names of `Samples`
            "planes": np.zeros((capacity, -(-num_bits // 8)), np.uint8),
            "policies": np.zeros((capacity, config.num_actions), np.float32),
            "values": np.zeros(capacity, np.float32),
        }
        self.capacity = capacity
        self._num_added = 0
        self._square_from = np.array([np.argsort(each.squares) for each in symmetries])
        self._action_from = np.array([np.argsort(each.actions) for each in symmetries])

    def __len__(self) -> int:
        """The number of samples in the buffer."""
        return min(self._num_added, self.capacity)

    def add(self, samples: Samples) -> None:
        """Add samples, whose planes are zeros and ones, in the order in which they were played."""
        number = len(samples.planes)
        places = (self._num_added + np.arange(number)) % self.capacity
        packed = np.packbits(samples.planes.astype(np.uint8).reshape(number, -1), axis=1)
        newest = slice(-self.capacity, None)  # of more than fit in, the last ones
        parts: tuple[np.ndarray, ...] = (packed, samples.policies, samples.values)
        for kept, added in zip(self._kept.values(), parts, strict=True):
            kept[places[newest]] = added[newest]
        self._num_added += number

    def draw(self, number: int, rng: np.random.Generator) -> Samples:
        """`number` samples, each as likely as any other, each in a random symmetry."""
        chosen = rng.integers(len(self), size=number)
        turned = rng.integers(len(self._square_from), size=number)
        channels, rows, cols = self._shape
        num_squares = rows * cols
        packed, policies, values = (kept[chosen] for kept in self._kept.values())
        bits = np.unpackbits(packed, axis=1, count=channels * num_squares)
        planes = bits.reshape(len(chosen), channels, num_squares)
        squares = self._square_from[turned][:, None, :]
        actions = self._action_from[turned]
        return Samples(
            np.take_along_axis(planes, squares, axis=2)
            .reshape(len(chosen), channels, rows, cols)
            .astype(np.float32),
            np.take_along_axis(policies, actions, axis=1),
            values,
        )

    # To a file and back

    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint keeps, by name: after `restore` the same samples are drawn."""
        arrays = {f"replay.{name}": kept[: len(self)] for name, kept in self._kept.items()}
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return tensors | {"replay.num_added": torch.tensor(self._num_added)}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from the tensors of a buffer of the same shape and capacity."""
        self._num_added = int(tensors["replay.num_added"])
        for name, kept in self._kept.items():
            kept[: len(self)] = tensors[f"replay.{name}"].numpy()
