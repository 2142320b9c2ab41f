"""The contract: every game keeps it, and every way to break it that we know is found and named."""

import inspect
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from mctslab import games
from mctslab.boards import EMPTY
from mctslab.games import ConnectFour, IllegalActionError, Reversi, State, TicTacToe
from mctslab.games.bitboards import BitboardState
from mctslab.games.contract import ContractError, check
from mctslab.games.symmetry import identity, mirror, turns_and_mirrors
from tests.games.own_games import DotsAndBoxes, Hex
from tests.games.playing import FIRST_STATES, SIZES, name_of


def test_every_known_game_is_tested():
    assert SIZES.keys() == games.by_name().keys()


@pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
def test_our_games_keep_the_contract(first_state):
    num_games = 1 if first_state.num_actions > 100 else 5
    report = check(first_state, num_games=num_games, rng=np.random.default_rng(7))
    assert f"Random games: {num_games}, of " in report


@pytest.mark.parametrize("first_state", [Hex(), DotsAndBoxes()], ids=name_of)
def test_a_game_of_ones_own_keeps_the_contract(first_state):
    report = check(first_state)
    assert report.startswith(f"{first_state.title} keeps to the protocol. Random games: 20")


def test_what_was_played_is_counted():
    report = check(TicTacToe(), num_games=100, rng=np.random.default_rng(1))
    assert "Random games: 100, of 5 to 9 plies (drawn " in report
    counts = re.search(r"drawn (\d+), player 0 won (\d+), player 1 won (\d+)", report)
    assert sum(map(int, counts.groups())) == 100
    assert int(report.split()[-1].rstrip(".")) <= 5_478


def test_without_rng_the_games_are_the_same_every_time():
    assert check(TicTacToe()) == check(TicTacToe())
    assert check(TicTacToe()) != check(TicTacToe(), rng=np.random.default_rng(5))


# Games with one mistake each: (the game, what its error says). They have a name in this module, so
# that they can be pickled.

MISTAKES: list[tuple[type[State], str]] = []
Method = Callable[..., Any]


def mistake(name: str, promise: str, base: type[State] = TicTacToe, **members: object) -> None:
    """List a game that is like `base` except for `members`."""
    for member, value in members.items():
        if inspect.isfunction(value):
            value.__name__ = member
    broken = type(name, (base,), {"__module__": __name__, **members})
    globals()[name] = broken
    MISTAKES.append((broken, promise))


def legal_as(change: Method) -> Method:
    return lambda self: change(TicTacToe.legal_actions(self))


def board_with(base: type[State] = TicTacToe, **changes: Method) -> Method:
    """`board()`, its fields computed from the state and its real board."""

    def board(self):
        real = base.board(self)
        return replace(real, **{name: change(self, real) for name, change in changes.items()})

    return board


mistake(
    "LegalActionsAfterTheEnd",
    "empty exactly at terminal states",
    legal_actions=lambda self: tuple(
        s for s, stone in enumerate(self.board().stones) if stone == EMPTY
    ),
)
mistake(
    "NoLegalActionInTheMiddle",
    "empty exactly at terminal states",
    legal_actions=legal_as(lambda legal: legal if len(legal) > 5 else ()),
)
mistake("LegalActionsInAList", "tuple of ints", legal_actions=legal_as(list))
mistake(
    "LegalActionsOfNumPy",
    "tuple of ints, not of NumPy's",
    legal_actions=legal_as(lambda legal: tuple(np.array(legal))),
)
mistake(
    "LegalActionsUnordered", "ascending order", legal_actions=legal_as(lambda legal: legal[::-1])
)
mistake(
    "LegalActionsTwice",
    "ascending order, each once",
    legal_actions=legal_as(lambda legal: legal and (legal[0], *legal)),
)
mistake(
    "ActionsFromOne",
    "in range(num_actions)",
    legal_actions=legal_as(lambda legal: tuple(action + 1 for action in legal)),
    child=lambda self, action: TicTacToe.child(self, action - 1),
)


def _changes_itself(self, action):
    child = TicTacToe.child(self, action)
    self._position, self._moves = child._position, child._moves
    return child


mistake("ChangesItself", "never changes", child=_changes_itself)


