"""What the side road on training tricks says is so."""

import numpy as np
import pytest

from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "14_training_tricks")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_ways_of_training_rank_as_told(names):
    runs = names["stored"]["runs"]
    for seed in (1, 2, 3):
        points = {
            run["variant"]: np.add(run["as_first"], run["as_second"]) @ [1, 0.5, 0]
            for run in runs
            if run["seed"] == seed
        }
        assert len(points) == 6
        assert max(points, key=points.get) == "Gumbel, 32"
    rates = names["trained_rates"]
    others = [rates[name] for name in rates if name not in ("Gumbel, 32", "Gumbel, 16")]
    assert rates["Gumbel, 32"].low > max(rate.high for rate in others)
    assert min(rates, key=lambda name: rates[name].value) == "16 simulations"
    many, capped = rates["64 simulations"], rates["playout cap, 96 or 16"]
    assert capped.low < many.high, "neither helps nor harms"
    assert many.low < capped.high


def test_the_playout_cap_plays_about_twice_as_many_games(names):
    games = {
        name: sum(run["num_games"] for run in names["stored"]["runs"] if run["variant"] == name)
        for name in ("64 simulations", "playout cap, 96 or 16")
    }
    assert 1.8 < games["playout cap, 96 or 16"] / games["64 simulations"] < 2.4


def test_the_scores_are_those_of_all_games_of_a_way(names):
    for name, rate in names["trained_rates"].items():
        runs = [run for run in names["stored"]["runs"] if run["variant"] == name]
        results = np.sum([np.add(run["as_first"], run["as_second"]) for run in runs], axis=0)
        assert rate.value == pytest.approx(results @ [1, 0.5, 0] / results.sum())
