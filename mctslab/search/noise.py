"""Dirichlet noise at the root: a search that also tries what its priors think little of.

Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods. Only the root
gets it, since only there a move is chosen; deeper down noise would spoil the estimates.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from mctslab.search.node import Node


@dataclass(frozen=True, slots=True)
class DirichletNoise:
    """How much of which noise is mixed into the priors of the root's children.

        P' = (1 - weight) * P + weight * eta,   eta drawn from Dir(alpha, alpha, ...)

    Raises:
        ValueError: `alpha` is not above 0, or `weight` lies outside [0, 1].
    """

    alpha: float = 0.03
    """The smaller, the fewer moves share the noise. AlphaZero takes about 10 over the number of
    legal moves: 0.03 in Go, 0.15 in shogi, 0.3 in chess."""
    weight: float = 0.25
    """How much of the mixture is noise, from 0 to 1; epsilon in the paper."""

    def __post_init__(self) -> None:
        if not 0 < self.alpha < np.inf:
            raise ValueError(f"alpha={self.alpha!r} makes no Dirichlet noise: more than 0.")
        if not 0 <= self.weight <= 1:
            raise ValueError(f"weight={self.weight!r} is no share: from 0 to 1.")

    def mixed(self, priors: list[float], rng: np.random.Generator) -> list[float]:
        """The `priors`, with fresh noise; they still sum to 1."""
        noise = rng.dirichlet([self.alpha] * len(priors)).tolist()
        return [
            (1 - self.weight) * prior + self.weight * share
            for prior, share in zip(priors, noise, strict=True)
        ]


@contextmanager
def noisy_root(
    root: Node, noise: DirichletNoise | None, rng: np.random.Generator
) -> Iterator[None]:
    """While this lasts the children of `root` have noise in their priors.

    Afterwards they have the evaluator's again: the next search of this tree mixes fresh noise into
    these, not into the last noise; and a child that becomes a root has brought none along.
    """
    priors = [child.prior for child in root.children]
    try:
        if noise is not None:
            for child, prior in zip(root.children, noise.mixed(priors, rng), strict=True):
                child.prior = prior
        yield
    finally:
        for child, prior in zip(root.children, priors, strict=True):
            child.prior = prior
