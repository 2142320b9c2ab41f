"""Moves of a game as text and back, for the panels."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mctslab.games.state import State

_SEPARATORS = re.compile(r"[\s,;]+")
_MOVE_NUMBER = re.compile(r"^\d+\.+")
_RUN_TOGETHER = re.compile(r"(?<=\d)(?=[a-z])|(?<=pass)(?=[a-z])", re.IGNORECASE)
_SHOWN_MOVES = 12


class RecordError(ValueError):
    """A record of a game that can't be played; the message says which move is wrong, and why."""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a game, a pass included."""

    action: int
    player: int
    notation: str
    is_pass: bool
    seconds: float | None = None
    """How long the player took; None where no clock ran."""
    num_simulations: int = 0
    """Of the search behind it; 0 where there was none."""
    num_nodes: int = 0
    """That the search behind it has visited; 0 where they were not counted."""


def move_of(kept: Mapping[str, Any]) -> Move:
    """A move as `GamePanel.game` keeps it."""
    names = ("move", "player", "name", "is_pass", "seconds", "simulations", "nodes")
    return Move(*(kept[name] for name in names))


def must_pass(state: State) -> bool:
    """Whether the player to move can only pass."""
    actions = state.legal_actions()
    return len(actions) == 1 and state.action_square(actions[0]) is None


def verdict(returns: tuple[float, float], player_names: tuple[str, str]) -> str:
    """Who has won a game.

    >>> verdict((1, -1), ("Black", "White")), verdict((0, 0), ("Black", "White"))
    ('Black wins', 'Draw')
    """
    first, second = returns
    return "Draw" if first == second else f"{player_names[0 if first > second else 1]} wins"


def checked_limit(seconds: float | None) -> float | None:
    """A limit for a move, in seconds; None for none.

    Raises:
        ValueError: it is not above 0.
    """
    try:
        is_possible = seconds is None or seconds > 0
    except TypeError:  # a text, for instance
        is_possible = False
    if not is_possible:
        raise ValueError(
            f"seconds_per_move={seconds!r} is not possible: "
            "give a number above 0, or None for no limit."
        )
    return seconds


def read_record(record: str, first_state: State) -> list[int]:
    """The actions of the moves of `record`, from `first_state` on.

    Moves are separated by blanks, commas or line ends, or follow each other as in `h8i9h9`; move
    numbers such as `12.` are skipped.

    Raises:
        RecordError: a move of the record is not a move, or is not legal at that point; the message
            names it.
    """
    state, actions = first_state, []
    for number, word in enumerate(_notations(record, first_state), start=1):
        actions.append(_read_move(state, word, number))
        state = state.child(actions[-1])
    return actions


def _notations(record: str, state: State) -> Iterator[str]:
    """The moves of `record`, one by one, as they are written there."""
    for word in _SEPARATORS.split(record):
        if notation := _MOVE_NUMBER.sub("", word):
            yield from [notation] if _is_move(state, notation) else _RUN_TOGETHER.split(notation)


def _is_move(state: State, word: str) -> bool:
    """Whether `word` is the notation of a move of the game, legal or not."""
    try:
        state.string_to_action(word)
    except ValueError:
        return False
    return True


def _read_move(state: State, word: str, number: int) -> int:
    if state.is_terminal:
        raise RecordError(f"Move {number}, {word}: the game is over after move {number - 1}.")
    try:
        action = state.string_to_action(word)
    except ValueError as error:
        raise RecordError(f"Move {number}: {error}") from error
    legal = state.legal_actions()
    if action not in legal:
        shown = ", ".join(state.action_to_string(choice) for choice in legal[:_SHOWN_MOVES])
        more = f" and {len(legal) - _SHOWN_MOVES} more" if len(legal) > _SHOWN_MOVES else ""
        mover = state.player_names[state.current_player]
        raise RecordError(
            f"Move {number}, {word}, is not legal: {mover} is to move and can play {shown}{more}."
        )
    return action
