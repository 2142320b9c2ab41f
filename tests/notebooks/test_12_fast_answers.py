"""What the side road on fast answers says is so."""

import numpy as np
import pytest

from tests.notebooks.reading import NOTEBOOKS

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem == "12_fast_answers")


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_fastest_backend_gives_the_same_answers(names):
    logits, values = names["by_pytorch"](names["some"])
    answer = names["quick"](names["some"])

    np.testing.assert_allclose(answer.policy_logits, logits, atol=1e-4)
    np.testing.assert_allclose(answer.values, values, atol=1e-4)


def test_a_speed_is_counted_in_positions(names, monkeypatch):
    ticks = iter([0.0, *([0.005] * 3), 1.0, 2.0])
    monkeypatch.setattr(names["time"], "perf_counter", lambda: next(ticks))
    evaluated = []

    assert names["speed"](lambda planes: evaluated.append(len(planes)), 8) == 8 * 3 / 2
    assert evaluated == [8] * 4
