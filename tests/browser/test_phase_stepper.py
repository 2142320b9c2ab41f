"""The phase stepper on a page: played, scrubbed, pointed at, by mouse and by keyboard."""

import re

import numpy as np
from playwright.sync_api import expect

from mctslab import search
from mctslab.draw.cards import number
from mctslab.widgets import PhaseStepper
from tests.browser.bridge import Bridge
from tests.browser.examples import TTT
from tests.browser.panel import COVERED, node, shows


def open_stepper(bridge):
    """A search of 30 simulations from the beginning."""
    rng, trace = np.random.default_rng(1), search.Trace()
    search.mcts(TTT, num_simulations=9, rng=rng)  # after it, cards would cover each other
    search.mcts(TTT, num_simulations=30, rng=rng, trace=trace)
    stepper = bridge.show(PhaseStepper(trace))
    expect(node(stepper, 0)).to_be_visible()
    return stepper, trace


def test_each_phase_is_seen_and_named_and_no_number_covers_another(bridge):
    stepper, _ = open_stepper(bridge)
    stepper.locator(".slider").fill("300")
    caption, looks = stepper.get_by_role("status"), []
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        button = stepper.locator(f'.phase[data-phase="{phase}"]')
        button.click()
        expect(stepper).to_have_attribute("data-phase", phase)
        shows(stepper, {f".phase.{phase}[aria-current=step]": 1})
        expect(caption).to_have_text(re.compile(rf"^{phase.capitalize()}: [^:].*\.$"))
        look = "line => ['stroke', 'strokeDasharray'].map(name => getComputedStyle(line)[name])"
        looks.append(button.locator(".line").evaluate(look))
        if phase == "selection":
            shows(stepper, {".scores tbody tr": 9, ".pill.selection.is-chosen": 1})
            expect(caption).to_contain_text(stepper.locator(".scores .is-chosen th").inner_text())
            assert stepper.evaluate(COVERED, ".pill.selection") == [9, 0]
        if phase == "simulation":
            num_stones = stepper.locator(".position .stone").count()
            stepper.get_by_role("button", name="Forward").click()
            shows(stepper, {".position .stone": num_stones + 1, ".rollout li": 2})
        if phase == "backpropagation":
            assert stepper.evaluate(COVERED, ".pill.backpropagation, .node .box")[1] == 0
    for colors_or_dashes in zip(*looks, strict=True):
        assert len(set(colors_or_dashes)) == 4


def test_keys_step_by_phases_and_simulations_without_a_word_to_the_kernel(bridge, monkeypatch):
    told = []
    monkeypatch.setattr(Bridge, "_take", lambda *message: told.append(message))
    stepper, trace = open_stepper(bridge)
    assert told, "it says that the page was opened"
    told.clear()
    keys = bridge.page.keyboard
    node(stepper, 0).click()
    keys.press("ArrowRight")
    shows(stepper, {".place": "event 2 of"})  # also after a click on the tree
    for phase in ("simulation", "backpropagation"):
        keys.press("Shift+ArrowRight")
        expect(stepper).to_have_attribute("data-phase", phase)
    for key, simulation in (("PageDown", 2), ("PageDown", 3), ("PageUp", 2), ("PageUp", 1)):
        keys.press(key)
        shows(stepper, {".place": f"Simulation {simulation} of"})
    # Played from here in long and quick steps.
    for _ in range(22):
        keys.press("PageDown")
    stepper.get_by_text("simulation", exact=True).click()
    stepper.get_by_label("Speed").select_option("8×")
    stepper.get_by_role("button", name="Play").click()
    shows(stepper, {".place": "Simulation 30 of 30", "button[title^=Play]": 1})
    mean = number(trace.statistics()[0][1] / 30)
    label = re.compile(f"^The root, N 30, W .*, Q {re.escape(mean)} for X$")
    expect(node(stepper, 0)).to_have_attribute("aria-label", label)
    node(stepper, 1).hover()
    shows(stepper, {".info": re.compile("W (?!.*prior)")})
    assert not told
