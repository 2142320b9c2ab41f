"""A net drawn as a graph. What its boxes and edges say is held by the golden pictures."""

import re
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from mctslab import draw
from tests.draw.drawn import SVG, ends_in_a_wide_font, ends_of


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


def test_words_keep_off_borders_and_arrows_and_nothing_is_cut_off():
    """Also in a font that is wider than Graphviz takes it for."""
    wide = Layer("stem", "3 × 3 convolution, batch norm, ReLU", ("planes",), (128, 15, 15), 1216)
    root = ElementTree.fromstring(draw.net_layers((LAYERS[0], wide, *LAYERS[2:])).svg)
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


def test_a_name_that_stands_twice_or_nowhere_is_refused():
    with pytest.raises(ValueError, match="two layers called 'stem'"):
        draw.net_layers((*LAYERS, LAYERS[1]))
    with pytest.raises(ValueError, match="'planes', which is an input of 'stem', is not a layer"):
        draw.net_layers(LAYERS[1:])
