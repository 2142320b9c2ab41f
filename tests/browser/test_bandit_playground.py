"""The bandit playground in JupyterLab: dragged, by mouse and by keys."""

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from mctslab.search import bandits
from tests.browser.lab import Lab
from tests.browser.modules import Module, module_of
from tests.browser.panel import box_of, middle_of

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
    box, height = box_of(slider), middle_of(slider)[1]
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
    lab.evaluate("setattr(playground, 'c', 2.5)")
    expect(playground.locator(".settings")).to_contain_text("c = 2.50")
    expect(playground.locator(".strategies")).to_contain_text("UCB1, c = 2.50")


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


def test_the_chart_is_pointed_at_and_luck_is_renewed(lab: Lab, playground: Locator) -> None:
    box = box_of(playground.locator(".chart"))
    lab.page.mouse.move(box["x"] + box["width"] - 24, box["y"] + 100)
    expect(playground).to_contain_text("after 300 of 300 pulls")
    pulls = playground.locator(".arms tbody td:nth-of-type(3)").all_inner_texts()
    assert sum(map(int, pulls)) == 300
    chosen = playground.locator(".arms tr[aria-current=true] th").inner_text()
    assert f"it pulls {chosen} next" in playground.inner_text()
    playground.get_by_role("checkbox", name="Thompson sampling").uncheck()
    expect(playground.locator(".chart path.line.thompson")).to_have_count(0)
    before = curve(playground)
    playground.get_by_role("button", name="New luck").click()
    lab.wait_until(lambda: curve(playground) != before)
    lab.wait_until(lambda: lab.evaluate("playground.seed") == 2)


# Its bandits, held against mctslab.search.bandits. No page, no kernel.

STRATEGIES = {
    "ucb1(0.5)": bandits.ucb1(0.5),
    "ucb1(2)": bandits.ucb1(2),
    "epsilonGreedy(0.3)": bandits.epsilon_greedy(0.3),
    "greedy()": bandits.greedy(),
    "thompson()": bandits.thompson(),
}


model = module_of("words.js", "bandit_model.js")


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_curves_are_those_of_the_package(model: Module, name: str) -> None:
    win_rates, num_pulls, num_runs = [0.2, 0.5, 0.6], 300, 2_000
    drawn = model.run(
        f"""([winRates, numPulls, numRuns]) => {{
            const curve = new Curve({{ winRates, seed: 7 }}, {name}, numPulls);
            while (curve.runs < numRuns) curve.addRun();
            const at = [4, 99, numPulls - 1];
            return [at.map(p => curve.mean(p)), at.map(p => curve.margin(p)),
                    at.map(p => curve.bestShare(p))];
        }}""",
        [win_rates, num_pulls, num_runs],
    )
    mean, margin, best_share = map(np.array, drawn)
    rng = np.random.default_rng(8)
    played = bandits.play(
        win_rates, STRATEGIES[name], num_pulls=num_pulls, num_runs=num_runs, rng=rng
    )
    at = np.array([4, 99, num_pulls - 1])
    share = (played.choices == 2).cumsum(axis=1).mean(axis=0)[at] / (at + 1)

    # Two independent means differ by less than twice the root of the sum of their squared errors.
    assert (abs(mean - played.mean_regret[at]) < 2 * np.hypot(margin, played.margin[at])).all()
    assert margin == pytest.approx(played.margin[at], rel=0.1)
    assert best_share == pytest.approx(share, abs=0.02)


def test_ucb1_scores_as_the_package_does(model: Module) -> None:
    told = model.run(
        "([winRates, c, numPulls]) => armsAfter({ winRates, seed: 3 }, c, numPulls, 5)",
        [[0.2, 0.5, 0.6], 0.8, 40],
    )
    rows = told["rows"]
    wins, pulls = (np.array([[row[name] for row in rows]]) for name in ("wins", "pulls"))
    scores = bandits.ucb1(0.8).scores(wins, pulls)[0]

    assert pulls.sum() == 40
    assert [row["winRate"] + row["bonus"] for row in rows] == pytest.approx(scores)
    assert told["next"] == scores.argmax()


def test_one_run_goes_on_as_it_said(model: Module) -> None:
    script = """seed => Array.from({ length: 60 }, (_, n) =>
        armsAfter({ winRates: [0.3, 0.5, 0.7], seed }, 1, n))"""
    states = model.run(script, 1)
    for now, later in pairwise(states):
        grown = [b["pulls"] - a["pulls"] for a, b in zip(now["rows"], later["rows"], strict=True)]
        assert grown == [float(arm == now["next"]) for arm in range(3)]
    assert all(math.isinf(row["bonus"]) for row in states[0]["rows"])
    assert model.run(script, 1) == states != model.run(script, 2)
