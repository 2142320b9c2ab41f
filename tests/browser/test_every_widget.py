"""What holds of every widget of the notebooks: it fits, it can be read, aimed at and tabbed to.

What each widget does by keys is in its own file of tests.
"""

from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

TOP: Final = """\
import numpy as np
from mctslab import course, games, search, widgets
ttt, rng = games.TicTacToe(), np.random.default_rng(1)
threats = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
gomoku = games.Gomoku(size=6, in_a_row=4)
"""
WIDGETS: Final = {
    "GamePanel": 'widgets.GamePanel("reversi", white="human")',
    "PhaseStepper": """\
trace = search.Trace()
search.mcts(ttt, num_simulations=20, rng=rng, trace=trace)
widgets.PhaseStepper(trace, simulation=12)""",
    "BanditPlayground": "widgets.BanditPlayground(num_pulls=100, num_runs=60)",
    "BanditGame": "widgets.BanditGame(num_pulls=5)",
    "TreeExplorer": "widgets.TreeExplorer(search.mcts(ttt, num_simulations=60, rng=rng))",
    "SelectionBars": """\
widgets.SelectionBars(gomoku, evaluator=threats, num_simulations=30, seed=1)""",
    "SearchSliders": "widgets.SearchSliders(gomoku, evaluator=threats, num_simulations=60)",
    "PredictionWidget": """\
truth = course.Truth("this", "It is this.", search.mcts(ttt, num_simulations=9, rng=rng).table())
course.predict.choice("every-widget", "Which one is it?", ["this", "that"], truth)""",
}

ILLEGIBLE: Final = """root => {
    const draw = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const over = (color, ground) => {
        draw.fillStyle = ground; draw.fillRect(0, 0, 1, 1);
        draw.fillStyle = color; draw.fillRect(0, 0, 1, 1);
        const [r, g, b] = draw.getImageData(0, 0, 1, 1).data;
        return `rgb(${r}, ${g}, ${b})`;
    };
    const luminance = color => {
        const [r, g, b] = color.match(/\\d+/g).map(Number).map(c => c / 255)
            .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    for (const element of root.querySelectorAll(':not(svg *)')) {
        const words = [...element.childNodes].filter(node => node.nodeType === 3)
            .map(node => node.textContent.trim()).join('');
        const isOff = element.closest(':disabled, [aria-hidden=true], option');
        if (!words || isOff || !element.checkVisibility({visibilityProperty: true})) continue;
        const above = [];
        for (let each = element; each; each = each.parentElement) above.unshift(each);
        let ground = 'rgb(255, 255, 255)';
        for (const each of above) ground = over(getComputedStyle(each).backgroundColor, ground);
        const text = over(getComputedStyle(element).color, ground);
        const [low, high] = [luminance(text), luminance(ground)].sort((a, b) => a - b);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < 4.5) found.push(`${words.slice(0, 40)}: ${contrast.toFixed(1)}`);
    }
    return found;
}"""
SMALL: Final = """root => [...root.querySelectorAll('button, select, input[type=checkbox]')]
    .filter(each => each.checkVisibility({visibilityProperty: true}))
    .map(each => each.closest('label') ?? each)
    .filter(each => Math.min(each.offsetWidth, each.offsetHeight) < 24)
    .map(each => each.outerHTML.slice(0, 120))"""
UNREACHED: Final = """root => [...root.querySelectorAll('button, select, input')]
    .filter(each => each.tabIndex < 0).map(each => each.outerHTML.slice(0, 120))"""


def open_widget(lab: Lab, name: str) -> Locator:
    lab.open_cells(TOP + WIDGETS[name])
    lab.run_all()
    root = lab.output(0).locator(".mctslab").first
    expect(root).to_be_visible()
    return root


@pytest.mark.parametrize("name", WIDGETS)
def test_it_fits_its_page_and_can_be_read_aimed_at_and_reached(lab: Lab, name: str) -> None:
    root = open_widget(lab, name)
    for width in (700, 900, 1_400, 1_900):
        lab.page.set_viewport_size({"width": width, "height": 1_000})
        assert root.evaluate("e => e.scrollWidth <= e.clientWidth"), width
        box = root.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= width, width
    assert root.evaluate(SMALL) == []
    assert root.evaluate(UNREACHED) == []
    for theme in ("light", "dark"):
        lab.use_theme(theme)
        assert root.evaluate(ILLEGIBLE) == [], theme


@pytest.mark.parametrize("name", WIDGETS)
def test_a_page_without_a_kernel_has_its_picture_or_its_sentence(lab: Lab, name: str) -> None:
    open_widget(lab, name)
    still = lab.output(0).locator(".mctslab-still")
    expect(still).to_be_hidden()
    lab.reload_without_widgets()
    expect(still).to_be_visible()
    expect(lab.output(0)).not_to_contain_text("model not found")
    if name == "PredictionWidget":
        still.locator("summary").click()
        expect(still.locator("table")).to_be_visible()
    elif name == "BanditGame":  # its picture comes with the last pull, as test_bandit_game.py shows
        expect(still).to_contain_text("Run this cell again to pull the arms.")
    else:
        picture = still.locator("img").first
        expect(picture).to_be_visible()
        assert picture.evaluate("async e => { await e.decode(); return e.naturalWidth; }") > 100


def test_what_the_note_says_after_a_restart_brings_the_widget_back(lab: Lab) -> None:
    lab.open_cells(TOP, WIDGETS["TreeExplorer"])
    lab.run_all()
    root = lab.output(1).locator(".mctslab")
    expect(root).to_be_visible()
    lab.restart_kernel()
    note = root.get_by_role("alert")
    expect(note).to_contain_text("Choose “Run All Above Selected Cell” in the menu “Run”")
    expect(note).to_contain_text("then run this cell again")

    root.click()
    lab.command("notebook:run-all-above")
    lab.run_cell(1)
    assert lab.cell_errors() == []
    expect(root).to_be_visible()
    expect(root.get_by_role("alert")).to_have_count(0)
