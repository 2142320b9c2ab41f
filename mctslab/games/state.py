"""The one protocol that every game follows.

A state contains the rules of its game: `Reversi()` is the first position, `state.child(action)` the
next one. The search, the boards, the trees and the arena use nothing of a game except what is
described here, so a new game is one class in one file.

Conventions
-----------
* Players are 0 and 1; player 0 moves first. Colours and X/O are display.
* An action is a small int: `row * cols + col` where a square is chosen, the column in Connect
  Four, one number above the board for a pass.
* A pass is an action, legal only when it is forced, so that every ply is an action.
* Turns don't have to alternate: only `current_player` says whose turn it is.
* `returns()` has one number per player: 1 for a win, 0 for a draw, -1 for a loss.
* A state never changes. Two states are equal when they are the same position of the same game,
  however they were reached.
* A state can be pickled: searches and matches send states from process to process.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Self

import numpy as np

from mctslab.boards.board import EMPTY, Bitboards, Board, BoardStyle, text_board
from mctslab.boards.svg import board_svg
from mctslab.games.rules import MAX_PLIES, Compilable
from mctslab.games.symmetry import Symmetry, identity

Rng = np.random.Generator | int | Sequence[int] | None
"""A random number generator, or what `np.random.default_rng` makes one of: a seed, or None for
other numbers every time (SPEC 7 of Scientific Python)."""


def as_generator(rng: Rng) -> np.random.Generator:
    """The generator `rng`, or the one of this seed.

    Raises:
        ValueError: it is neither.
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"rng must be a numpy.random.Generator or a seed, a whole number of 0 or more, got "
            f"{rng!r}: pass np.random.default_rng(1) or 1, for example."
        ) from error


class IllegalActionError(ValueError):
    """`action` is not allowed by the rules in the position `state`."""

    def __init__(self, state: "State", action: object) -> None:
        super().__init__(state, action)
        self.state = state
        self.action = action

    def __str__(self) -> str:
        return _explain_illegal(self.state, self.action)


class GameNotOverError(ValueError):
    """`returns()` was called on `state`, in which the game is not over."""

    def __init__(self, state: "State") -> None:
        super().__init__(state)
        self.state = state

    def __str__(self) -> str:
        mover = self.state.player_names[self.state.current_player]
        return f"The game is not over ({mover} is to move), and only a terminal state has returns."


class BrokenRulesError(ValueError):
    """The rules of a game contradict themselves, so it cannot be searched."""

    def __init__(self, state: "State", problem: str) -> None:
        super().__init__(
            f"{problem} `games.contract.check({type(state).__name__}())` tests the rules of a game."
        )


