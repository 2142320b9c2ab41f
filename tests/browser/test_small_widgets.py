"""The small widgets: a net that learns, a convolution that is dragged, and minimax by hand."""

import numpy as np
from playwright.sync_api import Locator, Page, expect

from mctslab.games import TicTacToe
from mctslab.widgets import MinimaxByHand
from mctslab.widgets.convolution_board import FILTERS
from tests.browser.bridge import Bridge
from tests.browser.modules import exports_of
from tests.browser.panel import box_of

# A board on which a net is seen learning: frames that come while it is shown, and the slider

LEARNING = """\
from mctslab import games
from mctslab.widgets import LearningBoard
seen = LearningBoard(games.TicTacToe().child(0).child(4).child(1))
def add(share): seen.add([share, *[(1 - share) / 5] * 5], share - 1)
seen"""


def test_frames_are_shown_as_they_come_and_gone_through_afterwards(bridge: Bridge) -> None:
    root = bridge.show(LEARNING)
    headline, ring = root.locator(".headline"), root.locator(".ring")
    slider = root.get_by_role("slider", name="Iteration")
    block = root.locator('rect[data-heat="2"] + text')
    expect(headline).to_have_text("No iteration yet")
    expect(ring).to_have_count(1)
    for number, share in enumerate((0.05, 0.1, 0.4, 0.8)):
        bridge.evaluate(f"add({share})")
        expect(headline).to_have_text(f"Iteration {number}")
        expect(block).to_have_text("5.0%" if share < 0.1 else f"{share:.0%}")
    expect(root.get_by_role("status")).to_contain_text("Since iteration 2 the net's favourite")
    expect(root.locator(".said")).to_contain_text("c1, with 80%. Value for O: −0.20.")

    slider.fill("1")
    expect(headline).to_have_text("Iteration 1")
    expect(slider).to_have_attribute("aria-valuetext", "Iteration 1. The net's favourite move for "
                                     "O is a2, with 18%. Value for O: −0.90.")  # fmt: skip
    bridge.evaluate("add(0.9)")  # what the reader looks at stays
    expect(slider).to_have_attribute("max", "4")
    expect(headline).to_have_text("Iteration 1")
    slider.fill("4")
    bridge.evaluate("add(0.95)")
    expect(headline).to_have_text("Iteration 5")

    # Where no move blocks there is only the policy.
    root = bridge.show(LEARNING.replace("child(1)", "child(5)"))
    bridge.evaluate("add(0.5)")
    expect(root.locator("rect[data-heat]")).to_have_count(6)
    expect(root.locator(".ring, path.share")).to_have_count(0)
    expect(root.locator("path.value")).to_have_count(1)
    expect(root.get_by_role("status")).to_be_empty()


# A convolution: by mouse, keys, weights, and the map

