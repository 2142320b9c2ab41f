"""Threats in Gomoku: the bitboards against the definitions, found stone by stone.

A line of the board is a text: X for a stone of the player whose threats are asked for, O for one of
the other player, a dot for an empty square, and # beyond the edges. Everything is tried by putting
stones down.
"""

import re
from collections import defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.boards.board import square_bits
from mctslab.games import Gomoku
from mctslab.search.knowledge.threats import find_threats

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Square = tuple[int, int]


def put(line: str, at: int) -> str:
    """The line with one more own stone."""
    return f"{line[:at]}X{line[at + 1 :]}"


def run(line: str, at: int) -> range:
    """The own stones next to each other, from end to end, the one at `at` among them."""
    spans = (range(*found.span()) for found in re.finditer("X+", line))
    return next(span for span in spans if at in span)


def wins(line: str, at: int, game: Gomoku) -> bool:
    """Whether the own stone at `at` is in a row that wins."""
    length = len(run(line, at))
    return length == game.in_a_row if game.exactly_five else length >= game.in_a_row


def added(line: str, at: int, game: Gomoku) -> list[tuple[int, str]]:
    """Where one more stone can be put into a row with the one at `at`, and the line with it."""
    near = range(max(0, at - game.in_a_row + 1), at + game.in_a_row)
    found = [(other, put(line, other)) for other in near if line[other : other + 1] == "."]
    return [(other, after) for other, after in found if at in run(after, other)]


def completing(line: str, at: int, game: Gomoku) -> set[int]:
    """Where a further stone would win, in a row with the one at `at`."""
    return {other for other, after in added(line, at, game) if wins(after, other, game)}


def is_open_four(line: str, at: int, game: Gomoku) -> bool:
    """Whether the own stone at `at` is in a row one short, that either end completes."""
    own = run(line, at)
    ends = {own.start - 1, own.stop}
    return len(own) == game.in_a_row - 1 and ends <= completing(line, at, game)


def is_open_three(line: str, at: int, game: Gomoku) -> bool:
    """Whether a further stone would make the one at `at` part of an open four."""
    return any(is_open_four(after, other, game) for other, after in added(line, at, game))


def line_through(square: Square, direction: Square, signs: dict[Square, str]) -> tuple[str, int]:
    """The line through a square, from edge to edge, with a stone put there; and its place there."""
    (row, col), (rows, cols), steps = square, direction, range(-30, 31)
    text = "".join(signs.get((row + rows * i, col + cols * i), "#") for i in steps)
    return put(text, 30), 30


def threats_by_hand(state: Gomoku, player: int) -> dict[str, set[Square]]:
    """For each kind of threat the squares on which a stone of `player` makes one."""
    signs = {
        divmod(square, state.size): "." if stone < 0 else "X" if stone == player else "O"
        for square, stone in enumerate(state.board().stones)
    }
    found: dict[str, set[Square]] = defaultdict(set)
    for square in (each for each, sign in signs.items() if sign == "."):
        lines = {each: (*line_through(square, each, signs), state) for each in DIRECTIONS}
        fours = {each: completing(*line) for each, line in lines.items()}
        threes = [each for each, line in lines.items() if is_open_three(*line)]
        made = {
            "five": any(wins(*line) for line in lines.values()),
            "open_four": any(is_open_four(*line) for line in lines.values()),
            "double_four": sum(map(len, fours.values())) >= 2,
            "four": any(fours.values()),
            "four_three": any(
                fours[one] and one != three for one in DIRECTIONS for three in threes
            ),
            "double_three": len(threes) >= 2,
            "open_three": len(threes) >= 1,
        }
        for name, is_made in made.items():
            found[name] |= {square} if is_made else set()
    return dict(found)


# Positions


def scattered(game: Gomoku, num_stones: int, spread: float, rng: np.random.Generator) -> Gomoku:
    """Stones thrown around a spot of the board, one by one, none of which ends the game."""
    size = game.size
    rows, cols = np.divmod(np.arange(size * size), size)
    row, col = rng.random(2) * size
    distance = np.hypot(rows - row, cols - col)
    order = np.argsort(distance + spread * size * rng.random(size * size))
    state = game
    for action in order[:num_stones].tolist():
        child = state.child(action)
        if not child.is_terminal:
            state = child
    return state


@st.composite
def positions(draw: st.DrawFn) -> Gomoku:
    in_a_row = draw(st.integers(3, 6))
    size = draw(st.integers(max(4, in_a_row), 9) | st.just(15))
    game = Gomoku(size, in_a_row, draw(st.booleans()))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return scattered(
        game, draw(st.integers(0, size * size)), draw(st.sampled_from([0.2, 1, 9])), rng
    )


@settings(max_examples=40, deadline=None)
@given(positions())
def test_the_threats_are_those_of_the_definitions(state):
    for player in (0, 1):
        found = {
            name: {divmod(square, state.size) for square in square_bits(bits)}
            for name, bits in find_threats(state, player)._asdict().items()
        }
        assert found == threats_by_hand(state, player)
