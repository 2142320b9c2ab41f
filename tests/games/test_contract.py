"""The contract: every game keeps it, and every way to break it that we know is found and named."""

import inspect
import random
import re
from collections.abc import Callable, Iterator
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


# Games with one mistake each. They have a name in this module, so that they can be pickled.

Method = Callable[..., Any]


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


def _takes_occupied_squares(self, action):
    if action not in range(self.num_actions) or self.is_terminal:
        raise IllegalActionError(self, action)
    stones = list(self.stones)
    stones[action] = self.current_player
    return replace(self, stones=tuple(stones), last_action=int(action))


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


def _leads_elsewhere_later(self, text):
    action = TicTacToe.string_to_action(self, text)
    return action if self.last_action is None else 8 - action


def _passes_at_will(self):
    legal = Reversi.legal_actions(self)
    return legal if self.pass_action in legal or not legal else (*legal, self.pass_action)


def _goes_on(self, action):
    if action not in (0, 1):
        raise IllegalActionError(self, action)
    return replace(self, current_player=1 - self.current_player, last_action=int(action))


@dataclass(frozen=True)
class HoldsAFunction(DotsAndBoxes):
    rule: object = lambda stones: stones

    def child(self, action):
        child = super().child(action)
        return replace(self, **{name: getattr(child, name) for name in child.__match_args__})


def transposed(square: int) -> int:
    return square % 3 * 3 + square // 3


STILL = identity(9, 9)

