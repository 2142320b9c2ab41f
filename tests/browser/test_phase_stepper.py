"""The phase stepper in JupyterLab: played, scrubbed, pointed at, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Locator, expect

from mctslab.draw.cards import number
from tests.browser.lab import Lab
from tests.browser.panel import box_of, drag, is_within, middle_of, tab_to

FIRST_CELL = """
import numpy as np
from mctslab import games, search
from mctslab.widgets import PhaseStepper
trace = search.Trace()
result = search.mcts({game}, num_simulations=30, rng=np.random.default_rng(1), trace=trace)
PhaseStepper(trace)
"""

COUNT_MESSAGES = """async () => {
    const {kernel} = jupyterapp.shell.currentWidget.sessionContext.session;
    window.commMessages = 0;
    kernel.anyMessage.connect((_, {msg}) => {
        if (msg.header.msg_type.startsWith('comm')) window.commMessages += 1;
    });
}"""


def open_stepper(lab: Lab, game: str = "games.TicTacToe()") -> Locator:
    lab.open_cells(FIRST_CELL.format(game=game), "1 + 1")
    lab.run_all()
    stepper = lab.output(0).locator(".mctslab-stepper")
    expect(stepper).to_be_visible()
    expect(stepper.locator(".card").first).to_be_visible()
    lab.run_script(COUNT_MESSAGES)
    return stepper


def place(stepper: Locator) -> tuple[int, int]:
    """The simulation and the event on show."""
    text = stepper.locator(".place").inner_text()
    simulation, event = re.findall(r"(\d+) of", text)
    return int(simulation), int(event)


def card(stepper: Locator, node: int) -> Locator:
    return stepper.locator(f'.card[data-node="{node}"]')


def test_it_plays_to_the_end_without_a_word_to_the_kernel(lab: Lab) -> None:
    stepper = open_stepper(lab, "games.Gomoku()")
    stepper.get_by_text("simulation", exact=True).click()
    stepper.get_by_label("Speed").select_option("8")
    stepper.get_by_role("button", name="Play").click()
    expect(stepper.get_by_role("button", name="Pause")).to_be_visible()
    expect(stepper.locator(".place")).to_contain_text("Simulation 30 of 30", timeout=20_000)
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    expect(stepper).to_have_attribute("data-phase", "backpropagation")
    expect(card(stepper, 0)).to_contain_text("30")
    expect(card(stepper, 0)).to_contain_text(number(lab.evaluate("trace.statistics()[0][1] / 30")))
    assert lab.run_script("async () => window.commMessages") == 0


def test_each_phase_is_seen_and_named(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.locator(".slider").fill("300")
    caption = stepper.locator(".caption")
    seen: dict[str, str] = {}
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        button = stepper.locator(f'.phase[data-phase="{phase}"]')
        button.click()
        expect(stepper).to_have_attribute("data-phase", phase)
        expect(button).to_have_attribute("aria-current", "step")
        expect(caption).to_contain_text(re.compile(phase, re.IGNORECASE))
        seen[phase] = button.locator(".line").evaluate(
            "line => getComputedStyle(line).stroke + getComputedStyle(line).strokeDasharray"
        )
        if phase == "selection":
            expect(stepper.locator(".scores tbody tr")).to_have_count(9)
            name = stepper.locator(".scores tr.is-chosen th").inner_text().strip()
            expect(caption).to_contain_text(name)
            expect(stepper.locator(".pill.selection.is-chosen")).to_have_count(1)
        if phase == "simulation":
            stones, before = stepper.locator(".position .stone"), stepper.locator(".rollout li")
            shown = stones.count()
            stepper.get_by_role("button", name="Forward").click()
            expect(stones).to_have_count(shown + 1)
            expect(before).to_have_count(2)
    assert len(set(seen.values())) == 4
    assert len({style.partition(")")[2] for style in seen.values()}) == 4, "dashes differ, too"


def test_a_new_node_is_marked_and_the_others_stay_where_they_are(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="Play").focus()
    marks = stepper.get_by_text("new", exact=True)
    places = []
    for simulation in range(1, 4):
        lab.page.keyboard.press("PageDown")
        expect(marks).to_have_count(1)
        (mark_x, mark_y), (new_x, new_y) = middle_of(marks), middle_of(card(stepper, simulation))
        assert mark_x == pytest.approx(new_x, abs=2)
        assert mark_y > new_y + 20, "under the new node"
        places.append(middle_of(card(stepper, 1)))
    lab.page.keyboard.press("End")
    for place_then in places:
        assert middle_of(card(stepper, 1)) == pytest.approx(place_then, abs=1)


def test_pointing_at_a_node_shows_its_position_and_numbers(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    info = stepper.locator(".info")
    expect(info).to_be_hidden()
    card(stepper, 1).hover()
    visits, _ = lab.evaluate("trace.statistics()[1]")
    for text in (f"N {visits}", "W ", "Q ", "for X", "explore", "score"):
        expect(info).to_contain_text(text)
    expect(info).not_to_contain_text("prior")
    expect(info.locator(".stone")).to_have_count(1)
    assert is_within(info, stepper.locator(".tree-pane"))
    stepper.locator(".caption").hover()
    expect(info).to_be_hidden()


def test_the_tree_is_zoomed_and_dragged(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    root = card(stepper, 0)
    before = middle_of(root)
    dots = stepper.locator(".dot:visible").count()
    for _ in range(6):
        stepper.get_by_role("button", name="Zoom in").click()
    assert stepper.locator(".dot:visible").count() < dots, "more nodes have room for a card"
    stepper.get_by_role("button", name="Whole tree").click()
    assert middle_of(root) == before
    box = box_of(stepper.locator(".tree"))
    x, y = box["x"] + 20, box["y"] + box["height"] - 20
    drag(lab.page, (x, y), (x + 50, y - 30), steps=4)
    assert middle_of(root) == pytest.approx((before[0] + 50, before[1] - 30), abs=2)


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    stepper = open_stepper(lab)
    keys = lab.page.keyboard
    card(stepper, 0).click()
    keys.press("ArrowRight")
    assert place(stepper) == (1, 2), "also after a click on the tree"
    stepper.get_by_role("button", name="Play").focus()
    keys.press("ArrowLeft")
    for key, phase in (
        ("ArrowRight", "expansion"),
        ("Shift+ArrowRight", "simulation"),
        ("Shift+ArrowRight", "backpropagation"),
    ):
        keys.press(key)
        expect(stepper).to_have_attribute("data-phase", phase)
    for key, simulation in (("PageDown", 2), ("PageUp", 1), ("End", 30), ("Home", 1)):
        keys.press(key)
        assert place(stepper)[0] == simulation
    assert place(stepper) == (1, 1)
    keys.press("Space")
    expect(stepper.get_by_role("button", name="Pause")).to_be_visible()
    keys.press("Space")
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    keys.press("d")
    keys.press("d")
    expect(lab.page.locator(".jp-Notebook .jp-Cell")).to_have_count(2)


def test_the_keys_go_from_node_to_node(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    keys = lab.page.keyboard
    tab_to(lab, stepper.locator(".tree-pane"), key="Shift+Tab")
    info, spoken = stepper.locator(".info"), stepper.locator(".tree-pane .spoken")
    expect(info).to_be_visible()
    expect(spoken).to_contain_text("The root, N 30")
    keys.press("ArrowDown")
    expect(spoken).not_to_contain_text("The root")
    first = spoken.inner_text()
    keys.press("ArrowRight")
    expect(spoken).not_to_have_text(first)
    keys.press("ArrowLeft")
    expect(spoken).to_have_text(first)
    keys.press("ArrowUp")
    expect(spoken).to_contain_text("The root")
    keys.press("Tab")
    expect(info).to_be_hidden()
