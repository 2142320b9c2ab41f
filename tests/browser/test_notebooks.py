"""The notebooks as a reader meets them: opened in JupyterLab, run, looked at, played on."""

import shutil
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from mctslab.course.notebooks import with_solutions
from mctslab.course.outline import is_side_road
from tests.browser.lab import Lab
from tests.notebooks.reading import NOTEBOOKS, exercises_of, outcomes, read

ROAD = {path.stem: path for path in NOTEBOOKS if not is_side_road(path)}
"""What is live on a side road is live on the road, too; tests/notebooks runs them all."""
START_HERE, GAMES_AND_TREES = ROAD["00_start_here"], ROAD["01_games_and_trees"]
ALPHAZERO, OWN_GAME = ROAD["14_alphazero_gomoku"], ROAD["15_your_own_game"]
WITH_OWN_TESTS = {START_HERE, ALPHAZERO, OWN_GAME}
ANSWER_MILLISECONDS = 30_000
"""For a player that thinks two seconds, on a machine that is busy."""


def run_whole(lab: Lab, path: Path, **variables: str) -> None:
    """Run a notebook with every exercise solved, and find each of its widgets on the page."""
    lab.open(path, with_solutions(read(path)))
    lab.set_environment(MCTSLAB_QUICK="1", **variables)
    lab.run_all(seconds=300)
    shown = [(cell, each) for cell, outputs in enumerate(lab.outputs()) for each in outputs]
    texts = [each.get("text", each.get("data", {}).get("text/plain", "")) for _, each in shown]
    told = outcomes("\n".join(map("".join, texts)))
    assert told == dict.fromkeys(exercises_of(path), "right")
    for cell, each in shown:
        if "application/vnd.jupyter.widget-view+json" in each.get("data", {}):
            expect(lab.scroll_to(cell).locator(".mctslab").first).to_be_visible()


def place(path: Path, cell: str) -> int:
    """Which cell of the notebook has that name."""
    return [each.id for each in read(path).cells].index(cell)


def output_of(lab: Lab, path: Path, cell: str) -> Locator:
    """The output of a cell of the open notebook, scrolled into view."""
    return lab.scroll_to(place(path, cell))


@pytest.mark.parametrize(
    "path", sorted({*ROAD.values()} - WITH_OWN_TESTS), ids=lambda path: path.stem
)
def test_a_notebook_runs_from_top_to_bottom(lab: Lab, path: Path) -> None:
    run_whole(lab, path)


WHERE = """() => {
    const cells = [...document.querySelectorAll('.jp-Notebook-cell')];
    const place = document.querySelector('.jp-WindowedPanel-outer').scrollTop;
    return [place, cells.findIndex(cell => cell.classList.contains('jp-mod-active'))];
}"""
"""How far the notebook is scrolled, and which cell is the active one."""


def test_a_whole_run_leaves_the_reader_at_the_top_and_one_cell_leaves_them_at_it(lab: Lab) -> None:
    a_board = "from mctslab.widgets import GamePanel\nGamePanel('tictactoe', 'human', 'human')"
    later = "import time; time.sleep(1); print('done')"
    sources = [*["print('\\n' * 50)"] * 3, a_board, later, later, "1"]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in sources],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    for cell in notebook.cells[4:]:
        cell.metadata["jupyter"] = {"source_hidden": True}  # then it has no prompt
    lab.open(Path("test.ipynb"), notebook)
    lab.run_all()
    assert lab.page.evaluate(WHERE) == [0, 0]
    lab.run_cell(3)
    lab.scroll_to(6)
    lab.run_cell(6)
    scrolled, active = lab.page.evaluate(WHERE)
    assert (scrolled > 0, active) == (True, 6)


