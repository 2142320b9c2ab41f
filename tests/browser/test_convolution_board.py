"""A convolution that is dragged over a board: mouse, keys, weights, and the map."""

import numpy as np
from playwright.sync_api import expect

from tests.browser.bridge import Bridge

CELL = """\
from mctslab import games
from mctslab.widgets import ConvolutionBoard
state = games.Gomoku(size=7)
for move in "D4 A1 C3 B1 E5".split():
    state = state.child(state.string_to_action(move))
dragged = ConvolutionBoard(state, player=0)
dragged"""


def convolved(plane: list[int], weights: list[int]) -> list[int]:
    padded = np.pad(np.reshape(plane, (7, 7)), 1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    sums: list[int] = (windows * np.reshape(weights, (3, 3))).sum((2, 3)).ravel().tolist()
    return sums


def test_the_filter_is_moved_by_keys_and_mouse_and_fills_in_the_map(bridge: Bridge) -> None:
    root = bridge.show(CELL)
    handle, status = root.get_by_role("slider"), root.get_by_role("status")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        handle.press(key)
    expect(status).to_have_text("The sum around D4 is 3. 7 of 49 squares are filled in.")
    expect(handle).to_have_attribute("aria-valuetext", "The sum around D4 is 3.")
    expect(root.get_by_role("img").locator("g:not(.empty)")).to_have_count(7)

    box = handle.locator("svg").bounding_box()
    assert box is not None
    mouse, side = bridge.page.mouse, box["width"] / (9 + 18 / 26)
    center = box["x"] + 18 / 26 * side, box["y"] + 18 / 26 * side
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    mouse.down()
    mouse.move(center[0] + 5.5 * side, center[1] + 4.5 * side)
    expect(status).to_contain_text("around E4 is 0. 8 of 49")
    mouse.move(center[0] + 500, center[1] + 500)  # it stays on the board
    expect(status).to_contain_text("around G1")
    mouse.up()
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    expect(status).to_contain_text("around G1")
    root.get_by_role("button", name="Clear the map").click()
    expect(status).to_contain_text("1 of 49")


def test_the_whole_map_is_the_convolution_with_any_weights(bridge: Bridge) -> None:
    root = bridge.show(CELL)
    menu, sums = root.get_by_label("Filter", exact=True), root.get_by_role("img").locator("g text")
    root.get_by_role("button", name="Fill in the rest").click()
    stones = bridge.evaluate("state").board().stones
    plane, movers = ([int(stone == player) for stone in stones] for player in (0, 1))
    assert bridge.evaluate("ConvolutionBoard(state).plane") == movers
    for name in ("three in a row", "number of neighbours", "left edge"):
        menu.select_option(name)
        weights = bridge.evaluate("dragged.weights")
        texts = [text.replace("−", "-") for text in sums.all_text_contents()]
        assert [*map(int, texts)] == convolved(plane, weights)
    top = root.get_by_role("button", name="Weight, top: 0")
    top.focus()
    for _ in range(3):
        bridge.page.keyboard.press("Enter")
    bridge.wait_until(lambda: bridge.evaluate("dragged.weights")[1] == -2)
    expect(menu).to_have_value("your own")
    texts = [text.replace("−", "-") for text in sums.all_text_contents()]
    assert [*map(int, texts)] == convolved(plane, [0, -2, 0, -1, 1, 0, 0, 0, 0])
