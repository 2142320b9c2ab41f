"""How long does the sliders' whole answer take: search, numbers, board and tree?

    python -m tests.benchmarks.slider_speed

Each slider of the notebooks' two searches is moved over its whole range. The table shows the
median of all answers in milliseconds, and between which times nine in ten of them lie.
"""

import argparse
import functools
import time

import numpy as np

from mctslab import games, search
from mctslab.widgets import SearchSliders
from mctslab.widgets.search_sliders import PUCT_SLIDERS, UCT_SLIDERS

UCT_SIMULATIONS = 2_000
PUCT_SIMULATIONS = 200


def uct_sliders() -> SearchSliders:
    """Those of notebook 07."""
    return SearchSliders(games.ConnectFour(), num_simulations=UCT_SIMULATIONS)


def puct_sliders() -> SearchSliders:
    """Those of notebook 11."""
    state = games.Gomoku(size=9)
    for move in ["E5", "E6", "D6", "F5"]:
        state = state.child(state.string_to_action(move))
    priors = functools.cache(search.gomoku_prior)
    evaluator = search.with_priors(search.rollout_evaluator(), priors)
    return SearchSliders(state, evaluator=evaluator, num_simulations=PUCT_SIMULATIONS)


def milliseconds(sliders: SearchSliders) -> list[float]:
    """What each answer takes, with one slider after the other moved to each of its stops."""
    times = []
    for slider in UCT_SLIDERS if len(sliders.settings) == 1 else PUCT_SLIDERS:
        for setting in slider.stops:
            started = time.perf_counter()
            sliders.move(**{slider.name: setting})
            times.append(1000 * (time.perf_counter() - started))
        sliders.move(**{slider.name: slider.start})
    return times


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, sliders in (("uct", uct_sliders()), ("puct", puct_sliders())):
        low, median, high = np.percentile(milliseconds(sliders), (5, 50, 95))
        print(f"{name:5} {median:5.0f} ms ({low:.0f} to {high:.0f})", flush=True)


if __name__ == "__main__":
    main()
