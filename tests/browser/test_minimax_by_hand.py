"""Minimax by hand: values filled in with the mouse and by keys, and what a check says of them."""

from playwright.sync_api import Locator, expect

from mctslab.games import TicTacToe
from mctslab.widgets import MinimaxByHand
from tests.browser.bridge import Bridge
from tests.browser.modules import Module, exports_of

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
    for key, place in (("ArrowRight", 6), ("ArrowLeft", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
        press(key)
        expect(node(root, place)).to_be_focused()
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


def test_the_wrong_box_deepest_in_the_tree_is_explained(script: Module) -> None:
    late = TicTacToe()
    for action in (4, 0, 6, 2, 8, 5):
        late = late.child(action)
    by_hand = MinimaxByHand(late)
    filled = [*by_hand.filled]
    filled[0], filled[1], filled[4] = -1, -1, -1
    said = script.run(
        "([nodes, players, filled]) => sentenceOf(nodes, players, filled)",
        [by_hand.nodes, by_hand.players, filled],
    )
    assert said == (
        "Right: 0 of 6, wrong: 3, empty: 3. After b1 b3, X has only one move, which leads to 0."
    )