CONVOLUTION = """\
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


def test_the_filter_is_moved_and_the_map_is_the_convolution_with_any_weights(
    bridge: Bridge,
) -> None:
    root = bridge.show(CONVOLUTION)
    handle, status = root.get_by_role("slider"), root.get_by_role("status")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        handle.press(key)
    expect(status).to_have_text("The sum around D4 is 3. 7 of 49 squares are filled in.")
    expect(handle).to_have_attribute("aria-valuetext", "The sum around D4 is 3.")
    expect(root.get_by_role("img").locator("g:not(.empty)")).to_have_count(7)

    box, mouse = box_of(handle.locator("svg")), bridge.page.mouse
    side = box["width"] / (9 + 18 / 26)
    center = box["x"] + 18 / 26 * side, box["y"] + 18 / 26 * side
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    mouse.down()
    mouse.move(center[0] + 5.5 * side, center[1] + 4.5 * side)
    expect(status).to_contain_text("around E4 is 0. 8 of 49")
    mouse.move(center[0] + 500, center[1] + 500)  # it stays on the board
    expect(status).to_contain_text("around G1")
    mouse.up()
    mouse.move(center[0] + 4.5 * side, center[1] + 4.5 * side)
    root.get_by_role("button", name="Clear the map").click()
    expect(status).to_contain_text("around G1 is 0. 1 of 49")

    menu, sums = root.get_by_label("Filter", exact=True), root.get_by_role("img").locator("g text")
    root.get_by_role("button", name="Fill in the rest").click()
    stones = bridge.evaluate("state").board().stones
    plane, movers = ([int(stone == player) for stone in stones] for player in (0, 1))
    assert bridge.evaluate("ConvolutionBoard(state).plane") == movers

    def expect_sums(weights: list[int]) -> None:
        texts = [str(number).replace("-", "−") for number in convolved(plane, weights)]
        expect(sums).to_have_text(texts)

    for name in ("three in a row", "number of neighbours", "left edge"):
        menu.select_option(name)
        expect_sums([*FILTERS[name]])
    for _ in range(3):
        root.get_by_role("button", name="Weight, top: ").press("Enter")
    expect(menu).to_have_value("your own")
    expect_sums([0, -2, 0, -1, 1, 0, 0, 0, 0])
    assert bridge.evaluate("dragged.weights")[1] == -2


# Minimax by hand: values filled in with the mouse and by keys, and what a check says of them

script = exports_of("minimax_by_hand.js")

INNER = {0: 1, 1: 0, 2: 1, 4: 0, 6: -1, 8: 0}
"""The boxes to fill in, and their values."""


def node(root: Locator, place: int) -> Locator:
    return root.locator(f'.node[data-node="{place}"]')


def test_values_are_filled_in_with_the_mouse_and_by_keys_and_checked(bridge: Bridge) -> None:
    root = bridge.show("MinimaxByHand")
    said, check = root.get_by_role("status"), root.get_by_role("button", name="Check")
    name = "b1: O to move, no value yet"
    expect(node(root, 1)).to_have_attribute("aria-label", name)
    expect(node(root, 1).locator("svg").first).to_be_visible()
    check.click()
    expect(said).to_have_text("Right: 0 of 6, wrong: 0, empty: 6.")

    for value in ("−1", "0", "1", "−1"):
        node(root, 1).click()
        expect(node(root, 1).locator(".value")).to_have_text(value)
    node(root, 3).click()  # the game is over there
    expect(node(root, 3).locator(".value")).to_have_text("1")
    check.click()
    expect(node(root, 1)).to_have_attribute("aria-label", "b1: O to move, value −1, wrong")
    expect(said).to_have_text(
        "Right: 0 of 6, wrong: 1, empty: 5. After b1, O is to move and takes the smaller of 1 "
        "and 0, which is 0."
    )

    press = bridge.page.keyboard.press
    press("Escape")
    node(root, 1).focus()
    press("Enter")
    expect(root.locator(".card:is(.right, .wrong)")).to_have_count(0)  # until the next check
    expect(said).to_be_empty()
    for place, wanted in INNER.items():
        while bridge.evaluate(f"_.filled[{place}]") != wanted:
            node(root, place).focus()
            press(" ")
            bridge.page.wait_for_timeout(50)
    check.click()
    expect(root.locator(".card.right")).to_have_count(6)
    expect(said).to_have_text(
        "All 6 are right. At the top X is to move and takes the largest of 0, −1 and 1, which is "
        "1. The best move for X is b3."
    )
    root.get_by_role("button", name="Start again").click()
    expect(root.locator(".value", has_text="?")).to_have_count(6)


def test_the_wrong_box_deepest_in_the_tree_is_explained(script: Page) -> None:
    late = TicTacToe()
    for action in (4, 0, 6, 2, 8, 5):
        late = late.child(action)
    by_hand = MinimaxByHand(late)
    filled = [*by_hand.filled]
    filled[0], filled[1], filled[4] = -1, -1, -1
    said = script.evaluate(
        "([nodes, players, filled]) => sentenceOf(nodes, players, filled)",
        [by_hand.nodes, by_hand.players, filled],
    )
    assert said == (
        "Right: 0 of 6, wrong: 3, empty: 3. After b1 b3, X has only one move, which leads to 0."
    )