class SharesItsStones(Hex):
    """`stones` is one list for all states of a game."""

    def __init__(self, stones=None, **fields):
        super().__init__(stones=stones or [EMPTY] * 16, **fields)

    def __hash__(self):
        return hash(tuple(self.stones))

    def child(self, action):
        child = super().child(action)
        self.stones[action] = self.current_player
        return replace(child, stones=self.stones)

    def board(self):
        return replace(super().board(), stones=tuple(self.stones))


MISTAKES.append((SharesItsStones, "never changes"))


def _takes_occupied_squares(self, action):
    if action not in range(self.num_actions) or self.is_terminal:
        raise IllegalActionError(self, action)
    stones = list(self.stones)
    stones[action] = self.current_player
    return replace(self, stones=tuple(stones), last_action=int(action))


ILLEGAL = "must raise IllegalActionError"
mistake("TakesOccupiedSquares", ILLEGAL, Hex, child=_takes_occupied_squares)
mistake(
    "TakesNegativeActions",
    ILLEGAL,
    child=lambda self, action: TicTacToe.child(self, action + 9 if action < 0 else action),
)
mistake(
    "GoesOnAfterTheEnd",
    ILLEGAL,
    child=lambda self, action: (
        self if self.is_terminal and action in range(9) else TicTacToe.child(self, action)
    ),
)


def _ordinary_errors(self, action):
    try:
        return TicTacToe.child(self, action)
    except IllegalActionError as error:
        raise IndexError(str(error)) from error


def _refuses_a_legal_action(self, action):
    if action == 8:
        raise IllegalActionError(self, action)
    return TicTacToe.child(self, action)


def _refuses_numpy(self, action):
    if isinstance(action, np.integer):
        raise OverflowError("Python int too large to convert to C long")
    return TicTacToe.child(self, action)


def _returns_a_tic_tac_toe(self, action):
    TicTacToe.child(self, action)
    return TicTacToe().child(action)


def _plays_at_random(self, action):
    TicTacToe.child(self, action)
    return TicTacToe.child(self, random.choice(self.legal_actions()))


def _plays_at_random_in_secret(self, action):
    child = _plays_at_random(self, action)
    child._last_action = action
    return child


mistake("OrdinaryErrors", ILLEGAL, child=_ordinary_errors)
mistake(
    "RefusesALegalAction",
    "`child = self.state.child(action)` must not raise IllegalActionError: Action 8",
    child=_refuses_a_legal_action,
)
mistake(
    "RefusesNumPy",
    "for again in (state.child(action), state.child(numpy_int))",
    child=_refuses_numpy,
)
mistake("ForgetsItsClass", "child() must return its own class", child=_returns_a_tic_tac_toe)
LAST_ACTION = "last_action must be the action that led here"
mistake("ForgetsTheLastAction", LAST_ACTION, last_action=property(lambda self: None))
mistake("PlaysAtRandom", LAST_ACTION, child=_plays_at_random)
mistake(
    "PlaysAtRandomInSecret",
    "child() must give the same state every time",
    child=_plays_at_random_in_secret,
)
mistake(
    "HasALastActionAtOnce",
    "last_action must be None before the first move",
    last_action=property(lambda self: TicTacToe.last_action.fget(self) or 0),
)
RETURNS = "returns() must be (1, -1) if player 0 has won"
mistake(
    "WinnerTakesOnlyHisOwn",
    RETURNS,
    returns=lambda self: tuple(max(value, 0.0) for value in TicTacToe.returns(self)),
)
mistake("ReturnsOneNumber", RETURNS, returns=lambda self: TicTacToe.returns(self)[0])
mistake(
    "ReturnsBeforeTheEnd",
    "returns() must raise GameNotOverError",
    returns=lambda self: TicTacToe.returns(self) if self.is_terminal else (0.0, 0.0),
)

COPY = "must be equal to state, with the same hash"
mistake("EqualOnlyToItself", COPY, __eq__=object.__eq__, __hash__=object.__hash__)
mistake(
    "EqualByTheWayThere",
    "however they were reached",
    __eq__=lambda self, other: (
        TicTacToe.__eq__(self, other) is True and self.last_action == other.last_action
    ),
    __hash__=TicTacToe.__hash__,
)
mistake(
    "EqualByNumberOfMarks",
    "States that differ must not be equal",
    __eq__=lambda self, other: isinstance(other, State) and hash(self) == hash(other),
    __hash__=lambda self: len(self.legal_actions()) + 10 * self.is_terminal,
)
mistake(
    "EqualToAnything",
    "equal to no other type",
    __eq__=lambda self, other: not isinstance(other, State) or TicTacToe.__eq__(self, other),
    __hash__=TicTacToe.__hash__,
)
mistake(
    "ComparesOnlyWithItsKind",
    "(state == stranger)",
    __eq__=lambda self, other: self._position == other._position,
    __hash__=TicTacToe.__hash__,
)
mistake("HashOfTheObject", COPY, __eq__=TicTacToe.__eq__, __hash__=object.__hash__)
mistake(
    "HashOfTheLastMove",
    "Equal states must have equal hashes",
    __eq__=TicTacToe.__eq__,
    __hash__=lambda self: hash((TicTacToe.__hash__(self), self.last_action)),
)
mistake("NoHash", "unhashable type", __eq__=TicTacToe.__eq__, __hash__=None)

