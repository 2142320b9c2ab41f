"""What notebook 11 says is so."""

import numpy as np
import pytest

from mctslab.course import exercises


def test_the_rows_of_the_first_exercise_have_five_squares_here_and_four_in_its_check(names):
    checked = [case.arguments() for case in exercises.row_weights.variations()]

    assert {len(row) for row in names["rows_of"](15, 5)} == {5}
    assert {len(row) for _, rows in checked for row in rows} == {4}
    assert max(state.size for state, _ in checked) < 15


@pytest.mark.parametrize("size", [1, 8])
def test_batches_save_calls_and_lose_no_visit(names, size):
    rng = np.random.default_rng(1)
    calls, shared, visits = names["search_in_batches"](names["quiet"], 1.25, 0.25, size, 64, rng)

    assert visits.sum() == 64
    assert calls == 1 + 64 // size
    assert 0 <= shared < 8
    assert shared == 0 or size > 1