class State(ABC):
    """One position of a two-player game with perfect information and no chance.

    Five members make a game: `current_player`, `legal_actions`, `child`, `is_terminal` and
    `returns`. All others have a default. Replace `board` by one with squares and stones, and
    everything draws it, and a net can learn it; then also `action_square` and `square_action` if
    squares and actions are not the same numbers, and `symmetries` if the board can be rotated or
    mirrored. `mctslab.games.contract.check` tests whether a class follows the protocol.
    """

    __slots__ = ()

    game: ClassVar[str]
    """Short name, lower case: `reversi`. By default it is the class's: `class TakeAway` makes
    `take_away`."""
    title: ClassVar[str]
    """Name on the screen: `Reversi`. By default it is the class's: `Take Away`."""
    player_names: ClassVar[tuple[str, str]] = ("First", "Second")
    """The names of the two players: `("Black", "White")`; `str(state)` uses their first letters."""

    num_actions_met: ClassVar[int] = 0
    """Of a class that has no `num_actions` of its own."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        words = re.findall(r"[A-Z]*[^A-Z_]+|[A-Z]+", cls.__name__)
        cls.title = getattr(cls, "title", " ".join(words))
        cls.game = getattr(cls, "game", "_".join(words).lower())
        cls.num_actions_met = 0

    @property
    @abstractmethod
    def current_player(self) -> int:
        """Whose turn it is, 0 or 1; at the end of a game, whose turn it would have been."""

    @property
    def num_actions(self) -> int:
        """The number of different actions of the game; every action is in `range(num_actions)`.

        By default it is found in random games of the class, so a game with rare moves, and one that
        a net learns, should say it.
        """
        return _num_actions_met(self)

    @property
    def last_action(self) -> int | None:
        """The action that led here; None in a first position, and in a game that does not keep it.
        It does not affect equality."""
        return None

    @abstractmethod
    def legal_actions(self) -> tuple[int, ...]:
        """The actions that can be played, in ascending order; empty exactly at terminal states."""

    @abstractmethod
    def child(self, action: int) -> Self:
        """The position after `action`, an int of Python's or NumPy's.

        Raises:
            IllegalActionError: `action` is not legal here.
        """

    @property
    @abstractmethod
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """The result of the game for player 0 and for player 1, each -1, 0 or 1.

        Raises:
            GameNotOverError: there is no result yet.
        """

    def action_to_string(self, action: int) -> str:
        """The usual notation of `action`, legal here or not: `d3`, `H8`, `4`, `pass`.

        It has no blanks, and no two actions share one, so that a game can be written as words.
        """
        return str(action)

    def board(self) -> Board:
        """The visible position: the stones, the last move, a winning line.

        By default it is `str(state)` in a frame, with a button for each move. The last line,
        who is to move or has won, is left out, because all that shows a board says it, too.
        """
        text = str(self).removesuffix(self._status()).rstrip()
        return text_board(text, tuple(map(self.action_to_string, self.legal_actions())))

    def bitboards(self) -> Bitboards:
        """The stones of `board()` and the last move as bits; a game can implement a quicker way."""
        return self.board().bitboards()

    def __eq__(self, other: object) -> bool:
        """Whether the attributes are equal, except for `last_action`."""
        if type(other) is not type(self):
            return NotImplemented
        return _attributes(self) == _attributes(other)

    def __hash__(self) -> int:
        return hash((type(self), self.current_player, tuple(self.legal_actions())))

    def string_to_action(self, text: str) -> int:
        """The action whose notation is `text`, legal here or not; case and outer blanks don't
        matter.

        Raises:
            ValueError: `text` is not an action of this game.
        """
        wanted = text.strip().lower()
        for action in chain(self.legal_actions(), range(self.num_actions)):
            if self.action_to_string(action).lower() == wanted:
                return action
        first, last = self.action_to_string(0), self.action_to_string(self.num_actions - 1)
        raise ValueError(
            f"{text!r} is not a move of {self.title}, whose moves are {first} to {last}."
        )

    def action_square(self, action: int) -> int | None:
        """The square on which `action` places a stone; None for a pass."""
        board = self.board()
        if board.style is BoardStyle.TEXT:
            legal = list(self.legal_actions())
            return legal.index(action) if action in legal else None
        return action if 0 <= action < board.rows * board.cols else None

    def square_action(self, square: int) -> int | None:
        """The action of a click on `square`, legal or not; None if there is none."""
        board = self.board()
        if board.style is BoardStyle.TEXT:
            return next(iter(self.legal_actions()[square : square + 1]), None)
        return square if 0 <= square < board.rows * board.cols else None

    def compilable(self) -> Compilable | None:
        """The rules as functions that can be compiled; None if the game has none.

        A game without them is searched in plain Python.
        """
        return None

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to rotate and mirror the board that leave the rules the same, the identity
        first. They are the same for every position of a game. Any two of them, one after the other,
        give another one.
        """
        board = self.board()
        return (identity(board.rows * board.cols, self.num_actions),)

    def __str__(self) -> str:
        if type(self).board is State.board:  # which shows this text
            facts = [f"{name} = {value}" for name, value in _attributes(self).items()]
            return "\n".join([*facts, self._status()])
        board = self.board()
        signs = {EMPTY: ".", 0: self.player_names[0][0], 1: self.player_names[1][0]}
        margin = max(len(label) for label in board.row_labels)
        width = max(len(label) for label in board.column_labels)
        lines = [" ".join([" " * margin, *(f"{label:>{width}}" for label in board.column_labels)])]
        for row, label in enumerate(board.row_labels):
            stones = board.stones[row * board.cols : (row + 1) * board.cols]
            slant = " " * row if board.style is BoardStyle.HEXES else ""
            cells = [f"{label:>{margin}}", *(f"{signs[stone]:>{width}}" for stone in stones)]
            lines.append(slant + " ".join(cells))
        return "\n".join([*lines, self._status()])

    def __repr__(self) -> str:
        return f"<{self.title}: {self._status()}>"

    def _repr_svg_(self) -> str:
        return board_svg(self.board())

    def _status(self) -> str:
        if not self.is_terminal:
            return f"{self.player_names[self.current_player]} to move"
        returns = self.returns()
        if not _are_returns(returns):  # an error shows the position
            return "the game is over"
        if returns[0] == 0:
            return "draw"
        return f"{self.player_names[0 if returns[0] > 0 else 1]} wins"


