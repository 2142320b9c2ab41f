"""The rules of a game as plain functions of ints, which a state calls and which can be compiled.

A game that follows this form is written once and searched in two ways: by the readable search,
which calls its states, and by the compiled search, which translates the text of these functions.

What can be compiled to 64 bits: ints that are 0 or more, tuples of them and the
fields of a NamedTuple of them; `if`, `for` and `while`; calls only of functions that follow this
form, too. No bit above the 64th is ever read (a shift may push some there), a negative number
(`~x`, `-x`) is combined by `&` before anything else, and bits are counted by `bit_count()` and
measured by `bit_length()`.
"""

import random
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from mctslab.boards.board import square_bits

Position: TypeAlias = tuple[int, ...]
"""On bitboards: the stones of the player to move, the other player's, and who is to move, 0 or 1.
Other games choose their own contents, but the last entry is always the player to move."""

PASS: Final = 4095
"""The move that passes; no square of any board has this number."""

MOST_ACTIONS: Final = 2_047
"""The largest number of actions of a game that is compiled: 53 random bits times their number fit
into 64 bits."""

MAX_PLIES: Final = 100_000
"""A rollout that is not over after this many plies is taken for one that never ends."""

OPEN: Final = 0
LOST: Final = 1
DRAWN: Final = 2
WON: Final = 3
"""The outcome of a game for the player to move."""


class Rules(NamedTuple):
    """The functions of a game.

    `geometry` contains what they need to know about the board, or is None. A move is the number of
    its bit among the legal moves.
    """

    legal_moves: Callable[..., int]
    """`(position, geometry)`: a bitboard with one bit for each legal move. If the game is not over
    and no bit is set, the player to move has to pass."""
    play: Callable[..., Position]
    """`(position, move, geometry)`: the position after a legal `move`, which may be PASS."""
    outcome: Callable[..., int]
    """`(position, moves, geometry)`: OPEN, or the result for the player to move."""
    action_of: Callable[..., int] | None = None
    """`(move, geometry)`: the action of a move; None if they are the same number."""
    square_of: Callable[..., int] | None = None
    """`(move, geometry)`: the square on which a move places a stone; None if they are the same
    number. A bit of a bitboard stands for the same square."""
    stone_on: Callable[..., int] | None = None
    """`(position, square, words, geometry)`, for a game of more than 64 squares: the player whose
    stone is on a square, 0 or 1; 2 if the square is empty. None on bitboards."""


class Compilable(NamedTuple):
    """Everything needed to compile the search for a game, and the position from which it starts."""

    rules: Rules
    geometry: Any
    position: Position
    pass_action: int = -1
    """The action that stands for PASS; -1 for a game without a pass."""
    words: tuple[int, ...] = ()
    """For a game of more than 64 squares: the words that `play` changes in place, as its argument
    `words` before `geometry`."""
    num_move_words: int = 0
    """How many of `words`, from the first on, contain the legal moves, 64 bits in each; if it is
    not 0, `legal_moves` is never called."""
    keeps_positions: bool = False
    """Whether each node of the compiled search keeps its position and its untried moves. Otherwise
    a node takes about half the memory, and the moves that lead to it are played again in each
    simulation. So it pays for a game whose trees are deep or whose moves are expensive. A game with
    `words` cannot."""


# Before they are compiled

MOST_LINES: Final = 500_000
"""A function that runs more lines than this, about a second's work, is taken for an endless one."""


_NUM_GAMES: Final = 3
_NUM_PLIES: Final = 500


class EndlessRulesError(ValueError):
    """A function of a game's rules does not return."""


def check_end(game: Compilable) -> None:
    """Play random games by the plain functions: in compiled code, Ctrl-C could not end a loop.

    A game of more than 64 squares, whose rules change words in place, is left out. So is code that
    is traced, because a debugger is there; its Ctrl-C works.

    Raises:
        EndlessRulesError: one of the functions did not return.
    """
    rng, rules, geometry = random.Random(1), game.rules, game.geometry
    if game.words or sys.gettrace() is not None:
        return
    try:
        for _ in range(_NUM_GAMES):
            position = game.position
            for _ in range(_NUM_PLIES):
                moves = _returned(rules.legal_moves, position, geometry)
                if _returned(rules.outcome, position, moves, geometry) != OPEN:
                    break
                move = rng.choice(square_bits(moves) or (PASS,))
                position = _returned(rules.play, position, move, geometry)
    except EndlessRulesError:
        raise
    except Exception:  # whoever compiles or tests the rules says more about it
        return


def _returned(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns, if it does so within MOST_LINES."""
    left = MOST_LINES

    def count(*_: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise EndlessRulesError(
                f"{function.__name__}() of the rules does not return from {arguments[:-1]}: "
                "it seems to have a loop whose condition never becomes false."
            )
        return count

    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(None)
