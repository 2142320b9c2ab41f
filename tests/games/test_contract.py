"""The contract: every game keeps it, and every way to break it that we know is found and named."""

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
from mctslab.boards import EMPTY
from mctslab.games import ConnectFour, IllegalActionError, Reversi, State, TicTacToe
from mctslab.games.bitboards import BitboardState
from mctslab.games.contract import ContractError, check
from mctslab.games.rules import LOST, OPEN, Compilable
from mctslab.games.symmetry import identity, mirror, turns_and_mirrors
from tests.games.own_games import BOXES, EDGES, DotsAndBoxes
from tests.games.playing import FIRST_STATES, SIZES, name_of


def test_every_known_game_is_tested():
    assert SIZES.keys() == games.by_name().keys()


@pytest.mark.parametrize("first_state", [*FIRST_STATES[:-1], DotsAndBoxes()], ids=name_of)
def test_our_games_and_games_of_ones_own_keep_the_contract(first_state):
    num_games = 1 if first_state.num_actions > 60 else 3
    report = check(first_state, num_games=num_games, rng=np.random.default_rng(7))
    expected = f"{first_state.title} keeps the contract.\nRandom games: {num_games}, of "
    assert report.startswith(expected)


def test_what_was_played_is_counted_and_without_rng_the_same_every_time():
    report = check(TicTacToe(), num_games=40, rng=np.random.default_rng(1))
    assert "Random games: 40, of 5 to 9 plies\nResults: drawn " in report
    counts = re.search(r"drawn (\d+), player 0 won (\d+), player 1 won (\d+)", report)
    assert sum(map(int, counts.groups())) == 40
    one, again = check(TicTacToe(), num_games=4), check(TicTacToe(), num_games=4)
    assert one == again != check(TicTacToe(), num_games=4, rng=np.random.default_rng(5))


# Games with one mistake each. They have a name in this module, so that they can be pickled.

Method = Callable[..., Any]
NUMBERS = count(1)


def on_integers(**functions: Method) -> Method:
    """`compilable()` with the rules of Tic-Tac-Toe on integers, but other functions."""

    def compilable(self) -> Compilable:
        usual = TicTacToe.compilable(self)
        return usual._replace(rules=usual.rules._replace(**functions))

    return compilable


def broken(promise: str, base: type[State] = TicTacToe, **members: Any) -> tuple[type[State], str]:
    """A game that differs from `base` in `members`, and what the error says of it."""
    for member, value in members.items():
        if inspect.isfunction(value):
            value.__name__ = member
    name = f"Broken{next(NUMBERS)}"
    globals()[name] = type(name, (base,), {"__module__": __name__, **members})
    return globals()[name], promise


def legal_as(change: Method) -> Method:
    return lambda self: change(TicTacToe.legal_actions(self))


def board_with(base: type[State] = TicTacToe, **changes: Method) -> Method:
    """`board()`, its fields computed from the state and its real board."""

    def board(self):
        real = base.board(self)
        return replace(real, **{name: change(self, real) for name, change in changes.items()})

    return board


def _changes_itself(self, action):
    child = TicTacToe.child(self, action)
    self._position, self._moves = child._position, child._moves
    return child


def _takes_occupied_edges(self, action):
    if action not in EDGES or self.is_terminal:
        raise IllegalActionError(self, action)
    stones = list(self.stones)
    stones[action] = EMPTY
    return DotsAndBoxes.child(replace(self, stones=tuple(stones)), action)


def _ordinary_errors(self, action):
    try:
        return TicTacToe.child(self, action)
    except IllegalActionError as error:
        raise IndexError(str(error)) from error


def _refuses_numpy(self, action):
    if isinstance(action, np.integer):
        raise OverflowError("Python int too large to convert to C long")
    return TicTacToe.child(self, action)


def _plays_at_random_in_secret(self, action):
    TicTacToe.child(self, action)
    child = TicTacToe.child(self, random.choice(self.legal_actions()))
    child._last_action = action
    return child


def _leads_elsewhere_later(self, text):
    action = TicTacToe.string_to_action(self, text)
    return action if self.last_action is None else 8 - action


def _passes_at_will(self):
    legal = Reversi.legal_actions(self)
    return legal if self.pass_action in legal or not legal else (*legal, self.pass_action)


def _empty_squares(self):
    return tuple(square for square, stone in enumerate(self.board().stones) if stone == EMPTY)


def _goes_on(self, action):
    if action not in (0, 1):
        raise IllegalActionError(self, action)
    return replace(self, current_player=1 - self.current_player, last_action=int(action))


def transposed(square: int) -> int:
    return square % 3 * 3 + square // 3


def equal_to(own: Method, *, hashed: Method | None = TicTacToe.__hash__) -> dict[str, Any]:
    return {"__eq__": own, "__hash__": hashed}


def still_and(**changes: Any) -> Method:
    """The identity, and the identity with changes."""
    still = identity(9, 9)
    return lambda self: (still, still._replace(**changes))