MISTAKES: dict[str, dict[str, dict[str, Any]]] = {
    "empty exactly at terminal states": {
        "LegalActionsAfterTheEnd": {
            "legal_actions": lambda self: tuple(
                (s for s, stone in enumerate(self.board().stones) if stone == EMPTY)
            )
        },
        "NoLegalActionInTheMiddle": {
            "legal_actions": legal_as(lambda legal: legal if len(legal) > 5 else ())
        },
    },
    "tuple of ints": {"LegalActionsInAList": {"legal_actions": legal_as(list)}},
    "tuple of ints, not of NumPy's": {
        "LegalActionsOfNumPy": {"legal_actions": legal_as(lambda legal: tuple(np.array(legal)))}
    },
    "ascending order": {
        "LegalActionsUnordered": {"legal_actions": legal_as(lambda legal: legal[::-1])}
    },
    "ascending order, each once": {
        "LegalActionsTwice": {"legal_actions": legal_as(lambda legal: legal and (legal[0], *legal))}
    },
    "in range(num_actions)": {
        "ActionsFromOne": {
            "legal_actions": legal_as(lambda legal: tuple(action + 1 for action in legal)),
            "child": lambda self, action: TicTacToe.child(self, action - 1),
        }
    },
    "never changes": {"ChangesItself": {"child": _changes_itself}},
    "must raise IllegalActionError": {
        "TakesOccupiedSquares": {"base": Hex, "child": _takes_occupied_squares},
        "TakesNegativeActions": {
            "child": lambda self, action: TicTacToe.child(
                self, action + 9 if action < 0 else action
            )
        },
        "GoesOnAfterTheEnd": {
            "child": lambda self, action: (
                self if self.is_terminal and action in range(9) else TicTacToe.child(self, action)
            )
        },
        "OrdinaryErrors": {"child": _ordinary_errors},
    },
    "`child = self.state.child(action)` must not raise IllegalActionError: Action 8": {
        "RefusesALegalAction": {"child": _refuses_a_legal_action}
    },
    "for again in (state.child(action), state.child(numpy_int))": {
        "RefusesNumPy": {"child": _refuses_numpy}
    },
    "child() must return its own class": {"ForgetsItsClass": {"child": _returns_a_tic_tac_toe}},
    "last_action must be the action that led here": {
        "ForgetsTheLastAction": {"last_action": property(lambda self: None)},
        "PlaysAtRandom": {"child": _plays_at_random},
    },
    "child() must give the same state every time": {
        "PlaysAtRandomInSecret": {"child": _plays_at_random_in_secret}
    },
    "last_action must be None before the first move": {
        "HasALastActionAtOnce": {
            "last_action": property(lambda self: TicTacToe.last_action.fget(self) or 0)
        }
    },
    "returns() must be (1, -1) if player 0 has won": {
        "WinnerTakesOnlyHisOwn": {
            "returns": lambda self: tuple(max(value, 0.0) for value in TicTacToe.returns(self))
        },
        "ReturnsOneNumber": {"returns": lambda self: TicTacToe.returns(self)[0]},
    },
    "returns() must raise GameNotOverError": {
        "ReturnsBeforeTheEnd": {
            "returns": lambda self: TicTacToe.returns(self) if self.is_terminal else (0.0, 0.0)
        }
    },
    "must be equal to state, with the same hash": {
        "EqualOnlyToItself": {"__eq__": object.__eq__, "__hash__": object.__hash__},
        "HashOfTheObject": {"__eq__": TicTacToe.__eq__, "__hash__": object.__hash__},
    },
    "however they were reached": {
        "EqualByTheWayThere": {
            "__eq__": lambda self, other: (
                TicTacToe.__eq__(self, other) is True and self.last_action == other.last_action
            ),
            "__hash__": TicTacToe.__hash__,
        }
    },
    "States that differ must not be equal": {
        "EqualByNumberOfMarks": {
            "__eq__": lambda self, other: isinstance(other, State) and hash(self) == hash(other),
            "__hash__": lambda self: len(self.legal_actions()) + 10 * self.is_terminal,
        }
    },
    "equal to no other type": {
        "EqualToAnything": {
            "__eq__": lambda self, other: (
                not isinstance(other, State) or TicTacToe.__eq__(self, other)
            ),
            "__hash__": TicTacToe.__hash__,
        }
    },
    "(state == stranger)": {
        "ComparesOnlyWithItsKind": {
            "__eq__": lambda self, other: self._position == other._position,
            "__hash__": TicTacToe.__hash__,
        }
    },
    "Equal states must have equal hashes": {
        "HashOfTheLastMove": {
            "__eq__": TicTacToe.__eq__,
            "__hash__": lambda self: hash((TicTacToe.__hash__(self), self.last_action)),
        }
    },
    "unhashable type": {"NoHash": {"__eq__": TicTacToe.__eq__, "__hash__": None}},
    "`game`": {"NoShortName": {"game": "Noughts & Crosses"}},
    "`title`": {"NoTitle": {"title": ""}},
    "`player_names`": {"SameInitials": {"player_names": ("Black", "Blue")}},
    "Player 0 must move first": {
        "SecondPlayerStarts": {"current_player": property(lambda self: 1 - self._position[2])}
    },
    "current_player must be the int 0 or 1": {
        "PlayersOneAndTwo": {"current_player": property(lambda self: (0, 2)[self._position[2]])},
        "PlayerIsABool": {"current_player": property(lambda self: self._position[2] == 1)},
    },
    "not start at its end": {"StartsAtItsEnd": {"is_terminal": property(lambda self: True)}},
    "is_terminal must be a bool, with @property": {
        "TerminalIsAMethod": {
            "is_terminal": lambda self: not self.legal_actions(),
            "returns": lambda self: (1.0, -1.0),
        }
    },
    "num_actions must be an int above 0, the same": {
        "NumberOfActionsShrinks": {
            "num_actions": property(
                lambda self: 9 if self.last_action is None else len(self.legal_actions())
            )
        }
    },
    "must not have the same name": {
        "TwoActionsOfOneName": {
            "action_to_string": lambda self, action: (
                TicTacToe.action_to_string(self, action) if action < 8 else "A1"
            )
        }
    },
    "a text without blanks": {
        "NamesOfTwoWords": {
            "action_to_string": lambda self, action: " ".join(
                TicTacToe.action_to_string(self, action)
            )
        }
    },
    "string_to_action('a1') must be 0": {
        "NamesThatLeadElsewhere": {
            "string_to_action": lambda self, text: 8 - TicTacToe.string_to_action(self, text)
        }
    },
    "string_to_action('": {
        "NamesThatLeadElsewhereLater": {"string_to_action": _leads_elsewhere_later}
    },
    "must raise ValueError": {
        "UnknownNameIsAKeyError": {
            "string_to_action": lambda self, text: {self.action_to_string(a): a for a in range(9)}[
                text.strip().lower()
            ]
        }
    },
    "pass may be legal only when it is forced": {
        "PassesAtWill": {
            "base": Reversi,
            "__init__": lambda self: Reversi.__init__(self, 4),
            "legal_actions": _passes_at_will,
        }
    },
    "A game must end": {
        "NeverEnds": {
            "base": DotsAndBoxes,
            "legal_actions": lambda self: (0, 1),
            "child": _goes_on,
            "board": board_with(DotsAndBoxes, last_square=lambda state, board: state.last_action),
        }
    },
    "board() must be a Board": {"BoardIsText": {"board": lambda self: "..."}},
    "board().stones must hold": {
        "BoardWithTooFewStones": {
            "board": board_with(stones=lambda state, board: board.stones[1:])
        },
        "BoardWithStrangeStones": {
            "board": board_with(
                stones=lambda state, board: tuple(stone + 9 for stone in board.stones)
            )
        },
    },
    "its stones a tuple": {
        "BoardWithListOfStones": {
            "board": board_with(stones=lambda state, board: list(board.stones))
        }
    },
    "board().style": {
        "BoardWithoutStyle": {"board": board_with(style=lambda state, board: "chess")}
    },
    "a label for every row": {
        "BoardWithTooFewLabels": {"board": board_with(row_labels=lambda state, board: ("1", "2"))}
    },
    "winning_squares must be squares": {
        "BoardWithFarWinningSquares": {
            "board": board_with(winning_squares=lambda state, board: (9,))
        }
    },
    "last_square must be None before the first move": {
        "LastSquareBeforeTheFirstMove": {
            "board": board_with(last_square=lambda state, board: board.last_square or 0)
        }
    },
    "last_square must be what action_square() was": {
        "LastSquareTransposed": {
            "board": board_with(
                last_square=lambda state, board: (
                    None if state.last_action is None else transposed(state.last_action)
                )
            )
        }
    },
    # Its own bits count from the bottom, the squares from the top.
    "bitboards() must be those of board()": {
        "BitboardsUpsideDown": {"base": ConnectFour, "bitboards": BitboardState.bitboards}
    },
    "square_action(1) must be None or": {
        "ClickTransposed": {"square_action": lambda self, square: transposed(square)}
    },
    "action_square(0) must be a square of the board": {
        "SquareOffTheBoard": {"action_square": lambda self, action: action + 9}
    },
    "state.legal_actions()` must not raise IndexError": {
        "CrashesWithFourMarks": {
            "legal_actions": legal_as(lambda legal: legal if len(legal) != 5 else legal[99])
        }
    },
    "symmetries() must be a tuple that begins with": {
        "SymmetriesWithoutTheIdentity": {"symmetries": lambda self: TicTacToe.symmetries(self)[1:]},
        "SymmetriesOfAnotherBoard": {"symmetries": lambda self: turns_and_mirrors(4, 16)},
    },
    "one after the other, must make one of symmetries()": {
        "SymmetriesThatAreNoGroup": {"symmetries": lambda self: TicTacToe.symmetries(self)[:3]}
    },
    "two permutations": {
        "SymmetryWithASquareTwice": {
            "symmetries": lambda self: (STILL, STILL._replace(squares=(0, 0, *range(2, 9))))
        }
    },
    "must move its square, too": {
        "SymmetryThatForgetsTheActions": {
            "symmetries": lambda self: (STILL, STILL._replace(squares=mirror(3, 3)[1].squares))
        }
    },
    # Turned by a quarter, Red would have to join left and right.
    "leave the rules as they are": {
        "SymmetryThatTheRulesDontHave": {
            "base": Hex,
            "symmetries": lambda self: turns_and_mirrors(4, 16),
        }
    },
    "__repr__() must draw the state": {"HasNoRepr": {"__repr__": lambda self: ""}},
    "KeyError: 2": {"CannotBeDrawn": {"__str__": lambda self: {}[2]}},
}
"""By what the error says: games, each with its differences from Tic-Tac-Toe or its `base`."""


def broken_games() -> Iterator[tuple[type[State], str]]:
    listed = [(*game, promise) for promise, found in MISTAKES.items() for game in found.items()]
    for name, members, promise in listed:
        for member, value in members.items():
            if inspect.isfunction(value):
                value.__name__ = member
        members = {"base": TicTacToe, "__module__": __name__, **members}
        globals()[name] = type(name, (members.pop("base"),), members)
        yield globals()[name], promise
    yield SharesItsStones, "never changes"
    yield HoldsAFunction, "pickle.dumps(state)"


BROKEN = list(broken_games())


@pytest.mark.parametrize(("broken", "promise"), BROKEN)
def test_a_broken_game_is_found_and_its_mistake_named(broken, promise):
    random.seed(1)  # of the games that play at random
    with pytest.raises(ContractError) as caught:
        check(broken(), max_plies=100)
    text = str(caught.value)
    for part in (promise, f"{broken.__name__}: ", "first_state"):
        assert part in text


def test_the_error_leads_to_the_position():
    broken = {game.__name__: game for game, _ in BROKEN}["CrashesWithFourMarks"]
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
