"""`python -m mctslab book`: build and show, and what is said when something is wrong."""

import io

import pytest

from mctslab import book
from mctslab.__main__ import main
from mctslab.book import Book
from mctslab.book.building import BuildStatus
from mctslab.book.store import Summary

BUILD = ["tictactoe", "--simulations", "90", "--plies", "1", "--seed", "1"]


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "book.sqlite")


def test_build_and_show(capsys, file):
    assert main(["book", "build", file, *BUILD]) == 0
    assert "4 positions to ply 1" in capsys.readouterr().err
    assert main(["book", "show", file]) == 0
    shown = capsys.readouterr().out
    for line in (
        f"{file}: Tic-Tac-Toe, uniform rollouts",
        "4 positions of at most 1,000,000",
        "the deepest at ply 1",
        "positions by ply: 0: 1, 1: 3",
        "X to move",
    ):
        assert f"{line}\n" in shown
    assert "360 simulations in 0 s of search" in shown
    assert "play  visits  share  win rate" in shown
    assert main(["book", "show", file, "B2"]) == 0
    shown = capsys.readouterr().out
    assert "2 . X ." in shown
    assert shown.count("  a1") == shown.count("  c3") == 1
    assert main(["book", "show", file, "b2", "a1"]) == 0
    assert "This position is not in the book." in capsys.readouterr().out
    for moves in (["z9"], ["b2", "b2"]):
        assert main(["book", "show", file, *moves]) == 1
        assert "book: " in capsys.readouterr().err


def test_the_options_reach_the_builder(capsys, file):
    words = ["--game-option", "size=4", "--policy", "uniform", "--max-positions", "2"]
    more = ["--threads", "2", "--seconds", "1000", "--simulations", "50"]
    assert main(["book", "build", file, "reversi", *words, *more]) == 0
    assert "the book is full" in capsys.readouterr().err
    with Book(file) as opened:
        assert opened.first_state.num_actions == 17
        assert opened.max_positions == 2
        assert opened.summary().num_simulations == 100


def test_ctrl_c_says_how_to_go_on(capsys, monkeypatch, file):
    class Interrupting(book.TextProgress):
        def __call__(self, status):
            if status.num_searches == 2 and not status.is_last:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(book, "TextProgress", Interrupting)
        assert main(["book", "build", file, *BUILD]) == 130
    assert "The same command continues" in capsys.readouterr().err
    with Book(file) as opened:
        opened.check()
        assert opened.summary().num_simulations == 2 * 90
    assert main(["book", "build", file, *BUILD]) == 0
    with Book(file) as opened:
        assert opened.summary().num_simulations == 4 * 90


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "FILE"], "book: There is no book"),
        (["build", "FILE", "reversi", "--policy", "best"], "rollouts must be one of uniform"),
        (["build", "FILE", "reversi", "--game-option", "size"], "does not have the form size="),
        (["build", "FILE", "reversi", "--game-option", "width=9"], "width"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(words, message, capsys, file):
    assert main(["book", *(file if word == "FILE" else word for word in words)]) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1


def test_a_line_in_place_covers_what_was_there(monkeypatch):
    """In a terminal and in a notebook the line replaces itself."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    progress = book.TextProgress()
    for summary in (Summary(1_000, 10, 0.0, 3), Summary(1, 1, 0.0, 0)):
        progress(BuildStatus(summary, None, 0, 1.0, True))
    _, first, second = terminal.getvalue().split("\r")
    assert len(second) >= len(first)
    assert second.rstrip() == "1 positions to ply 0  1 simulations  0 s of search"
