"""What only JupyterLab can show: a kernel that is busy, interrupted or restarted, a page that is
loaded again, an exercise, and the first notebook as a reader meets it.

That every notebook runs, and that its widgets appear on a page, is tested in tests/notebooks.
"""

import re
import shutil

from nbformat.v4 import new_code_cell
from playwright.sync_api import expect

from mctslab.course import exercises
from mctslab.course.notebooks import with_solutions
from tests.browser.axe import faults
from tests.browser.panel import PanelOnPage, box_of, shows
from tests.notebooks.reading import NOTEBOOKS, read

# Mishaps of a game

PANEL = """from mctslab.widgets import GamePanel
panel = GamePanel('connect_four', white='uct:1s')
panel"""
COMPUTING = "old, count = panel, 0\nwhile True:\n    count += 1"
"""A cell that never sleeps and never ends by itself."""


def test_a_game_survives_a_busy_kernel_an_interrupt_a_reload_but_no_restart(lab):
    lab.open_cells(PANEL, COMPUTING)
    lab.run_cell(0)
    panel = PanelOnPage(lab)
    prompt = lab.start_cell(1)
    panel.play("column 4, row 6")
    panel.expect_reply()
    shows(panel.root, {".found": "simulations"})
    expect(prompt).to_have_text("[*]:")
    lab.command("notebook:interrupt-kernel")
    expect(prompt).not_to_have_text("[*]:")
    # It is given its time; a search that the cell had put to sleep would take the whole limit.
    assert 1.0 <= lab.evaluate("panel.moves[1].seconds") < 10.0
    panel.root.locator("rect.open").first.click()
    shows(panel.root, {".headline": "is thinking"})
    lab.command("notebook:interrupt-kernel")
    panel.expect_reply(4)
    assert lab.evaluate("panel.game['said'].get('tone', 'plain')") == "plain"
    # Plain keys are commands on cells in JupyterLab ("dd" deletes one); here the board has them.
    square = panel.square("column 4, row 6")
    square.focus()
    for key in ("d", "d", "x", "b", "Escape"):
        lab.page.keyboard.press(key)
        expect(square).to_be_focused()
    moves = panel.moves.all_inner_texts()
    lab.command("docmanager:save")
    lab.page.reload()
    lab.wait_for_kernel()
    panel = PanelOnPage(lab)
    panel.expect_moves(*moves)
    lab.page.evaluate(WRITE, [0, PANEL.replace("1s", "50s")])
    lab.run_cell(0)
    assert lab.evaluate("globals().update(old=panel)") is None
    panel = PanelOnPage(lab)
    panel.root.locator("rect.open").first.click()
    shows(panel.root, {".headline": "is thinking"})
    lab.run_cell(0)  # ends the game before
    panel = PanelOnPage(lab)
    panel.expect_moves()
    assert lab.evaluate("old.wait(20)")
    restart = "jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
    lab.page.evaluate(f"async () => {{ await {restart}; }}")
    expect(panel.root.get_by_role("alert").first).to_contain_text("has lost its kernel")
    square = panel.square("column 4, row 6")
    square.press("Enter")
    panel.expect_moves()


# A prediction

PREDICTION = """from mctslab.course import Truth, predict
predict.number('lab', 'How many?', Truth(117 / 2, f'It is {117 / 2}.'), low=0, high=100)"""


def test_a_saved_notebook_and_its_page_know_no_answer_before_the_prediction(lab):
    lab.open_cells(PREDICTION)
    lab.run_cell(0)
    see = lab.output(0).get_by_role("button", name="I'd rather see it")
    expect(see).to_be_visible()
    lab.command("docmanager:save")
    assert "58.5" not in lab.page.content() + (lab.server.root / "test.ipynb").read_text("utf-8")
    see.click()
    shows(lab.output(0), {".sentence": "It is 58.5."})
    lab.command("docmanager:save")
    assert "58.5" in (lab.server.root / "test.ipynb").read_text("utf-8")


# The first notebook, and an exercise in it: attempted wrong, hinted, then right

