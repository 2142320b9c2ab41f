"""The sliders over a search in real JupyterLab: dragged, worked by keys, read in both themes."""

from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.panel import COMPUTING, box_of, drag, is_within, middle_of

SETUP = """\
from mctslab import games, search
from mctslab.widgets import SearchSliders
evaluator = search.with_priors(search.rollout_evaluator(), search.gomoku_prior)
sliders = SearchSliders(games.Gomoku(size=6, in_a_row=4), evaluator=evaluator, num_simulations=60)
sliders"""


def test_the_search_follows_the_sliders_also_while_a_cell_runs(lab: Lab) -> None:
    lab.open_cells(SETUP, COMPUTING)
    lab.run_cell(0)
    root = lab.output(0).locator(".mctslab-sliders")
    tree = root.locator(".top-of-tree > svg")
    before = tree.inner_html()
    slider = root.get_by_role("slider", name="c, exploration constant")
    box, height = box_of(slider), middle_of(slider)[1]
    shares = (0.25, 0.4, 0.5, 0.6, 0.7, 0.8)  # faster than the kernel answers
    drag(lab.page, *((box["x"] + share * box["width"], height) for share in shares))
    lab.wait_until(lambda: tree.inner_html() != before)
    shown = float(root.locator("[data-slider=c] output").inner_text())
    assert 3.5 < shown < 4.5
    lab.wait_until(lambda: lab.evaluate("sliders.settings['c']") == shown)
    most = lab.evaluate("max(child.visit_count for child in sliders.result.children)")
    expect(root.locator(".sentence")).to_contain_text(f"has {most} of 60 visits")
    pane = root.locator(".top-of-tree")
    for width in (800, 700):
        lab.page.set_viewport_size({"width": width, "height": 1_000})
        lab.wait_until(lambda: pane.evaluate("e => e.scrollWidth > e.clientWidth + 100"))
        lab.wait_until(lambda: is_within(pane.locator("g.node").first, pane))

    lab.start_cell(1)
    urgency = root.get_by_role("slider", name="first-play urgency")
    urgency.focus()
    lab.page.keyboard.press("End")
    expect(root.locator("[data-slider=fpu] output")).to_have_text("the parent's Q")
    expect(urgency).to_have_attribute("aria-valuetext", "the parent's Q")
    before = root.locator(".sentence").inner_text()
    lab.page.keyboard.press("Home")
    expect(root.locator(".sentence")).not_to_have_text(before)
    expect(root.locator("[data-slider=fpu] output")).to_have_text("−1")
    lab.interrupt_kernel()
