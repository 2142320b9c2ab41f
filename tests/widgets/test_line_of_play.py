"""A line of moves that is walked back and forth."""

import pytest

from mctslab.games import Gomoku, IllegalActionError
from mctslab.widgets.line_of_play import LineOfPlay
from mctslab.widgets.match import RecordError


@pytest.fixture
def line():
    made = LineOfPlay(Gomoku(size=6, in_a_row=4))
    for action in (0, 7, 35):
        made.play(action)
    return made


def test_it_goes_back_and_forth(line):
    first = Gomoku(size=6, in_a_row=4)
    assert (line.actions, line.record) == ((0, 7, 35), "A6 B5 F1")
    assert line.state == first.child(0).child(7).child(35)
    line.undo()
    line.undo()
    assert line.actions == (0,)
    assert line.state == first.child(0)
    line.redo()
    assert line.actions == (0, 7)
    assert line.can_undo
    assert line.can_redo


def test_at_its_ends_nothing_happens(line):
    line.redo()
    assert line.actions == (0, 7, 35)
    for _ in range(9):
        line.undo()
    assert line.actions == ()
    assert not line.can_undo
    line.undo()
    assert line.state == line.first_state


def test_another_move_forgets_those_that_were_taken_back(line):
    line.undo()
    line.undo()
    line.play(20)
    assert line.actions == (0, 20)
    assert not line.can_redo
    line.undo()
    line.redo()
    assert line.actions == (0, 20)


def test_the_same_move_keeps_what_comes_after_it(line):
    line.undo()
    line.undo()
    line.play(7)
    assert line.can_redo
    line.redo()
    assert line.actions == (0, 7, 35)


def test_an_illegal_move_changes_nothing(line):
    line.undo()
    with pytest.raises(IllegalActionError):
        line.play(0)
    assert line.actions == (0, 7)
    assert line.can_redo


def test_a_record_is_set_up_or_nothing_changes(line):
    line.set_up("c3 d4")
    assert line.record == "C3 D4"
    assert not line.can_redo
    with pytest.raises(RecordError, match="Move 2"):
        line.set_up("a1 a1")
    assert line.record == "C3 D4"
