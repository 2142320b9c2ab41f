"""Charts: every number that was given is drawn, the words are inside, and the look is meant."""

import math
import re
from dataclasses import replace
from functools import partial
from hashlib import sha256
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
from mctslab.draw.training import Curves, Scored, training_curves
from mctslab.games import Gomoku
from mctslab.search import bandits
from mctslab.widgets.records import Move
from tests.draw.drawn import SVG, all_texts

# A chart of each kind

GOMOKU = Gomoku(size=9).board()
TRAINING = (
    *("f1e14570332343ad", "177ac7c87a0977a3", "f6ba4b210931d7c5"),
    *("461f23d4abdc9395", "3dadf0d451cf6e6a", "d98cf32a333a96b0"),
)
LOSSES = ("value_loss", "policy_loss", "policy_entropy", "game_length", "first_player_score")
lines = partial(simple_charts.lines, x_label="budget", y_label="score")


def logged(number, shift=0.0, **changes):
    known = {name: (place + 1 / number + shift) / 10 for place, name in enumerate(LOSSES)}
    return {"number": number, **known, **changes}


def simple():
    """Each with its name and the digest of what is golden of it."""
    two = {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]}
    options = {"level": 0.45, "log_x": True, "y_range": (0, 1)}
    options["intervals"] = {"UCT": [(0.31, 0.51), (0.52, 0.71)]}
    yield "lines with a band", "4845b4b5187e2850", lines([10, 100], two, **options)
    many = {name: [place, place + 0.5] for place, name in enumerate("abcd")}
    whiskers = {name: [(y - 0.2, y + 0.3) for y in values] for name, values in many.items()}
    yield "whiskers", "ebc4d7d59183cbc2", lines([1, 1_000], many, intervals=whiskers, log_x=True)
    ordered = lines([2, 3, 4, 5], {"ordered": [0, 2, 1, 3]}, order=["flat", "ordered"])
    yield "plies are whole, and the order gives the look", "1b7532ba93603b81", ordered
    yield "halves", "cc4f01cdae926290", lines([0.5, 1, 2], {"all": [1, 2, 3]})
    beyond = lines([0.5, 1, 1.5], {"inside": [0, 1, 0], "beyond": [0, 1, 2]}, y_range=(0, 1))
    yield "no marker is cut in two", "dd88d72c134faa86", beyond
    yield "a logarithm upwards", "c3541dfaf0fd61b3", lines([1, 2], {"n": [1, 9_000]}, log_y=True)
    options = {"intervals": {"second": (4, 6)}, "marks": {"a day": 2}, "value_range": (0, 9)}
    bars = simple_charts.bars({"first": 3, "second": 5}, label="games", **options)
    yield "bars", "ada63f7eab3593be", bars


def strengths():
    elo = [(0.0, 0.0, 0.0), (210.0, 150.0, 270.0), (-60.0, -90.0, -30.0)]
    yield "ratings", "c9299b73f1bdb713", strength.elo_ratings(["zero", "best", "worst"], elo)
    ends = [(math.inf, 300, math.inf), (0, -math.inf, 5)]
    yield "open intervals", "5c3eac1f6b75d2f9", strength.elo_ratings(["all", "none"], ends)
    scores = {"good": (0.8, 0.7, 0.9), "bad": (0.1, 0.0, 0.25)}
    yield "scores", "cb57c466278196a3", strength.match_scores(scores, order=["bad", "good"])
    table = strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]])
    yield "a table", "c0f8ce418b4304a3", table


