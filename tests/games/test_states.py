"""What the promises of the protocol mean in single cases that can be followed by hand."""

import copy
import inspect
import pickle
import re
import sys

import numpy as np
import pytest

from mctslab import games
from mctslab.games import IllegalActionError, State, contract
from mctslab.games.openings import random_opening
from tests.games.own_games import MISERE, DotsAndBoxes, Growing, TakeAway
from tests.games.playing import FIRST_STATES, name_of
from tests.search.toys import play

every_game = pytest.mark.parametrize("first_state", FIRST_STATES, ids=name_of)


# States and their errors


@every_game
def test_what_a_state_shows_cannot_be_assigned(first_state):
    names = ["current_player", "is_terminal", "last_action", "num_actions", "legal_actions"]
    for name in (*names, "game", "title", "player_names", "a_name_of_my_own"):
        with pytest.raises(AttributeError):
            setattr(first_state, name, 1)
    assert not hasattr(first_state, "__dict__")
    assert copy.copy(first_state) == copy.deepcopy(first_state) == first_state


def test_states_of_different_games_and_sizes_are_different():
    states = [*FIRST_STATES, games.ConnectFour(6, 8), games.ConnectFour(7, 7)]
    states += [games.Gomoku(9), games.Gomoku(9, 4), games.Gomoku(9, 5, exactly_five=True)]
    assert [[one == other for other in states] for one in states] == np.eye(len(states)).tolist()
    assert len(set(states)) == len(states)


NO_ACTIONS = (
    True, 0.0, np.float64(0), np.True_, "0", b"0", None, (0,), [0], np.array([0]),
    -1, 10_000, 10**30, np.int64(-(2**63)),
)  # fmt: skip
NO_NAMES = ("", "z99", "d", "a0", "0", "pas", "d3 d3", "-1")


@every_game
def test_what_is_no_action_has_no_child_and_a_bad_name_no_action(first_state):
    for thing in NO_ACTIONS:
        shown = int(thing) if isinstance(thing, np.integer) else thing
        with pytest.raises(IllegalActionError, match=re.escape(f"Action {shown!r} is not legal")):
            first_state.child(thing)
    for text in NO_NAMES:
        with pytest.raises(ValueError, match=f"not a move of {first_state.title}, whose moves are"):
            first_state.string_to_action(text)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (games.ConnectFour, {"rows": 3}, "rows=3 is not possible"),
        (games.Reversi, {"size": 7}, "size=7 is odd"),
        (games.Reversi, {"size": 28}, "from 4 to 26"),
        (games.Gomoku, {"size": 4}, "in_a_row=5 is not possible"),
    ],
)
def test_a_size_that_is_not_possible_is_named(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


# Notation and squares


@pytest.mark.parametrize(
    ("first_state", "names"),
    [
        (games.TicTacToe(), {0: "a1", 2: "c1", 8: "c3"}),
        (games.ConnectFour(), {0: "1", 6: "7"}),
        (games.Reversi(), {0: "a1", 7: "h1", 19: "d3", 63: "h8", 64: "pass"}),
        (games.Gomoku(), {0: "A15", 112: "H8", 224: "O1"}),
    ],
)
def test_names_of_moves_are_the_usual_ones(first_state, names):
    for action, name in names.items():
        assert first_state.action_to_string(action) == name
        assert first_state.string_to_action(f" {name.swapcase()}\n") == action


def test_a_click_in_connect_four_is_the_column_and_its_square_the_landing_place():
    state = play(games.ConnectFour(), "4 4")
    assert state.square_action(3) == state.square_action(38) == 3
    assert state.action_square(3) == 3 + 3 * 7
    assert state.board().last_square == 3 + 4 * 7
    full = play(games.ConnectFour(), "1 1 1 1 1 1")
    assert full.action_square(0) is None


def test_str_keeps_columns_under_their_labels():
    lines = str(play(games.ConnectFour(rows=4, cols=11), "11 10")).splitlines()
    assert lines[0] == "   1  2  3  4  5  6  7  8  9 10 11"
    assert lines[4] == "1  .  .  .  .  .  .  .  .  .  Y  R"
    assert repr(games.Reversi()) == "<Reversi: Black to move, 2 to 2>"


@every_game
def test_a_board_looks_the_same_from_eight_sides_or_two(first_state):
    """That the rules are the same from all of them is part of the contract."""
    assert State.symmetries(first_state) == first_state.symmetries()[:1]  # a game that says nothing
    symmetries = first_state.symmetries()
    assert len({each.squares for each in symmetries}) == len(symmetries)
    assert len(symmetries) == (2 if first_state.game == "connect_four" else 8)


# Names of games


def test_games_are_made_by_name():
    assert list(games.by_name()) == ["connect_four", "gomoku", "reversi", "tictactoe"]
    assert games.by_name() is games.by_name()  # self-play makes thousands of first positions
    assert games.make("gomoku", size=9) == games.Gomoku(9)
    assert games.make("tests.games.own_games:DotsAndBoxes") == DotsAndBoxes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chess", "no game 'chess'. There are connect_four, gomoku, reversi, tictactoe"),
        ("no_such_module:Chess", "No module named 'no_such_module'"),
        (
            "tests.games.own_games:Chess",
            "must name one game, and tests.games.own_games defines DotsAndBoxes, TakeAway, Growing",
        ),
    ],
)
def test_an_unknown_game_is_named(name, message):
    with pytest.raises(ValueError, match=message):
        games.make(name)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where a game of one's own can be written."""
    monkeypatch.delitem(sys.modules, "a_game", raising=False)
    return tmp_path / "a_game.py"


