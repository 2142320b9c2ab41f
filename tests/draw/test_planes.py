"""Planes drawn as images. How they look is held by the golden charts."""

from xml.etree import ElementTree

import numpy as np
import pytest

from mctslab import draw
from mctslab.draw.planes import WIDTH
from tests.draw.drawn import SVG


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
