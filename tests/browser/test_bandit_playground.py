"""The bandit playground in JupyterLab: dragged, by mouse and by keys."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

SETUP = """\
from mctslab.widgets import BanditPlayground
playground = BanditPlayground(num_pulls=300, num_runs=200)
playground"""


@pytest.fixture
def playground(lab: Lab) -> Locator:
    lab.open_cells(SETUP)
    lab.run_all()
    found = lab.output(0).locator(".mctslab-bandit")
    at_rest(found)
    return found


def at_rest(playground: Locator) -> None:
    """Wait until every curve has all its runs."""
    expect(playground.locator(".note")).to_contain_text("mean of 200 runs.", timeout=30_000)


def curve(playground: Locator) -> str:
    path = playground.locator(".chart path.line.ucb1").get_attribute("d")
    assert path is not None
    return path


def missed(playground: Locator, strategy: str) -> float:
    text = playground.locator(f"tr[data-strategy={strategy}] td").first.inner_text()
    return float(text.partition(" ")[0])


def test_the_curve_follows_the_slider_while_it_is_dragged(lab: Lab, playground: Locator) -> None:
    slider = playground.get_by_label("Exploration constant c of UCB1")
    box = slider.bounding_box()
    assert box is not None
    height = box["y"] + box["height"] / 2
    seen = {curve(playground)}

    lab.page.mouse.move(box["x"] + 1.41 / 3 * box["width"], height)
    lab.page.mouse.down()
    for share in (0.4, 0.3, 0.2, 0.1):
        lab.page.mouse.move(box["x"] + share * box["width"], height)
        lab.wait_until(lambda: curve(playground) not in seen)
        seen.add(curve(playground))
    assert lab.evaluate("playground.c") == pytest.approx(1.414, abs=0.001), "not let go yet"
    lab.page.mouse.up()

    at_rest(playground)
    shown = float(re.findall(r"c = (\d\.\d\d)", playground.inner_text())[0])
    assert 0.2 < shown < 0.4
    lab.wait_until(lambda: abs(lab.evaluate("playground.c") - shown) < 0.005)


def test_everything_can_be_done_by_keys(lab: Lab, playground: Locator) -> None:
    playground.get_by_label("Exploration constant c of UCB1").focus()
    lab.page.keyboard.press("Home")
    expect(playground.locator(".strategies")).to_contain_text("UCB1, c = 0.00")
    at_rest(playground)
    playground.get_by_label("Pulls", exact=True).focus()
    lab.page.keyboard.press("End")
    expect(playground).to_contain_text("after 300 of 300 pulls")
    # Without a bonus it is greedy, and has the same luck.
    assert missed(playground, "ucb1") == missed(playground, "greedy")

    lab.page.keyboard.press("Home")
    lab.page.keyboard.press("ArrowRight")
    expect(playground).to_contain_text("after 2 of 300 pulls")
    playground.get_by_label("True win rate of arm C").focus()
    lab.page.keyboard.press("End")
    lab.wait_until(lambda: lab.evaluate("playground.win_rates") == [0.3, 0.5, 1.0])
    playground.get_by_label("logarithmic axis").focus()
    lab.page.keyboard.press(" ")
    expect(playground.locator(".chart")).to_contain_text("pulls (logarithmic)")
    assert lab.page.locator(".jp-Cell").count() == 1, "no key went to the notebook"


def test_the_chart_is_pointed_at_and_the_arms_are_shown(lab: Lab, playground: Locator) -> None:
    chart = playground.locator(".chart")
    box = chart.bounding_box()
    assert box is not None
    lab.page.mouse.move(box["x"] + box["width"] - 24, box["y"] + 100)

    expect(playground).to_contain_text("after 300 of 300 pulls")
    arms = playground.locator(".arms tbody tr")
    pulls = [int(arms.nth(row).locator("td").nth(2).inner_text()) for row in range(3)]
    assert sum(pulls) == 300
    chosen = playground.locator(".arms tr[aria-current=true] th").inner_text()
    assert f"it pulls {chosen} next" in playground.inner_text()


def test_a_strategy_can_be_left_out_and_luck_renewed(lab: Lab, playground: Locator) -> None:
    playground.get_by_role("checkbox", name="Thompson sampling").uncheck()
    expect(playground.locator(".chart path.line.thompson")).to_have_count(0)
    before = curve(playground)

    playground.get_by_role("button", name="New luck").click()
    lab.wait_until(lambda: curve(playground) != before)
    lab.wait_until(lambda: lab.evaluate("playground.seed") == 2)


def test_python_moves_the_sliders_too(lab: Lab, playground: Locator) -> None:
    lab.evaluate("setattr(playground, 'c', 2.5)")

    expect(playground.locator(".settings")).to_contain_text("c = 2.50")
    expect(playground.locator(".strategies")).to_contain_text("UCB1, c = 2.50")
