"""A check asks what the text asks, no more and no less: answers that were judged wrongly before."""

import pytest

from mctslab.course import exercises
from mctslab.course.checking.judging import judge
from mctslab.course.question import edits_in
from mctslab.course.result import Outcome

RIGHT = [
    (
        "careful",  # in the games of the notebook nobody loses by a move of their own
        """
        ends = [after] => ends = []
        after.returns()[mover] == 1 => after.returns()[mover] != 0
        """,
    )
]


def edited(name, edits):
    """What a check says of the model answer after these edits."""
    exercise = getattr(exercises, name)
    text = "\n".join(line.strip() for line in edits.strip().splitlines())
    return judge(exercise, exercise.defined_by(exercise.source_with(edits_in(text))))


@pytest.mark.parametrize(("name", "edits"), RIGHT)
def test_an_answer_that_does_what_the_text_asks_is_right(name, edits):
    assert edited(name, edits).outcome is Outcome.RIGHT
