"""The text of the Gomocup protocol: lines in pieces, and squares."""

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.gomocup.protocol import Lines, read_square, square_text

PIECES = st.lists(st.text("ab ,1\r\n", max_size=8).map(str.encode), max_size=12)


@given(PIECES)
def test_lines_do_not_depend_on_how_they_come(pieces):
    lines = Lines()
    for number, piece in enumerate(pieces):
        # A line is there as soon as it ends, with CR or LF.
        before, after = b"".join(pieces[:number]), b"".join(pieces[: number + 1])
        completed = [re.split("[\r\n]", data.decode())[:-1] for data in (before, after)]
        new = completed[1][len(completed[0]) :]
        assert lines.feed(piece) == [line.strip() for line in new if line.strip()]


def test_of_endless_lines_not_all_is_kept():
    lines = Lines()
    piece = b"\xff" * 65_536  # which is no text, either
    tracemalloc.start()
    for _ in range(100):
        assert lines.feed(piece) == []
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 100_000
    [line, following] = lines.feed(b"\n7,7\n")
    assert len(line) <= 1_000
    assert following == "7,7"
    assert len(lines.feed(b"y" * 10**6 + b"\n")[0]) <= 1_000


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