def others():
    rng = np.random.default_rng(3)
    strategies = (bandits.greedy(), bandits.ucb1(0.5))
    played = [bandits.play((0.2, 0.7), s, num_pulls=70, num_runs=9, rng=rng) for s in strategies]
    yield "regret", "9830b48c0749cc44", simple_charts.regret(played)
    logarithmic = simple_charts.regret(played, log_pulls=True)
    yield "regret over a logarithm", "4f78a2ebe48ca83a", logarithmic
    matches = {
        "random": [Scored(2, 0.9, 0.7, 0.97), Scored(4, 1.0, 0.84, 1.0)],
        "uct:100": [Scored(4, 0.25, 0.11, 0.47)],
    }
    reference = [Curves([logged(n, shift) for n in (1, 2)]) for shift in (0.5, -0.25, 0.1)]
    curves_of = partial(training_curves, num_iterations=10)
    run = Curves([logged(number) for number in (1, 2, 3, 4)], matches)
    for number, chart in enumerate(curves_of(run, reference=reference)):
        yield f"training {number}", TRAINING[number], chart
    log = [logged(1, value_loss=None), logged(2, value_loss=math.nan), logged(3), {"number": 4}]
    yield "a point can be seen", "aaabdd3b8b185954", curves_of(Curves(log))[0]
    scored = Curves(log[:2], {"random": [Scored(5, 1, 1, 1)]})
    yield "a long run", "1ef87e7140399200", training_curves(scored, num_iterations=200)[-1]
    short, *_ = training_curves(Curves([logged(1)]), num_iterations=2)
    yield "a short run", "62a1bd4f62f1a0b2", short
    planes = draw.planes(np.eye(9) - 0.5, ["own stones"], board=GOMOKU, square_size=30)
    yield "planes", "f09c3eb324fada5a", planes
    stack = np.arange(18 * 81).reshape(18, 9, 9) % 5 - 2.0
    yield "many planes", "c792b06725203792", draw.planes(stack, [f"plane {n}" for n in range(18)])


CHARTS = {name: rest for each in (simple, strengths, others) for name, *rest in each()}


def parts_of(chart):
    """What shows numbers."""
    for axes in chart.figure.axes:
        yield from (*axes.lines, *axes.collections, *axes.patches, *axes.images)


def numbers_of(part):
    """The places that it joins, or the numbers that it paints."""
    if isinstance(part, AxesImage):
        found = part.get_array()
    elif isinstance(part, Collection):
        found = [path.vertices for path in part.get_paths()]
    else:
        found = part.get_xydata() if isinstance(part, Line2D) else part.get_bbox().get_points()
    return [round(float(number), 4) for number in np.concatenate([[], *found], axis=None)]


def look_of(part):
    """Its colours, and of lines also how else they differ, and how far they are moved aside."""
    if isinstance(part, AxesImage):
        return [to_hex(color) for color in part.cmap(part.norm(np.arange(-2, 3)))]
    if isinstance(part, Line2D):
        names = ("label", "color", "marker", "markerfacecolor", "linestyle", "clip_on")
        look = [getattr(part, f"get_{name}")() for name in names]
    else:
        colors = (part.get_facecolor(), part.get_edgecolor())
        look = [to_hex(color, keep_alpha=True) for each in colors for color in np.atleast_2d(each)]
    aside, _ = part.get_transform().transform((1, 1)) - part.axes.transData.transform((1, 1))
    is_along_axes = not isinstance(part, Line2D | Collection)
    return look if is_along_axes else [*look, round(float(aside), 2)]


def frame_of(axes):
    """Its scales and ends, and where its ticks are as shares of its width."""
    ends = [*axes.get_xlim(), *axes.get_ylim()]
    ticks = np.reshape([(tick, ends[2]) for tick in axes.get_xticks()], (-1, 2))
    shares = axes.transAxes.inverted().transform(axes.transData.transform(ticks))[:, 0]
    numbers = [round(float(number), 4) for number in (*ends, *shares)]
    return [axes.get_xscale(), axes.get_yscale(), numbers]


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_as_it_was_looked_at_and_its_words_are_inside_it(name):
    """Golden are its numbers, its words, and how it looks and is framed, in both themes."""
    golden, chart = CHARTS[name]
    picture = chart.svg
    words = all_texts(picture)
    parts = [[*look_of(part), *numbers_of(part)] for part in parts_of(chart)]
    made = repr([parts, *map(frame_of, chart.figure.axes), words, chart.description])
    assert sha256(made.encode()).hexdigest()[:16] == golden, made[:500]
    root = ElementTree.fromstring(picture)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for text in root.iter(f"{SVG}text"):
        place = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", text.get("transform", ""))
        x, y = place.groups() if place else (text.get("x", "1"), text.get("y", "1"))
        assert 0 <= float(x) <= width <= 760, text.text
        assert 0 < float(y) <= height, text.text
    assert "fill:var(--jp-ui-font-color1" in picture
    assert "#000000" not in picture


