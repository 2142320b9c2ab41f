"""The text of the Gomocup protocol: squares."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.gomocup.protocol import read_square, square_text


@given(st.integers(5, 26), st.data())
def test_squares_there_and_back(size, data):
    action = data.draw(st.integers(0, size * size - 1))
    text = square_text(action, size)
    assert text == f"{action % size},{action // size}"
    assert read_square(f"  {text.replace(',', ' , ')} ", size) == action


@pytest.mark.parametrize(
    "text", ["", "7", "7,", ",7", "7,7,1", "a,b", "7.0,7", "7 7", "15,0", "0,15", "-1,0", "0,-1"]
)
def test_what_is_no_square(text):
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        read_square(text, 15)
