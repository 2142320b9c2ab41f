"""What notebook 15 says is so; its files are games of their own."""

import re
import sys

import numpy as np
import pytest

from mctslab import games, search
from tests.fast.same_trees import both
from tests.notebooks.reading import read, written_files
from tests.notebooks.running import run_here


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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [2, 5])
def test_the_two_ways_to_write_hex_grow_the_same_tree(names, size):
    both("mcts", names["Hex"](size), seed=1, num_simulations=60)


# Solved


@pytest.mark.parametrize("size", [2, 3])
def test_the_winning_first_moves_are_those_of_minimax(names, size):
    first, memo = names["Hex"](size), {}
    winning = [a for a in first.legal_actions() if search.minimax(first.child(a), memo)[0] == 1]

    assert names["winning_first_moves"](size) == winning != []


# Your game

SNORT = """    def legal_actions(self):
        other, squares = 1 - self.current_player, range(SIZE**2)
        free = [square for square in squares if self.stones[square] == EMPTY]
        return tuple(s for s in free if all(self.stones[n] != other for n in beside(s)))
"""


def test_for_snort_only_the_legal_actions_change(notebook, tmp_path):
    text = written_files(notebook)["my_game.py"]
    changed = re.sub(r"    def legal_actions.*?\n\n", f"{SNORT}\n", text, flags=re.DOTALL)
    assert changed != text
    (tmp_path / "my_snort.py").write_text(changed, "utf-8")
    game = games.make(str(tmp_path / "my_snort.py"))

    games.contract.check(game)
    state = game.child(12)
    assert {7, 11, 13, 17} & set(state.legal_actions()) == set()
    assert len(state.legal_actions()) == 20