mistake("NoShortName", "`game`", game="Noughts & Crosses")
mistake("NoTitle", "`title`", title="")
mistake("SameInitials", "`player_names`", player_names=("Black", "Blue"))
mistake(
    "SecondPlayerStarts",
    "Player 0 must move first",
    current_player=property(lambda self: 1 - self._position[2]),
)
mistake(
    "PlayersOneAndTwo",
    "current_player must be the int 0 or 1",
    current_player=property(lambda self: (0, 2)[self._position[2]]),
)
mistake(
    "PlayerIsABool",
    "current_player must be the int 0 or 1",
    current_player=property(lambda self: self._position[2] == 1),
)
mistake("StartsAtItsEnd", "not start at its end", is_terminal=property(lambda self: True))
mistake(
    "TerminalIsAMethod",
    "is_terminal must be a bool, with @property",
    is_terminal=lambda self: not self.legal_actions(),
    returns=lambda self: (1.0, -1.0),
)
mistake(
    "NumberOfActionsShrinks",
    "num_actions must be an int above 0, the same",
    num_actions=property(lambda self: 9 if self.last_action is None else len(self.legal_actions())),
)
mistake(
    "TwoActionsOfOneName",
    "must not have the same name",
    action_to_string=lambda self, action: (
        TicTacToe.action_to_string(self, action) if action < 8 else "A1"
    ),
)
mistake(
    "NamesOfTwoWords",
    "one word without blanks",
    action_to_string=lambda self, action: " ".join(TicTacToe.action_to_string(self, action)),
)
mistake(
    "NamesThatLeadElsewhere",
    "string_to_action('a1') must be 0",
    string_to_action=lambda self, text: 8 - TicTacToe.string_to_action(self, text),
)


def _leads_elsewhere_later(self, text):
    action = TicTacToe.string_to_action(self, text)
    return action if self.last_action is None else 8 - action


mistake(
    "NamesThatLeadElsewhereLater", "string_to_action('", string_to_action=_leads_elsewhere_later
)
mistake(
    "UnknownNameIsAKeyError",
    "must raise ValueError",
    string_to_action=lambda self, text: {self.action_to_string(a): a for a in range(9)}[
        text.strip().lower()
    ],
)


def _passes_at_will(self):
    legal = Reversi.legal_actions(self)
    return legal if self.pass_action in legal or not legal else (*legal, self.pass_action)


mistake(
    "PassesAtWill",
    "pass may be legal only when it is forced",
    Reversi,
    __init__=lambda self: Reversi.__init__(self, 4),
    legal_actions=_passes_at_will,
)


def _goes_on(self, action):
    if action not in (0, 1):
        raise IllegalActionError(self, action)
    return replace(self, current_player=1 - self.current_player, last_action=int(action))


mistake(
    "NeverEnds",
    "A game must end",
    DotsAndBoxes,
    legal_actions=lambda self: (0, 1),
    child=_goes_on,
    board=board_with(DotsAndBoxes, last_square=lambda state, board: state.last_action),
)


@dataclass(frozen=True)
class HoldsAFunction(DotsAndBoxes):
    rule: object = lambda stones: stones

    def child(self, action):
        child = super().child(action)
        return replace(self, **{name: getattr(child, name) for name in child.__match_args__})


MISTAKES.append((HoldsAFunction, "pickle.dumps(state)"))

