"""Charts of playing strength: bars, whiskers, bands and cells are where the numbers are."""

import math

import pytest
from matplotlib.colors import to_hex

from mctslab.boards.style import value_color
from mctslab.draw import strength
from mctslab.draw.colors import TEXT
from tests.draw.drawn import all_texts

ELO = [(0.0, 0.0, 0.0), (210.0, 150.0, 270.0), (-60.0, -90.0, -30.0)]
NAMES = ["zero", "best", "worst"]


def test_bars_reach_to_the_rating_and_whiskers_over_the_interval():
    chart = strength.elo_bars(NAMES, ELO)
    (axes,) = chart.figure.axes
    assert [bar.get_width() for bar in axes.patches] == [-60, 0, 210]  # from below
    assert [label.get_text() for label in axes.get_yticklabels()] == ["worst", "zero", "best"]
    whiskers = [list(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2]
    assert [-90, -30] in whiskers
    assert [150, 270] in whiskers
    assert axes.get_xlim()[0] < -90 < 270 < axes.get_xlim()[1]
    assert "best +210 (+150 to +270); zero +0" in chart.description
    (axes,) = strength.elo_bars(["a"], [(0, 0, 0)]).figure.axes
    assert axes.get_xlim()[0] < 0 < axes.get_xlim()[1]


def test_an_interval_without_an_end_has_an_arrow():
    open_ended = [(math.inf, 300, math.inf), (0, -math.inf, 5)]
    (axes,) = strength.elo_bars(["all", "none"], open_ended).figure.axes
    markers = [line.get_marker() for line in axes.lines]
    assert (markers.count(">"), markers.count("<"), markers.count("|")) == (1, 1, 2)
    assert all(math.isfinite(end) for end in axes.get_xlim())


def test_scores_stand_below_each_other_with_their_intervals():
    scores = {"good": (0.8, 0.7, 0.9), "bad": (0.1, 0.0, 0.25)}
    chart = strength.match_scores(scores)
    (axes,) = chart.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["good", "bad"]
    ends = [list(line.get_xdata()) for line in axes.lines]
    assert ends == [[0.7, 0.9], [0.8], [0.0, 0.25], [0.1], [0.5, 0.5]]
    assert axes.lines[0].get_ydata()[0] > axes.lines[2].get_ydata()[0], "the first is on top"
    assert axes.get_xlim() == (0, 1)
    assert {"0.800", "0.100"} <= set(all_texts(chart.svg))


def test_a_match_that_was_repeated_is_a_whisker_each_time_and_hollow_if_it_decides_nothing():
    chart = strength.repeated_match([(0.6, 0.45, 0.75), (0.7, 0.55, 0.85)], 0.65)
    (axes,) = chart.figure.axes
    whiskers = [list(line.get_ydata()) for line in axes.lines if len(line.get_ydata()) == 2]
    assert [0.45, 0.75] in whiskers
    assert [0.55, 0.85] in whiskers
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [dot.get_ydata()[0] for dot in dots] == [0.6, 0.7]
    assert [dot.get_markerfacecolor() == "white" for dot in dots] == [True, False]
    assert {line.get_ydata()[0] for line in axes.lines[-2:]} == {0.5, 0.65}
    assert "1 of 2 intervals contain one half" in chart.description


def test_the_running_score_is_a_line_with_a_band():
    scores = {
        "a against b": [(1.0, 0.2, 1.0), (0.5, 0.1, 0.9), (0.75, 0.3, 0.95)],
        "c against d": [(0.0, 0.0, 0.8)],
    }
    chart = strength.running_score(scores)
    (axes,) = chart.figure.axes
    assert axes.lines[0].get_xydata().tolist() == [[1, 1], [2, 0.5], [3, 0.75]]
    assert all(tick == round(tick) for tick in axes.get_xticks())
    band = axes.collections[0].get_paths()[0].vertices
    assert sorted(set(band[band[:, 0] == 3][:, 1])) == [0.3, 0.95]
    looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines[:2]}
    assert len(looks) == 2
    assert "a against b 0.750 (0.300 to 0.950) after 3 games" in chart.description
    # A long match stays a small picture.
    estimates = [(0.5, 0.4, 0.6)] * 9_999 + [(0.6, 0.5, 0.7)]
    (axes,) = strength.running_score({"long": estimates}).figure.axes
    games, values = axes.lines[0].get_data()
    assert len(games) <= 400
    assert (games[0], games[-1], values[-1]) == (1, 10_000, 0.6)


def test_the_cells_of_a_table_have_the_numbers_and_their_colours():
    chart = strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]])
    assert chart.description == "Scores: a against b 0.75; b against a 0.25"
    (axes,) = chart.figure.axes
    assert [text.get_text() for text in axes.texts] == ["0.75", "0.25"]
    assert {text.get_color() for text in axes.texts} == {TEXT}
    colors = [to_hex(cell.get_facecolor()) for cell in axes.patches]
    assert colors[1:3] == [value_color(0.5), value_color(-0.5)]
    assert colors[0] == colors[3]
    first = axes.texts[0].get_position()
    assert (int(first[0]), int(first[1])) == (1, 0)  # column b, row a; rows run downwards
    assert axes.yaxis_inverted()
    wider = strength.cross_table(["a", "b", "c"], [[None] * 3] * 3)
    assert all(wider.figure.get_size_inches() > chart.figure.get_size_inches())
    assert {"a 1", "b 2", "1", "2"} <= {" ".join(text.split()) for text in all_texts(chart.svg)}


def test_tables_of_another_size_are_refused():
    size = "one entry for each name, and at least one"
    for draw, arguments, message in (
        (strength.elo_bars, (["a", "b"], ELO), size),
        (strength.cross_table, (["a"], [[None, 0.5]]), size),
        (strength.cross_table, ([], []), size),
        (strength.match_scores, ({},), "at least one match"),
        (strength.repeated_match, ([], 0.5), "at least one match"),
        (strength.running_score, ({},), "1 to 6 matches"),
        (strength.running_score, ({str(n): [(0, 0, 1)] for n in range(7)},), "1 to 6 matches"),
    ):
        with pytest.raises(ValueError, match=message):
            draw(*arguments)
