"""Notebook 08, Reversi: the Roxanne policy, and two counts on bitboards."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab.course.checking.comparing import Shares, Words, tally
from mctslab.course.exercise import exercise
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


def _roxanne_case(record: str, expected: object, use: Callable[..., object], shown: str) -> Case:
    def arguments() -> tuple[Reversi, Classes, np.random.Generator]:
        return after(record), _classes(), np.random.default_rng(1)

    return Case(arguments, expected, f"{shown}\n{after(record)}", use)


def _moves(
    function: Callable[..., Any], state: Reversi, classes: Classes, rng: np.random.Generator
) -> object:
    return tally(_named(function(state, classes, rng), state) for _ in range(600))


def _named(action: object, state: Reversi) -> object:
    """A legal action by its name; what is none, in words."""
    for legal in state.legal_actions():
        if action is not None and not isinstance(action, bool) and action == legal:
            return state.action_to_string(legal)
    return f"{action!r}, which is not a legal action"


def _same_again(
    function: Callable[..., Any], state: Reversi, classes: Classes, rng: np.random.Generator
) -> object:
    def moves() -> list[object]:
        same_rng = np.random.default_rng(7)
        return [_named(function(state, classes, same_rng), state) for _ in range(40)]

    return Words("the same moves" if moves() == moves() else "other moves")


def _roxanne_variation(rng: np.random.Generator) -> Case:
    """Where the best class has a single legal square, nothing is left to chance."""
    state, found = Reversi(), list[Reversi]()
    ranks = {square: rank for rank, squares in enumerate(_classes()) for square in squares}
    while not state.is_terminal:
        legal = [ranks.get(action, len(ranks)) for action in state.legal_actions()]
        if legal.count(min(legal)) == 1:
            found.append(state)
        state = state.child(int(rng.choice(state.legal_actions())))
    state = found[int(rng.integers(len(found)))]
    return Case(
        lambda: (state, _classes(), np.random.default_rng(1)),
        FROM_MODEL,
        f"in this position\n{state}",
    )


def _only(*moves: str) -> Shares:
    return Shares({move: 1 / len(moves) for move in moves})


def _roxanne_cases() -> list[Case]:
    often = "600 moves in this position"
    return [
        _roxanne_case(
            "c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2", _only("a1"), _moves, f"{often}; there is a corner"
        ),
        _roxanne_case(
            "", _only("d3", "c4", "f5", "e6"), _moves, f"{often}; the four are of one class"
        ),
        _roxanne_case(
            "e6f4g3g4f3f2g5h4c3h6", _only("g2"), _moves, f"{often}; an X- and a C-square"
        ),
        _roxanne_case(
            "c4c3e6d6c6c5c2b2", _only("a1"), _moves, f"{often}; the corner ends the game"
        ),
        _roxanne_case("f5f6e6d6c3e3f4g3", _only("f3", "c6"), _moves, often),
        _roxanne_case("d3c5c6c3c4c7b5f3c2b4e3d2b3a6d1f2g1", _only("c1", "f1", "a3"), _moves, often),
        _roxanne_case(
            "f5d6c7f6f7d7c3f3d3f4f2d2e6",
            _only("b3", "g3", "g6"),
            _moves,
            f"{often}; many legal squares are of a bad class",
        ),
        _roxanne_case(
            "d3c3e6d2d1e1b2c1", _only("pass"), _moves, f"{often}; Black cannot turn anything"
        ),
        _roxanne_case(
            "d3c5b6b5b4f3d6c6f5a4a5c4d7g5f6e7g6f4g4b7c7h5f7g7b3a6d8e2a8c2h4e8f8c8h7h8a2e6f1d2d1g8a7b8"
            "g2f2e3b2c1h3c3h1e1h6g3",
            _only("b1", "g1", "h2"),
            _moves,
            f"{often}; all three are C-squares",
        ),
        _roxanne_case(
            "",
            Words("the same moves"),
            _same_again,
            "40 moves in this position, and 40 again with the same seed",
        ),
    ]


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


def _bitboards_case(record: str, expected: int, why: str = "") -> Case:
    state = after(record)
    mover = state.current_player
    own, opponent = state.stones_of(mover), state.stones_of(1 - mover)
    who = f"own = {state.player_names[mover]}'s discs, opponent = the others{why}"
    return Case(lambda: (own, opponent), expected, f"{who}\n{state}")


# mobility


def _mobility_cases() -> list[Case]:
    return [
        _bitboards_case("", 4),
        _bitboards_case("d3c3e6d2d1e1b2c1", 0, "; nothing can be turned"),
        _bitboards_case("d3c3c4", 2),
        _bitboards_case("c4e3f4g5g4g3f5f6h4h3g6b4", 14, "; a line of six"),
        _bitboards_case("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2a1a2e2", 9, "; a line along the edge"),
        _bitboards_case("f5d6c3f3c5d3c7b5d2c6a5e6f4c4d7a6f2c8b8a8b3e7e8", 12),
        _bitboards_case("d3c5b6b5b4c3c6e3f5e6f7a3c2c1b3d6e2c4d1f6d7f3g7f4g3", 22),
        _bitboards_case("c4e3f4g5g4g3f5f6h4h3g6b4h2c6f7g7h5", 7),
    ]


def _bitboards_variation(rng: np.random.Generator) -> Case:
    state: State = Reversi()
    record = ""
    for _ in range(rng.integers(1, 60)):
        if not state.is_terminal:
            action = int(rng.choice(state.legal_actions()))
            record += state.action_to_string(action).replace("pass", "")
            state = state.child(action)
    return replace(_bitboards_case(record, 0), expected=FROM_MODEL)


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


# frontier


def _one_gap(empty: str, own: str) -> Case:
    """All squares but one are taken, and of these only one, a neighbour, is ours."""
    empty_bit, own_bit = (1 << Reversi().string_to_action(square) for square in (empty, own))
    shown = f"own = one disc, on {own}; opponent = all other squares but {empty}, which is empty"
    return case(own_bit, BOARD & ~(own_bit | empty_bit), expected=1, shown=shown)


def _frontier_cases() -> list[Case]:
    return [
        _bitboards_case("", 2),
        _bitboards_case("d3c3e6d2d1e1b2c1", 8),
        _bitboards_case("f5d6c3f3c5d3c7b5d2c6a5e6f4c4d7a6f2c8b8a8b3e7e8", 7),
        _bitboards_case("d3c5b6b5b4c3c6e3f5e6f7a3c2c1b3d6e2c4d1f6d7f3g7f4g3", 2),
        _bitboards_case("c4c3d3e3c2b5b3a3a4a5f2d1a6a7b2a1a2e2", 6),
        _bitboards_case("f5f6d3g5g7e7g6h8g4g3h5f4g8h7g2c5b5h4h3d6d7a5f7c4a6d8c7d2b4h6c2h2a4", 6),
        _bitboards_case(
            "e6f6g6f4e3d6c3f7e8d2g3b4c4e7c2c5c7c6d8g5g4c8b6d7c1f8a3b8b7h4g7a8h6g8f5h3a7", 5
        ),
        *(_one_gap("d4", own) for own in ("d3", "d5")),
        *(_one_gap("a4", own) for own in ("b3", "b4", "b5")),
        *(_one_gap("h4", own) for own in ("g3", "g4", "g5")),
        *(_one_gap("b4", own) for own in ("a3", "a4", "a5")),
        *(_one_gap("g4", own) for own in ("h3", "h4", "h5")),
    ]


@exercise(cases=_frontier_cases, variation=_bitboards_variation)
def frontier(own: int, opponent: int) -> int:
    """How many of the discs `own` lie beside an empty square."""
    empty = BOARD & ~(own | opponent)
    near = empty << 8 | empty >> 8
    for step in (1, 7, 9):
        inner = empty & INNER_COLUMNS
        near |= (empty << step | empty >> step) & INNER_COLUMNS | inner << step | inner >> step
    return (own & near).bit_count()
