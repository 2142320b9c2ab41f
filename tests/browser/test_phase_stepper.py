"""The phase stepper in JupyterLab: played, scrubbed, pointed at, by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Locator, expect

from mctslab.draw.cards import number
from tests.browser.lab import Lab

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


def middle(locator: Locator) -> tuple[float, float]:
    """The middle of what is shown."""
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


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
    seen: dict[str, str] = {}
    for phase in ("selection", "expansion", "simulation", "backpropagation"):
        button = stepper.locator(f'.phase[data-phase="{phase}"]')
        button.click()
        expect(stepper).to_have_attribute("data-phase", phase)
        expect(button).to_have_attribute("aria-current", "step")
        expect(stepper.locator(".caption")).to_contain_text(re.compile(phase, re.IGNORECASE))
        seen[phase] = button.locator(".line").evaluate(
            "line => getComputedStyle(line).stroke + getComputedStyle(line).strokeDasharray"
        )
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
        (mark_x, mark_y), (new_x, new_y) = middle(marks), middle(card(stepper, simulation))
        assert mark_x == pytest.approx(new_x, abs=2)
        assert mark_y > new_y + 20, "under the new node"
        places.append(middle(card(stepper, 1)))
    lab.page.keyboard.press("End")
    for place_then in places:
        assert middle(card(stepper, 1)) == pytest.approx(place_then, abs=1)


def test_selection_shows_the_scores_with_the_winner_marked(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.locator(".slider").fill("300")
    stepper.locator('.phase[data-phase="selection"]').click()
    rows = stepper.locator(".scores tbody tr")
    expect(rows).to_have_count(9)
    chosen = stepper.locator(".scores tr.is-chosen")
    expect(chosen).to_have_count(1)
    name = chosen.locator("th").inner_text().strip()
    expect(stepper.locator(".caption")).to_contain_text(name)
    scores = [float(text) for text in stepper.locator(".scores td.score").all_inner_texts()]
    assert scores[0] == max(scores)
    expect(stepper.locator(".pill.selection.is-chosen")).to_have_count(1)


def test_the_rollout_is_played_on_the_board(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.locator('.phase[data-phase="simulation"]').click()
    stones = stepper.locator(".position .stone")
    expect(stones).to_have_count(2)  # the new node's X, and the first move of the rollout
    for num_stones in range(3, 6):
        stepper.get_by_role("button", name="Forward").click()
        expect(stones).to_have_count(num_stones)
    expect(stepper.locator(".rollout li")).to_have_count(4)


def test_the_slider_is_dragged(lab: Lab) -> None:
    stepper = open_stepper(lab)
    slider = stepper.locator(".slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"] + 8, middle)
    lab.page.mouse.down()
    seen = []
    for part in (0.25, 0.5, 0.75, 1.0, 0.5):
        lab.page.mouse.move(box["x"] + part * box["width"], middle)
        seen.append(place(stepper)[1])
    lab.page.mouse.up()
    assert seen[:4] == sorted(set(seen[:4]))
    assert seen[4] == seen[1]
    expect(card(stepper, 0)).to_contain_text(f"N {place(stepper)[0] - 1}")
    assert lab.run_script("async () => window.commMessages") == 0


def test_pointing_at_a_node_shows_its_position_and_numbers(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    info = stepper.locator(".info")
    expect(info).to_be_hidden()
    card(stepper, 1).hover()
    expect(info).to_be_visible()
    visits, total = lab.evaluate("trace.statistics()[1]")
    for text in (f"N {visits}", "W ", "Q ", "for X", "explore", "score"):
        expect(info).to_contain_text(text)
    expect(info).not_to_contain_text("prior")
    expect(info.locator(".stone")).to_have_count(1)
    pane = stepper.locator(".tree-pane").bounding_box()
    shown = info.bounding_box()
    assert pane is not None
    assert shown is not None
    assert pane["x"] <= shown["x"]
    assert shown["x"] + shown["width"] <= pane["x"] + pane["width"] + 1
    stepper.locator(".caption").hover()
    expect(info).to_be_hidden()
    assert abs(total) <= visits


def test_the_tree_is_zoomed_and_dragged(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    root = card(stepper, 0)
    before = root.bounding_box()
    dots = stepper.locator(".dot:visible").count()
    for _ in range(6):
        stepper.get_by_role("button", name="Zoom in").click()
    assert stepper.locator(".dot:visible").count() < dots, "more nodes have room for a card"
    stepper.get_by_role("button", name="Whole tree").click()
    assert root.bounding_box() == before
    box = stepper.locator(".tree").bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + box["height"] - 20
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x + 50, y - 30, steps=4)
    lab.page.mouse.up()
    after = root.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] - before["x"] == pytest.approx(50, abs=2)
    assert after["y"] - before["y"] == pytest.approx(-30, abs=2)


def test_it_is_worked_by_keys_alone(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="Play").focus()
    keys = lab.page.keyboard
    assert place(stepper) == (1, 1)
    keys.press("ArrowRight")
    assert place(stepper) == (1, 2)
    keys.press("Shift+ArrowRight")
    expect(stepper).to_have_attribute("data-phase", "simulation")
    keys.press("Shift+ArrowRight")
    expect(stepper).to_have_attribute("data-phase", "backpropagation")
    keys.press("PageDown")
    assert place(stepper)[0] == 2
    keys.press("PageUp")
    assert place(stepper)[0] == 1
    keys.press("End")
    assert place(stepper)[0] == 30
    keys.press("ArrowLeft")
    keys.press("Home")
    assert place(stepper) == (1, 1)
    keys.press("Space")
    expect(stepper.get_by_role("button", name="Pause")).to_be_visible()
    keys.press("Space")
    expect(stepper.get_by_role("button", name="Play")).to_be_visible()
    index = lab.run_script("async () => jupyterapp.shell.currentWidget.content.activeCellIndex")
    cells = lab.run_script("async () => jupyterapp.shell.currentWidget.content.widgets.length")
    keys.press("d")
    keys.press("d")
    assert (
        lab.run_script("async () => jupyterapp.shell.currentWidget.content.widgets.length") == cells
    ), "the notebook took the keys"
    assert index == lab.run_script(
        "async () => jupyterapp.shell.currentWidget.content.activeCellIndex"
    )


def test_after_a_click_on_the_tree_the_arrows_step_on(lab: Lab) -> None:
    stepper = open_stepper(lab)
    card(stepper, 0).click()
    assert place(stepper) == (1, 1)
    lab.page.keyboard.press("ArrowRight")
    assert place(stepper) == (1, 2)
    lab.page.keyboard.press("ArrowRight")
    assert place(stepper) == (1, 3)
    lab.page.keyboard.press("ArrowLeft")
    assert place(stepper) == (1, 2)


def test_the_keys_go_from_node_to_node(lab: Lab) -> None:
    stepper = open_stepper(lab)
    stepper.get_by_role("button", name="To the end").click()
    keys = lab.page.keyboard
    keys.press("Shift+Tab")  # back into the tree, past its buttons
    for _ in range(8):
        if stepper.locator(".tree-pane").evaluate("pane => pane === document.activeElement"):
            break
        keys.press("Shift+Tab")
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
    keys.press("+")
    keys.press("0")
    keys.press("Tab")
    expect(info).to_be_hidden()
