"""The command `play`, as somebody at a terminal meets it."""

import io
import subprocess
import sys
from types import SimpleNamespace

import pytest

from mctslab import games
from mctslab.__main__ import main
from tests.games.own_games import MISERE


@pytest.fixture
def play(monkeypatch, capsys, tmp_path):
    """What a person who types this sees; in this process, where nothing has to be loaded."""

    def typed_in(typed: str, *words: str) -> SimpleNamespace:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(["play", *words])
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=status, stdout=out, stderr=err)

    return typed_in


def test_a_whole_game_in_a_terminal(tmp_path):
    """You try one square after the other of a friend's game, and it comes to an end."""
    (tmp_path / "my_misere.py").write_text(MISERE, "utf-8")
    words = ["my_misere.py", "--against", "random", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "mctslab", "play", *words], cwd=tmp_path, text=True,
        input="a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n" * 3, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Misère: you are X. Write a move, or quit.")
    assert done.stdout.rstrip().splitlines()[-1] in ("X wins", "O wins", "draw")


@pytest.mark.parametrize("word", ["quit", "q", "Q", "exit"])
def test_what_is_no_move_is_told_and_several_words_stop_the_game(play, word):
    done = play(f"z9\na1\na1\n{word}\n", "tictactoe", "--against", "uct:50", "--seed", "1")
    assert "'z9' is not a move of Tic-Tac-Toe" in done.stdout
    assert done.stdout.count(f"\n{games.TicTacToe().child(0)}") == 1  # refused the second time
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{word!r} is not a move" not in done.stdout


def test_the_opponent_begins_and_the_end_of_the_input_stops_the_game(play):
    done = play("", "connect_four", "--against", "random", "--second")
    assert done.returncode == 0
    assert "you are Yellow" in done.stdout
    assert "\nRed: " in done.stdout
    assert done.stdout.endswith("The game was stopped.\n")


def test_who_cannot_move_has_to_pass(play):
    """Black plays the first legal move of Reversi on a board where passes are common."""
    names = "".join(f"{col}{row}\n" for row in range(1, 5) for col in "abcd")
    words = ["reversi", "--game-option", "size=4", "--against", "random", "--seed"]
    outputs = [play(names * 12, *words, str(seed)).stdout for seed in range(6)]
    assert any("You have to pass" in output for output in outputs)


def test_what_cannot_be_played_is_told(tmp_path, play):
    two = MISERE + "\n\nclass Second(Misere):\n    game = 'second'\n"
    (tmp_path / "two.py").write_text(two, "utf-8")
    for words, message in {
        "chess": "There is no game 'chess'",
        "nothing.py": "There is no game 'nothing.py'",
        "tictactoe --against me": "There is no player 'me'",
        "two.py": "'two.py' must name one game, and two.py defines Misere, Second",
        "tictactoe --game-option size=4": "size",
    }.items():
        done = play("", *words.split())
        assert done.returncode == 2
        assert done.stderr.startswith("play: ")
        assert message in done.stderr
    done = play("a1\nquit\n", "two.py:Second", "--against", "random")
    assert done.stdout.startswith("Misère: you are X.")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("reversi --against heuristic", "works for Gomoku only"),
        ("tictactoe --against uct:9:roxanne", "policy is for Reversi"),
        ("tictactoe --against uct:1", "1 of 8 moves were tried"),
        ("reversi --against net:gomoku6_4:9", ""),
    ],
)
def test_an_opponent_that_cannot_play_the_game_is_told(play, words, reason):
    move = "a1" if words.startswith("tictactoe") else "d3"
    done = play(f"{move}\n", *words.split())
    assert done.returncode == 2
    assert done.stderr.startswith(f"play: {words.split()[-1]} cannot play here: ")
    assert reason in done.stderr
