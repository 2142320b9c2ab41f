"""Notebook 08, Reversi: the Roxanne policy, and the rules and two counts on bitboards."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.boards.board import square_bits
from mctslab.course.checking.cases import Case, Shares, Tally, case, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after_random_moves
from mctslab.games.reversi import Reversi, after
from mctslab.games.state import State
from mctslab.search.knowledge.roxanne import NINE_CLASSES, roxanne

_START: Final = Reversi()
_SIZE: Final = _START.size
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


def _named(action: object, state: Reversi) -> object:
    """A legal action by its name; what is none, in words."""
    for legal in state.legal_actions():
        if action is not None and not isinstance(action, bool) and action == legal:
            return state.action_to_string(legal)
    return f"{action!r}, which is not a legal action"


def _roxanne_case(state: Reversi, classes: Classes, *moves: str, times: int = 600) -> Case:
    """A position in which these moves, and no others, are chosen equally often."""

    def use(function: Callable[..., Any], *arguments: Any) -> Tally:
        return tally(_named(function(*arguments), state) for _ in range(times))

    which = "the nine classes" if len(state.board().stones) == 64 else "the corners and the others"
    return Case(
        lambda: (state, [list(squares) for squares in classes], np.random.default_rng(1)),
        Shares({move: 1 / len(moves) for move in moves}),
        f"{times} times roxanne_move(state, classes, rng), where the classes are {which}, and the "
        f"state is\n{state}",
        use,
        about=_SEVERAL if len(moves) > 1 else "",
    )


_SMALLER: Final = (
    "The board is smaller here: its classes are other ones, and its pass is another action than 64."
)
_SEVERAL: Final = (
    "Several squares of the best class are legal here, and each of them has the same chance."
)


def _roxanne_cases() -> list[Case]:
    passing, small = Reversi(4), [[0, 3, 12, 15], [1, 2, 4, 7, 8, 11, 13, 14]]
    for action in (14, 13, 4, 15):
        passing = passing.child(action)
    return [
        _roxanne_case(after("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2"), _classes(), "a1"),
        _roxanne_case(Reversi(), _classes(), "d3", "c4", "f5", "e6"),
        _roxanne_case(Reversi(4), small, "b1", "a2", "d3", "c4").with_about(_SMALLER),
        _roxanne_case(passing, small, "pass").with_about(_SMALLER),
    ]


def _roxanne_variation(rng: np.random.Generator) -> Case:
    """Where the best class has a single legal square, every call must return it."""
    state, found, classes = Reversi(), list[tuple[Reversi, str]](), _classes()
    ranks = {square: rank for rank, squares in enumerate(classes) for square in squares}
    while not state.is_terminal:
        legal = [ranks.get(action, len(ranks)) for action in state.legal_actions()]
        if legal.count(min(legal)) == 1:
            best = state.legal_actions()[legal.index(min(legal))]
            found.append((state, state.action_to_string(best)))
        state = state.child(int(rng.choice(state.legal_actions())))
    state, move = found[int(rng.integers(len(found)))]
    return _roxanne_case(state, classes, move, times=60)


@exercise(cases=_roxanne_cases, variation=_roxanne_variation, points=2)
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


def _bitboards_case(state: State) -> Case:
    assert isinstance(state, Reversi)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    shown = f"own = {state.player_names[mover]}'s discs, opponent = the others\n{state}"
    return Case(lambda: (own, opponent), shown=shown)


def _bitboards_variation(rng: np.random.Generator) -> Case:
    return _bitboards_case(after_random_moves(rng, Reversi(), int(rng.integers(1, 60))))


# mobility


def _mobility_cases() -> list[Case]:
    return [
        _bitboards_case(Reversi()),
        _bitboards_case(after("d3c3e6d2d1e1b2c1")).with_about(
            "Black can only pass here, which is no square."
        ),
    ]


@exercise(cases=_mobility_cases, variation=_bitboards_variation, points=3)
def mobility(own: int, opponent: int) -> int:
    """How many legal moves the player with the discs `own` has; a pass is none."""
    ends, empty = 0, BOARD & ~(own | opponent)
    for step, mask in ((1, INNER_COLUMNS), (7, INNER_COLUMNS), (8, BOARD), (9, INNER_COLUMNS)):
        through = opponent & mask
        up, down = own, own
        for _ in range(6):
            up |= through & up << step
            down |= through & down >> step
        ends |= (up & through) << step | (down & through) >> step
    return (ends & empty).bit_count()


# flips


def _turned(function: Callable[..., Any], own: int, opponent: int, square: int) -> object:
    """The discs that turn, by their names."""
    found = function(own, opponent, square)
    if isinstance(found, bool) or not isinstance(found, int | np.integer) or found < 0:
        return found
    return [_square_name(bit) for bit in square_bits(int(found))]


def _square_name(bit: int) -> str:
    return _START.action_to_string(bit) if bit < _SIZE**2 else f"bit {bit}, off the board"


def _flips_case(state: State, square: int) -> Case:
    assert isinstance(state, Reversi)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    shown = f"flips(own, opponent, {square}): {state.player_names[mover]} on "
    shown += f"{_square_name(square)}\n{state}"
    return Case(lambda: (own, opponent, square), shown=shown, use=_turned)


def _flips_cases() -> list[Case]:
    return [_flips_case(after("d3c3e6f4g3g4g5f6c4h4g6c5b4"), 24)]


def _flips_variation(rng: np.random.Generator) -> Case:
    """A legal move, or now and then any empty square."""
    state = after_random_moves(rng, Reversi(), int(rng.integers(1, 56)))
    assert isinstance(state, Reversi)
    squares = list(square_bits(BOARD & ~(state.stones_of(0) | state.stones_of(1))))
    legal = [action for action in state.legal_actions() if action < _SIZE**2]
    return _flips_case(state, int(rng.choice(legal if legal and rng.random() < 0.8 else squares)))


@exercise(cases=_flips_cases, variation=_flips_variation, points=2)
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


def _frontier_variation(rng: np.random.Generator) -> Case:
    """A position of a game; or one empty square and one own disc, beside it or across the edge."""
    if rng.random() < 0.3:
        return _bitboards_variation(rng)
    square = int(rng.integers(64))
    beside = (square + int(rng.choice((-9, -8, -7, -1, 1, 7, 8, 9)))) % 64
    own, empty = 1 << square, 1 << beside
    named = f"own = {_square_name(square)}, empty = {_square_name(beside)}"
    return case(own, BOARD & ~(own | empty), shown=f"{named}, opponent = all other squares")


@exercise(variation=_frontier_variation, points=2)
def frontier(own: int, opponent: int) -> int:
    """How many of the discs `own` lie beside an empty square."""
    empty = BOARD & ~(own | opponent)
    near = empty << 8 | empty >> 8
    for step in (1, 7, 9):
        inner = empty & INNER_COLUMNS
        near |= (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
    return (own & near).bit_count()