CHILD, RETURNS, EQUAL = TicTacToe.child, TicTacToe.returns, TicTacToe.__eq__
DOTS_RETURNS, ONE_BOX_DECIDES = DotsAndBoxes.returns, ((1.0, -1.0), (-1.0, 1.0))
LAST, FIND = TicTacToe.last_action.fget, TicTacToe.string_to_action
MOVES = [TicTacToe().action_to_string(action) for action in range(9)]
NAMED = {name: action for action, name in enumerate(MOVES)}

CRASHES_WITH_FOUR_MARKS = broken(
    "state.legal_actions()` must not raise IndexError",
    legal_actions=legal_as(lambda legal: legal if len(legal) != 5 else legal[99]),
)

LEGAL_ACTIONS: dict[str, Method] = {
    "must be empty exactly at terminal states": lambda legal: legal if len(legal) > 5 else (),
    "tuple of ints": list,
    "tuple of ints, not of NumPy's": lambda legal: tuple(np.array(legal)),
    "ascending order": lambda legal: legal[::-1],
    "ascending order, each once": lambda legal: legal and (legal[0], *legal),
}
"""By what the error says: what `legal_actions()` makes of the real ones."""

BOARDS: dict[str, tuple[str, Method]] = {
    "board().stones must be": ("stones", lambda state, board: board.stones[1:]),
    "EMPTY, 0 or 1 for": ("stones", lambda state, board: tuple(s + 9 for s in board.stones)),
    "its stones a tuple": ("stones", lambda state, board: list(board.stones)),
    "board().style": ("style", lambda state, board: "chess"),
    "a label for every row": ("row_labels", lambda state, board: ("1", "2")),
    "winning_squares must be squares": ("winning_squares", lambda state, board: (9,)),
    "last_square must be None": ("last_square", lambda state, board: board.last_square or 0),
    "last_square must be what action_square() was": (
        "last_square",
        lambda state, board: None if state.last_action is None else transposed(state.last_action),
    ),
}
"""By what the error says: a field of `board()`, and what the game makes of it."""


def never_returns(position, move, geometry):
    while True:
        pass


