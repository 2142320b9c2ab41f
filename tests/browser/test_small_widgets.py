"""The small widgets: a net that learns, a convolution that is dragged, and minimax by hand."""

import numpy as np
from playwright.sync_api import expect

from mctslab.games import Gomoku
from mctslab.widgets import ConvolutionBoard, LearningBoard
from mctslab.widgets.convolution_board import FILTERS
from tests.browser.examples import EXAMPLES
from tests.browser.panel import box_of, node, shows
from tests.widgets.test_tree_explorer import after

# A board on which a net is seen learning: frames that come while it is shown, and the slider


def test_frames_are_shown_as_they_come_and_gone_through_afterwards(bridge):
    def add(share):
        seen.add([share, *[(1 - share) / 5] * 5], share - 1)

    root = bridge.show(seen := LearningBoard(after(0, 4, 1)))
    slider, block = root.get_by_role("slider", name="Iteration"), '[data-heat="2"] + text'
    shows(root, {".headline": "No iteration yet", ".ring": 1})
    for number, share in enumerate((0.05, 0.1, 0.4, 0.8)):
        add(share)
        text = "5.0%" if share < 0.1 else f"{share:.0%}"
        shows(root, {".headline": f"Iteration {number}", block: text})
    shows(root, {"role=status": "Since iteration 2 the net's favourite"})
    shows(root, {".said": "c1, with 80%. Value for O: −0.20."})

    slider.fill("1")
    shows(root, {".headline": "Iteration 1"})
    expect(slider).to_have_attribute("aria-valuetext", "Iteration 1. The net's favourite move for "
                                     "O is a2, with 18%. Value for O: −0.90.")  # fmt: skip
    add(0.9)  # what the reader looks at stays
    shows(root, {".slider[max='4']": 1, ".headline": "Iteration 1"})
    slider.fill("4")
    add(0.95)
    shows(root, {".headline": "Iteration 5"})

    # Where no move blocks there is only the policy.
    root = bridge.show(seen := LearningBoard(after(0, 4, 5)))
    add(0.5)
    shows(root, {"rect[data-heat]": 6, ".ring, path.share": 0, "path.value": 1, "role=status": ""})


# A convolution: by mouse, keys, weights, and the map


def convolved(plane, weights):
    padded = np.pad(np.reshape(plane, (7, 7)), 1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    return (windows * np.reshape(weights, (3, 3))).sum((2, 3)).ravel().tolist()


def test_the_filter_is_moved_and_the_map_is_the_convolution_with_any_weights(bridge):
    state = Gomoku(size=7)
    for move in ["D4", "A1", "C3", "B1", "E5", "C1"]:
        state = state.child(state.string_to_action(move))
    root = bridge.show(dragged := ConvolutionBoard(state))
    handle = root.get_by_role("slider")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        handle.press(key)
    shows(root, {"role=status": "The sum around D4 is 3. 7 of 49 squares are filled in."})
    shows(root, {"[aria-valuetext='The sum around D4 is 3.']": 1, "[role=img] g:not(.empty)": 7})

    box, mouse = box_of(handle.locator("svg")), bridge.page.mouse
    side = box["width"] / (9 + 18 / 26)
    center = box["x"] + 18 / 26 * side, box["y"] + 18 / 26 * side
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    mouse.down()
    mouse.move(center[0] + 5.5 * side, center[1] + 4.5 * side)
    shows(root, {"role=status": "around E4 is 0. 8 of 49"})
    mouse.move(center[0] + 500, center[1] + 500)  # it stays on the board
    shows(root, {"role=status": "around G1"})
    mouse.up()
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    root.get_by_role("button", name="Clear the map").click()
    shows(root, {"role=status": "around G1 is 0. 1 of 49"})

    menu, sums = root.get_by_label("Filter", exact=True), root.get_by_role("img").locator("g text")
    root.get_by_role("button", name="Fill in the rest").click()
    stones = state.board().stones
    plane = [int(stone == 0) for stone in stones]

    def expect_sums(weights):
        texts = [str(number).replace("-", "−") for number in convolved(plane, weights)]
        expect(sums).to_have_text(texts)

    for name in ("three in a row", "number of neighbours", "left edge"):
        menu.select_option(name)
        expect_sums([*FILTERS[name]])
    for _ in range(3):
        root.get_by_role("button", name="Weight, top: ").press("Enter")
    expect(menu).to_have_value("your own")
    expect_sums([0, -2, 0, -1, 1, 0, 0, 0, 0])
    bridge.wait_until(lambda: dragged.weights[1] == -2)


# Minimax by hand: values filled in with the mouse and by keys, and what a check says of them

INNER = {0: 1, 1: 0, 2: 1, 4: 0, 6: -1, 8: 0}
"""The boxes to fill in, and their values."""


def test_values_are_filled_in_with_the_mouse_and_by_keys_and_checked(bridge):
    root = bridge.show(by_hand := EXAMPLES["MinimaxByHand"]())
    check, press = root.get_by_role("button", name="Check"), bridge.page.keyboard.press
    shows(root, {"[aria-label='b1: O to move, no value yet'] svg": 2})  # position and stone
    check.click()
    shows(root, {".said": "Right: 0 of 6, wrong: 0, empty: 6."})

    for value in ("−1", "0", "1", "−1"):
        node(root, 1).click()
        shows(node(root, 1), {".value": value})
    node(root, 3).click()  # the game is over there
    shows(node(root, 3), {".value": "1"})
    check.click()
    shows(root, {"[aria-label='b1: O to move, value −1, wrong']": 1})
    said = "After b1, O is to move and takes the smaller of 1 and 0, which is 0."
    shows(root, {".said": f"Right: 0 of 6, wrong: 1, empty: 5. {said}"})
    for place in (0, 4):
        node(root, place).click()
    check.click()  # the wrong box deepest in the tree is explained
    shows(root, {".said": "After b1 b3, X has only one move, which leads to 0."})

    press("Escape")
    node(root, 1).focus()
    press("Enter")
    shows(root, {".card:is(.right, .wrong)": 0, ".said": ""})  # until the next check
    for place, wanted in INNER.items():
        while by_hand.filled[place] != wanted:
            node(root, place).focus()
            press(" ")
            bridge.page.wait_for_timeout(50)
    check.click()
    said = "takes the largest of 0, −1 and 1, which is 1. The best move for X is b3."
    shows(root, {".card.right": 6, ".said": f"All 6 are right. At the top X is to move and {said}"})
    root.get_by_role("button", name="Start again").click()
    shows(root, {".value:has-text('?')": 6})