# The look of all charts


def test_a_chart_shows_itself_in_the_colours_of_the_page_and_two_share_no_ids():
    ids = []
    for label in ("games", "states"):
        figure, axes = curves.subplots(height=2)
        axes.barh(["Tic-Tac-Toe", "Reversi"], [255_168, 1e58], color=OKABE_ITO[3])
        axes.plot([1, 2], [0, 1], color="black")
        axes.set(xscale="log", xlabel=label)
        axes.legend(["a line"])
        chart = Chart(figure, description=f"Bars of {label}")
        bundle = chart._repr_mimebundle_()
        picture = bundle["image/svg+xml"]
        assert picture == bundle["text/html"] == chart.svg
        assert bundle["text/plain"] == f"Bars of {label}"
        root = ElementTree.fromstring(picture)
        assert root[0].get("fill") == INK
        assert "fill: #ffffff" not in picture
        assert f"{OKABE_ITO[3]}; fill: color-mix(in srgb, {OKABE_ITO[3]} 78%, var(" in picture
        assert not list(root.iter(f"{SVG}style")), "a style sheet would hold for the whole page"
        links = {each.get("href", "").removeprefix("#") for each in root.iter(f"{SVG}use")}
        clips = {each.get("clip-path", "")[5:-1] for each in root.iter() if each.get("clip-path")}
        ids.append({each.get("id", "") for each in root.iter()} - {""})
        assert ids[-1] == links | clips != set()
    assert ids[0].isdisjoint(ids[1])


def test_colours_are_seen_in_both_themes():
    for color in (*OKABE_ITO, INK):
        assert contrast(color, "#ffffff") >= 2
        assert contrast(color, "#111111") >= 3


# The cost of moves


GAME = (
    Move(19, 0, "d3", False, 2.0, num_simulations=400),
    Move(18, 1, "c3", False, 0.5, num_nodes=90_000),
    Move(26, 0, "c4", False, 1.0, num_simulations=200),
    Move(64, 1, "pass", True, None),
    Move(0, 0, "<&>", False, 4.0),
)


def test_the_cost_of_every_move_that_was_measured_is_in_a_chart_and_in_the_table():
    names = ("Black", "White")
    drawn = draw.clocks(GAME, names)
    time, nodes, _ = map(all_texts, drawn.charts)
    colors = {color for chart in drawn.charts for color in re.findall(r": (#[0-9a-f]{6})", chart)}
    assert colors <= {INK, "#ffffff"}, "without the stones' colours"
    colored = "".join(draw.clocks(GAME, names, ("#d55e00", "#f0e442")).charts)
    assert "fill: #d55e00" in colored
    assert "fill: #f0e442" in colored
    assert {"Black: 7.00 s in total", "White: 500 ms in total"} <= set(time)
    assert {"ply", "Time of a move", "2 s", "0 s"} <= set(time), "the axis has a unit"
    assert not [text for text in time if text.startswith(("-", "−"))]
    assert {"White: 90,000 in total", "80 k"} <= set(nodes)
    assert drawn.table.head == ("Ply", "Side", "Move", "Time", "Nodes", "Simulations")
    rows = drawn.table.rows
    assert rows[0] == ("1", "Black", "d3", "2.00 s", "", "400")
    assert rows[3] == ("4", "White", "pass", "", "", "")
    assert rows[-1] == ("", "White", "in total", "500 ms", "90,000", "none")
    page = drawn._repr_mimebundle_()["text/html"]
    assert page.count("<tr>") == 1 + 5 + 2
    assert "&lt;&amp;&gt;" in page
    untimed = draw.clocks([replace(move, seconds=None) for move in GAME], names)
    assert untimed.table.head[3:] == ("Nodes", "Simulations")
    nothing = draw.clocks([replace(move, seconds=None) for move in GAME[3:]], names)
    assert nothing.charts == ()
    told = "No time was measured and nothing was counted."
    assert nothing._repr_mimebundle_()["text/plain"] == told
