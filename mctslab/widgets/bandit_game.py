"""A bandit whose arms a person pulls by hand, and UCB1 on the same arms with the same luck.

The browser plays: the kernel is told of every pull, and of the win rates when the game is over.
"""

import math
from typing import Any, Final

import anywidget
import numpy as np
import traitlets

from mctslab.widgets.front_end import StillPicture, joined

MAX_ARMS: Final = 6
MAX_PULLS: Final = 200


class BanditGame(StillPicture, anywidget.AnyWidget):
    """Pull the arms of a bandit whose win rates are hidden until the last pull.

    Then the page shows the win rates, and what UCB1 won and missed on the same arms. The third pull
    of an arm, for example, wins for both or for neither. The buttons work by mouse, by Enter, and
    by the letter of the arm.

    Args:
        num_arms: How many arms there are, 2 to 6.
        num_pulls: How many pulls each side has, 5 to 200.
        c: The exploration constant of UCB1, 0 or more.
        seed: Where chance begins, from 0; the win rates follow from it.

    Raises:
        traitlets.TraitError: one of these is not what it should be; the message says what.
    """

    _esm = joined("common.js", "words.js", "bandit_model.js", "bandit_game.js")
    _css = joined("common.css", "bandit_game.css")

    num_arms = traitlets.Int(3, read_only=True, min=2, max=MAX_ARMS).tag(sync=True)
    num_pulls = traitlets.Int(40, read_only=True, min=5, max=MAX_PULLS).tag(sync=True)
    c = traitlets.Float(math.sqrt(2), read_only=True, min=0).tag(sync=True)
    seed = traitlets.Int(1, min=0, max=2**31 - 1).tag(sync=True)
    pulled = traitlets.List(traitlets.Int(), help="the arms that you have pulled").tag(sync=True)
    pulled_by_ucb1 = traitlets.List(traitlets.Int(), help="empty until the end").tag(sync=True)
    win_rates = traitlets.List(traitlets.Float(), help="empty until the end").tag(sync=True)

    def __init__(
        self, num_arms: int = 3, *, num_pulls: int = 40, c: float = math.sqrt(2), seed: int = 1
    ) -> None:
        super().__init__(seed=seed)
        for name, value in (("num_arms", num_arms), ("num_pulls", num_pulls), ("c", c)):
            self.set_trait(name, value)

    @traitlets.observe("win_rates")
    def _renew(self, _change: Any) -> None:
        self.renew_still()

    def wins_missed(self, pulled: list[int]) -> list[float]:
        """The regret after each of these pulls; only when the game is over."""
        gaps = max(self.win_rates) - np.array(self.win_rates)
        missed: list[float] = gaps[pulled].cumsum().tolist()
        return missed

    def without_python(self) -> dict[str, Any]:
        """Nothing: the traits are enough."""
        return {}

    def still_svg(self) -> str:
        """What both sides missed; nothing before the game is over."""
        if not self.win_rates:
            return ""
        from mctslab.draw import simple_charts  # it loads Matplotlib, which is large

        sides = {"you": self.pulled, "UCB1": self.pulled_by_ucb1}
        return simple_charts.lines(
            range(1, self.num_pulls + 1),
            {name: self.wins_missed(pulled) for name, pulled in sides.items()},
            x_label="pulls",
            y_label="wins missed",
        ).svg

    def still_note(self) -> str:
        """The line under that picture."""
        again = "Run this cell again to pull the arms."
        if not self.win_rates:
            return f"A bandit with {self.num_arms} arms. {again}"
        rates = ", ".join(f"{rate:g}" for rate in self.win_rates)
        return f"What you and UCB1 missed on arms with the win rates {rates}. {again}"
