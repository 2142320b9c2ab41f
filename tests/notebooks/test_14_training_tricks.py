"""What the side road on training tricks says is so."""

import numpy as np
import pytest


@pytest.fixture
def points(names):
    """The points of the three runs of each way of training, in order of their seeds."""
    found = {}
    for run in sorted(names["stored"]["runs"], key=lambda run: run["seed"]):
        results = np.add(run["as_first"], run["as_second"])
        found.setdefault(run["variant"], []).append(results @ [1, 0.5, 0])
    return found


def test_the_ways_of_training_rank_as_told(names, points):
    rates = names["trained_rates"]
    others = [rates[name] for name in rates if name not in ("Gumbel, 32", "Gumbel, 16")]

    assert len(points) == 5
    for seed in range(3):
        assert max(points, key=lambda name: points[name][seed]) == "Gumbel, 32"
    assert rates["Gumbel, 32"].low > max(rate.high for rate in others)
    assert min(rates, key=rates.get) == "16 simulations"
