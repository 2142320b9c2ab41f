"""`python -m mctslab book`: build and show, and what is said when something is wrong."""

from pathlib import Path

import pytest

from mctslab.__main__ import main
from mctslab.book import Book, command

BUILD = ["tictactoe", "--simulations", "90", "--max-positions", "4", "--seed", "1"]


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "book.sqlite")


def test_build_and_show(capsys, file):
    assert main(["book", "build", file, *BUILD]) == 0
    assert "4 positions to ply 2" in capsys.readouterr().err
    assert main(["book", "show", file, "tictactoe"]) == 0
    shown = capsys.readouterr().out
    for line in (
        f"{file}: Tic-Tac-Toe, uniform rollouts",
        "4 positions to ply 2  360 simulations in 0 s",
        "positions by ply: 0: 1, 1: 2, 2: 1",
        "X to move",
    ):
        assert f"{line}\n" in shown
    assert "play  visits  share  win rate" in shown
    assert main(["book", "show", file, "tictactoe", "A1"]) == 0
    shown = capsys.readouterr().out
    assert "1 X . ." in shown
    assert shown.count("  b1") == shown.count("  a2") == 1
    assert main(["book", "show", file, "tictactoe", "b2", "a1"]) == 0
    assert "This position is not in the book." in capsys.readouterr().out


def test_the_options_reach_the_builder(capsys, file):
    game = ["reversi", "--game-option", "size=4"]
    words = ["--policy", "uniform", "--max-positions", "2"]
    more = ["--seconds", "1000", "--simulations", "50"]
    assert main(["book", "build", file, *game, *words, *more]) == 0
    assert "the book is full" in capsys.readouterr().err
    with Book(file) as opened:
        assert (opened.game, opened.rollouts) == ("Reversi (size=4)", "uniform")
        assert opened.summary().num_simulations == 100


def test_ctrl_c_says_how_to_go_on(capsys, monkeypatch, file):
    class Interrupting(command.RunningLine):
        def update(self, make_line, *, is_last):
            if make_line().startswith("2 positions") and not is_last:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "RunningLine", Interrupting)
        assert main(["book", "build", file, *BUILD]) == 130
    assert "The same command continues" in capsys.readouterr().err
    assert main(["book", "build", file, *BUILD]) == 0
    with Book(file) as opened:
        assert opened.summary().num_simulations == 4 * 90


def test_faults_are_named_in_a_line(capsys, file):
    for words, message in (
        ("show FILE reversi", "book: There is no book"),
        ("show FILE tictactoe z9", "book: "),
        ("show FILE tictactoe b2 b2", "book: "),
        ("build FILE chess", "There is no game 'chess'"),
        ("build FILE tictactoe --simulations 8", "at least 9"),
        ("build FILE tictactoe --seconds 0", "seconds must be above 0"),
        ("build FILE tictactoe --policy roxanne", "Roxanne policy is for Reversi"),
        ("build FILE reversi --policy best", "rollouts must be one of uniform"),
        ("build FILE reversi --game-option size", "does not have the form size="),
        ("build FILE reversi --game-option width=9", "width"),
    ):
        assert main(["book", *words.replace("FILE", file).split()]) == 1
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.out == ""
        assert not Path(file).exists()
