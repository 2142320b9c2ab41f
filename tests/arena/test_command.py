"""`python -m mctslab arena`: the same as from Python, in a line."""

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


def test_a_tournament(capsys):
    words = ["tictactoe", "random", "uct:10", "random", "--games", "2", "--processes", "2"]
    assert main(["arena", *words]) == 0
    assert capsys.readouterr().out.startswith("3 players, Tic-Tac-Toe, 6 games\n")


def test_a_ladder_is_a_match_with_each_of_the_others(capsys, tmp_path):
    words = ["tictactoe", "uct:20", "random", "uct:5", "--games", "4", "--ladder"]
    assert main(["arena", *words, "--json", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0].startswith("| player | against | games | score | as first player | as second")
    files = {"random": "uct_20--random.jsonl", "uct:5": "uct_20--uct_5.jsonl"}
    for line, (rival, file) in zip(lines[2:], files.items(), strict=True):
        result = arena.load(tmp_path / file)
        games = arena.match("tictactoe", "uct:20", rival, num_games=4, seed=0).games
        assert all_without_times(result.games) == all_without_times(games)
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        assert cells[:3] == ["`uct:20`", f"`{rival}`", "4"]
        for cell, score in zip(
            cells[3:], (result.score, *map(result.score_as, (0, 1))), strict=True
        ):
            value, low, high = score.rate
            assert cell == f"{value:.3f} ({low:.3f} to {high:.3f})".replace("0.", ".")
    assert "uct:5 lost 4 by an exception: NotEnoughSimulationsError" in shown.err
    before = {file: (tmp_path / file).read_bytes() for file in files.values()}
    assert main(["arena", *words, "--json", str(tmp_path)]) == 0
    assert {file: (tmp_path / file).read_bytes() for file in before} == before


def test_what_cannot_be_played_is_said_in_a_line(capsys):
    for words, message in (
        ("chess random random", "arena: There is no game 'chess'"),
        ("tictactoe random grandmaster", "arena: There is no player 'grandmaster'"),
        ("tictactoe random", "three or more players, got 1"),
        ("tictactoe random --ladder", "a player and one or more opponents"),
        ("tictactoe random random --games 0", "num_games = 0"),
        ("tictactoe random random --opening-plies 9", "Tic-Tac-Toe is over by then"),
        ("gomoku random random --game-option size", "have the form size=9"),
        ("gomoku random random --game-option size=2", "size=2"),
        ("gomoku random random --game-option width=9", "width"),
    ):
        assert main(["arena", *words.split()]) == 1
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.out == ""
        assert len(shown.err.strip().splitlines()) == 1
