"""The rules of the games, and nothing else.

A state is its game: `Reversi()` is the first position of a game on 8 x 8, `state.child(action)`
the next one. `state.State` is the protocol; a game is one file in this folder (or anywhere else).
"""

import importlib
import inspect
import pkgutil
from typing import Any

from mctslab.games import contract
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
    "contract",
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
        ValueError: no such game, or the game refuses an option.

    >>> make("gomoku", size=9).num_actions
    81
    """
    if ":" in name:
        return _game_of_module(name)(**options)
    games = known()
    if name not in games:
        raise ValueError(f"There is no game {name!r}. Known are {', '.join(sorted(games))}.")
    return games[name](**options)


def _game_of_module(name: str) -> type[State]:
    """The class that `name`, `module:Class`, stands for."""
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ValueError(f"There is no game {name!r}: {error}.") from error
    found = getattr(module, class_name, None)
    if not (inspect.isclass(found) and issubclass(found, State)):
        raise ValueError(
            f"There is no game {name!r}: {class_name!r} of that module is no subclass of "
            "mctslab.games.State."
        )
    return found
