"""The rules of the games, and nothing else.

A state is its game: `Reversi()` is the first position of a game on 8 x 8, `state.child(action)`
the next one. `state.State` is the protocol; a game is one file in this folder (or anywhere else).
"""

import importlib
import inspect
import pkgutil
from typing import Any

from mctslab.games.connect_four import ConnectFour
from mctslab.games.gomoku import Gomoku
from mctslab.games.reversi import Reversi
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.games.tictactoe import TicTacToe

__all__ = [
    "ConnectFour",
    "GameNotOverError",
    "Gomoku",
    "IllegalActionError",
    "Reversi",
    "State",
    "TicTacToe",
    "known",
    "make",
]


def known() -> dict[str, type[State]]:
    """Every game that has a file in this folder, by its short name."""
    games: dict[str, type[State]] = {}
    for module in pkgutil.iter_modules(__path__):
        for _, found in inspect.getmembers(importlib.import_module(f"{__name__}.{module.name}")):
            if (
                inspect.isclass(found)
                and issubclass(found, State)
                and not inspect.isabstract(found)
            ):
                games[found.game] = found
    return games


def make(name: str, **options: Any) -> State:
    """The first position of the game called `name`; `options` are those of its class.

    A game that lives in a file of yours is named `module:Class`.

    Raises:
        ValueError: no such game.

    >>> make("gomoku", size=9).num_actions
    81
    """
    if ":" in name:
        module, _, class_name = name.partition(":")
        return _checked(getattr(importlib.import_module(module), class_name), name)(**options)
    games = known()
    if name not in games:
        raise ValueError(f"There is no game {name!r}. Known are {', '.join(sorted(games))}.")
    return games[name](**options)


def _checked(found: Any, name: str) -> type[State]:
    if not (inspect.isclass(found) and issubclass(found, State)):
        raise ValueError(f"{name!r} is no game: it has to be a subclass of mctslab.games.State.")
    return found
