"""The contract: every game keeps it, and every way to break it that we know is found and named."""

import random
from dataclasses import dataclass, replace

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
    assert SIZES.keys() == games.known().keys()


@pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)
def test_our_games_keep_the_contract(first_state):
    num_games = 1 if first_state.num_actions > 100 else 5
    report = check(first_state, num_games=num_games, rng=np.random.default_rng(7))
    assert len(report.lengths) == num_games


@pytest.mark.parametrize("first_state", [Hex(), DotsAndBoxes()], ids=name_of)
def test_a_game_of_ones_own_keeps_the_contract(first_state):
    report = check(first_state)
    assert str(report).startswith(f"{first_state.title} keeps to the protocol. Random games: 20")
    assert "drawn" in repr(report)


def test_the_report_counts_what_was_played():
    report = check(TicTacToe(), num_games=100, rng=np.random.default_rng(1))
    assert set(report.lengths) == {5, 6, 7, 8, 9}
    assert set(report.outcomes) == {"player 0 won", "player 1 won", "drawn"}
    assert report.num_positions <= 5_478


# Games with one mistake each. They stand at the top level, where they can be pickled.


class LegalActionsAfterTheEnd(TicTacToe):
    def legal_actions(self):
        return tuple(s for s, stone in enumerate(self.board().stones) if stone == EMPTY)


class NoLegalActionInTheMiddle(TicTacToe):
    def legal_actions(self):
        legal = super().legal_actions()
        return legal if len(legal) > 5 else ()


class LegalActionsInAList(TicTacToe):
    def legal_actions(self):
        return list(super().legal_actions())


class LegalActionsOfNumPy(TicTacToe):
    def legal_actions(self):
        return tuple(np.array(super().legal_actions()))


class LegalActionsUnordered(TicTacToe):
    def legal_actions(self):
        return super().legal_actions()[::-1]


class LegalActionsTwice(TicTacToe):
    def legal_actions(self):
        legal = super().legal_actions()
        return legal and (legal[0], *legal)


class ActionsFromOne(TicTacToe):
    def legal_actions(self):
        return tuple(action + 1 for action in super().legal_actions())

    def child(self, action):
        return super().child(action - 1)


class ChangesItself(TicTacToe):
    def child(self, action):
        child = super().child(action)
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


class TakesOccupiedSquares(Hex):
    def child(self, action):
        if action not in range(self.num_actions) or self.is_terminal:
            raise IllegalActionError(self, action)
        stones = list(self.stones)
        stones[action] = self.current_player
        return replace(self, stones=tuple(stones), last_action=int(action))


class TakesNegativeActions(TicTacToe):
    def child(self, action):
        return super().child(action + 9 if action < 0 else action)


class GoesOnAfterTheEnd(TicTacToe):
    def child(self, action):
        if self.is_terminal and action in range(9):
            return self
        return super().child(action)


class OrdinaryErrors(TicTacToe):
    def child(self, action):
        try:
            return super().child(action)
        except IllegalActionError as error:
            raise IndexError(str(error)) from error


class RefusesALegalAction(TicTacToe):
    def child(self, action):
        if action == 8:
            raise IllegalActionError(self, action)
        return super().child(action)


class RefusesNumPy(TicTacToe):
    def child(self, action):
        if isinstance(action, np.integer):
            raise OverflowError("Python int too large to convert to C long")
        return super().child(action)


class ForgetsItsClass(TicTacToe):
    def child(self, action):
        super().child(action)
        return TicTacToe().child(action)


class ForgetsTheLastAction(TicTacToe):
    @property
    def last_action(self):
        return None


class PlaysByLot(TicTacToe):
    def child(self, action):
        super().child(action)
        return super().child(random.choice(self.legal_actions()))


class PlaysByLotInSecret(PlaysByLot):
    def child(self, action):
        child = super().child(action)
        child._last_action = action
        return child


class HasALastActionAtOnce(TicTacToe):
    @property
    def last_action(self):
        return super().last_action or 0


class WinnerTakesOnlyHisOwn(TicTacToe):
    def returns(self):
        return tuple(max(value, 0.0) for value in super().returns())


