"""Calibration: how sure a student was of the predictions, and how often these came true."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from mctslab.course.keeping.progress import Prediction


@dataclass(frozen=True, slots=True)
class Level:
    """All predictions that were made with the same confidence."""

    confidence: int
    """How sure the student was, in percent."""
    num_true: int
    num_made: int

    @property
    def share(self) -> float:
        """How many of them came true, from 0 to 1."""
        return self.num_true / self.num_made

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of that share."""
        from mctslab import arena  # takes a while to load

        return arena.wilson(self.num_true, self.num_made)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.confidence}% sure: {self.num_true} of {self.num_made} came true "
            f"({low:.0%} to {high:.0%})"
        )


def calibration(predictions: Iterable[Prediction]) -> list[Level]:
    """The predictions by their confidence, the least sure first; curves have none."""
    outcomes: dict[int, list[bool]] = defaultdict(list)
    for prediction in predictions:
        if prediction.confidence is not None and prediction.came_true is not None:
            outcomes[prediction.confidence].append(prediction.came_true)
    return [Level(sure, sum(true), len(true)) for sure, true in sorted(outcomes.items())]
