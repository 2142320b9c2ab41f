"""What notebook 15 says is so, and stays so with another seed; its files are games of their own."""

import sys

import numpy as np
import pytest

from mctslab import search
from mctslab.widgets.board_view import BoardView
from tests.fast.same_trees import both
from tests.notebooks.files import assert_clean, run_in
from tests.notebooks.reading import hex_file, read
from tests.notebooks.running import run_here


@pytest.fixture
def folder(tmp_path):
    """A folder with the game."""
    (tmp_path / "my_hex.py").write_text(hex_file(), "utf-8")
    return tmp_path


def test_the_file_is_as_the_linter_and_the_formatter_want_it(folder):
    assert_clean(folder, "my_hex.py")


@pytest.fixture
def _without_my_hex():
    """Here nobody has loaded the module of another folder's `my_hex.py`."""
    before = sys.modules.pop("my_hex", None)
    yield
    sys.modules.pop("my_hex", None)
    if before is not None:
        sys.modules["my_hex"] = before


@pytest.mark.usefixtures("_without_my_hex")
def test_a_cell_that_writes_a_part_can_be_run_again_at_any_time(notebook, tmp_path):
    """A reader who goes back and runs such cells twice, in any order, still has the same game."""
    again = read(notebook)
    imports, *_ = (cell for cell in again.cells if cell.cell_type == "code")
    writing = [cell for cell in again.cells if cell.source.startswith("%%writefile")]
    making = [cell for cell in again.cells if cell.id in ("contract", "same-tree")]
    again.cells = [imports, *writing, *reversed(writing), *making]

    shown = run_here(again, folder=tmp_path).text

    assert shown.count("Hex keeps the contract.") == 2
    assert "Hex is compiled." in shown


SLOW = """def hex_joined(stones, player, geometry):
    size = geometry.size
    cells = {cell for cell in range(size**2) if stones >> cell & 1}
    chain, grown = None, {cell for cell in cells if divmod(cell, size)[player] == 0}
    while chain != grown:
        chain = grown
        places = [divmod(cell, size) for cell in chain]
        steps = (0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)
        near = {(r + down, c + right) for r, c in places for down, right in steps}
        grown = chain | {r * size + c for r, c in near if 0 <= c < size} & cells
    return any(divmod(cell, size)[player] == size - 1 for cell in chain)
"""


@pytest.mark.usefixtures("_without_my_hex")
@pytest.mark.filterwarnings("ignore::mctslab.fast.SlowSearchWarning")
def test_rules_that_cannot_be_compiled_pass_their_check_and_the_cell_says_so(notebook, tmp_path):
    slow = read(notebook)
    ids = ("imports", "hex-class", "exercise-joined", "hex-rules", "contract", "same-tree")
    slow.cells = [cell for cell in slow.cells if cell.id in ids]
    joined = next(cell for cell in slow.cells if cell.id == "exercise-joined")
    joined.source = f"{SLOW}\n\nexercises.hex_joined.check(hex_joined)"

    shown = run_here(slow, folder=tmp_path).text

    assert "✓ hex_joined: right." in shown
    assert "or `divmod`, they print what it is" in shown
    assert "Hex is not compiled: hex_joined() " in shown
    assert "in plain Python as well." in shown
    assert "Hex is compiled" not in shown
    assert " compiled." not in shown.partition("Simulations a second")[2]


# Hex


def has_joined(cells, size, player):
    """Whether a chain of these cells leads from the player's first side to the last one."""
    chain, grown = set(), {cell for cell in cells if cell[player] == 0}
    while chain != grown:
        chain = grown
        beside = {(row + r, col + c) for row, col in chain for r, c in STEPS}
        grown = chain | beside.intersection(cells)
    return any(cell[player] == size - 1 for cell in chain)


STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


@pytest.mark.parametrize("size", [1, 2, 4, 7])
def test_another_program_agrees_on_every_position(names, size):
    """It lets a chain grow from the stones that were played."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        state, cells = names["Hex"](size), ([], [])
        while not state.is_terminal:
            taken = {row * size + col for row, col in (*cells[0], *cells[1])}
            assert state.legal_actions() == tuple(c for c in range(size**2) if c not in taken)
            mover, action = state.current_player, search.uniform(state, rng)
            cells[mover].append(divmod(action, size))
            state = state.child(action)
            for player, stones in enumerate(cells):
                assert all(state.board().stones[row * size + col] == player for row, col in stones)
            assert state.is_terminal == has_joined(cells[mover], size, mover)
        assert state.returns() == (1 - 2 * mover, 2 * mover - 1)


@pytest.mark.parametrize("moves", [(1, 3, 4, 5, 7), (0, 3, 1, 4, 2, 5)])
def test_a_chain_that_has_won_is_drawn_on_the_live_board(names, moves):
    """The reader's `board` names no squares that won."""
    state = names["Hex"](size=3)
    for action in moves:
        state = state.child(action)
    assert state.is_terminal
    assert "data-win" in BoardView(state.board()).position()["line"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [2, 5])
def test_the_two_ways_to_write_hex_grow_the_same_tree(names, size):
    both("mcts", names["Hex"](size), seed=1, num_simulations=60)


def test_a_net_for_the_game_is_trained_to_the_end(names):
    panel = names["panel"]
    assert panel.wait(200)
    assert (panel.message, panel.headline) == ("", "All 2 iterations are done")


# Solved


@pytest.mark.parametrize("size", [2, 3])
def test_the_winning_first_moves_are_those_of_minimax(names, size):
    first, memo = names["Hex"](size), {}
    winning = [a for a in first.legal_actions() if search.minimax(first.child(a), memo)[0] == 1]

    assert names["winning_first_moves"](size) == winning != []


def test_a_friend_plays_the_file_in_the_terminal(folder):
    options = ("--game-option", "size=3", "--against", "random", "--seed", "1")
    cells = "".join(f"{col}{row}\n" for row in "123" for col in "abc")
    done = run_in(folder, "mctslab", "play", "my_hex.py", *options, typed=2 * cells)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Hex: you are Black.")
    assert done.stdout.rstrip().splitlines()[-1] in ("Black wins", "White wins")


# What the reader knows


def test_the_distance_is_what_is_said_and_a_player_that_looks_at_it_beats_random_play(names):
    rng = np.random.default_rng(1)
    distance, player, first = names["distance"], names["my_player"], names["Hex"]()
    assert [distance(first, player) for player in (0, 1)] == [5, 5]
    for _ in range(10):
        state = first
        while not state.is_terminal:
            choose = player if state.current_player == 1 else search.uniform
            state = state.child(choose(state, rng))
        assert distance(state, 1) == 0
        assert state.returns() == (-1.0, 1.0)
