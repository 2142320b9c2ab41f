"""The bandits on the page: pulled by hand, dragged, worked by keys, compared with the package."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from mctslab.search import bandits
from mctslab.widgets import BanditGame, BanditPlayground
from tests.browser.modules import exports_of
from tests.browser.panel import box_of, shows

# The game


def test_arms_are_pulled_by_mouse_and_keys_and_the_truth_comes_at_the_end(bridge):
    of_bandit = BanditGame(num_pulls=8, seed=3)
    game, keyboard = bridge.show(of_bandit), bridge.page.keyboard
    shows(game, {"role=status": "0 wins so far. Pull 1 of 8: which arm?"})
    game.get_by_role("button", name="Pull A").click()
    shows(game, {"[data-arm=A] .tally": re.compile(r"[01] wins? in 1 pull")})
    for key in ("b", "Control+b", "Tab", "Enter"):
        keyboard.press(key)
    shows(game, {"[data-arm=B] .tally": "in 2 pulls", ".truth": ""})
    assert of_bandit.result == ""
    for _ in range(5):
        keyboard.press("c")
    status = game.get_by_role("status")
    expect(status).to_have_text(re.compile(r"You have \d wins?, and UCB1 has \d\..*mostly luck"))
    expect(status).to_be_focused()
    assert of_bandit.pulled == [0, 1, 1, 2, 2, 2, 2, 2]
    shows(game, {"[data-arm=C] .truth": re.compile(r"win rate 0\.\d\d; \d pulls?")})
    assert status.inner_text() in of_bandit.still_note()
    keyboard.press("a")
    assert len(of_bandit.pulled) == 8, "the game is over"
    bridge.use_theme("dark")
    pull = game.get_by_role("button", name="Pull A")
    expect(pull).to_have_css("color", game.evaluate("e => getComputedStyle(e).color"))
    game.get_by_role("button", name="New arms").click()
    shows(game, {"role=status": "Pull 1 of 8", "[data-arm=A] button:focus": 1})
    assert (of_bandit.seed, of_bandit.pulled, of_bandit.result) == (4, [], "")


# The playground


def test_the_playground_is_dragged_worked_by_keys_and_pointed_at(bridge):
    of_bandit = BanditPlayground(num_pulls=300, num_runs=200)
    playground, mouse = bridge.show(of_bandit), bridge.page.mouse

    def curve():
        return playground.locator(".chart path.line.ucb1").get_attribute("d")

    def missed(strategy):
        return playground.locator(f"tr[data-strategy={strategy}] td").first

    shows(playground, {".note": "mean of 200 runs."})
    of_bandit.c = 2.5
    shows(playground, {".settings": "c = 2.50", ".strategies": "UCB1, c = 2.50"})
    playground.get_by_label("Exploration constant c of UCB1").press("Home")
    shows(playground, {".strategies": "UCB1, c = 0.00"})
    pulls = playground.get_by_label("Pulls", exact=True)
    pulls.press("End")
    shows(playground, {".place": "after 300 of 300 pulls"})
    # Without a bonus it is greedy, and has the same luck.
    expect(missed("ucb1")).to_have_text(missed("greedy").inner_text(), timeout=30_000)
    pulls.press("Home")
    pulls.press("ArrowRight")
    shows(playground, {".place": "after 2 of 300 pulls"})
    playground.get_by_label("True win rate of arm C").press("End")
    bridge.wait_until(lambda: of_bandit.win_rates == [0.3, 0.5, 1.0])

    box = box_of(playground.get_by_role("img"))
    mouse.move(box["x"] + box["width"] - 24, box["y"] + 100)
    shows(playground, {".place": "after 300 of 300 pulls", ".band": 3})
    numbers = playground.locator(".arms tbody td:nth-of-type(3)").all_inner_texts()
    assert sum(map(int, numbers)) == 300
    chosen = playground.locator(".arms tr[aria-current=true] th").inner_text()
    assert f"it pulls {chosen} next" in playground.inner_text()
    before = curve()
    playground.get_by_role("button", name="New luck").click()
    bridge.wait_until(lambda: curve() != before)
    bridge.wait_until(lambda: of_bandit.seed == 2)


# Their rules, held against mctslab.search.bandits. No page, no kernel.

STRATEGIES = {
    "ucb1(0.5)": bandits.ucb1(0.5),
    "epsilonGreedy(0.3)": bandits.epsilon_greedy(0.3),
    "greedy()": bandits.greedy(),
}
model = exports_of("bandit_model.js", "bandit_game.js")


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_curves_are_those_of_the_package(model, name):
    win_rates, at, num_runs = [0.2, 0.5, 0.6], [4, 99, 299], 2_000
    drawn = model.evaluate(
        f"""([winRates, at, numRuns]) => {{
            const curve = new Curve({{ winRates, seed: 7 }}, {name}, at.at(-1) + 1);
            while (curve.runs < numRuns) curve.addRun();
            return ["mean", "margin", "bestShare"].map(each => at.map(pull => curve[each](pull)));
        }}""",
        [win_rates, at, num_runs],
    )
    mean, margin, best_share = map(np.array, drawn)
    options = {"num_runs": num_runs, "rng": np.random.default_rng(8)}
    played = bandits.play(win_rates, STRATEGIES[name], num_pulls=at[-1] + 1, **options)
    share = (played.choices == 2).cumsum(axis=1).mean(axis=0)[at] / np.add(at, 1)

    # Two independent means differ by less than twice the root of the sum of their squared errors.
    assert (abs(mean - played.mean_regret[at]) < 2 * np.hypot(margin, played.margin[at])).all()
    assert margin == pytest.approx(played.margin[at], rel=0.1)
    assert best_share == pytest.approx(share, abs=0.02)
