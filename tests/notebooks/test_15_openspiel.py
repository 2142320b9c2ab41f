"""What the side road about OpenSpiel's games says is so."""

import sys

import pytest
from IPython.utils.capture import capture_output

from mctslab import games, search
from tests.games.test_openspiel import suitable
from tests.notebooks.reading import read, size_of
from tests.notebooks.running import run_here

spiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this system")


def test_it_is_short_and_names_the_number_of_games(notebook, cells):
    assert size_of(notebook).words <= 1_000
    assert f"There are {len(suitable())} of them" in cells["openspiel-words"]


def test_first_has_the_pieces_o_and_moves_one_onto_a_neighbour(names):
    clobber = names["clobber"]
    rows = {line[0]: line[1:] for line in clobber.board().text.splitlines()}
    for action in clobber.legal_actions():
        col, row, *_ = move = clobber.action_to_string(action)
        assert rows[row]["abcde".index(col)] == "o"
        assert abs(ord(move[2]) - ord(col)) + abs(int(move[3]) - int(row)) == 1


def test_bouton_s_rule_is_what_the_search_proves_and_the_last_piece_loses():
    last = games.from_openspiel("nim(pile_sizes=1;1)")
    last = last.child(last.legal_actions()[0])
    assert last.child(last.legal_actions()[0]).returns() == (1, -1)
    for heaps in ((1, 2, 3), (1, 2, 4), (2, 2, 1), (1, 1, 2), (1, 3, 2), (2, 3, 3)):
        nim = games.from_openspiel(f"nim(pile_sizes={';'.join(map(str, heaps))})")
        result = search.mcts(nim, num_simulations=5_000, solver=True, rng=1)
        one, other, third = heaps
        assert result.proven == (-1 if one ^ other ^ third == 0 else 1)


def test_the_proof_waits_for_a_guess(shown, cells, names):
    assert "Write your guess first." in shown
    assert "proven after" not in shown
    cell = cells["experiment-nim"].replace('guess = "?"', 'guess = "Second"')
    with capture_output() as captured:
        exec(cell, dict(names))
    assert captured.stdout.startswith("your guess: Second; proven after ")
    assert captured.stdout.endswith("simulations: Second\n")


def test_the_games_to_try_are_there_and_the_players_can_play_them(cells):
    for name in cells["match-question"].split('`"')[1:]:
        first_state = games.from_openspiel(name.partition('"`')[0])
        assert len(first_state.legal_actions()) <= 50  # a simulation of uct:50 for each move


def test_without_openspiel_it_takes_another_game_and_says_so_once(notebook, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    games.openspiel._class_of.cache_clear()
    shown = run_here(read(notebook), folder=notebook.parent).text
    assert shown.count("OpenSpiel is not installed") == 1
    assert "Until then, the cells below take Tic-Tac-Toe." in shown
    assert "Tic-Tac-Toe keeps the contract" in shown
