"""The file of a tournament: whole lines only, and never another tournament's."""

import json
import sys
from functools import partial

import pytest
from filelock import FileLock

from mctslab import arena, games, players
from mctslab.players import Proposal
from tests.arena.comparing import all_without_times, lines_of, small_match
from tests.arena.odd_players import OddPlayer, Raising


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "results.jsonl"
    small_match(file)
    return file


def write(file, lines):
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def test_a_line_that_was_cut_off_is_written_again(file):
    visible = [path.name for path in file.parent.iterdir() if not path.name.startswith(".")]
    assert visible == [file.name]  # the lock is hidden
    whole, content = arena.load(file), file.read_bytes()
    for cut in (1, len(content.splitlines()[-1]) - 1):
        file.write_bytes(content[:-cut])
        assert len(arena.load(file).games) == 11
        resumed = small_match(file)
        assert all_without_times(resumed) == all_without_times(whole)
        assert arena.load(file) == resumed
        assert file.read_bytes().splitlines()[:-1] == content.splitlines()[:-1]
    file.write_bytes(b"")
    assert all_without_times(small_match(file)) == all_without_times(whole)


def test_a_game_counts_once(file):
    lines = lines_of(file)
    write(file, [*lines, lines[2]])
    assert len(arena.load(file).games) == 12


def test_another_tournament_is_refused(file):
    before = file.read_bytes()
    same = {"game": "tictactoe", "first": "uct:15", "second": "random"}
    same |= {"num_games": 12, "seed": 3, "opening_plies": 2}
    for options, message in (
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"seconds_per_move": 5.0}, "its seconds_per_move is None, not 5.0"),
        ({"first": "random", "second": "uct:15"}, "its contestants is"),
        ({"game": "connect_four"}, "its (game|first_state) is"),
    ):
        with pytest.raises(ValueError, match=message):
            arena.match(file=file, **(same | options))
    assert file.read_bytes() == before


def test_another_file_is_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    for content, message in (
        (b"my notes\n", "line 1 is not JSON"),
        (b'{"format": "other"}\n', "line 1: format = 'other': expected 'mctslab.arena'"),
        (b'{"format": "mctslab.arena", "version": 1}\n', "line 1: The entry .* is missing"),
    ):
        file.write_bytes(content)
        for read in (small_match, arena.load):
            with pytest.raises(ValueError, match=message):
                read(file)
        assert file.read_bytes() == content


def test_a_match_from_another_position_needs_it_again(tmp_path):
    file, state = tmp_path / "own.jsonl", games.ConnectFour(rows=4, cols=5)
    quick = arena.Contestant("quick", partial(players.UCTPlayer, 20, reuse_tree=True))
    result = arena.match(state, quick, "random", num_games=2, seed=7, opening_plies=1, file=file)
    with pytest.raises(ValueError, match="began from another position"):
        arena.load(file)
    assert arena.load(file, state) == result
    with pytest.raises(ValueError, match="game_options go with the name"):
        arena.match(state, "random", "random", seed=1, game_options={"rows": 4})


# What is all there is only read


def test_a_finished_match_is_read_from_a_write_protected_file(file, monkeypatch):
    whole, seen = arena.load(file), []
    monkeypatch.setattr(FileLock, "acquire", lambda *_, **__: pytest.fail("it is written"))
    assert small_match(file, progress=lambda *call: seen.append(call)) == whole
    assert seen == []


# The cost of the moves


class Counting(OddPlayer):
    """Says that it has visited ten nodes for every stone on the board, and one more."""

    def think(self, state):
        stones = sum(stone >= 0 for stone in state.board().stones)
        yield Proposal(state.legal_actions()[0], 1.0, num_nodes=10 * stones + 1)


def test_nodes_and_simulations_are_added_up_and_kept(tmp_path):
    entries = [
        "uct:10",
        arena.Contestant("counting", Counting),
        arena.Contestant("raising", Raising),
    ]
    file = tmp_path / "all.jsonl"
    played = arena.round_robin("tictactoe", entries, num_games=2, seed=1, file=file)
    assert arena.load(file) == played
    counted, searched = played.cost("counting"), played.cost("uct:10")
    own = [game for game in played.games if "counting" in game.players]
    expected = sum(
        sum(range(1 + 10 * game.players.index("counting"), 10 * len(game.actions) + 1, 20))
        for game in own
    )
    assert (counted.nodes, counted.simulations) == (expected, 0)
    assert counted.num_moves == sum(
        len(game.actions[game.players.index("counting") :: 2]) for game in own
    )
    assert 0 < searched.simulations <= 10 * searched.num_moves
    assert f"counting: {counted}" in str(played)
    assert played.cost("raising").num_moves == 4, "the moves that it did not find"
    assert "raising lost 4 by exception: RuntimeError: I have lost" in str(played)


def test_the_moves_that_are_searched_are_choices():
    options = {"num_games": 4, "opening_plies": 3, "game_options": {"size": 4}, "seed": 1}
    played = arena.match("reversi", "uct:20", "random", **options)
    cost = played.cost("uct:20")
    assert cost.simulations == 20 * played.num_choices("uct:20") < 20 * cost.num_moves


# Files that somebody has changed


def test_a_line_that_was_changed_is_named_with_its_entry(file):
    header, *rows = lines_of(file)
    for place, value, message in (
        (None, rows[0][:4], "expected a list of pairing, number"),
        (0, [0, 2], "no two such contestants"),
        (2, ["a1"], r"actions\[0\] = 'a1': expected `int`, got `str`"),
        (3, [1, 1], "the sum 0"),
    ):
        row = value if place is None else [*rows[2][:place], value, *rows[2][place + 1 :]]
        write(file, [header, *rows[:2], row, *rows[3:]])
        for read in (small_match, arena.load):
            with pytest.raises(ValueError, match=f"line 4, is not a game: .*{message}"):
                read(file)
    write(file, [header | {"num_games": 0}, *rows])
    with pytest.raises(ValueError, match="line 1: num_games = "):
        arena.load(file)


def test_a_file_does_not_decide_which_module_is_imported(file):
    header, *rows = lines_of(file)
    write(file, [header | {"game": "antigravity:Game"}, *rows])
    with pytest.raises(ValueError, match="give it as first_state"):
        arena.load(file)
    assert "antigravity" not in sys.modules
    assert len(arena.load(file, games.TicTacToe()).games) == 12
