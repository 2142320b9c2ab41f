"""`python -m mctslab arena`: the same as from Python, in a line."""

import pytest

from mctslab import arena
from mctslab.__main__ import main
from tests import forks
from tests.arena.comparing import all_without_times, ctrl_c_after, small_match
from tests.clusters import forked_workers

_forked = pytest.fixture(forks.child_processes, scope="module", autouse=True)
_forked_workers = pytest.fixture(forked_workers, scope="module", autouse=True)


@pytest.mark.parametrize("where", ["--processes 2", "--cluster local:1"])
def test_a_match(capsys, tmp_path, where):
    file = tmp_path / "out.jsonl"
    words = "tictactoe uct:15 random --games 12 --seed 3 --opening-plies 2"
    assert main(["arena", *words.split(), *where.split(), "--json", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("uct:15 against random, Tic-Tac-Toe, 12 games\n")
    assert "12/12" in shown.err
    assert all_without_times(arena.load(file)) == all_without_times(small_match())


def test_ctrl_c_ends_the_command_with_what_is_finished(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(arena, "TextProgress", lambda: ctrl_c_after(3))
    words = ["arena", "tictactoe", "random", "random", "--games", "8"]
    assert main(words) == main([*words, "--json", str(tmp_path / "a.jsonl")]) == 130
    out, err = capsys.readouterr()
    assert out.count("3 of 8 games") == 2
    assert err.count("The same command continues from here") == 1


def test_a_tournament(capsys):
    words = ["tictactoe", "random", "uct:10", "random", "--games", "2"]
    assert main(["arena", *words]) == 0
    assert capsys.readouterr().out.startswith("3 players, Tic-Tac-Toe, 6 games\n")


def test_what_cannot_be_played_is_said_in_a_line(capsys):
    for words, message in (
        ("chess random random", "arena: There is no game 'chess'"),
        ("tictactoe random grandmaster", "arena: There is no player 'grandmaster'"),
        ("tictactoe random random --opening-plies 9", "Tic-Tac-Toe is over by then"),
        ("gomoku random random --game-option size", "have the form size=9"),
    ):
        assert main(["arena", *words.split()]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.out == ""
        assert len(shown.err.strip().splitlines()) == 1
