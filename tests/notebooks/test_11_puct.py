"""What notebook 11 says is so."""

from mctslab.course import exercises


def test_the_rows_of_the_first_exercise_have_five_squares_here_and_four_in_its_check(names):
    checked = [case.arguments() for case in exercises.row_weights.variations()]

    assert {len(row) for row in names["rows_of"](15, 5)} == {5}
    assert {len(row) for _, rows in checked for row in rows} == {4}
    assert max(state.size for state, _ in checked) < 15