class ReturnsOneNumber(TicTacToe):
    def returns(self):
        return super().returns()[0]


class ReturnsBeforeTheEnd(TicTacToe):
    def returns(self):
        return super().returns() if self.is_terminal else (0.0, 0.0)


class EqualOnlyToItself(TicTacToe):
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class EqualByTheWayThere(TicTacToe):
    def __eq__(self, other):
        return super().__eq__(other) is True and self.last_action == other.last_action

    __hash__ = TicTacToe.__hash__


class EqualByNumberOfMarks(TicTacToe):
    def __eq__(self, other):
        return isinstance(other, State) and hash(self) == hash(other)

    def __hash__(self):
        return len(self.legal_actions()) + 10 * self.is_terminal


class EqualToAnything(TicTacToe):
    def __eq__(self, other):
        return not isinstance(other, State) or super().__eq__(other)

    __hash__ = TicTacToe.__hash__


class ComparesOnlyWithItsKind(TicTacToe):
    def __eq__(self, other):
        return self._position == other._position

    __hash__ = TicTacToe.__hash__


class HashOfTheObject(TicTacToe):
    __eq__ = TicTacToe.__eq__
    __hash__ = object.__hash__


class HashOfTheLastMove(TicTacToe):
    __eq__ = TicTacToe.__eq__

    def __hash__(self):
        return hash((super().__hash__(), self.last_action))


class NoHash(TicTacToe):
    __eq__ = TicTacToe.__eq__
    __hash__ = None


class NoShortName(TicTacToe):
    game = "Noughts & Crosses"


class NoTitle(TicTacToe):
    title = ""


class SameInitials(TicTacToe):
    player_names = ("Black", "Blue")


class SecondPlayerStarts(TicTacToe):
    @property
    def current_player(self):
        return 1 - super().current_player


class PlayersOneAndTwo(TicTacToe):
    @property
    def current_player(self):
        return (0, 2)[super().current_player]


class PlayerIsABool(TicTacToe):
    @property
    def current_player(self):
        return super().current_player == 1


class StartsAtItsEnd(TicTacToe):
    @property
    def is_terminal(self):
        return True


class TerminalIsAMethod(TicTacToe):
    def is_terminal(self):
        return super().is_terminal


class NumberOfActionsShrinks(TicTacToe):
    @property
    def num_actions(self):
        return 9 if self.last_action is None else len(self.legal_actions())


class TwoActionsOfOneName(TicTacToe):
    def action_to_string(self, action):
        return super().action_to_string(action) if action < 8 else "A1"


class NamesOfTwoWords(TicTacToe):
    def action_to_string(self, action):
        return " ".join(super().action_to_string(action))


class NamesThatLeadElsewhere(TicTacToe):
    def string_to_action(self, text):
        return 8 - super().string_to_action(text)


class NamesThatLeadElsewhereLater(TicTacToe):
    def string_to_action(self, text):
        action = super().string_to_action(text)
        return action if self.last_action is None else 8 - action


class UnknownNameIsAKeyError(TicTacToe):
    def string_to_action(self, text):
        return {self.action_to_string(a): a for a in range(9)}[text.strip().lower()]


class PassesAtWill(Reversi):
    def __init__(self):
        super().__init__(4)

    def legal_actions(self):
        legal = super().legal_actions()
        return legal if self.pass_action in legal or not legal else (*legal, self.pass_action)


class NeverEnds(DotsAndBoxes):
    def legal_actions(self):
        return (0, 1)

    def child(self, action):
        if action not in (0, 1):
            raise IllegalActionError(self, action)
        return replace(self, current_player=1 - self.current_player, last_action=int(action))

    def board(self):
        return replace(super().board(), last_square=self.last_action)


@dataclass(frozen=True)
class HoldsAFunction(DotsAndBoxes):
    rule: object = lambda stones: stones

    def child(self, action):
        child = super().child(action)
        return replace(self, **{name: getattr(child, name) for name in child.__match_args__})


class BoardIsText(TicTacToe):
    def board(self):
        return "..."


