"""What holds of every drawing: its words are there and inside it, nothing is cut off or covered."""

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import draw, search
from mctslab.boards.style import contrast
from mctslab.draw import simple_charts, strength
from mctslab.draw.cards import STONE_ROOM
from mctslab.draw.colors import INK, OKABE_ITO
from mctslab.draw.curves import Chart
from mctslab.draw.regret import regret
from mctslab.draw.training import Curves, training_curves
from mctslab.games import Gomoku, Reversi
from mctslab.search import bandits
from tests.draw.drawn import (
    SVG,
    Counting,
    all_texts,
    drawn_nodes,
    ends_in_a_wide_font,
    ends_of,
    grow,
    texts_of,
    visited_root,
)  # fmt: skip
from tests.draw.test_trees import BEFORE_THE_END, boards_of, card_of, small_tree


class Layer(NamedTuple):
    name: str
    what: str
    inputs: tuple[str, ...]
    shape: tuple[int, ...]
    num_parameters: int


LAYERS = (
    Layer("planes", "what goes in", (), (4, 6, 7), 0),
    Layer("stem", "3 × 3 convolution", ("planes",), (8, 6, 7), 1216),
    Layer("tower.0.add", "sum", ("planes", "stem"), (8, 6, 7), 0),
    Layer("value", "", ("tower.0.add",), (), 0),
)
WIDE = Layer("stem", "3 × 3 convolution, batch norm, ReLU", ("planes",), (128, 15, 15), 1216)


def uneven() -> search.Node:
    """A tree in which cards of a ply have three or four lines."""
    root = small_tree()
    grow(root.children[1], 0, visit_count=1, total_value=1.0)
    return root


TREES = {
    "search": lambda: draw.tree(visited_root(Counting(width=77, length=2), 1_000), top=3),
    "boards": lambda: draw.tree(uneven(), boards=True),
    "values": lambda: draw.game_tree(BEFORE_THE_END, values=lambda state: (-1.0, 1.0)),
    "game": lambda: draw.game_tree(Reversi(size=4), depth=1),
}


