"""What moves cost: times, simulations and nodes of each move, of a game, and of all games."""

import json
from dataclasses import replace

import pytest

from mctslab import arena, games
from mctslab.arena import Contestant
from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import Clock, PlayedGame, Reason, clock_of
from mctslab.arena.results_file import shorten
from mctslab.players import Proposal
from tests.arena.odd_players import OddPlayer, Raising


class Counting(OddPlayer):
    """Says that it has visited ten nodes for every stone on the board, and one more."""

    def think(self, state):
        stones = sum(stone >= 0 for stone in state.board().stones)
        yield Proposal(state.legal_actions()[0], 1.0, num_nodes=10 * stones + 1)


GAME = PlayedGame(
    pairing=(0, 1),
    number=3,
    players=("b", "a"),
    opening_plies=2,
    actions=(0, 1, 2, 3, 4, 5, 6),  # in Tic-Tac-Toe the first player has a line of three
    seconds=((1.0, 2.0, 4.0), (0.5, 0.25)),
    simulations=((10, 20, 40), (0, 0)),
    returns=(1.0, -1.0),
    reason=Reason.RULES,
    nodes=((0, 0, 0), (7, 9)),
)


def test_the_moves_of_a_game_know_what_they_cost():
    moves = GAME.moves(games.TicTacToe())
    assert [(m.player, m.notation) for m in moves][:3] == [(0, "a1"), (1, "b1"), (0, "c1")]
    assert [m.seconds for m in moves] == [None, None, 1.0, 0.5, 2.0, 0.25, 4.0]
    assert [m.num_simulations for m in moves] == [0, 0, 10, 0, 20, 0, 40]
    assert [m.num_nodes for m in moves] == [0, 0, 0, 7, 0, 9, 0]
    # The time of a move by which a game was lost belongs to no move.
    lost = replace(GAME, actions=GAME.actions[:-1], reason=Reason.ILLEGAL)
    assert lost.moves(games.TicTacToe()) == moves[:-1]


def test_a_clock_counts_only_the_games_of_its_player():
    clock = clock_of([GAME, GAME], "b")
    assert clock == Clock(seconds=14.0, num_moves=6, simulations=140, nodes=0, num_games=2)
    assert (clock.seconds_per_move, clock.seconds_per_game) == (pytest.approx(7 / 3), 7.0)
    assert clock.simulations_per_move == pytest.approx(140 / 6)
    assert str(clock) == "2.33 s a move, 7.00 s a game, 14 s in total, 23 simulations a move"
    brief = Clock(seconds=0.0123, num_moves=1_000, num_games=1)
    assert str(brief) == "0.0123 ms a move, 12.3 ms a game, 12.3 ms in total"
    assert clock_of([GAME], "a").nodes_per_move == 8
    assert clock_of([GAME], "c") == Clock(0.0, 0, 0.0)
    assert clock_of([], "c").seconds_per_game == 0


def test_forced_moves_are_no_choices():
    """The last square is no choice, and neither are the two random moves of the opening."""
    drawn = replace(
        GAME, number=4, players=("a", "b"), actions=(0, 1, 2, 4, 3, 5, 7, 6, 8), returns=(0.0, 0.0)
    )
    result = MatchResult(("a", "b"), (GAME, drawn), 2, games.TicTacToe())
    assert (result.num_choices("a"), result.num_choices("b")) == (2 + 3, 3 + 3)


def test_nodes_are_counted_kept_and_told(tmp_path):
    file = tmp_path / "nodes.jsonl"
    counting = Contestant("counting", Counting)
    played = arena.match("tictactoe", counting, "random", num_games=2, seed=1, file=file)
    first = played.games[0]
    assert first.nodes[0] == tuple(range(1, 20 * len(first.nodes[0]), 20))
    assert first.nodes[1] == (0,) * len(first.seconds[1])
    assert arena.load(file).games == played.games
    assert played.moves(0) == first.moves(games.TicTacToe())
    assert "nodes a move" in str(played)
    nodes = sum(sum(game.nodes[place]) for place, game in enumerate(played.games))
    assert played.clock("counting").nodes == nodes
    shorten(file)
    kept = arena.load(file)
    assert kept.clock("counting").nodes == pytest.approx(nodes)
    assert kept.clock("random").nodes == 0


def test_a_file_has_no_nodes_where_no_player_counts_them(tmp_path):
    file = tmp_path / "plain.jsonl"
    played = arena.match("tictactoe", "random", "random", num_games=2, seed=1, file=file)
    assert len(json.loads(file.read_text("utf-8").splitlines()[1])) == 9  # the tenth are the nodes
    assert arena.load(file).games == played.games


def test_a_tournament_tells_everybodys_time_and_every_loss_by_accident():
    entries = ["random", Contestant("<failing>", Raising), Contestant("counting", Counting)]
    played = arena.round_robin("tictactoe", entries, num_games=2, seed=1)
    text, page = str(played), played._repr_html_()
    assert played.clock("random").num_games == 4
    assert f"random: {played.clock('random')}" in text
    assert "<failing> lost 4 by an exception: RuntimeError: I have lost my way" in text
    assert "&lt;failing&gt; lost 4" in page
    assert "<failing>" not in page
