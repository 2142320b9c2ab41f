"""What several widgets have in common, tested with each of them: players and trees."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.examples import EXAMPLES
from tests.browser.modules import exports_of
from tests.browser.panel import COVERED, shows, tab_to

# A player: positions that buttons, keys, a slider and time move along

PLAYERS = {"Event": "PhaseStepper", "Step": "AlphaBetaStepper", "Iteration": "LearningBoard"}
WAYS = {
    "Home": ("To the beginning (Home)", lambda at, last: 0),
    "End": ("To the end (End)", lambda at, last: last),
    "ArrowRight": ("Forward (→)", lambda at, last: min(at + 1, last)),
    "ArrowLeft": ("Back (←)", lambda at, last: max(at - 1, 0)),
}
WALK = ("Home", "ArrowLeft", *3 * ["ArrowRight"], "ArrowLeft", "End", "ArrowRight", "Home")


@pytest.mark.parametrize("label", PLAYERS)
def test_a_player_is_moved_by_buttons_keys_slider_and_time(bridge, label):
    root, keys = bridge.show(EXAMPLES[PLAYERS[label]]()), bridge.page.keyboard
    slider = root.get_by_role("slider", name=label, exact=True)
    play, pause = (root.get_by_role("button", name=name) for name in ("Play (space)", "Pause"))
    at, last = int(slider.input_value()), int(slider.get_attribute("max") or 0)
    for by_key, key in product((False, True), WALK):
        name, leads_to = WAYS[key]
        if by_key:
            keys.press(key)
        else:
            root.get_by_role("button", name=name, exact=True).click()
        at = leads_to(at, last)
        expect(slider).to_have_value(str(at))
    for key in ("Control+ArrowRight", "ArrowRight"):  # the first one is no key of the widget
        keys.press(key)
    expect(slider).to_have_value("1")
    slider.fill("3")
    expect(slider).to_have_value("3")
    said = slider.get_attribute("aria-valuetext") or ""
    # The space bar presses the button that has the focus, and is no key of the widget as well.
    root.get_by_role("button", name="Back (←)", exact=True).press(" ")
    expect(slider).to_have_value("2")
    expect(play).to_be_visible()
    play.press(" ")
    expect(pause).to_be_visible()
    keys.press("Home")
    expect(play).to_be_visible()
    expect(slider).to_have_value("0")
    expect(slider).not_to_have_attribute("aria-valuetext", said)
    slider.fill(str(last))
    play.click()  # from the end it begins again
    expect(pause).to_be_visible()
    expect(slider).not_to_have_value(str(last))
    keys.press(" ")
    slider.fill(str(last - 1))
    play.click()
    expect(slider).to_have_value(str(last))
    expect(play).to_be_visible()


# A tree

HAVE_CARDS = ("PhaseStepper", "TreeExplorer")
"""The trees that show a card beside a node."""


def tree_of(bridge, name):
    """The tree of a widget, as it is in the end."""
    root = bridge.show(EXAMPLES[name]())
    if (to_the_end := root.get_by_role("button", name="To the end")).count():
        to_the_end.click()
        slider = root.locator(".timeline .slider")
        expect(slider).to_have_value(slider.get_attribute("max") or "")
    tree = root.locator(".tree-pane")
    expect(tree.locator("[role=treeitem][tabindex='0']")).to_have_count(1)
    return tree


def second_ply(tree):
    return tree.locator("[role=treeitem][aria-level='2']")


@pytest.mark.parametrize("name", [*HAVE_CARDS, "AlphaBetaStepper", "MinimaxByHand"])
def test_a_tree_is_walked_by_keys_each_node_says_where_it_is_and_its_card_covers_no_sibling(
    bridge, name
):
    tree, keys = tree_of(bridge, name), bridge.page.keyboard
    info, nodes = tree.locator(".info"), second_ply(tree)
    siblings, num_cards = nodes.count(), int(name in HAVE_CARDS)
    places = [each.get_attribute("aria-posinset") for each in nodes.all()]
    assert places == [str(place + 1) for place in range(siblings)]
    tab_to(tree.get_by_role("treeitem").first, key="Shift+Tab")
    for key, level, place in (
        *((None, 1, 1), ("Down", 2, 1), ("Right", 2, 2), ("Left", 2, 1), ("Left", 2, 1)),
        *(("Up", 1, 1), ("Right", 1, 1), ("Down", 2, 1)),
    ):
        if key:
            keys.press(f"Arrow{key}")
        one_of = f"[aria-posinset='{place}'][aria-setsize='{siblings if level == 2 else 1}']"
        shows(tree, {f":focus[tabindex='0'][aria-level='{level}']{one_of}": 1, ".info": num_cards})
    for key, number in (("Escape", 0), ("ArrowRight", num_cards), ("Tab", 0)):
        keys.press(key)
        expect(info).to_have_count(number)
    tab_to(nodes.nth(1), key="Shift+Tab")  # where the reader was before
    for node in (nodes.first, nodes.last) if num_cards else ():
        node.hover()
        move = str(node.get_attribute("aria-label")).split(",")[0]
        shows(tree, {".info": re.compile(f"{move}.*N .*Q ")})
        expect(info.locator(".stone").first).to_be_visible()
        assert tree.evaluate(COVERED, ".info, [aria-level='2']")[1] == 0
    bridge.page.mouse.move(2, 2)
    expect(info).to_have_count(0)


# The whole page

common = exports_of("common.js")
TWO_NOTEBOOKS = """() => {
    const running = '<div class="jp-InputPrompt">[*]:</div>';
    const cells = `<div class="jp-Notebook-cell">${running}</div>`.repeat(2)
        + `<div class="jp-Notebook-cell jp-mod-active" style="height: 900px">${running}</div>`;
    const outer = 'class="jp-WindowedPanel-outer" style="height: 90px; overflow: auto"';
    document.body.innerHTML = ["a/one.ipynb", "one.ipynb"].map((path, number) => `
        <li class="lm-TabBar-tab" data-id="id-${number}" title="Name: one.ipynb\nPath: ${path}\n">
        </li>
        <div id="id-${number}"><div class="jp-Notebook"><div ${outer}>${cells}</div></div></div>
    `).join("");
    const panes = [...document.querySelectorAll(".jp-WindowedPanel-outer")];
    for (const pane of panes) pane.scrollTop = 500;
    const widget_manager = { context: { path: "one.ipynb" } };
    initialize({ model: { widget_manager, send: () => {} } });
    return panes.map((pane) => pane.scrollTop);
}"""
"""Shows two notebooks as JupyterLab does, each run as a whole; then a widget begins in the second.
Returns how far each is scrolled."""


def test_a_widget_leaves_other_notebooks_where_they_are(common):
    assert common.evaluate(TWO_NOTEBOOKS) == [500, 0]
