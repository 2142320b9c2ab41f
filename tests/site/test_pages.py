"""What the build of the book does without Sphinx and without a browser."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from mctslab.course.outline import is_side_road, paths
from tests.browser.examples import NEED_NO_KERNEL, ask_share

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "docs" / "site"))

import front_page  # noqa: E402
import pages  # noqa: E402
from running import Executed, run_all  # noqa: E402
from sphinx_parts import formula  # noqa: E402
from widgets_on_page import Widgets  # noqa: E402

FORMULA = re.compile(r"`+.*?`+|\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)
"""A formula of its own or in a line; code comes first, because it can contain a dollar sign."""


def notebook_of(path, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_a_notebook_runs_once_as_wanted_and_again_when_it_changes_and_none_may_fail(tmp_path):
    """It begins like a reader who has solved nothing, whatever the builder has solved."""
    path, runs = tmp_path / "98_small.ipynb", tmp_path / "runs.txt"
    counted = f"with open({str(runs)!r}, 'a') as file:\n    _ = file.write('run ')"
    home = os.environ["MCTSLAB_HOME"]
    given = f"os.environ['MCTSLAB_QUICK'], os.environ['MCTSLAB_HOME'] == {home!r}"
    asked = f"import os; print({given}, os.path.exists('results'))"
    slider = "import ipywidgets\nslider = ipywidgets.IntSlider(3)"
    for change, is_quick, printed, num_runs in (
        *[("", True, "1 False True\n", 1)] * 2,
        ("", False, "0 False True\n", 2),
        ("  # changed", True, "1 False True\n", 3),
    ):
        notebook_of(path, counted, asked + change, slider, "slider.value = 7")
        [executed] = run_all([path], tmp_path / "cache", at_once=1, is_quick=is_quick)
        outputs = [output.text for cell in executed.notebook.cells for output in cell.outputs]
        assert (outputs, runs.read_text()) == ([printed], "run " * num_runs)
        values = [state.get("value") for state in executed.widgets.values()]
        assert 7 in values, "the traits are those at the end"
    bad = notebook_of(tmp_path / "99_bad.ipynb", "1 / 0")
    made = run_all([path, bad], tmp_path / "cache", at_once=2, is_quick=True)
    assert next(made).path == path
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        next(made)


def test_each_notebook_of_the_road_has_a_cell_for_its_picture_and_a_sentence():
    for path in filter(lambda path: not is_side_road(path), paths(PROJECT / "notebooks")):
        cells = nbformat.read(path, as_version=4).cells
        assert [cell.id for cell in cells].count(front_page.COVERS[path.name[:2]]) == 1
        assert len(front_page.abilities()[path.name[:2]].split()) > 3


STATE = {"_esm": "export default {}", "_css": "", "layout": "x", "value": 5}
STILL = {"pictures": [("<svg></svg>", "a board")], "note": "Run this cell again.", "html": ""}


def place_of(name, title=""):
    widgets = Widgets({"Reversi": "reversi"})
    state = {**STATE, "_anywidget_id": f"mctslab.widgets.{name}", "about": {"title": title}}
    return widgets.html(state, STILL, "../", "LINKS"), widgets.files


def test_a_panel_leads_to_its_own_game_on_the_page_to_play_on():
    html, files = place_of("GamePanel", "Reversi")
    assert "a board" in html
    assert "Run this cell" not in html
    assert 'href="../play/index.html#reversi"' in html
    assert [name.partition("-")[0] for name in files] == ["still"]
    html, _ = place_of("GamePanel", "Hex")
    assert "needs Python" in html
    assert "play/index.html" not in html


def test_the_answer_of_a_prediction_is_behind_a_triangle():
    asked = ask_share("a prediction on a page")
    state = asked.get_state() | asked.without_python()
    still = {"pictures": [], "note": asked.still_note(), "html": "as saved"}
    html = Widgets().html(state, still, "../", "LINKS")
    shown, hidden = html.split("<details><summary>The answer</summary>")
    assert "How many random games" in shown
    assert "58.5" not in shown
    assert "wins 58.5 % of them" in hidden


@pytest.mark.parametrize("name", NEED_NO_KERNEL)
def test_what_needs_no_kernel_comes_to_life_on_a_page(name):
    html, files = place_of(name)
    assert re.search(rf'data-widget="../_widgets/{name}-\w+.json.gz"', html)
    assert STATE["_esm"].encode() in files.values()


@pytest.mark.parametrize(
    ("name", "shown", "words"),
    [
        ("more/08_museum", [], "both exercises."),
        ("11_puct", ["SearchSliders", "GamePanel"], "5 exercises, the board to play on and the sl"),
        ("more/13_curves", [], "nothing in it needs to be run."),
    ],
)
def test_a_page_says_what_is_worth_running(name, shown, words):
    widgets = {each: {"_anywidget_id": f"mctslab.widgets.{each}"} for each in shown}
    executed = Executed(PROJECT / "notebooks" / f"{name}.ipynb", None, widgets)
    assert words in pages.worth_running(executed)


def test_every_formula_of_the_notebooks_can_be_written_on_a_page():
    num_formulas = 0
    for path in paths(PROJECT / "notebooks"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                for block, inline in filter(any, FORMULA.findall(cell.source)):
                    assert "<math" in formula(block or inline, is_block=bool(block)), cell.id
                    num_formulas += 1
    assert num_formulas > 100


def test_a_folder_with_files_of_somebody_is_not_replaced(tmp_path):
    mine, ours = tmp_path / "mine", tmp_path / "ours"
    for folder, file in ((mine, "thesis.txt"), (ours, ".mctslab-site")):
        folder.mkdir()
        (folder / file).touch()
    for folder, message in ((mine, "was not written by this command"),
                            (ours, "there is no notebook 99_none")):  # fmt: skip
        command = [sys.executable, PROJECT / "docs/site/build.py", "--only", "99_none"]
        done = subprocess.run(
            [*command, "--out", folder], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert message in done.stderr
