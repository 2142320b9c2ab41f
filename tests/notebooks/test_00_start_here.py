"""What notebook 00 says is so."""

import subprocess
import sys

import numpy as np
import pytest

from mctslab import games, search
from mctslab.course import progress_map
from mctslab.course.outline import place_of
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.running import run_here


def test_the_first_cell_loads_nothing_that_takes_seconds(notebook):
    first = next(cell.source for cell in read(notebook).cells if cell.cell_type == "code")
    slow = "{'torch', 'numba', 'matplotlib', 'wasmtime', 'scipy', 'pandas'}"
    code = f"{first}\nimport sys; print(sorted({slow} & set(sys.modules)))"
    command = [sys.executable, "-c", code]

    assert subprocess.check_output(command, cwd=PROJECT, text=True) == "[]\n"


@pytest.mark.parametrize("seed", range(3))
def test_in_the_tree_most_simulations_go_to_the_move_that_wins_at_once(names, seed):
    state, rng = names["state"], np.random.default_rng(seed)
    result = search.mcts(state, num_simulations=300, rng=rng)
    visits = {state.action_to_string(c.action): c.visit_count for c in result.children}
    after = state.child(state.string_to_action("c3"))

    assert state.player_names[state.current_player] == "White"
    assert (state.disc_counts()[0], after.disc_counts()[0]) == (3, 0)
    assert after.is_terminal
    assert visits["c3"] > 300 / 2


def test_what_is_missing_is_told_and_else_all_is_in_order(notebook, shown):
    """The notebooks before the nets are run as where PyTorch is not installed."""
    assert "it does not load, and notebooks 12 to 14 need it" in shown
    with_torch = read(notebook)
    with_torch.cells = [cell for cell in with_torch.cells if cell.id == "doctor"]
    assert "Everything that the notebooks need is in order" in run_here(with_torch).text


def test_the_map_leads_to_every_notebook_and_tells_what_comes_next(notebook, shown):
    page = progress_map(notebook.parent)._repr_html_()

    assert all(f'href="{place_of(path).as_posix()}"' in page for path in NOTEBOOKS)
    assert "Next: 01 Games and trees, exercise line_up_returns." in shown


def test_no_clock_runs_and_white_does_not_begin_at_its_strongest(cells):
    sources = [source for source in cells.values() if "GamePanel(" in source]
    assert len(sources) == 3
    assert not any("seconds_per_move" in source for source in sources)
    assert 'white="roxanne"' in sources[0]


def test_rows_are_counted_from_below_in_gomoku_and_from_above_in_reversi():
    gomoku, reversi = games.Gomoku(size=9), games.Reversi()
    assert (gomoku.action_to_string(0), gomoku.action_to_string(72)) == ("A9", "A1")
    assert (reversi.action_to_string(0), reversi.action_to_string(56)) == ("a1", "a8")
