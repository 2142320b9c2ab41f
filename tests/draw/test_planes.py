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
    left, top = map(min, zip(*colors, strict=True))
    return [
        [
            [colors[left + plane * wide + col * SIZE, top + row * SIZE] for col in range(shape[2])]
            for row in range(shape[1])
        ]
        for plane in range(shape[0])
    ]


@given(st.lists(st.lists(st.floats(0, 50), min_size=3, max_size=3), min_size=1, max_size=4))
def test_amounts_share_one_scale(rows):
    stack = np.array([rows, np.flip(rows)])
    stack[1, 0, 0] = 60.0  # not in the first plane
    for values, color, ends in (
        (stack, lambda x: heat_color(x / 60), ["0", "60"]),
        (-stack, lambda x: value_color(x / 60), ["−60", "60"]),  # below 0: values
        (stack > 30, lambda x: ONE if x else ZERO, []),
    ):
        picture = draw.planes(values, square_size=SIZE).svg
        shown = stack_of(picture, stack.shape, 3 * SIZE + 14)
        assert shown == [[[color(x) for x in row] for row in plane] for plane in values]
        assert all_texts(picture)[-2:] == ends


def test_names_stand_over_their_planes_and_numbers_in_their_squares():
    drawn = draw.planes([[[1, 0]], [[0.25, -3]]], ["a", "b"], square_size=20, numbers=True)

    assert all_texts(drawn.svg)[:6] == ["a", "1", "0", "b", "0.25", "−3"]
    assert "<desc>a; b</desc>" in drawn.svg
    assert "var(--jp-ui-font-color1" in drawn._repr_mimebundle_()["text/html"], "the page's colour"


@pytest.mark.parametrize(("count", "size"), [(18, 9), (18, 15), (1, 40)])
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
