"""The alpha-beta stepper with a real widget and without a browser."""

import pytest

from mctslab.widgets import AlphaBetaStepper
from tests.search.toys import Turn, WrittenOut
from tests.widgets.browser_messages import command, see

THREE = Turn(0, (Turn(1, (3, 5)), Turn(1, (2, 9, 8)), Turn(1, (7, 1))))
"""Its nodes are the root 0, a 1 (2, 3), b 4 (5, 6, 7) and c 8 (9, 10)."""


@pytest.fixture
def stepper():
    stepper = AlphaBetaStepper(WrittenOut(THREE))
    see(stepper)
    return stepper


def test_it_begins_at_the_first_step_of_the_order_that_was_given(stepper):
    assert (stepper.at, stepper.before, stepper.num_evaluated) == (0, None, 5)
    assert stepper.order[0] == [1, 4, 8]
    assert stepper.steps[0]["window"] == [None, None]
    assert [node["leaf"] for node in stepper.nodes if node["leaf"] is not None] == [
        *(3, 5, 2, 9, 8, 7, 1)
    ]


def test_each_step_is_told_in_a_sentence(stepper):
    told = [step["sentence"] for step in stepper.steps]
    assert told[0] == "At the root First is to move. Nothing is sure yet: α = −∞, β = +∞."
    assert told[2] == "The leaf a a is evaluated: +3."
    assert told[3] == "With a, Second limits the value to +3, so β falls to +3."
    assert told[5] == "Move b is no better for Second than β = +3: nothing changes."
    assert told[6] == "With a, First is sure of +3, so α rises to +3."
    assert told[9] == (
        "With a, Second limits the value to +2, so β falls to +2. Now α ≥ β: First has +3 "
        "elsewhere and will avoid b. The remaining 2 moves are cut off."
    )
    assert told[-1].endswith("the root is worth +3, and 5 of 7 leaves were evaluated.")


def test_a_node_that_is_moved_changes_the_count_and_the_end_is_shown(stepper):
    command(stepper, "move", node=4, to=0)
    assert stepper.order[0] == [4, 1, 8]
    assert (stepper.num_evaluated, stepper.before) == (7, 5)
    assert stepper.at == len(stepper.steps) - 1
    command(stepper, "move", node=10, to=0)
    assert stepper.order[8] == [10, 9]
    assert (stepper.num_evaluated, stepper.before) == (6, 7)
    command(stepper, "reset")
    assert stepper.order[0] == [1, 4, 8]
    assert (stepper.num_evaluated, stepper.before) == (5, 6)
    stepper.at = 1_000  # the page cannot step out of the search
    assert stepper.at == len(stepper.steps) - 1
    stepper.at = -1
    assert stepper.at == 0


def test_what_cannot_be_moved_is_said_and_nothing_changes(stepper):
    before = stepper.order
    with pytest.raises(ValueError, match="node=0 cannot be moved: nodes 1 to 10 can"):
        stepper.move(0, 0)
    with pytest.raises(ValueError, match="to=3 is no place among the 3 moves"):
        stepper.move(1, 3)
    command(stepper, "move", node=99, to=0)
    assert stepper.message.startswith("ValueError: node=99")
    assert stepper.order == before
    stepper.move(1, 1)
    assert stepper.message == ""


def test_where_nothing_runs_a_picture_shows_what_was_cut(stepper, notebook_output):
    shown = notebook_output(stepper)
    assert any("Alpha-beta evaluated 5 of 7 leaves" in str(data) for data in shown)
    picture = stepper.still_svg()
    assert "5 of 7 leaves were evaluated" in picture
    assert picture.count("stroke-dasharray") == 4, "two leaves, and the edges that lead there"
    stepper.move(4, 0)
    assert "7 of 7 leaves were evaluated" in stepper.still_svg()
    assert "7 of 7" in stepper.still_note()
