"""Notebook 08, Reversi: the Roxanne policy, and the rules and two counts on bitboards."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.boards.board import square_bits
from mctslab.course.checking.comparing import Shares, Tally, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after_random_moves
from mctslab.course.question import FROM_MODEL, Case, case
from mctslab.games.reversi import Reversi, after
from mctslab.games.state import State
from mctslab.search.knowledge.roxanne import NINE_CLASSES, roxanne

_SIZE: Final = 8
BOARD: Final = (1 << _SIZE * _SIZE) - 1
INNER_COLUMNS: Final = sum(0b01111110 << _SIZE * row for row in range(_SIZE))
"""All squares but those of the columns a and h."""


# roxanne_move

Classes: TypeAlias = Sequence[Sequence[int]]


def _classes() -> list[list[int]]:
    """The squares of each of the nine classes, best class first; the centre is in none."""
    ranks = roxanne().ranks
    centre = [27, 28, 35, 36]
    return [
        [square for square in range(64) if ranks[square] == rank and square not in centre]
        for rank in range(len(NINE_CLASSES))
    ]


def _moves(
    function: Callable[..., Any], state: Reversi, classes: Classes, rng: np.random.Generator
) -> Tally:
    return tally(_named(function(state, classes, rng), state) for _ in range(600))


def _named(action: object, state: Reversi) -> object:
    """A legal action by its name; what is none, in words."""
    for legal in state.legal_actions():
        if action is not None and not isinstance(action, bool) and action == legal:
            return state.action_to_string(legal)
    return f"{action!r}, which is not a legal action"


_OFTEN: Final = "600 times "


def _roxanne_case(state: State, *moves: str) -> Case:
    """A position in which these moves, and no others, are chosen equally often."""
    return Case(
        lambda: (state, _classes(), np.random.default_rng(1)),
        Shares({move: 1 / len(moves) for move in moves}),
        f"{_OFTEN}roxanne_move(state, classes, rng), and the state is\n{state}",
        _moves,
    )


_SEVERAL: Final = (
    "Several squares of the best class are legal here, and each of them has the same chance."
)


def _roxanne_cases() -> list[Case]:
    small = Reversi(4)
    for action in (14, 13, 4, 15):
        small = small.child(action)
    return [
        # There is a corner; then four squares of one class, a C-square besides an X-square,
        # a pass, and three C-squares.
        _roxanne_case(after("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2"), "a1"),
        _roxanne_case(Reversi(), "d3", "c4", "f5", "e6").with_about(_SEVERAL),
        _roxanne_case(after("e6f4g3g4f3f2g5h4c3h6"), "g2"),
        _roxanne_case(after("d3c3e6d2d1e1b2c1"), "pass").with_about(
            "The only legal action is the pass, which is in no class."
        ),
        _roxanne_case(
            after(
                "d3c5b6b5b4f3d6c6f5a4a5c4d7g5f6e7g6f4g4b7c7h5f7g7b3a6d8e2a8c2h4e8f8c8h7h8a2e6f1d2d1"
                "g8a7b8g2f2e3b2c1h3c3h1e1h6g3"
            ),
            *("b1", "g1", "h2"),
        ).with_about(_SEVERAL),
        # A pass on a smaller board is another action than 64.
        Case(
            lambda: (
                small,
                [[0, 3, 12, 15], [1, 2, 4, 7, 8, 11, 13, 14]],
                np.random.default_rng(1),
            ),
            Shares({"pass": 1}),
            f"{_OFTEN}roxanne_move(state, classes, rng), where the classes are the corners and the "
            f"other squares of a smaller board, and the state is\n{small}",
            _moves,
        ).with_about("The board is smaller here, so its pass is another action than 64."),
    ]


def _roxanne_variation(rng: np.random.Generator) -> Case:
    """Where the best class has a single legal square, nothing is left to chance."""
    state, found = Reversi(), list[Reversi]()
    ranks = {square: rank for rank, squares in enumerate(_classes()) for square in squares}
    while not state.is_terminal:
        legal = [ranks.get(action, len(ranks)) for action in state.legal_actions()]
        if legal.count(min(legal)) == 1:
            found.append(state)
        state = state.child(int(rng.choice(state.legal_actions())))
    made = _roxanne_case(found[int(rng.integers(len(found)))])
    return replace(made, expected=FROM_MODEL, use=None, shown=made.shown.removeprefix(_OFTEN))


@exercise(cases=_roxanne_cases, variation=_roxanne_variation)
def roxanne_move(state: Reversi, classes: Sequence[Sequence[int]], rng: np.random.Generator) -> int:
    """A random one of the legal squares of the best class that has one; a forced pass is played.

    `classes` holds the squares of each class as actions, the best class first.
    """
    for squares in classes:
        candidates = [action for action in state.legal_actions() if action in squares]
        if candidates:
            return candidates[int(rng.random() * len(candidates))]
    return state.legal_actions()[0]


# Bitboards


def _bitboards_case(state: State, expected: object) -> Case:
    assert isinstance(state, Reversi)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    shown = f"own = {state.player_names[mover]}'s discs, opponent = the others\n{state}"
    return Case(lambda: (own, opponent), expected, shown)


def _bitboards_variation(rng: np.random.Generator) -> Case:
    return _bitboards_case(after_random_moves(rng, Reversi(), int(rng.integers(1, 60))), FROM_MODEL)


# mobility


def _mobility_cases() -> list[Case]:
    return [
        _bitboards_case(Reversi(), 4),
        # Black has to pass.
        _bitboards_case(after("d3c3e6d2d1e1b2c1"), 0).with_about(
            "Black can only pass here, which is no square."
        ),
        _bitboards_case(after("d3c3c4"), 2),
        # A line of six can be turned.
        _bitboards_case(after("c4e3f4g5g4g3f5f6h4h3g6b4"), 14).with_about(
            "Six discs in a line can be turned at once here."
        ),
    ]


@exercise(cases=_mobility_cases, variation=_bitboards_variation)
def mobility(own: int, opponent: int) -> int:
    """How many legal moves the player with the discs `own` has; a pass is none."""
    ends = 0
    for step, mask in ((1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, BOARD), (9, INNER_COLUMNS)):
        through = opponent & mask
        up, down = own, own
        for _ in range(6):
            up |= through & up << step
            down |= through & down >> step
        ends |= (up & through) << step | (down & through) >> step
    return (ends & BOARD & ~(own | opponent)).bit_count()


# flips


def _turned(function: Callable[..., Any], own: int, opponent: int, square: int) -> object:
    """The discs that turn, by their names."""
    found = function(own, opponent, square)
    if isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 0:
        return found
    return [_square_name(bit) for bit in square_bits(int(found))]


def _square_name(bit: int) -> str:
    return Reversi().action_to_string(bit) if bit < _SIZE**2 else f"bit {bit}, off the board"


def _flips_case(state: State, square: str, expected: object) -> Case:
    assert isinstance(state, Reversi)
    place = "abcdefgh".index(square[0]) + _SIZE * (int(square[1]) - 1)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    shown = f"flips(own, opponent, {place}): {state.player_names[mover]} on {square}\n{state}"
    return Case(lambda: (own, opponent, place), expected, shown, _turned)


def _flips_cases() -> list[Case]:
    return [
        _flips_case(Reversi(), "d3", ["d4"]),
        # In four directions, then along an edge, a line of six, round the edge, and nothing.
        _flips_case(after("e6f4f3f2g2f6d3e7f7e3"), "f5", ["e4", "f4", "e5", "f6"]),
        _flips_case(after("c4c3c2b4d3c5a5a3b6b2f5a7a1e3a4"), "a6", ["a4", "a5"]),
        _flips_case(
            after("c4e3f4g5g4g3f5f6h4h3g6b4"), "a4", ["b4", "c4", "d4", "e4", "f4", "g4"]
        ).with_about("Six discs in a line turn here."),
        _flips_case(after("c4c3d3c5b3c2b6a3"), "h2", []).with_about(
            "A line would have to go on round the edge of the board here, and it ends there."
        ),
        _flips_case(Reversi(), "c3", []),
    ]


def _flips_variation(rng: np.random.Generator) -> Case:
    """A legal move, or now and then any empty square."""
    state = after_random_moves(rng, Reversi(), int(rng.integers(1, 56)))
    assert isinstance(state, Reversi)
    squares = list(square_bits(BOARD & ~(state.stones_of(0) | state.stones_of(1))))
    legal = [action for action in state.legal_actions() if action < _SIZE**2]
    square = int(rng.choice(legal if legal and rng.random() < 0.8 else squares))
    return _flips_case(state, _square_name(square), FROM_MODEL)


@exercise(cases=_flips_cases, variation=_flips_variation)
def flips(own: int, opponent: int, square: int) -> int:
    """The discs of `opponent` that turn if the player with `own` moves to `square`.

    The result is a bitboard. It is 0 if no disc turns, so that the move would not be legal.
    """
    turned = 0
    for step, mask in ((1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, BOARD), (9, INNER_COLUMNS)):
        for up in (True, False):
            line, disc = 0, 1 << square
            disc = disc << step if up else disc >> step
            while disc & opponent & mask:
                line |= disc
                disc = disc << step if up else disc >> step
            if disc & own:
                turned |= line
    return turned


# frontier


def _frontier_cases() -> list[Case]:
    one, far = (1 << square for square in (27, 36))
    text = "own = one disc, opponent = all other squares but one; they touch at their corners"
    return [
        _bitboards_case(Reversi(), 2),
        _bitboards_case(after("d3c3e6d2d1e1b2c1"), 8),
        case(one, BOARD & ~(one | far), expected=1, shown=text).with_about(
            "The disc and the only free square touch at their corners here, and that counts."
        ),
    ]


def _frontier_variation(rng: np.random.Generator) -> Case:
    """A position of a game; or one empty square and one own disc, beside it or across the edge."""
    if rng.random() < 0.3:
        return _bitboards_variation(rng)
    square = int(rng.integers(64))
    beside = (square + int(rng.choice((-9, -8, -7, -1, 1, 7, 8, 9)))) % 64
    own, empty = 1 << square, 1 << beside
    named = f"own = {_square_name(square)}, empty = {_square_name(beside)}"
    text = f"{named}, opponent = all other squares"
    return case(own, BOARD & ~(own | empty), expected=FROM_MODEL, shown=text)


@exercise(cases=_frontier_cases, variation=_frontier_variation)
def frontier(own: int, opponent: int) -> int:
    """How many of the discs `own` lie beside an empty square."""
    empty = BOARD & ~(own | opponent)
    near = empty << 8 | empty >> 8
    for step in (1, 7, 9):
        inner = empty & INNER_COLUMNS
        near |= (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
    return (own & near).bit_count()
