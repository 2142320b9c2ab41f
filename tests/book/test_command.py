"""`python -m mctslab book`: build and show, and what is said when something is wrong."""

from pathlib import Path

import pytest

from mctslab import games
from mctslab.__main__ import main
from mctslab.book import Book, command

BUILD = ["tictactoe", "--simulations", "90", "--max-positions", "4", "--seed", "1"]


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "book.sqlite")


def test_build_stop_continue_and_show(capsys, monkeypatch, file):
    class Interrupting(command.RunningLine):
        def update(self, make_line, *, is_last):
            if make_line().startswith("2 positions"):
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "RunningLine", Interrupting)
        assert main(["book", "build", file, *BUILD]) == 130
    assert "The same command continues" in capsys.readouterr().err
    assert main(["book", "build", file, *BUILD]) == 0
    assert "4 positions to ply 2  the book is full\n" in capsys.readouterr().err
    assert main(["book", "show", file, "tictactoe", "A1"]) == 0
    shown = capsys.readouterr().out
    for line in (
        f"{file}: Tic-Tac-Toe\n4 positions to ply 2\n",
        "positions by ply: 0: 1, 1: 2, 2: 1\n",
        "1 X . .",
        "play  visits  share  win rate\n",
    ):
        assert line in shown
    assert shown.count("  b1") == shown.count("  a2") == 1
    assert main(["book", "show", file, "tictactoe", "b2", "a1"]) == 0
    assert "This position is not in the book." in capsys.readouterr().out


def test_the_options_reach_the_builder(file):
    more = ["--game-option", "size=6", "--seconds", "1000", "--simulations", "50"]
    assert main(["book", "build", file, "reversi", *more, "--max-positions", "2"]) == 0
    with Book(file) as opened:
        assert opened.game == "Reversi (size=6)"
        assert opened.lookup(games.Reversi(6)).num_simulations == 50
        assert opened.summary().num_positions == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("show FILE reversi", "book: There is no book"),
        ("build FILE chess", "There is no game 'chess'"),
        ("build FILE tictactoe --simulations 0", "num_simulations"),
    ],
)
def test_faults_are_named_in_a_line(capsys, file, words, message):
    assert main(["book", *words.replace("FILE", file).split()]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert not Path(file).exists()
