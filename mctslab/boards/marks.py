"""Short texts on squares and stones: what the words beside a picture speak of."""

from collections.abc import Iterable, Mapping
from typing import Final

from mctslab.boards.board import EMPTY, Board
from mctslab.boards.elements import short, text_at, text_group
from mctslab.boards.geometry import Grid, square_name
from mctslab.boards.style import SQUARE

LONGEST_MARK: Final = 3

_COLORS: Final = ("#56b4e9", "#e69f00", "#f3b6d9", "#b7e3a1", "#d9d9d9")
"""Of words in their order, all light; as each has its letters, nobody has to tell them apart by
colour. The blue, the orange and the yellow below are those of Okabe and Ito (2008)."""
_PLAIN: Final = "#f0e442"
"""Of numbers, which are steps of one thing."""
_INK: Final = "#17191b"


def check_marks(board: Board, marks: Mapping[str, Iterable[int]]) -> None:
    """Raise ValueError where a text has no room, or a square would carry two."""
    texts: dict[int, str] = {}
    for text, squares in marks.items():
        if not 1 <= len(text) <= LONGEST_MARK:
            raise ValueError(f"the mark {text!r} needs from 1 to {LONGEST_MARK} characters")
        for square in squares:
            if texts.setdefault(square, text) != text:
                name = square_name(board, square)
                raise ValueError(f"{name} carries two marks, {texts[square]!r} and {text!r}")


def draw_marks(board: Board, grid: Grid, marks: Mapping[str, Iterable[int]]) -> str:
    """A light patch with its text on each square of `marks`: round on a stone, else square."""
    parts = []
    for text, color in mark_colors(marks).items():
        for square in sorted(set(marks[text])):
            x, y = grid.center(square)
            radius = SQUARE * (0.29 if board.stones[square] != EMPTY else 0.33)
            corner = radius if board.stones[square] != EMPTY else 4.0
            parts.append(
                f'<rect data-mark="{square}" x="{short(x - radius)}" y="{short(y - radius)}"'
                f' width="{short(2 * radius)}" height="{short(2 * radius)}" rx="{short(corner)}"'
                f' fill="{color}" stroke="{_INK}" stroke-width="0.8"/>'
            )
            parts.append(text_at(x, y, text, font_weight="600"))
    return text_group(parts, 14, _INK) if parts else ""


def mark_colors(marks: Iterable[str]) -> dict[str, str]:
    """The colour of each text: all numbers have the same, words one after the other their own.

    >>> mark_colors(["X", "1", "C", "2"])
    {'X': '#56b4e9', '1': '#f0e442', 'C': '#e69f00', '2': '#f0e442'}
    """
    words = [text for text in marks if not text.isdecimal()]
    own = {word: _COLORS[place % len(_COLORS)] for place, word in enumerate(words)}
    return {text: own.get(text, _PLAIN) for text in marks}


def describe_marks(board: Board, marks: Mapping[str, Iterable[int]]) -> str:
    """The marks in words: `Marked X: b2 g7.`"""
    sentences = [
        f"Marked {text}: {' '.join(square_name(board, square) for square in sorted(set(squares)))}."
        for text, squares in marks.items()
        if squares
    ]
    return " ".join(sentences)
