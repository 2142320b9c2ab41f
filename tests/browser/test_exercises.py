"""An exercise as a student meets it: attempted wrong, hinted, then right, and on the map."""

import pytest
from playwright.sync_api import expect

from mctslab.course import exercises
from mctslab.course.keeping import progress
from tests.browser.axe import faults
from tests.browser.lab import Lab
from tests.course.small_course import selection, start, write

WRONG = """def ucb1(win_rate, visit_count, parent_visit_count, c):
    if visit_count == 0:
        return math.inf
    return win_rate + c * math.sqrt(parent_visit_count / visit_count)


exercises.ucb1.check(ucb1)"""
RIGHT = f"{exercises.ucb1.solution_source}\n\n\nexercises.ucb1.check(ucb1)"

BROKEN_WORDS = """async cells => {
    const broken = [], all = document.querySelectorAll('.jp-Cell');
    for (const cell of cells) {
        const area = all[cell].querySelector('.jp-OutputArea');
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


def write_cell(lab: Lab, index: int, source: str) -> None:
    lab.run_script(
        """async ({index, source}) => {
            const {content} = jupyterapp.shell.currentWidget;
            content.widgets[index].model.sharedModel.setSource(source);
        }""",
        {"index": index, "source": source},
    )


def test_an_exercise_is_attempted_wrong_then_right_and_the_map_knows(
    lab: Lab, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write(lab.server.root, **{"00_start_here": start(), "03_selection": selection()})
    lab.open_cells(
        "import math\nfrom mctslab.course import exercises, progress_map, mine",
        f"{exercises.ucb1.stub}\n\n\nexercises.ucb1.check(ucb1)",
        "exercises.ucb1.hint(2)",
        "exercises.ucb1.solution()",
        "progress_map()",
        "for name in ('ucb1', 'select', 'symmetries'): mine(name)",
        "from mctslab.course.result import Outcome, Result\n"
        "Result('ucb1', Outcome.WRONG, 'Hm.', [('Got', 'immediately ' * 99 + chr(10))])",
    )
    lab.set_environment(**{progress.HOME_VARIABLE: str(tmp_path_factory.mktemp("progress"))})
    lab.run_all()
    box, course = lab.output(1).get_by_role("status"), lab.output(4).get_by_role("navigation")
    expect(box).to_contain_text("not attempted")
    expect(course).to_contain_text("0 of 2 solved")
    expect(course.locator("[aria-current=step]")).to_contain_text("Selection")
    expect(course.get_by_role("img", name="open")).to_have_count(2)
    expect(lab.output(2)).to_contain_text("Hint 2 of 3")
    expect(lab.output(2).locator("code").first).to_be_visible()
    expect(lab.output(3).locator(".cm-editor, pre")).to_contain_text("def ucb1(")

    write_cell(lab, 1, WRONG)
    lab.run_cell(1)
    expect(box).to_contain_text("another logarithm, or none")
    expect(box.get_by_role("row")).to_have_count(3)
    for theme in ("dark", "light"):
        lab.use_theme(theme)
        for cell in (1, 4):
            part = f"document.querySelectorAll('.jp-Cell')[{cell}].querySelector('.jp-OutputArea')"
            assert faults(lab.page, part) == [], theme
    for width in range(800, 900, 7):
        lab.page.set_viewport_size({"width": width, "height": 1000})
        assert lab.run_script(BROKEN_WORDS, [5, 6]) == [], width

    write_cell(lab, 1, RIGHT)
    lab.run_cell(1)
    expect(box).to_contain_text("right")
    lab.run_cell(4)
    expect(course).to_contain_text("1 of 2 solved")
    expect(course).to_contain_text("exercise select")
