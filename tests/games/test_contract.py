"""The contract: every game keeps it, and every kind of mistake that we know is found and named."""

import inspect
import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from mctslab import games
from mctslab.games import (
    ConnectFour,
    GameNotOverError,
    IllegalActionError,
    Reversi,
    State,
    TicTacToe,
)
from mctslab.games.bitboards import BitboardState
from mctslab.games.contract import ContractError, check
from mctslab.games.rules import OPEN, Compilable
from mctslab.games.symmetry import identity, mirror, turns_and_mirrors
from tests.games.own_games import BOXES, DotsAndBoxes
from tests.games.playing import FIRST_STATES, SIZES, name_of


def test_every_known_game_is_tested():
    assert SIZES.keys() == games.by_name().keys()


@pytest.mark.parametrize("first_state", [*FIRST_STATES[:-1], DotsAndBoxes()], ids=name_of)
def test_our_games_and_games_of_ones_own_keep_the_contract(first_state):
    num_games = 1 if first_state.num_actions > 60 else 3
    report = check(first_state, num_games=num_games, rng=np.random.default_rng(7))
    expected = f"{first_state.title} keeps the contract.\nRandom games: {num_games}, of "
    assert report.startswith(expected)


# Games with one mistake each. They have a name in this module, so that they can be pickled.

Method = Callable[..., Any]
NUMBERS = count(1)


def broken(words: str, base: type[State] = TicTacToe, **members: Any) -> tuple[type[State], str]:
    """A game that differs from `base` in `members`, and words of the error that names this."""
    for member, value in members.items():
        if inspect.isfunction(value):
            value.__name__ = member
    name = f"Broken{next(NUMBERS)}"
    globals()[name] = type(name, (base,), {"__module__": __name__, **members})
    return globals()[name], words


def board(base: type[State] = TicTacToe, **changes: Method) -> dict[str, Method]:
    """`board()`, its fields computed from the state and its real board."""

    def changed(self):
        real = base.board(self)
        return replace(real, **{name: change(self, real) for name, change in changes.items()})

    return {"board": changed}


def legal(change: Method) -> dict[str, Method]:
    """`legal_actions()`, computed from the real ones."""
    return {"legal_actions": lambda self: change(TicTacToe.legal_actions(self))}


def integers(**functions: Method) -> dict[str, Method]:
    """`compilable()` with the rules of Tic-Tac-Toe on integers, but other functions."""

    def compilable(self) -> Compilable:
        usual = TicTacToe.compilable(self)
        return usual._replace(rules=usual.rules._replace(**functions))

    return {"compilable": compilable}


def _changes_itself(self, action):
    child = TicTacToe.child(self, action)
    self._position, self._moves = child._position, child._moves
    return child


def _ordinary_errors(self, action):
    try:
        return TicTacToe.child(self, action)
    except IllegalActionError as error:
        raise IndexError(str(error)) from error


def _plays_at_random_in_secret(self, action):
    TicTacToe.child(self, action)
    child = TicTacToe.child(self, random.choice(self.legal_actions()))
    child._last_action = action
    return child


def _passes_at_will(self):
    legal = Reversi.legal_actions(self)
    return legal if self.pass_action in legal or not legal else (*legal, self.pass_action)


def _goes_on(self, action):
    if action not in (0, 1):
        raise IllegalActionError(self, action)
    return replace(self, current_player=1 - self.current_player, last_action=int(action))


def transposed(square: int) -> int:
    return square % 3 * 3 + square // 3


def equal_to(own: Method, *, hashed: Method | None = TicTacToe.__hash__) -> dict[str, Any]:
    return {"__eq__": own, "__hash__": hashed}


MOVES = [TicTacToe().action_to_string(action) for action in range(9)]
CHILD, RETURNS, EQUAL = TicTacToe.child, TicTacToe.returns, TicTacToe.__eq__
DOTS_RETURNS, ONE_BOX_DECIDES = DotsAndBoxes.returns, ((1.0, -1.0), (-1.0, 1.0))
STILL = identity(9, 9)
LAST, FIND = TicTacToe.last_action.fget, TicTacToe.string_to_action

FOUR_MARKS = broken("IndexError", **legal(lambda these: these if len(these) != 5 else these[99]))


def never_returns(position, move, geometry):
    while True:
        pass


