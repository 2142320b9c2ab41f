"""What the side road on the curves of training says is so in the stored runs."""

import numpy as np
import pytest

from mctslab.net.reference import read_reference
from tests.notebooks.reading import PROJECT


@pytest.fixture(scope="module")
def reference():
    return read_reference(PROJECT / "notebooks" / "results" / "13_reference.jsonl")


def test_the_curves_of_the_stored_runs_go_as_the_page_says(reference):
    first, early, middle, late = [1], (3, 4, 5), range(7, 22), (198, 199, 200)

    def median(name, numbers):
        return np.median(
            [run.log[number - 1][name] for run in reference.runs for number in numbers]
        )

    assert all(len(run.log) == 200 for run in reference.runs)
    assert 0 < median("value_loss", late) < 0.5
    assert 0.7 < median("value_loss", early) < 1.1
    assert 3.0 < median("policy_loss", early) < np.log(36)
    assert median("policy_loss", [2]) < np.log(36), "the first point is lower"
    for name in ("policy_loss", "policy_entropy"):
        assert median(name, late) < 0.7 * median(name, early)
    gaps = [median("policy_loss", when) - median("policy_entropy", when) for when in (late, early)]
    assert 0 < gaps[0] < gaps[1]
    lengths = [median("game_length", when) for when in (first, early, middle, late)]
    assert lengths[0] < lengths[1] > lengths[2] < lengths[3]
    assert median("first_player_score", early) < 0.65 < median("first_player_score", late) < 0.95


def test_the_weak_opponents_lose_nearly_all_games_after_twenty_iterations(reference):
    """How the score against the strong one grows is tested for notebook 13."""
    for opponent in ("random", "uct:100"):
        scores = [
            each.score.rate.value
            for run in reference.runs
            for each in run.strength
            if (each.opponent, each.iteration) == (opponent, 20)
        ]
        assert np.mean(scores) > 0.98


def test_the_panel_has_the_settings_of_the_stored_runs(names, reference):
    assert set(reference.differences(names["own_run"])) <= {"num_iterations"}, "short runs"
