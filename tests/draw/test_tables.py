"""A table shows every cell on a page."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw

CELLS = st.text(st.characters(categories=("L", "N", "P", "S"), exclude_characters="-"), max_size=8)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_page_has_every_cell_as_it_was_given(lines):
    head, *rows = lines
    shown = ElementTree.fromstring(draw.table(head, rows)._repr_html_())
    assert [[cell.text or "" for cell in row] for row in shown.iter("tr")] == lines


def test_a_negative_number_has_the_sign_of_charts_and_a_word_keeps_its_hyphen():
    shown = draw.table(("-x", "points"), [("alpha-beta", -6), ("-", "-.5"), ("-a", "1-2")])
    assert shown.head == ("-x", "points")
    assert shown.rows == (("alpha-beta", "−6"), ("-", "−.5"), ("-a", "1-2"))


def test_a_row_of_another_length_is_rejected():
    with pytest.raises(ValueError, match="2 cells"):
        draw.table(("player", "wins"), [("a", 1, 2)])
