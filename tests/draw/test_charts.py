"""Charts: every number that was given is drawn, the words are inside, and the look is meant."""

import math
import re
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import draw
from mctslab.boards.style import contrast
from mctslab.draw import curves, simple_charts, strength
from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.curves import Chart
from mctslab.draw.training import Curves, Scored, training_curves
from mctslab.search import bandits
from mctslab.widgets.records import Move
from tests.draw.drawn import SVG, all_texts

# A chart of each kind

LOSSES = ("value_loss", "policy_loss", "policy_entropy", "game_length", "first_player_score")
lines = partial(simple_charts.lines, x_label="budget", y_label="score")


def logged(number, **changes):
    known = {name: (place + 1 / number) / 10 for place, name in enumerate(LOSSES)}
    return {"number": number, **known, **changes}


def played():
    rng = np.random.default_rng(3)
    strategies = (bandits.greedy(), bandits.ucb1(0.5))
    return [bandits.play((0.2, 0.7), s, num_pulls=70, num_runs=9, rng=rng) for s in strategies]


def trained():
    random = [Scored(2, 0.9, 0.7, 0.97), Scored(4, 1.0, 0.84, 1.0)]
    matches = {"random": random, "uct:100": [Scored(4, 0.25, 0.11, 0.47)]}
    log = [logged(1), logged(2, value_loss=None), logged(3, value_loss=math.nan), logged(4)]
    return training_curves(Curves(log, matches), num_iterations=10, reference=[Curves([logged(3)])])


FEW = {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]}
MANY = {name: [place, place + 0.5] for place, name in enumerate("abcd")}
WHISKERS = {name: [(y - 0.2, y + 0.3) for y in values] for name, values in MANY.items()}
PLANES = np.arange(18 * 81).reshape(18, 9, 9) % 5 - 2.0
CHARTS = {
    "a band and a level": (
        lines([10, 100], FEW, intervals={"UCT": [(0.31, 0.51), (0.52, 0.71)]}, level=0.45),
        [10, 100, 0.4, 0.6, 0.3, 0.35, 0.31, 0.51, 0.52, 0.71, 0.45],
    ),
    "whiskers": (
        lines([1, 1_000], MANY, intervals=WHISKERS, log_x=True),
        [1, 1_000, *(y for name in MANY for ends in WHISKERS[name] for y in ends)],
    ),
    "bars": (
        simple_charts.bars({"first": 3, "second": 5}, label="games", intervals={"second": (4, 6)},
                           marks={"a day": 2}, value_range=(0, 9)),
        [3, 5, 4, 6, 2],
    ),
    "ratings": (
        strength.elo_ratings(["zero", "best"], [(0.0, 0.0, 0.0), (210.0, 150.0, 270.0)]),
        [0, 210, 150, 270],
    ),
    "open intervals": (
        strength.elo_ratings(["all", "none"], [(math.inf, 300, math.inf), (0, -math.inf, 5)]),
        [300, 0, 5],
    ),
    "scores": (strength.match_scores({"bad": (0.1, 0.0, 0.25)}, order=["bad"]), [0.1, 0, 0.25]),
    "a table": (strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]]), []),
    "regret": (simple_charts.regret(played()), played()[1].mean_regret),
    "a logarithm": (simple_charts.regret(played(), log_pulls=True), []),
    **{f"training {number}": (chart, []) for number, chart in enumerate(trained())},
    "the strength of a net": (trained()[-1], [0.9, 0.7, 0.97, 1.0, 0.84, 0.25, 0.11, 0.47]),
    "planes": (draw.planes(PLANES, [f"plane {n}" for n in range(18)]), PLANES.ravel()),
}  # fmt: skip
"""Charts, and numbers that were given and must be drawn."""


def drawn_numbers(chart):
    """The coordinates of all that is drawn, and the numbers that are painted."""
    for axes in chart.figure.axes:
        yield from (line.get_xydata() for line in axes.lines)
        yield from (path.vertices for each in axes.collections for path in each.get_paths())
        yield from (patch.get_bbox().get_points() for patch in axes.patches)
        yield from (image.get_array() for image in axes.images)


@pytest.mark.parametrize("name", CHARTS)
def test_every_number_that_was_given_is_drawn_and_all_words_are_inside(name):
    chart, given = CHARTS[name]
    found = np.concatenate([[], *drawn_numbers(chart)], axis=None)
    assert {*np.round(given, 4)} <= {*np.round(found, 4)}
    root = ElementTree.fromstring(chart.svg)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for text in root.iter(f"{SVG}text"):
        place = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", text.get("transform", ""))
        x, y = place.groups() if place else (text.get("x", "1"), text.get("y", "1"))
        assert 0 <= float(x) <= width <= 760, text.text
        assert 0 < float(y) <= height, text.text


def test_the_words_of_charts_are_those_that_were_given():
    assert {"a  (1)", "b  (2)", "0.75", "0.25"} <= {*all_texts(CHARTS["a table"][0].svg)}
    assert CHARTS["open intervals"][0].description == "Elo: all +∞ (+300 to +∞); none 0 (−∞ to +5)"
    assert {"first", "second", "games", "a day"} <= {*all_texts(CHARTS["bars"][0].svg)}
    described = [chart.description for chart in trained()]
    assert described[0].startswith("Loss of the value, 4 of 10 iterations; value 0.03; bands: from")
    assert "random 1.00 (0.84 to 1.00); uct:100 0.25 (0.11 to 0.47)" in described[-1]


def test_a_line_goes_through_its_values_and_its_place_in_an_order_gives_its_look():
    chart = lines([2, 3, 4], {"ordered": [0, 2, 1]}, order=["flat", "ordered"])
    (line,) = chart.figure.axes[0].lines
    assert line.get_xydata().tolist() == [[2, 0], [3, 2], [4, 1]]
    assert (line.get_color(), line.get_marker()) == (OKABE_ITO[1], "s")
    words = all_texts(chart.svg)
    assert words[:3] == ["2", "3", "4"], "there are no half plies"


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