BROKEN = [
    # legal_actions()
    broken("must be a tuple of ints", **legal(list)),
    broken("not of NumPy's", **legal(lambda these: tuple(np.array(these)))),
    broken("in ascending order", **legal(lambda these: these[::-1])),
    broken("each once", **legal(lambda these: these and (these[0], *these))),
    broken("0 to 8", **legal(lambda these: tuple(action + 1 for action in these)),
           child=lambda self, action: CHILD(self, action - 1)),
    broken("empty exactly if", **legal(lambda these: these if len(these) > 5 else ())),
    FOUR_MARKS,
    broken("A pass must", Reversi, __init__=lambda self: Reversi.__init__(self, 4),
           legal_actions=_passes_at_will),
    # child()
    broken("child(4) must make a new one", child=_changes_itself),
    broken("child(-1), not legal", child=lambda self, action: CHILD(self, max(action, 0))),
    broken("must raise IllegalActionError", child=_ordinary_errors),
    broken("must return a Broken", child=lambda self, action: CHILD(self, action) and None),
    broken("the same state every time", child=_plays_at_random_in_secret),
    broken("A game must end", DotsAndBoxes, legal_actions=lambda self: (0, 1), child=_goes_on,
           **board(DotsAndBoxes, last_square=lambda state, real: state.last_action)),
    # Properties and returns()
    broken("last_action, board().last_square", last_action=property(lambda self: None)),
    broken("of the first position", current_player=property(lambda self: 1 - self._position[2])),
    broken("the int 0 or 1", current_player=property(lambda self: (0, 2)[self._position[2]])),
    broken("is_terminal must be a bool", is_terminal=lambda self: not self.legal_actions(),
           returns=lambda self: (1.0, -1.0)),
    broken("and num_actions", num_actions=property(lambda self: 9 - (LAST(self) is not None))),
    broken("returns() must", returns=lambda self: tuple(max(r, 0.0) for r in RETURNS(self))),
    broken("must raise GameNotOverError until",
           returns=lambda self: RETURNS(self) if self.is_terminal else (0.0, 0.0)),
    # Equality and copies
    broken("must equal state", **equal_to(object.__eq__)),
    broken("however reached",
           **equal_to(lambda self, other: (self._position, LAST(self)) ==
                      (getattr(other, "_position", None), getattr(other, "_last_action", None)))),
    broken("equal hashes",
           **equal_to(EQUAL, hashed=lambda self: hash((self._position, LAST(self))))),
    broken("States that differ",
           **equal_to(lambda self, other: isinstance(other, State) and hash(self) == hash(other),
                      hashed=lambda self: len(self.legal_actions()) + 10 * self.is_terminal)),
    broken("unhashable type", **equal_to(EQUAL, hashed=None)),
    # Names
    broken("`game`", game="Noughts & Crosses"),
    broken("and no other", action_to_string=lambda self, action: MOVES[action % 8]),
    broken("without blanks", action_to_string=lambda self, action: " ".join(MOVES[action])),
    broken("must find action", string_to_action=lambda self, text: 8 - FIND(self, text)),
    broken("ValueError:", string_to_action=lambda self, text: MOVES.index(text.strip())),
    # board() and squares
    broken("must be a Board", board=lambda self: "..."),
    broken("for each square", **board(stones=lambda state, real: real.stones[1:])),
    broken("EMPTY, 0 or 1", **board(stones=lambda state, real: tuple(s + 9 for s in real.stones))),
    broken("must have (3, 3) labels", **board(row_labels=lambda state, real: ("1", "2"))),
    broken("last_action, board().last_square", **board(last_square=lambda state, real:
           None if state.last_action is None else transposed(state.last_action))),
    # Its own bits count from the bottom, the squares from the top.
    broken("bitboards() must be those of", ConnectFour, bitboards=BitboardState.bitboards),
    broken("an action that plays there", square_action=lambda self, square: transposed(square)),
    broken("last_action, board().last_square", action_square=lambda self, action: action + 9),
    # symmetries()
    broken("begins with the identity", symmetries=lambda self: TicTacToe.symmetries(self)[1:]),
    broken("leave the rules unchanged", symmetries=lambda self:
           (STILL, STILL._replace(squares=mirror(3, 3)[1].squares))),
    broken("leave the rules unchanged", DotsAndBoxes,
           returns=lambda self: DOTS_RETURNS(self) and ONE_BOX_DECIDES[self.stones[BOXES[0]]],
           symmetries=lambda self: turns_and_mirrors(5, 25)),
    # Rules on integers
    broken("WON 3) must be (1, 1)", **integers(outcome=lambda position, moves, geometry: OPEN)),
    broken("The end of the position",
           compilable=lambda self: TicTacToe.compilable(self)._replace(position=(0, 0, 1))),
    broken("legal_moves() on", **integers(legal_moves=lambda position, geometry: 511 ^ 16)),
    broken("play() on integers", **integers(play=lambda position, move, geometry: position)),
    broken("never_returns() of the rules does not return", **integers(play=never_returns)),
    # Drawing
    broken("KeyError: 2", __str__=lambda self: {}[2]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "words"), BROKEN)
def test_a_broken_game_is_found_and_its_mistake_named(game, words):
    random.seed(1)  # of the games that play at random
    with pytest.raises(ContractError) as caught:
        check(game(), max_plies=100)
    for part in (words, f"{game.__name__}: ", "Found: ", "first_state"):
        assert part in str(caught.value)


def test_the_error_leads_to_the_position():
    game, _ = FOUR_MARKS
    with pytest.raises(ContractError, match=r"It comes from <lambda>\(\): FOUR_MARKS") as caught:
        check(game())
    where, drawn = str(caught.value).partition("This is first_state")[2].split(":\n")
    state = game()
    for action in re.findall(r"\.child\((\d)\)", where):
        state = state.child(int(action))
    assert where.count("child") == 4
    assert str(state) == drawn


def test_what_is_no_state_and_no_games_are_refused():
    for thing in (TicTacToe, 3, None, "reversi"):
        with pytest.raises(TypeError, match="takes a state"):
            check(thing)
    for number in (0, "many", 1.5):
        with pytest.raises(ValueError, match="at least one"):
            check(TicTacToe(), num_games=number)


class Countdown(State):
    def __init__(self, left=5, moves=0):
        self.left, self.moves = left, moves

    @property
    def current_player(self):
        return 0

    def legal_actions(self):
        return tuple(range(1, min(2, self.left) + 1))

    def child(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        return Countdown(self.left - action, self.moves + 1)

    @property
    def is_terminal(self):
        return self.left == 0

    def returns(self):
        if not self.is_terminal:
            raise GameNotOverError(self)
        return 1 - self.moves / 5, self.moves / 5 - 1


def test_a_game_for_one_player_keeps_the_contract():
    assert "0.40 for player 0" in check(Countdown())
