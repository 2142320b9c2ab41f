"""The sliders over a search on a page: dragged, worked by keys, and the scores as bars."""

import pytest
from playwright.sync_api import expect

from tests.browser.examples import EXAMPLES
from tests.browser.panel import box_of, is_within, shows

FASTER_THAN_THE_KERNEL = """(slider, places) => {
    for (const place of places) {
        slider.value = place;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
}"""


def test_the_search_follows_the_sliders_and_its_scores_are_bars(bridge):
    root = bridge.show(sliders := EXAMPLES["SearchSliders"]())
    tree, sentence = root.locator(".top-of-tree > svg"), root.locator(".sentence")
    before = tree.inner_html()
    slider = root.get_by_role("slider", name="c, exploration constant")
    slider.evaluate(FASTER_THAN_THE_KERNEL, [10, 40, 80])
    bridge.wait_until(lambda: tree.inner_html() != before)
    bridge.wait_until(lambda: sliders._settings["c"] == 4)
    most = max(child.visit_count for child in sliders._result.children)
    shows(root, {"[data-slider=c] .setting": "4", ".sentence": f"has {most} of 60 visits"})
    pane = root.locator(".top-of-tree")
    for width in (520, 480):
        bridge.resize(width, 1_000)
        bridge.wait_until(lambda: is_within(pane.locator("g.node").first, pane))

    urgency = root.locator("[data-slider=fpu] input")
    urgency.press("End")
    shows(root, {"[data-slider=fpu] .setting": "the parent's Q"})
    expect(urgency).to_have_attribute("aria-valuetext", "the parent's Q")
    before = sentence.inner_text()
    urgency.press("Home")
    expect(sentence).not_to_have_text(before)
    shows(root, {"[data-slider=fpu] .setting": "−1"})

    # Simulation by simulation.
    slider = root.get_by_role("slider", name="simulations")
    slider.press("Home")
    for number in (2, 3, 4):
        shows(
            root,
            {
                ".sentence": f"of {number} visits",
                f".slider[aria-label=simulations][aria-valuetext='{number}']": 1,
            },
        )
        slider.press("ArrowRight")
    slider.press("End")
    # The scores as bars, whose lengths are in proportion.
    shows(root, {".sentence": "of 60 visits", ".is-chosen": 1, ".is-chosen th": ", next"})
    scores = [abs(part) for row in sliders.table["rows"] for part in row["score"]]
    bars = root.locator(".bars .part-0, .bars .part-1").all()
    widths = [box_of(bar)["width"] for bar in bars]
    scale = max(widths) / max(scores)
    assert widths == pytest.approx([scale * score for score in scores], abs=1)
