"""The games of OpenSpiel, another library, as states: `pip install "mctslab[openspiel]"`.

A position is OpenSpiel's own, so its rules are OpenSpiel's and not ours. Such a game is searched in
plain Python and drawn as the text that OpenSpiel prints.
"""

import difflib
import functools
import importlib
import itertools
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, Self

from mctslab.games.state import GameNotOverError, IllegalActionError, State

_SIZES: Final = range(1, 101)
"""Of a board, a row and the like."""
_KIND: Final = frozenset({"SEQUENTIAL", "DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM"})


def from_openspiel(name: str) -> State:
    """The first position of a game of OpenSpiel, such as `hex(board_size=5)`.

    Raises:
        ValueError: OpenSpiel has no such game, or it is not one for two players without chance and
            hidden information, in which one player wins what the other one loses.
        ModuleNotFoundError: OpenSpiel is not installed.
    """
    if not isinstance(name, str):
        raise ValueError(f"Expected the name of a game, such as 'hex(board_size=5)', got {name!r}.")
    game = _class_of(name)
    return game(game.rules.new_initial_state())


class _OpenSpielState(State):
    """A position; each game has a subclass of its own, with its names."""

    name: str
    rules: Any
    """OpenSpiel's `Game`."""
    names_met: dict[int, str]
    """The names of the actions that were played, for a page that names them later."""

    def __init__(self, position: Any) -> None:
        self._position = position  # OpenSpiel's `State`, which is never changed

    @property
    def current_player(self) -> int:
        # At the end, OpenSpiel says a negative number.
        return max(0, int(self._position.current_player()))

    @property
    def num_actions(self) -> int:
        return int(self.rules.num_distinct_actions())

    @property
    def last_action(self) -> int | None:
        history = self._position.history()
        return int(history[-1]) if history else None

    def legal_actions(self) -> tuple[int, ...]:
        return () if self.is_terminal else tuple(self._position.legal_actions())

    def child(self, action: int) -> Self:
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        if action not in self.names_met:
            self.names_met[int(action)] = self.action_to_string(action)
        position = self._position.clone()
        position.apply_action(int(action))
        return type(self)(position)

    @property
    def is_terminal(self) -> bool:
        return bool(self._position.is_terminal())

    def returns(self) -> tuple[float, float]:
        if not self.is_terminal:
            raise GameNotOverError(self)
        first, second = self._position.returns()
        # Some games count points; here only who has won counts.
        won = float((first > second) - (first < second))
        return won, -won

    def action_to_string(self, action: int) -> str:
        """OpenSpiel's notation, without the name of the player that some games have in it, because
        one move has one name. It names legal actions only, so any other has the name under which
        it was played elsewhere or could begin the game, and if there is none, its number."""
        for position in (self._position, self.rules.new_initial_state()):
            if not position.is_terminal() and action in position.legal_actions():
                return _notation(*(position.action_to_string(each, int(action)) for each in (0, 1)))
            if action in self.names_met:
                return self.names_met[action]
        return str(action)

    def __str__(self) -> str:
        return f"{str(self._position).rstrip()}\n{self._status()}"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Callable[..., State], tuple[str, list[int]]]:
        return _after, (self.name, list(self._position.history()))

    def _key(self) -> tuple[str, int, tuple[int, ...]]:
        return str(self._position), self.current_player, self.legal_actions()


def _notation(first: str, second: str) -> str:
    """From OpenSpiel's names of an action for both players, what they share, without blanks.

    >>> _notation("x(0,0)", "o(0,0)"), _notation("X From (7, 1)", "O From (7, 1)")
    ('(0,0)', 'From(7,1)')
    """
    begin = _shared(first, second)
    end = _shared(*(each.removeprefix(begin)[::-1] for each in (first, second)))[::-1]
    text = f"{begin}{end}".strip() or first  # `A` and `a` share nothing
    return "_".join(re.sub(r" *([(,:;]) *", r"\1", text).split()).rstrip(";")


def _shared(first: str, second: str) -> str:
    """The letters with which both texts begin."""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return "".join(letter for letter, _ in pairs)


def _after(name: str, actions: list[int]) -> State:
    """The position of a game after `actions`."""
    game = _class_of(name)
    position = game.rules.new_initial_state()
    for action in actions:
        position.apply_action(action)
    return game(position)


@functools.cache
def _class_of(name: str) -> type[_OpenSpielState]:
    pyspiel = _pyspiel()
    known = {kind.short_name: kind for kind in pyspiel.registered_games()}
    short = name.partition("(")[0]
    if short not in known:  # before OpenSpiel prints a list of all of them
        close = difflib.get_close_matches(short, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise ValueError(f"OpenSpiel has no game {short!r}{hint}")
    try:
        # Its code ends the whole process for some boards without a square, and for huge ones.
        usual = known[short].parameter_specification
        for key, value in pyspiel.game_parameters_from_string(name).items():
            is_size = isinstance(value, int) and usual.get(key) in _SIZES
            if is_size and value not in _SIZES:
                raise ValueError(f"{key} must be from 1 to {_SIZES[-1]}, got {value}")
        rules = pyspiel.load_game(name)
        str(rules.new_initial_state())
    except Exception as error:
        problem = str(error).partition(". Available games")[0].rstrip(".")
        raise ValueError(f"OpenSpiel cannot make the game {name!r}: {problem}.") from error
    kind = rules.get_type()
    found = (kind.dynamics, kind.chance_mode, kind.information, kind.utility)
    if rules.num_players() != 2 or {each.name for each in found} != _KIND:
        raise ValueError(
            f"{kind.long_name} of OpenSpiel can't be searched here: expected a game for two "
            "players in turn, without chance and hidden information, in which one player wins what "
            "the other one loses."
        )
    members = {"name": name, "rules": rules, "title": kind.long_name, "game": kind.short_name}
    members["names_met"] = {}
    return type(f"_{kind.long_name.replace(' ', '')}", (_OpenSpielState,), members)


def _pyspiel() -> ModuleType:
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'OpenSpiel is not installed: pip install "mctslab[openspiel]" (there is no build of it '
            "for Windows)."
        ) from error
    return pyspiel
