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


def test_a_wrong_answer_changes_nothing_and_right_ones_lead_on_to_the_end(folder):
    record("ucb1", Outcome.WRONG)
    assert str(progress_map(folder)).splitlines() == [
        "   00 Start here",
        "-> 03 Selection  ○ ucb1  ○ select",
        "Next: 03 Selection, exercise ucb1.",
    ]
    record("ucb1", Outcome.RIGHT)
    assert "✓ ucb1  ○ select" in str(progress_map(folder))
    assert "Next: 03 Selection, exercise select." in str(progress_map(folder))
    record("select", Outcome.RIGHT)
    course = progress_map(folder)
    assert (course.next, course.verdict) == (None, "All exercises are solved.")
    assert "->" not in str(course)
    assert "aria-current" not in course._repr_html_()


def test_the_map_leads_to_the_notebooks_and_says_all_in_words(folder):
    record("ucb1", Outcome.RIGHT)
    markup = progress_map(folder)._repr_html_()

    links = re.findall(r'<a href="([^"]*)"', markup)
    assert links == ["00_start_here.ipynb", "03_selection.ipynb"]
    assert markup.count('aria-current="step"') == 1
    assert re.findall(r'role="img" aria-label="(\w+)"', markup) == ["solved", "open"]
    assert markup.startswith('<nav aria-label="')
    words = html.unescape(re.sub("<[^>]*>", " ", markup))
    for said in ("Start here", "1 of 2 solved", "next", "exercise select"):
        assert said in words


def test_a_side_road_comes_after_its_notebook_and_is_never_next_before_the_road(folder):
    more = exercise_cell("minimax")
    write(folder / "more", **{"00_aside": notebook(text("title", "# 00 · Aside"), more)})
    course = progress_map(folder)

    assert str(course).splitlines()[:3] == [
        "   00 Start here",
        "     side road: Aside  ○ minimax",
        "-> 03 Selection  ○ ucb1  ○ select",
    ]
    assert progress_map().stops[0].file == NOTEBOOKS[0].name, "without a folder, the project's"
    items = re.findall("<li.*?</li>", course._repr_html_())
    assert '<a href="more/00_aside.ipynb">Aside</a> (0 of 1 solved)' in items[0]
    record("ucb1", Outcome.RIGHT)
    record("select", Outcome.RIGHT)
    assert progress_map(folder).next.number == "00"


def test_a_notebook_that_cannot_be_read_or_has_no_heading_does_not_hide_the_others(folder):
    for number, content in enumerate(("{", "[]", "{}", '{"cells": 3}')):
        (folder / f"1{number}_broken.ipynb").write_text(content)
    write(folder, **{"04_without": notebook(text("a", "no heading"), exercise_cell("ucb1"))})

    titles = [stop.title for stop in progress_map(folder).stops]
    assert titles == ["Start here", "Selection", "Untitled"]


def test_the_map_shows_how_often_predictions_came_true(folder):
    assert "Your predictions" not in progress_map(folder)._repr_html_()
    made = [(80, True)] * 3 + [(80, False), (60, True), (None, None)]
    for number, (confidence, came_true) in enumerate(made):
        prediction = progress.Prediction("2026-01-01", "UCT", confidence, came_true)
        progress.record_prediction(f"prediction-{number}", prediction)

    lines = str(progress_map(folder)).splitlines()[-2:]
    assert lines == [
        "60% sure: 1 of 1 came true (21% to 100%)",
        "80% sure: 3 of 4 came true (30% to 95%)",
    ]
    markup = progress_map(folder)._repr_html_()
    assert all(line in markup for line in lines)
