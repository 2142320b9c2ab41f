"""The chart of a bandit: the regret of strategies, pull by pull."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from mctslab.draw.colors import DASHES, OKABE_ITO
from mctslab.draw.curves import Chart, draw_band, subplots
from mctslab.search.bandits import Played

_OWN: Final = ("UCB1", "ε-greedy", "greedy")
_POINTS: Final = 400
"""More than a chart of this size can show; they keep the picture small."""


def regret(played: Sequence[Played], *, log_pulls: bool = False) -> Chart:
    """The mean regret of each strategy up to each pull, with bands.

    A band is the 95% interval of the mean of the runs.

    Args:
        played: The runs of each strategy, at most six of them.
        log_pulls: Whether the axis of the pulls is logarithmic; on it, a straight line is a regret
            that grows with the logarithm of the pulls.
    """
    figure, axes = subplots()
    ends = []
    for one, look in zip(played, _looks(played), strict=True):
        mean, margin = one.mean_regret, one.margin
        at = _some_of(len(mean), log=log_pulls)
        label = str(one.strategy)
        color = OKABE_ITO[look]
        axes.plot(at + 1, mean[at], linestyle=DASHES[look], color=color, label=label)
        low, high = (mean - margin)[at], (mean + margin)[at]
        draw_band(axes, at + 1, low, high, color)
        ends.append(f"{label} {mean[-1]:.1f} ± {margin[-1]:.1f}")
    axes.set(xlabel="pulls", ylabel="mean regret (expected wins missed)", ylim=(0, None))
    if log_pulls:
        axes.set(xscale="log", xlabel="pulls (logarithmic)")
    axes.grid(axis="y")
    axes.legend(frameon=False)
    return Chart(figure, f"Mean regret up to each pull; in the end {'; '.join(ends)}")


def _looks(played: Sequence[Played]) -> Iterator[int]:
    """A colour and dash for each line: those of its kind or, if they are taken, others."""
    free = list(range(len(DASHES)))
    for one in played:
        name = str(one.strategy).partition(",")[0]
        own = [look for look in free if look < len(_OWN) and name == _OWN[look]]
        look = own[0] if own else free[-1]
        free.remove(look)
        yield look


def _some_of(num_pulls: int, *, log: bool) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The pulls that are drawn, evenly spread over the axis."""
    first, last = (1, num_pulls)
    spread = np.geomspace if log else np.linspace
    chosen: np.ndarray[tuple[int], np.dtype[np.intp]] = np.unique(
        spread(first, last, _POINTS).round().astype(np.intp) - 1
    )
    return chosen
