"""The rules of the games, and nothing else.

A state is its game: `Reversi()` is the first position of a game on 8 x 8, `state.child(action)`
the next one. `state.State` is the protocol; a game is one file in this folder (or anywhere else).
"""

import importlib
import inspect
import pkgutil
from typing import Any, TypeGuard

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
    "by_name",
    "contract",
    "make",
]


def by_name() -> dict[str, type[State]]:
    """Every game that has a file in this folder, by its short name."""
    games: dict[str, type[State]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}"))
        for found in filter(_is_game, members.values()):
            if not inspect.isabstract(found):
                games[found.game] = found
    return dict(sorted(games.items()))


def make(name: str, **options: Any) -> State:
    """The first position of the game called `name`; `options` are those of its class.

    A game that lives in a file of yours is named `module:Class`.

    Raises:
        ValueError: no such game, or the game does not accept an option.

    >>> make("gomoku", size=9).num_actions
    81
    """
    if ":" in name:
        return _game_of_module(name)(**options)
    games = by_name()
    if name not in games:
        raise ValueError(f"There is no game {name!r}. There are {', '.join(sorted(games))}.")
    return games[name](**options)


def _is_game(found: object) -> TypeGuard[type[State]]:
    return inspect.isclass(found) and issubclass(found, State)


def _game_of_module(name: str) -> type[State]:
    """The class that `name`, `module:Class`, stands for."""
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ValueError(f"There is no game {name!r}: {error}.") from error
    found = getattr(module, class_name, None)
    if not _is_game(found):
        raise ValueError(
            f"There is no game {name!r}: {class_name!r} of that module is no subclass of "
            "mctslab.games.State."
        )
    return found