def _attributes(state: State) -> dict[str, Any]:
    """The attributes by which a position is known, arrays as lists."""
    kept: Any = object.__getstate__(state)
    parts = kept if isinstance(kept, tuple) else (kept,)  # the second one is of __slots__
    found = {name: value for part in parts for name, value in (part or {}).items()}
    found.pop("last_action", None)
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in found.items()
    }


_NUM_GAMES: Final = 50
_MOST_PLIES: Final = 1_000


def _num_actions_met(state: State) -> int:
    """One more than the largest action that random games of this class have met.

    It is kept with the class, and grows if a larger one is met later.
    """
    kind, rng = type(state), np.random.default_rng(0)
    if kind.num_actions_met == 0:
        for _ in range(_NUM_GAMES):
            here = state
            for _ in range(_MOST_PLIES):
                legal = () if here.is_terminal else checked_moves(here)
                kind.num_actions_met = max(kind.num_actions_met, 1 + max(legal, default=0))
                if not legal:
                    break
                here = checked_child(here, legal[int(rng.random() * len(legal))])
    kind.num_actions_met = max(kind.num_actions_met, 1 + max(state.legal_actions(), default=0))
    return kind.num_actions_met


def checked_moves(state: State) -> Sequence[int]:
    """The legal actions of a state that is not terminal.

    Raises:
        BrokenRulesError: there are none.
    """
    legal = state.legal_actions()
    if not legal:
        raise BrokenRulesError(
            state,
            "legal_actions() is empty, but is_terminal is False (a forced pass is an action, too), "
            f"for\n{state}\n",
        )
    return legal


def checked_child(state: State, action: int) -> State:
    """The position after `action`.

    Raises:
        BrokenRulesError: there is none.
    """
    after: State | None = state.child(action)
    if after is not None:
        return after
    raise BrokenRulesError(
        state,
        f"child({action!r}) returned None instead of the next position (did you forget `return`?), "
        f"for\n{state}\n",
    )


def checked_returns(state: State) -> tuple[float, float]:
    """The returns of a terminal state.

    Raises:
        BrokenRulesError: they are not two numbers from -1 to 1.
    """
    returns = state.returns()
    if not _are_returns(returns):
        raise BrokenRulesError(
            state,
            f"returns() is {returns!r}, and it must be two numbers from -1 to 1, one for each "
            f"player, for\n{state}\n",
        )
    return returns


def _are_returns(returns: Any) -> bool:
    try:
        first, second = returns
        return bool(-1 <= first <= 1 and -1 <= second <= 1)
    except (TypeError, ValueError):
        return False


def endless(state: State) -> BrokenRulesError:
    """The error of a search whose rollout from `state` did not end within MAX_PLIES plies."""
    return BrokenRulesError(
        state,
        f"A game of {state.title} was not over after {MAX_PLIES:,} plies of a rollout. Its rules "
        "must let every game end, for example as a draw after a certain number of plies.",
    )


def _explain_illegal(state: State, action: object) -> str:
    if state.is_terminal:
        return f"Action {action!r} is not legal: the game is over."
    legal = state.legal_actions()
    shown = ", ".join(f"{choice} ({state.action_to_string(choice)})" for choice in legal[:12])
    more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
    mover = state.player_names[state.current_player]
    return f"Action {action!r} is not legal: {mover} is to move and can play {shown}{more}."
