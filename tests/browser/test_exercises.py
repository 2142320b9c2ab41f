"""An exercise as a student meets it: attempted wrong, hinted, then right, and on the map."""

import itertools
import shutil

import pytest
from playwright.sync_api import expect

from mctslab.course import exercises
from mctslab.course.keeping import progress
from tests.browser.lab import Lab
from tests.browser.panel import illegible
from tests.course.small_course import selection, start, write

WRONG = """def ucb1(win_rate, visit_count, parent_visit_count, c):
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(parent_visit_count / visit_count)


exercises.ucb1.check(ucb1)"""
RIGHT = f"{exercises.ucb1.solution_source}\n\n\nexercises.ucb1.check(ucb1)"
ENDLESS = """def ucb1(*given):
    while True:
        try:
            print("still here")
        except:
            pass


exercises.ucb1.check(ucb1)"""


def write_cell(lab: Lab, index: int, source: str) -> None:
    lab.run_script(
        """async ({index, source}) => {
            const {content} = jupyterapp.shell.currentWidget;
            content.widgets[index].model.sharedModel.setSource(source);
        }""",
        {"index": index, "source": source},
    )


@pytest.fixture
def fresh(lab: Lab) -> Lab:
    """The small course beside the open notebook, and no progress yet."""
    for old in (*lab.server.root.iterdir(), lab.server.root.parent / "progress"):
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)
    write(lab.server.root, **{"00_start_here": start(), "03_selection": selection()})
    lab.open_cells(
        "import math\nfrom mctslab.course import exercises, progress_map",
        f"{exercises.ucb1.stub}\n\n\nexercises.ucb1.check(ucb1)",
        "exercises.ucb1.hint(2)",
        "exercises.ucb1.solution()",
        "progress_map()",
    )
    lab.set_environment(**{progress.HOME_VARIABLE: str(lab.server.root.parent / "progress")})
    lab.run_all()
    return lab


def test_an_exercise_is_attempted_wrong_then_right_and_the_map_knows(fresh: Lab) -> None:
    box, course = fresh.output(1).get_by_role("status"), fresh.output(4).get_by_role("navigation")
    expect(box).to_contain_text("not attempted")
    expect(course).to_contain_text("0 of 2 solved")
    expect(course.locator("[aria-current=step]")).to_contain_text("Selection")
    expect(course.get_by_role("img", name="open")).to_have_count(2)

    write_cell(fresh, 1, WRONG)
    fresh.run_cell(1)
    expect(box).to_contain_text("wrong")
    expect(box).to_contain_text("Think of math.log()")
    expect(box.get_by_role("row")).to_have_count(3)
    for theme, output in itertools.product(("dark", "light"), (1, 4)):
        fresh.use_theme(theme)
        assert illegible(fresh.output(output), 3.9) == [], theme

    fresh.run_cell(2)
    expect(fresh.output(2)).to_contain_text("Hint 2 of 3")
    expect(fresh.output(2).locator("code").first).to_be_visible()
    expect(fresh.output(3).locator(".cm-editor, pre")).to_contain_text("def ucb1(")

    write_cell(fresh, 1, RIGHT)
    fresh.run_cell(1)
    expect(box).to_contain_text("right")
    fresh.run_cell(4)
    expect(course).to_contain_text("1 of 2 solved")
    expect(course).to_contain_text("exercise select")


def test_an_endless_loop_is_told_and_the_kernel_goes_on(fresh: Lab) -> None:
    write_cell(fresh, 1, ENDLESS)
    fresh.run_cell(1)

    box = fresh.output(1).get_by_role("status")
    expect(box).to_contain_text("still running after 2 seconds")
    expect(box).to_contain_text("still here")
    expect(fresh.output(1).locator("[data-mime-type*=stdout]")).to_have_count(0)
    assert fresh.evaluate("1 + 1") == 2


BROKEN_WORDS = """async () => {
    const broken = [];
    for (const area of document.querySelectorAll('.jp-OutputArea')) {
        const texts = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
        while (texts.nextNode())
            for (const word of texts.currentNode.data.matchAll(/\\w+/g)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map(rect => rect.top));
                if (lines.size > 1) broken.push(word[0]);
            }
    }
    return broken;
}"""


def test_no_word_is_broken_on_a_narrow_page(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 900, "height": 1000})
    lab.open_cells(
        "from mctslab import course\n"
        "for name in ('ucb1', 'select', 'symmetries'): course.mine(name)",
        "from mctslab.course.result import Outcome, Result\n"
        "Result('ucb1', Outcome.WRONG, 'Hm.', [('Got', 'immediately ' * 99 + chr(10))])",
    )
    lab.run_all()
    expect(lab.output(0)).to_contain_text("symmetries: the package's")
    expect(lab.output(1)).to_contain_text("immediately")
    for width in range(800, 900, 7):
        lab.page.set_viewport_size({"width": width, "height": 1000})
        assert lab.run_script(BROKEN_WORDS) == [], width
