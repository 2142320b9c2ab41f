"""Boards as data and as SVG: the room at the bottom, which imports nothing of ours."""

from mctslab.boards.board import EMPTY, Board, BoardStyle, square_bits
from mctslab.boards.svg import board_svg, stone_svg

__all__ = ["EMPTY", "Board", "BoardStyle", "board_svg", "square_bits", "stone_svg"]