STONES = "board().stones must hold"
mistake("BoardIsText", "board() must be a Board", board=lambda self: "...")
for name, promise, change in (
    ("BoardWithTooFewStones", STONES, {"stones": lambda state, board: board.stones[1:]}),
    (
        "BoardWithListOfStones",
        "its stones a tuple",
        {"stones": lambda state, board: list(board.stones)},
    ),
    (
        "BoardWithStrangeStones",
        STONES,
        {"stones": lambda state, board: tuple(stone + 9 for stone in board.stones)},
    ),
    ("BoardWithoutStyle", "board().style", {"style": lambda state, board: "chess"}),
    (
        "BoardWithTooFewLabels",
        "a label for every row",
        {"row_labels": lambda state, board: ("1", "2")},
    ),
    (
        "BoardWithFarWinningSquares",
        "winning_squares must be squares",
        {"winning_squares": lambda state, board: (9,)},
    ),
    (
        "LastSquareBeforeTheFirstMove",
        "last_square must be None before the first move",
        {"last_square": lambda state, board: board.last_square or 0},
    ),
    (
        "LastSquareTransposed",
        "last_square must be what action_square() was",
        {
            "last_square": lambda state, board: (
                None if state.last_action is None else transposed(state.last_action)
            )
        },
    ),
):
    mistake(name, promise, board=board_with(**change))


def transposed(square: int) -> int:
    return square % 3 * 3 + square // 3


# Its own bits count from the bottom, the squares from the top.
mistake(
    "BitboardsUpsideDown",
    "bitboards() must be those of board()",
    ConnectFour,
    bitboards=BitboardState.bitboards,
)
mistake(
    "ClickTransposed",
    "square_action(1) must be None or",
    square_action=lambda self, square: transposed(square),
)
mistake(
    "SquareOffTheBoard",
    "action_square(0) must be a square of the board",
    action_square=lambda self, action: action + 9,
)
mistake(
    "CrashesWithFourMarks",
    "state.legal_actions()` must not raise IndexError",
    legal_actions=legal_as(lambda legal: legal if len(legal) != 5 else legal[99]),
)
FIRST_SYMMETRY = "symmetries() must be a tuple that begins with"
STILL = identity(9, 9)
mistake(
    "SymmetriesWithoutTheIdentity",
    FIRST_SYMMETRY,
    symmetries=lambda self: TicTacToe.symmetries(self)[1:],
)
mistake(
    "SymmetriesOfAnotherBoard", FIRST_SYMMETRY, symmetries=lambda self: turns_and_mirrors(4, 16)
)
mistake(
    "SymmetriesThatAreNoGroup",
    "one after the other, must make one of symmetries()",
    symmetries=lambda self: TicTacToe.symmetries(self)[:3],
)
mistake(
    "SymmetryWithASquareTwice",
    "two permutations",
    symmetries=lambda self: (STILL, STILL._replace(squares=(0, 0, *range(2, 9)))),
)
mistake(
    "SymmetryThatForgetsTheActions",
    "must move its square, too",
    symmetries=lambda self: (STILL, STILL._replace(squares=mirror(3, 3)[1].squares)),
)
# Turned by a quarter, Red would have to join left and right.
mistake(
    "SymmetryThatTheRulesDontHave",
    "leave the rules as they are",
    Hex,
    symmetries=lambda self: turns_and_mirrors(4, 16),
)
mistake("HasNoRepr", "__repr__() must draw the state", __repr__=lambda self: "")
mistake("CannotBeDrawn", "KeyError: 2", __str__=lambda self: {}[2])


@pytest.mark.parametrize(("broken", "promise"), MISTAKES)
def test_a_broken_game_is_found_and_its_mistake_named(broken, promise):
    random.seed(1)  # of the games that play at random
    with pytest.raises(ContractError) as caught:
        check(broken(), max_plies=100)
    text = str(caught.value)
    for part in (promise, f"{broken.__name__}: ", "first_state"):
        assert part in text


def test_the_error_leads_to_the_position():
    broken = {game.__name__: game for game, _ in MISTAKES}["CrashesWithFourMarks"]
    with pytest.raises(ContractError) as caught:
        check(broken())
    state = broken()
    for action in caught.value.actions:
        state = state.child(action)
    assert len(caught.value.actions) == 4
    assert state._position == caught.value.state._position
    with pytest.raises(IndexError):
        state.legal_actions()
    assert f".child({caught.value.actions[0]})" in str(caught.value)


@pytest.mark.parametrize("thing", [TicTacToe, 3, None, "reversi"])
def test_what_is_no_state_is_refused(thing):
    with pytest.raises(TypeError, match=r"takes a state|no game"):
        check(thing)


def test_no_games_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        check(TicTacToe(), num_games=0)
