"""The bandit playground: what greedy, epsilon-greedy and UCB1 miss, live.

The page plays the runs by itself, so that the curves follow a slider while it is dragged, even
while a cell runs. The kernel receives a slider's value when it is let go. The rules are those of
`mctslab.search.bandits`, which plays the runs for the picture that is shown without a kernel.
"""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import anywidget
import numpy as np
import traitlets

from mctslab.search import bandits
from mctslab.widgets.front_end import StillPicture, bundled, joined

MAX_ARMS: Final = 6
MAX_C: Final = 3.0
MOST: Final = 10_000
_STILL_RUNS: Final = 200


class BanditPlayground(StillPicture, anywidget.AnyWidget):
    """Drag c, epsilon or an arm's win rate, and watch the regret of three strategies.

    The chart shows the mean regret over many runs, with the 95% interval of that mean as a band.
    Point at it, or drag the slider below it, to see the numbers after that many pulls, and how UCB1
    scores the arms of one run at that moment. All sliders move with the arrow keys.

    Args:
        win_rates: For each arm, 2 to 6 of them, the probability that a pull wins.
        c: The initial exploration constant of UCB1, from 0 to 3.
        epsilon: The initial share of random pulls in epsilon-greedy, from 0 to 1.
        num_pulls: Pulls in each run, 10 to 10,000.
        num_runs: Runs for each curve, 2 to 10,000.
        seed: The seed of the random numbers, 0 or more. The same seed gives the same curves.

    Raises:
        traitlets.TraitError: one of these values is not allowed; the message says which.
    """

    _esm = bundled("bandit_playground.js")
    _css = joined("common.css", "bandit_playground.css")

    win_rates = traitlets.List(traitlets.Float(), minlen=2, maxlen=MAX_ARMS).tag(sync=True)
    c = traitlets.Float(math.sqrt(2), min=0, max=MAX_C).tag(sync=True)
    epsilon = traitlets.Float(0.1, min=0, max=1).tag(sync=True)
    seed = traitlets.Int(1, min=0, max=2**31 - 1).tag(sync=True)
    num_pulls = traitlets.Int(1_000, min=10, max=MOST).tag(sync=True)
    num_runs = traitlets.Int(1_000, min=2, max=MOST).tag(sync=True)

    def __init__(self, win_rates: Sequence[float] = (0.3, 0.5, 0.7), **settings: float) -> None:
        super().__init__(win_rates=list(map(float, win_rates)), **settings)

    @traitlets.validate("win_rates")
    def _check_win_rates(self, proposal: Any) -> list[float]:
        rates: list[float] = proposal["value"]
        for rate in rates:
            if not 0 <= rate <= 1:
                raise traitlets.TraitError(f"{rate!r} is not a win rate, which is from 0 to 1.")
        return rates

    def still_svg(self) -> str:
        """The curves of fewer runs, for a page without a kernel."""
        from mctslab.draw.simple_charts import regret  # it loads Matplotlib, which is large

        play = partial(
            bandits.play,
            num_pulls=self.num_pulls,
            num_runs=min(self.num_runs, _STILL_RUNS),
            rng=np.random.default_rng(self.seed),
        )
        strategies = (bandits.ucb1(self.c), bandits.epsilon_greedy(self.epsilon), bandits.greedy())
        return regret([play(self.win_rates, strategy) for strategy in strategies]).svg

    def still_note(self) -> str:
        """The line under that picture."""
        arms = ", ".join(f"{rate:g}" for rate in self.win_rates)
        return (
            f"Mean regret on arms with the win rates {arms}; bands are 95% intervals of the mean. "
            "Run this cell again to drag the sliders."
        )
