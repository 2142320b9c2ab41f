"""The rules of the games, and nothing else.

A state contains the rules of its game: `Reversi()` is the first position of a game on 8 x 8,
`state.child(action)` the next one. `state.State` is the protocol; a game is one file in this folder
(or anywhere else).
"""

import functools
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType
from typing import Any, Final, TypeGuard

from mctslab.games import contract
from mctslab.games.connect_four import ConnectFour
from mctslab.games.gomoku import Gomoku
from mctslab.games.openspiel import from_openspiel
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
    "description",
    "from_openspiel",
    "make",
]


_TEXT: Final = "__text__"
"""Where a module that was run by `make` keeps the text of its file."""


@functools.cache
def by_name() -> Mapping[str, type[State]]:
    """Every game that has a file in this folder, by its short name."""
    games: dict[str, type[State]] = {}
    for module in pkgutil.iter_modules(__path__):
        members = vars(importlib.import_module(f"{__name__}.{module.name}"))
        for member, found in members.items():
            if _is_game(found) and not (inspect.isabstract(found) or member.startswith("_")):
                games[found.game] = found
    return MappingProxyType(dict(sorted(games.items())))


def make(name: str, **options: Any) -> State:
    """The first position of the game called `name`; `options` are those of its class.

    A game of your own is named `my_game.py:MyGame`, by its file, or `module:MyGame`; `my_game.py`
    is enough if it has one game. That file is run, so never use such a name if another person
    has written the file and you have not read it.

    Raises:
        ValueError: there is no such game, its file is not Python, or the game does not accept an
            option.

    >>> make("gomoku", size=9).num_actions
    81
    """
    if not isinstance(name, str):
        raise ValueError(
            f"{name!r} is no game: expected a name such as 'reversi', or where a position is "
            "taken, one such as games.Reversi(), of a class that derives from State."
        )
    if ":" in name or name.endswith(".py"):
        game = _own_game(name)
        if missing := ", ".join(sorted(game.__abstractmethods__)):
            raise ValueError(f"{game.__name__} is not complete: it still needs {missing}.")
    else:
        games = by_name()
        if name not in games:
            raise ValueError(f"There is no game {name!r}. There are {', '.join(sorted(games))}.")
        game = games[name]
    try:
        inspect.signature(game).bind(**options)
    except TypeError as error:
        raise ValueError(f"The game {name!r} cannot have these options: {error}.") from error
    return game(**options)


def description(state: State) -> tuple[str, dict[str, Any]]:
    """The name and the options with which `make` makes `state` again, a first position.

    An option is an argument of the class that a state keeps as an attribute of the same name.

    Raises:
        ValueError: `make` cannot make it from these.

    >>> description(Gomoku(size=9))
    ('gomoku', {'size': 9})
    """
    kind = type(state)
    name = state.game if by_name().get(state.game) is kind else _name_of_own(kind)
    options = {
        parameter.name: value
        for parameter in inspect.signature(kind).parameters.values()
        if isinstance(value := getattr(state, parameter.name, None), bool | int | float | str)
        and value != parameter.default
    }
    if make(name, **options) != state:
        raise ValueError(
            f"This position of {state.title} is not what {kind.__name__}() makes with the options "
            f"{options}: expected a first position, whose options are attributes of the same names."
        )
    return name, options


def _is_game(found: object) -> TypeGuard[type[State]]:
    return inspect.isclass(found) and issubclass(found, State)


def _own_game(name: str) -> type[State]:
    """The class for the name `my_game.py:MyGame` or `module:MyGame`, or the one of `my_game.py`."""
    place, _, wanted = (name, "", "") if name.endswith(".py") else name.rpartition(":")
    try:
        is_file = place.endswith(".py")
        module = _run(Path(place)) if is_file else importlib.import_module(place)
    except (ModuleNotFoundError, FileNotFoundError) as error:
        raise ValueError(f"There is no game {name!r}: {error}.") from error
    known = {member: found for member, found in vars(module).items() if _is_game(found)}
    own = [game for game in known.values() if game.__module__ == module.__name__]
    complete = [game for game in own if not inspect.isabstract(game)]
    found = [known[wanted]] if wanted in known else [] if wanted else complete or own
    if len(found) != 1:
        defined = ", ".join(game.__name__ for game in own) or "none"
        raise ValueError(
            f"{name!r} must name one game, and {place} defines {defined}: name a subclass of "
            f"mctslab.games.State, as in {place}:MyGame."
        )
    return found[0]


def _run(file: Path) -> ModuleType:
    """The module in a file; it is run once, so that its classes are the same each time, and again
    after the file was changed.

    Raises:
        ValueError: another module has that name, or the file is not Python.
    """
    path, name = file.resolve(), file.stem
    found = importlib.util.find_spec(name)
    if found is not None and found.origin != str(path):
        raise ValueError(
            f"{file} has the name of another module, {name} ({found.origin}): rename the file."
        )
    text, before = path.read_text("utf-8"), sys.modules.get(name)
    if before is not None and vars(before).get(_TEXT, text) == text:
        return before
    # Not by the spec's loader: it takes a file of the same second and length for unchanged.
    code = _compiled(text, path)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)[_TEXT] = text
    sys.modules[name] = module  # where pickle and dataclasses look for it
    try:
        exec(code, vars(module))
    except BaseException:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise
    return module


def _compiled(text: str, path: Path) -> CodeType:
    """The code of a file.

    Raises:
        ValueError: the text is not Python; says where, and what to do.
    """
    try:
        return compile(text, str(path), "exec")
    except SyntaxError as error:  # also of indentation
        line = f" `{error.text.strip()}`" if error.text else ""
        raise ValueError(
            f"{path.name}, line {error.lineno}:{line} is not valid Python: {error.msg}. Correct "
            "this line, or the one before it, and run this again. If cells of a notebook write "
            "the file, correct it in its cell, and run that first."
        ) from error


def _name_of_own(kind: type[State]) -> str:
    """How `make` finds a class that has no file in this folder."""
    module = kind.__module__
    is_found = module == "__main__" or PathFinder.find_spec(module.partition(".")[0])
    place = module if is_found else getattr(sys.modules[module], "__file__", None) or module
    return f"{place}:{kind.__qualname__}"
