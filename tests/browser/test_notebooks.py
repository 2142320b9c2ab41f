"""The notebooks as a reader meets them: opened in JupyterLab, run, looked at, played on."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from mctslab.course.notebooks import with_solutions
from tests.browser.lab import Lab
from tests.notebooks.reading import NOTEBOOKS, exercises_of, outcomes, read

START_HERE, GAMES_AND_TREES = NOTEBOOKS[:2]
ANSWER_MILLISECONDS = 30_000
"""For a player that thinks two seconds, on a machine that is busy."""


def place(path: Path, cell: str) -> int:
    """Which cell of the notebook has that name."""
    return [each.id for each in read(path).cells].index(cell)


def open_and_run(lab: Lab, path: Path, *cells: str) -> Locator:
    """Open a notebook and run these cells; the output of the last one, scrolled into view."""
    lab.open_notebook(path)
    return run(lab, path, *cells)


def run(lab: Lab, path: Path, *cells: str) -> Locator:
    """Run these cells of the open notebook; the output of the last one, scrolled into view."""
    for cell in cells:
        lab.run_cell(place(path, cell))
    assert lab.cell_errors() == []
    last = place(path, cells[-1])
    lab.run_script(
        "async ({last}) => jupyterapp.shell.currentWidget.content.scrollToItem(last, 'start')",
        {"last": last},
    )
    return lab.page.locator(f'.jp-Cell[data-windowed-list-index="{last}"] .jp-OutputArea')


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(lab: Lab, path: Path) -> None:
    """With every exercise solved; before the nets also where PyTorch is not installed."""
    lab.open_notebook(path, with_solutions(read(path)))
    lab.evaluate("__import__('os').environ.update(MCTSLAB_QUICK='1')")
    needs_torch = int(path.stem[:2]) >= 12
    if not needs_torch:
        lab.evaluate("__import__('sys').modules.update(torch=None)")
    lab.run_all(seconds=300)
    assert outcomes(lab.shown_text()) == dict.fromkeys(exercises_of(path), "right")
    assert needs_torch or not lab.evaluate("'mctslab.net' in __import__('sys').modules")


def test_each_board_of_the_first_notebook_is_played_on_and_its_tree_is_drawn(lab: Lab) -> None:
    panel = open_and_run(lab, START_HERE, "budgets", "reversi-panel").locator(".mctslab-panel")
    panel.get_by_label("Who plays White").select_option("uct:2s:roxanne")
    panel.get_by_role("gridcell", name="d3").click()
    moves = panel.get_by_role("region", name="Moves")
    expect(moves).to_contain_text("d3")
    expect(panel.locator(".headline")).to_contain_text("Your turn", timeout=ANSWER_MILLISECONDS)
    panel.get_by_role("button", name="Tree").click()
    expect(panel.locator("g.node").first).to_be_visible(timeout=ANSWER_MILLISECONDS)

    for game in ("gomoku", "connect-four"):
        panel = run(lab, START_HERE, f"{game}-panel").locator(".mctslab-panel")
        if game == "gomoku":
            panel.get_by_role("gridcell", name="H8").click()
        else:
            panel.get_by_role("button", name="Start").click()
        moves = panel.get_by_role("region", name="Moves").locator("tbody td")
        expect(moves.nth(1)).not_to_be_empty(timeout=ANSWER_MILLISECONDS)

    tree = run(lab, START_HERE, "search-tree").locator("svg[role=img]").first
    expect(tree).to_be_visible()
    told = tree.locator("g.node").filter(has_text="c3").filter(has_text="White wins")
    expect(told).to_have_count(1)


def test_the_small_game_tree_is_drawn_with_a_board_at_each_node(lab: Lab) -> None:
    cells = ("budgets", "first-state", "late-state", "late-tree")
    tree = open_and_run(lab, GAMES_AND_TREES, *cells).locator("svg[role=img]").first

    expect(tree).to_be_visible()
    expect(tree.locator("g.node")).to_have_count(11)
    expect(tree.locator("svg[aria-label=Position]")).to_have_count(11)


def test_the_map_knows_what_was_solved_and_leads_there(lab: Lab, tmp_path: Path) -> None:
    for path in NOTEBOOKS:
        shutil.copy(path, lab.server.root)
    own_progress = f"__import__('os').environ.update(MCTSLAB_HOME={str(tmp_path)!r})"
    lab.open_notebook(GAMES_AND_TREES)
    lab.evaluate(own_progress)
    lab.run_cell(place(GAMES_AND_TREES, "budgets"))
    exercise = "exercises.line_up_returns"
    assert lab.evaluate(f"{exercise}.check({exercise}.model_answer).outcome") == "right"

    lab.open_notebook(START_HERE)
    lab.evaluate(own_progress)
    lab.run_cell(place(START_HERE, "map"))
    way = lab.page.get_by_role("navigation", name="The course, and your progress in it")
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("1 of 2 solved")
    way.get_by_role("link", name="01 Games and trees").click()
    expect(lab.page.get_by_role("tab", name=GAMES_AND_TREES.name)).to_be_visible()


OWN_GAME = next(path for path in NOTEBOOKS if path.stem == "15_your_own_game")


def test_a_game_written_on_the_page_is_trained_and_found_again_after_a_restart(lab: Lab) -> None:
    def trained(*cells: str) -> None:
        lab.evaluate("__import__('os').environ.update(MCTSLAB_QUICK='1')")
        output = run(lab, OWN_GAME, "imports", *cells, "contract", "training")
        expect(output.get_by_text("A net learns Hex", exact=True)).to_be_visible()
        done = output.get_by_text("All 2 iterations are done", exact=True)
        expect(done).to_be_visible(timeout=4 * ANSWER_MILLISECONDS)

    lab.open_notebook(OWN_GAME)
    trained("hex-position", "hex-moves", "hex-end", "hex-board", "hex-ints")
    assert lab.evaluate("fast.why_not(Hex())") == ""
    lab.restart_kernel()
    trained()
    assert lab.evaluate("len(panel.log)") == 2


ALPHAZERO = next((path for path in NOTEBOOKS if path.stem == "14_alphazero_gomoku"), NOTEBOOKS[-1])


def test_every_age_of_a_net_is_played_against_and_questioned(lab: Lab) -> None:
    output = open_and_run(lab, ALPHAZERO, "budgets", "family", "position", "play")
    panel = output.locator(".mctslab-panel")
    menu = panel.get_by_label("Who plays White")
    moves = panel.get_by_role("region", name="Moves").locator(".notation")
    ages = [label for label in menu.locator("option").all_inner_texts() if ": net " in label]
    assert len(ages) >= 2
    panel.get_by_role("gridcell", name="E5,").click()
    expect(moves).to_have_count(2, timeout=ANSWER_MILLISECONDS)
    for number, square in enumerate(("A1", "I9"), start=2):
        menu.select_option(label=ages[number % len(ages)])
        panel.get_by_role("gridcell", name=f"{square},").click()
        expect(moves).to_have_count(2 * number, timeout=ANSWER_MILLISECONDS)
    expect(panel.locator(".headline")).to_have_text("Your turn: Black")

    panel = run(lab, ALPHAZERO, "net-panel").locator(".mctslab-nets")
    nets = panel.locator(".net")
    assert nets.count() == lab.evaluate("len(AGES)") >= 2
    expect(panel.locator(".headline")).to_have_text("White to move")
    before = nets.last.locator(".worth").inner_text()
    nets.first.get_by_role("gridcell", name="B5,").click()
    expect(panel.locator(".headline")).to_have_text("Black to move")
    expect(nets.last.locator(".worth")).not_to_have_text(before)
    expect(nets.last.locator("[data-heat]").first).to_be_attached()