class BoardWithTooFewStones(TicTacToe):
    def board(self):
        return replace(super().board(), stones=super().board().stones[1:])


class BoardWithListOfStones(TicTacToe):
    def board(self):
        return replace(super().board(), stones=list(super().board().stones))


class BoardWithStrangeStones(TicTacToe):
    def board(self):
        return replace(super().board(), stones=tuple(s + 9 for s in super().board().stones))


class BoardWithoutStyle(TicTacToe):
    def board(self):
        return replace(super().board(), style="chess")


class BoardWithTooFewLabels(TicTacToe):
    def board(self):
        return replace(super().board(), row_labels=("1", "2"))


class BoardWithFarWinningSquares(TicTacToe):
    def board(self):
        return replace(super().board(), winning_squares=(9,))


class BitboardsUpsideDown(ConnectFour):
    """Its own bits count from the bottom, the squares from the top."""

    bitboards = BitboardState.bitboards


class LastSquareBeforeTheFirstMove(TicTacToe):
    def board(self):
        return replace(super().board(), last_square=self.last_action or 0)


class LastSquareTransposed(TicTacToe):
    def board(self):
        last = self.last_action
        transposed = None if last is None else last % 3 * 3 + last // 3
        return replace(super().board(), last_square=transposed)


class ClickTransposed(TicTacToe):
    def square_action(self, square):
        return square % 3 * 3 + square // 3


class SquareOffTheBoard(TicTacToe):
    def action_square(self, action):
        return action + 9


class CrashesWithFourMarks(TicTacToe):
    def legal_actions(self):
        legal = super().legal_actions()
        return legal if len(legal) != 5 else legal[99]


class SymmetriesWithoutTheIdentity(TicTacToe):
    def symmetries(self):
        return super().symmetries()[1:]


class SymmetriesOfAnotherBoard(TicTacToe):
    def symmetries(self):
        return turns_and_mirrors(4, 16)


class SymmetriesThatAreNoGroup(TicTacToe):
    def symmetries(self):
        return super().symmetries()[:3]


class SymmetryWithASquareTwice(TicTacToe):
    def symmetries(self):
        still = identity(9, 9)
        return still, still._replace(squares=(0, 0, *range(2, 9)))


class SymmetryThatForgetsTheActions(TicTacToe):
    def symmetries(self):
        still = identity(9, 9)
        return still, still._replace(squares=mirror(3, 3)[1].squares)


class SymmetryThatTheRulesDontHave(Hex):
    """Turned by a quarter, Red would have to join left and right."""

    def symmetries(self):
        return turns_and_mirrors(4, 16)


class HasNoRepr(TicTacToe):
    def __repr__(self):
        return ""


class CannotBeDrawn(TicTacToe):
    def __str__(self):
        raise KeyError(2)