RIGHT = f"{exercises.ucb1.solution_source}\n\n\nexercises.ucb1.check(ucb1)"
WRONG = RIGHT.replace("math.log(parent_visit_count)", "parent_visit_count")
EXERCISE = {
    "attempt": "import math\nfrom mctslab.course import exercises\n\n\n"
    f"{exercises.ucb1.stub}\n\n\nexercises.ucb1.check(ucb1)",
    "hint": "exercises.ucb1.hint(2)",
    "solution": "exercises.ucb1.solution()",
}
AREA = "[data-windowed-list-index='{}'] .jp-OutputArea"
WRITE = """async ([place, source]) => {
    const { widgets } = jupyterapp.shell.currentWidget.content;
    widgets[place].model.sharedModel.setSource(source);
}"""
START_HERE, GAMES_AND_TREES = (
    next(path for path in NOTEBOOKS if path.stem == name)
    for name in ("00_start_here", "01_games_and_trees")
)
INK = {"dark": "rgba(255, 255, 255, 0.87)", "light": "rgba(0, 0, 0, 0.87)"}
WHERE = """() => {
    const cells = [...document.querySelectorAll('.jp-Notebook-cell')];
    const place = document.querySelector('.jp-WindowedPanel-outer').scrollTop;
    return [place, cells.findIndex(cell => cell.classList.contains('jp-mod-active'))];
}"""
"""How far the notebook is scrolled, and which cell is the active one."""


def test_the_first_notebook_is_played_on_an_exercise_solved_and_its_map_leads_on(lab, tmp_path):
    shutil.copy(GAMES_AND_TREES, lab.server.root)
    notebook = with_solutions(read(START_HERE))
    notebook.cells += [new_code_cell(source, id=name) for name, source in EXERCISE.items()]
    place = {cell.id: number for number, cell in enumerate(notebook.cells)}

    def output(cell):
        return lab.output(place[cell])

    lab.open(START_HERE.name, notebook)
    environment = {"MCTSLAB_QUICK": "1", "MCTSLAB_HOME": str(tmp_path)}
    lab.evaluate(f"__import__('os').environ.update({environment})")
    lab.run_all()
    assert lab.page.evaluate(WHERE) == [0, 0], "a whole run leaves the reader at the top"
    tree = output("search-tree").locator("svg[role=img]").first
    assert box_of(tree)["width"] <= box_of(output("search-tree"))["width"]

    shows(output("attempt"), {"[role=status]": "not attempted"})
    shows(output("hint"), {":scope": "Hint 2 of 4", "code": re.compile(".")})
    shows(output("solution"), {".cm-editor, pre": "def ucb1("})
    lab.page.evaluate(WRITE, [place["attempt"], WRONG])
    lab.run_cell(place["attempt"])
    shows(
        output("attempt"), {"[role=status]": "the logarithm or the win rate", "[role=row], tr": 3}
    )
    for theme, ink in INK.items():
        lab.use_theme(theme)
        words = output("search-tree").locator("g.legend text").first
        expect(words).to_have_css("fill", ink)
        output("attempt")
        assert faults(lab.page, AREA.format(place["attempt"])) == [], theme
    lab.page.evaluate(WRITE, [place["attempt"], RIGHT])
    lab.run_cell(place["attempt"])
    shows(output("attempt"), {"[role=status]": "right"})

    way = output("map").get_by_role("navigation")
    assert faults(lab.page, "nav[aria-label^=The]") == []
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("0 of 5 solved")
    exercise = "__import__('mctslab.course.exercises').course.exercises.line_up_returns"
    solution = f"{exercise}.defined_by({exercise}.solution_source)"
    assert lab.evaluate(f"{exercise}.check({solution}).outcome") == "right"
    lab.run_cell(place["map"])
    scrolled, active = lab.page.evaluate(WHERE)
    assert (scrolled > 0, active) == (True, place["map"]), "one cell leaves the reader at it"
    expect(way.get_by_role("listitem").nth(1)).to_contain_text("1 of 5 solved")
    way.get_by_role("link", name="01 Games and trees").click()
    expect(lab.page.get_by_role("tab", name=GAMES_AND_TREES.name)).to_be_visible()
