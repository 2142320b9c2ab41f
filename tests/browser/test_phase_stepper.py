"""The phase stepper on a page: played, scrubbed, pointed at, by mouse and by keyboard."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from mctslab.draw.cards import number
from tests.browser.bridge import Bridge
from tests.browser.cells import TOP
from tests.browser.panel import box_of, middle_of, overlap


def open_stepper(bridge: Bridge, game: str = "ttt") -> Locator:
    """A search of 30 simulations from the beginning."""
    search = f"search.mcts({game}, num_simulations=30, rng=rng, trace=trace)"
    stepper = bridge.show(f"{TOP}trace = search.Trace()\n{search}\nwidgets.PhaseStepper(trace)")
    expect(node(stepper, 0)).to_be_visible()
    return stepper


def node(stepper: Locator, number: int) -> Locator:
    return stepper.locator(f'.tree [data-node="{number}"]')


def test_each_phase_is_seen_and_named_and_no_number_covers_another(bridge: Bridge) -> None:
    stepper = open_stepper(bridge)
    stepper.locator(".slider").fill("300")
    caption, looks = stepper.get_by_role("status"), []
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        button = stepper.locator(f'.phase[data-phase="{phase}"]')
        button.click()
        expect(stepper).to_have_attribute("data-phase", phase)
        expect(button).to_have_attribute("aria-current", "step")
        expect(caption).to_have_text(re.compile(rf"^{phase.capitalize()}: [^:].*\.$"))
        look = "line => ['stroke', 'strokeDasharray'].map(name => getComputedStyle(line)[name])"
        looks.append(button.locator(".line").evaluate(look))
        if phase == "selection":
            expect(stepper.locator(".scores tbody tr")).to_have_count(9)
            name = stepper.locator(".scores tr.is-chosen th").inner_text().strip()
            expect(caption).to_contain_text(name)
            expect(stepper.locator(".pill.selection.is-chosen")).to_have_count(1)
            for width in (1000, 780):
                bridge.resize(width, 900)
                scores = stepper.locator(".pill.selection")
                expect(scores).to_have_count(9)
                boxes = sorted(map(box_of, scores.all()), key=lambda box: box["x"])
                assert all(one["x"] + one["width"] <= two["x"] for one, two in pairwise(boxes))
        if phase == "simulation":
            stones, before = stepper.locator(".position .stone"), stepper.locator(".rollout li")
            shown = stones.count()
            stepper.get_by_role("button", name="Forward").click()
            expect(stones).to_have_count(shown + 1)
            expect(before).to_have_count(2)
        if phase == "backpropagation":
            added, cards = stepper.locator(".pill.backpropagation"), stepper.locator(".node .box")
            assert not any(overlap(added, card) for card in cards.all())
    for colors_or_dashes in zip(*looks, strict=True):
        assert len(set(colors_or_dashes)) == 4


def test_a_new_node_is_marked_and_the_others_stay_in_their_columns(bridge: Bridge) -> None:
    stepper = open_stepper(bridge)
    stepper.get_by_role("button", name="Play").focus()
    marks = stepper.get_by_text("new", exact=True)
    places = []
    for simulation in range(1, 4):
        bridge.page.keyboard.press("PageDown")
        expect(stepper.locator(".place")).to_contain_text(f"Simulation {simulation} of")
        expect(marks).to_have_count(1)
        (mark_x, mark_y), (new_x, new_y) = middle_of(marks), middle_of(node(stepper, simulation))
        assert mark_x == pytest.approx(new_x, abs=2)
        assert mark_y > new_y + 20, "under the new node"
        places.append(middle_of(node(stepper, 1)))
    for place_then in places[1:]:
        assert place_then == pytest.approx(places[0], abs=1)
    pane = box_of(stepper.locator(".tree-pane"))
    assert places[0][1] > pane["y"] + 0.4 * pane["height"], "a small tree fills its pane"
    bridge.page.keyboard.press("End")
    expect(stepper.locator(".place")).to_contain_text("Simulation 30 of")
    (x, y), (x_then, y_then) = middle_of(node(stepper, 1)), places[0]
    assert x == pytest.approx(x_then, abs=1)
    assert y < y_then, "a deeper tree needs room for more rows"

    late = "".join(f".child({action})" for action in (0, 1, 2, 4, 3, 5, 7))
    stepper = open_stepper(bridge, f"ttt{late}")
    stepper.get_by_role("button", name="To the end").click()
    expect(stepper.get_by_role("status")).to_contain_text("W ")
    expect(stepper.get_by_text("new", exact=True)).to_have_count(0)  # the game was over there


def test_keys_step_by_phases_and_simulations_without_a_word_to_the_kernel(
    bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(Bridge, "_take", lambda *message: told.append(message))
    stepper = open_stepper(bridge)
    assert told, "it says that the page was opened"
    told.clear()
    keys, shown = bridge.page.keyboard, stepper.locator(".place")
    node(stepper, 0).click()
    keys.press("ArrowRight")
    expect(shown).to_contain_text("event 2 of", ignore_case=True)  # also after a click on the tree
    for phase in ("simulation", "backpropagation"):
        keys.press("Shift+ArrowRight")
        expect(stepper).to_have_attribute("data-phase", phase)
    for key, simulation in (("PageDown", 2), ("PageDown", 3), ("PageUp", 2), ("PageUp", 1)):
        keys.press(key)
        expect(shown).to_contain_text(f"Simulation {simulation} of")
    # Played from here in long and quick steps.
    for _ in range(22):
        keys.press("PageDown")
    stepper.get_by_text("simulation", exact=True).click()
    stepper.get_by_label("Speed").select_option("8×")
    stepper.get_by_role("button", name="Play").click()
    expect(shown).to_contain_text("Simulation 30 of 30")
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    mean = number(bridge.evaluate("trace.statistics()[0][1] / 30"))
    label = re.compile(f"^The root, N 30, W .*, Q {re.escape(mean)} for X$")
    expect(node(stepper, 0)).to_have_attribute("aria-label", label)
    node(stepper, 1).hover()
    expect(stepper.locator(".info")).to_contain_text("W ")
    expect(stepper.locator(".info")).not_to_contain_text("prior")
    assert not told
