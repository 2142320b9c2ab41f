"""What the side road on the curves of training says is so in the stored runs."""

import numpy as np
import pytest

from mctslab.net.reference import read_reference
from mctslab.net.training_config import TrainingConfig
from tests.notebooks.reading import NOTEBOOKS, PROJECT

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "13_curves")
STORED = PROJECT / "notebooks" / "results" / "13_reference.jsonl"


@pytest.fixture(scope="module")
def reference():
    return read_reference(STORED)


def median(reference, name, numbers):
    return np.median([run.log[number - 1][name] for run in reference.runs for number in numbers])


def test_the_curves_of_the_stored_runs_go_as_the_page_says(reference):
    early, late = (3, 4, 5), (198, 199, 200)
    assert all(len(run.log) == 200 for run in reference.runs)
    assert STORED.stat().st_size <= 600_000
    assert 0.7 < median(reference, "value_loss", early) < 1.1
    assert 0 < median(reference, "value_loss", late) < 0.5
    assert 3.0 < median(reference, "policy_loss", early) < np.log(36)
    assert median(reference, "policy_loss", [2]) < np.log(36), "the first point is lower"
    for name in ("policy_loss", "policy_entropy"):
        assert median(reference, name, late) < 0.7 * median(reference, name, early)
    lengths = [median(reference, "game_length", when) for when in (early, range(7, 22), late)]
    assert median(reference, "game_length", [1]) < lengths[0] > lengths[1] < lengths[2]
    first = [median(reference, "first_player_score", when) for when in (early, late)]
    assert first[0] < 0.65 < first[1] < 0.95

    def gap(numbers):
        return median(reference, "policy_loss", numbers) - median(
            reference, "policy_entropy", numbers
        )

    assert 0 < gap(late) < gap(early)


def test_the_opponents_say_what_is_told(reference):
    def scores(opponent, iteration):
        return [
            each.score.rate.value
            for run in reference.runs
            for each in run.strength
            if (each.opponent, each.iteration) == (opponent, iteration)
        ]

    for opponent in ("random", "uct:100"):
        assert np.mean(scores(opponent, 20)) > 0.98
    at_first, soon, late = (np.median(scores("uct:1000", number)) for number in (0, 20, 200))
    assert at_first < 0.3
    assert soon < late
    assert late - soon < soon - at_first, "most of the way is gone"


def test_the_panel_has_the_settings_of_the_stored_runs(executed, reference):
    own: TrainingConfig = executed(NOTEBOOK).names["own_run"]

    assert set(reference.differences(own)) <= {"num_iterations"}, "short runs"
