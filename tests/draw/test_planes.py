"""Planes drawn as images: the colour of every square, the numbers, the order, the legend."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw
from mctslab.boards.style import heat_color, value_color
from mctslab.draw.planes import ONE, WIDTH, ZERO
from tests.draw.drawn import SVG, all_texts

SIZE = 10.0


def colors_of(picture: str) -> dict[tuple[float, float], str]:
    """The colour of each square, by its upper left corner in squares of ten pixels."""
    found = {}
    for path in ElementTree.fromstring(picture).iter(f"{SVG}path"):
        color = path.get("style", "").removeprefix("fill:")
        for x, y in re.findall(r"M([\d.]+) ([\d.]+)h10v10h-10z", path.get("d", "")):
            assert (float(x), float(y)) not in found, "drawn twice"
            found[float(x), float(y)] = color
    return found


def stack_of(picture: str, shape: tuple[int, int, int], wide: float) -> list[list[list[str]]]:
    """The colours as [C, rows, cols], for planes that stand in one row, `wide` pixels apart."""
    colors = colors_of(picture)
    left, top = min(x for x, _ in colors), min(y for _, y in colors)
    count, rows, cols = shape

    def row_of(plane: int, row: int) -> list[str]:
        xs = [left + plane * wide + col * SIZE for col in range(cols)]
        return [colors[x, top + row * SIZE] for x in xs]

    return [[row_of(plane, row) for row in range(rows)] for plane in range(count)]


def test_ones_are_dark_and_zeros_pale_in_their_places():
    stack = np.zeros((2, 2, 3))
    stack[0, 1, 2] = stack[1, 0, 0] = 1
    pale = [ZERO] * 3

    assert stack_of(draw.planes(stack, square_size=SIZE).svg, (2, 2, 3), 3 * SIZE + 14) == [
        [pale, [ZERO, ZERO, ONE]],
        [[ONE, ZERO, ZERO], pale],
    ]


@given(st.lists(st.lists(st.floats(0, 50), min_size=3, max_size=3), min_size=1, max_size=4))
def test_amounts_share_one_scale(rows):
    stack = np.array([rows, np.flip(rows)])
    stack[1, 0, 0] = 60.0  # not in the first plane
    picture = draw.planes(stack, square_size=SIZE).svg
    shown = stack_of(picture, stack.shape, 3 * SIZE + 14)

    assert shown == [[[heat_color(x / 60) for x in row] for row in plane] for plane in stack]
    assert all_texts(picture)[-2:] == ["0", "60"]


def test_a_negative_number_calls_for_the_colours_of_values():
    picture = draw.planes([[-2.0, 0.0, 1.0]], square_size=SIZE).svg

    assert stack_of(picture, (1, 1, 3), 0) == [
        [[value_color(-1), value_color(0), value_color(0.5)]]
    ]
    assert all_texts(picture)[-2:] == ["−2", "2"]


def test_names_stand_over_their_planes_and_numbers_in_their_squares():
    drawn = draw.planes([[[1, 0]], [[0.25, -3]]], ["a", "b"], square_size=20, numbers=True)

    assert all_texts(drawn.svg)[:6] == ["a", "1", "0", "b", "0.25", "−3"]
    assert "<desc>a; b</desc>" in drawn.svg
    shown = drawn._repr_mimebundle_()
    assert "var(--jp-ui-font-color1" in shown["text/html"], "the colour of the page's text"
    assert shown["image/svg+xml"].startswith("<svg ")


@pytest.mark.parametrize(("count", "size"), [(18, 9), (18, 15), (4, 14), (1, 40), (32, 6)])
def test_no_row_is_wider_than_the_page_and_no_two_planes_overlap(count, size):
    names = [f"opponent {n} plies ago" for n in range(count)]
    picture = draw.planes(np.ones((count, 9, 9)), names, square_size=size).svg
    root = ElementTree.fromstring(picture)
    frames = [(float(r.get("x", "")), float(r.get("y", ""))) for r in root.iter(f"{SVG}rect")]

    assert len(set(frames)) == count
    assert float(root.get("width", "")) <= WIDTH + 2
    side = 9 * size
    for place, (x, y) in enumerate(frames):
        assert x + side <= float(root.get("width", ""))
        assert y + side <= float(root.get("height", ""))
        for other_x, other_y in frames[:place]:
            assert abs(x - other_x) > side or abs(y - other_y) > side


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0],), r"\[C, rows, cols\]; this is \[2\]"),
        ((np.zeros((0, 3, 3)),), r"this is \[0, 3, 3\]"),
        ((np.eye(3), ["a", "b"]), "2 names for 1 planes"),
        (([[np.nan]],), "not a finite number"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        draw.planes(*arguments)
    with pytest.raises(ValueError, match=r"square_size=14.0 has no room for numbers"):
        draw.planes(np.eye(3), numbers=True)
