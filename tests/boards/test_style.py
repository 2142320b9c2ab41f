"""Colours as data: what stands on a board can be seen, and told apart without its hue."""

from itertools import pairwise

import pytest

from mctslab.boards import BoardStyle
from mctslab.boards.style import HEAT_SCALE, LOOKS, contrast, heat_color, text_color


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # a known value
    assert contrast("#123456", "#123456") == 1


@pytest.mark.parametrize("style", sorted({*BoardStyle} - {BoardStyle.TEXT}))
def test_what_stands_on_a_board_can_be_seen(style):
    look = LOOKS[style]
    assert contrast(look.label, look.frame) >= 4.5
    for player in (0, 1):
        # A stone shows by its fill or, as white on wood does, by its outline.
        colors = look.stones[player], look.edges[player]
        assert max(contrast(color, look.surface) for color in colors) >= 3
    if style is not BoardStyle.MARKS:  # their shapes differ
        assert min(contrast(look.last_move, stone) for stone in look.stones) >= 2.5
        has_one_ring = (look.rings[0] is None) != (look.rings[1] is None)
        assert has_one_ring or contrast(*look.stones) >= 7, "the players differ in more than hue"


def test_heat_gets_darker_all_the_way_and_numbers_on_it_can_be_read():
    colors = [heat_color(step / 50) for step in range(51)]
    assert (colors[0], colors[-1]) == (HEAT_SCALE[0], HEAT_SCALE[-1])
    lightness = [contrast(color, "#000000") for color in colors]
    assert all(lighter > darker for lighter, darker in pairwise(lightness))
    assert min(contrast(text_color(color), color) for color in colors) >= 4.5


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan")])
def test_heat_outside_its_range_is_refused(share):
    with pytest.raises(ValueError, match="between 0 and 1"):
        heat_color(share)
