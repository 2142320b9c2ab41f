"""What notebook 00 says is so."""

import subprocess
import sys

import numpy as np
import pytest

from mctslab import games, search
from mctslab.course.outline import place_of
from tests.notebooks.reading import NOTEBOOKS, PROJECT, read
from tests.notebooks.running import run_here

NOTEBOOK = NOTEBOOKS[0]


@pytest.fixture
def names(executed):
    return executed(NOTEBOOK).names


def test_the_first_cell_loads_nothing_that_takes_seconds():
    first = next(cell.source for cell in read(NOTEBOOK).cells if cell.cell_type == "code")
    slow = "{'torch', 'numba', 'matplotlib', 'wasmtime', 'scipy', 'pandas'}"
    code = f"{first}\nimport sys; print(sorted({slow} & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert run.stdout == "[]\n"


def test_the_position_of_the_tree_is_as_it_is_told(names):
    state = names["state"]

    assert state.player_names[state.current_player] == "White"
    assert state.disc_counts()[0] == 3
    after = state.child(state.string_to_action("c3"))
    assert after.is_terminal
    assert after.disc_counts()[0] == 0


@pytest.mark.parametrize("seed", range(5))
def test_most_simulations_go_to_the_winning_move_whatever_the_seed(names, seed):
    state = names["state"]
    result = search.mcts(state, num_simulations=300, rng=np.random.default_rng(seed))

    visits = {state.action_to_string(c.action): c.visit_count for c in result.children}
    assert visits["c3"] > 300 / 2


def test_what_is_missing_is_told_and_else_all_is_in_order(executed):
    """The notebooks before the nets are run as where PyTorch is not installed."""
    assert "it does not load, and notebooks 12 to 14 need it" in executed(NOTEBOOK).text
    notebook = read(NOTEBOOK)
    notebook.cells = [cell for cell in notebook.cells if cell.id == "doctor"]
    assert "Everything that the notebooks need is in order" in run_here(notebook).text


def test_the_map_leads_to_every_notebook_and_tells_what_comes_next(executed):
    shown = executed(NOTEBOOK).names["course"].progress_map(NOTEBOOK.parent)._repr_html_()

    files = [place_of(path).as_posix() for path in NOTEBOOKS]
    assert [file for file in files if f'href="{file}"' not in shown] == []
    assert "Next: 01 Games and trees, exercise line_up_returns." in executed(NOTEBOOK).text


def test_no_clock_runs_and_white_does_not_begin_at_its_strongest():
    sources = [cell.source for cell in read(NOTEBOOK).cells if "GamePanel(" in cell.source]
    assert len(sources) == 3
    assert not any("seconds_per_move" in source for source in sources)
    assert 'white="roxanne"' in sources[0]


def test_rows_are_counted_from_below_in_gomoku_and_from_above_in_reversi():
    gomoku, reversi = games.Gomoku(size=9), games.Reversi()
    assert (gomoku.action_to_string(0), gomoku.action_to_string(72)) == ("A9", "A1")
    assert (reversi.action_to_string(0), reversi.action_to_string(56)) == ("a1", "a8")
