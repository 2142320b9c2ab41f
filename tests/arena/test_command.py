"""`python -m mctslab arena`: the same as from Python, in a line."""

import json

from mctslab import arena
from mctslab.__main__ import main
from tests.arena.comparing import all_without_times


def test_a_match(capsys, tmp_path):
    file = tmp_path / "out.jsonl"
    words = ["tictactoe", "uct:15", "random", "--games", "6", "--seed", "3", "--opening-plies", "2"]
    assert main(["arena", *words, "--json", str(file)]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("uct:15 against random, Tic-Tac-Toe, 6 games\n")
    assert "6/6" in shown.err
    from_python = arena.match("tictactoe", "uct:15", "random", num_games=6, seed=3, opening_plies=2)
    assert all_without_times(arena.load(file).games) == all_without_times(from_python.games)
    for _ in range(2):
        assert main(["arena", *words, "--json", str(file), "--short"]) == 0
        row = json.loads(file.read_text("utf-8").splitlines()[1])
        assert all(isinstance(seconds, float) for seconds in row[5])


def test_the_command_in_the_file_plays_the_same(capsys, tmp_path):
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    arena.match(
        "gomoku", "random", "uct:40", num_games=3, seed=9, opening_plies=1, seconds_per_move=100,
        game_options={"size": 5, "in_a_row": 4, "exactly_five": False}, file=first,
        sprt=arena.SPRT(-10, 10),
    )  # fmt: skip
    command = arena.read(first).header.command
    prefix = "python -m mctslab "
    assert command.startswith(prefix)
    assert main([*command.removeprefix(prefix).split(), "--json", str(second)]) == 0
    assert all_without_times(arena.load(first).games) == all_without_times(arena.load(second).games)


def test_a_tournament(capsys):
    words = ["tictactoe", "random", "uct:10", "random", "--games", "2", "--processes", "2"]
    assert main(["arena", *words]) == 0
    assert capsys.readouterr().out.startswith("3 players, Tic-Tac-Toe, 6 games\n")


def test_ctrl_c_says_how_to_go_on(capsys, monkeypatch, tmp_path):
    class Interrupting(arena.TextProgress):
        def __call__(self, standing):
            if standing.num_played == 2 and not standing.is_last:
                raise KeyboardInterrupt

    monkeypatch.setattr(arena, "TextProgress", Interrupting)
    words = ["tictactoe", "random", "random", "--games", "50"]
    assert main(["arena", *words]) == 130
    shown = capsys.readouterr()
    assert "2 of 50 games" in shown.out
    assert "goes on" not in shown.err
    assert main(["arena", *words, "--json", str(tmp_path / "x.jsonl")]) == 130
    assert "The same command continues from here" in capsys.readouterr().err


def test_what_cannot_be_played_is_said_in_a_line(capsys):
    for words, message in (
        ("chess random random", "arena: There is no game 'chess'"),
        ("tictactoe random grandmaster", "arena: There is no player 'grandmaster'"),
        ("tictactoe random", "wo or more contestants"),
        ("tictactoe random random --games 0", "num_games = 0"),
        ("tictactoe random random --sprt 5 0", "must be below"),
        ("tictactoe random random random --sprt 0 5", "needs exactly two players"),
        ("tictactoe random random --short", "--short needs --json FILE"),
        ("gomoku random random --game-option size", "have the form size=9"),
        ("gomoku random random --game-option size=2", "size=2"),
        ("gomoku random random --game-option width=9", "width"),
    ):
        assert main(["arena", *words.split()]) == 1
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.out == ""
        assert len(shown.err.strip().splitlines()) == 1
