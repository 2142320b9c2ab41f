"""The text of the Gomocup protocol: lines in pieces, squares, and what it has no words for."""

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab.games import Gomoku, Reversi, TicTacToe
from mctslab.gomocup.protocol import (
    EXACTLY_FIVE,
    FREESTYLE,
    Lines,
    board_and_rule,
    read_square,
    square_text,
)

PIECES = st.lists(st.text("ab ,1\r\n", max_size=8).map(str.encode), max_size=12)


@given(PIECES)
def test_lines_do_not_depend_on_how_they_come(pieces):
    lines = Lines()
    cut = [line for piece in pieces for line in lines.feed(piece)]
    whole = re.split("[\r\n]", b"".join(pieces).decode())
    assert cut == [line.strip() for line in whole[:-1] if line.strip()]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_line_is_there_as_soon_as_it_ends(end):
    lines = Lines()
    assert lines.feed(b"7") == []
    assert lines.feed(b",7" + end) == ["7,7"]
    assert lines.feed(b"8,8" + end) == ["8,8"]


def test_of_endless_lines_not_all_is_kept():
    lines = Lines()
    piece = b"x" * 65_536
    tracemalloc.start()
    for _ in range(100):
        assert lines.feed(piece) == []
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 100_000
    [line, following] = lines.feed(b"\n7,7\n")
    assert set(line) == {"x"}
    assert len(line) <= 1_000
    assert following == "7,7"
    assert len(lines.feed(b"y" * 10**6 + b"\n")[0]) <= 1_000


def test_what_is_no_text_does_no_harm():
    assert len(Lines().feed(b"\xff\xfe\n")) == 1


@given(st.integers(5, 26), st.data())
def test_squares_there_and_back(size, data):
    action = data.draw(st.integers(0, size * size - 1))
    text = square_text(action, size)
    assert read_square(text, size) == action
    assert read_square(f"  {text.replace(',', ' , ')} ", size) == action


@pytest.mark.parametrize(
    "text", ["", "7", "7,", ",7", "7,7,1", "a,b", "7.0,7", "7 7", "15,0", "0,15", "-1,0", "0,-1"]
)
def test_what_is_no_square(text):
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        read_square(text, 15)


def test_boards_and_rules():
    assert board_and_rule(Gomoku()) == (15, FREESTYLE)
    assert board_and_rule(Gomoku(20, exactly_five=True).child(7)) == (20, EXACTLY_FIVE)


@pytest.mark.parametrize("state", [Gomoku(9, in_a_row=4), Gomoku(9, 6), Reversi(), TicTacToe()])
def test_other_games(state):
    with pytest.raises(ValueError, match="only Gomoku with five in a row"):
        board_and_rule(state)