def test_a_file_is_run_again_after_it_was_changed_and_only_then(file):
    text = MISERE.replace("Misère", "A row")
    file.write_text(text, "utf-8")
    first = games.make(str(file))
    assert type(games.make(f"{file}:Misere")) is type(first)

    file.write_text(text.replace("A row", "B row"), "utf-8")  # as long, in the same second
    second = games.make(str(file))
    assert (first.title, second.title) == ("A row", "B row")
    assert pickle.loads(pickle.dumps(second)) == second
    assert "B row" in inspect.getsource(type(second))

    file.write_text(text + "1 / 0", "utf-8")
    with pytest.raises(ZeroDivisionError):
        games.make(str(file))
    assert sys.modules[file.stem].Misere is type(second)


HALF = "from mctslab.games import State\n\n\nclass Half(State):\n    def board(self): ...\n"


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("ROWS = 3\n\n    def board():\n", "", "line 3: `def board():` is not valid Python"),
        ("class Mine(\n", "", "line 1: `class Mine(` is not valid Python"),
        *((HALF, name, "Half is not complete: it still needs child, current_player, is_terminal,")
          for name in ("", ":Half")),
    ],
)  # fmt: skip
def test_a_file_with_half_a_game_says_what_is_missing(file, text, name, words):
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=re.escape(words)):
        games.make(f"{file}{name}")


# Openings


def test_an_opening_is_drawn_evenly_and_leaves_the_game_open():
    rng = np.random.default_rng(0)
    first_moves = [random_opening(games.TicTacToe(), 1, rng)[0] for _ in range(900)]
    assert all(70 < first_moves.count(square) < 130 for square in range(9))
    for _ in range(50):
        assert not play(games.TicTacToe(), random_opening(games.TicTacToe(), 8, rng)).is_terminal
    with pytest.raises(ValueError, match="opening_plies=9 is too many: Tic-Tac-Toe is over"):
        random_opening(games.TicTacToe(), 9, rng)
    over = play(games.TicTacToe(), "a1 a2 b1 b2 c1")
    with pytest.raises(ValueError, match="nothing to play"):
        random_opening(over, 0, rng)


# Five members


def test_five_members_are_a_game_for_everything_that_does_not_need_squares():
    state = TakeAway()
    assert (state.game, state.title, state.player_names) == (
        "take_away", "Take Away", ("First", "Second")
    )  # fmt: skip
    assert str(state) == "heap = 7\nplayer = 0\nFirst to move"
    assert state.num_actions == 4
    assert state.last_action is None
    copied = pickle.loads(pickle.dumps(state.child(1)))
    assert copied == state.child(1) != state
    assert hash(copied) == hash(state.child(1))
    assert state.string_to_action("3") == 3
    board = state.child(3).board()
    assert (board.text, board.moves) == ("heap = 4\nplayer = 1", ("1", "2", "3"))
    assert [state.action_square(action) for action in (1, 3, 4)] == [0, 2, None]
    assert [state.square_action(square) for square in (0, 2, 4)] == [1, 3, None]
    assert ">player = 0</text>" in state._repr_svg_()
    assert contract.check(state).startswith("Take Away keeps the contract.")


def test_a_larger_action_that_is_met_later_counts():
    assert Growing().num_actions == 4
    assert Growing(9).num_actions == 10 == Growing().num_actions
