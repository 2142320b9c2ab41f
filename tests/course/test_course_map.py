"""The map of the course shows what is done and what comes next."""

import html
import re

import pytest

from mctslab.course import progress_map
from mctslab.course.keeping import progress
from mctslab.course.keeping.progress import record
from mctslab.course.result import Outcome
from tests.course.small_course import exercise_cell, notebook, selection, start, text, write
from tests.notebooks.reading import NOTEBOOKS


@pytest.fixture(autouse=True)
def folder(tmp_path, home):
    return write(tmp_path, **{"00_start_here": start(), "03_selection": selection()})


def items_of(course):
    """The lines of the list, in words."""
    items = re.findall("<li style.*?</li>", course._repr_html_())
    marks = (re.sub('<span role="img" aria-label="(.*?)".*?</span>', r"\1", each) for each in items)
    return [" ".join(html.unescape(re.sub("<[^>]*>", " ", each)).split()) for each in marks]


def test_a_wrong_answer_changes_nothing_and_right_ones_lead_on_to_the_end(folder):
    record("ucb1", Outcome.WRONG)
    first = "03 Selection (0 of 2 solved) ← next open ucb1 open select"
    assert items_of(progress_map(folder)) == ["00 Start here", first]
    assert str(progress_map(folder)) == "Next: 03 Selection, exercise ucb1."
    record("ucb1", Outcome.RIGHT)
    then = "03 Selection (1 of 2 solved) ← next solved ucb1 open select"
    assert items_of(progress_map(folder)) == ["00 Start here", then]
    assert str(progress_map(folder)) == "Next: 03 Selection, exercise select."
    record("select", Outcome.RIGHT)
    course = progress_map(folder)
    assert (course.next, str(course)) == (None, "All exercises are solved.")
    assert "All exercises are solved." in course._repr_html_()
    assert not re.search("← next|aria-current", course._repr_html_())


def test_a_side_road_comes_after_its_notebook_and_is_never_next_before_the_road(folder):
    more = exercise_cell("minimax")
    write(folder / "more", **{"00_aside": notebook(text("title", "# 00 · Aside"), more)})
    course = progress_map(folder)

    begins = items_of(course)[0]
    assert begins == "00 Start here Side roads: Aside (0 of 1 solved)"
    assert '<a href="more/00_aside.ipynb">Aside</a>' in course._repr_html_()
    assert str(course) == "Next: 03 Selection, exercise ucb1."
    assert progress_map().stops[0].file == NOTEBOOKS[0].name, "without a folder, the project's"
    record("ucb1", Outcome.RIGHT)
    record("select", Outcome.RIGHT)
    assert progress_map(folder).next.number == "00"


def test_in_a_side_road_the_map_is_the_same_and_its_links_lead_up(folder, monkeypatch):
    write(folder / "more", **{"00_aside": notebook(text("title", "# 00 · Aside"))})
    monkeypatch.chdir(folder / "more")
    assert items_of(progress_map()) == items_of(progress_map(folder))
    links = [stop.file for stop in progress_map().stops]
    assert links == ["../00_start_here.ipynb", "../more/00_aside.ipynb", "../03_selection.ipynb"]


def test_the_map_shows_how_often_predictions_came_true(folder):
    assert "Your predictions" not in progress_map(folder)._repr_html_()
    made = [(80, True)] * 3 + [(80, False), (60, True), (None, None)]
    for number, (confidence, came_true) in enumerate(made):
        prediction = progress.Prediction("UCT", confidence, came_true)
        add = {f"prediction-{number}": prediction}
        progress.change(lambda content, add=add: content.predictions.update(add))

    markup = progress_map(folder)._repr_html_()
    assert "<li>60% sure: 1 of 1 came true (21% to 100%)</li>" in markup
    assert "<li>80% sure: 3 of 4 came true (30% to 95%)</li>" in markup
