"""Lines and bars: what is drawn is what was given."""

import pytest

from mctslab.draw import simple_charts


def test_lines_have_values_intervals_and_names():
    chart = simple_charts.lines(
        [10, 100],
        {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]},
        x_label="budget",
        y_label="score",
        intervals={"UCT": [(0.3, 0.5), (0.5, 0.7)]},
        level=0.5,
        log_x=True,
        y_range=(0, 1),
    )
    (axes,) = chart.figure.axes
    uct, flat, level = axes.lines
    assert uct.get_xydata().tolist() == [[10, 0.4], [100, 0.6]]
    assert uct.get_marker() != flat.get_marker()
    assert level.get_ydata() == [0.5, 0.5]
    corners = axes.collections[0].get_paths()[0].vertices.tolist()
    assert [10, 0.3] in corners
    assert [100, 0.7] in corners
    assert [label.get_text() for label in axes.get_xticklabels()] == ["10", "100"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["UCT", "flat"]
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_ylim()) == ("log", "linear", (0, 1))
    assert "score against budget" in chart.svg


def test_a_line_looks_the_same_in_every_chart_with_the_same_order():
    def looks(series, **options):
        lines = axes_of([1, 2], series, **options).lines
        return {line.get_label(): (line.get_color(), line.get_marker()) for line in lines}

    series, order = {"UCT": [0, 1], "flat": [1, 0]}, ("flat", "random", "UCT")
    both = looks(series, order=order)
    assert both["UCT"] != both["flat"]
    assert looks({"UCT": [0, 1]}, order=order) == {"UCT": both["UCT"]}
    assert looks({"UCT": [0, 1]}) == {"UCT": looks(series)["UCT"]} != {"UCT": both["UCT"]}


def test_a_single_line_needs_no_legend():
    axes = axes_of([1, 2], {"nodes": [1, 9_000]}, log_y=True)
    assert axes.get_legend() is None
    assert axes.get_yscale() == "log"
    low, high = axes.get_ylim()
    assert 0.1 < low < 1
    assert 9_000 < high < 90_000


def test_bars_stand_in_order_with_intervals_and_marks():
    chart = simple_charts.bars(
        {"first": 3, "second": 5},
        label="games",
        intervals={"second": (4, 6)},
        marks={"in a day": 2},
        value_range=(0, 9),
    )
    (axes,) = chart.figure.axes
    assert [bar.get_width() for bar in axes.patches] == [3, 5]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "second"]
    assert axes.yaxis_inverted()
    interval, mark = axes.lines
    assert (list(interval.get_xdata()), mark.get_xdata()) == ([4, 6], [2, 2])
    assert axes.get_xlim() == (0, 9)
    assert "games: first, second" in chart.svg


def axes_of(x, series, **options):
    return simple_charts.lines(x, series, x_label="", y_label="", **options).figure.axes[0]


@pytest.mark.parametrize(("x", "is_whole"), [([2, 3, 4, 5], True), ([0.5, 1.0, 1.5], False)])
def test_plies_have_no_halves(x, is_whole):
    ticks = axes_of(x, {"value": x}).get_xticks()
    assert all(float(tick).is_integer() for tick in ticks) == is_whole


def test_a_marker_at_the_end_of_the_range_is_not_cut_in_two():
    axes = axes_of([1, 2], {"inside": [0, 1], "beyond": [0, 2]}, y_range=(0, 1))
    assert [line.get_clip_on() for line in axes.lines] == [False, True]