def box_of(element: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a card."""
    points = element.get("d") or element.get("points") or ""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", points)]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


@pytest.mark.parametrize("name", TREES)
def test_a_card_holds_its_words_and_board_and_those_of_a_ply_are_equally_high(name):
    """Also in a font that is wider than Graphviz takes it for; no edge passes behind a card."""
    nodes = drawn_nodes(TREES[name]().svg)
    rows: dict[int, set[int]] = {}
    for node in nodes:
        left, top, right, bottom = box_of(card_of(node))
        rows.setdefault(round(top), set()).add(round(bottom))
        for text in node.findall(f"{SVG}text"):
            begin, end = ends_in_a_wide_font(text)
            is_heading = text.get("font-weight") == "bold"
            assert begin - left >= (STONE_ROOM if is_heading else 3), text.text
            assert right - end >= 3, text.text
        for board in boards_of(node):
            x, y, width, height = (float(board.get(k, "")) for k in ("x", "y", "width", "height"))
            assert left < x < x + width < right
            assert top < y < y + height < bottom
            words = [float(text.get("y", "")) for text in node.findall(f"{SVG}text")]
            assert all(y + height < place < bottom for place in words), "they stand under it"
    assert sum(map(len, map(texts_of, nodes))) > 1
    assert all(len(bottoms) == 1 for bottoms in rows.values())


def test_words_of_layers_keep_off_borders_and_arrows_and_nothing_is_cut_off():
    root = ElementTree.fromstring(draw.net_layers((LAYERS[0], WIDE, *LAYERS[2:])).svg)
    (group,) = (each for each in root.iter(f"{SVG}g") if each.get("class") == "graph")
    shift = float(re.findall(r"translate\(([-\d.]+)", group.get("transform", ""))[0])
    left, _, width, _ = map(float, root.get("viewBox", "").split())
    for each in group.iter(f"{SVG}g"):
        outlines = [part for part in each if part.tag in (f"{SVG}path", f"{SVG}polygon")]
        for text in each.findall(f"{SVG}text"):
            begin, end = ends_in_a_wide_font(text)
            assert left <= begin + shift < end + shift <= left + width, text.text
            if text.text == "+":  # in a circle
                continue
            first, last = ends_of(outlines[0])
            if each.get("class") == "node":
                assert first + 3 <= begin < end <= last - 3, text.text
            elif each.get("class") == "edge" and last - first < 1:  # straight down
                assert begin >= last + 1, text.text


ESTIMATE = (0.5, 0.4, 0.6)
SERIES = {"UCT": [0.4, 0.6], "flat": [0.3, 0.35]}
PLAYED = (bandits.greedy(), bandits.ucb1(0.5))
GOMOKU = Gomoku(size=9).board()


def charts() -> Iterator[tuple[str, Chart, set[str]]]:
    """A chart of each kind, and words that are in it."""
    rng = np.random.default_rng(3)
    yield (
        "lines",
        simple_charts.lines([10, 100], SERIES, x_label="budget", y_label="score", log_x=True),
        {"budget", "score", "UCT", "flat", "10", "100"},
    )
    yield (
        "bars",
        simple_charts.bars({"Tic-Tac-Toe": 3, "Reversi": 5}, label="games", marks={"a day": 2}),
        {"games", "Tic-Tac-Toe", "Reversi", "a day"},
    )
    yield "Elo", strength.elo_ratings(["best", "zero"], [(9, 3, 20), (0, 0, 0)]), {"best", "zero"}
    yield "scores", strength.match_scores({"good": ESTIMATE}), {"good", "0.500"}
    yield (
        "repeated",
        strength.repeated_match([ESTIMATE, (0.7, 0.6, 0.8)], 0.65),
        {"score (a draw is half a win)"},
    )
    yield "running", strength.running_score({"a": [ESTIMATE], "c": [ESTIMATE]}), {"a", "c"}
    yield "table", strength.cross_table(["a", "b"], [[None, 0.75], [0.25, None]]), {"0.75", "0.25"}
    played = [bandits.play((0.2, 0.7), s, num_pulls=70, num_runs=9, rng=rng) for s in PLAYED]
    yield "regret", regret(played), {str(PLAYED[0]), "pulls"}
    log = [{"number": n, "value_loss": 1 / n, "policy_loss": 2 / n} for n in (1, 2, 3)]
    yield "training", training_curves(Curves(log), num_iterations=9), {"Loss of the value"}
    planes = draw.planes(np.eye(9), ["own stones"], board=GOMOKU, square_size=30, numbers=True)
    yield "planes", planes, {"own stones", *GOMOKU.column_labels}


def test_a_chart_has_its_words_inside_it_and_says_what_it_shows():
    for name, chart, words in charts():
        assert words <= set(all_texts(chart.svg)), (name, sorted(set(all_texts(chart.svg))))
        root = ElementTree.fromstring(chart.svg)
        _, _, width, height = map(float, root.get("viewBox", "").split())
        for text in root.iter(f"{SVG}text"):
            place = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", text.get("transform", ""))
            x, y = place.groups() if place else (text.get("x", ""), text.get("y", ""))
            assert 0 <= float(x) <= width, (name, text.text)
            assert 0 < float(y) <= height, (name, text.text)
        assert len(chart.description.split()) > 2, name
        assert "fill:var(--jp-ui-font-color1" in chart.svg, name
        assert "#000000" not in chart.svg, name


def test_colours_are_seen_in_both_themes():
    for color in (*OKABE_ITO, INK):
        assert contrast(color, "#ffffff") >= 2
        assert contrast(color, "#111111") >= 3


SIZE = "one entry for each name, and at least one"
BEST = partial(draw.tree, visited_root(Counting(), 1))


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
        (partial(draw.net_layers, (*LAYERS, LAYERS[1])), "two layers called 'stem'"),
        (partial(draw.net_layers, LAYERS[1:]), "'planes', which is an input of 'stem', is not a"),
        (partial(draw.minimax_tree, []), "has no move"),
        (partial(draw.minimax_tree, [[1, 2], []]), "has no move"),
        (partial(draw.bitboard, 1 << 4, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(draw.bitboard, -1, size=2), "is not a bitboard of 2 x 2 squares"),
        (partial(BEST, top=0), "top is 0; it must be at least 1"),
        (partial(BEST, depth=-1), "depth is -1; it must be at least 0"),
        (partial(BEST, min_visits=-1), "min_visits is -1; it must be at least 0"),
        (partial(BEST, max_nodes=0), "max_nodes is 0; it must be at least 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawing, message):
    with pytest.raises(ValueError, match=message):
        drawing()
