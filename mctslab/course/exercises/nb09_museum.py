"""Notebook 09, the bug museum: a gate that draws open.

It is from alpha-zero-general (issue 88): after a match that had only draws, a new network replaced
the old one. Other programs leave draws out of the count as well.
"""

import numpy as np

from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case, edits_in, mistakes_in


def _gate_cases() -> list[Case]:
    return [
        case(24, 0, 16, 0.55, expected=True),
        case(20, 0, 20, 0.55, expected=False),
        case(22, 0, 18, 0.55, expected=True),  # exactly the threshold
        case(0, 0, 40, 0.55, expected=False),
        case(0, 40, 0, 0.55, expected=False),
        case(2, 37, 1, 0.55, expected=False),  # 20.5 of 40 points
        case(10, 30, 0, 0.55, expected=True),  # 25 of 40
        case(6, 8, 6, 0.5, expected=True),  # 10 of 20
        case(12, 20, 8, 0.55, expected=True),  # 22 of 40
        case(14, 4, 22, 0.4, expected=True),  # 16 of 40
        case(4, 10, 26, 0.32, expected=False),  # 9 of 40
        case(9, 1, 9, 0.5, expected=True),  # 9.5 of 19
    ]


def _gate_variation(rng: np.random.Generator) -> Case:
    wins, draws, losses = map(int, rng.integers(0, 30, 3))
    return case(wins, draws, losses + 1, float(rng.uniform(0.3, 0.7)), expected=FROM_MODEL)


@exhibit(
    title="A gate that stays open",
    start=edits_in("""
        - ...
        + is_worse = wins + losses > 0 and wins / (wins + losses) < threshold
        + return not is_worse
    """),
    faulty="is_worse = wins + losses > 0 and wins / (wins + losses) < threshold",
    cases=_gate_cases,
    variation=_gate_variation,
    hints=(
        "What does the function return after 40 draws? And after 39 draws and one win?",
        "Which of the arguments is never used?",
        "The points are `wins + draws / 2`, and their share is the points divided by all games.",
    ),
    when_right="With this fault, a program that learns replaces its best player with one that has "
    "not shown anything.",
    mistakes=mistakes_in("""
        only the match without a decision refused
            With one win and 39 draws the share of the decided games is 100%, so the new player
            still takes over. Draws must count.
            - ...
            + return wins + losses > 0 and wins / (wins + losses) >= threshold
        a draw counted as a loss
            A draw is half a point for each side. If draws count as losses, a player that never
            lost can be kept out.
             + draws / 2 =>
        a draw counted as a win
            A draw is half a point, so 40 draws are 20 points of 40.
            draws / 2 => draws
        the points of draws without their games
            The share is that of all points that could be won. Divide by the number of all games,
            including the draws.
            points / (wins + draws + losses) >= threshold => points >= threshold * (wins + losses)
        more than the threshold required
            "At least" the threshold means that a share equal to it is enough.
            >= => >
        more wins than losses taken for enough
            The threshold is not used. Two wins and one loss in 40 games show next to nothing.
            points / (wins + draws + losses) >= threshold => wins > losses
        wins minus losses instead of points
            That is a number from -1 to 1, where even play is 0. The threshold belongs to the scale
            where even play is one half.
            wins + draws / 2 => wins - losses
        the answer reversed
            True means that the new player takes over.
            >= => <
    """),
)
def museum_gate(wins: int, draws: int, losses: int, threshold: float) -> bool:
    """Whether a new player takes over, which needs at least this share of the points."""
    points = wins + draws / 2
    return points / (wins + draws + losses) >= threshold
