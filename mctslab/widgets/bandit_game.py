"""A bandit whose arms a person pulls by hand, and UCB1 on the same arms with the same luck.

The page plays; Python keeps the pulls, so that the game is still there when it is shown again.
"""

import math
from typing import Any, Final

import anywidget
import traitlets

from mctslab.widgets.front_end import StillPicture, bundled, joined

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

    _esm = bundled("bandit_game.js")
    _css = joined("common.css", "bandit_game.css")

    num_arms = traitlets.Int(3, min=2, max=MAX_ARMS).tag(sync=True)
    num_pulls = traitlets.Int(40, min=5, max=MAX_PULLS).tag(sync=True)
    c = traitlets.Float(math.sqrt(2), min=0).tag(sync=True)
    seed = traitlets.Int(1, min=0, max=2**31 - 1).tag(sync=True)
    pulled = traitlets.List(traitlets.Int(), help="the arms that you have pulled").tag(sync=True)
    result = traitlets.Unicode(help="what the game has brought; empty until the end").tag(sync=True)

    @traitlets.observe("result")
    def _renew(self, _change: Any) -> None:
        self.renew_still()

    def still_note(self) -> str:
        """What the game has brought."""
        known = self.result or f"A bandit with {self.num_arms} arms."
        return f"{known} Run this cell again to pull the arms."