BROKEN = [
    # legal_actions()
    *(broken(promise, legal_actions=legal_as(make)) for promise, make in LEGAL_ACTIONS.items()),
    broken("empty exactly at terminal states", legal_actions=_empty_squares),
    broken(
        "in range(num_actions)",
        legal_actions=legal_as(lambda legal: tuple(action + 1 for action in legal)),
        child=lambda self, action: CHILD(self, action - 1),
    ),
    CRASHES_WITH_FOUR_MARKS,
    broken(
        "pass must be legal only if it is forced",
        Reversi,
        __init__=lambda self: Reversi.__init__(self, 4),
        legal_actions=_passes_at_will,
    ),
    # child()
    broken("child(4) current_player, legal_actions and stones changed", child=_changes_itself),
    broken("must raise IllegalActionError", DotsAndBoxes, child=_takes_occupied_edges),
    broken("must raise IllegalActionError", child=lambda self, action: CHILD(self, max(action, 0))),
    broken("must raise IllegalActionError", child=_ordinary_errors),
    broken(
        "`child = self.state.child(action)` must not raise IllegalActionError: Action 9",
        child=lambda self, action: CHILD(self, 9 if action == 8 else action),
    ),
    broken("for again in (state.child(action), state.child(numpy_int))", child=_refuses_numpy),
    broken(
        "child() must return its own class",
        child=lambda self, action: CHILD(self, action) and TicTacToe().child(action),
    ),
    broken("child() must give the same state every time", child=_plays_at_random_in_secret),
    broken(
        "A game must end",
        DotsAndBoxes,
        legal_actions=lambda self: (0, 1),
        child=_goes_on,
        board=board_with(DotsAndBoxes, last_square=lambda state, board: state.last_action),
    ),
    # Properties and returns()
    broken("last_action must be the action that led here", last_action=property(lambda self: None)),
    broken("None before the first move", last_action=property(lambda self: LAST(self) or 0)),
    broken("Player 0 must move first", current_player=property(lambda self: 1 - self._position[2])),
    broken("the int 0 or 1", current_player=property(lambda self: (0, 2)[self._position[2]])),
    broken("the int 0 or 1", current_player=property(lambda self: self._position[2] == 1)),
    broken(
        "not be over at its start",
        is_terminal=property(lambda self: True),
        legal_actions=lambda self: (),
        returns=lambda self: (0.0, 0.0),
    ),
    broken(
        "is_terminal must be a bool, with @property",
        is_terminal=lambda self: not self.legal_actions(),
        returns=lambda self: (1.0, -1.0),
    ),
    broken("an int, the same", num_actions=property(lambda self: 9 - (LAST(self) is not None))),
    broken("if player 0 has won", returns=lambda self: tuple(max(r, 0.0) for r in RETURNS(self))),
    broken("if player 0 has won", returns=lambda self: RETURNS(self)[0]),
    broken(
        "returns() must raise GameNotOverError",
        returns=lambda self: RETURNS(self) if self.is_terminal else (0.0, 0.0),
    ),
    # Equality and copies
    broken("must be equal to state, with the same hash", **equal_to(object.__eq__)),
    broken("must be equal to state, with the same hash", **equal_to(EQUAL, hashed=object.__hash__)),
    broken(
        "however they were reached",
        **equal_to(lambda self, other: EQUAL(self, other) is True and LAST(self) == LAST(other)),
    ),
    broken(
        "States that differ must not be equal",
        **equal_to(
            lambda self, other: isinstance(other, State) and hash(self) == hash(other),
            hashed=lambda self: len(self.legal_actions()) + 10 * self.is_terminal,
        ),
    ),
    broken(
        "equal to no other type",
        **equal_to(lambda self, other: not isinstance(other, State) or EQUAL(self, other)),
    ),
    broken("(state == stranger)", **equal_to(lambda self, other: LAST(self) == LAST(other))),
    broken(
        "Equal states must have equal hashes",
        **equal_to(EQUAL, hashed=lambda self: hash((self._position, LAST(self)))),
    ),
    broken("unhashable type", **equal_to(EQUAL, hashed=None)),
    broken("pickle.dumps(state)", __reduce__=lambda self: 1 // 0),
    # Names
    broken("`game`", game="Noughts & Crosses"),
    broken("`title`", title=""),
    broken("`player_names`", player_names=("Black", "Blue")),
    broken("not have the same name", action_to_string=lambda self, action: MOVES[action % 8]),
    broken("without blanks", action_to_string=lambda self, action: " ".join(MOVES[action])),
    broken("string_to_action('a1') must", string_to_action=lambda self, text: 8 - FIND(self, text)),
    broken("string_to_action('", string_to_action=_leads_elsewhere_later),
    broken("raise ValueError", string_to_action=lambda self, text: NAMED[text.strip().lower()]),
    # board() and squares
    *(broken(promise, board=board_with(**dict([field]))) for promise, field in BOARDS.items()),
    broken("board() must be a Board", board=lambda self: "..."),
    # Its own bits count from the bottom, the squares from the top.
    broken("bitboards() must be those of board()", ConnectFour, bitboards=BitboardState.bitboards),
    broken("square_action(1) must be", square_action=lambda self, square: transposed(square)),
    broken("must be a square of the board", action_square=lambda self, action: action + 9),
    # symmetries()
    broken("a tuple that begins with", symmetries=lambda self: TicTacToe.symmetries(self)[1:]),
    broken("one after the other, must", symmetries=lambda self: TicTacToe.symmetries(self)[:3]),
    broken("two permutations", symmetries=still_and(squares=(0, 0, *range(2, 9)))),
    broken("must move its square, too", symmetries=still_and(squares=mirror(3, 3)[1].squares)),
    broken(
        "leave the rules unchanged",
        DotsAndBoxes,
        returns=lambda self: DOTS_RETURNS(self) and ONE_BOX_DECIDES[self.stones[BOXES[0]]],
        symmetries=lambda self: turns_and_mirrors(5, 25),
    ),
    # Rules on integers
    broken("outcome() on integers must be LOST, which is 1, as in the class; got 0",
           compilable=on_integers(outcome=lambda position, moves, geometry: OPEN)),
    broken("outcome() on integers must be OPEN, which is 0, as in the class; got 1",
           compilable=on_integers(outcome=lambda position, moves, geometry: LOST)),
    broken("legal_moves() on integers must be (0, 1, 2, 3, 4, 5, 6, 7, 8), as in the",
           compilable=on_integers(legal_moves=lambda position, geometry: 511 ^ 16)),
    broken("play() on integers must lead to compilable().position of child(",
           compilable=on_integers(play=lambda position, move, geometry: position)),
    broken("The last entry of compilable().position must be current_player",
           compilable=lambda self: TicTacToe.compilable(self)._replace(position=(0, 0, 1))),
    broken("must not raise ZeroDivisionError", compilable=lambda self: 1 // 0),
    broken("never_returns() of the rules does not return from ((0, 0, 0), ",
           compilable=on_integers(play=never_returns)),
    # Drawing
    broken("__repr__() must draw the state", __repr__=lambda self: ""),
    broken("KeyError: 2", __str__=lambda self: {}[2]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "promise"), BROKEN)
def test_a_broken_game_is_found_and_its_mistake_named(game, promise):
    random.seed(1)  # of the games that play at random
    with pytest.raises(ContractError) as caught:
        check(game(), max_plies=100)
    for part in (promise, f"{game.__name__}: ", "first_state"):
        assert part in str(caught.value)


def test_the_error_leads_to_the_position():
    game, _ = CRASHES_WITH_FOUR_MARKS
    with pytest.raises(ContractError) as caught:
        check(game())
    state = game()
    for action in caught.value.actions:
        state = state.child(action)
    assert len(caught.value.actions) == 4
    assert state._position == caught.value.state._position
    assert f".child({caught.value.actions[0]})" in str(caught.value)


def test_what_is_no_state_and_no_games_are_refused():
    for thing in (TicTacToe, 3, None, "reversi"):
        with pytest.raises(TypeError, match="takes a state"):
            check(thing)
    with pytest.raises(ValueError, match="at least one"):
        check(TicTacToe(), num_games=0)
