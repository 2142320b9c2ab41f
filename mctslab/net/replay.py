"""The replay buffer: the newest positions of self-play, from which training draws.

Positions of one game are alike, and so are those of one net. A buffer of many games mixes them, and
symmetry makes eight positions of one: each is drawn turned or mirrored at random, planes and policy
alike.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from mctslab.games.symmetry import Symmetry
from mctslab.net.model import NetConfig
from mctslab.net.targets import Samples

_KEPT: Final = ("planes", "policies", "values", "num_added")


class ReplayBuffer:
    """The newest `capacity` samples; an older one makes room for each that comes.

    A plane takes one bit a square, so that a million positions of 9 x 9 fit into 400 MB.

    Args:
        capacity: how many samples.
        config: the shape of the net that learns from them.
        symmetries: those of the game; one of them is drawn for each sample drawn.

    Raises:
        ValueError: there is no room for a sample, or not one symmetry.
    """

    def __init__(self, capacity: int, config: NetConfig, symmetries: Sequence[Symmetry]) -> None:
        if capacity < 1:
            raise ValueError(f"capacity={capacity!r}: a buffer has room for one sample or more.")
        if not symmetries:
            raise ValueError("symmetries are none: the one that moves nothing is always there.")
        self._shape = (config.inputs.count, config.rows, config.cols)
        num_bits = config.inputs.count * config.rows * config.cols
        self._planes = np.zeros((capacity, -(-num_bits // 8)), np.uint8)
        self._policies = np.zeros((capacity, config.num_actions), np.float32)
        self._values = np.zeros(capacity, np.float32)
        self._num_added = 0
        self._square_from = np.array([np.argsort(each.squares) for each in symmetries])
        self._action_from = np.array([np.argsort(each.actions) for each in symmetries])

    def __len__(self) -> int:
        """How many samples are in the buffer."""
        return min(self._num_added, self.capacity)

    @property
    def capacity(self) -> int:
        """How many samples fit in."""
        return len(self._values)

    @property
    def num_added(self) -> int:
        """How many samples were ever added."""
        return self._num_added

    def add(self, samples: Samples) -> None:
        """Add samples, in the order in which they were played.

        Raises:
            ValueError: planes of another shape than the net's, or with other numbers than 0 and 1.
        """
        planes = samples.planes
        if planes.shape[1:] != self._shape or not np.isin(planes, (0, 1)).all():
            raise ValueError(
                f"These are no planes of {self._shape} zeros and ones: {planes.shape[1:]}."
            )
        num_bits = math.prod(self._shape)  # of no samples, -1 would not tell
        places = (self._num_added + np.arange(len(planes))) % self.capacity
        packed = np.packbits(planes.astype(np.uint8).reshape(len(planes), num_bits), axis=1)
        newest = slice(-self.capacity, None)  # of more than fit in, the last ones
        places = places[newest]
        self._planes[places] = packed[newest]
        self._policies[places] = samples.policies[newest]
        self._values[places] = samples.values[newest]
        self._num_added += len(planes)

    def draw(self, number: int, rng: np.random.Generator) -> Samples:
        """`number` samples, each as likely as any other, each in a random symmetry.

        Raises:
            ValueError: the buffer is empty.
        """
        if not len(self):
            raise ValueError("The buffer is empty: there is nothing to draw.")
        chosen = rng.integers(len(self), size=number)
        turned = rng.integers(len(self._square_from), size=number)
        return self._turned(chosen, turned)

    def all(self) -> Samples:
        """All samples as they were added, the oldest first."""
        oldest = self._num_added % self.capacity if self._num_added > self.capacity else 0
        chosen = (oldest + np.arange(len(self))) % self.capacity
        return self._turned(chosen, np.zeros(len(self), np.int64))

    def _turned(self, chosen: npt.NDArray[np.int64], turned: npt.NDArray[np.int64]) -> Samples:
        """The samples in the places `chosen`, each after the symmetry of that number."""
        channels, rows, cols = self._shape
        num_squares = rows * cols
        bits = np.unpackbits(self._planes[chosen], axis=1, count=channels * num_squares)
        planes = bits.reshape(len(chosen), channels, num_squares)
        squares = self._square_from[turned][:, None, :]
        actions = self._action_from[turned]
        return Samples(
            np.take_along_axis(planes, squares, axis=2)
            .reshape(len(chosen), channels, rows, cols)
            .astype(np.float32),
            np.take_along_axis(self._policies[chosen], actions, axis=1),
            self._values[chosen],
        )

    # To a file and back

    def tensors(self) -> dict[str, Tensor]:
        """What a checkpoint has to keep, by name: after `restore` the same samples are drawn."""
        size = len(self)
        return {
            "replay.planes": torch.from_numpy(self._planes[:size]),
            "replay.policies": torch.from_numpy(self._policies[:size]),
            "replay.values": torch.from_numpy(self._values[:size]),
            "replay.num_added": torch.tensor(self._num_added),
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Take over what another buffer of this shape and capacity has kept.

        Raises:
            ValueError: something is missing, or the buffer is another one's.
        """
        try:
            kept = {name: tensors[f"replay.{name}"].numpy() for name in _KEPT}
        except KeyError as error:
            raise ValueError(f"There is no {error} among what was kept.") from error
        num_added = int(kept["num_added"])
        size = min(num_added, self.capacity)
        for name, place in (
            ("planes", self._planes),
            ("policies", self._policies),
            ("values", self._values),
        ):
            if kept[name].shape != (size, *place.shape[1:]):
                raise ValueError(
                    f"What was kept is of another buffer: {name} of {kept[name].shape}, and here "
                    f"they are {(size, *place.shape[1:])}."
                )
            place[:size] = kept[name]
        self._num_added = num_added
