"""Noise for the priors at the root of a search by PUCT."""

from dataclasses import dataclass

import numpy as np

from mctslab.games.bitboards import is_finite


@dataclass(frozen=True, slots=True)
class DirichletNoise:
    """Noise for the priors at the root, so that the search also tries moves with low priors.

        P' = (1 - weight) * P + weight * eta,   eta drawn from Dir(alpha, alpha, ...)

    Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods.

    Raises:
        ValueError: `alpha` is not above 0, or `weight` is outside [0, 1].
    """

    alpha: float = 0.03
    """The smaller it is, the fewer moves share the noise. AlphaZero takes about 10 divided by the
    number of legal moves: 0.03 in Go, 0.15 in shogi, 0.3 in chess."""
    weight: float = 0.25
    """The share of noise in the mixture, from 0 to 1; epsilon in the paper."""

    def __post_init__(self) -> None:
        if not (is_finite(self.alpha) and self.alpha > 0):
            raise ValueError(f"alpha must be above 0 and finite, got {self.alpha!r}.")
        if not (is_finite(self.weight) and 0 <= self.weight <= 1):
            raise ValueError(f"weight must be from 0 to 1, got {self.weight!r}.")

    def mixed(self, priors: list[float], rng: np.random.Generator) -> list[float]:
        """The `priors` with new noise; their sum is still 1."""
        noise = rng.dirichlet([self.alpha] * len(priors)).tolist()
        return [
            (1 - self.weight) * prior + self.weight * share
            for prior, share in zip(priors, noise, strict=True)
        ]
