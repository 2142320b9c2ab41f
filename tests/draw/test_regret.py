"""The chart of a bandit: its lines are the mean regret, its bands the interval of that mean."""

import numpy as np
import pytest

from mctslab.draw.regret import regret
from mctslab.search import bandits


@pytest.fixture
def played():
    rng = np.random.default_rng(3)
    return [
        bandits.play((0.2, 0.7), strategy, num_pulls=700, num_runs=20, rng=rng)
        for strategy in (bandits.greedy(), bandits.ucb1(0.5), bandits.ucb1(2), bandits.thompson())
    ]


@pytest.mark.parametrize("log_pulls", [False, True])
def test_lines_are_means_and_bands_are_their_intervals(played, log_pulls):
    (axes,) = regret(played, log_pulls=log_pulls).figure.axes

    assert axes.get_xscale() == ("log" if log_pulls else "linear")
    for one, line, band in zip(played, axes.lines, axes.collections, strict=True):
        pulls, means = line.get_data()
        assert pulls[0] == 1
        assert pulls[-1] == 700
        assert means == pytest.approx(one.mean_regret[pulls.astype(int) - 1])
        last = band.get_paths()[0].vertices
        ends = sorted(set(last[last[:, 0] == 700][:, 1]))
        mean, margin = one.mean_regret[-1], one.margin[-1]
        assert ends == pytest.approx([mean - margin, mean + margin])
        assert line.get_label() == str(one.strategy)
