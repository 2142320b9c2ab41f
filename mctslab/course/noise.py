"""Priors with Dirichlet noise: what many answers have in common, and what the theory says of it."""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from mctslab.course.checking.cases import Near

NUM_CALLS: Final = 400
OFTEN: Final = f"{NUM_CALLS} times "
"""How the words for such an input begin."""


def noise_seen(call: Callable[[], object], number: int) -> object:
    """The priors that many calls have returned, in a few numbers.

    A call returns `number` priors, in a list or by action. If one returns something else, that is
    the result.
    """
    rows = []
    for _ in range(NUM_CALLS):
        answer = call()
        priors = [*answer.values()] if isinstance(answer, dict) else answer
        if not isinstance(priors, list | tuple | np.ndarray) or len(priors) != number:
            return answer
        if not all(isinstance(each, int | float | np.number) for each in priors):
            return answer
        rows.append([float(each) for each in priors])
    found = np.array(rows)
    return {
        "the sums of the priors, from ... to": (found.sum(axis=1).min(), found.sum(axis=1).max()),
        "the mean of each": tuple(found.mean(axis=0).tolist()),
        "the standard deviation of each": tuple(found.std(axis=0).tolist()),
        "the smallest of each": tuple(found.min(axis=0).tolist()),
    }


def noise_expected(priors: Sequence[float], alpha: float, weight: float) -> dict[str, object]:
    """These numbers for noise of Dir(alpha, ...) with a share of `weight`.

    The variance of a share of it is m (1 - m) / (number * alpha + 1), where m is its mean.
    """
    number = len(priors)
    deviation = weight * math.sqrt((1 - 1 / number) / number / (number * alpha + 1))
    means = tuple((1 - weight) * prior + weight / number for prior in priors)
    smallest = tuple((1 - weight) * prior for prior in priors)
    return {
        "the sums of the priors, from ... to": Near((1.0, 1.0), 1e-9),
        "the mean of each": Near(means, 5 * deviation / math.sqrt(NUM_CALLS) + 1e-9),
        "the standard deviation of each": Near((deviation,) * number, 0.15 * deviation + 1e-9),
        "the smallest of each": Near(smallest, 0.35 * weight / number + 1e-9),
    }
