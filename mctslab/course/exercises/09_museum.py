"""Notebook 09, the bug museum: a gate that draws open.

It is from alpha-zero-general (issue 88): after a match that had only draws, a new network replaced
the old one. Other programs leave draws out of the count as well.
"""

import numpy as np

from mctslab.course.checking.cases import Case, case
from mctslab.course.exercise import exercise


def _gate_cases() -> list[Case]:
    return [
        case(20, 0, 20, 0.55, expected=False),
        case(0, 40, 0, 0.55, expected=False),
        case(0, 6, 0, 0.5, expected=True),
        case(20, 20, 0, 0.5, expected=True),
        case(0, 20, 20, 0.5, expected=False),
    ]


def _gate_variation(rng: np.random.Generator) -> Case:
    wins, draws, losses = map(int, rng.integers(0, 30, 3))
    return case(wins, draws, losses + 1, float(rng.uniform(0.3, 0.7)))


@exercise(
    start="""
        - ...
        + is_worse = wins + losses > 0 and wins / (wins + losses) < threshold
        + return not is_worse
    """,
    faulty="is_worse = wins + losses > 0 and wins / (wins + losses) < threshold",
    cases=_gate_cases,
    variation=_gate_variation,
    points=2,
)
def museum_gate(wins: int, draws: int, losses: int, threshold: float) -> bool:
    """Whether a new player takes over, which needs at least this share of the points."""
    points = wins + draws / 2
    return points / (wins + draws + losses) >= threshold
