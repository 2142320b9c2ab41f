"""The sliders over a search on a page: dragged, worked by keys, and the scores as bars."""

from playwright.sync_api import expect

from tests.browser.bridge import Bridge
from tests.browser.cells import TOP
from tests.browser.panel import box_of, is_within

FASTER_THAN_THE_KERNEL = """(slider, places) => {
    for (const place of places) {
        slider.value = place;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
}"""


def test_the_search_follows_the_sliders_and_its_scores_are_bars(bridge: Bridge) -> None:
    root = bridge.show("SearchSliders")
    tree, sentence = root.locator(".top-of-tree > svg"), root.locator(".sentence")
    before = tree.inner_html()
    slider = root.get_by_role("slider", name="c, exploration constant")
    slider.evaluate(FASTER_THAN_THE_KERNEL, [10, 40, 80])
    bridge.wait_until(lambda: tree.inner_html() != before)
    bridge.wait_until(lambda: bridge.evaluate("_.settings['c']") == 4)
    expect(root.locator("[data-slider=c] .setting")).to_have_text("4")
    most = bridge.evaluate("max(child.visit_count for child in _.result.children)")
    expect(sentence).to_contain_text(f"has {most} of 60 visits")
    pane = root.locator(".top-of-tree")
    for width in (520, 480):
        bridge.resize(width, 1_000)
        bridge.wait_until(lambda: is_within(pane.locator("g.node").first, pane))

    urgency, setting = (root.locator(f"[data-slider=fpu] {each}") for each in ("input", ".setting"))
    urgency.press("End")
    expect(setting).to_have_text("the parent's Q")
    expect(urgency).to_have_attribute("aria-valuetext", "the parent's Q")
    before = sentence.inner_text()
    urgency.press("Home")
    expect(sentence).not_to_have_text(before)
    expect(setting).to_have_text("−1")

    # Simulation by simulation.
    slider = root.get_by_role("slider", name="simulations")
    slider.press("Home")
    for number in (2, 3, 4):
        expect(sentence).to_contain_text(f"of {number} visits")
        expect(slider).to_have_attribute("aria-valuetext", str(number))
        slider.press("ArrowRight")
    slider.press("End")
    expect(sentence).to_contain_text("of 60 visits")

    # The scores as bars.
    expect(root.locator(".is-chosen")).to_have_count(1)
    expect(root.locator(".is-chosen th")).to_contain_text(", next")
    zero = box_of(root.locator(".bars b").first)["x"]
    scale = 0.0
    for place, row in enumerate(bridge.evaluate("_.table['rows']")):
        value, bonus = row["score"]
        value_bar, bonus_bar = (
            box_of(root.locator(f".bars .part-{part}").nth(place)) for part in (0, 1)
        )
        scale = scale or bonus_bar["width"] / bonus
        assert abs(bonus_bar["width"] - scale * bonus) < 1
        assert abs(value_bar["width"] - scale * abs(value)) < 1
        assert abs(min(zero, zero + scale * value) - value_bar["x"]) < 2
        assert abs(zero + scale * value - bonus_bar["x"]) < 2

    # Zero is on the axis also where no move has a value below it.
    root = bridge.show(f"{TOP}widgets.SearchSliders(ttt, num_simulations=60)")
    assert min(row["score"][0] for row in bridge.evaluate("_.table['rows']")) > 0
    assert is_within(root.locator(".bars b").first, root.locator("td .bars").first)