MISTAKES = [
    (LegalActionsAfterTheEnd, "empty exactly at terminal states"),
    (NoLegalActionInTheMiddle, "empty exactly at terminal states"),
    (LegalActionsInAList, "tuple of ints"),
    (LegalActionsOfNumPy, "tuple of ints"),
    (LegalActionsUnordered, "ascending order"),
    (LegalActionsTwice, "ascending order, each once"),
    (ActionsFromOne, "in range(num_actions)"),
    (ChangesItself, "never changes"),
    (SharesItsStones, "never changes"),
    (TakesOccupiedSquares, "illegal action raises IllegalActionError"),
    (TakesNegativeActions, "illegal action raises IllegalActionError"),
    (GoesOnAfterTheEnd, "illegal action raises IllegalActionError"),
    (OrdinaryErrors, "illegal action raises IllegalActionError"),
    (RefusesALegalAction, "child(8) has an answer"),
    (RefusesNumPy, "child(np.int64("),
    (ForgetsItsClass, "one of the same class"),
    (ForgetsTheLastAction, "last_action is the action that led here"),
    (PlaysByLot, "last_action is the action that led here"),
    (PlaysByLotInSecret, "child() gives the same state every time"),
    (HasALastActionAtOnce, "last_action is None before the first move"),
    (WinnerTakesOnlyHisOwn, "1 for a win, -1 for a loss"),
    (ReturnsOneNumber, "one number per player"),
    (ReturnsBeforeTheEnd, "returns() raises GameNotOverError"),
    (EqualOnlyToItself, "copied and pickled"),
    (EqualByTheWayThere, "however they were reached"),
    (EqualByNumberOfMarks, "States that differ are not equal"),
    (EqualToAnything, "equal to no other kind of thing"),
    (ComparesOnlyWithItsKind, "== has an answer"),
    (HashOfTheObject, "copied and pickled"),
    (HashOfTheLastMove, "Equal states have equal hashes"),
    (NoHash, "hash() has an answer"),
    (NoShortName, "`game`"),
    (NoTitle, "`title`"),
    (SameInitials, "`player_names`"),
    (SecondPlayerStarts, "Player 0 moves first"),
    (PlayersOneAndTwo, "current_player is the int 0 or 1"),
    (PlayerIsABool, "current_player is the int 0 or 1"),
    (StartsAtItsEnd, "does not start at its end"),
    (NumberOfActionsShrinks, "num_actions is an int above 0, the same"),
    (TwoActionsOfOneName, "No two actions have the same name"),
    (NamesOfTwoWords, "word without blanks"),
    (NamesThatLeadElsewhere, "leads from an action's name back"),
    (NamesThatLeadElsewhereLater, "leads from an action's name back"),
    (UnknownNameIsAKeyError, "no action raises ValueError"),
    (PassesAtWill, "pass is legal only when it is forced"),
    (NeverEnds, "Every game ends"),
    (HoldsAFunction, "copied and pickled"),
    (BoardIsText, "board() is a Board"),
    (BoardWithTooFewStones, "board().stones holds"),
    (BoardWithListOfStones, "its stones a tuple"),
    (BoardWithStrangeStones, "board().stones holds"),
    (BoardWithoutStyle, "board().style"),
    (BoardWithTooFewLabels, "a label for every row"),
    (BoardWithFarWinningSquares, "winning_squares are squares"),
    (BitboardsUpsideDown, "bitboards() holds the same stones"),
    (LastSquareBeforeTheFirstMove, "None before the first move"),
    (LastSquareTransposed, "last_square is the square"),
    (ClickTransposed, "square_action()"),
    (SquareOffTheBoard, "action_square() is a square of the board"),
    (CrashesWithFourMarks, "legal_actions() has an answer"),
    (SymmetriesWithoutTheIdentity, "begins with the one that moves nothing"),
    (SymmetriesOfAnotherBoard, "begins with the one that moves nothing"),
    (SymmetriesThatAreNoGroup, "one after the other, make one of symmetries()"),
    (SymmetryWithASquareTwice, "a place for each square"),
    (SymmetryThatForgetsTheActions, "moves an action as it moves the action's square"),
    (SymmetryThatTheRulesDontHave, "leaves the rules as they are"),
    (HasNoRepr, "repr() draws the position"),
    (CannotBeDrawn, "str() has an answer"),
]


@pytest.mark.parametrize(
    ("broken", "promise"), MISTAKES, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_broken_game_is_found_and_its_mistake_named(broken, promise):
    with pytest.raises(ContractError) as caught:
        check(broken(), max_plies=100)
    error = caught.value
    assert promise in error.promise
    text = str(error)
    for part in (broken.__name__, error.promise, error.came, error.expected, "first_state"):
        assert part in text


def test_a_property_written_as_a_method_is_found():
    with pytest.raises(ContractError) as caught:
        check(TerminalIsAMethod())
    assert "@property" in str(caught.value)


def test_the_error_leads_to_the_position():
    with pytest.raises(ContractError) as caught:
        check(CrashesWithFourMarks())
    state = CrashesWithFourMarks()
    for action in caught.value.actions:
        state = state.child(action)
    assert len(caught.value.actions) == 4
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


def test_without_rng_the_games_are_the_same_every_time():
    assert check(TicTacToe()) == check(TicTacToe())
    assert check(TicTacToe()) != check(TicTacToe(), rng=np.random.default_rng(5))