def test_the_first_notebook_is_played_on_and_its_map_leads_on(lab: Lab, tmp_path: Path) -> None:
    run_whole(lab, START_HERE, MCTSLAB_HOME=str(tmp_path))
    panel = output_of(lab, START_HERE, "reversi-panel").locator(".mctslab-panel")
    panel.get_by_label("Who plays White").select_option("uct:2s:roxanne")
    panel.get_by_role("gridcell", name="d3").click()
    expect(panel.get_by_role("region", name="Moves")).to_contain_text("d3")
    expect(panel.locator(".headline")).to_contain_text("Your turn", timeout=ANSWER_MILLISECONDS)
    panel.get_by_role("button", name="Tree").click()
    expect(panel.locator("g.node").first).to_be_visible(timeout=ANSWER_MILLISECONDS)

    for game in ("gomoku", "connect-four"):
        panel = output_of(lab, START_HERE, f"{game}-panel").locator(".mctslab-panel")
        if game == "gomoku":
            panel.get_by_role("gridcell", name="H8").click()
        else:
            panel.get_by_role("button", name="Start").click()
        moves = panel.get_by_role("region", name="Moves").locator("tbody td")
        expect(moves.nth(1)).not_to_be_empty(timeout=ANSWER_MILLISECONDS)

    tree = output_of(lab, START_HERE, "search-tree").locator("svg[role=img]").first
    told = tree.locator("g.node").filter(has_text="c3").filter(has_text="White wins")
    expect(told).to_have_count(1)

    shutil.copy(GAMES_AND_TREES, lab.server.root)
    way = output_of(lab, START_HERE, "map").get_by_role("navigation")
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("0 of 5 solved")
    exercise = "__import__('mctslab.course.exercises').course.exercises.line_up_returns"
    assert lab.evaluate(f"{exercise}.check({exercise}.model_answer).outcome") == "right"
    lab.run_cell(place(START_HERE, "map"))
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("1 of 5 solved")
    way.get_by_role("link", name="01 Games and trees").click()
    expect(lab.page.get_by_role("tab", name=GAMES_AND_TREES.name)).to_be_visible()


def test_a_game_written_on_the_page_is_trained_and_found_again_after_a_restart(lab: Lab) -> None:
    def trained() -> None:
        output = output_of(lab, OWN_GAME, "training")
        expect(output.get_by_text("A net learns Hex", exact=True)).to_be_visible()
        done = output.get_by_text("All 2 iterations are done", exact=True)
        expect(done).to_be_visible(timeout=4 * ANSWER_MILLISECONDS)

    run_whole(lab, OWN_GAME)
    trained()
    assert lab.evaluate("fast.why_not(Hex())") == ""
    lab.restart_kernel()
    lab.set_environment(MCTSLAB_QUICK="1")
    for cell in ("imports", "contract", "training"):
        lab.run_cell(place(OWN_GAME, cell))
    assert lab.cell_errors() == []
    trained()
    assert lab.evaluate("len(panel.log)") == 2


def test_every_age_of_a_net_is_played_against_and_questioned(lab: Lab) -> None:
    run_whole(lab, ALPHAZERO)
    panel = output_of(lab, ALPHAZERO, "play").locator(".mctslab-panel")
    menu = panel.get_by_label("Who plays White")
    moves = panel.get_by_role("region", name="Moves").locator(".notation")
    expect(menu).to_be_visible()
    ages = [label for label in menu.locator("option").all_inner_texts() if ": net " in label]
    assert len(ages) >= 2
    for number, square in enumerate(("E5", "A1", "I9")):
        if number:
            menu.select_option(label=ages[number % len(ages)])
        panel.get_by_role("gridcell", name=f"{square},").click()
        expect(moves).to_have_count(2 * number + 2, timeout=ANSWER_MILLISECONDS)
    expect(panel.locator(".headline")).to_have_text("Your turn: Black")

    panel = output_of(lab, ALPHAZERO, "net-panel").locator(".mctslab-nets")
    nets = panel.locator(".net")
    assert nets.count() == lab.evaluate("len(AGES)") >= 2
    expect(panel.locator(".headline")).to_have_text("Black to move")
    before = nets.last.locator(".worth").inner_text()
    nets.first.get_by_role("gridcell", name="G3,").click()
    expect(panel.locator(".headline")).to_have_text("White to move")
    expect(nets.last.locator(".worth")).not_to_have_text(before)
    expect(nets.last.locator("[data-heat]").first).to_be_attached()
