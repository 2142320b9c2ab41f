"""The first notebook as a reader meets it: opened in JupyterLab, run, looked at, played on.

That every notebook runs, and that its widgets appear on a page, is tested in tests/notebooks.
"""

import shutil
from pathlib import Path

from playwright.sync_api import Locator, expect

from mctslab.course.notebooks import with_solutions
from tests.browser.lab import Lab
from tests.notebooks.reading import NOTEBOOKS, read

START_HERE, GAMES_AND_TREES = (
    next(path for path in NOTEBOOKS if path.stem == name)
    for name in ("00_start_here", "01_games_and_trees")
)
ANSWER_MILLISECONDS = 30_000
"""For a player that thinks two seconds, on a machine that is busy."""

WHERE = """() => {
    const cells = [...document.querySelectorAll('.jp-Notebook-cell')];
    const place = document.querySelector('.jp-WindowedPanel-outer').scrollTop;
    return [place, cells.findIndex(cell => cell.classList.contains('jp-mod-active'))];
}"""
"""How far the notebook is scrolled, and which cell is the active one."""


def place(cell: str) -> int:
    """Which cell of the notebook has that name."""
    return [each.id for each in read(START_HERE).cells].index(cell)


def output_of(lab: Lab, cell: str) -> Locator:
    """The output of a cell of the open notebook, scrolled into view."""
    return lab.scroll_to(place(cell))


def test_the_first_notebook_is_played_on_and_its_map_leads_on(lab: Lab, tmp_path: Path) -> None:
    shutil.copy(GAMES_AND_TREES, lab.server.root)
    lab.open(START_HERE, with_solutions(read(START_HERE)))
    lab.set_environment(MCTSLAB_QUICK="1", MCTSLAB_HOME=str(tmp_path))
    lab.run_all(seconds=300)
    assert lab.page.evaluate(WHERE) == [0, 0], "a whole run leaves the reader at the top"
    panel = output_of(lab, "reversi-panel").locator(".mctslab-panel")
    panel.get_by_label("Who plays White").select_option("uct:2s:roxanne")
    panel.get_by_role("gridcell", name="d3").click()
    expect(panel.get_by_role("region", name="Moves")).to_contain_text("d3")
    expect(panel.locator(".headline")).to_contain_text("Your turn", timeout=ANSWER_MILLISECONDS)
    panel.get_by_role("button", name="Tree").click()
    expect(panel.locator("g.node").first).to_be_visible(timeout=ANSWER_MILLISECONDS)

    for game in ("gomoku", "connect-four"):
        panel = output_of(lab, f"{game}-panel").locator(".mctslab-panel")
        if game == "gomoku":
            panel.get_by_role("gridcell", name="H8").click()
        else:
            panel.get_by_role("button", name="Start").click()
        moves = panel.get_by_role("region", name="Moves").locator("tbody td")
        expect(moves.nth(0)).not_to_be_empty(timeout=ANSWER_MILLISECONDS)

    tree = output_of(lab, "search-tree").locator("svg[role=img]").first
    told = tree.locator("g.node").filter(has_text="c3").filter(has_text="White wins")
    expect(told).to_have_count(1)

    way = output_of(lab, "map").get_by_role("navigation")
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("0 of 5 solved")
    exercise = "__import__('mctslab.course.exercises').course.exercises.line_up_returns"
    assert lab.evaluate(f"{exercise}.check({exercise}.model_answer).outcome") == "right"
    lab.run_cell(place("map"))
    scrolled, active = lab.page.evaluate(WHERE)
    assert (scrolled > 0, active) == (True, place("map")), "one cell leaves the reader at it"
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("1 of 5 solved")
    way.get_by_role("link", name="01 Games and trees").click()
    expect(lab.page.get_by_role("tab", name=GAMES_AND_TREES.name)).to_be_visible()
