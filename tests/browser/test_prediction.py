"""Predictions in JupyterLab: made by mouse and by keyboard, answered only afterwards."""

import re
import secrets

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.panel import box_of, drag, is_within, middle_of

RANGE = """
from mctslab import course, draw, games
truth = course.Truth(58.5, "The first player wins 58.5% of them.", draw.board(games.TicTacToe()))
course.predict.number("share-{token}", "How many random games does the first player win?", truth,
                      low=0, high=100, unit="%")
"""
CHOICE = """
from mctslab import course
truth = course.Truth("UCT", "Only UCT finds the reply.", "flat  0 of 40\\nUCT  40 of 40")
course.predict.choice("finder-{token}", "Which search finds the reply?",
                      ["flat Monte Carlo", "UCT", "both"], truth)
"""
CURVE = """
from mctslab import course
truth = course.Truth([10, 22, 31, 38, 44, 49], "The regret of UCB1 grows ever more slowly.")
course.predict.curve("regret-{token}", "How does the regret of UCB1 grow?",
                     [100, 200, 400, 800, 1_600, 3_200], truth, low=0, high=100,
                     x_label="pulls", y_label="regret (lost wins)")
"""


def open_question(lab: Lab, source: str, *, token: str = "") -> Locator:
    lab.open_cells(source.replace("{token}", token or secrets.token_hex(4)))
    lab.run_all()
    question = lab.output(0).locator(".mctslab-prediction")
    expect(question).to_be_visible()
    expect(question.locator(".answer")).to_be_hidden()
    return question


def predict(question: Locator) -> None:
    question.get_by_role("button", name="Predict, and see the answer").click()


def test_a_range_is_chosen_by_keys_and_the_truth_comes_after(lab: Lab) -> None:
    question = open_question(lab, RANGE)
    assert "58.5" not in question.inner_html()
    expect(question).to_contain_text("80% sure that it is between 25 and 75%")
    first, last = question.get_by_label("From"), question.get_by_label("To")
    for handle, key, words in (
        (first, "End", "between 100 and 100%"),
        (last, "Home", "between 0 and 0%"),
        (last, "End", "between 0 and 100%"),
        (last, "ArrowLeft", "between 0 and 99%"),
    ):
        handle.press(key)
        expect(question).to_contain_text(words)
    predict(question)
    expect(question).to_contain_text("Your range contains it. The first player wins 58.5%")
    expect(question.locator(".picture svg")).to_be_visible()
    truth, track = (box_of(question.locator(name)) for name in (".truth", ".track"))
    assert (truth["x"] + 2 - track["x"]) / track["width"] == pytest.approx(0.585, abs=0.01)
    expect(question.locator(".answer")).to_be_focused()


def test_a_choice_must_be_made_and_is_there_after_a_restart(lab: Lab) -> None:
    token = secrets.token_hex(4)
    question = open_question(lab, CHOICE, token=token)
    predict(question)
    expect(question.get_by_role("alert").last).to_have_text("Choose one of the options.")
    question.get_by_text("flat Monte Carlo").click()
    question.get_by_label("How sure you are").select_option("70")
    predict(question)
    expect(question.locator(".is-true")).to_have_text("UCT")
    expect(question.locator(".is-missed")).to_have_text("flat Monte Carlo")
    expect(question.locator("pre")).to_contain_text("UCT  40 of 40")
    lab.restart_kernel()
    lab.run_all()
    question = lab.output(0).locator(".mctslab-prediction")
    expect(question).to_contain_text("You chose “flat Monte Carlo”. Only UCT finds the reply.")
    expect(question.get_by_role("button")).to_be_hidden()


def test_a_curve_is_drawn_by_mouse_and_by_keys(lab: Lab) -> None:
    question = open_question(lab, CURVE)
    points = question.get_by_role("slider")
    points.first.focus()
    lab.page.keyboard.press("ArrowDown")
    expect(points.first).to_have_attribute("aria-valuenow", "49")
    lab.page.keyboard.press("ArrowRight")
    expect(points.nth(1)).to_be_focused()
    (x, y), (end, low) = (middle_of(points.nth(number)) for number in (2, 5))
    drag(lab.page, (x, y - 27), (end, low - 67), steps=12)
    values = [float(point.get_attribute("aria-valuenow") or 0) for point in points.all()]
    assert values[:2] == [49, 50]
    assert 50 < values[2] < values[3] < values[4] < values[5]
    predict(question)
    expect(question).to_contain_text(re.compile(r"On average your curve is \d+ away from it\."))
    expect(question.locator("path.truth")).to_have_attribute("d", re.compile("(L[^L]+){5}$"))


TREE = """
import numpy as np
from mctslab import course, draw, games, search
rng = np.random.default_rng(1)
result = search.mcts(games.TicTacToe(), num_simulations=60, rng=rng)
truth = course.Truth("this", "This.", draw.tree(result, top=9, depth=2, max_nodes=40))
course.predict.choice("tree-{token}", "Which?", ["this", "that"], truth)
"""


def test_the_picture_in_an_answer_keeps_its_colours_and_shows_the_root(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 900, "height": 1_000})
    question = open_question(lab, TREE)
    question.get_by_text("this", exact=True).click()
    predict(question)
    pane = question.locator(".picture > div")
    assert pane.evaluate("e => e.scrollWidth > e.clientWidth + 100")
    lab.wait_until(lambda: is_within(pane.locator("g.node").first, pane))
    box = pane.locator("g.node path").first
    wanted, shown = box.evaluate("e => [e.getAttribute('fill'), getComputedStyle(e).fill]")
    red, green, blue = (int(wanted[i : i + 2], 16) for i in (1, 3, 5))
    assert shown == f"rgb({red}, {green}, {blue})"
